"""Charlemagne as one seat sees it, or as it is: first as plain values, then as lines of text."""

from __future__ import annotations

import textwrap

from engines.charlemagne import CARDS, FIRST_YEAR, KINDS, PRIVILEGES, PROBLEMS
from engines.charlemagne_labels import HIDDEN, NONE, pieces_text
from engines.charlemagne_rules import numbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engines.charlemagne import Position

RULES = ("players", "farmstead", "preset")
WAITING = {
    "start": "draws the first pieces",
    "loot": "draws loot",
    "harvest": "draws the harvest",
    "extra": "draws what the stock lacked for privileges",
    "alms": "draws alms",
    "card": "an agenda card is dealt",
    "income": "receives income from privileges",
    "lead": "lays an agenda card",
    "change": "may change the agenda",
    "bid": "bids",
    "reward": "takes a privilege",
    "rule": "rules in Summer",
    "raid": "is raided",
    "farmstead": "calls for the farmstead's piece",
    "mercy": "may ask for Mercy",
    "number": "chooses how much to ask for",
    "gift": "takes a privilege from the King",
    "church": "pays the Church",
}
MOVES_NAMED = 12
WIDTH = 100


def seen(position: Position, start: Position, seat: int | None) -> dict[str, Any]:
    """A position for people. `start`: of its game. `seat`: whose view; None sees everything."""
    node, table = position.node, position.public
    words = start.words or ()
    played_by = numbers(*start.rules)
    mine = seat is None or (node.kind == "decision" and node.seat == seat)
    return {
        "game": "charlemagne",
        "rules": dict(zip(RULES, words, strict=True)) | {"players": len(position.points)},
        "seat": seat,
        "year": position.year,
        "card": _card(table, played_by, node.what),
        "castle": {"built": table["built"], "pieces": list(played_by["castle"])},
        "solved": [CARDS[card] for card in table["solved"]],
        "king": _privileges(table["king"]),
        "winner": table["winner"] if table["solved"] and node.what != "bid" else None,
        "node": node._asdict(),
        "moves": list(position.legal_moves()) if mine else None,
        "returns": position.returns() if position.over else None,
        "stock": _stock(position, played_by, seat),
        "seats": [_seat(position, number, seat) for number in range(len(position.points))],
    }


def _card(table: dict[str, Any], played_by: dict[str, Any], what: str) -> dict[str, Any] | None:
    if table["card"] is None:
        return None
    name = CARDS[table["card"]]
    problem = name.split("-")[0] if "-" in name else PROBLEMS[-1]
    values = dict(zip(KINDS, played_by[f"value_{problem}"], strict=True))
    opener = table["opener"] if what == "change" else None  # later the bidding goes by seats
    return {"name": name, "problem": problem, "values": values, "opener": opener}


def _privileges(counts: list[int]) -> dict[str, int]:
    return dict(zip(PRIVILEGES, counts, strict=True))


def _kinds(counts: list[int]) -> dict[str, int]:
    return dict(zip(KINDS, counts, strict=True))


def _stock(position: Position, played_by: dict[str, Any], seat: int | None) -> dict[str, Any]:
    """To a seat a draw that goes on is as large as when it is over: it sees no piece of it."""
    if seat is None:
        stock = position.piles["stock"]
        return {"pieces": sum(stock), "kinds": _kinds(stock)}
    table = position.public
    elsewhere = sum(table["resources"]) + sum(table["builders"])
    elsewhere += sum(map(sum, table["bids"])) + sum(map(sum, table["raises"]))
    return {"pieces": sum(played_by["pieces"]) - elsewhere, "kinds": None}


def _seat(position: Position, number: int, viewer: int | None) -> dict[str, Any]:
    table, piles = position.public, position.piles
    is_open = viewer is None or viewer == number
    storage, hand = piles["storages"][number], piles["hands"][number]
    return {
        "points": table["points"][number],
        "huts": table["huts"][number],
        "builders": table["builders"][number],
        "privileges": _privileges(table["privileges"][number]),
        "storage": {
            "pieces": sum(storage) if is_open else table["resources"][number],
            "kinds": _kinds(storage) if is_open else None,
        },
        "hand": {
            "cards": len(hand) if is_open else table["hands"][number],
            "held": [CARDS[card] for card in hand] if is_open else None,
        },
        "bid": _kinds(table["bids"][number]),
        "raise": _kinds(table["raises"][number]),
        **{name: table[name][number] for name in ("passed", "plundered", "poor")},
    }


def drawn(view: dict[str, Any]) -> list[str]:
    """Lines of text for a view that `seen` made."""
    rules = view["rules"]
    whose = "" if view["seat"] is None else f", as seat {view['seat']} sees it"
    preset = "of one's own" if rules["preset"].startswith("sha256:") else rules["preset"]
    return [
        f"Charlemagne, {rules['players']} players{whose}",
        f"farmstead {rules['farmstead']}, {preset} game",
        "",
        *_agenda(view),
        "",
        *_seat_table(view),
        "",
        *_hands(view),
        f"King: {_named(view['king'])}   stock: {_heap(view['stock'])}",
        "",
        *_what_now(view),
    ]


def _agenda(view: dict[str, Any]) -> list[str]:
    castle, card = view["castle"], view["card"]
    pieces = castle["pieces"]
    left = " ".join(map(str, pieces[castle["built"] :])) or "nothing"
    lines = [f"year {view['year']} ({view['year'] - FIRST_YEAR + 1}), no card on the table"]
    if card is not None:
        worth = " ".join(f"{kind} {value}" for kind, value in card["values"].items())
        laid = "" if card["opener"] is None else f", laid by seat {card['opener']}"
        lines = [
            f"year {view['year']} ({view['year'] - FIRST_YEAR + 1}), on the table: {card['name']}"
            f"{laid}",
            f"a piece is worth, for {card['problem']}: {worth}",
        ]
    return [
        *lines,
        f"castle: {castle['built']} of {len(pieces)} pieces built; points of those to come: {left}",
        *_wrapped("solved: ", view["solved"] or ["nothing"]),
    ]


def _wrapped(head: str, words: list[str]) -> list[str]:
    return textwrap.wrap(
        head + ", ".join(words),
        WIDTH,
        subsequent_indent=" " * len(head),
        break_on_hyphens=False,
    )


def _named(privileges: dict[str, int]) -> str:
    return " ".join(name for name, count in privileges.items() for _ in range(count)) or NONE


def _pieces(kinds: dict[str, int]) -> str:
    return pieces_text(list(kinds.values()))


def _heap(heap: dict[str, Any]) -> str:
    if heap["kinds"] is None:
        return f"{heap['pieces']} pieces"
    return f"{_pieces(heap['kinds'])} ({heap['pieces']})"


def _seat_table(view: dict[str, Any]) -> list[str]:
    rows = [["seat", "VP", "huts", "builders", "storage", "cards", "bid", "privileges"]]
    for number, seat in enumerate(view["seats"]):
        storage = seat["storage"]
        kinds = HIDDEN * storage["pieces"] or NONE
        if storage["kinds"] is not None:
            kinds = _pieces(storage["kinds"])
        rows.append(
            [
                str(number),
                *(str(seat[name]) for name in ("points", "huts", "builders")),
                f"{kinds} ({storage['pieces']})",
                str(seat["hand"]["cards"]),
                _bid(seat),
                _named(seat["privileges"]),
            ]
        )
    return _table(rows, right=(1, 2, 3, 5))


def _bid(seat: dict[str, Any]) -> str:
    if seat["passed"]:
        return "passed"
    earlier, last = _pieces(seat["bid"]), _pieces(seat["raise"])
    return last if earlier == NONE else f"{earlier} + {last}"


def _table(rows: list[list[str]], right: tuple[int, ...]) -> list[str]:
    """Columns two blanks apart; those in `right` end at the same place."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _hands(view: dict[str, Any]) -> list[str]:
    lines = []
    for number, seat in enumerate(view["seats"]):
        held = seat["hand"]["held"]
        if held:
            lines += _wrapped(f"seat {number} holds ", held)
    return [*lines, ""] if lines else []


def _what_now(view: dict[str, Any]) -> list[str]:
    node, moves = view["node"], view["moves"]
    if node["kind"] == "over":
        best = max(view["returns"])
        wins = [str(seat) for seat, value in enumerate(view["returns"]) if value == best]
        return [f"over, the castle is built; won by seat {' and '.join(wins)}"]
    whose = "" if node["seat"] < 0 else f"seat {node['seat']} "
    lines = [f"next: {whose}{WAITING[node['what']]}"]
    if moves:
        more = [f"and {len(moves) - MOVES_NAMED} more"] if len(moves) > MOVES_NAMED else []
        lines += _wrapped("moves: ", [*moves[:MOVES_NAMED], *more])
    return lines
