"""`solve perft`: counts that agree with the slow reference, and requests that make no sense."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli import (
    FINISHED,
    MIDDLE,
    VARIANTS,
    Case,
    Outcome,
    examples,
    late_cases,
    process,
    running,
    solve,
)
from tests.reference import rr as twin

needs_posix = pytest.mark.skipif(os.name != "posix", reason="speaks of POSIX signals and streams")


def perft(*arguments: str, stdin: bytes = b"") -> Outcome:
    return solve("perft", "rr", *arguments, stdin=stdin)


def assert_refused(outcome: Outcome, status: int = 2) -> None:
    """One clear error: nothing on standard output, a short and harmless text on the other."""
    assert outcome.status == status
    assert outcome.out == ""
    assert outcome.err.strip()
    assert len(outcome.err) < 3000
    assert all(char == "\n" or char.isprintable() for char in outcome.err)


def total(outcome: Outcome) -> int:
    """The one number that a count without more wishes prints."""
    assert (outcome.status, outcome.err) == (0, "")
    (line,) = outcome.lines
    return int(line)


@given(late_cases(), st.integers(0, 4))
@examples(40)
def test_a_count_agrees_with_the_slow_reference(case: Case, depth: int) -> None:
    where = ["--depth", str(depth), "--position", case.text, *case.options]
    expected = twin.perft(case.state, case.rules, depth)
    assert total(perft(*where)) == expected
    answer = perft(*where, "--json").answer
    assert answer["game"] == "rr"
    assert answer["rules"] == {"queen": case.rules.queen, "ending": case.rules.ending}
    assert (answer["position"], answer["depth"], answer["perft"]) == (case.text, depth, expected)


@given(late_cases(), st.integers(1, 4))
@examples(25)
def test_divide_adds_the_count_after_each_first_move(case: Case, depth: int) -> None:
    where = ["--depth", str(depth), "--position", case.text, *case.options, "--divide"]
    expected = {
        move: twin.perft(twin.play(case.state, move, case.rules), case.rules, depth - 1)
        for move in twin.legal(case.state, case.rules)
    }
    outcome = perft(*where)
    assert (outcome.status, outcome.err) == (0, "")
    *parts, whole = outcome.lines
    shown = [part.split(": ") for part in parts]
    assert {move: int(count) for move, count in shown} == expected
    assert int(re.sub(r"\D", "", whole)) == sum(expected.values())
    answer = perft(*where, "--json").answer
    assert answer["divide"] == expected
    assert answer["perft"] == sum(expected.values())


@pytest.mark.parametrize("options", VARIANTS)
def test_counts_begin_at_the_start_unless_said_otherwise(options: list[str]) -> None:
    rules = twin.Rules(options[1], options[3])  # type: ignore[arg-type]
    for depth in (0, 1, 2):
        expected = twin.perft(twin.parse("start"), rules, depth)
        for where in ([], ["--position", "start"], ["--position", twin.START]):
            assert total(perft("--depth", str(depth), *where, *options)) == expected


def test_a_finished_game_has_one_sequence_of_no_moves_and_none_of_more() -> None:
    assert total(perft("--depth", "0", "--position", FINISHED)) == 1
    for depth in ("1", "2", "15", "1000"):
        assert total(perft("--depth", depth, "--position", FINISHED)) == 0
        assert total(perft("--depth", depth, "--position", FINISHED, "--divide")) == 0


@pytest.mark.parametrize("depth", ["16", "1000", str(2**31), str(2**64), "9" * 50])
@pytest.mark.parametrize("divide", [[], ["--divide"]])
def test_a_depth_beyond_every_game_counts_nothing_or_is_refused(
    depth: str, divide: list[str]
) -> None:
    outcome = perft("--depth", depth, "--position", MIDDLE, *divide)
    if outcome.status:
        assert_refused(outcome)
        assert "--depth" in outcome.err
    else:
        assert outcome.err == ""
        assert outcome.lines[-1] == "0"


@pytest.mark.parametrize("depth", ["-1", "-99999999999999999999", "1.5", "four", "", "x" * 30_000])
def test_a_depth_that_is_no_count_is_refused(depth: str) -> None:
    for spelled in (["--depth", depth], [f"--depth={depth}"]):
        outcome = perft(*spelled)
        assert_refused(outcome)
        assert "--depth" in outcome.err.split("error:")[-1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "--depth"),
        (["rr"], "--depth"),
        (["--depth", "1"], "game"),
        (["chess", "--depth", "1"], "chess"),
        (["\x1b[31m", "--depth", "1"], "x1b"),
        (["rr", "--depth"], "--depth"),
        (["rr", "--depth", "1", "--nonsense"], "--nonsense"),
        (["rr", "--depth", "1", "--\x1b[31m"], "31m"),
        (["rr", "--depth", "1", "--queen", "king"], "adjacent"),
        (["rr", "--depth", "1", "--position"], "--position"),
    ],
)
def test_wrong_usage_is_refused_and_what_is_wrong_is_named(
    arguments: list[str], named: str
) -> None:
    outcome = solve("perft", *arguments)
    assert_refused(outcome)
    assert named in outcome.err.split("error:")[-1]


def test_a_bad_position_is_refused_as_everywhere_else() -> None:
    for text, status in (("hello", 2), ("tQC/K.p/.mG b PMT kq!", 2), ("ttt/ttt/... b PMT kqg", 3)):
        outcome = perft("--depth", "1", "--position", text)
        assert_refused(outcome, status)
        assert text in outcome.err
        assert outcome.err == solve("rr", "--position", text).err


@given(st.text(st.characters(exclude_categories=()), max_size=60))
@examples(50)
def test_any_text_as_a_position_is_refused_in_a_harmless_way(text: str) -> None:
    outcome = perft("--depth", "1", f"--position={text}")
    if text != "-":
        assert outcome.status in (2, 3)
        assert_refused(outcome, outcome.status)


def test_several_positions_have_their_counts_in_order(tmp_path: Path) -> None:
    text = f"start\r\n\n{MIDDLE}\n  {FINISHED}".encode()
    file = tmp_path / "positions.txt"
    file.write_bytes(text)
    for where, stdin in (("-", text), (str(file), b"")):
        outcome = perft("--depth", "2", "--position", where, stdin=stdin)
        middle = twin.perft(twin.parse(MIDDLE), twin.Rules(), 2)
        assert (outcome.status, outcome.err) == (0, "")
        counts = [line.split("\t") for line in outcome.lines]
        assert [count for _, count in counts] == ["720", str(middle), "0"]
        assert [text for text, _ in counts][1:] == [MIDDLE, FINISHED]
        answers = perft("--depth", "2", "--json", "--position", where, stdin=stdin).answers
        assert [answer["perft"] for answer in answers] == [720, middle, 0]


@pytest.mark.parametrize("form", [[], ["--json"], ["--divide", "--json"]])
def test_a_bad_line_has_its_error_in_its_place_and_the_batch_goes_on(form: list[str]) -> None:
    text = f"{MIDDLE}\nttt/ttt/... b PMT kqg\n\nhello\n\xff\x1b[31m\n{FINISHED}\n".encode("latin-1")
    outcome = perft("--depth", "1", "--position", "-", *form, stdin=text)
    assert (outcome.status, outcome.err) == (3, "")
    assert len(outcome.lines) == 5
    assert outcome.out.isascii()
    assert "\x1b" not in outcome.out
    if form:
        codes = [answer.get("error", {}).get("code", 0) for answer in outcome.answers]
        assert codes == [0, 3, 2, 2, 0]


def test_help_explains_every_option_and_its_examples_work() -> None:
    outcome = solve("perft", "--help")
    assert (outcome.status, outcome.err) == (0, "")
    for option in ("--depth", "--position", "--divide", "--queen", "--ending", "--json", "rr"):
        assert option in outcome.out
    shown = re.findall(r"solve perft (rr .*)", outcome.out)
    assert len(shown) >= 2
    for example in shown:
        arguments = [quoted or plain for quoted, plain in re.findall(r"'([^']+)'|(\S+)", example)]
        assert solve("perft", *arguments).status == 0


def test_a_real_process_counts_as_this_one_does() -> None:
    arguments = ["perft", "rr", "--depth", "2", "--divide"]
    assert process(*arguments, PYTHONIOENCODING="ascii") == solve(*arguments)


@needs_posix
@pytest.mark.parametrize("divide", [[], ["--divide"]])
def test_ctrl_c_stops_a_long_count_within_two_seconds(divide: list[str]) -> None:
    with running("perft", "rr", "--depth", "12", *divide) as child:
        time.sleep(0.7)
        child.send_signal(signal.SIGINT)
        asked = time.monotonic()
        _, err = child.communicate(timeout=60)
        assert time.monotonic() - asked < 2
    assert child.returncode == 130
    assert b"Traceback" not in err


@needs_posix
@pytest.mark.parametrize("arguments", [["rr", "--depth", "2", "--divide"], ["--help"]])
def test_a_closed_pipe_is_quiet(arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with running("perft", *arguments, stdout=writer) as child:
        os.close(writer)
        _, err = child.communicate(b"", timeout=60)
    assert err == b""
    assert child.returncode in (0, 141, -signal.SIGPIPE)
