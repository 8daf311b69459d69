"""Charlemagne: the table as one seat sees it, as text, for those who kept no record (RULES.md).

    table
    next 0 rule
    winner 1
    solved taxes-castle-r,disaster-privilege-r
    settled no
    plundered -
    player 0 1 1 0 - rk unrest-castle-r
    player 1 1 2 0 r k? -

A line of a player: points, huts (with builders and without), builders, privileges by the letters of
their kinds, storage, hand; `-` where there is none, `?` for what the viewer does not know. Which
lines stand between `next` and the players depends on the kind of decision.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cython_core.errors import NotationError
from engines.charlemagne_labels import (
    CARDS,
    HIDDEN,
    KINDS,
    LARGEST_STORAGE,
    NONE,
    pieces_of,
    pieces_text,
    quoted,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engines.charlemagne import Position

    Read = Callable[[str], Any]

PLAYER, BID = "player", "bid"
NUMBERED = (PLAYER, BID)  # keys with the number of a player
WORDS = {"no": False, "yes": True}
MOST_POINTS, MOST_HUTS = 255, 6
# The decisions at which a table can be set up, and what must be said of each beside the players.
ASKED: dict[str, tuple[str, ...]] = {
    "lead": ("winner", "solved"),
    "change": ("winner", "solved", "leader", "opener", "card"),
    "bid": ("solved", "card", "passed"),
    "reward": ("solved",),
    "rule": ("winner", "solved", "settled", "plundered"),
    "farmstead": ("winner", "solved"),
    "mercy": ("winner", "solved", "poor"),
}


class Seat(NamedTuple):
    """`privileges`: by kind. `storage`: known pieces by kind; `unknown`: how many more. `hand`:
    known cards by id; `unseen`: how many more.
    """

    points: int
    huts: int
    builders: int
    privileges: tuple[int, ...]
    storage: tuple[int, ...]
    unknown: int
    hand: tuple[int, ...]
    unseen: int

    @property
    def resources(self) -> int:
        return sum(self.storage) + self.unknown

    @property
    def cards(self) -> int:
        return len(self.hand) + self.unseen


class Table(NamedTuple):
    """What stands in the text. What is not asked at this decision is 0, None or empty.

    `winner`: of the last campaign. `leader`: who laid the first card of this Winter. `opener`: who
    laid the one on the table, `card`. `settled`: whether a builder was assigned in this turn, and
    no forage or bribe chosen since. `plundered`: in this turn. `poor`: who had fewer than two free
    huts and no privilege when Fall began. `bids`, `raises`: before the last raise, and that one.
    """

    next: tuple[int, str]
    winner: int
    solved: tuple[int, ...]
    leader: int
    opener: int
    card: int | None
    settled: bool
    plundered: tuple[int, ...]
    passed: tuple[int, ...]
    poor: tuple[int, ...]
    bids: tuple[tuple[int, ...], ...]
    raises: tuple[tuple[int, ...], ...]
    seats: tuple[Seat, ...]

    @property
    def year(self) -> int:
        """From 1: every year solves one card."""
        return len(self.solved) + (self.next[1] in ("lead", "change", "bid"))


# Text


def seen(position: Position, viewer: int) -> Table:
    """The table as a seat sees it. Raises ValueError at a node where it cannot be set up again."""
    kind, seat, what = position.node
    laid = what == "bid" and "pass" not in position.legal_moves()
    if kind != "decision" or what not in ASKED or laid:
        raise ValueError(f"a table cannot be set up at a node of this kind ({what or kind})")
    table, asked = position.public, ASKED[what]
    return Table(
        (seat, what),
        table["winner"] if "winner" in asked else 0,
        tuple(table["solved"]),
        table["first"] if "leader" in asked else 0,
        table["opener"] if "opener" in asked else 0,
        table["card"],
        table["settled"] and "settled" in asked,
        _members(table["plundered"]) if "plundered" in asked else (),
        _members(table["passed"]) if "passed" in asked else (),
        _members(table["poor"]) if "poor" in asked else (),
        tuple(map(tuple, table["bids"])),
        tuple(map(tuple, table["raises"])),
        tuple(_seen_seat(position, other, viewer) for other in range(len(position.points))),
    )


def _seen_seat(position: Position, seat: int, viewer: int) -> Seat:
    table, piles, own = position.public, position.piles, seat == viewer
    return Seat(
        table["points"][seat],
        table["huts"][seat],
        table["builders"][seat],
        tuple(table["privileges"][seat]),
        tuple(piles["storages"][seat]) if own else (0,) * len(KINDS),
        0 if own else table["resources"][seat],
        tuple(piles["hands"][seat]) if own else (),
        0 if own else table["hands"][seat],
    )


def _members(flags: Sequence[bool]) -> tuple[int, ...]:
    return tuple(seat for seat, flag in enumerate(flags) if flag)


def lines_of(table: Table) -> list[str]:
    """As text; the inverse of `parse`."""
    seat, kind = table.next
    said = {
        "winner": str(table.winner),
        "solved": _cards_text(table.solved),
        "leader": str(table.leader),
        "opener": str(table.opener),
        "card": NONE if table.card is None else CARDS[table.card],
        "settled": "yes" if table.settled else "no",
        "plundered": _list_text(table.plundered),
        "passed": _list_text(table.passed),
        "poor": _list_text(table.poor),
    }
    return [
        "table",
        f"next {seat} {kind}",
        *(f"{key} {said[key]}" for key in ASKED[kind]),
        *(
            f"{BID} {number} {pieces_text(bid)} {pieces_text(last)}"
            for number, (bid, last) in enumerate(zip(table.bids, table.raises, strict=True))
            if any(last) or any(bid)
        ),
        *(f"{PLAYER} {number} {_seat_text(row)}" for number, row in enumerate(table.seats)),
    ]


def _list_text(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers)) or NONE


def _cards_text(cards: Sequence[int], unseen: int = 0) -> str:
    return ",".join([*(CARDS[card] for card in cards), *[HIDDEN] * unseen]) or NONE


def _seat_text(seat: Seat) -> str:
    storage = pieces_text(seat.storage).strip(NONE) + HIDDEN * seat.unknown
    return (
        f"{seat.points} {seat.huts} {seat.builders} {pieces_text(seat.privileges)}"
        f" {storage or NONE} {_cards_text(seat.hand, seat.unseen)}"
    )


class TableError(NotationError):
    """`line`: which one of the table, from 0."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line

    def __reduce__(self) -> tuple[type[TableError], tuple[str, int]]:
        return type(self), (self.message, self.line)


def parse(lines: Sequence[str], players: int) -> Table:
    """Read the lines after `table`. Raises TableError: `line` of it counts from 0."""
    split = [_split(line) for line in lines]
    wanted = _keys(players, _kind(split, players))
    found: dict[str, Any] = {}
    for number, (key, value) in enumerate(split):
        if key not in wanted:
            there = ", ".join(wanted)
            raise TableError(f"no key {quoted(key)} of such a table; there is {there}", number)
        if key in found:
            raise TableError(f"{key} has been given before", number)
        try:
            found[key] = wanted[key](value)
        except ValueError as error:
            raise TableError(f"{key}: {error}", number) from None
    missing = [key for key in wanted if key not in found and not key.startswith(f"{BID} ")]
    if missing:
        raise TableError(f"the table lacks {', '.join(missing)}", len(lines))
    return _table(found, players)


def _split(line: str) -> tuple[str, str]:
    """Key and value; the number of a player belongs to the key."""
    words = line.split()
    size = 2 if words and words[0] in NUMBERED else 1
    return " ".join(words[:size]), " ".join(words[size:])


def _kind(split: Sequence[tuple[str, str]], players: int) -> str:
    """Of the decision, which says what else there is."""
    for number, (key, value) in enumerate(split):
        if key == "next":
            try:
                return _next(value, players - 1)[1]
            except ValueError as error:
                raise TableError(f"next: {error}", number) from None
    raise TableError(
        "the table lacks next: a seat and what it decides, such as 'next 0 rule'", len(split)
    )


def _keys(players: int, kind: str) -> dict[str, Read]:
    """How the value of each key is read, in their order."""
    last = players - 1
    readers: dict[str, Read] = {
        **dict.fromkeys(("winner", "leader", "opener"), lambda text: _number(text, 0, last)),
        **dict.fromkeys(("plundered", "passed", "poor"), lambda text: _seats(text, last)),
        "solved": lambda text: _cards(text)[0],
        "card": _card,
        "settled": _truth,
    }
    return {
        "next": lambda text: _next(text, last),
        **{key: readers[key] for key in ASKED[kind]},
        **{f"{BID} {seat}": _bid for seat in range(players) if kind == "bid"},
        **{f"{PLAYER} {seat}": _seat for seat in range(players)},
    }


def _table(found: dict[str, Any], players: int) -> Table:
    none = (0,) * len(KINDS)
    bids = [found.get(f"{BID} {seat}", (none, none)) for seat in range(players)]
    return Table(
        found["next"],
        found.get("winner", 0),
        found["solved"],
        found.get("leader", 0),
        found.get("opener", 0),
        found.get("card"),
        found.get("settled", False),
        found.get("plundered", ()),
        found.get("passed", ()),
        found.get("poor", ()),
        tuple(bid for bid, _ in bids),
        tuple(last for _, last in bids),
        tuple(found[f"{PLAYER} {seat}"] for seat in range(players)),
    )


# Values; all raise ValueError


def _number(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise ValueError(f"a whole number is wanted, not {quoted(text)}")
    if not least <= int(text) <= most:
        raise ValueError(f"from {least} to {most}, not {text}")
    return int(text)


def _seats(text: str, last: int) -> tuple[int, ...]:
    if text == NONE:
        return ()
    found = tuple(_number(word, 0, last) for word in text.split(",")[: last + 2])
    if len(set(found)) != len(found):
        raise ValueError("a seat stands there twice")
    return tuple(sorted(found))


def _next(text: str, last: int) -> tuple[int, str]:
    seat, _, kind = text.partition(" ")
    if kind not in ASKED:
        raise ValueError(f"a seat and one of {', '.join(ASKED)}, not {quoted(text)}")
    return _number(seat, 0, last), kind


def _truth(text: str) -> bool:
    if text not in WORDS:
        raise ValueError(f"one of {', '.join(WORDS)}, not {quoted(text)}")
    return WORDS[text]


def _card(text: str) -> int:
    if text not in CARDS:
        raise ValueError(f"no card {quoted(text)}; cards are named as {CARDS[0]}, {CARDS[-1]}")
    return CARDS.index(text)


def _cards(text: str) -> tuple[tuple[int, ...], int]:
    """Known cards, and how many more."""
    words = [] if text == NONE else text.split(",")[: len(CARDS) + 1]
    found = tuple(sorted(_card(word) for word in words if word != HIDDEN))
    if len(set(found)) != len(found):
        raise ValueError("a card stands there twice")
    if len(words) > len(CARDS):
        raise ValueError(f"there are only {len(CARDS)} cards")
    return found, words.count(HIDDEN)


def _pieces(text: str) -> tuple[tuple[int, ...], int]:
    """Known pieces by kind, and how many more."""
    known = text.rstrip(HIDDEN)
    unknown = len(text) - len(known)
    counts = pieces_of(known or NONE)
    if (known == NONE and unknown) or sum(counts) + unknown > LARGEST_STORAGE or not text:
        raise ValueError(
            f"at most {LARGEST_STORAGE} letters of {KINDS} in that order, then {HIDDEN} for others,"
            f" or {NONE}, not {quoted(text)}"
        )
    return counts, unknown


def _bid(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    words = text.split(" ")
    if len(words) != 2:
        raise ValueError("two words are wanted: what was laid before the last raise, and that one")
    bid, last = map(pieces_of, words)
    if sum(bid) + sum(last) > LARGEST_STORAGE:
        raise ValueError(f"nobody has more than {LARGEST_STORAGE} pieces")
    return bid, last


def _seat(text: str) -> Seat:
    words = text.split(" ")
    if len(words) != 6:
        raise ValueError("six words are wanted: points, huts, builders, privileges, storage, hand")
    points, huts, builders, privileges, storage, hand = words
    known, unknown = _pieces(storage)
    cards, unseen = _cards(hand)
    return Seat(
        _number(points, 0, MOST_POINTS),
        _number(huts, 0, MOST_HUTS),
        _number(builders, 0, MOST_HUTS),
        pieces_of(privileges),
        known,
        unknown,
        cards,
        unseen,
    )
