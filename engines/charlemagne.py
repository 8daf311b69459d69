"""Charlemagne: the immutable `Position`.

The rules are compiled (`cython_core.charlemagne`); rulings, notation and the order of all nodes
stand in RULES.md.

    >>> from engines.charlemagne import Position
    >>> position = Position.start(players=3)
    >>> position.node
    Node(kind='chance', seat=0, what='start')
    >>> position.play("b3").outcomes()["r3"]
    277760
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from cython_core import charlemagne as core
from engines import charlemagne_data, charlemagne_labels, positions
from engines.charlemagne_labels import (
    ACTIONS,
    CARDS,
    KINDS,
    LARGEST_NUMBER,
    PRIVILEGES,
    Label,
    outcome_text,
)
from engines.charlemagne_rules import FARMSTEADS, Rules, numbers, words
from engines.positions import Node

__all__ = [
    "ACTIONS", "CARDS", "FARMSTEADS", "FEWEST_PLAYERS", "KINDS", "LARGEST_NUMBER", "MOST_PLAYERS",
    "PRESETS", "PRIVILEGES", "PROBLEMS", "VALUES", "Node", "Position", "Rules", "numbers",
]  # fmt: skip

PROBLEMS = charlemagne_data.PROBLEMS
VALUES = ("win", "margin", "rank")
PRESETS = tuple(charlemagne_data.PRESETS)
FEWEST_PLAYERS, MOST_PLAYERS = 2, charlemagne_data.MOST_PLAYERS
FIRST_YEAR = 999


class Position(positions.Position):
    """One state of a game of Charlemagne, with all that is hidden. An immutable value.

    `piles`: counts by kind of the stock and, by seat, of storages, bids and raises; builders by
    seat; card ids of hands by seat, and of what is not dealt yet. `points` are victory points.
    """

    __slots__ = ()
    game = "charlemagne"
    actions = ACTIONS

    def outcome_text(self, outcome: int) -> str:
        return outcome_text(self.node.what, self.item, outcome)

    @staticmethod
    def label_text(label: tuple[Any, ...]) -> str:
        return charlemagne_labels.text_of(Label(*label))

    @classmethod
    def start(
        cls,
        players: int = 4,
        farmstead: str = FARMSTEADS[0],
        *,
        preset: str = "full",
        cards: str | Path | None = None,
    ) -> Self:
        """Before the first piece is drawn. Raises ValueError for options that do not exist.

        `farmstead`: "random", or "choice" to let nobles name its piece (§ IV.1, Tip). `cards`: a
        file of numbers instead of the preset's; DataError if it cannot be played by.
        """
        rules = Rules(players, farmstead, preset, cards)
        return cls._begun(core.Charlemagne(numbers(*rules)), rules, words(rules))

    @property
    def item(self) -> int | None:
        """The kind that is drawn now, or the card that is dealt; None elsewhere."""
        item: int | None = self._core.item
        return item

    @property
    def year(self) -> int:
        """From 999 (§ Order of play)."""
        return FIRST_YEAR - 1 + int(self._core.public["year"])

    @property
    def card(self) -> str:
        """On the table; empty if none is."""
        card = self._core.public["card"]
        return "" if card is None else CARDS[card]

    @property
    def public(self) -> dict[str, Any]:
        """All that lies open, as `cython_core.charlemagne.Charlemagne.public` tells."""
        return dict(self._core.public)

    def returns(self, value: str = VALUES[0]) -> list[float]:
        """By seat; all 0 before the end. Raises ValueError for a value that is not in VALUES.

        "win": (n·s - 1)/(n - 1) for a share s of the win; "margin": own points less the mean of
        the others'; "rank": from +1 for the first place to -1 for the last, ties averaged.
        """
        return list(self._core.utilities(value))
