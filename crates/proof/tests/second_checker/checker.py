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

import classes
import invariants
from board import Refused, is_mate, need, rule_of_material, uci
from reading import fields, listed, load, number, pair, position, string


RULES = ("bare-king", "knight-against-queens", "bishops-of-one-colour")


def read_step(step):
    """The kind of a step and what it says."""
    if step == "terminal":
        return step, None
    need(isinstance(step, dict) and len(step) == 1, "fields of a step")
    ((kind, content),) = step.items()
    if kind == "material":
        need(string(content) in RULES, "no rule:", content)
    elif kind == "moves":
        content = listed(content, lambda move: pair(move, string, number))
    elif kind == "closed":
        fields(content, ["positions", "exits"])
        content = number(content["positions"]), listed(content["exits"], number)
    elif kind == "invariant":
        content = invariants.read(content)
    elif kind == "classes":
        fields(content, ["classes", "exits"])
        content = listed(content["classes"], classes.read), listed(content["exits"], number)
    else:
        need(False, "unknown kind:", kind)
    return kind, content


class Checker:
    def __init__(self, text):
        certificate = fields(load(text), ["format", "program", "position", "claim", "steps"])
        need(number(certificate["format"]) == 1, "another format")
        string(certificate["program"])
        need(certificate["claim"] in ("white", "black"), "claim")
        self.w = certificate["claim"] == "white"
        self.list = listed(certificate["steps"], read_step)
        start = position(certificate["position"])
        self.all_moves_are_reached()
        self.references()
        self.proved = {}
        self.open, self.met = [], set()
        self.meet(0, start)
        while self.open:
            self.step(*self.open.pop())

    def all_moves_are_reached(self):
        """Moves are read as those of a position, so that one must be known."""
        reached = {0}
        for step, (kind, content) in enumerate(self.list):
            if kind == "moves":
                need(step in reached, "nothing leads to the moves of step", step)
                reached.update(after for _, after in content)

    def references(self):
        """All lead to later steps, those of exits to what may be one."""
        for step, (kind, content) in enumerate(self.list):
            exits = content[1] if kind in ("closed", "classes") else []
            moves = [after for _, after in content] if kind == "moves" else []
            for to in exits + moves:
                need(step < to < len(self.list), "reference to", to)
            for to in exits:
                kinds = ("invariant", "classes") if kind == "closed" else ("invariant",)
                need(self.list[to][0] in kinds, "no exit", to)

    def meet(self, number, board):
        need(number < len(self.list), "no step", number)
        claim = number, board._transposition_key()
        if claim not in self.met:
            self.met.add(claim)
            self.open.append((number, board))

    def exit(self, number):
        """What is proved once of all positions that a step describes."""
        if number not in self.proved:
            kind, content = self.list[number]
            if kind == "invariant":
                self.proved[number] = invariants.Invariant(content, self.w)
            else:
                listed_classes, exits = content
                exits = [self.exit(to) for to in exits]
                self.proved[number] = classes.Classes(listed_classes, exits, self.w)
        return self.proved[number]

    def step(self, number, board):
        kind, content = self.list[number]
        if kind == "invariant":
            return need(self.exit(number).fits(board), "does not fit")
        need(not is_mate(board, self.w), "mate:", board.fen())
        if kind == "terminal":
            need(not any(board.legal_moves), "moves")
        elif kind == "material":
            need(rule_of_material(board, self.w) == content, "material")
        elif kind == "moves":
            legal = {uci(board, move): move for move in board.legal_moves}
            names = [name for name, _ in content]
            need(sorted(names) == sorted(legal), "moves:", names, "for", list(legal))
            for name, after in content:
                next_board = board.copy(stack=False)
                next_board.push(legal[name])
                self.meet(after, next_board)
        elif kind == "closed":
            positions, exits = content
            self.explore(board, positions, [self.exit(to) for to in exits])
        elif kind == "classes":
            need(self.exit(number).has(board, only_first=True), "does not belong")

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
        Checker(text)
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
