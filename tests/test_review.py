"""What a review says of a game must follow from the exact values alone; and `solve review`."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import records
from engines.records import LARGEST, Record, replay
from engines.rr import Position, Rules, Side
from solvers.exact import Solver
from solvers.review import BEST, BLUNDER, SLIP, VERDICTS, Review, result_of, review
from solvers.strong import StrongSolver, cache_folder
from tests.cli import Outcome, examples, process, solve
from tests.test_rr_laws import all_rules, walk

seeds = st.integers(0, 9999)
ORDER = {"loss": 0, "draw": 1, "win": 2}

GAME = """\
; A short game, with comments and all.
game rr

  Cb2 Kb3xb2
; two moves on one line
Ka1
"""
UNFINISHED = "tQC/K.p/.mG b PMT kqg"


@pytest.fixture(scope="module")
def strong() -> StrongSolver:
    return StrongSolver(cache_folder(), threads=1)


def play_out(start: Position, dice: Random, plies: int = 15) -> Record:
    position, moves = start, list[str]()
    while not position.over and len(moves) < plies:
        moves.append(dice.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return Record(start, moves)


def late(seed: int, rules: Rules) -> Record:
    """Some game from a position that a search solves in no time."""
    dice = Random(seed)
    return play_out(walk(dice.choice, rules, 10)[-1], dice)


def assert_follows_from_values(found: Review, solver: Solver | StrongSolver) -> None:
    positions = replay(found.record)
    values = [solver.solve(position).value for position in positions]
    assert found.position == positions[-1]
    assert found.final.value == values[-1]
    for at, judged in enumerate(found.moves):
        assert (judged.number, judged.move) == (at + 1, found.record.moves[at])
        assert judged.side == positions[at].side
        assert judged.before == values[at]
        assert judged.after == -values[at + 1]
        assert judged.cost == values[at] + values[at + 1] >= 0
        worse = ORDER[result_of(judged.before)] - ORDER[result_of(judged.after)]
        assert worse >= 0
        assert judged.verdict == (BLUNDER if worse else SLIP if judged.cost else BEST)
        assert (judged.move in judged.best) == (judged.verdict == BEST)
        assert judged.best == solver.solve(positions[at]).best


def assert_adds_up(found: Review) -> None:
    """What both sides gave away is what the margin moved by."""
    tallies = [found.tally(side) for side in Side]
    assert sum(tally.moves for tally in tallies) == len(found.moves)
    for tally in tallies:
        assert tuple(tally.counts) == VERDICTS
        assert sum(tally.counts.values()) == tally.moves
    margins = [
        value if position.side == Side.REGALITY else -value
        for value, position in (
            (found.moves[0].before if found.moves else found.final.value, found.record.start),
            (found.final.value, found.position),
        )
    ]
    assert margins[0] - margins[1] == tallies[0].given_away - tallies[1].given_away


# Laws


@given(seeds)
@examples(40)
def test_a_move_is_worth_the_next_position_turned_round(strong: StrongSolver, seed: int) -> None:
    found = review(play_out(Position.start(), Random(seed), seed % 16), strong)
    assert_follows_from_values(found, strong)
    assert_adds_up(found)


@given(seeds, all_rules)
@examples(30)
def test_the_same_by_search_under_every_rule(seed: int, rules: Rules) -> None:
    found = review(late(seed, rules), Solver())
    assert_follows_from_values(found, Solver())
    assert_adds_up(found)


@given(seeds)
@examples(20)
def test_the_table_and_the_search_review_alike(strong: StrongSolver, seed: int) -> None:
    record = late(seed, Rules())
    told = [
        [(judged.before, judged.after, judged.best) for judged in review(record, solver).moves]
        for solver in (strong, Solver())
    ]
    assert told[0] == told[1]


@given(seeds)
@examples(40)
def test_best_moves_alone_keep_the_margin_of_the_start(strong: StrongSolver, seed: int) -> None:
    dice, position, moves = Random(seed), Position.start(), list[str]()
    while not position.over:
        moves.append(dice.choice(strong.solve(position).best))
        position = position.play(moves[-1])
    found = review(Record(Position.start(), moves), strong)
    assert {judged.verdict for judged in found.moves} == {BEST}
    assert [found.tally(side).given_away for side in Side] == [0, 0]
    for one, next in pairwise(found.moves):
        assert next.before == -one.before
    margin = position.margin if position.side == Side.REGALITY else -position.margin
    assert margin == found.moves[0].before == strong.solve(Position.start()).value


def test_draws_are_results_of_their_own() -> None:
    """§ Game End, with ending="occupied": a tie between winning and losing."""
    verdicts = set()
    for seed in range(60):
        for judged in review(late(seed, Rules(ending="occupied")), Solver()).moves:
            verdicts.add((result_of(judged.before), result_of(judged.after), judged.verdict))
    assert ("win", "draw", BLUNDER) in verdicts
    assert ("draw", "loss", BLUNDER) in verdicts
    assert ("draw", "draw", BEST) in verdicts


def test_positions_that_no_game_leads_to_are_searched(strong: StrongSolver) -> None:
    record = play_out(Position.parse(".wM/..g/kcK b QP mg"), Random(1))
    found = review(record, strong)
    assert found.moves[0].solution.method == "search"
    assert_follows_from_values(found, Solver())
    assert_adds_up(found)


@pytest.mark.parametrize("text", ["start", UNFINISHED, "tqC/qMp/GmG r PT k"])
def test_a_game_without_moves_has_a_verdict_all_the_same(strong: StrongSolver, text: str) -> None:
    found = review(Record(Position.parse(text)), strong)
    assert found.moves == ()
    assert found.final.value == Solver().solve(found.position).value if text != "start" else 1
    assert str(found.tally(Side.RELIGION)) == "0 moves: 0 best, 0 slips, 0 blunders, 0 given away"


# The command


def reviewed(text: str | bytes, *options: str) -> Outcome:
    data = text if isinstance(text, bytes) else text.encode()
    return solve("review", "rr", "-", *options, stdin=data)


def in_json(text: str) -> dict[str, Any]:
    return reviewed(text, "--json").answer


def test_json_holds_the_whole_review(strong: StrongSolver) -> None:
    answer = in_json(GAME)
    found = review(records.parse(GAME), strong)
    assert list(answer) == ["game", "rules", "start", "moves", "summary", "final"]
    assert (answer["game"], answer["rules"]) == ("rr", {"queen": "ray", "ending": "face-up"})
    assert answer["start"] == str(Position.start())
    assert [move["line"] for move in answer["moves"]] == [4, 4, 6]
    assert [move["side"] for move in answer["moves"]] == ["r", "b", "r"]
    for move, judged in zip(answer["moves"], found.moves, strict=True):
        assert list(move) == [
            "number", "line", "side", "move", "before", "after", "cost", "verdict", "best",
        ]  # fmt: skip
        for field in ("number", "move", "before", "after", "cost", "verdict"):
            assert move[field] == getattr(judged, field)
        assert move["best"] == list(judged.best)
    for side in Side:
        tally = found.tally(side)
        assert answer["summary"][side.letter] == {
            "moves": tally.moves,
            "best": tally.counts[BEST],
            "slips": tally.counts[SLIP],
            "blunders": tally.counts[BLUNDER],
            "given_away": tally.given_away,
        }
    assert answer["final"] == {
        "position": str(found.position),
        "over": False,
        "side": "b",
        "value": found.final.value,
        "result": found.final.result,
        "best": list(found.final.best),
    }


def test_people_read_the_same(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(f"game rr\nposition {UNFINISHED}\nGa1xa2 Mb2 Qa2\n", "utf-8")
    outcome = solve("review", "rr", str(file))
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.lines[:6] == [
        "Rules: queen ray, ending face-up",
        f"From {UNFINISHED}",
        "",
        "    side        move     before  after  verdict",
        "  1 \u25bc Religion  Ga1xa2       +1     +1  best",
        "  2 \u25b2 Regality  Mb2          -1     -3  slip: gives away 2; best Mb2~a1, Mb2~b1",
    ]
    assert "Religion  2 moves: 1 best, 1 slip, 0 blunders, 2 given away" in outcome.out
    assert outcome.lines[-1] == "The game is over: Religion won by 1"


def test_a_blunder_names_what_it_threw_away() -> None:
    text = f"game rr\nposition {UNFINISHED}\nGa1"
    (move,) = in_json(text)["moves"]
    assert (move["before"], move["after"], move["verdict"]) == (1, -3, "blunder")
    line = next(line for line in reviewed(text).lines if "blunder:" in line)
    assert "blunder: a win becomes a loss; best Ga1xa2, Ga1xb1, Gb2xa2 and 9 more" in line


def test_a_finished_game_says_who_won() -> None:
    text = f"game rr\nposition {UNFINISHED}\nGa1xa2 Mb2~a1 Qa2~ne"
    assert in_json(text)["final"]["over"]
    assert in_json(text)["final"]["best"] == []
    assert reviewed(text).lines[-1] == "The game is over: Religion won by 1"
    assert "No move has been made." in reviewed("game rr").lines


def test_the_review_does_not_depend_on_how_the_file_is_written(tmp_path: Path) -> None:
    answer = in_json(GAME)
    for text in (GAME.replace("\n", "\r\n"), "\ufeff" + GAME, GAME.replace("  Cb2 ", "\tCb2\t")):
        assert in_json(text) == answer
    canonical = records.format(records.parse(GAME))
    lines = [move.pop("line") for move in answer["moves"]]
    again = in_json(canonical)
    assert [move.pop("line") for move in again["moves"]] == [5, 6, 7] != lines
    assert again == answer


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (b"", 2, "standard input: no game here; a record begins with the line 'game rr'"),
        (b"game rr\nquen ray", 2, "standard input, line 2, column 1: no key 'quen'"),
        (b"game rr\nCb2 Kz2", 2, "line 2, column 6: after the card comes a square"),
        (b"game rr\nCb2\nKb2", 3, "line 3, column 1: Kb2 is not legal: b2 is not free"),
        (b"game rr\nposition KK./.../... r K -", 3, "line 2, column 10: "),
        (b"game rr\nposition tqC/qMp/GmG r PT k\nTb2", 3, "line 3, column 1: the game is over"),
        (b"game rr\nCb2\0", 2, "line 2, column 4: a NUL: this is not text"),
        (b"game rr\n; caf\xe9", 2, "line 2, column 6: byte 0xe9 is not UTF-8 text"),
        ("game rr".encode("utf-16"), 2, "UTF-16 text; save it as UTF-8"),
        (b"\n" * (LARGEST + 1), 2, "larger than a record may be (1,000,000 bytes)"),
        (b"game rr\nCb2\n\x1b[31mKb3", 2, r"\x1b[31mKb3"),
    ],
)
def test_a_bad_record_is_refused_with_its_place(text: bytes, status: int, told: str) -> None:
    for options in ([], ["--json"]):
        outcome = reviewed(text, *options)
        assert (outcome.status, outcome.out) == (status, "")
        assert told in outcome.err
        assert outcome.err.startswith("solve: ")
        assert all(char == "\n" or char.isprintable() for char in outcome.err)
        assert len(outcome.err) < 1000


def test_a_caret_stands_under_the_character_to_blame() -> None:
    assert reviewed("game rr\n Cb2 Kb9").err.splitlines()[1:] == ["     Cb2 Kb9", "          ^"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for file, why in ((tmp_path, "is a folder"), (tmp_path / "none", "No such file")):
        outcome = solve("review", "rr", str(file))
        assert (outcome.status, outcome.out) == (2, "")
        assert why in outcome.err
        assert repr(str(file)) in outcome.err


@pytest.mark.parametrize("arguments", [[], ["rr"], ["chess", "-"], ["rr", "-", "--js"]])
def test_usage_errors(arguments: list[str]) -> None:
    outcome = solve("review", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert "solve review --help explains the options" in outcome.err


def test_as_a_process_of_its_own() -> None:
    outcome = process("review", "rr", "-", "--json", stdin=GAME.encode())
    assert (outcome.status, outcome.err) == (0, "")
    assert json.loads(outcome.out) == in_json(GAME)
