#!/usr/bin/env python3
"""A second checker, written from docs/certificates.md alone: it shows that the page suffices.

    stillmate check --proof - < FILE.epd | checker.py

Reads certificates in JSON, one on a line, and prints for each what became of it; then how many
were accepted by the kind of the first step, on standard error. There are no limits: what takes
long takes long. Needs the package `chess` (python-chess); exits 3 if that is missing, 1 if a
certificate is rejected.
"""

import json
import sys
from collections import Counter

try:
    import chess
except ImportError:
    print("python-chess is missing: nothing is checked", file=sys.stderr)
    sys.exit(3)

from board import Refused, is_mate, need, rule_of_material, uci
from classes import Classes
from invariants import Invariant


class Checker:
    def __init__(self, certificate):
        fields = {"format", "program", "position", "claim", "steps"}
        need(set(certificate) == fields and certificate["format"] == 1, "fields")
        need(certificate["claim"] in ("white", "black"), "claim")
        self.w = certificate["claim"] == "white"
        self.list = certificate["steps"]
        self.all_moves_are_reached()
        self.proved = {}
        start = chess.Board(certificate["position"], chess960=True)
        self.open, self.met = [], set()
        self.meet(0, start)
        while self.open:
            number, board = self.open.pop()
            self.step(number, board)

    def all_moves_are_reached(self):
        """Moves are read as those of a position, so that one must be known."""
        reached = {0}
        for number, step in enumerate(self.list):
            if step != "terminal" and "moves" in step:
                need(number in reached, "nothing leads to the moves of step", number)
                reached.update(after for _, after in step["moves"])

    def meet(self, number, board):
        need(number < len(self.list), "no step", number)
        pair = number, board._transposition_key()
        if pair not in self.met:
            self.met.add(pair)
            self.open.append((number, board))

    def exit(self, number, by, kinds=("invariant", "classes")):
        """What is proved once of all positions that a step describes."""
        need(by < number < len(self.list), "reference to", number)
        step = self.list[number]
        kind = next((kind for kind in kinds if step != "terminal" and kind in step), None)
        need(kind, "no exit", number)
        if number not in self.proved:
            content = step[kind]
            if kind == "invariant":
                self.proved[number] = Invariant(content, self.w)
            else:
                need(set(content) == {"classes", "exits"}, "fields of classes")
                exits = [self.exit(to, number, ("invariant",)) for to in content["exits"]]
                self.proved[number] = Classes(content["classes"], exits, self.w)
        return self.proved[number]

    def step(self, number, board):
        step = self.list[number]
        kind, content = (step, None) if step == "terminal" else next(iter(step.items()))
        need(kind == step or len(step) == 1, "fields of a step")
        if kind == "invariant":
            return need(self.exit(number, -1).fits(board), "does not fit")
        need(not is_mate(board, self.w), "mate:", board.fen())
        if kind == "terminal":
            need(not any(board.legal_moves), "moves")
        elif kind == "material":
            need(rule_of_material(board, self.w) == content, "material")
        elif kind == "moves":
            legal = {uci(board, move): move for move in board.legal_moves}
            listed = [name for name, _ in content]
            need(sorted(listed) == sorted(legal), "moves:", listed, "for", list(legal))
            for name, after in content:
                need(after > number, "reference to", after)
                next_board = board.copy(stack=False)
                next_board.push(legal[name])
                self.meet(after, next_board)
        elif kind == "closed":
            exits = [self.exit(to, number) for to in content["exits"]]
            self.explore(board, content["positions"], exits)
        elif kind == "classes":
            need(self.exit(number, -1).has(board, only_first=True), "does not belong")
        else:
            need(False, "unknown kind:", kind)

    def explore(self, start, at_most, exits):
        seen, todo = {start._transposition_key()}, [start]
        while todo:
            board = todo.pop()
            need(len(seen) <= at_most, "more positions than stated")
            need(not is_mate(board, self.w), "mate:", board.fen())
            if rule_of_material(board, self.w) or any(exit.fits(board) for exit in exits):
                continue
            for move in board.legal_moves:
                after = board.copy(stack=False)
                after.push(move)
                key = after._transposition_key()
                if key not in seen:
                    seen.add(key)
                    todo.append(after)


def verdict(text):
    """What is wrong with a certificate; None if it is accepted."""
    try:
        Checker(json.loads(text))
    except (Refused, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"{type(error).__name__} {error}"
    return None


def main():
    accepted, rejected = Counter(), 0
    for line in sys.stdin:
        fault = verdict(line)
        if fault is None:
            first = json.loads(line)["steps"][0]
            accepted[first if first == "terminal" else next(iter(first))] += 1
            print("accepted")
        else:
            rejected += 1
            print(f"rejected: {fault}")
    kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(accepted.items()))
    print(f"{accepted.total()} accepted ({kinds}), {rejected} rejected", file=sys.stderr)
    return 1 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
