"""RR: the immutable `Position`, and all names that belong to the game.

The rules themselves are compiled (`cython_core.rr`); rulings and notation stand in RULES.md.

    >>> from engines.rr import Position
    >>> after = Position.start().play("Cb2").play("Kb3xb2")
    >>> print(after)
    .k./.#./... r KQPMGWT qpmgwt
    >>> after.legal_moves()[:3]
    ('Ga1', 'Ga2', 'Ga3')
"""

from __future__ import annotations

from cython_core import rr as core
from cython_core.errors import IllegalMove, IllegalPosition, NotationError
from engines.rr_moves import move_actions, move_ranks, move_texts, unreadable_move
from engines.rr_setup import (
    DEFAULT_RULES,
    DIRECTIONS,
    EMPTY,
    FACE_DOWN,
    FIGURES,
    LETTERS,
    LONGEST_TEXT,
    NAMES,
    SIDES,
    SQUARES,
    START,
    Fault,
    Rules,
    Setup,
    Side,
    format,
    format_fields,
    parse,
    validate,
)

__all__ = [
    "DEFAULT_RULES",
    "DIRECTIONS",
    "EMPTY",
    "FACE_DOWN",
    "FIGURES",
    "LETTERS",
    "LONGEST_TEXT",
    "NAMES",
    "SIDES",
    "SQUARES",
    "START",
    "Fault",
    "Position",
    "Rules",
    "Setup",
    "Side",
    "format",
    "move_ranks",
    "move_texts",
    "parse",
    "validate",
]


class Position:
    """A consistent position under some rules, finished or not. An immutable value.

    Raises IllegalPosition, with every reason, for a setup that cannot stand.
    """

    __slots__ = ("_core", "_rules")
    _core: core.RR
    _rules: Rules

    def __init__(self, setup: Setup, rules: Rules = DEFAULT_RULES) -> None:
        faults = validate(setup, rules)
        if faults:
            raise IllegalPosition(tuple(faults.values()))
        self._rules = rules
        self._core = rules.new_core()
        self._core.setup(setup.cells, setup.side, setup.regality, setup.religion)

    @classmethod
    def start(cls, rules: Rules = DEFAULT_RULES) -> Position:
        return cls.parse(START, rules)

    @classmethod
    def parse(cls, text: str, rules: Rules = DEFAULT_RULES) -> Position:
        """From position text. Raises NotationError or IllegalPosition."""
        return cls(parse(text), rules)

    @classmethod
    def from_core(cls, core: core.RR, rules: Rules) -> Position:
        """From a compiled state, which must come from legal play under these rules; a copy."""
        position = object.__new__(cls)
        position._rules = rules
        position._core = core.copy()
        return position

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def setup(self) -> Setup:
        return Setup(self._core.cells, self.side, *self._core.hands)

    @property
    def side(self) -> Side:
        """Side to move. When the game is over: the side that would be."""
        return Side(self._core.to_move)

    @property
    def cells(self) -> str:
        """The nine squares a1 b1 c1 a2 ... c3, as in `Setup`."""
        return self._core.cells

    @property
    def hands(self) -> tuple[str, str]:
        """(Regality's in upper case, Religion's in lower case), in hand order."""
        return self._core.hands

    @property
    def over(self) -> bool:
        return self._core.over

    @property
    def margin(self) -> int:
        """Face-up cards facing the side to move less those facing the other, as they lie now."""
        return self._core.margin

    @property
    def winner(self) -> Side | None:
        """Who won a finished game; None for a tie or while it goes on."""
        if not self.over or self.margin == 0:
            return None
        return self.side if self.margin > 0 else self.side.other

    def to_core(self) -> core.RR:
        """A mutable copy of the compiled state, for search kernels."""
        return self._core.copy()

    @property
    def key(self) -> int:
        """All that the rules see of it, 52 bits; the figures on the board are not in it."""
        return self._core.key

    def legal_actions(self) -> list[int]:
        """Action ids of all legal moves, ascending; none when the game is over."""
        return self._core.legal_actions()

    def legal_moves(self) -> tuple[str, ...]:
        """Texts of all legal moves, ascending; none when the game is over."""
        texts = move_texts(self._rules)
        return tuple(sorted([texts[action] for action in self._core.legal_actions()]))

    def parse_move(self, text: str) -> int:
        """The action id of a legal move. Raises NotationError or IllegalMove."""
        action = move_actions(self._rules).get(text)
        if action is None:
            raise unreadable_move(text, self._rules)
        if action not in self._core.legal_actions():
            raise IllegalMove(self._why_illegal(text))
        return action

    def _why_illegal(self, text: str) -> str:
        """Names the first part of the move that no legal move shares, and what would do instead."""
        legal = self.legal_moves()
        if not legal:
            return f"{text} is not legal: the game is over"
        card, square = text[:1], text[:3]
        if not any(move.startswith(card) for move in legal):
            cards = "".join(sorted({move[0] for move in legal}, key=LETTERS.index))
            return f"{text} is not legal: {self.side} cannot play {card} now, only {cards}"
        if not any(move.startswith(square) for move in legal):
            squares = " ".join(sorted({move[1:3] for move in legal}))
            return f"{text} is not legal: {square[1:]} is not free; free squares: {squares}"
        if text[3:4] == "x" and self.cells.count(EMPTY) == 1:
            return f"{text} is not legal: no card banishes from the last free square"
        effects = " ".join(move for move in legal if move.startswith(square))
        return f"{text} is not legal: that effect changes no card here; there is {effects}"

    def format_move(self, action: int) -> str:
        """The text of an action id, legal here or not. Raises ValueError for no move at all."""
        text = move_texts(self._rules)[action] if 0 <= action < core.ACTION_COUNT else ""
        if not text:
            raise ValueError(f"{action} is not the id of a move")
        return text

    def play(self, move: str | int) -> Position:
        """The position after one move, given as text or action id. Raises as `parse_move`."""
        after = self.from_core(self._core, self._rules)
        after._core.play(self.parse_move(move) if isinstance(move, str) else move)
        return after

    def __str__(self) -> str:
        return format_fields(self._core.cells, self._core.to_move, *self._core.hands)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self._rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._rules == other._rules and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((self._rules, str(self)))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self

    def to_bytes(self) -> bytes:
        """A versioned form for storage: all that `from_bytes` needs."""
        return f"RR1 {self._rules.queen} {self._rules.ending} {self}".encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Position:
        """Raises NotationError or IllegalPosition for bytes that `to_bytes` did not write."""
        fields = data.decode("ascii", "replace").split(" ", 3)
        if len(fields) != 4 or fields[0] != "RR1":
            raise NotationError("not an RR position of version 1")
        try:
            rules = Rules(fields[1], fields[2])
        except ValueError as error:
            raise NotationError(str(error)) from None
        position = cls.parse(fields[3], rules)
        if position.to_bytes() != data:
            raise NotationError("an RR position, but not in its canonical form")
        return position

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Position.from_bytes, (self.to_bytes(),)
