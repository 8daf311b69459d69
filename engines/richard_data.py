"""The numbers that Richard I is played by: files of them, checked before anything is played.

A file has one entry, a table, for every name in ENTRIES. An entry holds `value`, or `by_players`
with one value for each number of players from the fewest to the most that `players` names; and a
`tag`: R stands in the rulebook, D was derived from it, S comes from another source, H is a house
ruling.

    >>> load().at(players=5)["hand"]
    7
    >>> load("micro").players
    (2, 3)
"""

from __future__ import annotations

import json
import tomllib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cython_core.errors import GameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COLOURS = "bypwrg"  # blue, yellow, purple, white, red, green
CHARACTERS = (
    "exciseman", "inquisitor", "merchant", "spy", "arms", "regent", "chancellor", "bandit",
)  # fmt: skip
TAGS = "RDSH"
FOLDER = Path(__file__).parent / "data"
PRESETS = {"full": "richard.toml", "mini": "richard_mini.toml", "micro": "richard_micro.toml"}

LARGEST_FILE = 100_000  # bytes
LEAST_PLAYERS, MOST_PLAYERS = 2, 8
LARGEST_COUNT = 255  # what fits a byte
LARGEST_OFFER = 36  # cards of a colour that may be offered: there is no move for more
OFFERED = "yr"
LARGEST_GIFT = 3
MOST_TIME, MOST_ARMY = 12, 10
LAST_SLOW_TURN = 120  # the game ends 12 turns later at the latest: under 2**16 steps in all


class DataError(GameError):
    """A file of numbers that cannot be played by: which file, which entry, and why."""

    def __init__(self, file: str, entry: str, reason: str) -> None:
        self.file = file
        self.entry = entry
        self.reason = reason
        super().__init__(f"{file}: [{entry}]: {reason}" if entry else f"{file}: {reason}")

    def __reduce__(self) -> tuple[type[DataError], tuple[str, str, str]]:
        return type(self), (self.file, self.entry, self.reason)


class Numbers(NamedTuple):
    """A checked file. `players`: the fewest and the most; `values` by entry, one a number of
    players.
    """

    file: str
    players: tuple[int, int]
    values: dict[str, list[Any]]

    @property
    def digest(self) -> str:
        """SHA-256 of the numbers in canonical JSON: of all but the name of the file."""
        return digest({"players": self.players, "values": self.values})

    def at(self, players: int) -> dict[str, Any]:
        """The value of every entry. Raises ValueError."""
        fewest, most = self.players
        if not fewest <= players <= most:
            raise ValueError(f"{fewest} to {most} play by {self.file}, not {players}")
        return {name: values[players - fewest] for name, values in self.values.items()}


def digest(value: Any) -> str:
    """SHA-256, in hexadecimal, of canonical JSON."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def by_digest(digest: str) -> str:
    """The word by which a record names a file of one's own."""
    return f"sha256:{digest}"


class _Wrong(Exception):
    """Why a value will not do."""


def _shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _whole(least: int, most: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _Wrong(f"a whole number is wanted, not {_shown(value)}")
        if not least <= value <= most:
            raise _Wrong(f"must be from {least} to {most}, not {_shown(value)}")
        return value

    return check


def _several(
    count: int, what: str, most: int = LARGEST_COUNT
) -> Callable[[object], tuple[int, ...]]:
    each = _whole(0, most)

    def check(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) != count:
            raise _Wrong(f"{count} numbers are wanted, {what}, not {_shown(value)}")
        return tuple(each(number) for number in value)

    return check


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(f"true or false is wanted, not {_shown(value)}")
    return value


def _characters(value: object) -> int:
    """A set of bits, in the order of CHARACTERS."""
    if not isinstance(value, list):
        raise _Wrong(f"a list of characters is wanted, not {_shown(value)}")
    found = 0
    for name in value:
        if not isinstance(name, str) or name not in CHARACTERS:
            raise _Wrong(f"no character {_shown(name)}; there is {', '.join(CHARACTERS)}")
        bit = 1 << CHARACTERS.index(name)
        if found & bit:
            raise _Wrong(f"{name} stands there twice")
        found |= bit
    return found


_colours = _several(len(COLOURS), "one a colour")

ENTRIES: dict[str, Callable[[object], Any]] = {
    "hand": _whole(0, LARGEST_COUNT),
    "sides": _several(2, "John's and Richard's loyalty cards"),
    "supply": _colours,
    "reserve": _colours,
    "crusade_base": _colours,
    "crusade_per_john": _colours,
    "crusade_per_richard": _colours,
    "characters": _characters,
    "contributed": _whole(0, LARGEST_GIFT),
    "revealed": _whole(0, LARGEST_COUNT),
    "time": _whole(1, MOST_TIME),
    "crusaders": _whole(1, MOST_ARMY),
    "saladin": _whole(1, MOST_ARMY),
    "treasury": _whole(1, LARGEST_COUNT),
    "placing_bonus": _truth,
    "last_slow_turn": _whole(0, LAST_SLOW_TURN),
}


def load(preset: str = "full", path: str | Path | None = None) -> Numbers:
    """The numbers of a preset, or of a user's file. Raises ValueError, which DataError is."""
    if path is not None:
        return _read(Path(path))
    if preset not in PRESETS:
        raise ValueError(f"the presets are {', '.join(PRESETS)}, not {_shown(preset)}")
    return _preset(preset)


@cache
def _preset(preset: str) -> Numbers:
    return _read(FOLDER / PRESETS[preset])


def _read(path: Path) -> Numbers:
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DataError(str(path), "", f"cannot be read: {why}") from error
    if len(data) > LARGEST_FILE:
        raise DataError(str(path), "", f"larger than it may be ({LARGEST_FILE:,} bytes)")
    try:
        return checked(data.decode("utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise DataError(str(path), "", f"not UTF-8 text at byte {error.start}") from error


def checked(text: str, file: str) -> Numbers:
    """The numbers in a text. `file` is its name, for errors. Raises DataError."""
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(file, "", f"not a TOML file: {_reason(error)}") from error
    for name in tables:
        if name not in ENTRIES and name != "players":
            raise DataError(file, _name(name), f"no such entry; there is {', '.join(ENTRIES)}")
    for name in ("players", *ENTRIES):
        if name not in tables:
            raise DataError(file, name, "missing")
    fewest, most = _players(tables["players"], file)
    count = most - fewest + 1
    values = {name: _values(tables[name], name, count, file) for name in ENTRIES}
    numbers = Numbers(file, (fewest, most), values)
    for players in range(fewest, most + 1):
        _fit_together(numbers.at(players), players, file)
    return numbers


def _reason(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else _shown(str(error))


def _name(text: str) -> str:
    return _shown(text)[1:-1]


def _players(table: object, file: str) -> tuple[int, int]:
    (value,) = _raw(table, "players", 1, file)
    check = _several(2, "the fewest and the most players", MOST_PLAYERS)
    try:
        fewest, most = check(value)
    except _Wrong as wrong:
        raise DataError(file, "players", str(wrong)) from None
    if not LEAST_PLAYERS <= fewest <= most:
        raise DataError(file, "players", f"from {LEAST_PLAYERS} players up, not {_shown(value)}")
    return fewest, most


def _values(table: object, name: str, count: int, file: str) -> list[Any]:
    try:
        return [ENTRIES[name](value) for value in _raw(table, name, count, file)]
    except _Wrong as wrong:
        raise DataError(file, name, str(wrong)) from None


def _raw(table: object, name: str, count: int, file: str) -> list[Any]:
    """One unchecked value for each number of players."""
    if not isinstance(table, dict):
        raise DataError(file, name, "a table with value or by_players, and a tag, is wanted")
    for word in table:
        if word not in ("value", "by_players", "tag"):
            raise DataError(file, name, f"no word {_shown(word)}; there is value, by_players, tag")
    if ("value" in table) == ("by_players" in table):
        raise DataError(file, name, "exactly one of value and by_players is wanted")
    tag = table.get("tag")
    if not isinstance(tag, str) or len(tag) != 1 or tag not in TAGS:
        raise DataError(file, name, f"the tag is one of {' '.join(TAGS)}, not {_shown(tag)}")
    if "value" in table:
        return [table["value"]] * count
    values = table["by_players"]
    if name == "players" or not isinstance(values, list) or len(values) != count:
        raise DataError(file, name, f"by_players wants {count} values, not {_shown(values)}")
    return values


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
