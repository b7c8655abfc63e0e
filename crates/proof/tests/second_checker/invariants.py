"""Invariants: whether they make sense, hold, are kept and exclude mate."""

import chess

from board import (
    BACK,
    BLACK,
    FULL,
    KING,
    PAWN,
    ROOK,
    WHITE,
    attacks,
    bit,
    cover,
    matched,
    need,
    parse_set,
    passed,
    squares,
)
from reading import fields, listed, mark, number, pair, piece, square


class Man:
    def __init__(self, text):
        fields(text, ["piece", "squares"], ["lost", "promotes"])
        man = piece(text["piece"])
        self.color, self.role = man.color, man.piece_type
        self.squares = parse_set(text["squares"])
        self.lost = mark(text.get("lost", False))
        self.promotes = mark(text.get("promotes", False))
        self.steady = not self.lost and not self.promotes
        self.fixed = self.steady and self.squares.bit_count() == 1
        self.anywhere = FULL if self.promotes else self.squares

    def may_be(self, color, role):
        return self.promotes and self.color == color and role not in (PAWN, KING)


def read(text):
    """An invariant as it is written, whether it makes sense or not."""
    fields(text, ["men"], ["opposed", "castling", "en_passant"])
    men = listed(text["men"], Man)
    opposed = listed(text.get("opposed", []), lambda two: pair(two, number, number))
    castling = parse_set(text.get("castling", ""))
    granted = square(text["en_passant"]) if "en_passant" in text else None
    return men, opposed, castling, granted


class Invariant:
    """A well-formed invariant with obligations 2 and 3 checked."""

    def __init__(self, text, w):
        self.w = w
        self.men, self.opposed, self.castling, self.granted = text
        self.form()
        self.fixed = sum(man.squares for man in self.men if man.fixed)
        self.may = 0
        for man in self.men:
            self.may |= man.anywhere
        self.certain = {color: self.certainly(color) for color in (WHITE, BLACK)}
        for i, man in enumerate(self.men):
            ends = self.ends(i, man)
            for s in squares(man.squares):
                self.steps(i, man, s, ends)
        self.castles()
        self.no_mate()

    def of(self, color, king=False):
        """The men of a colour, only its king or all but that."""
        found = enumerate(self.men)
        return [(i, m) for i, m in found if m.color == color and (m.role == KING) == king]

    def king(self, color):
        return self.of(color, king=True)[0][1].squares

    def form(self):
        need(len(self.men) <= 64 and len(self.opposed) <= 64, "crowd")
        for color in (WHITE, BLACK):
            kings = self.of(color, king=True)
            need(len(kings) == 1 and kings[0][1].steady, "kings")
        own = self.of(self.w)
        self.last = own[0][0] if len(own) == 1 else None
        promotions = any(man.promotes for man in self.men)
        for i, man in enumerate(self.men):
            need(man.role != PAWN or not man.squares & BACK, "pawn", i)
            if man.promotes:
                need(man.role == PAWN and man.color != self.w and man.lost, "promotes", i)
        for i, man in own:
            need(not promotions or man.lost or i == self.last, "exposed", i)
        for white, black in self.opposed:
            need(max(white, black) < len(self.men) and min(white, black) >= 0, "pair")
            pair = [(self.men[white], WHITE), (self.men[black], BLACK)]
            for man, color in pair:
                need(man.role == PAWN and man.color == color and not man.promotes, "pair")
            need(not (pair[0][0].lost and pair[1][0].lost), "pair")
            both = pair[0][0].squares | pair[1][0].squares
            need(len({chess.square_file(s) for s in squares(both)}) <= 1, "pair's file")
        need(not self.castling & ~BACK, "castling")
        if self.granted is not None:
            need(chess.square_rank(self.granted) in (2, 5), "en passant")

    def certainly(self, color, may=None, without=None):
        """What a colour certainly attacks, perhaps without one of its men."""
        may = self.may if may is None else may
        attacked = 0
        for i, man in enumerate(self.men):
            if man.color == color and man.steady and man.squares and i != without:
                attacked |= self.everywhere(man, may)
        return attacked

    @staticmethod
    def everywhere(man, may):
        """What a man attacks from each of its squares."""
        common = FULL
        for s in squares(man.squares):
            common &= attacks(s, man.color, man.role, may)
        return common

    # 1. It holds

    def fits(self, board):
        rights = board.clean_castling_rights()
        if rights & ~self.castling:
            return False
        ep = passed(board)
        stepped = origin = None
        if ep is not None and ep != self.granted:
            ahead = 8 if chess.square_rank(ep) == 2 else -8
            stepped, origin = ep + ahead, ep - ahead
        edges = {}
        for s, piece in board.piece_map().items():
            color, role = piece.color, piece.piece_type
            edges[s] = set()
            for i, man in enumerate(self.men):
                there = man.color == color and man.role == role and man.squares >> s & 1
                came = s != stepped or man.squares >> origin & 1
                if there and came or man.may_be(color, role):
                    edges[s].add(i)
        return self.assigned(edges, chess.square_rank, self.opposed)

    def assigned(self, edges, rank, pairs):
        """Whether men, each with those of the invariant that it may be, can be assigned such that
        these pairs are in order. `rank` tells that of a pawn."""
        if not pairs:
            reverse = {i: [s for s in edges if i in edges[s]] for i in range(len(self.men))}
            steady = [i for i, man in enumerate(self.men) if not man.lost]
            by_square = {}
            if not cover(by_square, steady, reverse):
                return False
            by_man = {i: s for s, i in by_square.items()}
            rest = [s for s in edges if s not in by_square]
            return cover(by_man, rest, edges)
        (white, black), *rest = pairs
        lows = [s for s in edges if white in edges[s]] + [None] * self.men[white].lost
        highs = [s for s in edges if black in edges[s]] + [None] * self.men[black].lost
        for low in lows:
            for high in highs:
                if low is None or high is None or rank(low) < rank(high):
                    chosen = {s: near - {white, black} for s, near in edges.items()}
                    if low is not None:
                        chosen[low] = {white}
                    if high is not None:
                        chosen[high] = {black}
                    if self.assigned(chosen, rank, rest):
                        return True
        return False

    # 2. It is kept

    def ends(self, i, man):
        """Where a man may step without further obligations: with a check at hand that leaves
        nothing but taking it, which certainly can be done, to W's last man, or certainly not."""
        color, other = man.color, not man.color
        found = 0
        if man.role == KING or man.role == PAWN and color == self.w:
            return found
        for t in range(64):
            if man.role == PAWN and chess.square_rank(t) in (0, 7, 3 if color == WHITE else 4):
                continue
            may = self.may | bit(t)
            protected = self.certainly(color, may, without=i)
            own = attacks(t, color, man.role, may)
            barred = sum(m.squares for m in self.men if m.fixed and m.color == other)
            ways, near = 0, False
            for k in squares(self.king(other)):
                if not attacks(t, color, man.role, FULL) >> k & 1:
                    break
                around = chess.BB_KING_ATTACKS[k]
                near = near or around >> t & 1
                ways |= around & ~bit(t)
            else:
                if not self.king(other) or ways & ~(barred | protected | own | self.closed_king(color)):
                    continue
                if i == self.last:
                    beside = 0
                    for w in squares(self.king(color)):
                        beside |= chess.BB_KING_ATTACKS[w]
                    takes = self.certainly(other, may, without=self.of(other, king=True)[0][0])
                    takes |= self.everywhere(self.of(other, king=True)[0][1], may) & ~beside
                    found |= takes & bit(t)
                elif color != self.w and (not near or protected >> t & 1):
                    free = self.fixed & ~man.squares
                    takers = 0
                    for _, m in self.of(other):
                        for s in squares(m.squares):
                            takers |= attacks(s, other, m.role, free)
                    found |= bit(t) & ~takers
        return found

    def closed_king(self, color):
        king = self.of(color, king=True)[0][1]
        return king.squares if king.fixed else 0

    def steps(self, i, man, s, ends):
        color, role = man.color, man.role
        if role == PAWN:
            return self.pawn(i, man, s, ends)
        barred = 0
        for other in self.men:
            if other.fixed and (other.color == color or other.role == KING):
                barred |= other.squares
        if role == KING:
            barred |= self.certain[not color]
        for t in squares(attacks(s, color, role, self.fixed) & ~barred & ~ends):
            need(man.squares >> t & 1, "man", i, "leaves for", chess.square_name(t))
            for j in self.victims(color, t):
                self.take(i, j)

    def victims(self, color, t):
        return [j for j, man in self.of(not color) if man.anywhere >> t & 1]

    def take(self, i, j):
        need(self.men[j].lost or j == self.last, "man", i, "takes man", j)

    def arrive(self, i, t):
        man = self.men[i]
        allowed = man.promotes if bit(t) & BACK else man.squares >> t & 1
        need(allowed, "pawn", i, "leaves for", chess.square_name(t))

    def pawn(self, i, man, s, ends):
        color = man.color
        ahead, second, fifth = (8, 1, 4) if color == WHITE else (-8, 6, 3)
        for count in range(2 if chess.square_rank(s) == second else 1):
            t = s + (count + 1) * ahead
            if self.fixed >> t & 1 or self.meets(i, t):
                break
            if not ends >> t & 1:
                self.arrive(i, t)
        barred = 0
        for other in self.men:
            if other.fixed and (other.color == color or other.role == KING):
                barred |= other.squares
        for t in squares(attacks(s, color, PAWN, 0)):
            if not (barred | ends) >> t & 1:
                for j in self.victims(color, t):
                    if j != self.last:
                        self.arrive(i, t)
                        self.take(i, j)
            if chess.square_rank(s) == fifth and not self.fixed >> t & 1:
                beside, origin = t - ahead, t + ahead
                for j, other in self.of(not color):
                    stepped = other.squares >> origin & 1 or t == self.granted
                    there = other.role == PAWN and other.squares >> beside & 1
                    if there and stepped and j != self.last:
                        self.arrive(i, t)
                        self.take(i, j)

    def meets(self, i, t):
        """Whether an opposed pawn would get to or beyond where its partner may be."""
        for white, black in self.opposed:
            if i == white and self.men[black].squares and self.men[black].steady:
                if chess.square_rank(t) >= chess.square_rank(max(squares(self.men[black].squares))):
                    return True
            if i == black and self.men[white].squares and self.men[white].steady:
                if chess.square_rank(t) <= chess.square_rank(min(squares(self.men[white].squares))):
                    return True
        return False

    def castles(self):
        for r in squares(self.castling):
            color = chess.square_rank(r) == 0
            home = chess.BB_RANK_1 if color else chess.BB_RANK_8
            for s in squares(self.king(color) & home):
                if s != r:
                    king, rook = (2, 3) if r < s else (6, 5)
                    target = chess.square(king, chess.square_rank(r))
                    need(self.king(color) >> target & 1, "castling of the king")
                    target = chess.square(rook, chess.square_rank(r))
                    for _, man in self.of(color):
                        if man.role == ROOK and man.squares >> r & 1:
                            need(man.squares >> target & 1, "castling of a rook")

    # 3. It excludes mate

    def no_mate(self):
        guards = squares(self.king(self.w))
        for k in squares(self.king(not self.w)):
            mate = may_be_mate(k, guards, self.men, self.w, self.fixed)
            need(not mate, "mate on", chess.square_name(k))


def may_be_mate(k, guards, men, w, fixed, discovered=False):
    """Whether W may mate the king on `k` with its own on one of `guards`; if `discovered`, only
    by a check that a move of this king has uncovered."""
    around = chess.BB_KING_ATTACKS[k]
    blockers = fixed & ~bit(k)
    own = [i for i, man in enumerate(men) if man.color == w and man.role != KING]
    other = [i for i, man in enumerate(men) if man.color != w and man.role != KING]
    reach = {}
    for i in own:
        for s in squares(men[i].squares):
            reach[i, s] = attacks(s, w, men[i].role, blockers)
    for c, s in reach:
        if not reach[c, s] >> k & 1:
            continue
        covered = reach[c, s]
        for (i, _), attacked in reach.items():
            covered |= attacked if i != c else 0
        line = chess.between(s, k)
        for guard in guards:
            near = chess.BB_KING_ATTACKS[guard]
            if guard == k or near >> k & 1:
                continue
            if discovered and (not line & near or line >> guard & 1):
                continue
            left = squares(around & ~covered & ~near)
            edges = {n: [j for j in other if men[j].anywhere >> n & 1] for n in left}
            if matched(left, edges):
                return True
    return False
