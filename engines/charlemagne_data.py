"""The numbers that Charlemagne is played by: files of them, checked before anything is played.

`data_files` says what such a file looks like; its entries are those of ENTRIES, and `players`.

    >>> load().at(players=3)["storage_limit"]
    10
    >>> CARDS[load().at(players=3)["first_card"]]
    'millennium'
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from engines import data_files
from engines.data_files import FOLDER, DataError, Numbers, Wrong, several, shown, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

KINDS = "brsk"  # barley, riches, serf, knight
PROBLEMS = ("war", "taxes", "disaster", "unrest")
CASTLE_SYMBOLS = ("bk", "rs", "bk", "rs")  # of the castle cards, by problem
CARDS = (
    *(
        f"{problem}-{reward}-{symbol}"
        for problem, castle in zip(PROBLEMS, CASTLE_SYMBOLS, strict=True)
        for reward, symbols in (("privilege", KINDS), ("castle", castle))
        for symbol in symbols
    ),
    "millennium",
)
PRESETS = {
    "full": "charlemagne.toml",
    "mini": "charlemagne_mini.toml",
    "micro": "charlemagne_micro.toml",
}

MOST_PLAYERS = 4
MOST_PIECES = 16  # of a kind: weights and storages of more would not fit
MOST_PRIVILEGES = 2
MOST_CASTLE = 6
MOST_DEALT = 24
LARGEST_VALUE = 9


def _by_kind(least: int, most: int) -> Callable[[object], tuple[int, ...]]:
    return several(len(KINDS), len(KINDS), "one a kind", whole(least, most))


def _card(value: object) -> int:
    if not isinstance(value, str) or value not in CARDS:
        raise Wrong(f"no card {shown(value)}; there is {', '.join(CARDS)}")
    return CARDS.index(value)


def _dealt(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > MOST_DEALT:
        raise Wrong(f"a list of at most {MOST_DEALT} cards is wanted, not {shown(value)}")
    cards = tuple(_card(name) for name in value)
    for card, following in pairwise(cards):
        if card >= following:
            names = f"{CARDS[following]} after {CARDS[card]}"
            raise Wrong(f"cards differ and stand in the order of their ids, not {names}")
    return cards


_value = _by_kind(1, LARGEST_VALUE)

ENTRIES: dict[str, Callable[[object], Any]] = {
    "pieces": _by_kind(0, MOST_PIECES),
    "privileges": _by_kind(0, MOST_PRIVILEGES),
    "castle": several(1, MOST_CASTLE, "the points of its pieces", whole(1, LARGEST_VALUE)),
    "huts": whole(0, 6),
    "huts_start": whole(0, 6),
    "start": whole(1, 8),
    "storage_limit": whole(0, 10),
    "mercy_limit": whole(0, 5),
    "loot": whole(0, 2),
    "farmstead_income": whole(0, 1),
    **{f"value_{problem}": _value for problem in PROBLEMS},
    "cards": _dealt,
    "first_card": _card,
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

    pieces, start, limit = sum(found["pieces"]), found["start"], found["storage_limit"]
    if sum(count > 0 for count in found["pieces"]) < 2:
        refuse("pieces", "at least two kinds must have a piece")
    if players * start > pieces:
        refuse("start", f"{players * start} pieces are wanted, there are {pieces}")
    if start > limit:
        refuse("start", f"{start} pieces are more than storage_limit, {limit}")
    if found["huts_start"] > found["huts"]:
        refuse("huts_start", f"{found['huts_start']} are more than huts, {found['huts']}")
    if 2 * found["mercy_limit"] > limit:
        refuse("mercy_limit", f"{found['mercy_limit']} is more than half of storage_limit, {limit}")
    _check_cards(found, players, refuse)


def _check_cards(found: dict[str, Any], players: int, refuse: Callable[[str, str], None]) -> None:
    dealt, first = found["cards"], found["first_card"]
    if first in dealt:
        refuse("first_card", f"{CARDS[first]} is among cards too")
    if len(dealt) % players:
        refuse("cards", f"{len(dealt)} cards cannot be dealt evenly")
    castle_cards = sum("-castle-" in CARDS[card] for card in (*dealt, first))
    if castle_cards < len(found["castle"]):
        refuse("castle", f"{len(found['castle'])} pieces, but {castle_cards} castle cards")
