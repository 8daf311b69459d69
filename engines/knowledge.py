r"""What one seat knows of a game with hidden cards: its record, with `?` for what it did not see.

A player can keep such a text with an editor while the game is played. It is a record with the key
`seat`, and a line for everything that the seat saw or heard of; what an inspection found follows
after `=`, a hand that was seen in brackets:

    game richard
    players 3
    seat 1
    0 deal ?
    1 deal r
    2 place spy
    0 give ??
    2 player @1 = 3 (bggg)

`Knowledge` is made from that alone and never from a state, so what it says of hidden cards cannot
depend on them.

    >>> from engines.richard import Position
    >>> position = Position.start(3).play("b")
    >>> print(of(position, 0), end="")
    game richard
    players 3
    counselors house
    events off
    preset full
    seat 0
    0 deal b
    >>> parse(str(of(position, 2))) == of(position, 2)
    True
    >>> sum(of(position, 2).sample(seed=1).piles["hands"][0])  # some card or other
    1
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cython_core.errors import IllegalMove, IllegalPosition, NotationError
from engines import record_games, records
from engines.record_games import SEAT
from engines.records import Header, RecordError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    from engines.record_games import Files


class _Game(NamedTuple):
    """The modules of a game with hidden cards: engine, text of labels, compiled knowledge, and
    tables set up by hand: their text, and what becomes of them.
    """

    engine: ModuleType
    labels: ModuleType
    core: ModuleType
    tables: ModuleType
    setup: ModuleType


def _richard() -> _Game:
    from cython_core import richard_knowledge
    from engines import richard, richard_labels, richard_setup, richard_table

    return _Game(richard, richard_labels, richard_knowledge, richard_table, richard_setup)


def _charlemagne() -> _Game:
    from cython_core import charlemagne_knowledge
    from engines import (
        charlemagne,
        charlemagne_labels,
        charlemagne_setup,
        charlemagne_table,
    )

    return _Game(
        charlemagne, charlemagne_labels, charlemagne_knowledge, charlemagne_table, charlemagne_setup
    )


GAMES = {"richard": _richard, "charlemagne": _charlemagne}


class Knowledge:
    """All that a seat has learned since the start of a game. An immutable value.

    `game`: its name. `start`: the position before the first card, which knows the rules. `table`:
    where the labels begin if the past is unknown, else None.
    """

    __slots__ = ("_known", "_modules", "_start", "_table")

    def __init__(self, start: Any, known: Any, game: str, table: Any = None) -> None:
        """From compiled knowledge; `of` and `parse` make it."""
        self._start = start
        self._table = table
        self._modules = GAMES[game]()
        self._known = known

    @property
    def start(self) -> Any:
        return self._start

    @property
    def table(self) -> Any:
        return self._table

    @property
    def game(self) -> str:
        return str(self._start.game)

    @property
    def seat(self) -> int:
        return int(self._known.viewer)

    @property
    def labels(self) -> tuple[Any, ...]:
        """What the seat has learned, one after the other; cards of one draw in their order."""
        return tuple(self._modules.labels.Label(*label) for label in self._known.told)

    @property
    def node(self) -> Any:
        """What the game waits for, which everybody knows."""
        return self._modules.engine.Node(*self._known.node)

    def legal_moves(self) -> tuple[str, ...]:
        """By ascending action id, if this seat is to decide; otherwise none."""
        if self.node.kind != "decision" or self.node.seat != self.seat:
            return ()
        actions = self._known.public().legal_actions()
        return tuple(self._modules.engine.ACTIONS[action] for action in actions)

    def sampler(self, seed: int = 0) -> Any:
        """The compiled sampler, for kernels: one for each thread. Raises ValueError at the end."""
        return self._known.sampler(seed)

    def sample(self, seed: int) -> Any:
        """A position that the seat cannot rule out, without a past.

        The same knowledge and seed give the same position. For many, keep one `sampler`: `sample()`
        of it gives the next compiled state in microseconds.
        """
        return self._modules.engine.Position(self.sampler(seed).sample())

    def complete(self, seed: int) -> Any:
        """The position that `sample` gives, with a past in which the seat learned just this.

        Raises ValueError if the past is unknown.
        """
        _, edges = self.sampler(seed).complete()
        return self._modules.engine.Position.replayed(
            self.start.rules, self.start.words, bytes(edges)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Knowledge):
            return NotImplemented
        return self._essence() == other._essence()

    def __hash__(self) -> int:
        return hash(self._essence())

    def _essence(self) -> tuple[Any, ...]:
        return self.game, self.start.words, self.seat, self.table, self._known.told

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return f"<Knowledge of seat {self.seat} in {self.game}, {len(self._known.told)} lines>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _told, (self.start, self.seat, self._known.told, self.game, self.table)


def of(position: Any, seat: int) -> Knowledge:
    """What a seat knows at a position. Raises ValueError if that has no past."""
    game = position.game
    core = GAMES[game]().core
    start = position.start_core()
    return Knowledge(
        position.beginning(),
        core.knowledge(start, position.history, position.check_seat(seat)),
        game,
    )


def labels_of(position: Any, seat: int) -> tuple[Any, ...]:
    """The labels of what a seat knows at a position, without the work that knowledge takes."""
    modules = GAMES[position.game]()
    start, seat = position.start_core(), position.check_seat(seat)
    return tuple(
        modules.labels.Label(*label) for label in modules.core.labels(start, position.history, seat)
    )


def short(position: Any, seat: int) -> Knowledge:
    """What a seat sees on the table at a position, with the past unknown save for the last moves
    where the table cannot be set up right at this decision. Raises ValueError without a past.
    """
    modules, seat = GAMES[position.game](), position.check_seat(seat)
    before, since = position, bytearray()
    while True:
        try:
            table = modules.tables.seen(before, seat)
            break
        except ValueError:
            if not before.history:
                raise
        since.insert(0, before.history[-1])
        before = before.before()
    labels = modules.core.labels(before.to_core(), bytes(since), seat)
    return _told(position.beginning(), seat, labels, position.game, table)


def _told(start: Any, seat: int, labels: Iterable[Any], game: str, table: Any) -> Knowledge:
    known = _begun(start, seat, game, table)
    for label in labels:
        known.tell(*label)
    return Knowledge(start, known, game, table)


def _begun(start: Any, seat: int, game: str, table: Any) -> Any:
    """Compiled knowledge of nothing yet but the table, if there is one."""
    modules = GAMES[game]()
    if table is None:
        return modules.core.Knowledge(start.start_core(), seat)
    return modules.setup.knowledge(start, table, seat)


def format(knowledge: Knowledge) -> str:
    """The one canonical text: all keys, then a line for every label; the inverse of `parse`."""
    start, game, table = knowledge.start, knowledge.game, []
    if knowledge.table is not None:
        table = GAMES[game]().tables.lines_of(knowledge.table, **GAMES[game]().setup.options(start))
    return _written(start, knowledge.seat, knowledge.labels, game, table)


def text_of(position: Any, seat: int) -> str:
    """The text of what a seat knows at a position, without the work that knowledge takes."""
    return _written(position, seat, labels_of(position, seat), position.game)


def _written(
    start: Any, seat: int, labels: Iterable[Any], game: str, table: Iterable[str] = ()
) -> str:
    chosen = record_games.GAMES[game].options_of(start)
    line_of = GAMES[game]().labels.line_of
    header = [f"game {game}", *(f"{key} {word}" for key, word in chosen.items())]
    return "\n".join([*header, f"{SEAT} {seat}", *table, *map(line_of, labels), ""])


def parse(text: str, files: Files | None = None) -> Knowledge:
    """Read what a seat knows, and check that it can be. Raises RecordError with the place.

    `files` as for `records.parse`.
    """
    header, entries = records.split(text, files)
    name = header.game.name
    if header.seat is None:
        raise RecordError(
            NotationError(
                "whose knowledge is it? A line such as 'seat 0' must stand before the first move"
            )
        )
    if name not in GAMES:
        raise RecordError(NotationError(f"nothing is hidden in a game of {name}"))
    modules = GAMES[name]()
    if not header.seat < len(header.start.points):
        raise RecordError(NotationError(f"no seat {header.seat} in this game"))
    table = _table(header, name)
    try:
        known = _begun(header.start, header.seat, name, table)
    except (IllegalPosition, IllegalMove) as error:
        line = header.table[0][0] - 1 if header.table else None
        raise RecordError(error, line) from error
    for (line, column), entry in entries:
        try:
            known.tell(*modules.labels.parse_line(entry))
        except NotationError as error:
            at = column + (error.column or 1) - 1
            raise RecordError(NotationError(error.message, at), line, at) from error
        except IllegalMove as error:
            raise RecordError(error, line, column) from error
    return Knowledge(header.start, known, name, table)


def _table(header: Header, name: str) -> Any:
    """The table of a header, read; None if it has none."""
    if header.table is None:
        return None
    modules = GAMES[name]()
    lines = [line for _, line in header.table]
    options = modules.setup.options(header.start)
    try:
        return modules.tables.parse(lines, len(header.start.points), **options)
    except modules.tables.TableError as error:
        at = min(error.line, len(lines) - 1)
        number = header.table[at][0] if lines else 0
        raise RecordError(NotationError(error.message, 1), number, 1) from error
