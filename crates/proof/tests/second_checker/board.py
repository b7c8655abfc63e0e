"""The board, and what is asked about a single position."""

import chess

WHITE, BLACK = chess.WHITE, chess.BLACK
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
BACK = chess.BB_RANK_1 | chess.BB_RANK_8
FULL = chess.BB_ALL


class Refused(Exception):
    """What is wrong with a certificate."""


def need(condition, *message):
    if not condition:
        raise Refused(" ".join(map(str, message)))


def bit(square):
    return chess.BB_SQUARES[square]


def parse_set(names):
    """A set of squares from their names."""
    need(isinstance(names, str), "no string")
    names = names.split(" ") if names else []
    mask = 0
    for name in names:
        mask |= bit(chess.parse_square(name))
    need(len(names) == mask.bit_count(), "a square named twice")
    return mask


def squares(mask):
    return list(chess.scan_forward(mask))


def attacks(square, color, role, blockers):
    """The squares that a man attacks, lines blocked by `blockers`."""
    if role == PAWN:
        return chess.BB_PAWN_ATTACKS[color][square]
    if role == KNIGHT:
        return chess.BB_KNIGHT_ATTACKS[square]
    if role == KING:
        return chess.BB_KING_ATTACKS[square]
    mask = 0
    if role in (ROOK, QUEEN):
        mask |= chess.BB_RANK_ATTACKS[square][chess.BB_RANK_MASKS[square] & blockers]
        mask |= chess.BB_FILE_ATTACKS[square][chess.BB_FILE_MASKS[square] & blockers]
    if role in (BISHOP, QUEEN):
        mask |= chess.BB_DIAG_ATTACKS[square][chess.BB_DIAG_MASKS[square] & blockers]
    return mask


def passed(board):
    """The square of a legal en passant capture."""
    return board.ep_square if board.has_legal_en_passant() else None


def is_mate(board, w):
    return board.turn != w and board.is_checkmate()


def uci(board, move):
    """As the format writes it: castling by the king's two steps where both stand as usual."""
    if board.is_castling(move):
        king, rook = move.from_square, move.to_square
        if chess.square_file(king) == 4 and chess.square_file(rook) in (0, 7):
            step = 2 if rook > king else -2
            return chess.square_name(king) + chess.square_name(king + step)
    return move.uci()


def rule_of_material(board, w):
    """The rule by which the men of `w` don't suffice, if one does."""
    own = board.occupied_co[w] & ~board.kings
    other = board.occupied_co[not w] & ~board.kings
    if not own:
        return "bare-king"
    if own & (own - 1) == 0 and own & board.knights and not other & ~board.queens:
        return "knight-against-queens"
    bishops = board.bishops
    one_colour = not bishops & chess.BB_LIGHT_SQUARES or not bishops & chess.BB_DARK_SQUARES
    if not own & ~bishops and one_colour and not board.pawns | board.knights:
        return "bishops-of-one-colour"
    return None


def matched(wanted, edges):
    """Whether all of `wanted` can be paired with different ones of those in `edges`."""
    return cover({}, wanted, edges)


def cover(partner, wanted, edges):
    def augment(one, tried):
        for other in edges[one]:
            if other not in tried:
                tried.add(other)
                if other not in partner or augment(partner[other], tried):
                    partner[other] = one
                    return True
        return False

    return all(augment(one, set()) for one in wanted)
