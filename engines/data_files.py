"""Files of rules in TOML, whichever game they are for: read, checked, and named by what they say.

A file of numbers has one entry, a table, for every name in a game's ENTRIES. An entry holds
`value`, or `by_players` with one value for each number of players from the fewest to the most that
`players` names; and a `tag`: R stands in the rulebook, D was derived from it, S comes from another
source, H is a house ruling.

    >>> whole(0, 6)(7)
    Traceback (most recent call last):
        ...
    engines.data_files.Wrong: must be from 0 to 6, not 7
    >>> shown(16**9000)
    'something too large to be shown'
"""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from cython_core.errors import GameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import TypeAlias

    Check: TypeAlias = Callable[[object], Any]  # the value as it is used; raises Wrong

FOLDER = Path(__file__).parent / "data"
TAGS = "RDSH"
PLAYERS = "players"
LARGEST_FILE = 100_000  # bytes
LONGEST_LINE = 1_000  # characters: reading takes the square of the dots in a key
LONGEST_SHOWN = 60
LEAST_PLAYERS = 2


class OptionError(ValueError):
    """An option that does not exist: `option` is its name."""

    def __init__(self, option: str, reason: str) -> None:
        self.option = option
        super().__init__(reason)


class DataError(GameError):
    """A file that cannot be played by: which file, which entry, and why."""

    def __init__(self, file: str, entry: str, reason: str) -> None:
        self.file = file
        self.entry = entry
        self.reason = reason
        super().__init__(f"{file}: [{entry}]: {reason}" if entry else f"{file}: {reason}")

    def __reduce__(self) -> tuple[type[DataError], tuple[str, str, str]]:
        return type(self), (self.file, self.entry, self.reason)


class Wrong(Exception):
    """Why a value will not do; where it stands is for the caller to say."""


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
        return digest({PLAYERS: self.players, "values": self.values})

    def at(self, players: int) -> dict[str, Any]:
        """The value of every entry. Raises ValueError."""
        fewest, most = self.players
        if not fewest <= players <= most:
            raise ValueError(f"{fewest} to {most} play by {self.file}, not {players}")
        return {name: values[players - fewest] for name, values in self.values.items()}


def digest(value: Any) -> str:
    """SHA-256, in hexadecimal, of canonical JSON."""
    keyed = json.loads(json.dumps(value))  # all keys are texts now, which are sorted alike
    return sha256(json.dumps(keyed, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def by_digest(digest: str) -> str:
    """The word by which a record names a file of one's own."""
    return f"sha256:{digest}"


# Reading


def read(path: str | Path) -> str:
    """The text of a file. Raises DataError."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise DataError(str(path), "", f"cannot be read: {why}") from error
    if len(data) > LARGEST_FILE:
        raise DataError(str(path), "", f"larger than it may be ({LARGEST_FILE:,} bytes)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        reason = f"line {line}: not UTF-8 text at byte {error.start}; save it as UTF-8"
        raise DataError(str(path), "", reason) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tables(text: str, file: str, names: Collection[str]) -> dict[str, Any]:
    """What stands in a text: all these names and no other, unchecked. Raises DataError."""
    if max(map(len, text.split("\n"))) > LONGEST_LINE:
        reason = f"a line has more than {LONGEST_LINE:,} characters"
        raise DataError(file, "", f"not a TOML file that can be read: {reason}")
    try:
        found = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else shown(str(error))
        raise DataError(file, "", f"not a TOML file: {reason}") from error
    exactly(names, found, file)
    return found


def exactly(names: Collection[str], table: Mapping[str, Any], file: str, before: str = "") -> None:
    """Refuse a table that has not these names or has others; `before` stands before its own."""
    there = f"there is {', '.join(names)}"
    for name in table:
        if name not in names:
            raise DataError(file, before + shown(name)[1:-1], f"no such entry; {there}")
    for name in names:
        if name not in table:
            raise DataError(file, before + name, "missing")


def numbers(text: str, file: str, most_players: int, entries: Mapping[str, Check]) -> Numbers:
    """The numbers in a text, each possible alone. `file` is its name. Raises DataError."""
    found = tables(text, file, (*entries, PLAYERS))
    check = _fewest_and_most(most_players)
    ((fewest, most),) = values(found[PLAYERS], PLAYERS, check, 1, file)
    count = most - fewest + 1
    checked = {name: values(found[name], name, entries[name], count, file) for name in entries}
    return Numbers(file, (fewest, most), checked)


def values(table: object, name: str, check: Check, count: int, file: str) -> list[Any]:
    """What an entry holds, checked: one value for each number of players. Raises DataError."""
    try:
        return [check(value) for value in _unchecked(table, name, count)]
    except Wrong as wrong:
        raise DataError(file, name, str(wrong)) from None


def _unchecked(table: object, name: str, count: int) -> list[Any]:
    if not isinstance(table, dict):
        raise Wrong("a table with value or by_players, and a tag, is wanted")
    for word in table:
        if word not in ("value", "by_players", "tag"):
            raise Wrong(f"no word {shown(word)}; there is value, by_players, tag")
    if ("value" in table) == ("by_players" in table):
        raise Wrong("exactly one of value and by_players is wanted")
    tag = table.get("tag")
    if not isinstance(tag, str) or len(tag) != 1 or tag not in TAGS:
        raise Wrong(f"the tag is one of {' '.join(TAGS)}, not {shown(tag)}")
    if "value" in table:
        return [table["value"]] * count
    by_players = table["by_players"]
    if name == PLAYERS or not isinstance(by_players, list) or len(by_players) != count:
        raise Wrong(f"by_players wants {count} values, not {shown(by_players)}")
    return by_players


# Checks of values


def shown(value: object) -> str:
    """Any value for an error message: in ASCII, not too long, and never an error of its own."""
    try:
        text = ascii(value)
    except (ValueError, RecursionError):  # thousands of digits; nested too deeply
        return "something too large to be shown"
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "..."


def whole(least: int, most: int) -> Callable[[object], int]:
    """A whole number in a range."""

    def check(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise Wrong(f"a whole number is wanted, not {shown(value)}")
        if not least <= value <= most:
            raise Wrong(f"must be from {least} to {most}, not {shown(value)}")
        return value

    return check


def several(
    fewest: int, most: int, what: str, each: Callable[[object], int]
) -> Callable[[object], tuple[int, ...]]:
    """A list of `fewest` to `most` numbers."""
    count = str(most) if fewest == most else f"{fewest} to {most}"

    def check(value: object) -> tuple[int, ...]:
        if not isinstance(value, list) or not fewest <= len(value) <= most:
            raise Wrong(f"{count} numbers are wanted, {what}, not {shown(value)}")
        return tuple(each(number) for number in value)

    return check


def truth(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise Wrong(f"true or false is wanted, not {shown(value)}")
    return value


def _fewest_and_most(limit: int) -> Callable[[object], tuple[int, int]]:
    pair = several(2, 2, "the fewest and the most players", whole(0, limit))

    def check(value: object) -> tuple[int, int]:
        fewest, most = pair(value)
        if not LEAST_PLAYERS <= fewest <= most:
            raise Wrong(
                f"from {LEAST_PLAYERS} players up, the fewest first, not {fewest} to {most}"
            )
        return fewest, most

    return check
