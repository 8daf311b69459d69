"""`solve new`: a game begun by chance, as a record."""

from __future__ import annotations

import random

from engines import records
from engines.records import Record, node_prefix, written
from engines.richard import COUNSELORS, EVENTS, PRESETS, Position
from engines.richard_data import DataError
from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.options import Parser, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DESCRIPTION = "Begin a game: deal, play moves at random, and write its record to standard output."
EPILOG = """\
The same options and seed give the same record everywhere, and with more moves a record that goes
on where the shorter one ends. Every card that comes before the next decision is turned.

examples:
  solve new richard --players 4 --seed 1 > game.txt
  solve new richard --players 3 --seed 1 --moves 40 --counselors off --events historical
  solve new richard --players 2 --seed 7 --moves 100 --counselors off --preset micro
"""

LARGEST_SEED = 2**63 - 1
MOST_MOVES = 100_000  # no game is as long


def parser() -> Parser:
    p = Parser("solve new", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["richard"])
    add_start(p)
    p.add_argument(
        "--moves", type=whole_number(0, MOST_MOVES), default=0, metavar="K",
        help="decisions made at random, or until the game is over (default: 0)",
    )  # fmt: skip
    return p


def add_start(p: argparse.ArgumentParser) -> None:
    """How a game of Richard I begins."""
    p.add_argument(
        "--players", type=whole_number(2, 8), required=True, metavar="N",
        help="3 to 8, or 2 or 3 in the small presets",
    )  # fmt: skip
    p.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), required=True, metavar="S",
        help="a whole number that all luck comes from",
    )  # fmt: skip
    p.add_argument(
        "--counselors", choices=COUNSELORS, default="house",
        help="with the house counselors (default) or without",
    )  # fmt: skip
    p.add_argument(
        "--events", choices=EVENTS, default=EVENTS[0],
        help="without events (default), or with the house events in either order",
    )  # fmt: skip
    p.add_argument(
        "--preset", choices=PRESETS, default=PRESETS[0],
        help="the numbers of the box (default), or those of a small game",
    )  # fmt: skip


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    position = start = started(args)
    luck = random.Random(args.seed)  # noqa: S311 - for play, not for secrets
    entries: list[str] = []
    left = args.moves
    while not position.over:
        if position.node.kind == "decision":
            if left == 0:
                break
            left -= 1
        text = position.pick(luck.random())
        entries.append(written(node_prefix(position), text))
        position = position.play(text)
    print(records.format(Record(start, entries, game=args.game)), end="")
    return EXIT_OK


def started(args: argparse.Namespace, cards: str | None = None) -> Position:
    """The position before the first card, from the options of `add_start`."""
    try:
        return Position.start(
            args.players, args.counselors, args.events, preset=args.preset, cards=cards
        )
    except DataError as error:
        raise CommandError(str(error)) from error
    except ValueError as error:
        raise CommandError(f"{error}; choose another --players or --preset") from error
