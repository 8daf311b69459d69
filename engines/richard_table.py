"""Richard I: the table as one seat sees it, as text, for those who kept no record (RULES.md).

    table
    turn 3
    first 2
    next 2 option
    time 10
    ...
    reserve 9 11 11 11 15 18
    supply 43
    crusade 12
    played-john 7
    played-richard -
    player 0 john 1 inquisitor bandit gg???? ?
    player 1 richard -1 merchant - bbyprrrg 4,9

A line of a player: side, points, character of this turn and of last turn, hand, counselors; `-`
where there is none, `?` for what the viewer does not know. Colours by number: b y p w r g.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cython_core.errors import NotationError
from engines.richard_labels import (
    CHARACTERS,
    COLOURS,
    COUNSELOR_CARDS,
    EVENT_CARDS,
    HIDDEN,
    SIDES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engines.richard import Position

WORD = "table"  # the line that begins it
PLAYER = "player"
NONE = "-"
NOBODY = 255
TRACKS = {"time": 12, "crusaders": 10, "saladin": 10, "treasury": 65535}  # and their most
KINDS = ("loyalty", "place", "option", "give", "uncount", "return")
MOST_CARDS = 999
MOST_POINTS = 9999
MOST_TURN = 255


class Seat(NamedTuple):
    """`side` and characters as in the text, empty where there is none. `hand`: known cards by
    colour; `unknown`: how many more. `counselors`: known numbers; `unseen`: how many more.
    """

    side: str
    points: int
    character: str
    former: str
    hand: tuple[int, ...]
    unknown: int
    counselors: tuple[int, ...]
    unseen: int

    @property
    def cards(self) -> int:
        return sum(self.hand) + self.unknown


class Table(NamedTuple):
    """What stands in the text. Piles by colour, `supply` and `crusade` in cards."""

    turn: int
    first: int
    next: tuple[int, str]
    tracks: tuple[int, ...]  # in the order of TRACKS
    event: int
    events_left: tuple[int, ...]
    reserve: tuple[int, ...]
    revealed: tuple[int, ...]
    ignored: tuple[int, ...]
    supply: int
    crusade: int
    played: tuple[tuple[int, ...], tuple[int, ...]]  # counselors, by side
    seats: tuple[Seat, ...]


# Text


def seen(position: Position, viewer: int) -> Table:
    """The table as a seat sees it. Raises ValueError at a node where it cannot be set up again."""
    kind, seat, what = position.node
    if kind != "decision" or what not in KINDS:
        raise ValueError(f"a table cannot be set up at a node of this kind ({what or kind})")
    piles = position.piles
    decks = position.counselor_decks
    seats = []
    for other, hand in enumerate(piles["hands"]):
        own, held = other == viewer, piles["counselors"][other]
        seats.append(
            Seat(
                position.sides[other],
                position.points[other],
                position.characters[other],
                position.former[other],
                tuple(hand) if own else (0,) * len(COLOURS),
                0 if own else sum(hand),
                tuple(held) if own else (),
                0 if own else len(held),
            )
        )
    return Table(
        position.turn,
        position.first,
        (seat, what),
        tuple(position.tracks[track] for track in TRACKS),
        position.event,
        position.events_left,
        tuple(piles["reserve"]),
        tuple(piles["revealed"]),
        position.ignored,
        sum(piles["supply"]),
        sum(piles["crusade"]),
        _played(decks, position.sides, piles["counselors"]),
        tuple(seats),
    )


def _played(
    decks: Sequence[Sequence[int]], sides: Sequence[str], held: Sequence[Sequence[int]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Neither in the deck nor held: by side."""
    john, richard = (
        tuple(
            number
            for number in range(1, COUNSELOR_CARDS + 1)
            if number not in deck
            and not any(number in hand for s, hand in zip(sides, held, strict=True) if s == side)
        )
        for side, deck in zip(SIDES, decks, strict=True)
    )
    return john, richard


def lines_of(table: Table, *, counselors: bool, events: bool) -> list[str]:
    """As text; the inverse of `parse`."""
    none = (0,) * len(COLOURS)
    return [
        WORD,
        f"turn {table.turn}",
        f"first {table.first}",
        f"next {table.next[0]} {table.next[1]}",
        *([f"event {table.event}"] if events else []),
        *([f"events-left {_list(table.events_left)}"] if events else []),
        *(f"{track} {value}" for track, value in zip(TRACKS, table.tracks, strict=True)),
        f"reserve {_counts(table.reserve)}",
        *([f"revealed {_counts(table.revealed)}"] if table.revealed != none else []),
        *([f"ignored {_counts(table.ignored)}"] if table.ignored != none else []),
        f"supply {table.supply}",
        f"crusade {table.crusade}",
        *(
            f"played-{side} {_list(played)}"
            for side, played in zip(SIDES, table.played, strict=True)
            if counselors
        ),
        *(f"{PLAYER} {number} {_seat_text(seat)}" for number, seat in enumerate(table.seats)),
    ]


def _counts(counts: Sequence[int]) -> str:
    return " ".join(map(str, counts))


def _list(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers)) or NONE


def _seat_text(seat: Seat) -> str:
    hand = "".join(c * n for c, n in zip(COLOURS, seat.hand, strict=True)) + HIDDEN * seat.unknown
    counselors = ",".join([*map(str, seat.counselors), *[HIDDEN] * seat.unseen])
    words = (seat.side, str(seat.points), seat.character, seat.former, hand, counselors)
    return " ".join(word or NONE for word in words)


def parse(lines: Sequence[str], players: int, *, counselors: bool, events: bool) -> Table:
    """Read the lines after `table`. Raises NotationError: `line` of it counts from 0."""
    found: dict[str, str] = {}
    wanted = _keys(players, counselors, events)
    for number, line in enumerate(lines):
        key, value = _split(line)
        if key not in wanted:
            raise _wrong(f"no key {_quoted(key)} of a table; there is {', '.join(wanted)}", number)
        if key in found:
            raise _wrong(f"{key} has been given before", number)
        try:
            wanted[key](value)
        except ValueError as error:
            raise _wrong(f"{key}: {error}", number) from None
        found[key] = value
    missing = [key for key in wanted if key not in found and key not in ("revealed", "ignored")]
    if missing:
        raise _wrong(f"the table lacks {', '.join(missing)}", len(lines))
    return _table({key: read(found[key]) for key, read in wanted.items() if key in found}, players)


def _split(line: str) -> tuple[str, str]:
    """Key and value; the number of a player belongs to the key."""
    words = line.split()
    size = 2 if words[0] == PLAYER else 1
    return " ".join(words[:size]), " ".join(words[size:])


class TableError(NotationError):
    """`line`: which one of the table, from 0."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line

    def __reduce__(self) -> tuple[type[TableError], tuple[str, int]]:
        return type(self), (self.message, self.line)


def _wrong(message: str, line: int) -> TableError:
    return TableError(message, line)


def _keys(players: int, counselors: bool, events: bool) -> dict[str, Any]:
    """How the value of each key is read, in their order."""
    last = players - 1
    with_events = {
        "event": lambda text: _number(text, 0, EVENT_CARDS),
        "events-left": lambda text: _numbers(text, EVENT_CARDS),
    }
    return {
        "turn": lambda text: _number(text, 0, MOST_TURN),
        "first": lambda text: _number(text, 0, last),
        "next": lambda text: _next(text, last),
        **(with_events if events else {}),
        **{track: _track(most) for track, most in TRACKS.items()},
        "reserve": _pile,
        "revealed": _pile,
        "ignored": _pile,
        "supply": lambda text: _number(text, 0, MOST_CARDS),
        "crusade": lambda text: _number(text, 0, MOST_CARDS),
        **{
            f"played-{side}": lambda text: _numbers(text, COUNSELOR_CARDS)
            for side in SIDES
            if counselors
        },
        **{f"{PLAYER} {seat}": _seat for seat in range(players)},
    }


def _table(read: dict[str, Any], players: int) -> Table:
    none = (0,) * len(COLOURS)
    return Table(
        read["turn"],
        read["first"],
        read["next"],
        tuple(read[track] for track in TRACKS),
        read.get("event", 0),
        read.get("events-left", ()),
        read["reserve"],
        read.get("revealed", none),
        read.get("ignored", none),
        read["supply"],
        read["crusade"],
        (read.get("played-john", ()), read.get("played-richard", ())),
        tuple(read[f"{PLAYER} {seat}"] for seat in range(players)),
    )


def _number(text: str, least: int, most: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
        raise ValueError(f"a whole number is wanted, not {_quoted(text)}")
    if not least <= int(text) <= most:
        raise ValueError(f"from {least} to {most}, not {text}")
    return int(text)


def _track(most: int) -> Any:
    return lambda text: _number(text, 0, most)


def _numbers(text: str, most: int) -> tuple[int, ...]:
    if text == NONE:
        return ()
    found = tuple(_number(word, 1, most) for word in text.split(",")[: most + 1])
    if len(set(found)) != len(found):
        raise ValueError("a number stands there twice")
    return tuple(sorted(found))


def _pile(text: str) -> tuple[int, ...]:
    words = text.split(" ")
    if len(words) != len(COLOURS):
        raise ValueError(f"six numbers are wanted, one a colour ({COLOURS}), not {_quoted(text)}")
    return tuple(_number(word, 0, MOST_CARDS) for word in words)


def _next(text: str, last: int) -> tuple[int, str]:
    seat, _, kind = text.partition(" ")
    if kind not in KINDS:
        raise ValueError(f"a seat and one of {', '.join(KINDS)}, not {_quoted(text)}")
    return _number(seat, 0, last), kind


def _seat(text: str) -> Seat:
    words = text.split(" ")
    if len(words) != 6:
        raise ValueError("six words are wanted: side, points, two characters, hand, counselors")
    side, points, character, former, hand, counselors = words
    unknown, unseen = hand.count(HIDDEN), counselors.split(",").count(HIDDEN)
    return Seat(
        _word(side, SIDES),
        _number(points, -MOST_POINTS, MOST_POINTS),
        _word(character, CHARACTERS),
        _word(former, CHARACTERS),
        _hand(hand.replace(HIDDEN, "")),
        unknown,
        _numbers(",".join(w for w in counselors.split(",") if w != HIDDEN) or NONE, 14),
        unseen,
    )


def _word(text: str, words: tuple[str, ...]) -> str:
    if text != NONE and text not in words:
        raise ValueError(f"one of {', '.join(words)} or {NONE}, not {_quoted(text)}")
    return "" if text == NONE else text


def _hand(text: str) -> tuple[int, ...]:
    if text.strip(COLOURS) not in ("", NONE) or len(text) > MOST_CARDS:
        raise ValueError(f"a hand is letters of {COLOURS}, {HIDDEN} or {NONE}, not {_quoted(text)}")
    return tuple(text.count(colour) for colour in COLOURS)


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")
