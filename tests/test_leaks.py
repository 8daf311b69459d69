"""Nothing hidden in Richard I or Charlemagne shows, and cheats of every kind are caught."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engines import charlemagne, knowledge, richard
from engines.knowledge import Knowledge
from tests import leaks
from tests.leaks import HiddenGame, Leak


def game_of(
    start: Callable[[Random], Any],
    secrets: Callable[[list[str], int], Iterator[tuple[str, str]]],
) -> HiddenGame:
    return HiddenGame(
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


# Richard I


def start_richard(luck: Random) -> richard.Position:
    preset = luck.choice((*richard.PRESETS, "full"))
    players = luck.randint(3, 8) if preset == "full" else luck.randint(2, 3)
    counselors, events = luck.choice(richard.COUNSELORS), luck.choice(richard.EVENTS)
    return richard.Position.start(players, counselors, events, preset=preset)


LINE = re.compile(r"([0-7]) (deal|draw|counselor|give|offer|colour|option|place|player) ?(.*)")


def secrets_of_richard(lines: list[str], seat: int) -> Iterator[tuple[str, str]]:
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


RICHARD = game_of(start_richard, secrets_of_richard)


# Charlemagne


def start_charlemagne(luck: Random) -> charlemagne.Position:
    preset = luck.choice((*charlemagne.PRESETS, "full"))
    players = luck.randint(2, 4) if preset == "full" else 2
    return charlemagne.Position.start(players, luck.choice(charlemagne.FARMSTEADS), preset=preset)


def secrets_of_charlemagne(lines: list[str], seat: int) -> Iterator[tuple[str, str]]:
    """Pieces that others draw, alms between them, who got which card, what they see at bribes."""
    donor = ""
    for line in lines:
        who, _, said = line.partition(" ")
        kind = said.split(" ")[0]
        if kind == "mercy":
            donor = said[-1]
        if who == "card":
            yield line, rf"card \S+ (\?|@{seat})"
        elif who == str(seat) or (kind == "alms" and donor == str(seat)):
            continue
        elif kind in ("start", "loot", "harvest", "extra", "alms"):
            yield line, rf"[0-3] {kind} \?"
        elif said.startswith("rule bribe"):
            yield line, r"[0-3] rule bribe @[0-3] = [k-]"


CHARLEMAGNE = game_of(start_charlemagne, secrets_of_charlemagne)
GAMES = {"richard": RICHARD, "charlemagne": CHARLEMAGNE}
KINDS_OF_SECRETS = {
    "richard": {"deal", "draw", "counselor", "give", "offer", "colour"},
    "charlemagne": {"start", "loot", "harvest", "extra", "alms", "rule", "card"},
}
SHARE = {"richard": 0.04, "charlemagne": 0.01}  # of all positions of a game


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def game(name: str) -> HiddenGame:
    return GAMES[name]


def moments(name: str, seeds: range = range(24), share: float = 1.0) -> Iterator[tuple[Any, int]]:
    """`share`: as many as usual, or a part of that."""
    for seed in seeds:
        yield from leaks.moments(GAMES[name], seed, SHARE[name] * share)


# The laws


def test_samples_depend_on_knowledge_and_seed_alone(name: str, game: HiddenGame) -> None:
    different = [leaks.samples_come_from_knowledge(game, *moment) for moment in moments(name)]
    assert len(different) > 60
    assert sum(different) > 0.8 * len(different)


def test_no_record_holds_what_its_seat_did_not_see(name: str, game: HiddenGame) -> None:
    assert sum(leaks.records_hide(game, *moment) for moment in moments(name)) > 1000


def test_shuffled_hidden_things_are_not_noticed(name: str, game: HiddenGame) -> None:
    for moment in moments(name):
        leaks.shuffles_are_unseen(game, *moment)


def test_a_sample_keeps_what_its_seat_knows(name: str, game: HiddenGame) -> None:
    for moment in moments(name):
        leaks.samples_keep_what_is_known(game, *moment)


def test_information_keys_are_records(name: str, game: HiddenGame) -> None:
    again = 0
    for position, seat in moments(name, range(12), 0.5):
        worlds = [position, *(game.complete(position, seat, seed) for seed in (3, 4))]
        histories = [world for end in worlds for world in (*leaks.past(end), end)]
        again += leaks.keys_are_records(game, histories, seat)
    assert again > 300


def test_secret_lines_of_every_kind_are_looked_at(name: str, game: HiddenGame) -> None:
    """Otherwise the laws would hold for want of secrets."""
    kinds = {
        "card" if line.startswith("card") else line.split(" ")[1]
        for position, seat in moments(name, range(40), 0.5)
        for line, _ in game.secrets(game.text(position, seat).splitlines(), seat)
    }
    assert kinds == KINDS_OF_SECRETS[name]


# Cheats, each of which some law must catch


def hidden_count(position: Any, seat: int) -> int:
    """Red cards in the other hands; Serfs in the other storages."""
    name, at = {"richard": ("hands", 4), "charlemagne": ("storages", 2)}[position.game]
    return sum(held[at] for other, held in enumerate(position.piles[name]) if other != seat)


def truth(position: Any, seat: int, seed: int) -> Any:
    return type(position)(position.to_core())


def true_past(position: Any, seat: int, seed: int) -> Any:
    """As a sample whose history was not made anew."""
    return position


def seeded_by_truth(position: Any, seat: int, seed: int) -> Any:
    return knowledge.of(position, seat).sample(seed + hidden_count(position, seat))


def lucky_by_truth(position: Any, seat: int, seed: int) -> Any:
    """Picks, of two samples, the one nearer to the truth."""
    known = knowledge.of(position, seat)
    return min(
        (known.sample(seed + index) for index in range(2)),
        key=lambda sample: abs(hidden_count(sample, seat) - hidden_count(position, seat)),
    )


def counted(position: Any, seat: int) -> str:
    return f"{knowledge.of(position, seat)}; {hidden_count(position, seat)}\n"


def unredacted(position: Any, seat: int) -> str:
    """With something of others that was not seen: what they were dealt first, or gave."""
    text = str(knowledge.of(position, seat))
    return re.sub(r"(?m)^(\d (deal|start)) \?$", r"\1 b1", text, count=1)


class Nosy(Knowledge):
    """Knowledge that is not equal where hidden cards are not."""

    def __init__(self, position: Any, seat: int) -> None:
        known = knowledge.of(position, seat)
        super().__init__(known.start, known._known, known.game)
        self.count = hidden_count(position, seat)

    def _essence(self) -> tuple[Any, ...]:
        return *super()._essence(), self.count


def caught(law: Callable[[HiddenGame, Any, int], object], name: str, cheat: HiddenGame) -> None:
    with pytest.raises(Leak):
        everywhere(lambda position, seat: law(cheat, position, seat), name)


def everywhere(law: Callable[[Any, int], object], name: str) -> None:
    for position, seat in moments(name, range(8), 2.5):
        law(position, seat)


@pytest.mark.parametrize("sample", [truth, seeded_by_truth, lucky_by_truth])
def test_a_sampler_that_looks_at_the_truth_is_caught(
    name: str, game: HiddenGame, sample: Any
) -> None:
    caught(leaks.samples_come_from_knowledge, name, replace(game, sample=sample))


def test_a_sample_that_keeps_the_true_past_is_caught(name: str, game: HiddenGame) -> None:
    caught(leaks.samples_keep_what_is_known, name, replace(game, complete=true_past))


def test_a_count_of_hidden_things_in_a_record_is_caught(name: str, game: HiddenGame) -> None:
    caught(leaks.records_hide, name, replace(game, text=counted))


def test_a_secret_line_that_tells_is_caught(name: str, game: HiddenGame) -> None:
    caught(leaks.records_hide, name, replace(game, text=unredacted))


def test_knowledge_of_hidden_things_is_caught(name: str, game: HiddenGame) -> None:
    caught(leaks.shuffles_are_unseen, name, replace(game, knowledge=Nosy))
    caught(leaks.samples_come_from_knowledge, name, replace(game, knowledge=Nosy))


@pytest.mark.parametrize("which", ["info_key", "view_key"])
def test_a_key_that_something_hidden_is_folded_into_is_caught(
    name: str, game: HiddenGame, which: str
) -> None:
    def key(position: Any, seat: int) -> int:
        return int(getattr(position, which)(seat)) ^ hidden_count(position, seat)

    keys: dict[str, Any] = {which: key}
    cheat = replace(game, **keys)
    caught(leaks.shuffles_are_unseen, name, cheat)
    caught(leaks.samples_keep_what_is_known, name, cheat)


def last_alone(position: Any, seat: int) -> int:
    """A key that forgets all but the last thing that was learned."""
    return hash(str(knowledge.of(position, seat)).splitlines()[-1])


def test_a_key_that_forgets_is_caught(name: str, game: HiddenGame) -> None:
    cheat = replace(game, info_key=last_alone)
    with pytest.raises(Leak, match="records of one information key"):
        everywhere(lambda end, seat: leaks.keys_are_records(cheat, leaks.past(end), seat), name)


def test_a_key_that_tells_more_than_the_record_is_caught(name: str, game: HiddenGame) -> None:
    def key(position: Any, seat: int) -> int:
        return int(position.info_key(seat)) ^ hidden_count(position, seat)

    def law(position: Any, seat: int) -> None:
        worlds = [position, game.complete(position, seat, 1)]
        leaks.keys_are_records(cheat, worlds, seat)

    cheat = replace(game, info_key=key)
    with pytest.raises(Leak, match="information keys of one record"):
        everywhere(law, name)
