"""Charlemagne: from a table that somebody wrote down to what its viewer knows.

A table may be nonsense; what comes out of `knowledge` cannot be.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from cython_core.charlemagne_knowledge import Knowledge
from cython_core.errors import IllegalPosition
from engines.charlemagne import Position
from engines.charlemagne_labels import CARDS, KINDS
from engines.charlemagne_rules import HUTS_PER_HARVEST, is_castle_card, numbers
from engines.charlemagne_table import Seat, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NO_CARD = len(CARDS)
MILLENNIUM_TWIN = CARDS.index("unrest-privilege-s")  # in all but its name the same
CHURCHLESS = ("lead", "change", "bid", "reward")  # storages are within the limit then
SERF = KINDS.index("s")


def options(start: Position) -> dict[str, bool]:
    """Which keys a table has does not depend on options."""
    return {}


def knowledge(start: Position, table: Table, viewer: int) -> Knowledge:
    """What a seat knows that sees this table. Raises IllegalPosition with every reason."""
    reasons = problems(start, table, viewer)
    if reasons:
        raise IllegalPosition(tuple(reasons))
    state = start.to_core()
    seat, kind = table.next
    if not state.set_table(_fields(start, table, viewer), kind, seat):
        raise IllegalPosition((f"next: seat {seat} has no decision of this kind ({kind}) then",))
    known = [row.storage for row in table.seats]
    known_cards = [_bits(row.hand) for row in table.seats]
    return Knowledge(state, viewer, _hidden(start, table, viewer), known, known_cards)


def problems(start: Position, table: Table, viewer: int) -> list[str]:
    """Everything that cannot be about a table."""
    found = numbers(*start.rules)
    return [
        *_card_problems(found, table, viewer),
        *_seat_problems(found, table),
        *_piece_problems(start, found, table, viewer),
        *_ROUND_PROBLEMS[table.next[1]](found, table),
    ]


# Cards


def _on_table(table: Table) -> tuple[int, ...]:
    return () if table.card is None else (table.card,)


def _free_cards(found: dict[str, Any], table: Table) -> list[int]:
    """Cards that nobody is known to hold, neither solved nor on the table."""
    known = {*table.solved, *_on_table(table), *chain.from_iterable(s.hand for s in table.seats)}
    return [card for card in (*found["cards"], found["first_card"]) if card not in known]


def _card_problems(found: dict[str, Any], table: Table, viewer: int) -> list[str]:
    reasons = []
    first, own = found["first_card"], table.seats[viewer]
    named = [
        *table.solved,
        *_on_table(table),
        *chain.from_iterable(seat.hand for seat in table.seats),
    ]
    twice = {card for card in named if named.count(card) > 1}
    reasons += [f"{CARDS[card]} is in two places" for card in sorted(twice)]
    strange = {card for card in named if card not in (*found["cards"], first)}
    reasons += [f"{CARDS[card]} is not in this game" for card in sorted(strange)]
    if own.unseen or own.unknown:
        reasons.append(f"player {viewer}: one's own pieces and cards are known")
    free, unseen = _free_cards(found, table), sum(seat.unseen for seat in table.seats)
    if not twice and not strange and len(free) != unseen:
        reasons.append(
            f"{len(free)} cards are neither solved, on the table nor named in a hand, but other"
            f" hands hold {unseen} that are not named"
        )
    if table.year == 1 and table.next[1] == "bid" and table.card != first:
        reasons.append(f"card: {CARDS[first]} lies on the table in the first year")
    elif table.solved and first not in table.solved:
        reasons.append(f"solved: the first card solved is {CARDS[first]}")
    if table.next[1] == "bid" and table.year == 1 and len({s.cards for s in table.seats}) > 1:
        reasons.append("in the first year all hands are alike in size")
    elif not table.solved and table.next[1] != "bid":
        reasons.append("solved: the first year's card is solved before any such decision")
    return [*reasons, *_castle_problems(found, table)]


def _castle_problems(found: dict[str, Any], table: Table) -> list[str]:
    castle, built = found["castle"], _built(table)
    if built >= len(castle):
        return [f"solved: {built} castle cards, so the game is over"]
    privilege_cards = len(table.solved) - built
    least = privilege_cards + sum(castle[:built])
    most = privilege_cards + sum(castle[:built]) * (found["huts"] // 2 + 1)
    points = sum(seat.points for seat in table.seats)
    if not least <= points <= most:
        return [f"{points} points in all; the cards solved give {least} to {most}"]
    return []


def _built(table: Table) -> int:
    return sum(map(is_castle_card, table.solved))


# Nobles and pieces


def _seat_problems(found: dict[str, Any], table: Table) -> list[str]:
    reasons = []
    for number, seat in enumerate(table.seats):
        if seat.huts > found["huts"]:
            reasons.append(f"player {number}: {seat.huts} huts; there are {found['huts']} for each")
        if seat.builders > min(seat.huts, found["huts"] // 2):
            reasons.append(f"player {number}: {seat.builders} builders are too many")
        if seat.resources > _largest_storage(found, table, number):
            most = _largest_storage(found, table, number)
            reasons.append(f"player {number}: {seat.resources} pieces; at most {most} now")
    for kind, king in enumerate(_king(found, table)):
        if king < 0:
            reasons.append(f"{-king} privileges {KINDS[kind]} too many")
    return reasons


def _largest_storage(found: dict[str, Any], table: Table, number: int) -> int:
    """RULES.md: when a position is valid, and Bounds."""
    limit = int(found["storage_limit"])
    kind, players = table.next[1], len(table.seats)
    if kind in CHURCHLESS:
        return limit - sum(table.bids[number]) - sum(table.raises[number])
    looted = limit + (players - 1) * max(0, int(found["loot"]) - 1)
    if kind == "rule":
        order = _order(table.winner, players)
        return looted if order.index(number) < order.index(table.next[0]) else limit
    called = looted + int(found["farmstead_income"])
    if kind == "farmstead":
        return called
    return called + int(found["huts"]) // HUTS_PER_HARVEST + sum(table.seats[number].privileges)


def _king(found: dict[str, Any], table: Table) -> list[int]:
    """Privileges that nobody holds, by kind."""
    return [
        total - sum(seat.privileges[kind] for seat in table.seats)
        for kind, total in enumerate(found["privileges"])
    ]


def _hidden(start: Position, table: Table, viewer: int) -> list[int]:
    """Pieces by kind that the viewer does not see: all but those that lie open or are its own."""
    hidden = list(start.piles["stock"])
    for pile in (*table.bids, *table.raises, table.seats[viewer].storage):
        hidden = [a - b for a, b in zip(hidden, pile, strict=True)]
    hidden[SERF] -= sum(seat.builders for seat in table.seats)
    return hidden


def _piece_problems(start: Position, found: dict[str, Any], table: Table, viewer: int) -> list[str]:
    hidden = _hidden(start, table, viewer)
    others = [seat for number, seat in enumerate(table.seats) if number != viewer]
    known = [sum(seat.storage[kind] for seat in others) for kind in range(len(KINDS))]
    reasons = [
        f"{shown - there} pieces {KINDS[kind]} too many are shown"
        for kind, (shown, there) in enumerate(zip(known, hidden, strict=True))
        if shown > there
    ]
    held = sum(seat.resources for seat in others)
    if held > sum(hidden):
        reasons.append(f"other storages hold {held} pieces, but only {sum(hidden)} are hidden")
    return reasons


# What the decision itself wants


def _order(first: int, players: int) -> list[int]:
    return [(first + i) % players for i in range(players)]


def _leader(table: Table) -> int | None:
    """§ I.2: the winner, or the next who holds a card; None if nobody does."""
    order = _order(table.winner, len(table.seats))
    return next((seat for seat in order if table.seats[seat].cards), None)


def _lead_problems(found: dict[str, Any], table: Table) -> list[str]:
    leader = _leader(table)
    if leader is None:
        return ["somebody must hold a card to lead"]
    if leader != table.next[0]:
        return [f"next: seat {leader} leads, as the winner or the next after him with a card"]
    return []


def _symbol(card: int) -> int:
    """The kind whose privilege a change of it costs."""
    name = CARDS[card if card != len(CARDS) - 1 else MILLENNIUM_TWIN]
    return KINDS.index(name[-1])


def _change_problems(found: dict[str, Any], table: Table) -> list[str]:
    seat = table.next[0]
    order = _order(table.leader, len(table.seats))
    reasons = []
    before = _order(table.winner, len(table.seats))
    if any(table.seats[s].cards for s in before[: before.index(table.leader)]):
        reasons.append("leader: the winner, or the next after him with a card, leads")
    if seat == table.leader:
        reasons.append("next: the leader is not asked for a change")
    if order.index(table.opener) >= max(1, order.index(seat)):
        reasons.append("opener: who laid the card is the leader, or one who was asked before")
    if table.card is not None and not table.seats[seat].privileges[_symbol(table.card)]:
        reasons.append(f"next: seat {seat} lacks the privilege that a change costs")
    if not table.seats[seat].cards:
        reasons.append(f"next: seat {seat} has no card to change")
    return reasons


def _bid_problems(found: dict[str, Any], table: Table) -> list[str]:
    seat, players, reasons = table.next[0], len(table.seats), []
    if seat in table.passed:
        reasons.append(f"next: seat {seat} has passed")
    if players - len(table.passed) < 2:
        reasons.append("passed: with one noble left the bidding is over")
    for number in range(players):
        if any(table.raises[number]) and number in table.passed:
            reasons.append(f"bid {number}: who has passed has nothing on the board")
        if any(table.bids[number]) and not any(table.raises[number]):
            reasons.append(f"bid {number}: the last raise is at least one piece")
    totals = _totals(found, table)
    made = [total for total in totals if total]
    if len(set(made)) != len(made):
        reasons.append("bids: no two totals are equal")
    if totals[seat] and totals[seat] == max(totals):
        reasons.append(f"next: seat {seat} has the highest total and is not asked")
    return reasons


def _totals(found: dict[str, Any], table: Table) -> list[int]:
    if table.card is None:
        return [0] * len(table.seats)
    card = table.card if table.card != len(CARDS) - 1 else MILLENNIUM_TWIN
    worth = found[f"value_{CARDS[card].split('-')[0]}"]
    return [
        sum((a + b) * value for a, b, value in zip(bid, last, worth, strict=True))
        for bid, last in zip(table.bids, table.raises, strict=True)
    ]


def _reward_problems(found: dict[str, Any], table: Table) -> list[str]:
    reasons = []
    if _built(table) == len(table.solved):
        reasons.append("solved: a reward is for a privilege card, and none is solved")
    if sum(table.seats[table.next[0]].privileges) == sum(found["privileges"]):
        reasons.append(f"next: seat {table.next[0]} has all privileges")
    if not table.seats[table.next[0]].points:
        reasons.append(f"player {table.next[0]}: the point for the card comes before the privilege")
    return reasons


def _rule_problems(found: dict[str, Any], table: Table) -> list[str]:
    seat, reasons = table.next[0], []
    if seat in table.plundered:
        reasons.append("plundered: nobody plunders himself")
    if table.settled and not table.seats[seat].builders:
        reasons.append(f"settled: seat {seat} has no builder")
    return reasons


def _farmstead_problems(found: dict[str, Any], table: Table) -> list[str]:
    if not (found["calls"] and found["farmstead_income"]):
        return ["next: nothing is called for in this game"]
    return []


def _is_poor(seat: Seat) -> bool:
    return seat.huts - seat.builders < HUTS_PER_HARVEST and not any(seat.privileges)


def _mercy_problems(found: dict[str, Any], table: Table) -> list[str]:
    seat, reasons = table.next[0], []
    if seat not in table.poor:
        reasons.append(f"poor: seat {seat} is to ask for Mercy but not among them")
    if table.seats[seat].resources > found["mercy_limit"]:
        reasons.append(f"next: seat {seat} has more than {found['mercy_limit']} pieces")
    for number, row in enumerate(table.seats):
        if number in table.poor and row.huts - row.builders >= HUTS_PER_HARVEST:
            reasons.append(f"poor: seat {number} has two free huts")
        if number not in table.poor and _is_poor(row):
            reasons.append(f"poor: seat {number} has neither two free huts nor a privilege")
    return reasons


_ROUND_PROBLEMS = {
    "lead": _lead_problems,
    "change": _change_problems,
    "bid": _bid_problems,
    "reward": _reward_problems,
    "rule": _rule_problems,
    "farmstead": _farmstead_problems,
    "mercy": _mercy_problems,
}


# For the compiled core


def _bits(members: Iterable[int]) -> int:
    return sum(1 << member for member in members)


def _fields(start: Position, table: Table, viewer: int) -> dict[str, Any]:
    """What `Charlemagne.set_table` takes, as it takes it.

    Numbers: `year` from 1, `card` on the table (25: none), `opener`, `winner`, `first` (the noble
    who begins this round; 0 in a campaign, where turns go by seat), `built`, `settled`. By kind:
    `king`, `stock`. By seat: `points`, `huts`, `builders`; by seat and kind: `privileges`, `bids`,
    `raises`, `storages`. Sets of bits, of cards: `solved`, and by seat `hands`; of seats:
    `passed`, `plundered`, `poor`. Stock, other storages and other hands have the right size; which
    pieces and cards there are beyond those that are known means nothing.
    """
    found = numbers(*start.rules)
    kind, rows = table.next[1], table.seats
    return {
        "year": table.year,
        "card": NO_CARD if table.card is None else table.card,
        "opener": table.opener,
        "winner": table.next[0] if kind == "reward" else table.winner,
        "first": _first(table),
        "built": _built(table),
        "solved": _bits(table.solved),
        "king": _king(found, table),
        "points": [row.points for row in rows],
        "huts": [row.huts for row in rows],
        "builders": [row.builders for row in rows],
        "privileges": [row.privileges for row in rows],
        "bids": table.bids,
        "raises": table.raises,
        "passed": _bits(table.passed),
        "plundered": _bits(table.plundered),
        "settled": table.settled,
        "poor": _bits(_poor(table)),
        "storages": [_any(row.storage, row.unknown) for row in rows],
        "stock": _any((0,) * len(KINDS), _stock(start, table, viewer)),
        "hands": _hands(found, rows, table),
    }


def _first(table: Table) -> int:
    kind = table.next[1]
    if kind in ("lead", "change"):
        return table.next[0] if kind == "lead" else table.leader
    return 0 if kind in ("bid", "reward") else table.winner


def _poor(table: Table) -> list[int]:
    """In the calls of Fall they are those who look it: nothing has changed since it began."""
    if table.next[1] == "farmstead":
        return [number for number, seat in enumerate(table.seats) if _is_poor(seat)]
    return list(table.poor)


def _any(known: Sequence[int], unknown: int) -> list[int]:
    first, *rest = known
    return [first + unknown, *rest]


def _stock(start: Position, table: Table, viewer: int) -> int:
    others = (seat.resources for number, seat in enumerate(table.seats) if number != viewer)
    return sum(_hidden(start, table, viewer)) - sum(others)


def _hands(found: dict[str, Any], rows: Sequence[Seat], table: Table) -> list[int]:
    free = _free_cards(found, table)
    return [_bits((*row.hand, *(free.pop() for _ in range(row.unseen)))) for row in rows]
