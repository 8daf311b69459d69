"""Richard I: the table as one seat sees it now, as numbers.

>>> from engines.richard import Position
>>> view = view_of(Position.start(3), 0)
>>> view["tracks"], view["hand"], sum(len(part) for part in view.values())
([12, 10, 10, 8], [0, 0, 0, 0, 0, 0], 183)
"""

from __future__ import annotations

from engines.richard import CHARACTERS, COLOURS, SIDES, Position
from engines.richard_labels import COUNSELOR_CARDS, EVENT_CARDS, KINDS

LOOT = 3  # why a colour is chosen: `Position.task`
TRACKS = ("time", "crusaders", "saladin", "treasury")


def view_of(position: Position, seat: int) -> dict[str, list[int]]:
    """Counts as they are, and sets as 0 and 1, part by part; n players, seats from 0.

    `seat` [n] the own one · `node` [15] its kind (`KINDS`), all 0 at the end · `task` [2] what goes
    on there (`Position.task`) · `open` [6] a hand that lies open, for a card to be taken of it ·
    `to_move` [n] · `first` [n] · `turn` [1] · `event`, `events_left` [18] · `tracks` [4] time,
    Crusaders, Saladin, treasury · `points` [n] · `sides` [n, 2] John, Richard · `loyalty` [2] cards
    left · `characters`, `former` [n, 8] · `hand` [6] the own cards by colour · `hands` [n] cards
    held · `counselors` [14] the own · `counselor_counts` [n] · `decks` [2] counselors left ·
    `reserve`, `revealed`, `ignored` [6] by colour · `supply`, `crusade` [1] cards · `offers` [n] as
    far as the seat sees them.
    """
    kind, to_move, what = position.node
    piles, seats = position.piles, range(len(position.points))
    return {
        "seat": _one(seat, len(seats)),
        "node": _one(KINDS.index(what) if kind != "over" else -1, len(KINDS)),
        "task": list(position.task),
        "open": _open_hand(position, seat),
        "to_move": _one(to_move, len(seats)),
        "first": _one(position.first, len(seats)),
        "turn": [position.turn],
        "event": _one(position.event - 1, EVENT_CARDS),
        "events_left": [int(n in position.events_left) for n in range(1, EVENT_CARDS + 1)],
        "tracks": [position.tracks[track] for track in TRACKS],
        "points": list(position.points),
        "sides": _named(position.sides, SIDES),
        "loyalty": list(position.loyalty_cards),
        "characters": _named(position.characters, CHARACTERS),
        "former": _named(position.former, CHARACTERS),
        "hand": piles["hands"][seat],
        "hands": [sum(piles["hands"][other]) for other in seats],
        "counselors": [int(n in piles["counselors"][seat]) for n in range(1, COUNSELOR_CARDS + 1)],
        "counselor_counts": [len(held) for held in piles["counselors"]],
        "decks": [len(deck) for deck in position.counselor_decks],
        "reserve": piles["reserve"],
        "revealed": piles["revealed"],
        "ignored": list(position.ignored),
        "supply": [sum(piles["supply"])],
        "crusade": [sum(piles["crusade"])],
        "offers": position.offers(seat),
    }


def _open_hand(position: Position, seat: int) -> list[int]:
    node, (why, other) = position.node, position.task
    if node.what == "colour" and node.seat == seat and why == LOOT:
        return list(position.piles["hands"][other])
    return [0] * len(COLOURS)


def _one(which: int, of: int) -> list[int]:
    return [int(i == which) for i in range(of)]


def _named(names: tuple[str, ...], words: tuple[str, ...]) -> list[int]:
    return [int(name == word) for name in names for word in words]
