"""Lines of a record of a game with chance: seat, kind of node, and what was played or turned.

>>> join(prefix("player colour", 1), "@0b"), join(prefix("offer", 2), "offer 3")
('1 player-colour @0b', '2 offer 3')
>>> join(prefix("reveal", -1), "g")
'reveal g'
"""

from __future__ import annotations


def prefix(kind: str, seat: int) -> str:
    """Seat and kind of a node; no seat where it is nobody's (-1)."""
    kind = kind.replace(" ", "-")
    return kind if seat < 0 else f"{seat} {kind}"


def join(prefix: str, text: str) -> str:
    """The line for a text; the kind is said once where the text begins with it."""
    kind = prefix.rpartition(" ")[2]
    if text.split(" ")[0] == kind:
        return prefix.removesuffix(kind) + text
    return f"{prefix} {text}"
