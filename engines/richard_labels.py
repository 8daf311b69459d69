"""Richard I: how that which a seat learns is written, and read again (RULES.md, Labels).

>>> label = parse_line("1 player @2 = 3 (bggg)")
>>> label
Label(kind='player', seat=1, edge=21, cards=0, found=3, offers=(), hand=(1, 0, 0, 0, 0, 3))
>>> line_of(label)
'1 player @2 = 3 (bggg)'
>>> line_of(parse_line("2 give ??"))
'2 give ??'
"""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from typing import NamedTuple

from cython_core.errors import NotationError
from engines import lines, richard_data

COLOURS = richard_data.COLOURS
SIDES = ("john", "richard")
CHARACTERS = richard_data.CHARACTERS
MOST_PLAYERS = 8
LARGEST_OFFER = richard_data.LARGEST_OFFER  # all the cards of a colour
LARGEST_GIFT = richard_data.LARGEST_GIFT
COUNSELOR_CARDS, EVENT_CARDS = 14, 18
COLOUR_DRAWS = ("deal", "draw", "reveal")
DRAWS = (*COLOUR_DRAWS, "counselor", "event")
KINDS = (
    *DRAWS, "loyalty", "place", "option", "give", "uncount", "return", "colour", "player",
    "player colour", "offer",
)  # fmt: skip
HIDDEN = "?"
MOST_HAND = 255  # of a colour


def _action_texts() -> tuple[str, ...]:
    gifts = [
        "".join(gift)
        for size in range(LARGEST_GIFT + 1)
        for gift in combinations_with_replacement(COLOURS, size)
    ]
    seats = range(MOST_PLAYERS)
    return (
        *SIDES,
        *CHARACTERS,
        *("1", "2", "none"),
        *COLOURS,
        *(f"@{seat}" for seat in seats),
        *(f"@{seat}{colour}" for seat in seats for colour in COLOURS),
        *(f"offer {cards}" for cards in range(LARGEST_OFFER + 1)),
        *(f"give {gift or '-'}" for gift in gifts),
        *(f"counselor {number}" for number in range(1, COUNSELOR_CARDS + 1)),
        "pass",
        "return",
    )


ACTIONS = _action_texts()  # move text by action id
ACTION_IDS = {text: action for action, text in enumerate(ACTIONS)}


class Label(NamedTuple):
    """What a seat learns from a move or an outcome.

    `kind` and `seat`: of the node, the seat -1 if it is nobody's. `edge`: action id or outcome,
    None if not seen. `cards`: of a contribution. `found`: the number that an inspection gave.
    `offers`: all that are shown at the end of a tournament, in order. `hand`: one that was seen, by
    colour.
    """

    kind: str
    seat: int
    edge: int | None
    cards: int = 0
    found: int | None = None
    offers: tuple[int, ...] = ()
    hand: tuple[int, ...] | None = None


def outcome_text(kind: str, outcome: int) -> str:
    return COLOURS[outcome] if kind in COLOUR_DRAWS else str(outcome)


def line_of(label: Label) -> str:
    """The line of a record that tells it."""
    return lines.join(lines.prefix(label.kind, label.seat), _said(label)) + _shown(label)


def text_of(label: Label) -> str:
    """Without the kind of node: RULES.md, Labels."""
    if label.kind in ("event", "reveal"):
        return f"{label.kind} {_said(label)}"
    if label.kind in ("deal", "draw", "counselor"):
        word = "counselor" if label.kind == "counselor" else "draw"
        return f"{label.seat} {word} {_said(label)}"
    return f"{label.seat} {_said(label)}{_shown(label)}"


def _said(label: Label) -> str:
    if label.edge is None:
        return {"give": "give " + HIDDEN * label.cards, "offer": f"offer {HIDDEN}"}.get(
            label.kind, HIDDEN
        )
    return outcome_text(label.kind, label.edge) if label.kind in DRAWS else ACTIONS[label.edge]


def _shown(label: Label) -> str:
    text = " = " + ",".join(map(str, label.offers)) if label.offers else ""
    if label.found is not None:
        text += f" = {label.found}"
    if label.hand is not None:
        text += f" ({''.join(c * n for c, n in zip(COLOURS, label.hand, strict=True))})"
    return text


LINE = re.compile(
    r"(?:(?P<seat>[0-7]) )?(?P<kind>[a-z]+(?:-[a-z]+)?)(?: (?P<said>[^=(]*?))?"
    r"(?: = (?P<found>[0-9]{1,3}(?:,[0-9]{1,3})*))?(?: \((?P<hand>[a-z]*)\))?"
)


def parse_line(line: str) -> Label:
    """The inverse of `line_of`. Raises NotationError; what fits the game is asked elsewhere."""
    match = LINE.fullmatch(line)
    kind = match["kind"].replace("-", " ") if match else ""
    if match is None or kind not in KINDS:
        raise NotationError(
            f"{_quoted(line)} is nothing that a seat learns, such as '0 deal r', '1 draw ?',"
            " '2 place spy' or '1 player @2 = 3'"
        )
    seat = -1 if match["seat"] is None else int(match["seat"])
    edge, cards = _edge_of(kind, match["said"] or "")
    numbers = tuple(map(int, (match["found"] or "").split(","))) if match["found"] else ()
    is_offer = kind == "offer"
    if len(numbers) > (MOST_PLAYERS if is_offer else 1) or max(numbers, default=0) > MOST_HAND:
        raise NotationError(f"{_quoted(line)}: there is no such number of cards")
    return Label(
        kind,
        seat,
        edge,
        cards,
        None if is_offer or not numbers else numbers[0],
        numbers if is_offer else (),
        None if match["hand"] is None else _hand_of(match["hand"]),
    )


def _edge_of(kind: str, said: str) -> tuple[int | None, int]:
    """The edge, None if it is hidden, and the number of cards of a contribution."""
    if kind == "give" and said and set(said) == {HIDDEN} and len(said) <= LARGEST_GIFT:
        return None, len(said)
    if said == HIDDEN:
        return None, 0
    if kind in DRAWS:
        return _outcome_of(kind, said), 0
    # The words of some moves begin with the kind of their node, which a line says once.
    for text in (f"{kind} {said}".strip(), said):
        if text in ACTION_IDS:
            action = ACTION_IDS[text]
            return action, len(said.strip("-")) if kind == "give" else 0
    raise NotationError(f"{_quoted(said)} is no move at a node of this kind ({kind})")


def _outcome_of(kind: str, said: str) -> int:
    if kind in COLOUR_DRAWS:
        texts = {colour: outcome for outcome, colour in enumerate(COLOURS)}
    else:
        most = COUNSELOR_CARDS if kind == "counselor" else EVENT_CARDS
        texts = {str(number): number for number in range(1, most + 1)}
    if said not in texts:
        raise NotationError(f"{_quoted(said)} is no card of a {kind}; there is {' '.join(texts)}")
    return texts[said]


def _hand_of(text: str) -> tuple[int, ...]:
    counts = tuple(text.count(colour) for colour in COLOURS)
    if sum(counts) != len(text) or text != "".join(
        c * n for c, n in zip(COLOURS, counts, strict=True)
    ):
        raise NotationError(
            f"({_quoted(text)[1:-1]}): a hand is its colours in the order {COLOURS}"
        )
    return counts


def _quoted(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "...")
