"""`solve new`, `solve show` and `solve perft` for Richard I."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.game import perft
from engines.lines import join
from engines.record_games import node_prefix
from engines.records import LARGEST, Record, parse, replay
from engines.richard import COLOURS, COUNSELORS, EVENTS, Position
from engines.richard_data import FOLDER
from solvers.cli.richard_board import drawn, seen
from tests.cli import Outcome, examples, process, solve

MICRO = ("--players", "2", "--counselors", "off", "--preset", "micro")


def new(*arguments: str) -> str:
    outcome = solve("new", "richard", *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def show(record: str, *arguments: str) -> Outcome:
    return solve("show", "richard", "-", *arguments, stdin=record.encode())


def shown(record: str, *arguments: str) -> str:
    outcome = show(record, *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def assert_refused(outcome: Outcome, status: int = 2, told: str = "") -> None:
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith("solve: ")
    assert told in outcome.err
    assert len(outcome.err) < 3000
    assert all(char == "\n" or char.isprintable() for char in outcome.err)


settings = st.tuples(st.integers(3, 8), st.sampled_from(COUNSELORS), st.sampled_from(EVENTS))


def options(setting: tuple[int, str, str]) -> list[str]:
    players, counselors, events = setting
    return ["--players", str(players), "--counselors", counselors, "--events", events]


# new


@given(settings, st.integers(0, 2**63 - 1), st.integers(0, 60), st.integers(0, 60))
@examples(25)
def test_a_seed_makes_one_game_and_more_moves_go_on_with_it(
    setting: tuple[int, str, str], seed: int, moves: int, more: int
) -> None:
    arguments = [*options(setting), "--seed", str(seed), "--moves"]
    text = new(*arguments, str(moves))
    assert new(*arguments, str(moves)) == text
    assert new(*arguments, str(moves + more)).startswith(text)
    record = parse(text)
    assert str(record) == text
    assert record.rules[:3] == setting
    nodes = [position.node.kind for position in replay(record)]
    assert nodes[-1] in ("decision", "over")
    assert nodes[:-1].count("decision") == moves or nodes[-1] == "over"


def test_a_seeds_game_is_the_same_everywhere() -> None:
    """By Random(1).random(): 0.134 of 72 cards is the tenth, a blue one; 0.847 of 71 is green."""
    lines = new("--players", "3", "--seed", "1", "--moves", "4", "--counselors", "off").split("\n")
    assert "".join(line[-1] for line in lines if " deal " in line) == "bgryppwrbbgprbpryg"
    assert lines[-5:] == GOLDEN


GOLDEN = ["0 loyalty richard", "1 loyalty john", "2 loyalty john", "0 place arms", ""]


def test_seeds_differ_and_games_are_played_to_their_end() -> None:
    games = {new("--players", "4", "--seed", str(seed)) for seed in range(20)}
    assert len(games) == 20
    whole = new("--players", "4", "--seed", "1", "--moves", "100000")
    assert replay(parse(whole))[-1].over


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--players"),
        (["--players", "3"], "--seed"),
        (["--players", "9", "--seed", "1"], "from 2 to 8"),
        (["--players", "2", "--seed", "1"], "3 to 8 play Richard I, not 2; choose another"),
        (["--players", "4", "--seed", "1", "--preset", "mini"], "2 to 3 play the mini game"),
        (["--players", "3", "--seed", "-1"], "--seed"),
        (["--players", "3", "--seed", "1", "--moves", "x"], "from 0 to 100000"),
        (["--players", "3", "--seed", "1", "--events", "on"], "--events"),
        (["--players", "3", "--seed", "1", "\x1b[31m"], "unrecognized"),
    ],
)
def test_new_games_that_make_no_sense(arguments: list[str], told: str) -> None:
    assert_refused(solve("new", "richard", *arguments), 2, told)
    assert_refused(solve("new", "rr", *arguments), 2)


# show


def twins(setting: tuple[int, str, str], viewer: int, seed: int, steps: int) -> list[Record]:
    """Two games that one seat cannot tell apart, as different as chance makes them."""
    luck = Random(seed)
    start = Position.start(*setting)
    both = [start, start]
    entries: tuple[list[str], list[str]] = ([], [])
    for _ in range(steps):
        first, second = both
        assert first.node == second.node
        if first.over:
            break
        text = first.pick(luck.random())
        learned = first.label(text, viewer)
        others = [
            other
            for other in second.outcomes() or second.legal_moves()
            if second.label(other, viewer) == learned
        ]
        if not others:
            break
        prefix = node_prefix(first)
        for i, step in enumerate((text, luck.choice(others))):
            after = both[i].play(step)
            entries[i].append(join(prefix, step))
            both[i] = after
    return [Record(start, made, game="richard") for made in entries]


def without_end(record: Record) -> Record:
    """At the end all hands are open."""
    if not replay(record)[-1].over:
        return record
    return Record(record.start, record.moves[:-1], game="richard")


@given(settings, st.integers(0, 7), st.integers(0, 9999), st.integers(0, 250))
@examples(60)
def test_a_seat_is_not_shown_what_it_cannot_know(
    setting: tuple[int, str, str], seat: int, seed: int, steps: int
) -> None:
    viewer = seat % setting[0]
    both = [without_end(record) for record in twins(setting, viewer, seed, steps)]
    positions = [(replay(record)[-1], record.start.words) for record in both]
    first, second = (seen(position, words, viewer) for position, words in positions)
    assert first == second
    assert drawn(first) == drawn(second)
    if len(both[0].moves) > 60:
        first, second = (seen(position, words, None) for position, words in positions)
        assert first != second


@given(settings, st.integers(0, 999), st.integers(0, 150))
@examples(25)
def test_everything_is_shown_when_no_seat_is_named(
    setting: tuple[int, str, str], seed: int, moves: int
) -> None:
    text = new(*options(setting), "--seed", str(seed), "--moves", str(moves))
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json"))
    piles = position.piles
    for name in ("supply", "reserve", "crusade", "revealed"):
        assert list(answer[name]["colours"].values()) == piles[name]
        assert answer[name]["cards"] == sum(piles[name])
    hands = [list(seat["hand"]["colours"].values()) for seat in answer["seats"]]
    assert hands == piles["hands"]
    assert [seat["counselors"]["held"] for seat in answer["seats"]] == piles["counselors"]
    assert [seat["points"] for seat in answer["seats"]] == list(position.points)
    assert answer["tracks"] == position.tracks
    assert answer["moves"] == list(position.legal_moves())
    assert answer["node"] == position.node._asdict()


@given(settings, st.integers(0, 999), st.integers(0, 60), st.integers(0, 7))
@examples(25)
def test_a_seat_sees_its_own_hand_and_only_sizes_of_the_others(
    setting: tuple[int, str, str], seed: int, moves: int, seat: int
) -> None:
    viewer = seat % setting[0]
    text = new(*options(setting), "--seed", str(seed), "--moves", str(moves))
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json", "--seat", str(viewer)))
    table = shown(text, "--seat", str(viewer)).split("\n")
    for number, one in enumerate(answer["seats"]):
        hand, held = position.piles["hands"][number], position.piles["counselors"][number]
        assert one["hand"]["cards"] == sum(hand)
        assert one["counselors"]["count"] == len(held)
        row = next(line for line in table if line.startswith(f"{number}   "))
        if number == viewer or position.over:
            assert list(one["hand"]["colours"].values()) == hand
            assert one["counselors"]["held"] == held
            assert "?" not in row
        else:
            assert one["hand"]["colours"] is one["counselors"]["held"] is None
            assert row.count("?") == sum(hand) + len(held)
    for name in ("supply", "crusade"):
        assert answer[name]["colours"] is None
        assert answer[name]["cards"] == sum(position.piles[name])
    mine = position.node.kind == "over" or position.node[:2] == ("decision", viewer)
    assert (answer["moves"] is not None) == (mine and not position.over)


def test_characters_are_those_of_this_turn_and_of_last_turn() -> None:
    text = new("--players", "4", "--seed", "1", "--moves", "60")
    record = parse(text)
    positions = replay(record)
    placed: dict[int, dict[int, str]] = {}
    for position, entry in zip(positions, record.moves, strict=False):
        if position.node.what == "place":
            placed.setdefault(position.turn, {})[position.node.seat] = entry.split(" ")[-1]
    turn = positions[-1].turn
    seats = json.loads(shown(text, "--json"))["seats"]
    for seat, one in enumerate(seats):
        assert one["character"] == placed.get(turn, {}).get(seat, "")
        assert one["former"] == placed[turn - 1][seat]


def test_the_drawing() -> None:
    text = new("--players", "3", "--seed", "1", "--moves", "5")
    lines = shown(text, "--seat", "1").split("\n")
    assert lines[:5] == [
        "Richard I, 3 players, as seat 1 sees it",
        "counselors house, events off, full game",
        "",
        "turn 1, first player: seat 0",
        "time 12   Crusaders 10   Saladin 10   treasury 8",
    ]
    assert lines[6].split() == [
        "seat",
        "side",
        "PP",
        "character",
        "last",
        "turn",
        "hand",
        "counselors",
    ]
    assert any(re.fullmatch(r"supply( +\?){6} +54", line) for line in lines)
    assert any(line.startswith("next: seat 2 ") for line in lines)
    assert all(len(line) <= 100 and line.isascii() for line in lines)
    before = shown("game richard\nplayers 3\n")
    assert "setup" in before
    assert "next: seat 0 is dealt a card" in before


def test_at_the_end_hands_are_open_and_the_winner_is_named() -> None:
    text = new("--players", "3", "--seed", "1", "--moves", "100000")
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json", "--seat", "0"))
    assert answer["returns"] == position.returns()
    assert answer["ending"] == position.ending
    assert all(seat["hand"]["colours"] for seat in answer["seats"])
    last = shown(text, "--seat", "0").split("\n")[-2]
    wins = [str(seat) for seat, value in enumerate(position.returns()) if value > 0]
    assert last.endswith(f"won by seat {' and '.join(wins)}")


def test_a_record_may_stand_in_a_file(tmp_path: Path) -> None:
    text = new("--players", "3", "--seed", "1")
    path = tmp_path / "game.txt"
    path.write_text(text, "utf-8")
    assert solve("show", "richard", str(path)).out == shown(text)
    piped = process("show", "richard", "-", "--seat", "0", stdin=text.encode())
    assert (piped.status, piped.out) == (0, shown(text, "--seat", "0"))


@pytest.mark.parametrize(
    ("record", "status", "told"),
    [
        (b"", 2, "standard input: no game here"),
        (b"game rr\nCb2\n", 2, "the record of a game of rr, not of richard"),
        (b"game chess\n", 2, "standard input, line 1, column 6: no game 'chess'"),
        (b"game richard\n\n  0 place spy\n", 3, "line 3, column 3: '0 place spy' is not possible"),
        (b"game richard\n0 Deal b\n", 2, "line 2, column 1: '0 Deal b' is neither"),
        (b"game richard\nplayers 2\n", 2, "line 2, column 9: 3 to 8 play Richard I, not 2"),
        (b"game richard\n\xff\n", 2, "line 2, column 1: byte 0xff is not UTF-8"),
        (b"\0" * 50, 2, "NUL"),
        (b"game richard\n\x1b[31m\n", 2, "\\x1b[31m"),
        (b";" * (LARGEST + 1), 2, "larger than a record may be"),
    ],
)
def test_bad_records(record: bytes, status: int, told: str) -> None:
    assert_refused(solve("show", "richard", "-", stdin=record), status, told)


def test_bad_files_and_seats(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.txt")
    assert_refused(solve("show", "richard", missing), 2, "No such file")
    assert_refused(solve("show", "richard", str(tmp_path)), 2, "is a folder")
    assert_refused(solve("show", "richard", "a\0b"), 2, "cannot read")
    assert_refused(solve("show", "richard"), 2, "FILE")
    assert_refused(show("game richard\nplayers 3\n", "--seat", "3"), 2, "the seats 0 to 2, not 3")
    assert_refused(show("game richard\n", "--seat", "8"), 2, "from 0 to 7")


# Files of one's own


def of_ones_own(folder: Path) -> list[str]:
    """Options that give files with something changed in each."""
    arguments = []
    for option, file, old, new in (
        ("--counselors", "richard_counselors.toml", "draw 3", "draw 4"),
        ("--events", "richard_events.toml", "treasury +1", "treasury +3"),
        ("--cards", "richard.toml", "[treasury]\nvalue = 8", "[treasury]\nvalue = 9"),
    ):
        text = (FOLDER / file).read_text("utf-8")
        assert old in text
        path = folder / f"my-{option[2:]}.toml"
        path.write_text(text.replace(old, new), "utf-8")
        arguments += [option, str(path)]
    return arguments


def test_a_game_by_files_of_ones_own_is_shown_by_them(tmp_path: Path) -> None:
    files = of_ones_own(tmp_path)
    text = new("--players", "3", "--seed", "1", "--moves", "9", *files)
    assert re.findall(r"^(\w+) sha256:[0-9a-f]{64}$", text, re.MULTILINE) == [
        "counselors", "events", "preset",
    ]  # fmt: skip
    assert str(tmp_path) not in text
    answer = json.loads(shown(text, "--json", *files))
    assert answer["tracks"]["treasury"] == 9
    assert answer["event"] > 0
    seat = new("--players", "3", "--seed", "1", "--moves", "9", "--seat", "1", *files)
    assert shown(seat, *files) == shown(text, "--seat", "1", *files)


@pytest.mark.parametrize("which", range(3))
def test_a_game_by_files_of_ones_own_is_not_shown_without_them(tmp_path: Path, which: int) -> None:
    files = of_ones_own(tmp_path)
    text = new("--players", "3", "--seed", "1", *files)
    option, path = files[2 * which : 2 * which + 2]
    rest = files[: 2 * which] + files[2 * which + 2 :]
    told = f"somebody's own; their file must be given ({option} FILE)"
    assert_refused(show(text, *rest), 2, told)
    assert_refused(show(text, *rest), 2, "standard input, line 5, column 8")
    ours = {"--counselors": "richard_counselors", "--events": "richard_events"}.get(
        option, "richard"
    )
    other = str(FOLDER / f"{ours}.toml")
    assert_refused(show(text, *rest, option, other), 2, "of this game are others than those in")
    assert_refused(show(text, *rest, option, f"{path}.gone"), 2, "my-")


@pytest.mark.parametrize("option", ["--counselors", "--events", "--cards"])
def test_no_game_begins_by_a_file_that_is_not_there_or_bad(tmp_path: Path, option: str) -> None:
    path = tmp_path / "mine.toml"
    start = ("--players", "3", "--seed", "1", option, str(path))
    assert_refused(solve("new", "richard", *start), 2, "o such file")
    path.write_text("x = 1", "utf-8")
    assert_refused(solve("new", "richard", *start), 2, "mine.toml: [x]: no such entry")


# perft


def total(*arguments: str) -> int:
    outcome = solve("perft", "richard", *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return int(outcome.lines[-1])


@pytest.mark.parametrize("events", EVENTS)
def test_a_count_begins_after_the_setup_of_the_seed(events: str) -> None:
    arguments = ("--players", "3", "--seed", "5", "--events", events)
    text = new(*arguments, "--moves", "3")
    for position in replay(parse(text)):
        if position.turn:
            break
    for depth in range(4):
        expected = perft(position.to_core(), depth)
        assert total(*arguments, "--depth", str(depth)) == expected
        divided = solve("perft", "richard", *arguments, "--depth", str(depth), "--divide").lines
        assert sum(int(line.split(": ")[1]) for line in divided[:-1]) == (expected if depth else 0)
        assert int(divided[-1]) == expected


def test_the_whole_micro_game_is_counted() -> None:
    counts = [total(*MICRO, "--seed", "1", "--deal", "--depth", str(depth)) for depth in range(20)]
    assert sum(counts) == 1_819
    answer = solve("perft", "richard", *MICRO, "--seed", "1", "--deal", "--depth", "1",
                   "--divide", "--json").answer  # fmt: skip
    assert answer == {
        "game": "richard", "players": 2, "seed": 1, "counselors": "off", "events": "off",
        "preset": "micro", "cards": None, "deal": True, "depth": 1,
        "divide": {"r": 1, "g": 1}, "perft": 2,
    }  # fmt: skip


def test_numbers_of_ones_own(tmp_path: Path) -> None:
    ours = (FOLDER / "richard_micro.toml").read_text("utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(ours, "utf-8")
    where = ("--seed", "1", "--deal", "--depth", "9", "--counselors", "off", "--players", "2")
    assert total(*where, "--cards", str(path)) == total(*where, "--preset", "micro")
    path.write_text(ours.replace("[time]\nvalue = 1", "[time]\nvalue = 13"), "utf-8")
    told = "mine.toml: [time]: must be from 1 to 12, not 13"
    assert_refused(solve("perft", "richard", *where, "--cards", str(path)), 2, told)
    missing = str(tmp_path / "none.toml")
    assert_refused(solve("perft", "richard", *where, "--cards", missing), 2, "No such file")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "3", "--seed", "1"], "--depth"),
        (["--players", "2", "--seed", "1", "--depth", "1"], "3 to 8 play Richard I, not 2"),
        (["--players", "3", "--seed", "1", "--depth", "-1"], "from 0 to"),
        (["--players", "3", "--seed", "1", "--depth", "1", "--queen", "ray"], "unrecognized"),
    ],
)
def test_counts_that_make_no_sense(arguments: list[str], told: str) -> None:
    assert_refused(solve("perft", "richard", *arguments), 2, told)


# help


@pytest.mark.parametrize("command", ["new", "show", "perft richard"])
def test_the_examples_of_the_help_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(new("--players", "3", "--seed", "1"), "utf-8")
    outcome = solve(*command.split(), "--help")
    assert (outcome.status, outcome.err) == (0, "")
    examples = re.findall(r"^  solve (\w+ richard .*)", outcome.out, re.MULTILINE)
    assert examples
    for example in examples:
        text = b""
        for part in re.sub(r" > .*", "", example).split(" | "):
            done = solve(*shlex.split(part.removeprefix("solve ")), stdin=text)
            assert (done.status, done.err) == (0, "")
            text = done.out.encode()
    assert command.split()[0] in solve("--help").out


def test_colours_stand_in_one_order_everywhere() -> None:
    answer = json.loads(shown(new("--players", "3", "--seed", "1"), "--json"))
    assert "".join(answer["reserve"]["colours"]) == COLOURS
