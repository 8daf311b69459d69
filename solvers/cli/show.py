"""`solve show`: a recorded game as it stands, for people or for programs."""

from __future__ import annotations

import json

from engines.records import Record, replay
from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.options import Parser, whole_number
from solvers.cli.recorded import read_either
from solvers.cli.richard_board import drawn, seen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engines.knowledge import Knowledge
    from engines.richard import Position

OWN_FILES = {"counselors": "counselors", "events": "events", "cards": "numbers"}
DESCRIPTION = "Show where a recorded game of Richard I stands."
EPILOG = """\
FILE is a whole record, or what one seat knows of a game (solve new --seat). With --seat, what
that player does not know stays hidden: of other hands and of the supply and the Crusade deck only
the number of cards is shown, and how many counselors others hold. When the game is over all hands
and counselors are open.

With --json: game, rules, seat (whose view, or null), turn, first, event, tracks, node (kind, seat,
what), moves (null if they are not yours to see), ending, returns (at the end, else null), seats
(side, points, character, former, hand, counselors), and the piles supply, reserve, crusade and
revealed. A hand or pile has cards (how many) and colours (a count each, or null if hidden);
counselors have count and held (numbers, or null if hidden).

examples:
  solve new richard --players 3 --seed 1 --moves 9 | solve show richard -
  solve show richard game.txt --seat 2
  solve new richard --players 4 --seed 1 --moves 20 --seat 2 | solve show richard -
"""


def parser() -> Parser:
    p = Parser("solve show", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["richard"])
    p.add_argument("file", metavar="FILE|-", help="the record; - reads standard input")
    p.add_argument(
        "--seat", type=whole_number(0, 7), metavar="V", help="only what this seat knows (from 0)"
    )
    for name, what in OWN_FILES.items():
        p.add_argument(f"--{name}", metavar="FILE", help=f"{what} of your own, as it was played by")
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    files = {name: path for name in OWN_FILES if (path := getattr(args, name)) is not None}
    game = read_either(args.file, args.game, files)
    players = game.start.rules.players
    if args.seat is not None and args.seat >= players:
        raise CommandError(f"--seat: this game has the seats 0 to {players - 1}, not {args.seat}")
    position, seat = (
        _whole(game, args.seat) if isinstance(game, Record) else _known(game, args.seat)
    )
    view = seen(position, game.start.words, seat)
    print(json.dumps(view) if args.json else "\n".join(drawn(view)))
    return EXIT_OK


def _whole(record: Record, seat: int | None) -> tuple[Position, int | None]:
    return replay(record)[-1], seat


def _known(knowledge: Knowledge, seat: int | None) -> tuple[Position, int]:
    if seat not in (None, knowledge.seat):
        raise CommandError(f"--seat: the file tells what seat {knowledge.seat} knows, no other")
    if knowledge.node.kind == "over":
        raise CommandError("the game is over: the result needs the cards of all, a whole record")
    return knowledge.sample(0), knowledge.seat  # of what is hidden only the size is shown
