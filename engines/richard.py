"""Richard I: the immutable `Position`.

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

from pathlib import Path
from typing import Any, Self

from cython_core import richard as core
from engines import positions, richard_data, richard_labels
from engines.positions import Node
from engines.richard_labels import ACTIONS, CHARACTERS, COLOURS, SIDES, Label, outcome_text
from engines.richard_rules import COUNSELORS, EVENTS, Rules, numbers, words

__all__ = [
    "ACTIONS", "CHARACTERS", "COLOURS", "COUNSELORS", "EVENTS", "FEWEST_PLAYERS", "MOST_PLAYERS",
    "PRESETS", "SIDES", "Node", "Position", "Rules", "numbers", "outcome_text",
]  # fmt: skip

PRESETS = tuple(richard_data.PRESETS)
FEWEST_PLAYERS, MOST_PLAYERS = 3, richard_labels.MOST_PLAYERS
ENDINGS = ("", "A", "B", "C", "D")


class Position(positions.Position):
    """One state of a game of Richard I, with all that is hidden. An immutable value.

    `piles`: counts by colour of supply, reserve, crusade, revealed, and hands by seat; counselors
    by seat, and the decks of them. `points` are prestige points.
    """

    __slots__ = ()
    game = "richard"
    actions = ACTIONS

    def outcome_text(self, outcome: int) -> str:
        return outcome_text(self.node.what, outcome)

    @staticmethod
    def label_text(label: tuple[Any, ...]) -> str:
        return richard_labels.text_of(Label(*label))

    @classmethod
    def start(
        cls,
        players: int = 4,
        counselors: str | Path = "house",
        events: str | Path = "off",
        *,
        preset: str = "full",
        cards: str | Path | None = None,
    ) -> Self:
        """Before the first card is dealt. Raises ValueError for options that do not exist.

        `cards`: a file of numbers instead of the preset's; DataError if it cannot be played by.
        """
        rules = Rules(players, counselors, events, preset, cards)
        return cls._begun(core.Richard(numbers(*rules)), rules, words(rules))

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
    def characters(self) -> tuple[str, ...]:
        """Of this turn, by seat; empty where there is none."""
        return _names(self._core.public["characters"])

    @property
    def former(self) -> tuple[str, ...]:
        """The characters of last turn, by seat; empty where there is none."""
        return _names(self._core.public["former"])

    @property
    def ending(self) -> str:
        """A to D (§ End of the Game), or empty while the game goes on."""
        return ENDINGS[self._core.public["ending"]]

    @property
    def ignored(self) -> tuple[int, ...]:
        """Revealed cards that are not counted, by colour."""
        return tuple(self._core.public["ignored"])

    @property
    def events_left(self) -> tuple[int, ...]:
        """The events that may still come."""
        return tuple(self._core.public["events_left"])

    @property
    def counselor_decks(self) -> list[list[int]]:
        """The numbers in John's and in Richard's deck."""
        return list(self._core.cards["decks"])

    @property
    def loyalty_cards(self) -> tuple[int, int]:
        """Left to choose: John's and Richard's."""
        john, richard = self._core.public["loyalty"]
        return john, richard

    @property
    def characters_in_play(self) -> tuple[str, ...]:
        in_play = self._core.public["in_play"]
        return tuple(name for bit, name in enumerate(CHARACTERS) if in_play >> bit & 1)

    @property
    def task(self) -> tuple[int, int]:
        """What goes on, in two numbers: `cython_core.richard.Richard.task`."""
        first, second = self._core.task
        return first, second

    def offers(self, viewer: int) -> list[int]:
        """By seat, those that the viewer sees: of a tax all, of a tournament its own; else 0."""
        return list(self._core.offers(viewer))


def _names(characters: list[int]) -> tuple[str, ...]:
    return tuple(CHARACTERS[c] if c < len(CHARACTERS) else "" for c in characters)
