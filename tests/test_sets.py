"""§ 3 Set Match under perfect play, and `solve set`."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.rr import Position, Side
from solvers.sets import WINS_NEEDED, Match, chosen_match, forecast, match_winner, perfect_match
from solvers.strong import StrongSolver, cache_folder
from tests.cli import examples, solve

REGALITY, RELIGION = Side
GOING_ON = [(0, 0), (1, 0), (0, 1), (1, 1)]
FINISHED = [(2, 0), (2, 1), (0, 2), (1, 2)]
REPLAYS = 3  # of drawn sets, before the enumeration calls a match undecided

values = st.integers(-9, 9)
sides = st.sampled_from(Side)
scores = st.sampled_from(GOING_ON)


# Every way to play a match, throwing sets away included, as a game tree of its own.


def worth(winner: Side | None) -> int:
    """For Regality."""
    return 0 if winner is None else 1 if winner == REGALITY else -1


def better(side: Side, outcomes: list[int]) -> int:
    return max(outcomes) if side == REGALITY else min(outcomes)


def won(value: int, score: tuple[int, int], winner: Side, replays: int) -> int:
    after = (score[0] + (winner == REGALITY), score[1] + (winner == RELIGION))
    if max(after) == 2:
        return worth(winner)
    return enumerated_choice(value, after, winner.other, replays)


def enumerated(value: int, score: tuple[int, int], starter: Side, replays: int = REPLAYS) -> int:
    """Who can force a set may also let it go; where both can hold it, either may let it go."""
    if value:
        strong = starter if value > 0 else starter.other
        return better(strong, [won(value, score, winner, replays) for winner in Side])
    if replays == 0:
        return 0
    drawn = enumerated(value, score, starter, replays - 1)
    other_decides = better(starter.other, [drawn, won(value, score, starter, replays)])
    return better(starter, [other_decides, won(value, score, starter.other, replays)])


def enumerated_choice(
    value: int, score: tuple[int, int], loser: Side, replays: int = REPLAYS
) -> int:
    return better(loser, [enumerated(value, score, starter, replays) for starter in Side])


@pytest.mark.parametrize("score", GOING_ON)
@pytest.mark.parametrize("value", [-1, 0, 1])
@pytest.mark.parametrize("side", Side)
def test_the_winner_is_that_of_every_way_to_play_enumerated(
    value: int, score: tuple[int, int], side: Side
) -> None:
    assert worth(perfect_match(value, score, side).winner) == enumerated(value, score, side)
    if score != (0, 0):
        chosen = chosen_match(value, score, side)
        assert worth(chosen.winner) == enumerated_choice(value, score, side)


@given(values, scores, sides)
@examples(200)
def test_set_by_set_the_loser_chooses_and_the_first_to_two_wins(
    value: int, score: tuple[int, int], starter: Side
) -> None:
    match = perfect_match(value, score, starter)
    assert match.sets[0].chosen_by is None
    for before, after in pairwise(match.sets):
        assert before.winner is not None
        assert after.chosen_by == before.winner.other
        assert max(before.score) < WINS_NEEDED
    for played in match.sets:
        assert played.margin == abs(value)
        strong = played.starter if value > 0 else played.starter.other
        assert played.winner == (strong if value else None)
    assert match.winner == match_winner(match.sets[-1].score)
    won = [sum(played.winner == side for played in match.sets) for side in Side]
    assert match.sets[-1].score == (score[0] + won[0], score[1] + won[1])


@given(values, scores, sides)
@examples(100)
def test_the_sides_differ_only_in_name(value: int, score: tuple[int, int], starter: Side) -> None:
    match, mirrored = (
        perfect_match(value, score, starter),
        perfect_match(value, (score[1], score[0]), starter.other),
    )
    assert worth(match.winner) == -worth(mirrored.winner)
    assert [played.starter for played in match.sets] == [
        played.starter.other for played in mirrored.sets
    ]


@given(values.filter(bool), st.sampled_from(GOING_ON[1:]), sides)
@examples(100)
def test_whoever_chooses_wins_the_next_set(value: int, score: tuple[int, int], loser: Side) -> None:
    assert chosen_match(value, score, loser).sets[0].winner == loser


@pytest.mark.parametrize("loser", Side)
def test_where_every_set_is_a_draw_the_loser_starts(loser: Side) -> None:
    for score in GOING_ON[1:]:
        match = chosen_match(0, score, loser)
        assert match.winner is None
        assert [(played.starter, played.chosen_by) for played in match.sets] == [(loser, loser)]
        assert match.sets[0].score == score


@pytest.mark.parametrize("value", [-2, 0, 2])
def test_who_starts_if_nobody_says(value: int) -> None:
    def first(match: Match) -> tuple[Side, Side | None]:
        return match.sets[0].starter, match.sets[0].chosen_by

    opened = [first(match) for match in forecast(value, (0, 0))]
    assert opened == [(REGALITY, None)]
    assert [first(match)[1] for match in forecast(value, (1, 0))] == [RELIGION]
    assert [first(match)[1] for match in forecast(value, (0, 1))] == [REGALITY]
    assert [first(match)[1] for match in forecast(value, (1, 1))] == [REGALITY, RELIGION]
    for score in GOING_ON:
        for starter in Side:
            assert [first(match) for match in forecast(value, score, starter)] == [(starter, None)]


@pytest.mark.parametrize("score", FINISHED)
def test_a_match_with_two_wins_is_over(score: tuple[int, int]) -> None:
    (match,) = forecast(1, score)
    assert match.sets == ()
    assert match.winner == match_winner(score) == Side(score.index(2))


@pytest.mark.parametrize("score", [(2, 2), (3, 0), (0, 3), (-1, 0), (0, -1), (-1, 2)])
def test_an_impossible_score_is_refused(score: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no score of a match"):
        match_winner(score)
    with pytest.raises(ValueError, match="no score of a match"):
        forecast(1, score)


# The command


def test_a_match_told_set_by_set() -> None:
    outcome = solve("set", "rr")
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.lines == [
        "Under perfect play whoever starts a set wins it by 1, and the loser of a set says who"
        " starts the next.",
        "",
        "Set 1: Regality starts and wins by 1: 1-0.",
        "Set 2: Religion, who lost the last set, chooses to start and wins by 1: 1-1.",
        "Set 3: Regality, who lost the last set, chooses to start and wins by 1: 2-1.",
        "Regality wins the match, 2 sets to 1.",
    ]


def test_json_says_the_same() -> None:
    assert solve("set", "rr", "--score", "0-1", "--starter", "religion", "--json").answer == {
        "game": "rr",
        "rules": {"queen": "ray", "ending": "face-up"},
        "score": "0-1",
        "starter": "b",
        "winner": "b",
        "sets": [{"starter": "b", "chosen_by": None, "winner": "b", "margin": 1}],
        "start_value": 1,
    }


def test_the_value_of_a_set_comes_from_the_table() -> None:
    solver = StrongSolver(cache_folder(), threads=1)
    start = solver.solve(Position.start()).value
    assert solve("set", "rr", "--json").answer["start_value"] == start
    swapped = Position.parse(".../.../... b KQPMGWT ckqpmgwt")
    assert solver.solve(swapped).value == start


def test_at_one_all_there_are_two_cases() -> None:
    cases = json.loads(solve("set", "rr", "--score", "1-1", "--json").out)
    assert [(case["sets"][0]["chosen_by"], case["winner"]) for case in cases] == [
        ("r", "r"),
        ("b", "b"),
    ]
    text = solve("set", "rr", "--score", "1-1").out
    assert "If Regality lost the last set:" in text
    assert "If Religion lost the last set:" in text
    one = solve("set", "rr", "--score", "1-1", "--starter", "religion").out
    assert "If " not in one


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0, ["Set 1: Religion starts; it is a draw.", "house ruling", "The match is a draw."]),
        (
            -3,
            [
                "loses it by 3",
                "Set 1: Religion starts and Regality wins by 3: 1-0.",
                "Set 2: Religion, who lost the last set, lets Regality start and wins by 3: 1-1.",
                "Regality wins the match, 2 sets to 1.",
            ],
        ),
    ],
)
def test_other_values_of_a_set_are_told_as_well(
    value: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solvers.cli.set._start_value", lambda rules, args: value)
    text = solve("set", "rr", "--starter", "religion").out
    assert [part for part in told if part not in text] == []
    answer = solve("set", "rr", "--starter", "religion", "--json").answer
    assert answer["winner"] == (None if value == 0 else "r")
    assert answer["start_value"] == value


@pytest.mark.parametrize(
    ("score", "who", "letter"), [("2-0", "Regality", "r"), ("1-2", "Religion", "b")]
)
def test_a_finished_match_names_its_winner(score: str, who: str, letter: str) -> None:
    outcome = solve("set", "rr", "--score", score)
    assert (outcome.status, outcome.err) == (0, "")
    assert outcome.out.startswith(f"The match is over: {who} has won it, 2 sets to ")
    answer = solve("set", "rr", "--score", score, "--json").answer
    assert (answer["winner"], answer["starter"], answer["sets"]) == (letter, None, [])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--score", "2-2"], "2-2 is no score"),
        (["--score", "3-0"], "3-0 is no score"),
        (["--score", "1"], "such as 1-0, not '1'"),
        (["--score", "1-0-0"], "not '1-0-0'"),
        (["--score", "\u0661-0"], r"not '\u0661-0'"),
        (["--score", "x\x1b"], r"'x\x1b'"),
        (["--score", "2-1", "--starter", "regality"], "the match is over at 2-1"),
        (["--starter", "nobody"], "invalid choice"),
        (["--sco", "1-0"], "unrecognized arguments"),
    ],
)
def test_a_bad_request_is_refused_with_the_reason(arguments: list[str], told: str) -> None:
    outcome = solve("set", "rr", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert told in outcome.err
