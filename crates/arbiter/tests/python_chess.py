#!/usr/bin/env python3
"""Compares what `stillmate game` reads and says with python-chess.

    python3 crates/arbiter/tests/python_chess.py PATH/TO/stillmate [GAMES] [SEED]

Makes random games (2,000 if not said otherwise) that wander about a lot, some from set-ups
with castling, en passant and clocks that have run. They are written as people and programs write
them: tags in any order, comments, variations, glyphs, all results, one line or many. python-chess reads the file once more; compared are the players, the number of moves, the last
position, mate and stalemate, the result, every claim in every position, and the first position that
ended the game by 9.6.1 or 9.6.2. Without python-chess it says loudly that nothing was compared, and
exits with 77.
"""

import io
import json
import random
import subprocess
import sys

try:
    import chess
    import chess.pgn
except ImportError:
    print("SKIPPED: python-chess is not installed, nothing was compared", file=sys.stderr)
    sys.exit(77)

SET_UPS = [
    chess.STARTING_FEN,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "r3k2r/p6p/8/1P6/6p1/8/P4P1P/R3K2R w KQkq - 93 60",
    "8/2p3k1/8/3P4/1p6/8/P1P2K2/8 w - - 0 40",
    "3k4/8/8/8/3p4/8/4P3/K2R4 w - - 0 1",
    "8/8/4k3/8/8/2BN4/3K4/7r b - - 96 90",
    "8/8/4k3/8/8/2QR4/3K4/7r w - - 141 110",
    "4k3/8/8/8/8/8/8/R3K3 w Q - 145 120",
]


def wander(rng, number):
    """A game that often takes moves back."""
    game = chess.pgn.Game()
    board = chess.Board(rng.choice(SET_UPS))
    game.setup(board)
    game.headers["Event"] = f"game {number}"
    node = game
    restless = rng.random()
    for _ in range(rng.randrange(4, 90)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        if len(board.move_stack) >= 2 and rng.random() > restless * 0.7:
            last = board.move_stack[-2]
            back = chess.Move(last.to_square, last.from_square)
            if back in moves:
                move = back
        node = node.add_variation(move)
        board.push(move)
    game.headers["Result"] = result(rng, board)
    return game


def result(rng, board):
    if board.is_checkmate():
        return board.result()
    return rng.choice(["1-0", "0-1", "1/2-1/2", "*"])


COMMENTS = [
    "{a comment}",
    "{[%clk 0:01:02]}",
    "{[%eval 0.25] [%clk 0:00:00]}",
    "{over\ntwo lines}",
    "{with (brackets) and 1-0}",
    "; up to the end of the line\n",
    "$3",
]


def written(rng, game, number):
    """The game as text: tags in any order, comments anywhere."""
    headers = dict(game.headers)
    headers["White"] = rng.choice(["Ann", "Müller, J.", 'O\\"Brien', "A [bracket]"])
    headers["Black"] = rng.choice(["Bob", "bye-bye", "Björn"])
    headers["Annotator"] = str(number)
    for tag in ["Event", "Site", "Round", "Date"]:
        if rng.random() < 0.4:
            headers.pop(tag, None)
    headers.pop("Date", None)
    tags = [f'[{name} "{value}"]' for name, value in headers.items()]
    rng.shuffle(tags)
    text = "\n".join(tags) + "\n\n"
    board = game.board()
    words = []
    for move in game.mainline_moves():
        dots = "." if board.turn else rng.choice(["...", ""])
        if dots:
            words.append(f"{board.fullmove_number}{dots}")
        words.append(board.san(move) + rng.choice(["", "", "", "!", "?!"]))
        if rng.random() < 0.1:
            words.append(rng.choice(COMMENTS))
        if rng.random() < 0.05:
            other = board.san(rng.choice(list(board.legal_moves)))
            words.append(f"({board.fullmove_number}{'.' if board.turn else '...'} {other} {{no 1-0}})")
        board.push(move)
    words.append(headers["Result"])
    # A line must not be left blank.
    separator = rng.choice([" ", "\n"])
    moves = separator.join(words).replace("\n\n", "\n")
    return text + moves + rng.choice(["\n\n", "\n\n\n"])


def expected(game):
    """Claims as (plies, article, moves) and the first automatic end as (plies, article)."""
    board = game.board()
    moves = [node.move for node in game.mainline()]
    claims = []
    for plies in range(len(moves) + 1):
        if board.is_fivefold_repetition():
            return claims, (plies, "9.6.1")
        if board.is_seventyfive_moves():
            return claims, (plies, "9.6.2")
        legal = list(board.legal_moves)
        quiet = [move for move in legal if not board.is_zeroing(move)]
        if legal and board.is_repetition(3):
            claims.append((plies, "9.2.2", []))
        else:
            third = []
            for move in quiet:
                board.push(move)
                if board.is_repetition(3):
                    third.append(move)
                board.pop()
            if third:
                claims.append((plies, "9.2.1", sorted(map(board.san, third))))
        if legal and board.halfmove_clock >= 100:
            claims.append((plies, "9.3.2", []))
        elif board.halfmove_clock == 99 and quiet:
            claims.append((plies, "9.3.1", sorted(map(board.san, quiet))))
        if plies < len(moves):
            board.push(moves[plies])
    return claims, None


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    texts = []
    for number in range(count):
        texts.append(written(rng, wander(rng, number), number))
    text = "".join(texts)
    stream = io.StringIO(text)
    games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert len(games) == count, f"python-chess sees {len(games)} of {count} games"
    run = subprocess.run(
        [program, "game", "-q", "--format", "jsonl", "--laws", "today", "--nodes", "1000"],
        input=text.encode(),
        stdout=subprocess.PIPE,
        check=False,
    )
    reports = [json.loads(line) for line in run.stdout.decode().splitlines()]
    assert len(reports) == count, f"{len(reports)} reports on {count} games"
    differences = claims = ends = 0
    for number, (game, report) in enumerate(zip(games, reports)):
        wanted, end = expected(game)
        # Other ends, which python-chess doesn't know or isn't asked for, cut the claims off.
        others = [e for e in report["ends"] if e["article"] not in ("9.6.1", "9.6.2")]
        last = min([e["plies"] for e in others], default=len(report["claims"]) + 10**9)
        wanted = [claim for claim in wanted if claim[0] < last]
        found = [(c["plies"], c["article"], sorted(c["moves"])) for c in report["claims"]]
        counted = [e for e in report["ends"] if e["article"] in ("9.6.1", "9.6.2")]
        first = min(((e["plies"], e["article"]) for e in counted), default=None)
        board = game.end().board()
        read = (report["white"], report["plies"], report["last"]["fen"].split()[:4], report["result"])
        theirs = (
            game.headers["White"].replace('\\"', '"'),
            len(list(game.mainline_moves())),
            board.fen(en_passant="legal").split()[:4],
            game.headers["Result"],
        )
        stuck = [e["rule"] for e in others if e["rule"] in ("checkmate", "stalemate")]
        expected_stuck = ["checkmate"] * board.is_checkmate() + ["stalemate"] * board.is_stalemate()
        if read != theirs or stuck != expected_stuck or report["faults"]:
            differences += 1
            print(f"game {number} is read otherwise: {read} {stuck} {report['faults']}, not {theirs}")
        claims += len(wanted)
        ends += end is not None
        if found != wanted or first != end:
            differences += 1
            print(f"game {number} differs:\n  found {found} {first}\n  expected {wanted} {end}")
            print(game, end="\n\n")
    print(f"{count} games, {claims} claims, {ends} automatic ends, {differences} differ")
    assert claims > count and ends * 50 > count, "the games show too little"
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
