"""The numbers of Charlemagne: what a file must hold, and that every bad one is refused by name."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core import charlemagne as core
from cython_core.errors import GameError
from cython_core.game import perft
from engines import charlemagne_data
from engines.charlemagne import CARDS, FARMSTEADS, KINDS, PRESETS, Position, numbers
from engines.charlemagne_data import ENTRIES, checked, load
from engines.charlemagne_rules import OptionError
from engines.data_files import FOLDER, DataError
from tests.cli import examples

FULL = (FOLDER / "charlemagne.toml").read_text("utf-8")
FIFTEEN = "[" + ", ".join(f'"{card}"' for card in CARDS[:15]) + "]"


def with_entry(name: str, *lines: str, text: str = FULL) -> str:
    """The full file with another body of one entry; without lines, without the entry."""
    before, _, rest = text.partition(f"[{name}]")
    assert rest, name
    _, mark, after = rest.partition("\n[")
    entry = "".join(f"{line}\n" for line in (f"[{name}]", *lines)) if lines else ""
    return before + entry + (mark + after)


def valued(name: str, value: str, text: str = FULL) -> str:
    return with_entry(name, f"value = {value}", 'tag = "H"', text=text)


def refusal(text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        checked(text, "mine.toml")
    assert caught.value.file == "mine.toml"
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 700
    return caught.value


# Laws


@pytest.mark.parametrize("name", [*ENTRIES, "players"])
def test_every_entry_is_needed(name: str) -> None:
    error = refusal(with_entry(name))
    assert (error.entry, error.reason) == (name, "missing")


@given(st.text() | st.lists(st.sampled_from([*FULL.split("\n"), "[", "value = -1"])).map("\n".join))
@examples(60)
def test_any_text_is_played_by_or_refused(text: str) -> None:
    refusal(text)


@given(
    st.sampled_from(sorted(ENTRIES)),
    st.sampled_from(
        ["-1", "256", "1e3", "0x7fffffffffffffffffff", '"six"', "[]", "[17]", "{}", "nan", "[[1]]",
         "1979-05-27", "[-1, 0, 0, 0]", "[1, 2, 3, 4, 5, 999]", '["millennium", 1]']
    ),
)  # fmt: skip
@examples(150)
def test_a_value_of_the_wrong_kind_or_size_is_refused_in_its_entry(name: str, value: str) -> None:
    if (name, value) == ("cards", "[]"):
        assert refusal(valued(name, value)).entry == "castle"
    else:
        assert refusal(valued(name, value)).entry == name


# What is refused


@pytest.mark.parametrize(
    ("text", "entry", "told"),
    [
        ("[", "", "not a TOML file"),
        ("x = 1\n" + FULL, "x", "no such entry; there is pieces"),
        (FULL + '\n[Huts]\nvalue = 6\ntag = "R"\n', "Huts", "no such entry"),
        (valued("players", "[2, 5]"), "players", "from 0 to 4, not 5"),
        (valued("players", "[1, 4]"), "players", "from 2 players up"),
        (valued("players", "[4, 2]"), "players", "from 2 players up"),
        (with_entry("huts", "value = 6"), "huts", "the tag is one of R D S H, not None"),
        (valued("pieces", "[17, 16, 16, 16]"), "pieces", "from 0 to 16, not 17"),
        (valued("pieces", "[16, 16, 16]"), "pieces", "4 numbers are wanted, one a kind"),
        (valued("pieces", "[16, 0, 0, 0]"), "pieces", "at least two kinds must have a piece"),
        (valued("privileges", "[3, 2, 2, 2]"), "privileges", "from 0 to 2, not 3"),
        (valued("castle", "[]"), "castle", "1 to 6 numbers are wanted"),
        (valued("castle", "[1, 1, 1, 1, 1, 1, 1]"), "castle", "1 to 6 numbers are wanted"),
        (valued("castle", "[0]"), "castle", "from 1 to 9, not 0"),
        (valued("castle", "[10]"), "castle", "from 1 to 9, not 10"),
        (valued("huts", "7"), "huts", "from 0 to 6, not 7"),
        (valued("huts", "1"), "huts_start", "2 are more than huts, 1, with 2 players"),
        (valued("start", "0"), "start", "from 1 to 8, not 0"),
        (valued("start", "9"), "start", "from 1 to 8, not 9"),
        (valued("pieces", "[8, 8, 8, 7]"), "start", "32 pieces are wanted, there are 31, with 4"),
        (valued("storage_limit", "7"), "start", "8 pieces are more than storage_limit, 7"),
        (valued("storage_limit", "11"), "storage_limit", "from 0 to 10, not 11"),
        (valued("mercy_limit", "6"), "mercy_limit", "from 0 to 5, not 6"),
        (valued("mercy_limit", "5", valued("storage_limit", "9")), "mercy_limit", "half of"),
        (valued("loot", "3"), "loot", "from 0 to 2, not 3"),
        (valued("farmstead_income", "2"), "farmstead_income", "from 0 to 1, not 2"),
        (valued("value_war", "[0, 1, 2, 3]"), "value_war", "from 1 to 9, not 0"),
        (valued("value_unrest", "[1, 2, 3, 10]"), "value_unrest", "from 1 to 9, not 10"),
        (valued("cards", '"millennium"'), "cards", "a list of at most 24 cards is wanted"),
        (valued("cards", '["war"]'), "cards", "no card 'war'; there is war-privilege-b"),
        (valued("cards", '["war-castle-k", "war-castle-b"]'), "cards", "in the order of their ids"),
        (valued("cards", '["war-castle-k", "war-castle-k"]'), "cards", "cards differ"),
        (valued("cards", FIFTEEN), "cards", "15 cards cannot be dealt evenly, with 2 players"),
        (valued("cards", "[]"), "castle", "6 pieces, but 0 castle cards, with 2 players"),
        (valued("first_card", '"war-castle-k"'), "first_card", "war-castle-k is among cards too"),
        (valued("first_card", '"Millennium"'), "first_card", "no card 'Millennium'"),
    ],
)
def test_what_cannot_be_played_by_is_refused(text: str, entry: str, told: str) -> None:
    error = refusal(text)
    assert error.entry == entry
    assert told in str(error)
    assert isinstance(error, GameError)


def test_options_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="the presets are full, mini, micro, not 'tiny'"):
        Position.start(preset="tiny")
    for players in (1, 5):
        with pytest.raises(OptionError, match=f"2 to 4 play Charlemagne, not {players}"):
            Position.start(players)
    with pytest.raises(OptionError, match="2 play the micro game, not 4") as caught:
        Position.start(preset="micro")
    assert caught.value.option == "players"
    with pytest.raises(
        OptionError, match="farmstead is one of random, choice, not 'rnd'"
    ) as caught:
        Position.start(farmstead="rnd")
    assert caught.value.option == "farmstead"


# What is played by


def test_a_users_file_replaces_ours(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(valued("huts_start", "5", valued("players", "[2, 3]")), "utf-8")
    assert Position.start(3, cards=path).public["huts"] == [5, 5, 5]
    assert Position.start(3, preset="micro", cards=str(path)).public["huts"] == [5, 5, 5]
    assert Position.start(3).public["huts"] == [2, 2, 2]
    with pytest.raises(OptionError, match="2 to 3 play by that file, not 4"):
        Position.start(4, cards=path)


def test_nobody_can_spoil_our_numbers() -> None:
    numbers(4)["start"] = 99
    assert numbers(4)["start"] == 8
    assert isinstance(numbers(4)["pieces"], tuple)


def nodes(state: core.Charlemagne) -> int:
    """Of the whole tree: sequences of every length from 0."""
    total = depth = 0
    while count := perft(state, depth):
        total += count
        depth += 1
    return total


@pytest.mark.parametrize(("preset", "size"), [("micro", 7_841), ("mini", 3_192_630)])
@pytest.mark.parametrize("farmstead", FARMSTEADS)
def test_reduced_games_are_as_large_as_they_say(preset: str, size: int, farmstead: str) -> None:
    assert nodes(Position.start(2, farmstead, preset=preset).to_core()) == size
    assert f"{size:,} " in (FOLDER / charlemagne_data.PRESETS[preset]).read_text("utf-8")


@pytest.mark.parametrize(
    ("players", "decisions", "all_nodes"), [(2, 1_909, 2_643), (3, 2_967, 4_056), (4, 4_071, 5_515)]
)
def test_a_game_is_no_longer_than_its_bounds(players: int, decisions: int, all_nodes: int) -> None:
    """RULES.md, Bounds."""
    most, outcomes = Position.start(players, "choice").bounds
    assert (most, most + outcomes) == (decisions, all_nodes)
    fewer, fewer_outcomes = Position.start(players).bounds
    assert (fewer, fewer_outcomes) < (most, outcomes)
    for farmstead in FARMSTEADS:
        position = Position.start(players, farmstead)
        luck = Random(players)
        while not position.over:
            position = position.play(position.pick(luck.random()))
        assert len(position.history) < sum(position.bounds)
    assert Position(position.to_core()).bounds == position.bounds


LARGEST = {
    "pieces": "[16, 16, 16, 16]", "privileges": "[2, 2, 2, 2]", "castle": "[9, 9, 9, 9, 9, 9]",
    "huts": "6", "huts_start": "6", "start": "8", "storage_limit": "10", "mercy_limit": "5",
    "loot": "2", "farmstead_income": "1", "value_war": "[9, 9, 9, 9]",
}  # fmt: skip
SMALLEST = {
    "pieces": "[0, 4, 0, 8]", "privileges": "[0, 0, 0, 0]", "castle": "[1]", "huts": "0",
    "huts_start": "0", "start": "1", "storage_limit": "1", "mercy_limit": "0", "loot": "0",
    "farmstead_income": "0", "cards": "[]", "first_card": '"war-castle-b"',
}  # fmt: skip


@pytest.mark.parametrize("entries", [LARGEST, SMALLEST], ids=["largest", "smallest"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_limits_can_be_played_by(tmp_path: Path, entries: dict[str, str], players: int) -> None:
    text = FULL
    for name, value in entries.items():
        text = valued(name, value, text)
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    for farmstead in FARMSTEADS:
        start = position = Position.start(players, farmstead, cards=path)
        luck = Random(players)
        while not position.over:
            position = position.play(position.pick(luck.random()))
            assert everywhere(position) == everywhere(start)
        assert sum(position.returns()) == pytest.approx(0)
        assert len(position.history) <= sum(position.bounds)


def everywhere(position: Position) -> list[int]:
    """Pieces of each kind."""
    piles = position.piles
    builders = [0, 0, sum(piles["builders"]), 0]
    places = (piles["stock"], *piles["storages"], *piles["bids"], *piles["raises"], builders)
    return [sum(counts) for counts in zip(*places, strict=True)]


def test_all_presets_are_packed_with_the_code() -> None:
    assert set(PRESETS) == {"full", "mini", "micro"}
    assert {path.name for path in FOLDER.glob("charlemagne*.toml")} == set(
        charlemagne_data.PRESETS.values()
    )
    assert len(KINDS) == len(load().at(4)["pieces"])
