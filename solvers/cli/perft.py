"""`solve perft`: count move sequences, to check the rules against anybody else's."""

from __future__ import annotations

import argparse
import json

from cython_core.game import perft
from engines.rr import Position, Rules
from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.questions import Questions, position_of
from solvers.cli.rr import add_rules

EPILOG = """\
A move sequence counts if it has exactly the given length; a finished game has no moves left.

examples:
  solve perft rr --depth 4
  solve perft rr --depth 3 --position 'tQC/K.p/.mG b PMT kqg' --divide
"""


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="solve perft",
        description="Number of move sequences of a given length.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    p.add_argument("game", choices=["rr"])
    p.add_argument("--depth", type=int, required=True, metavar="N", help="length, in plies")
    p.add_argument(
        "--position", default="start", metavar="TEXT|FILE|start|-",
        help="where to begin (default: start); a file or - may hold several, one a line",
    )  # fmt: skip
    p.add_argument("--divide", action="store_true", help="also the count after each first move")
    p.add_argument("--json", action="store_true", help="one JSON object a position, one a line")
    add_rules(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    if args.depth < 0:
        raise CommandError(f"--depth must be 0 or more, not {args.depth}")
    rules = Rules(args.queen, args.ending)
    questions = Questions(args.position)
    for text in questions:
        print(_report(position_of(text, "", rules), args))
    return EXIT_OK


def _report(position: Position, args: argparse.Namespace) -> str:
    counts = {}
    if args.divide and args.depth > 0:
        for move in position.legal_moves():
            counts[move] = perft(position.play(move).core(), args.depth - 1)
    total = sum(counts.values()) if counts else perft(position.core(), args.depth)
    if args.json:
        rules = {"queen": args.queen, "ending": args.ending}
        answer = {"game": "rr", "rules": rules, "position": str(position), "depth": args.depth}
        if args.divide:
            answer["divide"] = counts
        return json.dumps({**answer, "perft": total})
    return "\n".join([*(f"{move}: {count}" for move, count in counts.items()), str(total)])
