"""`solve perft`: count move sequences, to check the rules against anybody else's."""

from __future__ import annotations

import json

from cython_core.game import perft
from engines.rr import Position, Rules
from solvers.cli.errors import EXIT_OK, Refusal
from solvers.cli.options import Parser, add_rules, whole_number
from solvers.cli.questions import Questions, position_of
from solvers.cli.rr_answers import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DESCRIPTION = "Number of move sequences of a given length."
EPILOG = """\
A move sequence counts if it has exactly the given length; a finished game has no moves left.

examples:
  solve perft rr --depth 4
  solve perft rr --depth 3 --position 'tQC/K.p/.mG b PMT kqg' --divide
"""

DEEPEST = 1000  # plies; no game is as long


def parser() -> Parser:
    p = Parser("solve perft", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    p.add_argument(
        "--depth", type=whole_number(0, DEEPEST), required=True, metavar="N",
        help="length of the sequences, in plies",
    )  # fmt: skip
    p.add_argument(
        "--position", default="start", metavar="TEXT|FILE|start|-",
        help="where to begin (default: start); a file or - may hold several, one a line",
    )  # fmt: skip
    p.add_argument("--after", metavar="MOVES", default="", help="moves played from there first")
    p.add_argument("--divide", action="store_true", help="also the count after each first move")
    p.add_argument("--json", action="store_true", help="one JSON object a position, one a line")
    add_rules(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    rules = Rules(args.queen, args.ending)
    questions = Questions(args.position)
    status = EXIT_OK
    for question in questions:
        try:
            position = position_of(question, args.after, rules)
        except Refusal as refusal:
            if not questions.batch:
                raise
            print(refused(refusal, question.text, as_json=args.json), flush=questions.live)
            status = status or refusal.code
            continue
        print(_report(position, args, questions.batch), flush=questions.live)
    return status


def _report(position: Position, args: argparse.Namespace, batch: bool) -> str:
    counts = {}
    if args.divide and args.depth > 0:
        for move in position.legal_moves():
            counts[move] = perft(position.play(move).to_core(), args.depth - 1)
    total = sum(counts.values()) if counts else perft(position.to_core(), args.depth)
    if args.json:
        answer = {"game": "rr", "rules": position.rules.as_dict(), "position": str(position)}
        answer["depth"] = args.depth
        if args.divide:
            answer["divide"] = counts
        return json.dumps({**answer, "perft": total})
    if batch:
        parts = [f"{move}={count}" for move, count in counts.items()]
        return "\t".join([str(position), str(total), *([" ".join(parts)] if parts else [])])
    return "\n".join([*(f"{move}: {count}" for move, count in counts.items()), str(total)])
