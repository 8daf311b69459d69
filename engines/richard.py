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

import tomllib
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, NamedTuple

from cython_core import richard as core
from cython_core.errors import IllegalMove

COLOURS = "bypwrg"  # blue, yellow, purple, white, red, green
SIDES = ("john", "richard")
CHARACTERS = (
    "exciseman", "inquisitor", "merchant", "spy", "arms", "regent", "chancellor", "bandit",
)  # fmt: skip
EVENTS = ("off", "shuffled", "historical")
COUNSELORS = ("off", "house")
FEWEST_PLAYERS, MOST_PLAYERS = 3, 8
LARGEST_OFFER = 36  # all the cards of a colour
LARGEST_GIFT = 3
ENDINGS = ("", "A", "B", "C", "D")
DATA = Path(__file__).parent / "data" / "richard.toml"


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


def numbers(players: int, counselors: str = "house", events: str = "off") -> dict[str, Any]:
    """What a game of so many players is played by, from the data file. Raises ValueError."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise ValueError(f"{FEWEST_PLAYERS} to {MOST_PLAYERS} play Richard I, not {players}")
    if counselors not in COUNSELORS:
        raise ValueError(f"counselors are one of {', '.join(COUNSELORS)}, not {counselors!r}")
    if events not in EVENTS:
        raise ValueError(f"events are one of {', '.join(EVENTS)}, not {events!r}")
    found: dict[str, Any] = {
        name: entry["value"] if "value" in entry else entry["by_players"][players - FEWEST_PLAYERS]
        for name, entry in tomllib.loads(DATA.read_text("utf-8")).items()
    }
    return found | {
        "players": players,
        "counselors": counselors == "house",
        "events": EVENTS.index(events),
        "characters": (1 << len(CHARACTERS)) - 1,
    }


class Position:
    """One state of a game, with all that is hidden. An immutable value."""

    __slots__ = ("_core",)
    _core: core.Richard

    def __init__(self, state: core.Richard) -> None:
        self._core = state.copy()

    @classmethod
    def start(cls, players: int = 4, counselors: str = "house", events: str = "off") -> Position:
        """Before the first card is dealt. Raises ValueError for options that do not exist."""
        return cls(core.Richard(numbers(players, counselors, events)))

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

    def play(self, text: str) -> Position:
        """After one move or outcome. Raises IllegalMove."""
        after = Position(self._core)
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
