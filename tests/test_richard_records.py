"""Records of Richard I: text and games are inverse, and whatever is wrong is found and placed."""

from __future__ import annotations

import copy
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import IllegalMove, NotationError
from engines import lines, records
from engines.record_games import node_prefix
from engines.records import LARGEST, Record, RecordError, parse, replay
from engines.richard import COUNSELORS, EVENTS, PRESETS, Position
from engines.richard_data import FOLDER
from tests.cli import examples

HEAD = "game richard\nplayers 3\ncounselors off\nevents off\npreset full\n"
DEALT = "0 deal b\n" * 6 + "1 deal r\n" * 6 + "2 deal g\n" * 6
MINE = "sha256:" + 64 * "0"  # no file has that digest
# Files that anybody might give as their own, by option.
FILES = {
    "counselors": str(FOLDER / "richard_counselors.toml"),
    "events": str(FOLDER / "richard_events.toml"),
    "cards": str(FOLDER / "richard.toml"),
}
CHOSEN = DEALT + "0 loyalty john\n1 loyalty john\n2 loyalty richard\n"


@st.composite
def games(draw: st.DrawFn, longest: int = 150) -> tuple[Record, Position]:
    """A record and the position it was made from, some finished."""
    preset = draw(st.sampled_from(PRESETS))
    players = draw(st.integers(3, 8) if preset == "full" else st.integers(2, 3))
    start = position = Position.start(
        players,
        draw(st.sampled_from((*COUNSELORS, FILES["counselors"]))),
        draw(st.sampled_from((*EVENTS, FILES["events"]))),
        preset=preset,
        cards=draw(st.sampled_from((None, FILES["cards"]))) if preset == "full" else None,
    )
    luck = Random(draw(st.integers(0, 9999)))
    entries: list[str] = []
    for _ in range(draw(st.integers(0, longest))):
        if position.over:
            break
        text = position.pick(luck.random())
        entries.append(lines.join(node_prefix(position), text))
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
    read = parse(text, FILES)
    assert read == record
    assert hash(read) == hash(record)
    assert records.format(read) == text == str(record)
    assert (read.places, read.rules) == (record.places, record.rules)


@given(games())
@examples(40)
def test_a_replay_leads_to_the_position_it_was_made_from(game: tuple[Record, Position]) -> None:
    record, position = game
    positions = replay(parse(records.format(record), FILES))
    assert len(positions) == len(record.moves) + 1
    assert everything(positions[-1]) == everything(position)


@given(games(60))
@examples(25)
def test_no_two_steps_of_a_node_are_written_alike(game: tuple[Record, Position]) -> None:
    for position in replay(game[0]):
        steps = position.outcomes() or position.legal_moves()
        assert len({lines.join(node_prefix(position), text) for text in steps}) == len(steps)


@given(games(40), st.integers(0, 7), st.sampled_from(["deal b", "loyalty john", "place spy"]))
@examples(40)
def test_a_step_is_taken_exactly_when_it_is_possible(
    game: tuple[Record, Position], seat: int, step: str
) -> None:
    record, position = game
    entry = f"{seat} {step}"
    steps = position.outcomes() or position.legal_moves()
    text = records.format(record) + entry
    if entry in {lines.join(node_prefix(position), text) for text in steps}:
        assert parse(text, FILES).moves == (*record.moves, entry)
        return
    with pytest.raises(RecordError) as caught:
        parse(text, FILES)
    assert (caught.value.line, caught.value.column) == (6 + len(record.moves), 1)


words = st.sampled_from(
    ["game richard\n", "players 3\n", "events off\n", "0 deal b\n", "1 deal ", "event 3", "\n",
     "preset micro\n", f"counselors {MINE}\n", f"preset {MINE}\n", " ", ";", "\0",
     "position start\n", "\x1b[31m", "reveal g", "-1 deal b\n"]
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
        entries.append(lines.join(node_prefix(position), text))
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


# Files of one's own


def of_ones_own(folder: Path, **changes: tuple[str, str]) -> dict[str, str]:
    """Copies of our files, by option, each with a text in it changed into another."""
    found = {}
    for option, file in FILES.items():
        text = Path(file).read_text("utf-8")
        old, new = changes.get(option, ("", ""))
        assert old in text
        path = folder / f"my-{option}.toml"
        path.write_text(text.replace(old, new, 1), "utf-8")
        found[option] = str(path)
    return found


CHANGES = {
    "counselors": ("draw 3", "draw 4"),
    "events": ("rose: treasury +1", "rose: treasury +3"),
    "cards": ("[treasury]\nvalue = 8", "[treasury]\nvalue = 9"),
}


def begun(files: dict[str, str], players: int = 3) -> Position:
    return Position.start(players, files["counselors"], files["events"], cards=files["cards"])


def test_files_of_ones_own_are_named_by_what_they_say(tmp_path: Path) -> None:
    files = of_ones_own(tmp_path, **CHANGES)
    record = Record(begun(files), ["0 deal b"], game="richard")
    lines = str(record).split("\n")
    assert lines[:2] == ["game richard", "players 3"]
    words = [line.split(" sha256:") for line in lines[2:5]]
    assert [word[0] for word in words] == ["counselors", "events", "preset"]
    assert all(len(word[1]) == 64 and set(word[1]) <= set("0123456789abcdef") for word in words)
    assert len({word[1] for word in words}) == 3
    assert lines[5:] == ["0 deal b", ""]
    assert str(tmp_path) not in str(record)
    read = parse(str(record), files)
    assert (read, hash(read), str(read)) == (record, hash(record), str(record))
    assert replay(read)[-1] == replay(record)[-1]
    assert replay(read)[-1].tracks["treasury"] == 9


def test_the_same_texts_in_another_place_and_layout_will_do(tmp_path: Path) -> None:
    files = of_ones_own(tmp_path, **CHANGES)
    record = Record(begun(files), game="richard")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = {}
    for option, file in files.items():
        path = elsewhere / Path(file).name
        path.write_text("# mine\r\n" + Path(file).read_text("utf-8").replace("\n", "\r\n"), "utf-8")
        moved[option] = str(path)
        Path(file).unlink()
    read = parse(str(record), moved)
    assert read == record
    assert read.start == record.start
    assert read.start.rules != record.start.rules


def test_a_record_by_files_can_be_copied_while_they_are_there(tmp_path: Path) -> None:
    files = of_ones_own(tmp_path, **CHANGES)
    record = Record(begun(files), ["0 deal b"], game="richard")
    dumped = pickle.dumps(record)
    assert copy.deepcopy(record) == pickle.loads(dumped) == record
    of_ones_own(tmp_path, events=("won: saladin -1", "won: saladin -2"), **{
        option: change for option, change in CHANGES.items() if option != "events"
    })  # fmt: skip
    with pytest.raises(NotationError, match="the events of this game are others than those in"):
        pickle.loads(dumped)
    position = pickle.dumps(replay(record)[-1])
    with pytest.raises(ValueError, match="other files than those that are there now"):
        pickle.loads(position)


@pytest.mark.parametrize("option", FILES)
def test_every_word_tells_games_apart(tmp_path: Path, option: str) -> None:
    ours = of_ones_own(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    theirs = of_ones_own(other, **{option: CHANGES[option]})
    one, two = (Record(begun(files), game="richard") for files in (ours, theirs))
    assert one != two
    assert one.start != two.start
    assert sum(a != b for a, b in zip(str(one).split(), str(two).split(), strict=True)) == 1
    assert one == Record(begun(FILES), game="richard")


@pytest.mark.parametrize("option", FILES)
@pytest.mark.parametrize("alone", [True, False])
def test_a_file_that_is_not_given_is_asked_for(tmp_path: Path, option: str, alone: bool) -> None:
    """Where nothing else is wrong at a key, the last one has the place."""
    files = of_ones_own(tmp_path, **CHANGES)
    text = str(Record(begun(files), ["0 deal b"], game="richard"))
    key = "preset" if option == "cards" else option
    if alone:
        for name, word in (("counselors", "house"), ("events", "off"), ("preset", "full")):
            if name != key:
                text = re.sub(f"{name} .*", f"{name} {word}", text)
    given_files = {name: file for name, file in files.items() if name != option}
    with pytest.raises(RecordError) as caught:
        parse(text, given_files)
    assert (caught.value.line, caught.value.column) == (5, 8)
    told = f"this game was played by {key} of somebody's own; their file must be given"
    assert str(caught.value) == f"line 5, column 8: {told} (--{option} FILE)"
    assert isinstance(caught.value.cause, NotationError)


@pytest.mark.parametrize("option", FILES)
def test_another_file_is_told_from_the_right_one(tmp_path: Path, option: str) -> None:
    files = of_ones_own(tmp_path, **CHANGES)
    text = str(Record(begun(files), ["0 deal b"], game="richard"))
    key = "preset" if option == "cards" else option
    with pytest.raises(RecordError) as caught:
        parse(text, files | {option: FILES[option]})
    assert (caught.value.line, caught.value.column) == (5, 8)
    assert f"the {key} of this game are others than those in {FILES[option]}" in str(caught.value)
    assert isinstance(caught.value.cause, NotationError)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda path: path.unlink(), "(there is no such file|No such file)"),
        (lambda path: path.write_text("x = 1\n", "utf-8"), "no such entry|missing"),
        (lambda path: path.write_bytes(b"\xff"), "not UTF-8 text at byte 0"),
        (lambda path: path.write_text("[", "utf-8"), "not a TOML file"),
        (lambda path: shutil.move(path, path.with_suffix("")) and path.mkdir(), "cannot be read"),
    ],
)
@pytest.mark.parametrize("option", FILES)
def test_a_file_that_cannot_be_played_by_is_named(
    tmp_path: Path, option: str, spoil: Callable[[Path], object], told: str
) -> None:
    files = of_ones_own(tmp_path)
    text = str(Record(begun(files), game="richard"))
    spoil(Path(files[option]))
    with pytest.raises(RecordError, match=told) as caught:
        parse(text, files)
    assert f"my-{option}.toml" in str(caught.value)
    assert (caught.value.line, caught.value.column) == (5, 8)


@pytest.mark.parametrize("key", ["counselors", "events", "preset"])
@pytest.mark.parametrize(
    "word",
    [
        "sha256:",
        MINE[:-1],
        MINE + "0",
        MINE.replace("0", "A"),
        MINE.upper(),
        f"x{MINE}",
        FILES["cards"],
    ],
)
def test_only_a_whole_digest_stands_for_a_file(key: str, word: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(f"game richard\n{key} {word}\n", FILES)
    assert (caught.value.line, caught.value.column) == (2, len(key) + 2)
    assert f"{key} is " in str(caught.value)
    with pytest.raises(RecordError, match="players is 4 or 2"):
        parse(f"game richard\nplayers {MINE}\n", FILES)


def test_files_that_a_record_does_not_name_are_not_looked_at(tmp_path: Path) -> None:
    files = dict.fromkeys(FILES, str(tmp_path / "none.toml"))
    assert parse(HEAD + DEALT, files) == parse(HEAD + DEALT)


def test_a_state_without_a_past_has_no_record() -> None:
    start = Position.start(3)
    for position in (Position(start.to_core()), start.play("b")):
        with pytest.raises(ValueError, match="a record begins where a game begins"):
            str(Record(position, game="richard"))


def test_luck_picks_by_weight() -> None:
    position = Position.start(3).play("b")
    picked = [position.pick((i + 0.5) / 71) for i in range(71)]
    assert {colour: picked.count(colour) for colour in "bypwrg"} == position.outcomes()
