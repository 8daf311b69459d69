"""The numbers that Richard I is played by: files of them, checked before anything is played.

`data_files` says what such a file looks like; its entries are those of ENTRIES, and `players`.

    >>> load().at(players=5)["hand"]
    7
    >>> load("micro").players
    (2, 3)
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engines import data_files
from engines.data_files import (
    FOLDER,
    DataError,
    Numbers,
    Wrong,
    by_digest,
    digest,
    several,
    shown,
    truth,
    whole,
)

__all__ = [
    "CHARACTERS", "COLOURS", "ENTRIES", "FOLDER", "PRESETS", "DataError", "Numbers", "by_digest",
    "checked", "digest", "load",
]  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COLOURS = "bypwrg"  # blue, yellow, purple, white, red, green
CHARACTERS = (
    "exciseman", "inquisitor", "merchant", "spy", "arms", "regent", "chancellor", "bandit",
)  # fmt: skip
PRESETS = {"full": "richard.toml", "mini": "richard_mini.toml", "micro": "richard_micro.toml"}

MOST_PLAYERS = 8
LARGEST_COUNT = 255  # what fits a byte
LARGEST_OFFER = 36  # cards of a colour that may be offered: there is no move for more
OFFERED = "yr"
LARGEST_GIFT = 3
MOST_TIME, MOST_ARMY = 12, 10
LAST_SLOW_TURN = 120  # the game ends 12 turns later at the latest: under 2**16 steps in all


def _characters(value: object) -> int:
    """A set of bits, in the order of CHARACTERS."""
    if not isinstance(value, list):
        raise Wrong(f"a list of characters is wanted, not {shown(value)}")
    found = 0
    for name in value:
        if not isinstance(name, str) or name not in CHARACTERS:
            raise Wrong(f"no character {shown(name)}; there is {', '.join(CHARACTERS)}")
        bit = 1 << CHARACTERS.index(name)
        if found & bit:
            raise Wrong(f"{name} stands there twice")
        found |= bit
    return found


_colours = several(len(COLOURS), len(COLOURS), "one a colour", whole(0, LARGEST_COUNT))

ENTRIES: dict[str, Callable[[object], Any]] = {
    "hand": whole(0, LARGEST_COUNT),
    "sides": several(2, 2, "John's and Richard's loyalty cards", whole(0, LARGEST_COUNT)),
    "supply": _colours,
    "reserve": _colours,
    "crusade_base": _colours,
    "crusade_per_john": _colours,
    "crusade_per_richard": _colours,
    "characters": _characters,
    "contributed": whole(0, LARGEST_GIFT),
    "revealed": whole(0, LARGEST_COUNT),
    "time": whole(1, MOST_TIME),
    "crusaders": whole(1, MOST_ARMY),
    "saladin": whole(1, MOST_ARMY),
    "treasury": whole(1, LARGEST_COUNT),
    "placing_bonus": truth,
    "last_slow_turn": whole(0, LAST_SLOW_TURN),
}


def load(preset: str = "full", path: str | Path | None = None) -> Numbers:
    """The numbers of a preset, or of a user's file. Raises ValueError, which DataError is."""
    if path is not None:
        return checked(data_files.read(path), str(path))
    if preset not in PRESETS:
        raise ValueError(f"the presets are {', '.join(PRESETS)}, not {shown(preset)}")
    return _preset(preset)


@cache
def _preset(preset: str) -> Numbers:
    return load(path=FOLDER / PRESETS[preset])


def checked(text: str, file: str) -> Numbers:
    """The numbers in a text. `file` is its name, for errors. Raises DataError."""
    numbers = data_files.numbers(text, file, MOST_PLAYERS, ENTRIES)
    fewest, most = numbers.players
    for players in range(fewest, most + 1):
        _fit_together(numbers.at(players), players, file)
    return numbers


def _fit_together(found: dict[str, Any], players: int, file: str) -> None:
    """Refuse numbers that are possible alone but not together."""

    def refuse(entry: str, reason: str) -> None:
        raise DataError(file, entry, f"{reason}, with {players} players")

    if sum(found["sides"]) < players:
        refuse("sides", f"{sum(found['sides'])} loyalty cards are too few")
    if found["characters"].bit_count() < players:
        refuse("characters", f"{found['characters'].bit_count()} characters are too few")
    if found["hand"] * players > sum(found["supply"]):
        refuse("hand", f"the supply holds only {sum(found['supply'])} cards")
    for colour, supply, reserve in zip(COLOURS, found["supply"], found["reserve"], strict=True):
        most = LARGEST_OFFER if colour in OFFERED else LARGEST_COUNT
        if supply + reserve > most:
            refuse("reserve", f"{supply + reserve} cards {colour} in all, more than {most}")
    _check_crusade(found, players, refuse)


def _check_crusade(found: dict[str, Any], players: int, refuse: Callable[[str, str], None]) -> None:
    johns_cards, richards_cards = found["sides"]
    for johns in range(max(0, players - richards_cards), min(players, johns_cards) + 1):
        for at, colour in enumerate(COLOURS):
            wanted = (
                found["crusade_base"][at]
                + johns * found["crusade_per_john"][at]
                + (players - johns) * found["crusade_per_richard"][at]
            )
            if wanted > found["reserve"][at]:
                refuse(
                    "crusade_base",
                    f"the Crusade deck takes {wanted} cards {colour} of {found['reserve'][at]}"
                    " in the reserve",
                )
