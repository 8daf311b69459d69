"""`solve perft`: count move sequences, to check the rules against anybody else's."""

from __future__ import annotations

import json
import random

from cython_core.game import perft
from engines.rr import Position, Rules
from solvers.cli.errors import EXIT_OK
from solvers.cli.games import GAMES, add_start, chosen, started
from solvers.cli.options import Parser, add_rules, whole_number
from solvers.cli.questions import Questions, answer_all
from solvers.cli.rr_answers import refused
from solvers.cli.screen import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from cython_core.game import Game
    from solvers.cli.errors import Refusal

DESCRIPTION = "Number of move sequences of a given length."
EPILOG = """\
A move sequence counts if it has exactly the given length; a finished game has no moves left.

examples:
  solve perft rr --depth 4
  solve perft rr --depth 3 --position 'tQC/K.p/.mG b PMT kqg' --divide
  solve perft richard --help                  the options of Richard I and of Charlemagne
"""

DEALT_EPILOG = """\
Decisions and outcomes of chance both count; a finished game has none left. The count begins with
the first turn, after a setup dealt and chosen at random by the seed, or with --deal before it.

examples:
  solve perft richard --players 4 --seed 1 --depth 4
  solve perft richard --players 2 --seed 1 --counselors off --preset micro --depth 15 --deal
  solve perft charlemagne --players 3 --seed 1 --depth 5
  solve perft charlemagne --players 2 --seed 1 --preset micro --depth 12 --deal
"""

DEEPEST = 1000  # plies; no game of RR is as long, and no other count ends as deep


def parser() -> Parser:
    p = Parser("solve perft", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr", *GAMES])
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


def dealt_parser() -> Parser:
    p = Parser("solve perft richard|charlemagne", DESCRIPTION, DEALT_EPILOG)
    add_start(p)
    p.add_argument(
        "--depth", type=whole_number(0, DEEPEST), required=True, metavar="D",
        help="length of the sequences, in decisions and outcomes",
    )  # fmt: skip
    p.add_argument("--deal", action="store_true", help="begin before the setup is dealt")
    p.add_argument("--divide", action="store_true", help="also the count after each first step")
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    return p


def run_dealt(arguments: list[str]) -> int:
    args = dealt_parser().parse_args(arguments)
    position = started(args)
    luck = random.Random(args.seed)  # noqa: S311 - for play, not for secrets
    while position.node.what in GAMES[args.game].dealing and not args.deal:
        position = position.play(position.pick(luck.random()))
    after = {
        text: position.play(text).to_core()
        for text in position.outcomes() or position.legal_moves()
    }
    total, counts = _counted(after, args)
    if args.json:
        answer = {"game": args.game, "seed": args.seed, **chosen(args)}
        answer |= {"deal": args.deal, "depth": args.depth}
        print(json.dumps({**answer, **({"divide": counts} if args.divide else {}), "perft": total}))
    else:
        print("\n".join([*(f"{text}: {count}" for text, count in counts.items()), str(total)]))
    return EXIT_OK


def run(arguments: list[str]) -> int:
    named = [argument for argument in arguments if argument in ("rr", *GAMES)]
    if named and named[0] != "rr":  # the game stands before anything that may be called like one
        return run_dealt(arguments)
    args = parser().parse_args(arguments)
    rules = Rules(args.queen, args.ending)
    questions = Questions(args.position)

    def answer(position: Position) -> str:
        return _report(position, args, questions.batch)

    def refusal_text(refusal: Refusal, text: str) -> str:
        return refused(refusal, text, as_json=args.json)

    return answer_all(questions, args.after, rules, answer, refusal_text)


def _counted(after: Mapping[str, Game], args: argparse.Namespace) -> tuple[int, dict[str, int]]:
    """Sequences in all, and with --divide by first step; `after` has the states it leads to."""
    if args.depth == 0:
        return 1, {}
    counts = {}
    with Progress("counting") as progress:
        for done, (text, state) in enumerate(after.items()):
            progress(done, len(after), f"after {text}")
            counts[text] = perft(state, args.depth - 1)
    return sum(counts.values()), counts if args.divide else {}


def _report(position: Position, args: argparse.Namespace, batch: bool) -> str:
    after = {move: position.play(move).to_core() for move in position.legal_moves()}
    total, counts = _counted(after, args)
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
