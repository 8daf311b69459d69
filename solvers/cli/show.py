"""`solve show`: a recorded game as it stands, for people or for programs."""

from __future__ import annotations

import json
from typing import Any

from engines.records import Record, replay
from solvers.cli import charlemagne_board, richard_board
from solvers.cli.errors import EXIT_OK, CommandError
from solvers.cli.games import GAMES, MOST_PLAYERS, add_files, files_given
from solvers.cli.options import Parser, whole_number
from solvers.cli.recorded import read_either

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engines.knowledge import Knowledge

DESCRIPTION = "Show where a recorded game of Richard I or Charlemagne stands."
EPILOG = """\
FILE is a whole record, or what one seat knows of a game (solve new --seat). With --seat, what
that player does not know stays hidden: of what others hold, and of what is drawn from, only the
size is shown. When a game of Richard I is over all hands and counselors are open; in Charlemagne
nothing is.

With --json: game, rules, seat (whose view, or null), node (kind, seat, what), moves (null if they
are not yours to see), returns (at the end, else null), and

  Richard I    turn, first, event, tracks, ending, seats (side, points, character, former, hand,
               counselors), and the piles supply, reserve, crusade and revealed. A hand or pile has
               cards (how many) and colours (a count each, or null if hidden); counselors have count
               and held (numbers, or null if hidden)
  Charlemagne  year, card (name, problem, values of a piece, opener; or null), castle (built, and
               pieces: their points), solved, king, winner, stock, and seats (points, huts,
               builders, privileges, storage, hand, bid, raise, passed, plundered, poor). Stock and
               storages have pieces (how many) and kinds (a count each, or null if hidden), hands
               cards and held (names, or null if hidden)

examples:
  solve new richard --players 3 --seed 1 --moves 9 | solve show richard -
  solve show richard game.txt --seat 2
  solve new richard --players 4 --seed 1 --moves 20 --seat 2 | solve show richard -
  solve new charlemagne --players 3 --seed 1 --moves 30 | solve show charlemagne - --seat 0
"""


def parser() -> Parser:
    p = Parser("solve show", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=list(GAMES))
    p.add_argument("file", metavar="FILE|-", help="the record; - reads standard input")
    p.add_argument(
        "--seat", type=whole_number(0, MOST_PLAYERS - 1), metavar="V",
        help="only what this seat knows (from 0)",
    )  # fmt: skip
    add_files(p)
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    game = read_either(args.file, args.game, files_given(args))
    players = game.start.rules.players
    if args.seat is not None and args.seat >= players:
        raise CommandError(f"--seat: this game has the seats 0 to {players - 1}, not {args.seat}")
    position, seat = (
        _whole(game, args.seat) if isinstance(game, Record) else _known(game, args.seat)
    )
    view, lines = _drawn(args.game, position, game.start, seat)
    print(json.dumps(view) if args.json else "\n".join(lines))
    return EXIT_OK


def _drawn(
    game: str, position: Any, start: Any, seat: int | None
) -> tuple[dict[str, Any], list[str]]:
    """As plain values, and as lines of text."""
    if game == "charlemagne":
        view = charlemagne_board.seen(position, start, seat)
        return view, charlemagne_board.drawn(view)
    view = richard_board.seen(position, start.words, seat)
    return view, richard_board.drawn(view)


def _whole(record: Record, seat: int | None) -> tuple[Any, int | None]:
    return replay(record)[-1], seat


def _known(knowledge: Knowledge, seat: int | None) -> tuple[Any, int]:
    if seat not in (None, knowledge.seat):
        raise CommandError(f"--seat: the file tells what seat {knowledge.seat} knows, no other")
    if knowledge.node.kind == "over":
        raise CommandError("the game is over: its result is shown of a whole record only")
    return knowledge.sample(0), knowledge.seat  # of what is hidden only the size is shown
