"""Certificates from JSON, as strictly as the page asks for."""

import json
import re

import chess

from board import BACK, Refused, need, squares

# What is wrong with a position, in the words of python-chess: of these none.
IMPOSSIBLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_BAD_CASTLING_RIGHTS
    | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_OPPOSITE_CHECK
)

FEN = re.compile(
    r"[1-8PNBRQKpnbrqk/]+ [wb] (?:-|(?=[KQA-Hkqa-h])[KQA-H]{0,2}[kqa-h]{0,2}) (?:-|[a-h][36])"
    r"(?: [0-9]+(?: [0-9]+)?)?",
    re.ASCII,
)


def digits(text):
    need(text.isdigit() and int(text) < 1 << 64, "a number:", text)
    return int(text)


def once(pairs):
    found = dict(pairs)
    need(len(found) == len(pairs), "a field twice")
    return found


def no_number(text):
    raise Refused(f"a number: {text}")


def load(text):
    return json.loads(
        text,
        object_pairs_hook=once,
        parse_int=digits,
        parse_float=no_number,
        parse_constant=no_number,
    )


def fields(value, required, optional=()):
    """An object with these fields and perhaps those."""
    need(isinstance(value, dict), "no object")
    need(set(required) <= set(value) <= set(required) | set(optional), "fields:", list(value))
    return value


def string(value):
    need(isinstance(value, str), "no string")
    return value


def number(value):
    need(isinstance(value, int) and not isinstance(value, bool), "no number")
    return value


def square(value):
    return chess.parse_square(string(value))


def mark(value):
    need(isinstance(value, bool), "neither true nor false")
    return value


def listed(value, of):
    need(isinstance(value, list), "no list")
    return [of(each) for each in value]


def pair(value, first, second):
    need(isinstance(value, list) and len(value) == 2, "no pair")
    return first(value[0]), second(value[1])


def piece(value):
    need(string(value) in tuple("PNBRQKpnbrqk"), "no piece:", value)
    return chess.Piece.from_symbol(value)


def position(fen):
    need(FEN.fullmatch(string(fen)), "no FEN")
    need(not re.search("[0-9]{2}", fen.split()[0]), "numbers beside each other")
    board = chess.Board(fen, chess960=True)
    need(not board.status() & IMPOSSIBLE, "no position:", board.status())
    rights = fen.split()[2].strip("-")
    need(len(rights) == len(squares(board.castling_rights & BACK)), "a castling right twice")
    return board
