"""Richard I: names, numbers, move text and the immutable `Position`.

The rules are compiled (`cython_core.richard`); rulings, notation and the order of all nodes stand
in RULES.md.

    >>> from engines.richard import Position
    >>> position = Position.start(players=3)
    >>> position.node
    Node(kind='chance', seat=0, what='deal')
    >>> position.play("r").outcomes()["r"]
    11
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

from cython_core import richard as core
from cython_core.errors import IllegalMove
from engines import richard_data

COLOURS = richard_data.COLOURS
SIDES = ("john", "richard")
CHARACTERS = richard_data.CHARACTERS
EVENTS = ("off", "shuffled", "historical")
COUNSELORS = ("off", "house")
PRESETS = tuple(richard_data.PRESETS)
FEWEST_PLAYERS, MOST_PLAYERS = 3, 8
LARGEST_OFFER = richard_data.LARGEST_OFFER  # all the cards of a colour
LARGEST_GIFT = richard_data.LARGEST_GIFT
ENDINGS = ("", "A", "B", "C", "D")


def _action_texts() -> tuple[str, ...]:
    gifts = [
        "".join(gift)
        for size in range(LARGEST_GIFT + 1)
        for gift in combinations_with_replacement(COLOURS, size)
    ]
    seats = range(MOST_PLAYERS)
    return (
        *SIDES,
        *CHARACTERS,
        *("1", "2", "none"),
        *COLOURS,
        *(f"@{seat}" for seat in seats),
        *(f"@{seat}{colour}" for seat in seats for colour in COLOURS),
        *(f"offer {cards}" for cards in range(LARGEST_OFFER + 1)),
        *(f"give {gift or '-'}" for gift in gifts),
        *(f"counselor {number}" for number in range(7, 12)),
        "pass",
        "counselor 13",
        "return",
    )


ACTIONS = _action_texts()  # move text by action id


class Node(NamedTuple):
    """What the game waits for: a decision of a seat, a card, or nothing any more.

    `kind`: "decision", "chance" or "over". `seat`: whose, -1 if nobody's. `what`: "deal", "draw",
    "counselor", "event", "reveal"; "loyalty", "place", "option", "give", "uncount", "return",
    "colour", "player", "player colour", "offer".
    """

    kind: str
    seat: int
    what: str


class Rules(NamedTuple):
    """What a game was begun with. `cards`: a file of numbers that replaces those of the preset."""

    players: int = 4
    counselors: str = "house"
    events: str = "off"
    preset: str = "full"
    cards: str | Path | None = None


def numbers(
    players: int,
    counselors: str = "house",
    events: str = "off",
    preset: str = "full",
    cards: str | Path | None = None,
) -> dict[str, Any]:
    """What a game of so many players is played by. Raises ValueError, for bad files DataError."""
    loaded = richard_data.load(preset, cards)
    fewest, most = loaded.players
    if not fewest <= players <= most:
        what = "Richard I" if preset == "full" else f"the {preset} game"
        raise ValueError(f"{fewest} to {most} play {what}, not {players}")
    if counselors not in COUNSELORS:
        raise ValueError(f"counselors are one of {', '.join(COUNSELORS)}, not {counselors!r}")
    if events not in EVENTS:
        raise ValueError(f"events are one of {', '.join(EVENTS)}, not {events!r}")
    found = loaded.at(players)
    if counselors == "house" and found["contributed"] == LARGEST_GIFT:
        raise richard_data.DataError(
            loaded.file,
            "contributed",
            f"{LARGEST_GIFT} leave no move for counselor 12, who adds a card: play without them",
        )
    return found | {
        "players": players,
        "counselors": counselors == "house",
        "events": EVENTS.index(events),
    }


class Position:
    """One state of a game, with all that is hidden. An immutable value."""

    __slots__ = ("_core", "rules")
    _core: core.Richard
    rules: Rules | None  # None for a state that did not come from `start`

    def __init__(self, state: core.Richard, rules: Rules | None = None) -> None:
        self._core = state.copy()
        self.rules = rules

    @classmethod
    def start(
        cls,
        players: int = 4,
        counselors: str = "house",
        events: str = "off",
        *,
        preset: str = "full",
        cards: str | Path | None = None,
    ) -> Position:
        """Before the first card is dealt. Raises ValueError for options that do not exist.

        `cards`: a file of numbers instead of the preset's; DataError if it cannot be played by.
        """
        rules = Rules(players, counselors, events, preset, cards)
        return cls(core.Richard(numbers(*rules)), rules)

    @property
    def node(self) -> Node:
        return Node(*self._core.node())

    @property
    def points(self) -> tuple[int, ...]:
        """Prestige points, by seat."""
        return tuple(self._core.public["points"])

    @property
    def tracks(self) -> dict[str, int]:
        public = self._core.public
        return {name: public[name] for name in ("time", "crusaders", "saladin", "treasury")}

    @property
    def turn(self) -> int:
        """From 1; 0 during the setup."""
        return int(self._core.public["turn"])

    @property
    def first(self) -> int:
        """The seat of the first player."""
        return int(self._core.public["first"])

    @property
    def event(self) -> int:
        """The number of the event that lies open; 0 if none does."""
        return int(self._core.public["event"])

    @property
    def sides(self) -> tuple[str, ...]:
        """By seat; empty before the choice."""
        sides = self._core.public["sides"]
        return tuple(SIDES[side] if side < len(SIDES) else "" for side in sides)

    @property
    def over(self) -> bool:
        return self.node.kind == "over"

    @property
    def ending(self) -> str:
        """A to D (§ End of the Game), or empty while the game goes on."""
        return ENDINGS[self._core.public["ending"]]

    @property
    def piles(self) -> dict[str, Any]:
        """Where all cards are, hidden ones too: counts by colour, and counselors by seat."""
        return self._core.cards

    def returns(self) -> list[float]:
        """By seat, (n·s - 1)/(n - 1) for a share s of the win; all 0 before the end."""
        return self._core.utilities()

    def legal_moves(self) -> tuple[str, ...]:
        """By ascending action id; none at chance nodes and at the end."""
        return tuple(ACTIONS[action] for action in self._core.legal_actions())

    def outcomes(self) -> dict[str, int]:
        """Cards that may be turned now, with weights; none at decisions and at the end."""
        what = self.node.what
        return {_outcome_text(what, outcome): w for outcome, w in self._core.outcomes()}

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

    def play(self, text: str) -> Position:
        """After one move or outcome. Raises IllegalMove."""
        after = Position(self._core, self.rules)
        after._core.play(self._edge(text))
        return after

    def label(self, text: str, viewer: int) -> str:
        """What a seat learns from a legal move or possible outcome. Raises IllegalMove."""
        if not 0 <= viewer < len(self.points):
            raise ValueError(f"no seat {viewer}")
        return _label_text(*self._core.observe(self._edge(text), viewer))

    def to_core(self) -> core.Richard:
        """A mutable copy of the compiled state, for kernels."""
        return self._core.copy()

    def _edge(self, text: str) -> int:
        node = self.node
        if node.kind == "decision":
            possible = {ACTIONS[action]: action for action in self._core.legal_actions()}
        else:
            what = node.what
            possible = {
                _outcome_text(what, outcome): outcome for outcome, _ in self._core.outcomes()
            }
        if text not in possible:
            there = " ".join(possible) or "nothing: the game is over"
            raise IllegalMove(f"{text!r} is not possible here ({node.what}); there is {there}")
        return possible[text]


def _outcome_text(what: str, outcome: int) -> str:
    return str(outcome) if what in ("counselor", "event") else COLOURS[outcome]


def _label_text(
    what: str,
    seat: int,
    edge: int | None,
    hidden_cards: int,
    count: int | None,
    offers: tuple[int, ...],
    hand: tuple[int, ...] | None,
) -> str:
    """The text of a label: RULES.md, Labels."""
    if what in ("event", "reveal") and edge is not None:
        return f"{what} {_outcome_text(what, edge)}"
    if what in ("deal", "draw", "counselor"):
        kind = "counselor" if what == "counselor" else "draw"
        return f"{seat} {kind} {'?' if edge is None else _outcome_text(what, edge)}"
    if edge is not None:
        text = ACTIONS[edge]
    else:
        text = {"give": "give " + "?" * hidden_cards, "offer": "offer ?"}.get(what, "?")
    text = f"{seat} {text}"
    if offers:
        text += " = " + ",".join(map(str, offers))
    if count is not None:
        text += f" = {count}"
    if hand is not None:
        text += f" ({''.join(c * n for c, n in zip(COLOURS, hand, strict=True))})"
    return text
