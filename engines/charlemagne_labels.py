"""Charlemagne: how that which a seat learns is written, and read again (RULES.md, Labels).

>>> label = parse_line("1 rule bribe @0 = - (bbrs)")
>>> label
Label(kind='rule', seat=1, item=None, edge=60, found=False, shown=(2, 1, 1, 0))
>>> line_of(label), text_of(label)
('1 rule bribe @0 = - (bbrs)', '1 bribe @0 = - (bbrs)')
>>> parse_line("0 start b2")
Label(kind='start', seat=0, item=0, edge=2, found=None, shown=None)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cython_core.errors import NotationError
from engines import charlemagne_data, lines

KINDS = charlemagne_data.KINDS
CARDS = charlemagne_data.CARDS
PRIVILEGES = ("mill", "toll", "guild", "armoury")  # by kind
MOST_PLAYERS = charlemagne_data.MOST_PLAYERS
LARGEST_NUMBER = 12  # of pieces in Mercy: half of the largest storage
LARGEST_STORAGE = 2 * LARGEST_NUMBER + 1
DRAWS = ("start", "loot", "harvest", "extra", "alms")
CHANCES = (*DRAWS, "card", "income")
DECISIONS = (
    "lead", "change", "bid", "reward", "rule", "raid", "farmstead", "mercy", "number", "gift",
    "church",
)  # fmt: skip
NODES = (*CHANCES, *DECISIONS)
HIDDEN = "?"
NONE = "-"
INCOME_BASE = 3  # an outcome of `income` has one digit a kind, of at most two pieces


def _action_texts() -> tuple[str, ...]:
    seats = range(MOST_PLAYERS)
    return (
        *CARDS,
        *KINDS,
        "stop",
        "pass",
        *PRIVILEGES,
        *(f"{privilege} @{seat}" for privilege in PRIVILEGES for seat in seats),
        *("defend", "yield", "yield builder"),
        *("hut", "builder"),
        *(f"forage @{seat}" for seat in seats),
        *(f"bribe @{seat}" for seat in seats),
        "end",
        "random",
        "decline",
        *(f"ask @{seat}" for seat in seats),
        *(f"number {pieces}" for pieces in range(1, LARGEST_NUMBER + 1)),
    )


ACTIONS = _action_texts()  # move text by action id
ACTION_IDS = {text: action for action, text in enumerate(ACTIONS)}


class Label(NamedTuple):
    """What a seat learns from a move or an outcome.

    `kind` and `seat`: of the node, the seat -1 if it is nobody's. `item`: the kind of piece that is
    drawn or the card that is dealt; None elsewhere, and where a hidden draw was read from a text,
    which does not say it. `edge`: action id or outcome, None if not seen. `found`: None, or whether
    a bribe found a Knight and a call its piece. `shown`: a storage that was seen, by kind.
    """

    kind: str
    seat: int
    item: int | None
    edge: int | None
    found: bool | None = None
    shown: tuple[int, ...] | None = None


def outcome_text(kind: str, item: int | None, outcome: int) -> str:
    """The text of an outcome of a kind of node; `item` as in a label."""
    if kind == "income" or item is None:
        return pieces_text([outcome // INCOME_BASE**kind % INCOME_BASE for kind in range(4)])
    if kind == "card":
        return f"{CARDS[item]} @{outcome}"
    return f"{KINDS[item]}{outcome}"


def pieces_text(counts: tuple[int, ...] | list[int]) -> str:
    """One letter a piece; the inverse of `pieces_of`."""
    return "".join(kind * count for kind, count in zip(KINDS, counts, strict=True)) or NONE


def pieces_of(text: str) -> tuple[int, ...]:
    """Counts by kind. Raises ValueError."""
    counts = tuple(text.count(kind) for kind in KINDS)
    if pieces_text(counts) != text:
        raise ValueError(f"{quoted(text)}: pieces are letters in the order {KINDS}, or {NONE}")
    return counts


# Writing


def line_of(label: Label) -> str:
    """The line of a record that tells it."""
    return lines.join(lines.prefix(label.kind, label.seat), _said(label)) + _shown(label)


def text_of(label: Label) -> str:
    """RULES.md, Labels: a decision does not say the kind of its node."""
    if label.kind in DECISIONS:
        return f"{label.seat} {_said(label)}{_shown(label)}"
    return line_of(label)


def _said(label: Label) -> str:
    if label.kind in DECISIONS and label.edge is not None:
        return ACTIONS[label.edge]
    if label.edge is not None:
        return outcome_text(label.kind, label.item, label.edge)
    if label.kind == "card" and label.item is not None:
        return f"{CARDS[label.item]} {HIDDEN}"
    return HIDDEN


def _shown(label: Label) -> str:
    text = ""
    if label.found is not None:
        text = " = k" if label.found else f" = {NONE}"
    if label.shown is not None:
        text += f" ({pieces_text(label.shown)})"
    return text


# Reading

LINE = re.compile(
    r"(?:(?P<seat>[0-3]) )?(?P<kind>[a-z]+)(?: (?P<said>[^=(]*?))?"
    r"(?: = (?P<found>[k-]))?(?: \((?P<shown>[a-z-]*)\))?"
)


def parse_line(line: str) -> Label:
    """The inverse of `line_of`. Raises NotationError; what fits the game is asked elsewhere."""
    match = LINE.fullmatch(line)
    if match is None or match["kind"] not in NODES:
        raise NotationError(
            f"{quoted(line)} is nothing that a seat learns, such as '0 start b2', '1 loot ?',"
            " 'card war-castle-b ?' or '1 rule bribe @0 = k'"
        )
    kind, said = match["kind"], match["said"] or ""
    if (kind == "card") != (match["seat"] is None):
        raise NotationError(f"{quoted(line)}: a seat comes first, save for a card that is dealt")
    seat = -1 if match["seat"] is None else int(match["seat"])
    item, edge = _edge_of(kind, said)
    found = None if match["found"] is None else match["found"] == "k"
    shown = None if match["shown"] is None else _storage_of(match["shown"])
    _refuse_findings(line, kind, ACTIONS[edge] if kind in DECISIONS and edge else "", found, shown)
    return Label(kind, seat, item, edge, found, shown)


def _edge_of(kind: str, said: str) -> tuple[int | None, int | None]:
    """Item and edge, None where they are not known."""
    if kind == "card":
        return _deal_of(said)
    if kind in CHANCES and said == HIDDEN and kind != "income":
        return None, None
    if kind == "income":
        return None, _income_of(said)
    if kind in DRAWS:
        return _drawn(kind, said)
    # The words of some moves begin with the kind of their node, which a line says once.
    for text in (f"{kind} {said}".strip(), said):
        if text in ACTION_IDS:
            return None, ACTION_IDS[text]
    raise NotationError(f"{quoted(said)} is no move at a node of this kind ({kind})")


def _deal_of(said: str) -> tuple[int, int | None]:
    card, _, seat = said.partition(" ")
    seats = {HIDDEN: None, **{f"@{seat}": seat for seat in range(MOST_PLAYERS)}}
    if card not in CARDS or seat not in seats:
        raise NotationError(f"{quoted(said)}: a card, and then {' '.join(seats)} is wanted")
    return CARDS.index(card), seats[seat]


def _income_of(said: str) -> int:
    try:
        counts = pieces_of(said)
    except ValueError as error:
        raise NotationError(str(error)) from None
    if max(counts) >= INCOME_BASE:
        raise NotationError(f"{quoted(said)}: nobody has so many privileges of a kind")
    return sum(count * INCOME_BASE**kind for kind, count in enumerate(counts))


def _drawn(kind: str, said: str) -> tuple[int, int]:
    letter, number = said[:1], said[1:]
    numbers = {str(pieces): pieces for pieces in range(LARGEST_NUMBER + 1)}
    if not letter or letter not in KINDS or number not in numbers:
        raise NotationError(
            f"{quoted(said)}: {kind} gives a letter of {KINDS} and how many, to {LARGEST_NUMBER}"
        )
    return KINDS.index(letter), numbers[number]


def _storage_of(text: str) -> tuple[int, ...]:
    try:
        counts = pieces_of(text)
    except ValueError as error:
        raise NotationError(str(error)) from None
    if not 0 < sum(counts) <= LARGEST_STORAGE:
        raise NotationError(f"({quoted(text)[1:-1]}): no storage that is seen has so many pieces")
    return counts


def _refuse_findings(
    line: str, kind: str, move: str, found: bool | None, shown: tuple[int, ...] | None
) -> None:
    """What was found belongs to a bribe, or to a call that found nothing."""
    bribes, calls = move.startswith("bribe"), kind == "farmstead" and move != "random"
    if bribes and found is None:
        raise NotationError(f"{quoted(line)}: ' = k' or ' = -' is wanted: what did it find?")
    if found is not None and not bribes and (found or not calls):
        raise NotationError(f"{quoted(line)}: nothing is found by that")
    if shown is not None and (found is not False or not bribes):
        raise NotationError(f"{quoted(line)}: a storage is seen where no Knight is found")
    if shown is not None and shown[KINDS.index("k")]:
        raise NotationError(f"{quoted(line)}: a storage that is seen has no Knight in it")


def quoted(text: str) -> str:
    """For an error message."""
    return ascii(text if len(text) <= 40 else text[:40] + "...")
