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

from cython_core.errors import GameError, IllegalMove, IllegalPosition, NotationError
from engines.rr import START, Position, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from engines.richard import Position as RichardPosition

    Place = tuple[int, int]  # line and column, from 1
    Line = tuple[int, str]  # number from 1, and text

LARGEST = 1_000_000  # bytes of a record; no game comes near
COMMENT = ";"
BLANKS = " \t"
KEY = re.compile(r"[a-z][a-z-]*")
WORD = re.compile(r"[^ \t]+")


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


class Game:
    """How the records of one game are written.

    `name` is the value of the key `game`. `options`: the keys that choose the rules, each with its
    words, the default first. `anywhere`: whether a game may begin at a position of one's own.
    """

    name: str
    options: Mapping[str, tuple[str, ...]]
    anywhere = True

    @property
    def keys(self) -> tuple[str, ...]:
        return "game", *self.options, *(["position"] if self.anywhere else [])

    def entries(self, line: str) -> list[tuple[int, str]]:
        """What a line adds to the game, each entry with its column from 1: here, word by word."""
        return [(match.start() + 1, match[0]) for match in WORD.finditer(line)]

    def start(self, chosen: Mapping[str, str], text: str) -> Any:
        """The first position of a game. Raises NotationError or IllegalPosition."""
        raise NotImplementedError

    def header(self, start: Any) -> tuple[dict[str, str], str]:
        """Every option in the rules of a position, and its text: the inverse of `start`."""
        raise NotImplementedError

    def played(self, position: Any, entry: str) -> Any:
        """The position after an entry. Raises NotationError or IllegalMove."""
        return position.play(entry)


class _RR(Game):
    name = "rr"
    options = {  # noqa: RUF012 - never changed
        "queen": Rules.QUEENS,
        "ending": Rules.ENDINGS,
    }

    def start(self, chosen: Mapping[str, str], text: str) -> Position:
        return Position.parse(text, Rules(**chosen))

    def header(self, start: Position) -> tuple[dict[str, str], str]:
        text = str(start)
        chosen = {"queen": start.rules.queen, "ending": start.rules.ending}
        return chosen, "start" if text == START else text


class _Richard(Game):
    """One decision or card a line. The engine is loaded when a record of it is read."""

    name = "richard"
    options = {  # noqa: RUF012 - never changed
        "players": ("4", "2", "3", "5", "6", "7", "8"),
        "counselors": ("house", "off"),
        "events": ("off", "shuffled", "historical"),
        "preset": ("full", "mini", "micro"),
    }
    anywhere = False
    WORDS = re.compile(r"(event|reveal|[0-7] [a-z-]+)( [a-z0-9@-]+){0,2}")

    def entries(self, line: str) -> list[tuple[int, str]]:
        """The line, with one blank between words; a comment in it is found, to be refused."""
        body, mark, comment = line.partition(COMMENT)
        found = [(len(body) - len(body.lstrip(BLANKS)) + 1, " ".join(WORD.findall(body)))]
        return [*found, (len(body) + 1, mark + comment)] if mark else found

    def start(self, chosen: Mapping[str, str], text: str) -> RichardPosition:
        from engines import richard

        players, counselors, events, preset = (chosen[key] for key in self.options)
        try:
            return richard.Position.start(int(players), counselors, events, preset=preset)
        except ValueError as error:
            raise NotationError(str(error)) from error

    def header(self, start: RichardPosition) -> tuple[dict[str, str], str]:
        rules = start.rules
        if rules is None or rules.cards is not None:
            raise ValueError("a record cannot hold a game by numbers of one's own")
        words = (str(rules.players), rules.counselors, rules.events, rules.preset)
        return dict(zip(self.options, words, strict=True)), "start"

    def played(self, position: RichardPosition, entry: str) -> RichardPosition:
        if self.WORDS.fullmatch(entry) is None:
            raise NotationError(
                f"{_quoted(entry)} is neither a move nor a card, such as"
                " '0 deal r', '2 place spy' or 'reveal g'"
            )
        prefix = node_prefix(position)
        texts = {
            written(prefix, text): text for text in position.outcomes() or position.legal_moves()
        }
        if entry not in texts:
            there = ", ".join(texts)
            raise IllegalMove(f"{_quoted(entry)} is not possible here; there is {there}")
        return position.play(texts[entry])


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")


def node_prefix(position: RichardPosition) -> str:
    """Seat and kind of a node of Richard I, as records write them."""
    _, seat, what = position.node
    kind = what.replace(" ", "-")
    return kind if seat < 0 else f"{seat} {kind}"


def written(prefix: str, text: str) -> str:
    """The line of a record for a move or outcome of a node with such a prefix."""
    kind = prefix.rpartition(" ")[2]
    if text.split(" ")[0] == kind:
        return prefix.removesuffix(kind) + text
    return f"{prefix} {text}"


GAMES: dict[str, Game] = {game.name: game for game in (_RR(), _Richard())}


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
            places = [(line, 1) for line, _ in enumerate(moves, len(GAMES[game].keys) + 1)]
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
        return _remade, (self.game, *GAMES[self.game].header(self.start), self.moves, self.places)


def _remade(
    game: str, chosen: dict[str, str], text: str, moves: tuple[str, ...], places: tuple[Place, ...]
) -> Record:
    return Record(GAMES[game].start(chosen, text), moves, places, game)


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


def parse(text: str) -> Record:
    """Read a record and check all of it, moves included. Raises RecordError with the place."""
    content = _content(text)
    game = _game(content[0])
    first_move = next(
        (at for at, line in enumerate(content) if not _is_key(line, game)), len(content)
    )
    start = _start(game, content[1:first_move])
    moves, places = [], []
    for number, line in content[first_move:]:
        _refuse_late_key((number, line), game)
        for column, move in game.entries(line):
            if move.startswith(COMMENT):
                raise _wrong("a comment needs a line of its own", number, column)
            moves.append(move)
            places.append((number, column))
    return Record(start, moves, places, game.name)


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


def _start(game: Game, header: list[Line]) -> Any:
    """The first position, from the lines of keys and values that follow the game's."""
    chosen = {key: words[0] for key, words in game.options.items()}
    position, place = "start", (1, 1)
    seen = {"game"}
    for number, line in header:
        column, key, at, value = _split(line)
        if key not in game.keys:
            message = f"no key {key[:20]!r}; there is {', '.join(game.keys)}"
            raise _wrong(message, number, column)
        if key in seen:
            raise _wrong(f"the key {key!r} has been given before", number, column)
        seen.add(key)
        if key == "position":
            position, place = value, (number, at)
        elif value in game.options[key]:
            chosen[key] = value
            if not game.anywhere:  # then what does not fit together is told at the last key
                place = (number, at)
        else:
            words = " or ".join(game.options[key])
            raise _wrong(f"{key} is {words}, not {value[:20]!r}", number, at)
    return _first_position(game, chosen, position, place)


def _first_position(game: Game, chosen: Mapping[str, str], text: str, place: Place) -> Any:
    line, column = place
    try:
        return game.start(chosen, text)
    except NotationError as error:
        at = column + (error.column or 1) - 1
        raise RecordError(NotationError(error.message, at), line, at) from error
    except IllegalPosition as error:
        raise RecordError(error, line, column) from error


def _refuse_late_key(line: Line, game: Game) -> None:
    column, word, _, _ = _split(line[1])
    if word.lower() in game.keys:
        raise _wrong(f"the key {word!r} must stand before the first move", line[0], column)
