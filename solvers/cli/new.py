"""`solve new`: a game begun by chance, as a record."""

from __future__ import annotations

import random

from engines import knowledge, lines, records
from engines.record_games import node_prefix
from engines.records import Record
from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.games import MOST_PLAYERS, add_start, started
from solvers.cli.options import Parser, whole_number

DESCRIPTION = "Begin a game: deal, play moves at random, and write its record to standard output."
EPILOG = """\
The same options and seed give the same record everywhere, and with more moves a record that goes
on where the shorter one ends. Everything that comes by chance before the next decision has come.

examples:
  solve new richard --players 4 --seed 1 > game.txt
  solve new richard --players 3 --seed 1 --moves 40 --counselors off --events historical
  solve new richard --players 2 --seed 7 --moves 100 --counselors off --preset micro
  solve new richard --players 4 --seed 1 --moves 20 --seat 2 > seat2.txt
  solve new richard --players 4 --seed 1 --moves 20 --seat 2 --short > table.txt
  solve new charlemagne --players 3 --seed 1 --moves 40 > game.txt
  solve new charlemagne --players 2 --seed 7 --moves 100 --farmstead choice --preset mini

Files of your own (--cards; for Richard I --counselors, --events): copy ours from the folder
engines/data of the package, change them, and give them here and to every command that reads the
record, which knows them by their contents.
"""

MOST_MOVES = 100_000  # no game is as long


def parser() -> Parser:
    p = Parser("solve new", DESCRIPTION, EPILOG)
    add_start(p)
    p.add_argument(
        "--moves", type=whole_number(0, MOST_MOVES), default=0, metavar="K",
        help="decisions made at random, or until the game is over (default: 0)",
    )  # fmt: skip
    p.add_argument(
        "--seat", type=whole_number(0, MOST_PLAYERS - 1), metavar="V",
        help="write only what this seat learns (from 0), with ? for what it does not see",
    )  # fmt: skip
    p.add_argument(
        "--short", action="store_true",
        help="with --seat: the table as it sees it now, to be edited, instead of all it has seen",
    )  # fmt: skip
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    position = start = started(args)
    if args.short and args.seat is None:
        raise CommandError("--short: whose table? It goes with --seat")
    if args.seat is not None and args.seat >= args.players:
        raise CommandError(f"--seat: this game has the seats 0 to {args.players - 1}")
    luck = random.Random(args.seed)  # noqa: S311 - for play, not for secrets
    entries: list[str] = []
    left = args.moves
    while not position.over:
        if position.node.kind == "decision":
            if left == 0:
                break
            left -= 1
        text = position.pick(luck.random())
        entries.append(lines.join(node_prefix(position), text))
        position = position.play(text)
    if args.seat is None:
        print(records.format(Record(start, entries, game=args.game)), end="")
    else:
        tell = knowledge.short if args.short else knowledge.of
        print(tell(position, args.seat), end="")
    return EXIT_OK
