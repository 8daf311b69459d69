"""How the records of each game are written: `engines.records` reads and writes them by this.

To add a game, add its `Game` to GAMES. Engines are loaded when a record of their game is read.
"""

from __future__ import annotations

import re
from importlib import import_module

from cython_core.errors import IllegalMove, NotationError
from engines import lines
from engines.rr import START, Position, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    Files: TypeAlias = Mapping[str, str]  # of somebody's own, by the option that names them

COMMENT = ";"
SEAT = "seat"  # the key that makes a record one seat's knowledge
TABLE = "table"  # the line after which that knowledge begins in the middle of a game
BLANKS = " \t"
OWN = re.compile(r"sha256:[0-9a-f]{64}")  # stands for a file, by what it says
WORD = re.compile(r"[^ \t]+")


class Game:
    """How the records of one game are written.

    `name` is the value of the key `game`. `options`: the keys that choose the rules, each with its
    words, the default first. `anywhere`: whether a game may begin at a position of one's own.
    """

    name: str
    options: Mapping[str, tuple[str, ...]]
    anywhere = True

    own_files: Mapping[str, str] = {}  # options that a file may fill, as `parse` names it

    @property
    def keys(self) -> tuple[str, ...]:
        return "game", *self.options, "position" if self.anywhere else SEAT

    def entries(self, line: str) -> list[tuple[int, str]]:
        """What a line adds to the game, each entry with its column from 1: here, word by word."""
        return [(match.start() + 1, match[0]) for match in WORD.finditer(line)]

    def start(self, chosen: Mapping[str, str], text: str, files: Files) -> Any:
        """The first position of a game. Raises NotationError or IllegalPosition."""
        raise NotImplementedError

    def header(self, start: Any) -> tuple[dict[str, str], str]:
        """Every option in the rules of a position, and its text: the inverse of `start`."""
        raise NotImplementedError

    def options_of(self, position: Any) -> dict[str, str]:
        """Every option in the rules of a position of a game."""
        return self.header(position)[0]

    def files(self, start: Any) -> dict[str, str]:
        """Those of somebody's own that it is played by."""
        return {}

    def played(self, position: Any, entry: str) -> Any:
        """The position after an entry. Raises NotationError or IllegalMove."""
        return position.play(entry)


class _RR(Game):
    name = "rr"
    options = {  # noqa: RUF012 - never changed
        "queen": Rules.QUEENS,
        "ending": Rules.ENDINGS,
    }

    def start(self, chosen: Mapping[str, str], text: str, files: Files) -> Position:
        return Position.parse(text, Rules(**chosen))

    def header(self, start: Position) -> tuple[dict[str, str], str]:
        text = str(start)
        chosen = {"queen": start.rules.queen, "ending": start.rules.ending}
        return chosen, "start" if text == START else text


class _Cards(Game):
    """A game with cards and chance: one decision or outcome a line.

    `engine`: the module of its `Position`, loaded when a record of it is read.
    """

    anywhere = False
    engine: str
    example: str
    WORDS = re.compile(r"([0-7] )?[a-z-]+( [a-z0-9@-]+){0,3}")

    def entries(self, line: str) -> list[tuple[int, str]]:
        """The line, with one blank between words; a comment in it is found, to be refused."""
        body, mark, comment = line.partition(COMMENT)
        found = [(len(body) - len(body.lstrip(BLANKS)) + 1, " ".join(WORD.findall(body)))]
        return [*found, (len(body) + 1, mark + comment)] if mark else found

    def start(self, chosen: Mapping[str, str], text: str, files: Files) -> Any:
        options: dict[str, Any] = dict(chosen)
        for key, option in self.own_files.items():
            if OWN.fullmatch(options[key]):
                if option != key:  # the file stands in for what the key chooses
                    options[key] = self.options[key][0]
                options[option] = _file(key, option, files)
        options["players"] = int(options["players"])
        try:
            start = import_module(self.engine).Position.start(**options)
        except ValueError as error:
            raise NotationError(str(error)) from error
        for key, word in self.options_of(start).items():
            if word != chosen[key]:
                raise NotationError(
                    f"the {key} of this game are others than those in {files[self.own_files[key]]}"
                )
        return start

    def header(self, start: Any) -> tuple[dict[str, str], str]:
        if start.words is None or start.history:
            raise ValueError("a record begins where a game begins")
        return self.options_of(start), "start"

    def options_of(self, position: Any) -> dict[str, str]:
        return dict(zip(self.options, position.words or (), strict=True))

    def files(self, start: Any) -> dict[str, str]:
        chosen = start.rules._asdict()
        return {
            option: str(chosen[option])
            for key, option in self.own_files.items()
            if chosen[option] is not None and str(chosen[option]) not in self.options[key]
        }

    def played(self, position: Any, entry: str) -> Any:
        if self.WORDS.fullmatch(entry) is None:
            raise NotationError(
                f"{_quoted(entry)} is neither a move nor a card, such as {self.example}"
            )
        prefix = node_prefix(position)
        texts = {
            lines.join(prefix, text): text for text in position.outcomes() or position.legal_moves()
        }
        if entry not in texts:
            there = ", ".join(texts)
            raise IllegalMove(f"{_quoted(entry)} is not possible here; there is {there}")
        return position.play(texts[entry])


class _Richard(_Cards):
    name = "richard"
    engine = "engines.richard"
    options = {  # noqa: RUF012 - never changed
        "players": ("4", "2", "3", "5", "6", "7", "8"),
        "counselors": ("house", "off"),
        "events": ("off", "shuffled", "historical"),
        "preset": ("full", "mini", "micro"),
    }
    own_files = {"counselors": "counselors", "events": "events", "preset": "cards"}  # noqa: RUF012
    example = "'0 deal r', '2 place spy' or 'reveal g'"


class _Charlemagne(_Cards):
    name = "charlemagne"
    engine = "engines.charlemagne"
    options = {  # noqa: RUF012 - never changed
        "players": ("4", "2", "3"),
        "farmstead": ("random", "choice"),
        "preset": ("full", "mini", "micro"),
    }
    own_files = {"preset": "cards"}  # noqa: RUF012
    example = "'0 start b2', 'card war-castle-b @1' or '2 bid stop'"


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def _file(key: str, option: str, files: Files) -> str:
    """The file of one's own that a record speaks of."""
    if option not in files:
        raise NotationError(
            f"this game was played by {key} of somebody's own; their file must be given"
            f" (--{option} FILE)"
        )
    return files[option]


def node_prefix(position: Any) -> str:
    """Seat and kind of a node, as the lines of records begin."""
    _, seat, what = position.node
    return lines.prefix(what, seat)


GAMES: dict[str, Game] = {game.name: game for game in (_RR(), _Richard(), _Charlemagne())}
