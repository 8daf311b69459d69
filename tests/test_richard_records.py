"""Records of Richard I: text and games are inverse, and whatever is wrong is found and placed."""

from __future__ import annotations

import copy
import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import IllegalMove, NotationError
from engines import records
from engines.records import LARGEST, Record, RecordError, node_prefix, parse, replay, written
from engines.richard import COUNSELORS, EVENTS, PRESETS, Position
from engines.richard_data import FOLDER
from tests.cli import examples

HEAD = "game richard\nplayers 3\ncounselors off\nevents off\npreset full\n"
DEALT = "0 deal b\n" * 6 + "1 deal r\n" * 6 + "2 deal g\n" * 6
CHOSEN = DEALT + "0 loyalty john\n1 loyalty john\n2 loyalty richard\n"


@st.composite
def games(draw: st.DrawFn, longest: int = 150) -> tuple[Record, Position]:
    """A record and the position it was made from, some finished."""
    preset = draw(st.sampled_from(PRESETS))
    players = draw(st.integers(3, 8) if preset == "full" else st.integers(2, 3))
    start = position = Position.start(
        players, draw(st.sampled_from(COUNSELORS)), draw(st.sampled_from(EVENTS)), preset=preset
    )
    luck = Random(draw(st.integers(0, 9999)))
    entries: list[str] = []
    for _ in range(draw(st.integers(0, longest))):
        if position.over:
            break
        text = position.pick(luck.random())
        entries.append(written(node_prefix(position), text))
        position = position.play(text)
    return Record(start, entries, game="richard"), position


def everything(position: Position) -> object:
    """All that can be asked of a position."""
    return (
        position.node, position.piles, position.points, position.tracks, position.turn,
        position.first, position.event, position.sides, position.ending, position.returns(),
        position.legal_moves(), position.outcomes(), position.rules,
    )  # fmt: skip


# Laws


@given(games())
@examples(60)
def test_text_and_record_are_inverse(game: tuple[Record, Position]) -> None:
    record, _ = game
    text = records.format(record)
    read = parse(text)
    assert read == record
    assert hash(read) == hash(record)
    assert records.format(read) == text == str(record)
    assert (read.places, read.rules) == (record.places, record.rules)


@given(games())
@examples(40)
def test_a_replay_leads_to_the_position_it_was_made_from(game: tuple[Record, Position]) -> None:
    record, position = game
    positions = replay(parse(records.format(record)))
    assert len(positions) == len(record.moves) + 1
    assert everything(positions[-1]) == everything(position)


@given(games(60))
@examples(25)
def test_no_two_steps_of_a_node_are_written_alike(game: tuple[Record, Position]) -> None:
    for position in replay(game[0]):
        steps = position.outcomes() or position.legal_moves()
        assert len({written(node_prefix(position), text) for text in steps}) == len(steps)


@given(games(40), st.integers(0, 7), st.sampled_from(["deal b", "loyalty john", "place spy"]))
@examples(40)
def test_a_step_is_taken_exactly_when_it_is_possible(
    game: tuple[Record, Position], seat: int, step: str
) -> None:
    record, position = game
    entry = f"{seat} {step}"
    steps = position.outcomes() or position.legal_moves()
    text = records.format(record) + entry
    if entry in {written(node_prefix(position), text) for text in steps}:
        assert parse(text).moves == (*record.moves, entry)
        return
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (6 + len(record.moves), 1)


words = st.sampled_from(
    ["game richard\n", "players 3\n", "events off\n", "0 deal b\n", "1 deal ", "event 3", "\n",
     "preset micro\n", " ", ";", "\0", "position start\n", "\x1b[31m", "reveal g", "-1 deal b\n"]
)  # fmt: skip


@given(st.lists(words | st.text(max_size=4), max_size=15).map("".join))
@examples(150)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    error = refusal("game richard\n" + text)
    if error is None:
        record = parse("game richard\n" + text)
        assert parse(records.format(record)) == record
        return
    assert str(error).isprintable()
    assert len(str(error)) < 600
    if error.line is not None:
        assert 1 <= error.line <= len(records.split_lines(text)) + 1
        assert error.column is not None


def refusal(text: str) -> RecordError | None:
    try:
        parse(text)
    except RecordError as error:
        return error
    return None


# As it is written


def test_a_record_reads_well() -> None:
    record = parse(f"{HEAD}{CHOSEN}0 place regent\n1 place exciseman\n2 place spy\n2 colour w\n")
    assert replay(record)[-1].node == ("decision", 0, "option")
    rest = ["0 option 1", "0 draw p", "1 option 2", "2 offer 0", "0 offer 0", "1 offer 0",
            "2 option 1", "2 draw b", "0 give bb", "1 give rr", "2 give pg",
            *["reveal b"] * 3, "reveal y", "reveal r", "reveal g"]  # fmt: skip
    record = parse(records.format(record) + "\n".join(rest))
    assert record.moves[-len(rest) :] == tuple(rest)
    assert replay(record)[-1].turn == 2


def test_blanks_comments_and_defaults() -> None:
    record = parse("\ufeff;mine\r\n game\trichard\r\nevents  shuffled\r\n\r\n\t0   deal\tb \r\n")
    assert record.moves == ("0 deal b",)
    assert record.places == ((5, 2),)
    assert records.format(record) == (
        "game richard\nplayers 4\ncounselors house\nevents shuffled\npreset full\n0 deal b\n"
    )


def test_a_record_can_be_copied_and_never_changes() -> None:
    record = parse(HEAD + DEALT)
    assert copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record
    assert pickle.loads(pickle.dumps(record)).places == record.places
    assert record != parse(HEAD.replace("events off", "events shuffled") + DEALT)
    assert repr(record) == "<Record of richard, 18 moves>"


# Errors


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        ("game richard\nplayers 9", 2, 9, "players is 4 or 2 or 3"),
        ("game richard\nplayers 2", 2, 9, "3 to 8 play Richard I, not 2"),
        ("game richard\npreset micro\nevents off", 3, 8, "2 to 3 play the micro game, not 4"),
        ("game richard\nposition start", 2, 1, "no key 'position'"),
        ("game richard\nqueen ray", 2, 1, "no key 'queen'; there is game, players"),
        ("game richard\nplayers 3\nplayers 3", 3, 1, "has been given before"),
        (HEAD + "0 deal b\nplayers 3", 7, 1, "must stand before the first move"),
        (HEAD + "b", 6, 1, "no key 'b'"),
        (HEAD + "  0 Deal b", 6, 3, "'0 Deal b' is neither a move nor a card"),
        (HEAD + "9 deal b", 6, 1, "neither a move nor a card"),
        (HEAD + "0 deal b 0 deal b", 6, 1, "neither a move nor a card"),
        (HEAD + "0 deal b ; mine", 6, 10, "a comment needs a line of its own"),
        (HEAD + "0 deal " + "b" * 5000 + "!", 6, 1, "neither a move nor a card"),
    ],
)
def test_what_does_not_parse_is_placed(text: str, line: int, column: int, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert told in str(caught.value)
    assert isinstance(caught.value.cause, NotationError)


@pytest.mark.parametrize(
    ("steps", "line", "told"),
    [
        ("1 deal b", 6, "'1 deal b' is not possible here; there is 0 deal b, 0 deal y"),
        ("0 draw b", 6, "not possible here"),
        ("0 deal x", 6, "not possible here"),
        ("0 deal b\n0 deal b\nevent 3", 8, "not possible here; there is 0 deal b"),
        (DEALT + "1 loyalty john", 24, "there is 0 loyalty john, 0 loyalty richard"),
        (CHOSEN + "0 place spy\n1 place spy", 28, "1 place exciseman, 1 place inquisitor"),
    ],
)
def test_what_breaks_the_rules_is_placed(steps: str, line: int, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(HEAD + steps)
    assert (caught.value.line, caught.value.column) == (line, 1)
    assert told in str(caught.value)
    assert isinstance(caught.value.cause, IllegalMove)


def test_nothing_follows_the_end() -> None:
    position = start = Position.start(2, "off", preset="micro")
    entries: list[str] = []
    while not position.over:
        text = position.pick(0)
        entries.append(written(node_prefix(position), text))
        position = position.play(text)
    with pytest.raises(RecordError, match="the game is over"):
        Record(start, [*entries, "0 deal r"], game="richard")
    with pytest.raises(ValueError, match="the game is over"):
        position.pick(0)


def test_size_is_limited_whatever_stands_in_it() -> None:
    for filling in (" ", "\n", "0 deal b\n", "0 deal b ", ";"):
        with pytest.raises(RecordError):
            parse((HEAD + filling * LARGEST)[: LARGEST + 1])
        if filling.strip(" \n;"):
            with pytest.raises(RecordError):
                parse((HEAD + filling * LARGEST)[:LARGEST])


def test_a_game_by_numbers_of_ones_own_has_no_record() -> None:
    start = Position.start(3, cards=FOLDER / "richard.toml")
    with pytest.raises(ValueError, match="numbers of one's own"):
        str(Record(start, game="richard"))
    with pytest.raises(ValueError, match="numbers of one's own"):
        str(Record(Position(Position.start(3).to_core()), game="richard"))


def test_luck_picks_by_weight() -> None:
    position = Position.start(3).play("b")
    picked = [position.pick((i + 0.5) / 71) for i in range(71)]
    assert {colour: picked.count(colour) for colour in "bypwrg"} == position.outcomes()
