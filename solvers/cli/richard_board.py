"""Richard I as one seat sees it, or as it is: first as plain values, then as lines of text."""

from __future__ import annotations

from engines.richard import COLOURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from engines.richard import Position

RULES = ("players", "counselors", "events", "preset")
OPEN = ("reserve", "revealed")  # piles that everybody sees
PILES = ("supply", "reserve", "crusade", "revealed")
TITLES = ("supply", "reserve", "Crusade deck", "revealed")
ENDS = {
    "A": "the Crusaders are beaten",
    "B": "Saladin is beaten",
    "C": "time has run out",
    "D": "the treasury is empty",
}
WAITING = {
    "loyalty": "chooses a side",
    "place": "places the pawn",
    "option": "chooses an option",
    "give": "contributes",
    "uncount": "may play counselor 13",
    "return": "may return a card",
    "colour": "chooses a colour",
    "player": "chooses a player",
    "player colour": "chooses a player and a colour",
    "offer": "makes an offer",
    "deal": "is dealt a card",
    "draw": "draws a card",
    "counselor": "draws a counselor",
    "event": "an event is turned",
    "reveal": "a card of the Crusade deck is turned",
}
MOVES_NAMED = 12


def seen(position: Position, words: tuple[str, ...], seat: int | None) -> dict[str, Any]:
    """A position for people. `words`: of its rules. `seat`: whose view; None sees everything."""
    node = position.node
    rules = dict(zip(RULES, words, strict=True)) | {"players": int(words[0])}
    all_open = seat is None
    mine = all_open or (node.kind == "decision" and node.seat == seat)
    return {
        "game": "richard",
        "rules": rules,
        "seat": seat,
        "turn": position.turn,
        "first": position.first,
        "event": position.event,
        "tracks": position.tracks,
        "node": node._asdict(),
        "moves": list(position.legal_moves()) if mine else None,
        "ending": position.ending,
        "returns": position.returns() if position.over else None,
        "seats": _seats(position, seat),
        **{name: _pile(position.piles[name], all_open or name in OPEN) for name in PILES},
    }


def _pile(counts: list[int], is_open: bool) -> dict[str, Any]:
    colours = dict(zip(COLOURS, counts, strict=True)) if is_open else None
    return {"cards": sum(counts), "colours": colours}


def _seats(position: Position, viewer: int | None) -> list[dict[str, Any]]:
    piles, seats = position.piles, []
    for seat, (now, former) in enumerate(zip(position.characters, position.former, strict=True)):
        is_open = viewer is None or viewer == seat or position.over
        held = piles["counselors"][seat]
        seats.append(
            {
                "side": position.sides[seat],
                "points": position.points[seat],
                "character": now,
                "former": former,
                "hand": _pile(piles["hands"][seat], is_open),
                "counselors": {"count": len(held), "held": held if is_open else None},
            }
        )
    return seats


def drawn(view: dict[str, Any]) -> list[str]:
    """Lines of text for a view that `seen` made."""
    rules, tracks = view["rules"], view["tracks"]
    whose = "" if view["seat"] is None else f", as seat {view['seat']} sees it"
    head = f"Richard I, {rules['players']} players{whose}"
    options = f"counselors {_named(rules['counselors'])}, events {_named(rules['events'])}, "
    options += f"{_named(rules['preset'])} game"
    when = f"turn {view['turn']}" if view["turn"] else "setup"
    event = f", event {view['event']}" if view["event"] else ""
    return [
        head,
        options,
        "",
        f"{when}, first player: seat {view['first']}{event}",
        f"time {tracks['time']}   Crusaders {tracks['crusaders']}   Saladin {tracks['saladin']}"
        f"   treasury {tracks['treasury']}",
        "",
        *_seat_table(view),
        "",
        *_pile_table(view),
        "",
        *_what_now(view),
    ]


def _named(word: str) -> str:
    """A file of somebody's own is known by a digest, which nobody reads."""
    return "of one's own" if word.startswith("sha256:") else word


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


def _seat_table(view: dict[str, Any]) -> list[str]:
    with_counselors = view["rules"]["counselors"] != "off"
    rows = [["seat", "side", "PP", "character", "last turn", "hand", "counselors"]]
    for number, seat in enumerate(view["seats"]):
        counselors, hand = seat["counselors"], seat["hand"]
        held = "?" * counselors["count"] if counselors["held"] is None else _numbers(counselors)
        rows.append(
            [
                str(number),
                seat["side"] or "-",
                str(seat["points"]),
                seat["character"] or "-",
                seat["former"] or "-",
                f"{_hand(hand)} ({hand['cards']})",
                held or "-",
            ]
        )
    return _table([row if with_counselors else row[:-1] for row in rows], right=(2,))


def _numbers(counselors: dict[str, Any]) -> str:
    return " ".join(map(str, counselors["held"]))


def _hand(hand: dict[str, Any]) -> str:
    if hand["colours"] is None:
        return "?" * int(hand["cards"])
    held = "".join(colour * count for colour, count in hand["colours"].items())
    return held or "-"


def _pile_table(view: dict[str, Any]) -> list[str]:
    rows = [["", *COLOURS, "cards"]]
    for name, title in zip(PILES, TITLES, strict=True):
        colours = view[name]["colours"]
        counts = ["?"] * len(COLOURS) if colours is None else map(str, colours.values())
        rows.append([title, *counts, str(view[name]["cards"])])
    return _table(rows, right=tuple(range(1, len(COLOURS) + 2)))


def _what_now(view: dict[str, Any]) -> list[str]:
    node, moves = view["node"], view["moves"]
    if node["kind"] == "over":
        wins = [str(seat) for seat, value in enumerate(view["returns"]) if value > 0]
        best = f"seat {' and '.join(wins)}" if wins else "everybody alike"
        return [f"over, ending {view['ending']}: {ENDS[view['ending']]}; won by {best}"]
    whose = "" if node["seat"] < 0 else f"seat {node['seat']} "
    lines = [f"next: {whose}{WAITING[node['what']]}"]
    if moves:
        more = f" and {len(moves) - MOVES_NAMED} more" if len(moves) > MOVES_NAMED else ""
        lines.append(f"moves: {', '.join(moves[:MOVES_NAMED])}{more}")
    return lines
