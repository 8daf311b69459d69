"""What a game of Charlemagne is played by: options, the numbers they stand for, and its length."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from engines import charlemagne_data
from engines.charlemagne_data import CARDS, PROBLEMS
from engines.data_files import OptionError, by_digest

FARMSTEADS = ("random", "choice")
HUTS_PER_HARVEST = 2


class Rules(NamedTuple):
    """What a game was begun with. `cards`: a file of numbers that replaces those of the preset."""

    players: int = 4
    farmstead: str = FARMSTEADS[0]
    preset: str = "full"
    cards: str | Path | None = None


def numbers(
    players: int,
    farmstead: str = FARMSTEADS[0],
    preset: str = "full",
    cards: str | Path | None = None,
) -> dict[str, Any]:
    """What a game of so many players is played by. Raises ValueError, for bad files DataError."""
    loaded = charlemagne_data.load(preset, cards)
    fewest, most = loaded.players
    if not fewest <= players <= most:
        what = "Charlemagne" if preset == "full" else f"the {preset} game"
        what = what if cards is None else "by that file"
        many = str(most) if fewest == most else f"{fewest} to {most}"
        raise OptionError("players", f"{many} play {what}, not {players}")
    if farmstead not in FARMSTEADS:
        raise OptionError(
            "farmstead", f"farmstead is one of {', '.join(FARMSTEADS)}, not {farmstead!r}"
        )
    found = loaded.at(players)
    return found | {
        "players": players,
        "calls": farmstead == "choice",
        "values": [found[f"value_{problem}"] for problem in PROBLEMS],
    }


def words(rules: Rules) -> tuple[str, ...]:
    """Number of players, farmstead, preset as records write them: a file by its content, so that
    the same numbers are the same rules wherever they lie.
    """
    preset = rules.preset
    if rules.cards is not None:
        preset = by_digest(charlemagne_data.load(path=rules.cards).digest)
    return str(rules.players), rules.farmstead, preset


def is_castle_card(card: int) -> bool:
    return "-castle-" in CARDS[card]
