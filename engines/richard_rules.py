"""What a game of Richard I is played by: options, and the numbers and texts they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from engines import richard_cards, richard_data
from engines.data_files import OptionError

EVENTS = ("off", "shuffled", "historical")
COUNSELORS = ("off", "house")


class Rules(NamedTuple):
    """What a game was begun with.

    `counselors`: "house", "off", or a file of texts. `events`: "off", "shuffled" or "historical",
    or a file of texts. `cards`: a file of numbers that replaces those of the preset.
    """

    players: int = 4
    counselors: str | Path = "house"
    events: str | Path = "off"
    preset: str = "full"
    cards: str | Path | None = None


def numbers(
    players: int,
    counselors: str | Path = "house",
    events: str | Path = "off",
    preset: str = "full",
    cards: str | Path | None = None,
) -> dict[str, Any]:
    """What a game of so many players is played by. Raises ValueError, for bad files DataError."""
    loaded = richard_data.load(preset, cards)
    fewest, most = loaded.players
    if not fewest <= players <= most:
        what = "Richard I" if preset == "full" else f"the {preset} game"
        raise OptionError("players", f"{fewest} to {most} play {what}, not {players}")
    counselor_texts = _counselors(counselors)
    event_texts = _events(events)
    order = event_texts.order if event_texts and events not in EVENTS else str(events)
    found = loaded.at(players)
    if found["contributed"] == richard_data.LARGEST_GIFT and _adds_a_card(counselor_texts):
        raise richard_data.DataError(
            loaded.file,
            "contributed",
            f"{richard_data.LARGEST_GIFT} leave no move for a counselor who adds a card: play"
            " without him",
        )
    return (
        found
        | richard_cards.as_numbers(counselor_texts, event_texts)
        | {
            "players": players,
            "counselors": counselor_texts is not None,
            "events": EVENTS.index(order),
        }
    )


def _counselors(chosen: str | Path) -> richard_cards.Counselors | None:
    if chosen == "off":
        return None
    _be_there("counselors", chosen, COUNSELORS)
    return richard_cards.counselors(None if chosen == "house" else chosen)


def _events(chosen: str | Path) -> richard_cards.Events | None:
    if chosen == "off":
        return None
    _be_there("events", chosen, EVENTS)
    return richard_cards.events(None if chosen in EVENTS else chosen)


def _be_there(option: str, chosen: str | Path, words: tuple[str, ...]) -> None:
    """Whoever mistypes a word should hear of the words, and not of a file."""
    if chosen not in words and not Path(chosen).exists():
        raise OptionError(
            option,
            f"{option} are {', '.join(words)} or a file of texts, not {str(chosen)!r}: "
            "there is no such file",
        )


def words(rules: Rules) -> tuple[str, ...]:
    """Number of players, counselors, events, preset as records write them: a file by its content,
    so that the same texts are the same rules wherever they lie.
    """
    counselors, events, preset = str(rules.counselors), str(rules.events), rules.preset
    if counselors not in COUNSELORS:
        counselors = richard_data.by_digest(
            richard_cards.digest(richard_cards.counselors(counselors))
        )
    if events not in EVENTS:
        events = richard_data.by_digest(richard_cards.digest(richard_cards.events(events)))
    if rules.cards is not None:
        preset = richard_data.by_digest(richard_data.load(path=rules.cards).digest)
    return str(rules.players), counselors, events, preset


def _adds_a_card(texts: richard_cards.Counselors | None) -> bool:
    return texts is not None and any(c.when == "contribution" for c in texts.cards["john"].values())
