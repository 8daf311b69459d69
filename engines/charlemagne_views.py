"""Charlemagne: the table as one seat sees it now, as numbers.

>>> from engines.charlemagne import Position
>>> view = view_of(Position.start(3), 0)
>>> view["huts"], view["king"], sum(len(part) for part in view.values())
([2, 2, 2], [2, 2, 2, 2], 215)
"""

from __future__ import annotations

from engines.charlemagne import CARDS, KINDS, Position
from engines.charlemagne_labels import DRAWS, NODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def view_of(position: Position, seat: int) -> dict[str, list[int]]:
    """Counts as they are, and sets as 0 and 1, part by part; n players, seats from 0.

    `seat` [n] the own one · `node` [18] its kind (`NODES`), all 0 at the end · `to_move` [n] ·
    `drawn` [4] the kind that is drawn now · `dealt` [25] the card that is dealt now · `year` [1]
    from 1 · `card` [25] on the table · `opener` [n] who laid it · `winner` [n] of the last campaign
    · `built` [1] castle pieces · `solved` [25] cards · `king` [4] privileges that nobody holds ·
    `points`, `huts` (with builders and without), `builders` [n] · `privileges` [n, 4] · `bids`,
    `raises` [n, 4] before the last raise, and the last raise · `passed`, `plundered`, `poor` [n] ·
    `first` [n] who begins this round · `settled` [1] whether a builder keeps huts from being built
    · `laid` [4] the kind laid last in this raise or gift to the Church · `donor` [n] of the Mercy
    that goes on · `resources`, `hands` [n] pieces and cards held · `storage` [4] the own one ·
    `hand` [25] the own cards.
    """
    kind, to_move, what = position.node
    table, piles, item = position.public, position.piles, position.item
    players = len(position.points)
    return {
        "seat": _set([seat], players),
        "node": _set([NODES.index(what)] if kind != "over" else [], len(NODES)),
        "to_move": _set([to_move], players),
        "drawn": _set([item] if what in DRAWS else [], len(KINDS)),
        "dealt": _set([item] if what == "card" else [], len(CARDS)),
        "year": [table["year"]],
        "card": _set([table["card"]], len(CARDS)),
        "opener": _set([table["opener"]], players),
        "winner": _set([table["winner"]], players),
        "built": [table["built"]],
        "solved": _set(table["solved"], len(CARDS)),
        "king": table["king"],
        **{name: table[name] for name in ("points", "huts", "builders")},
        **{
            name: [count for counts in table[name] for count in counts]
            for name in ("privileges", "bids", "raises")
        },
        **{name: list(map(int, table[name])) for name in ("passed", "plundered", "poor")},
        "first": _set([table["first"]], players),
        "settled": [int(table["settled"])],
        "laid": _set([table["kind"]], len(KINDS)),
        "donor": _set([table["donor"]], players),
        **{name: table[name] for name in ("resources", "hands")},
        "storage": piles["storages"][seat],
        "hand": _set(piles["hands"][seat], len(CARDS)),
    }


def _set(members: Collection[int | None], of: int) -> list[int]:
    return [int(i in members) for i in range(of)]
