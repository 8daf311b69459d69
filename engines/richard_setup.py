"""Richard I: from a table that somebody wrote down to what its viewer knows.

A table may be nonsense; what comes out of `knowledge` cannot be.
"""

from __future__ import annotations

from typing import Any

from cython_core.errors import IllegalPosition
from cython_core.richard_knowledge import Knowledge
from engines.richard import Position
from engines.richard_labels import CHARACTERS, COLOURS, COUNSELOR_CARDS, SIDES
from engines.richard_table import NOBODY, TRACKS, Seat, Table

ALL_COUNSELORS = range(1, COUNSELOR_CARDS + 1)


def options(start: Position) -> dict[str, bool]:
    """Which keys a table has."""
    _, counselors, events, _ = start.words or ("", "off", "off", "")
    return {"counselors": counselors != "off", "events": events != "off"}


def knowledge(start: Position, table: Table, viewer: int) -> Knowledge:
    """What a seat knows that sees this table. Raises IllegalPosition with every reason."""
    reasons = problems(start, table, viewer)
    if reasons:
        raise IllegalPosition(tuple(reasons))
    state = start.to_core()
    seat, kind = table.next
    if not state.set_table(_fields(start, table), kind, seat):
        raise IllegalPosition((f"next: seat {seat} has no decision of this kind ({kind}) then",))
    hidden = _hidden(start, table, viewer)
    john, richard = table.played
    known = [seat.hand for seat in table.seats]
    return Knowledge(state, viewer, hidden, known, (_bits(john), _bits(richard)))


def problems(start: Position, table: Table, viewer: int) -> list[str]:
    """Everything that cannot be about a table."""
    return [
        *_turn_problems(table),
        *_card_problems(start, table, viewer),
        *_side_problems(start, table),
        *_character_problems(start, table),
    ]


def _order(start: Position, table: Table) -> list[int]:
    """Seats in turn order."""
    players = len(start.points)
    return [(table.first + i) % players for i in range(players)]


def _turn_problems(table: Table) -> list[str]:
    kind = table.next[1]
    found = []
    if (table.turn == 0) != (kind == "loyalty"):
        found.append("turn: 0 is the setup, where sides are chosen, and only they")
    if kind in ("loyalty", "place", "option", "give") and any(table.revealed):
        found.append(f"revealed: nothing lies open at a decision of this kind ({kind})")
    if any(i > r for i, r in zip(table.ignored, table.revealed, strict=True)):
        found.append("ignored: more cards than were revealed")
    if kind != "return":  # which comes between the comparisons and the end of the turn
        found += [
            f"{track}: at 0 the game is over"
            for track, value in zip(TRACKS, table.tracks, strict=True)
            if value == 0
        ]
    if table.event in table.events_left:
        found.append(f"event: {table.event} cannot be left in the deck too")
    return found


def _card_problems(start: Position, table: Table, viewer: int) -> list[str]:
    found = []
    own = table.seats[viewer]
    if own.unknown or own.unseen:
        found.append(f"player {viewer}: one's own cards are known")
    hidden = _hidden(start, table, viewer)
    found += [
        f"{-cards} cards {colour} too many are shown"
        for colour, cards in zip(COLOURS, hidden, strict=True)
        if cards < 0
    ]
    sizes = table.supply + table.crusade
    sizes += sum(seat.cards for number, seat in enumerate(table.seats) if number != viewer)
    if sizes != sum(hidden):
        found.append(
            f"{sum(hidden)} cards are hidden, but supply, Crusade deck and other hands hold {sizes}"
        )
    return found


def _side_problems(start: Position, table: Table) -> list[str]:
    found = []
    loyalty = start.loyalty_cards
    chosen = _order(start, table) if table.turn else range(table.next[0])
    for number, seat in enumerate(table.seats):
        if (number in chosen) != bool(seat.side):
            found.append(f"player {number}: a side is chosen in turn, before the first turn")
    for which, side in enumerate(SIDES):
        followers = [seat for seat in table.seats if seat.side == side]
        if len(followers) > loyalty[which]:
            found.append(f"{len(followers)} players for {side}, with {loyalty[which]} cards")
        found += _counselor_problems(table, which, followers)
    return found


def _counselor_problems(table: Table, side: int, followers: list[Seat]) -> list[str]:
    known = [number for seat in followers for number in seat.counselors]
    known += table.played[side]
    unseen = sum(seat.unseen for seat in followers)
    if len(set(known)) != len(known):
        return [f"a counselor for {SIDES[side]} is in two places"]
    if len(known) + unseen > COUNSELOR_CARDS:
        return [f"there are no {len(known) + unseen} counselors for {SIDES[side]}"]
    return []


def _character_problems(start: Position, table: Table) -> list[str]:
    seat, kind = table.next
    found = []
    order = _order(start, table)
    placed = [] if not table.turn else order[: order.index(seat)] if kind == "place" else order
    for number, row in enumerate(table.seats):
        if (number in placed) != bool(row.character):
            found.append(f"player {number}: whether there is a character is known from the turn")
        if (table.turn > 1) != bool(row.former):
            found.append(f"player {number}: everybody had a character last turn, from turn 2 on")
    for words in ([s.character for s in table.seats], [s.former for s in table.seats]):
        taken = [word for word in words if word]
        if len(set(taken)) != len(taken):
            found.append("a character is influenced by two players")
        found += [f"{w} is not in play" for w in taken if w not in start.characters_in_play]
    return found


def _hidden(start: Position, table: Table, viewer: int) -> list[int]:
    """Cards by colour that the viewer does not see: all but those that lie open or in its hand."""
    piles, own = start.piles, table.seats[viewer].hand
    return [
        piles["supply"][c] + piles["reserve"][c] - table.reserve[c] - table.revealed[c] - own[c]
        for c in range(len(COLOURS))
    ]


def _bits(numbers: tuple[int, ...]) -> int:
    return sum(1 << number for number in numbers)


def _fields(start: Position, table: Table) -> dict[str, Any]:
    """As `Richard.set_table` takes them: hidden piles of the right size, their colours any."""
    sides = [SIDES.index(seat.side) if seat.side else NOBODY for seat in table.seats]
    return {
        **dict(zip(TRACKS, table.tracks, strict=True)),
        "turn": table.turn,
        "first": table.first,
        "event": table.event,
        "event_deck": _bits(table.events_left),
        "sides": sides,
        "points": [seat.points for seat in table.seats],
        "characters": [_index(seat.character) for seat in table.seats],
        "former": [_index(seat.former) for seat in table.seats],
        "counselors": _held(table, sides),
        "counselor_deck": [_deck(table, side) for side in range(len(SIDES))],
        "loyalty": [start.loyalty_cards[side] - sides.count(side) for side in range(len(SIDES))],
        "supply": _any(table.supply),
        "crusade": _any(table.crusade),
        "reserve": table.reserve,
        "revealed": table.revealed,
        "uncounted": table.ignored,
        "hands": [
            [n + m for n, m in zip(seat.hand, _any(seat.unknown), strict=True)]
            for seat in table.seats
        ],
    }


def _any(cards: int) -> list[int]:
    return [cards, *[0] * (len(COLOURS) - 1)]


def _index(character: str) -> int:
    return CHARACTERS.index(character) if character else NOBODY


def _free(table: Table, side: int) -> list[int]:
    """Counselors of a side that nobody is known to hold or to have played."""
    known = {n for seat in table.seats if seat.side == SIDES[side] for n in seat.counselors}
    return [n for n in ALL_COUNSELORS if n not in known and n not in table.played[side]]


def _held(table: Table, sides: list[int]) -> list[int]:
    """Sets by seat; those that are unknown are any, but as many."""
    free = {side: _free(table, side) for side in range(len(SIDES))}
    held = []
    for seat, side in zip(table.seats, sides, strict=True):
        unseen = [free[side].pop() for _ in range(seat.unseen)] if side in free else []
        held.append(_bits((*seat.counselors, *unseen)))
    return held


def _deck(table: Table, side: int) -> int:
    """As many as are left, whichever these are."""
    unseen = sum(seat.unseen for seat in table.seats if seat.side == SIDES[side])
    free = _free(table, side)
    return _bits(tuple(free[: len(free) - unseen]))
