"""`solve show`: a recorded game as it stands, for people or for programs."""

from __future__ import annotations

import json

from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.options import Parser, whole_number
from solvers.cli.recorded import read
from solvers.cli.richard_board import drawn, seen

DESCRIPTION = "Show where a recorded game of Richard I stands."
EPILOG = """\
With --seat, what that player does not know stays hidden: of other hands and of the supply and the
Crusade deck only the number of cards is shown, and how many counselors others hold. When the game
is over all hands and counselors are open.

With --json: game, rules, seat (whose view, or null), turn, first, event, tracks, node (kind, seat,
what), moves (null if they are not yours to see), ending, returns (at the end, else null), seats
(side, points, character, former, hand, counselors), and the piles supply, reserve, crusade and
revealed. A hand or pile has cards (how many) and colours (a count each, or null if hidden);
counselors have count and held (numbers, or null if hidden).

examples:
  solve new richard --players 3 --seed 1 --moves 9 | solve show richard -
  solve show richard game.txt --seat 2
"""


def parser() -> Parser:
    p = Parser("solve show", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["richard"])
    p.add_argument("file", metavar="FILE|-", help="the record; - reads standard input")
    p.add_argument(
        "--seat", type=whole_number(0, 7), metavar="V", help="only what this seat knows (from 0)"
    )
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    record = read(args.file, args.game)
    if args.seat is not None and args.seat >= record.rules.players:
        most = record.rules.players - 1
        raise CommandError(f"--seat: this game has the seats 0 to {most}, not {args.seat}")
    view = seen(record, args.seat)
    print(json.dumps(view) if args.json else "\n".join(drawn(view)))
    return EXIT_OK
