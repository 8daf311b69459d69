"""No hidden card of Richard I shows anywhere, and cheats of every kind are caught."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines import knowledge
from engines.knowledge import Knowledge
from engines.richard import COUNSELORS, EVENTS, PRESETS, Position
from tests import leaks
from tests.leaks import HiddenGame, Leak

GAMES = range(24)


def start(luck: Random) -> Position:
    preset = luck.choice((*PRESETS, "full"))
    players = luck.randint(3, 8) if preset == "full" else luck.randint(2, 3)
    return Position.start(players, luck.choice(COUNSELORS), luck.choice(EVENTS), preset=preset)


LINE = re.compile(r"([0-7]) (deal|draw|counselor|give|offer|colour|option|place|player) ?(.*)")


def secrets(lines: list[str], seat: int) -> Iterator[tuple[str, str]]:
    """Cards and counselors of others, their contributions, secret offers and swapped cards."""
    places: dict[str, str] = {}
    secret_offers = False
    swapped, insiders = 0, set[str]()
    for line in lines:
        match = LINE.fullmatch(line)
        if match is None:
            continue
        who, kind, said = match.groups()
        if kind == "place":
            places[who] = said
        if kind == "option":
            secret_offers = said == "2" and places[who] == "arms"
            swapped, insiders = (2, {who}) if said == "counselor 10" else (0, set())
        elif kind == "player" and swapped == 2:
            insiders.add(said[1])
        elif kind == "colour" and swapped:
            swapped -= 1
            if str(seat) not in insiders:
                yield line, r"[0-7] colour \?"
        if who == str(seat):
            continue
        if kind in ("deal", "draw", "counselor"):
            yield line, rf"[0-7] {kind} \?"
        if kind == "give":
            yield line, r"[0-7] give (-|\?{1,3})"
        if kind == "offer" and secret_offers:
            yield line, r"[0-7] offer \?( = [0-9,]+)?"


RICHARD = HiddenGame(
    start=start,
    knowledge=knowledge.of,
    text=lambda position, seat: str(knowledge.of(position, seat)),
    sample=lambda position, seat, seed: knowledge.of(position, seat).sample(seed),
    complete=lambda position, seat, seed: knowledge.of(position, seat).complete(seed),
    info_key=lambda position, seat: position.info_key(seat),
    view_key=lambda position, seat: position.view_key(seat),
    secrets=secrets,
    said=lambda label: re.split(r" [=(]", label)[0],
)


def moments(seeds: range = GAMES, share: float = 0.04) -> Iterator[tuple[Any, int]]:
    for seed in seeds:
        yield from leaks.moments(RICHARD, seed, share)


# The laws


def test_samples_depend_on_knowledge_and_seed_alone() -> None:
    different = [leaks.samples_come_from_knowledge(RICHARD, *moment) for moment in moments()]
    assert len(different) > 100
    assert sum(different) > 0.8 * len(different)


def test_no_record_holds_what_its_seat_did_not_see() -> None:
    assert sum(leaks.records_hide(RICHARD, *moment) for moment in moments()) > 1000


def test_shuffled_hidden_cards_are_not_noticed() -> None:
    for moment in moments():
        leaks.shuffles_are_unseen(RICHARD, *moment)


def test_a_sample_keeps_what_its_seat_knows() -> None:
    for moment in moments():
        leaks.samples_keep_what_is_known(RICHARD, *moment)


def test_information_keys_are_records() -> None:
    again = 0
    for position, seat in moments(range(12), 0.02):
        worlds = [position, *(RICHARD.complete(position, seat, seed) for seed in (3, 4))]
        histories = [world for end in worlds for world in (*leaks.past(end), end)]
        again += leaks.keys_are_records(RICHARD, histories, seat)
    assert again > 300


def test_secret_lines_of_every_kind_are_looked_at() -> None:
    """Otherwise the laws would hold for want of secrets."""
    kinds = {
        line.split(" ")[1]
        for position, seat in moments(range(40), 0.02)
        for line, _ in secrets(RICHARD.text(position, seat).splitlines(), seat)
    }
    assert kinds == {"deal", "draw", "counselor", "give", "offer", "colour"}


# Cheats, each of which some law must catch


def hidden_red(position: Any, seat: int) -> int:
    """Red cards in the other hands."""
    hands = position.piles["hands"]
    return sum(hand[4] for other, hand in enumerate(hands) if other != seat)


def truth(position: Any, seat: int, seed: int) -> Position:
    return Position(position.to_core())


def true_past(position: Any, seat: int, seed: int) -> Any:
    """As a sample whose history was not made anew."""
    return position


def seeded_by_truth(position: Any, seat: int, seed: int) -> Any:
    return knowledge.of(position, seat).sample(seed + hidden_red(position, seat))


def lucky_by_truth(position: Any, seat: int, seed: int) -> Any:
    """Picks, of two samples, the one nearer to the truth."""
    known = knowledge.of(position, seat)
    return min(
        (known.sample(seed + index) for index in range(2)),
        key=lambda sample: abs(hidden_red(sample, seat) - hidden_red(position, seat)),
    )


def counted(position: Any, seat: int) -> str:
    return f"{knowledge.of(position, seat)}; {hidden_red(position, seat)}\n"


def unredacted(position: Any, seat: int) -> str:
    """With the contributions of others as they were."""
    given = [position.label(text, position.node.seat) for text in position.legal_moves()[:1]]
    text = str(knowledge.of(position, seat))
    return text.replace("give ??", given[0] if given and "give" in given[0] else "give gg")


class Nosy(Knowledge):
    """Knowledge that is not equal where hidden cards are not."""

    def __init__(self, position: Any, seat: int) -> None:
        known = knowledge.of(position, seat)
        super().__init__(known.start, known._known, known.game)
        self.red = hidden_red(position, seat)

    def _essence(self) -> tuple[Any, ...]:
        return *super()._essence(), self.red


def caught(law: Callable[[HiddenGame, Any, int], object], cheat: HiddenGame) -> None:
    with pytest.raises(Leak):
        everywhere(lambda position, seat: law(cheat, position, seat))


def everywhere(law: Callable[[Any, int], object]) -> None:
    for position, seat in moments(range(8), 0.1):
        law(position, seat)


@pytest.mark.parametrize("sample", [truth, seeded_by_truth, lucky_by_truth])
def test_a_sampler_that_looks_at_the_truth_is_caught(sample: Any) -> None:
    caught(leaks.samples_come_from_knowledge, replace(RICHARD, sample=sample))


def test_a_sample_that_keeps_the_true_past_is_caught() -> None:
    caught(leaks.samples_keep_what_is_known, replace(RICHARD, complete=true_past))


def test_a_count_of_hidden_cards_in_a_record_is_caught() -> None:
    caught(leaks.records_hide, replace(RICHARD, text=counted))


def test_a_secret_line_that_tells_is_caught() -> None:
    caught(leaks.records_hide, replace(RICHARD, text=unredacted))


def test_knowledge_of_hidden_cards_is_caught() -> None:
    caught(leaks.shuffles_are_unseen, replace(RICHARD, knowledge=Nosy))
    caught(leaks.samples_come_from_knowledge, replace(RICHARD, knowledge=Nosy))


@pytest.mark.parametrize("which", ["info_key", "view_key"])
def test_a_key_that_a_hidden_card_is_folded_into_is_caught(which: str) -> None:
    def key(position: Any, seat: int) -> int:
        return int(getattr(position, which)(seat)) ^ hidden_red(position, seat)

    keys: dict[str, Any] = {which: key}
    cheat = replace(RICHARD, **keys)
    caught(leaks.shuffles_are_unseen, cheat)
    caught(leaks.samples_keep_what_is_known, cheat)


def last_alone(position: Any, seat: int) -> int:
    """A key that forgets all but the last thing that was learned."""
    return hash(str(knowledge.of(position, seat)).splitlines()[-1])


def test_a_key_that_forgets_is_caught() -> None:
    cheat = replace(RICHARD, info_key=last_alone)
    with pytest.raises(Leak, match="records of one information key"):
        everywhere(lambda end, seat: leaks.keys_are_records(cheat, leaks.past(end), seat))


def test_a_key_that_tells_more_than_the_record_is_caught() -> None:
    def key(position: Any, seat: int) -> int:
        return int(position.info_key(seat)) ^ hidden_red(position, seat)

    def law(position: Any, seat: int) -> None:
        worlds = [position, RICHARD.complete(position, seat, 1)]
        leaks.keys_are_records(cheat, worlds, seat)

    cheat = replace(RICHARD, info_key=key)
    with pytest.raises(Leak, match="information keys of one record"):
        everywhere(law)
