"""The numbers of Richard I: what a file must hold, and that every bad one is refused by name."""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core import richard as core
from cython_core.errors import GameError
from cython_core.game import perft
from engines import richard_data
from engines.richard import CHARACTERS, PRESETS, Position, numbers
from engines.richard_data import ENTRIES, FOLDER, DataError, checked, load
from tests.cli import examples

FULL = (FOLDER / "richard.toml").read_text("utf-8")


def with_entry(name: str, *lines: str, text: str = FULL) -> str:
    """The full file with another body of one entry; without lines, without the entry."""
    before, _, rest = text.partition(f"[{name}]\n")
    assert rest, name
    _, mark, after = rest.partition("\n[")
    entry = "".join(f"{line}\n" for line in (f"[{name}]", *lines)) if lines else ""
    return before + entry + (mark + after)


def valued(name: str, value: str) -> str:
    return with_entry(name, f"value = {value}", 'tag = "H"')


def refusal(text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        checked(text, "mine.toml")
    assert caught.value.file == "mine.toml"
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    return caught.value


# Laws


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_is_needed_and_may_be_said_again(name: str) -> None:
    error = refusal(with_entry(name))
    assert (error.entry, error.reason) == (name, "missing")
    assert str(error) == f"mine.toml: [{name}]: missing"


@given(st.text() | st.lists(st.sampled_from([*FULL.split("\n"), "[", "value = -1"])).map("\n".join))
@examples(60)
def test_any_text_is_played_by_or_refused(text: str) -> None:
    refusal(text)


@given(
    st.sampled_from(sorted(ENTRIES)),
    st.sampled_from(
        ["-1", "256", "1e3", "0x7fffffffffffffffffff", '"six"', "[]", "[1]", "{}", "nan", "[[1]]",
         "1979-05-27", "[-1, 0, 0, 0, 0, 0]", "[1, 2, 3, 4, 5, 999]", '["regent", 1]']
    ),
)  # fmt: skip
@examples(150)
def test_a_value_of_the_wrong_kind_or_size_is_refused_in_its_entry(name: str, value: str) -> None:
    assert refusal(valued(name, value)).entry == name


# What is refused


@pytest.mark.parametrize(
    ("text", "entry", "told"),
    [
        ("[", "", "not a TOML file"),
        ("a = " + "[" * 5000, "", "not a TOML file"),
        ("x = 1\n" + FULL, "x", "no such entry; there is hand"),
        (FULL + '\n[Hand]\nvalue = 6\ntag = "R"\n', "Hand", "no such entry"),
        (with_entry("players"), "players", "missing"),
        (valued("players", "[3, 9]"), "players", "from 0 to 8, not 9"),
        (valued("players", "[1, 8]"), "players", "from 2 players up"),
        (valued("players", "[5, 4]"), "players", "from 2 players up"),
        (valued("players", "[3, 7]"), "hand", "by_players wants 5 values"),
        (with_entry("hand", "value = 6"), "hand", "the tag is one of R D S H, not None"),
        (with_entry("hand", "value = 6", 'tag = "X"'), "hand", "not 'X'"),
        (with_entry("hand", "value = 6", 'tag = "RD"'), "hand", "not 'RD'"),
        (with_entry("hand", "value = 6", "tag = 1"), "hand", "not 1"),
        (with_entry("hand", 'tag = "H"'), "hand", "exactly one of value and by_players"),
        (with_entry("time", "value = 6", "by_players = [6, 6, 6, 6, 6, 6]", 'tag = "H"'), "time",
         "exactly one of value and by_players"),
        (with_entry("hand", "value = 6", 'tag = "H"', "why = 1"), "hand", "no word 'why'"),
        (with_entry("hand", "by_players = [6, 6, 7]", 'tag = "H"'), "hand", "wants 6 values"),
        (with_entry("hand", "by_players = 6", 'tag = "H"'), "hand", "wants 6 values"),
        (with_entry("hand").replace("[players]", "hand = 6\n[players]"), "hand", "a table with"),
        (valued("hand", "true"), "hand", "a whole number is wanted, not True"),
        (valued("hand", "-1"), "hand", "from 0 to 255, not -1"),
        (valued("supply", "[12, 12, 12, 12, 12]"), "supply", "6 numbers are wanted"),
        (valued("supply", "[12, 12, 12, 12, 12, 256]"), "supply", "from 0 to 255, not 256"),
        (valued("contributed", "4"), "contributed", "from 0 to 3, not 4"),
        (valued("time", "13"), "time", "from 1 to 12, not 13"),
        (valued("time", "0"), "time", "from 1 to 12, not 0"),
        (valued("crusaders", "11"), "crusaders", "from 1 to 10, not 11"),
        (valued("saladin", "11"), "saladin", "from 1 to 10, not 11"),
        (valued("treasury", "256"), "treasury", "from 1 to 255, not 256"),
        (valued("revealed", "256"), "revealed", "from 0 to 255, not 256"),
        (valued("last_slow_turn", "121"), "last_slow_turn", "from 0 to 120, not 121"),
        (valued("placing_bonus", "1"), "placing_bonus", "true or false is wanted, not 1"),
        (valued("characters", '"spy"'), "characters", "a list of characters is wanted"),
        (valued("characters", '["spi"]'), "characters", "no character 'spi'; there is exciseman"),
        (valued("characters", '["spy", "spy"]'), "characters", "spy stands there twice"),
        (valued("characters", '["spy", "arms", "regent"]'), "characters",
         "3 characters are too few, with 4 players"),
        (valued("sides", "[2, 2]"), "sides", "4 loyalty cards are too few, with 5 players"),
        (valued("hand", "13"), "hand", "the supply holds only 72 cards, with 6 players"),
        (valued("reserve", "[12, 12, 12, 12, 25, 24]"), "reserve",
         "37 cards r in all, more than 36"),
        (valued("reserve", "[12, 25, 12, 12, 21, 24]"), "reserve",
         "37 cards y in all, more than 36"),
        (valued("reserve", "[250, 12, 12, 12, 21, 24]"), "reserve", "more than 255"),
        (valued("crusade_base", "[13, 1, 1, 1, 0, 0]"), "crusade_base",
         "takes 13 cards b of 12 in the reserve"),
        (valued("crusade_per_john", "[0, 0, 0, 0, 11, 0]"), "crusade_base", "takes 22 cards r"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_by_is_refused(text: str, entry: str, told: str) -> None:
    error = refusal(text)
    assert error.entry == entry
    assert told in str(error)
    assert isinstance(error, GameError)


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for data, told in (
        (None, "No such file"),
        (b"\xff", "not UTF-8 text at byte 0"),
        (b"#" * 100_001, "larger than it may be"),
    ):
        path = tmp_path / "mine.toml"
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(DataError, match=told) as caught:
            load(path=path)
        assert caught.value.file == str(path)
    with pytest.raises(DataError, match="cannot be read"):
        load(path=tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        load(path="nul\0")


def test_a_counselor_who_adds_a_card_needs_a_move_for_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(valued("contributed", "3"), "utf-8")
    assert numbers(4, "off", cards=path)["contributed"] == 3
    with pytest.raises(DataError, match=r"\[contributed\]: 3 leave no move for a counselor who"):
        Position.start(4, cards=path)
    others = tmp_path / "others.toml"
    house = (FOLDER / "richard_counselors.toml").read_text("utf-8")
    others.write_text(
        house.replace('"contribution"', '"action"').replace('"one more"', '"swap"'), "utf-8"
    )
    assert numbers(4, others, cards=path)["contributed"] == 3
    assert Position.start(4, str(others), cards=path).node.what == "deal"


def test_an_error_survives_pickling() -> None:
    error = refusal(valued("time", "13"))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.entry) == (str(error), "time")


# What is played by


def test_a_users_file_replaces_ours(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(valued("treasury", "5"), "utf-8")
    assert Position.start(3, cards=path).tracks["treasury"] == 5
    assert Position.start(3, preset="micro", cards=str(path)).tracks["treasury"] == 5
    assert Position.start(3).tracks["treasury"] == 8


def test_the_full_game_has_all_characters_and_nobody_can_spoil_our_numbers() -> None:
    assert numbers(8)["characters"] == (1 << len(CHARACTERS)) - 1
    numbers(8)["hand"] = 99
    assert numbers(8)["hand"] == 7
    assert isinstance(numbers(8)["supply"], tuple)


def test_presets_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="the presets are full, mini, micro, not 'tiny'"):
        Position.start(preset="tiny")
    with pytest.raises(ValueError, match="2 to 3 play the micro game, not 4"):
        Position.start(4, preset="micro")
    with pytest.raises(ValueError, match="2 to 8 play by x, not 9"):
        richard_data.Numbers("x", (2, 8), {}).at(9)


def nodes(state: core.Richard) -> int:
    """Of the whole tree: sequences of every length from 0."""
    total = depth = 0
    while count := perft(state, depth):
        total += count
        depth += 1
    return total


@pytest.mark.parametrize(
    ("preset", "players", "size"),
    [("micro", 2, 1_819), ("micro", 3, 6_109), ("mini", 2, 743_593), ("mini", 3, 849_553)],
)
def test_reduced_games_are_as_large_as_they_say(preset: str, players: int, size: int) -> None:
    assert nodes(Position.start(players, "off", preset=preset).to_core()) == size
    assert f"{size:,} " in (FOLDER / richard_data.PRESETS[preset]).read_text("utf-8")


def test_a_walk_through_the_whole_micro_game_ends_everywhere() -> None:
    """Counted without perft; all cards are there at every node."""
    for players, size in ((2, 1_819), (3, 6_109)):
        start = Position.start(players, "off", preset="micro")
        rest, seen, endings = [start], 0, set()
        while rest:
            position = rest.pop()
            seen += 1
            assert everywhere(position) == everywhere(start)
            if position.over:
                endings.add(position.ending)
                assert position.turn == 1
                assert sum(position.returns()) == pytest.approx(0)
            rest += map(position.play, position.outcomes() or position.legal_moves())
        assert seen == size
        assert len(endings) > 1


LARGEST = {
    "hand": "109", "sides": "[8, 8]", "supply": "[255, 36, 255, 255, 0, 255]",
    "reserve": "[0, 0, 0, 0, 36, 0]", "crusade_base": "[0, 0, 0, 0, 4, 0]",
    "crusade_per_john": "[0, 0, 0, 0, 4, 0]", "crusade_per_richard": "[0, 0, 0, 0, 4, 0]",
    "contributed": "3", "revealed": "255", "treasury": "255", "last_slow_turn": "120",
}  # fmt: skip
NONE = dict.fromkeys(("supply", "reserve", "crusade_base"), "[0, 0, 0, 0, 0, 0]")
SMALLEST = {
    **NONE, "crusade_per_john": NONE["supply"], "crusade_per_richard": NONE["supply"],
    "hand": "0", "contributed": "0", "revealed": "0", "last_slow_turn": "0", "treasury": "1",
}  # fmt: skip


@pytest.mark.parametrize("entries", [LARGEST, SMALLEST], ids=["largest", "smallest"])
@pytest.mark.parametrize("players", [3, 8])
def test_the_limits_can_be_played_by(tmp_path: Path, entries: dict[str, str], players: int) -> None:
    text = FULL
    for name, value in entries.items():
        text = with_entry(name, f"value = {value}", 'tag = "H"', text=text)
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    for counselors in ("off",) if entries is LARGEST else ("off", "house"):
        start = position = Position.start(players, counselors, "shuffled", cards=path)
        luck = Random(players)
        while not position.over:
            position = position.play(position.pick(luck.random()))
            assert everywhere(position) == everywhere(start)
        assert sum(position.returns()) == pytest.approx(0)


def everywhere(position: Position) -> list[int]:
    """Cards of each colour."""
    piles = position.piles
    places = [piles[pile] for pile in ("supply", "reserve", "crusade", "revealed")]
    return [sum(counts) for counts in zip(*places, *piles["hands"], strict=True)]


def test_all_presets_are_packed_with_the_code() -> None:
    assert set(PRESETS) == {"full", "mini", "micro"}
    texts = {"richard_counselors.toml", "richard_events.toml"}
    numbers_too = texts | set(richard_data.PRESETS.values())
    assert {path.name for path in FOLDER.glob("richard*.toml")} == numbers_too
