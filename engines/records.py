r"""Game records: text that anybody can write with an editor.

A line whose first character that is not blank is `;` is a comment, and blank lines do not count.
First come lines of a key and its value, `game` before all others; then the moves:

    game rr
    queen ray
    ending face-up
    position start
    Cb2
    Kb3xb2

Only `game` must be there; the other keys stand for the defaults of the game. Moves may share a
line. A line before the first move that begins with a lower-case word is a key, so no game begins
that way. A game with chance writes each outcome as a line of its own, which its `entries` keeps
whole. To add a game, add its `Game` to GAMES.

Richard I has one decision or card a line: the seat, the kind of node, and the text of RULES.md; no
seat for an event or a card of the Crusade deck, and no kind where the text begins with it:

    game richard
    players 3
    counselors off
    events shuffled
    preset full
    0 deal r
    1 loyalty john
    event 5
    2 place spy
    2 option 1
    0 offer 3
    1 player-colour @0b
    2 give br
    reveal g

    >>> record = parse("game rr\nCb2 Kb3xb2\n")
    >>> record.moves, record.places
    (('Cb2', 'Kb3xb2'), ((2, 1), (2, 5)))
    >>> print(replay(record)[-1])
    .k./.#./... r KQPMGWT qpmgwt
    >>> parse("game rr\n\n  Cb2 Kb2\n")
    Traceback (most recent call last):
        ...
    engines.records.RecordError: line 3, column 7: Kb2 is not legal: b2 is not free; free squares:
    a1 a2 a3 b1 b3 c1 c2 c3
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cython_core.errors import GameError, IllegalMove, IllegalPosition, NotationError
from engines import lines
from engines.record_games import BLANKS, COMMENT, GAMES, OWN, SEAT, TABLE, Game

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from engines.record_games import Files

    Place = tuple[int, int]  # line and column, from 1
    Line = tuple[int, str]  # number from 1, and text

LARGEST = 1_000_000  # bytes of a record; no game comes near
KEY = re.compile(r"[a-z][a-z-]*")


class RecordError(GameError):
    """What is wrong with a record, and where: `line` and `column` from 1, None for all of it.

    `cause` tells a text that does not parse (NotationError) from one that breaks the rules.
    """

    def __init__(self, cause: GameError, line: int | None = None, column: int | None = None):
        self.cause = cause
        self.line = line
        self.column = column
        place = "" if line is None else f"line {line}"
        if column is not None:
            place += f", column {column}"
        super().__init__(f"{place}: {cause}" if place else str(cause))

    def __reduce__(self) -> tuple[type[RecordError], tuple[GameError, int | None, int | None]]:
        return type(self), (self.cause, self.line, self.column)


class Record:
    """A game, finished or not, that keeps to the rules. Immutable.

    `game`: its name. `start`: the position before the first move, which knows its rules.
    `places`: line and column of every move in the text it came from; for a record made by hand,
    in its canonical text. Records with the same game are equal wherever their moves stand.
    Raises RecordError for moves that break the rules.
    """

    __slots__ = ("game", "moves", "places", "start")
    game: str
    start: Any  # a position of the game
    moves: tuple[str, ...]
    places: tuple[Place, ...]

    def __init__(
        self,
        start: Any,
        moves: Iterable[str] = (),
        places: Iterable[Place] | None = None,
        game: str = "rr",
    ) -> None:
        if game not in GAMES:
            raise ValueError(f"no game {game!r}; there is {', '.join(GAMES)}")
        moves = tuple(moves)
        if places is None:
            header = 1 + len(GAMES[game].options) + GAMES[game].anywhere
            places = [(line, 1) for line, _ in enumerate(moves, header + 1)]
        object.__setattr__(self, "game", game)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "moves", moves)
        object.__setattr__(self, "places", tuple(places))
        replay(self)

    @property
    def rules(self) -> Any:
        return self.start.rules

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Record is immutable: cannot set {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._essence() == other._essence()

    def __hash__(self) -> int:
        return hash(self._essence())

    def _essence(self) -> tuple[object, ...]:
        chosen, position = GAMES[self.game].header(self.start)
        return self.game, *chosen.items(), position, self.moves

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return f"<Record of {self.game}, {len(self.moves)} moves>"

    def __reduce__(self) -> tuple[object, ...]:
        game = GAMES[self.game]
        chosen, position = game.header(self.start)
        return _remade, (
            self.game,
            chosen,
            position,
            self.moves,
            self.places,
            game.files(self.start),
        )


def _remade(
    game: str,
    chosen: dict[str, str],
    text: str,
    moves: tuple[str, ...],
    places: tuple[Place, ...],
    files: Files,
) -> Record:
    return Record(GAMES[game].start(chosen, text, files), moves, places, game)


def record_of(position: Any) -> Record:
    """The record of a game as far as a position. Raises ValueError if that has no past."""
    start = at = position.beginning()
    entries = []
    for edge in position.history:
        _, seat, what = at.node
        entries.append(lines.join(lines.prefix(what, seat), at.edge_text(edge)))
        at = at.play_edge(edge)
    return Record(start, entries, game=position.game)


def replay(record: Record) -> tuple[Any, ...]:
    """The positions of a game: before its first move and after every one."""
    game = GAMES[record.game]
    positions = [record.start]
    for move, (line, column) in zip(record.moves, record.places, strict=True):
        try:
            positions.append(_played(game, positions[-1], move))
        except NotationError as error:
            at = column + (error.column or 1) - 1
            raise RecordError(NotationError(error.message, at), line, at) from error
        except IllegalMove as error:
            raise RecordError(error, line, column) from error
    return tuple(positions)


def _played(game: Game, position: Any, move: str) -> Any:
    if position.over:
        raise IllegalMove("the game is over, so no move can follow")
    return game.played(position, move)


def format(record: Record) -> str:
    """The one canonical text of a record: all keys, then a move a line; the inverse of `parse`."""
    game = GAMES[record.game]
    chosen, position = game.header(record.start)
    lines = [
        f"game {record.game}",
        *(f"{key} {word}" for key, word in chosen.items()),
        *([f"position {position}"] if game.anywhere else []),
        *record.moves,
    ]
    return "\n".join(lines) + "\n"


def decode(data: bytes) -> str:
    """The text of a file that may hold anything. Raises RecordError."""
    if len(data) > LARGEST:
        raise RecordError(_too_large())
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RecordError(NotationError("UTF-16 text; save it as UTF-8"))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = _place_of_end(before)
        message = f"byte {data[error.start]:#04x} is not UTF-8 text; save it as UTF-8"
        raise _wrong(message, line, column) from None


def split_lines(text: str) -> list[str]:
    """The lines of a text, whichever line ends its editor writes, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _place_of_end(text: str) -> Place:
    before = split_lines(text)
    return len(before), len(before[-1]) + 1


def _too_large() -> NotationError:
    return NotationError(f"larger than a record may be ({LARGEST:,} bytes)")


class Header(NamedTuple):
    """What stands before the first move of a record. `seat`: of whose knowledge it tells, None if
    it tells everything.
    """

    game: Game
    start: Any  # the first position
    seat: int | None
    table: list[Line] | None  # what follows the line `table` of a seat that knows no past, unread


def parse(text: str, files: Files | None = None) -> Record:
    """Read a record and check all of it, moves included. Raises RecordError with the place.

    `files`: by name of option, for games by numbers or texts of somebody's own, which a record
    names by their digests.
    """
    header, entries = split(text, files)
    if header.seat is not None:
        raise RecordError(
            NotationError(f"not a whole game but what seat {header.seat} knows of one")
        )
    places = [place for place, _ in entries]
    return Record(header.start, [move for _, move in entries], places, header.game.name)


def seat_of(text: str) -> int | None:
    """The seat of which a text tells the knowledge, None if it is a whole record or no record at
    all; nothing else of it is checked.
    """
    for line in split_lines(text[:LARGEST]):
        words = line.split()
        if words[:1] == [SEAT]:
            return int(words[1]) if words[1:] and words[1] in "01234567" else 0
        if words and words[0][0].isdigit():
            return None
    return None


def split(text: str, files: Files | None = None) -> tuple[Header, list[tuple[Place, str]]]:
    """The header of a record, checked, and its entries with their places, unchecked."""
    content = _content(text)
    game = _game(content[0])
    first_move = next(
        (at for at, line in enumerate(content) if not _is_key(line, game)), len(content)
    )
    keys = content[1:first_move]
    begins = next((at for at, (_, line) in enumerate(keys) if line.strip(BLANKS) == TABLE), None)
    header = _header(game, keys[:begins], files or {})
    if begins is not None:
        if header.seat is None:
            message = "a table is what one seat sees; a line such as 'seat 0' must stand before it"
            raise _wrong(message, keys[begins][0], 1)
        header = header._replace(table=keys[begins + 1 :])
    entries = []
    for number, line in content[first_move:]:
        _refuse_late_key((number, line), game)
        for column, move in game.entries(line):
            if move.startswith(COMMENT):
                raise _wrong("a comment needs a line of its own", number, column)
            entries.append(((number, column), move))
    return header, entries


def _content(text: str) -> list[Line]:
    """The lines that count, at least one."""
    if len(text) > LARGEST:
        raise RecordError(_too_large())
    if "\0" in text:
        raise _wrong("a NUL: this is not text", *_place_of_end(text[: text.index("\0")]))
    content = [
        (number, line)
        for number, line in enumerate(split_lines(text), start=1)
        if line.strip(BLANKS) and not line.lstrip(BLANKS).startswith(COMMENT)
    ]
    if not content:
        raise RecordError(NotationError(f"no game here; a record begins with {_first_lines()}"))
    return content


def _first_lines() -> str:
    return " or ".join(f"the line 'game {name}'" for name in GAMES)


def _split(line: str) -> tuple[int, str, int, str]:
    """The first word of a line and all that follows it, each after its column from 1."""
    body = line.strip(BLANKS)
    column = line.index(body) + 1
    word = body.replace("\t", " ").split(" ", 1)[0]
    value = body[len(word) :].lstrip(BLANKS)
    return column, word, column + len(body) - len(value), value


def _wrong(message: str, line: int, column: int) -> RecordError:
    return RecordError(NotationError(message, column), line, column)


def _is_key(line: Line, game: Game) -> bool:
    word = _split(line[1])[1]
    return KEY.fullmatch(word) is not None or word.lower() in game.keys


def _game(line: Line) -> Game:
    column, key, at, name = _split(line[1])
    if key != "game":
        raise _wrong(f"a record begins with {_first_lines()}", line[0], column)
    if name not in GAMES:
        raise _wrong(f"no game {name[:20]!r}; there is {', '.join(GAMES)}", line[0], at)
    return GAMES[name]


def _header(game: Game, lines: list[Line], files: Files) -> Header:
    """From the lines of keys and values that follow the game's."""
    chosen = {key: words[0] for key, words in game.options.items()}
    position, place, seat = "start", (1, 1), None
    seen = {"game"}
    for number, line in lines:
        column, key, at, value = _split(line)
        if key not in game.keys:
            message = f"no key {key[:20]!r}; there is {', '.join(game.keys)}"
            raise _wrong(message, number, column)
        if key in seen:
            raise _wrong(f"the key {key!r} has been given before", number, column)
        seen.add(key)
        if key == "position":
            position, place = value, (number, at)
        elif key == SEAT:
            seat = _seat(value, (number, at))
        elif value in game.options[key] or (key in game.own_files and OWN.fullmatch(value)):
            chosen[key] = value
            if not game.anywhere:  # then what does not fit together is told at the last key
                place = (number, at)
        else:
            words = " or ".join(game.options[key])
            raise _wrong(f"{key} is {words}, not {value[:20]!r}", number, at)
    return Header(game, _first_position(game, chosen, position, place, files), seat, None)


def _seat(value: str, place: Place) -> int:
    if len(value) != 1 or value not in "01234567":
        raise _wrong(f"the seat is a number from 0, not {value[:20]!r}", *place)
    return int(value)


def _first_position(
    game: Game, chosen: Mapping[str, str], text: str, place: Place, files: Files
) -> Any:
    line, column = place
    try:
        return game.start(chosen, text, files)
    except NotationError as error:
        at = column + (error.column or 1) - 1
        raise RecordError(NotationError(error.message, at), line, at) from error
    except IllegalPosition as error:
        raise RecordError(error, line, column) from error


def _refuse_late_key(line: Line, game: Game) -> None:
    column, word, _, _ = _split(line[1])
    if word.lower() in game.keys:
        raise _wrong(f"the key {word!r} must stand before the first move", line[0], column)
