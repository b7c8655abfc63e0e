"""Classes: the stretches between irreversible moves."""

import chess

from board import (
    BACK,
    BISHOP,
    FULL,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    WHITE,
    attacks,
    bit,
    matched,
    need,
    parse_set,
    passed,
    squares,
)
import invariants
from invariants import may_be_mate
from reading import fields, listed, pair, square


def read(text):
    """A class as it is written, whether it makes sense or not."""
    fields(text, ["men", "kings"])
    kings = fields(text["kings"], ["claim_to_move", "other_to_move", "after_king"])
    return {
        "men": listed(text["men"], invariants.Man),
        "kings": {name: rows(text) for name, text in kings.items()},
    }


def rows(text):
    read = listed(text, lambda row: pair(row, square, parse_set))
    need(len({own for own, _ in read}) == len(read), "a square named twice")
    return read


class Man:
    """A man of a class or of what an event leads to; its squares are enough to tell where it may
    stand, but for one of unknown kind."""

    def __init__(self, color, role, mask, unknown=False):
        self.color, self.role, self.unknown = color, role, unknown
        self.squares = 0 if unknown else mask
        self.anywhere = FULL if unknown else mask

    def within(self, wide, w):
        """Whether `wide`, of a class, allows all that this does."""
        same = (self.color, self.role) == (wide.color, wide.role)
        if wide.unknown:
            return self.color != w and (self.unknown or self.role != PAWN)
        return same and not self.unknown and not self.squares & ~wide.squares


class Outcome:
    """Men, a side to move, and pairs of kings; whether W's king has moved last."""

    def __init__(self, men, turn, pairs, after_king):
        self.men, self.turn, self.pairs, self.after_king = men, turn, pairs, after_king


def outcome_at(board, w):
    """A single position that is no mate; None if it can't belong to a class."""
    if board.clean_castling_rights() or passed(board) is not None:
        return None
    men = [
        Man(piece.color, piece.piece_type, bit(s))
        for s, piece in board.piece_map().items()
        if piece.piece_type != KING
    ]
    return Outcome(men, board.turn, {(board.king(w), board.king(not w))}, True)


def near(one, other):
    return one == other or chess.BB_KING_ATTACKS[one] >> other & 1


class Class:
    def __init__(self, text, w):
        self.w = w
        self.men = []
        need(len(text["men"]) <= 62, "crowd")
        for man in text["men"]:
            color, role, mask, unknown = man.color, man.role, man.squares, man.promotes
            need(role != KING and not man.lost, "a man of a class")
            if unknown:
                need(role == PAWN and color != w, "a man of unknown kind")
            elif role == PAWN:
                need(mask.bit_count() == 1 and not mask & BACK, "a pawn of a class")
            self.men.append(Man(color, role, mask, unknown))
        pairs = {name: self.pairs(rows) for name, rows in text["kings"].items()}
        self.first = pairs["other_to_move"]
        self.kings = {w: pairs["claim_to_move"], not w: self.first | pairs["after_king"]}
        both = self.kings[w] | self.kings[not w]
        own, other = ({pair[i] for pair in both} for i in (0, 1))
        self.fixed = self.may = 0
        for stands in own, other:
            mask = sum(map(bit, stands))
            self.may |= mask
            self.fixed |= mask if len(stands) == 1 else 0
        for man in self.men:
            self.may |= man.anywhere
            self.fixed |= man.squares if man.squares.bit_count() == 1 else 0
        self.certain = {color: self.certainly(color) for color in chess.COLORS}

    @staticmethod
    def pairs(rows):
        pairs = set()
        for own, others in rows:
            for other in squares(others):
                need(not near(own, other), "kings")
                pairs.add((own, other))
        return pairs

    def certainly(self, color):
        attacked = 0
        for man in self.men:
            if man.color == color and man.squares:
                common = FULL
                for s in squares(man.squares):
                    common &= attacks(s, color, man.role, self.may)
                attacked |= common
        return attacked

    def check(self, covered):
        """The obligations; `covered` tells whether an outcome is."""
        self.stays()
        for outcome in self.events():
            need(covered(outcome), "an event isn't covered")
        for own, other in self.kings[not self.w]:
            only_discovered = (own, other) not in self.first
            mate = may_be_mate(other, [own], self.men, self.w, self.fixed, only_discovered)
            need(not mate, "mate on", chess.square_name(other))

    # 1. Reversible moves stay inside

    def stays(self):
        for man in self.men:
            if man.role != PAWN:
                for s in squares(man.squares):
                    free = attacks(s, man.color, man.role, self.fixed) & ~self.fixed
                    need(not free & ~man.squares, "a man leaves")
        for color in chess.COLORS:
            waits = any(m.color == color and m.anywhere.bit_count() > 1 for m in self.men)
            mine = color == self.w
            for own, other in self.kings[color]:
                king, still = (own, other) if mine else (other, own)
                barred = self.fixed | self.certain[not color]
                for t in squares(chess.BB_KING_ATTACKS[king] & ~barred):
                    if not near(t, still):
                        pair = (t, still) if mine else (still, t)
                        need(pair in self.kings[not color], "a king leaves")
                if waits:
                    there = self.first if mine else self.kings[self.w]
                    need((own, other) in there, "a king's wait")

    # 2. Irreversible moves

    def events(self):
        for i, man in enumerate(self.men):
            if man.role == PAWN and not man.unknown:
                yield from self.pawn(i, man)
            else:
                for j, victim in self.others(man.color):
                    yield self.takes(i, man, j, victim)
        for color in chess.COLORS:
            for j, victim in self.others(color):
                yield self.king_takes(color, j, victim)

    def others(self, color):
        return [(j, man) for j, man in enumerate(self.men) if man.color != color]

    def after(self, color, mask):
        """The pairs after a man's move to one of these squares."""
        if not mask:
            return set()
        single = squares(mask)[0] if mask.bit_count() == 1 else None
        return {pair for pair in self.kings[color] if single not in pair}

    def changed(self, i, man, gone=None):
        men = list(self.men)
        men[i] = man
        return [man for j, man in enumerate(men) if j != gone]

    def takes(self, i, man, j, victim):
        mask = 0
        for s in squares(man.squares):
            mask |= attacks(s, man.color, man.role, self.fixed)
        mask = victim.anywhere if man.unknown else victim.anywhere & mask
        moved = Man(man.color, man.role, mask, man.unknown)
        pairs = self.after(man.color, mask)
        return Outcome(self.changed(i, moved, j), not man.color, pairs, False)

    def king_takes(self, color, j, victim):
        targets = victim.anywhere & ~self.certain[not color]
        pairs = set()
        for own, other in self.kings[color]:
            king, still = (own, other) if color == self.w else (other, own)
            for t in squares(chess.BB_KING_ATTACKS[king] & targets):
                if not near(t, still):
                    pairs.add((t, still) if color == self.w else (still, t))
        men = [man for i, man in enumerate(self.men) if i != j]
        return Outcome(men, not color, pairs, color == self.w)

    def pawn(self, i, man):
        s = squares(man.squares)[0]
        color, (ahead, second) = man.color, (8, 1) if man.color == WHITE else (-8, 6)

        def goes(t, gone=None):
            moved = Man(color, PAWN, bit(t), bool(bit(t) & BACK))
            pairs = self.after(color, bit(t))
            return Outcome(self.changed(i, moved, gone), not color, pairs, False)

        if not self.fixed >> (s + ahead) & 1:
            yield goes(s + ahead)
            far = s + 2 * ahead
            if chess.square_rank(s) == second and not self.fixed >> far & 1:
                yield goes(far)
                p = s + ahead
                for j, taker in self.others(color):
                    if taker.role == PAWN and not taker.unknown:
                        if attacks(squares(taker.squares)[0], taker.color, PAWN, 0) >> p & 1:
                            takes = Man(taker.color, PAWN, bit(p))
                            pairs = {pair for pair in self.after(color, bit(far)) if p not in pair}
                            yield Outcome(self.changed(j, takes, i), color, pairs, False)
        for t in squares(attacks(s, color, PAWN, 0)):
            for j, victim in self.others(color):
                if victim.anywhere >> t & 1:
                    yield goes(t, j)

    def includes(self, outcome):
        w = self.w
        first = outcome.turn != w and not outcome.after_king
        kings = self.first if first else self.kings[outcome.turn]
        if len(self.men) != len(outcome.men) or not outcome.pairs <= kings:
            return False
        edges = {
            i: [j for j, wide in enumerate(self.men) if man.within(wide, w)]
            for i, man in enumerate(outcome.men)
        }
        return matched(edges, edges)


class Classes:
    """A step whose classes are well formed and meet their obligations."""

    def __init__(self, classes, exits, w):
        self.w, self.exits = w, exits
        self.classes = [Class(text, w) for text in classes]
        for one in self.classes:
            one.check(self.covered)

    def covered(self, outcome):
        for man in outcome.men:
            if man.unknown and man.color == self.w:
                return not outcome.pairs
        alone = [man.squares for man in outcome.men if man.squares.bit_count() == 1]
        return (
            not outcome.pairs
            or len(set(alone)) < len(alone)
            or self.too_few(outcome.men)
            or any(one.includes(outcome) for one in self.classes)
            or any(self.leaves_by(exit, outcome) for exit in self.exits)
        )

    def too_few(self, men):
        own = [man for man in men if man.color == self.w]
        other = [man for man in men if man.color != self.w]
        if not own:
            return True
        if len(own) == 1 and own[0].role == KNIGHT:
            return all(man.role == QUEEN for man in other)
        bishops = [man.squares for man in men if man.role == BISHOP]
        spoilt = any(man.role in (KNIGHT, PAWN) for man in men)
        colours = chess.BB_LIGHT_SQUARES, chess.BB_DARK_SQUARES
        one_colour = any(not any(mask & ~colour for mask in bishops) for colour in colours)
        return all(man.role == BISHOP for man in own) and one_colour and not spoilt

    def leaves_by(self, invariant, outcome):
        kings = zip(*outcome.pairs)
        kings = [
            Man(color, KING, sum(map(bit, set(stands))))
            for color, stands in zip((self.w, not self.w), kings)
        ]
        men = outcome.men + kings
        edges = {}
        for i, man in enumerate(men):
            edges[i] = set()
            for j, wide in enumerate(invariant.men):
                same = not man.unknown and (man.color, man.role) == (wide.color, wide.role)
                promoted = wide.promotes and man.color == wide.color != self.w
                promoted = promoted and (man.unknown or man.role not in (KING, PAWN))
                if same and not man.squares & ~wide.squares or promoted:
                    edges[i].add(j)

        def rank(i):
            return chess.square_rank(squares(men[i].squares)[0])

        return invariant.assigned(edges, rank, invariant.opposed)

    def has(self, board, only_first=False):
        """Whether a position, which is no mate, belongs to one of the classes."""
        outcome = outcome_at(board, self.w)
        classes = self.classes[:1] if only_first else self.classes
        return outcome is not None and any(one.includes(outcome) for one in classes)

    def fits(self, board):
        return self.has(board)
