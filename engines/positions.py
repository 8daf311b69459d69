"""Positions of games with chance and hidden cards: all that does not depend on which game it is."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

from cython_core.errors import IllegalMove


class Node(NamedTuple):
    """What a game waits for: a decision of a seat, a card, or nothing any more.

    `kind`: "decision", "chance" or "over". `seat`: whose, -1 if nobody's. `what`: which decision or
    draw, by the names in RULES.md.
    """

    kind: str
    seat: int
    what: str


class _Past(NamedTuple):
    """What was played, the last thing first."""

    edge: int
    before: _Past | None


class Position:
    """One state of a game, with all that is hidden. An immutable value.

    Two are equal if they are played by the same rules, are the same in everything that the rules
    see, and every seat has learned the same on the way. `rules` (options of `start`, by name) and
    `words` (the options as records write them) are None for a state without a past, such as a
    sampled one.
    """

    __slots__ = ("_core", "_past", "_rules", "_start", "_words")
    game: ClassVar[str]  # name of the game in records
    actions: ClassVar[tuple[str, ...]]  # move text by id
    _core: Any
    _start: Any
    _past: _Past | None
    _rules: Any
    _words: tuple[str, ...] | None

    def __init__(self, state: Any) -> None:
        """From a compiled state, without a past. `start` is where games begin."""
        self._core = state.copy()
        self._start = self._past = self._rules = self._words = None

    @classmethod
    def _begun(cls, state: Any, rules: Any, words: tuple[str, ...]) -> Self:
        position = cls(state)
        position._start, position._rules, position._words = state, rules, words
        return position

    @classmethod
    def start(cls, *args: Any, **options: Any) -> Self:
        """Before the first card."""
        raise NotImplementedError

    def outcome_text(self, outcome: int) -> str:
        """The text of an outcome of this node."""
        raise NotImplementedError

    @staticmethod
    def label_text(label: tuple[Any, ...]) -> str:
        """The text of a label of the compiled core."""
        raise NotImplementedError

    @classmethod
    def replayed(cls, rules: Any, words: tuple[str, ...], edges: bytes) -> Self:
        """After so many moves and outcomes, by id. Raises ValueError if the files have changed."""
        position = cls.start(**rules._asdict())
        if position.words != words:
            raise ValueError("this game was played by other files than those that are there now")
        for edge in edges:
            position = position.play_edge(edge)
        return position

    @property
    def rules(self) -> Any:
        """The options of `start`, by name."""
        return self._rules

    @property
    def words(self) -> tuple[str, ...] | None:
        """The options as records write them."""
        return self._words

    @property
    def node(self) -> Node:
        return Node(*self._core.node())

    @property
    def over(self) -> bool:
        return self.node.kind == "over"

    @property
    def points(self) -> tuple[int, ...]:
        """By seat."""
        return tuple(self._core.public["points"])

    @property
    def piles(self) -> dict[str, Any]:
        """Where everything is, hidden things too."""
        return dict(self._core.cards)

    @property
    def bounds(self) -> tuple[int, int]:
        """(most decisions, most outcomes) of a game by these rules."""
        decisions, outcomes = self._core.bounds
        return decisions, outcomes

    def returns(self) -> list[float]:
        """By seat, (n·s - 1)/(n - 1) for a share s of the win; all 0 before the end."""
        return list(self._core.utilities())

    # Moves and outcomes, by text or by id

    def legal_moves(self) -> tuple[str, ...]:
        """By ascending id; none at chance nodes and at the end."""
        return tuple(self.actions[action] for action in self._core.legal_actions())

    def outcomes(self) -> dict[str, int]:
        """What may be turned or drawn now, with weights; none at decisions and at the end."""
        return {self.outcome_text(outcome): weight for outcome, weight in self._core.outcomes()}

    def legal_actions(self) -> list[int]:
        """The ids of all legal moves, ascending."""
        return list(self._core.legal_actions())

    def weights(self) -> list[tuple[int, int]]:
        """(id, weight) of all outcomes, ascending."""
        return list(self._core.outcomes())

    def edge_text(self, edge: int) -> str:
        """The text of a move or outcome of this node."""
        return self.actions[edge] if self.node.kind == "decision" else self.outcome_text(edge)

    def pick(self, luck: float) -> str:
        """The outcome or legal move that a number from 0 to below 1 stands for.

        Outcomes by weight, moves all alike. Raises ValueError when the game is over.
        """
        weights = self.outcomes() or dict.fromkeys(self.legal_moves(), 1)
        rest = int(luck * sum(weights.values()))
        for text, weight in weights.items():
            rest -= weight
            if rest < 0:
                return text
        raise ValueError("the game is over: there is nothing to pick")

    def play(self, text: str) -> Self:
        """After one move or outcome. Raises IllegalMove."""
        return self.play_edge(self._edge(text))

    def play_edge(self, edge: int) -> Self:
        """After a move or outcome by its id. Raises IllegalMove."""
        after = type(self)(self._core)
        after._core.play(edge)
        after._start, after._rules, after._words = self._start, self._rules, self._words
        after._past = _Past(edge, self._past)
        return after

    def _edge(self, text: str) -> int:
        kind, _, what = self.node
        possible: dict[str, int]
        if kind == "decision":
            possible = {self.actions[action]: action for action in self._core.legal_actions()}
        else:
            possible = {self.outcome_text(edge): edge for edge, _ in self._core.outcomes()}
        if text not in possible:
            there = ", ".join(possible) or "nothing: the game is over"
            raise IllegalMove(f"{text!r} is not possible here ({what}); there is {there}")
        return possible[text]

    # What seats learn

    def label(self, text: str, viewer: int) -> str:
        """What a seat learns from a legal move or possible outcome. Raises IllegalMove."""
        self.check_seat(viewer)
        return self.label_text(self._core.label(self._edge(text), viewer))

    def info_key(self, viewer: int) -> int:
        """64 bits that are equal where a seat has learned the same since the start."""
        return int(self._core.key(self.check_seat(viewer)))

    def view_key(self, viewer: int) -> int:
        """64 bits that are equal where the table looks the same to a seat, whatever came before."""
        return int(self._core.key(self.check_seat(viewer), False))

    def check_seat(self, viewer: int) -> int:
        """A seat of this game. Raises ValueError for others."""
        if not 0 <= viewer < len(self.points):
            raise ValueError(f"no seat {viewer}")
        return viewer

    # The past

    @property
    def history(self) -> bytes:
        """The ids of all moves and outcomes since the start."""
        edges, past = bytearray(), self._past
        while past is not None:
            edges.append(past.edge)
            past = past.before
        return bytes(reversed(edges))

    def before(self) -> Self:
        """One move or outcome earlier. Raises ValueError if there is none."""
        if self._past is None:
            raise ValueError("nothing was played before")
        return self.replayed(self.rules, self.words or (), self.history[:-1])

    def beginning(self) -> Self:
        """Before the first card. Raises ValueError if there is no past."""
        return self._begun(self.start_core(), self.rules, self.words or ())

    def start_core(self) -> Any:
        """A copy of the compiled state that the game began with. Raises ValueError without one."""
        if self._start is None:
            raise ValueError("a position without a past does not know how it began")
        return self._start.copy()

    def to_core(self, *, log: bool = False) -> Any:
        """A mutable copy of the compiled state, for kernels; with its log it plays slower."""
        return self._core.copy(log)

    def __str__(self) -> str:
        """The record of the game so far; for a position without a past, the piles."""
        if self.words is None:
            return f"{self.game}, without a past: {self._core.cards}"
        from engines import records

        return str(records.record_of(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine = (self.game, self.words, self._core.essence())
        return mine == (other.game, other.words, other._core.essence())

    def __hash__(self) -> int:
        return hash(self._core.essence())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        if self.rules is None:
            raise TypeError("a position without a past cannot be pickled")
        return type(self).replayed, (self.rules, self.words, self.history)
