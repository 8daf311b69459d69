"""Puzzles have exactly one winning move and grades that follow from their moves; the command."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.rr import Position, Rules, move_texts
from solvers import puzzles as module
from solvers.exact import Solution, Solver
from solvers.puzzles import CARDS, FEWEST_CARDS, MOST_CARDS, Greedy, Puzzle, puzzles
from solvers.strong import StrongSolver, cache_folder
from tests.cli import Outcome, examples, solve
from tests.reference import rr as twin
from tests.test_rr_laws import all_rules, walk

seeds = st.integers(0, 2**63 - 1)


@pytest.fixture(scope="module")
def strong() -> StrongSolver:
    return StrongSolver(cache_folder(), threads=1)


def texts(found: list[Puzzle]) -> list[str]:
    return [str(puzzle.position) for puzzle in found]


def assert_one_move_wins(puzzle: Puzzle, cards: int) -> None:
    """By search alone: no table has a say in this."""
    position = puzzle.position
    assert sum(map(len, position.hands)) == cards
    solution = Solver().solve(position)
    assert solution.moves == puzzle.solution.moves
    winning = [move for move, value in solution.moves.items() if value > 0]
    assert winning == [puzzle.move]


def assert_graded(puzzle: Puzzle) -> None:
    """By the words of the documentation, from the values of a search."""
    position, solution = puzzle.position, Solver().solve(puzzle.position)
    assert puzzle.counts == dict(sorted(Counter(solution.moves.values()).items(), reverse=True))
    margins = {move: -position.play(move).margin for move in position.legal_moves()}
    assert puzzle.greedy.margin == max(margins.values())
    assert puzzle.greedy.move == min(
        move for move, margin in margins.items() if margin == puzzle.greedy.margin
    )
    line = puzzle.solution.line
    at = position
    fails = []
    for number, move in enumerate(line, start=1):
        if number % 2 and Solver().solve(at).moves[Greedy(at).move] <= 0:
            fails.append(number)
        at = at.play(move)
    assert at.over
    assert at.margin == solution.value * (-1) ** len(line)
    assert puzzle.greedy_fails_at == min(fails, default=None)
    hard = [len(margins) > 20, len(line) >= 5, fails[:1] == [1], len(puzzle.move) == 3]
    assert puzzle.difficulty == 1 + sum(hard)


# Laws


@given(seeds, st.integers(FEWEST_CARDS, 8))
@examples(12)
def test_every_puzzle_has_one_winning_move_and_comes_once(
    strong: StrongSolver, seed: int, cards: int
) -> None:
    found = list(puzzles(strong, 4, seed, cards))
    assert len(found) == 4
    assert len(set(texts(found))) == 4
    for puzzle in found:
        assert_one_move_wins(puzzle, cards)
        assert_graded(puzzle)


@given(seeds, st.integers(FEWEST_CARDS, 5), all_rules)
@examples(12)
def test_the_same_under_every_rule(seed: int, cards: int, rules: Rules) -> None:
    solver = Solver()
    for puzzle in islice(puzzles(solver, 2, seed, cards, rules), 2):
        assert puzzle.position.rules == rules
        assert_one_move_wins(puzzle, cards)
        assert_graded(puzzle)


@given(seeds)
@examples(10)
def test_a_seed_gives_its_puzzles_whoever_solves_and_however_many_are_asked_for(
    strong: StrongSolver, seed: int
) -> None:
    found = texts(list(puzzles(strong, 4, seed, 5)))
    assert texts(list(puzzles(Solver(threads=2), 4, seed, 5))) == found
    assert texts(list(puzzles(strong, 2, seed, 5))) == found[:2]


def test_a_seed_gives_the_same_puzzles_on_every_machine(strong: StrongSolver) -> None:
    assert texts(list(puzzles(strong, 3, 1, 7))) == [
        "KWc/P#g/.kQ r MGWT qmt",
        "tg./C#./TmQ r PMGW kpw",
        "mT./PMq/ckq r KPGW gwt",
    ]


@given(st.integers(0, 9999), st.integers(0, 15), all_rules)
@examples(40)
def test_random_play_keeps_to_the_rules(seed: int, plies: int, rules: Rules) -> None:
    position = module.random_position(Random(seed), plies, rules)
    dice = Random(seed)
    in_action_order = move_texts(rules).index
    way = walk(
        lambda moves: sorted(moves, key=in_action_order)[int(dice.random() * len(moves))],
        rules,
        plies,
    )
    assert position == (None if way[-1].over else way[-1])


@pytest.mark.parametrize("cards", [CARDS, CARDS - 1])
def test_no_position_with_more_cards_is_a_puzzle(strong: StrongSolver, cards: int) -> None:
    start = Position.start()
    positions = [start] if cards == CARDS else [start.play(move) for move in start.legal_moves()]
    assert not any(module.is_puzzle(strong.solve(position)) for position in positions)


@pytest.mark.parametrize("cards", [FEWEST_CARDS - 1, MOST_CARDS + 1, -1])
def test_an_impossible_number_of_cards_is_refused(cards: int) -> None:
    with pytest.raises(ValueError, match=f"cards must be 3 to 13, not {cards}"):
        next(puzzles(Solver(), 1, 1, cards))


class Pessimist(Solver):
    """Finds that every move loses, and counts the questions."""

    asked = 0

    def solve(self, position: Position, *, line: bool = False) -> Solution:
        self.asked += 1
        return Solution(position, dict.fromkeys(position.legal_moves(), -1))


def test_the_search_for_puzzles_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIES", 30)
    pessimist = Pessimist()
    shown: list[tuple[int, int, str]] = []
    assert list(puzzles(pessimist, 3, 1, 9, progress=lambda *what: shown.append(what))) == []
    assert pessimist.asked == len(shown) == 30
    assert shown[-1] == (0, 3, "0 of 3")


def test_a_new_puzzle_renews_the_patience(
    strong: StrongSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TRIES", 100)
    assert len(list(puzzles(strong, 25, 1, 7))) == 25  # some 15 tries each


def test_no_puzzle_comes_twice_even_where_there_are_few(
    strong: StrongSolver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TRIES", 200)
    found = texts(list(puzzles(strong, 1000, 1, 13)))
    assert 20 < len(found) == len(set(found)) < 1000


def test_greed_that_only_draws_goes_wrong() -> None:
    """§ Game End, with ending="occupied"."""
    rules = Rules(ending="occupied")
    draws = [
        puzzle
        for puzzle in puzzles(Solver(), 20, 1, 5, rules)
        if puzzle.solution.moves[puzzle.greedy.move] == 0
    ]
    assert draws
    assert {puzzle.greedy_fails_at for puzzle in draws} == {1}


def test_a_slow_reference_agrees_that_one_move_wins(strong: StrongSolver) -> None:
    rules = twin.Rules("ray", "face-up")
    for puzzle in puzzles(strong, 5, 3, 4):
        values = twin.move_values(twin.parse(str(puzzle.position)), rules)
        assert [move for move, value in values.items() if value > 0] == [puzzle.move]


# The command


def asked(*arguments: str) -> Outcome:
    return solve("puzzles", "rr", *arguments)


def test_json_has_every_field(strong: StrongSolver) -> None:
    outcome = asked("--count", "3", "--seed", "5", "--json")
    assert (outcome.status, outcome.err) == (0, "")
    found = list(puzzles(strong, 3, 5, 7))
    for number, (answer, puzzle) in enumerate(zip(outcome.answers, found, strict=True), start=1):
        assert answer == {
            "game": "rr",
            "rules": {"queen": "ray", "ending": "face-up"},
            "seed": 5,
            "cards": 7,
            "number": number,
            "position": str(puzzle.position),
            "side": "r",
            "value": puzzle.solution.value,
            "move_count": len(puzzle.solution.moves),
            "values": [{"value": value, "count": count} for value, count in puzzle.counts.items()],
            "plies": len(puzzle.solution.line),
            "greedy": {
                "move": puzzle.greedy.move,
                "margin": puzzle.greedy.margin,
                "value": puzzle.solution.moves[puzzle.greedy.move],
                "fails_at": puzzle.greedy_fails_at,
            },
            "difficulty": puzzle.difficulty,
            "solution": puzzle.move,
            "line": list(puzzle.solution.line),
        }


def test_threads_change_nothing() -> None:
    one, two = (
        asked("--count", "3", "--seed", "5", "--cards", "8", "--json", "--threads", threads)
        for threads in "12"
    )
    assert one == two


def test_people_get_puzzles_first_and_solutions_last(strong: StrongSolver) -> None:
    outcome = asked("--count", "2", "--seed", "1")
    assert (outcome.status, outcome.err) == (0, "")
    questions, answers = outcome.out.split("\nSolutions\n")
    for number, puzzle in enumerate(puzzles(strong, 2, 1, 7), start=1):
        assert f"Puzzle {number}: Regality to move and win" in questions
        assert f"Position: {puzzle.position}\n" in questions
        assert f"Difficulty {puzzle.difficulty} of 5" in questions
        assert puzzle.move not in questions
        assert f"{number}. {puzzle.move} (" in answers
        assert " ".join(puzzle.solution.line) in answers
    assert "6 moves: 1 wins by 1, 4 lose by 1, 1 loses by 3\nBest play lasts 2 moves" in questions
    assert "A greedy player never lets the win go" in questions
    assert "A greedy player takes Pc2~d, for a margin of +5 at once, and loses by 1" in questions


def test_a_worksheet_holds_no_solution(strong: StrongSolver) -> None:
    options = ("--count", "6", "--seed", "2", "--cards", "6", "--no-solutions")
    outcome = asked(*options)
    assert (outcome.status, outcome.err) == (0, "")
    found = list(puzzles(strong, 6, 2, 6))
    assert any(puzzle.greedy.move == puzzle.move for puzzle in found)
    assert any(puzzle.greedy.move != puzzle.move for puzzle in found)
    assert "Solution" not in outcome.out
    for part, puzzle in zip(outcome.out.split("Puzzle ")[1:], found, strict=True):
        assert part.splitlines()[0].endswith(": Religion to move and win")
        assert puzzle.move not in part.replace(",", " ").split()
    for line, puzzle in zip(asked(*options, "--json").lines, found, strict=True):
        assert f'"{puzzle.move}"' not in line
        assert not {"solution", "line"} & set(json.loads(line))


def test_too_few_puzzles_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TRIES", 3)
    for options in ([], ["--json"]):
        outcome = asked("--count", "9", "--seed", "1", "--cards", "13", *options)
        assert outcome.status == 0
        assert outcome.err.startswith("solve: found ")
        assert "of 9 puzzles" in outcome.err
        assert "another --cards may have more" in outcome.err
        assert len(outcome.answers if options else outcome.out.split("Puzzle ")[1:]) < 9


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--count", "0", "--seed", "1"], "--count: must be a whole number from 1 to 1000"),
        (["--count", "1001", "--seed", "1"], "--count: must be a whole number from 1 to 1000"),
        (["--count", "1", "--seed", "-1"], "--seed: must be a whole number from 0 to "),
        (["--count", "1", "--seed", str(2**63)], "--seed: must be a whole number from 0 to "),
        (["--count", "1", "--seed", "1", "--cards", "2"], "not 2: with fewer"),
        (["--count", "1", "--seed", "1", "--cards", "14"], "not 14: with more"),
        (["--count", "1", "--seed", "1", "--cards", "16"], "--cards: must be a whole number"),
        (["--count", "1"], "--seed"),
        (["--seed", "1"], "--count"),
        (["--count", "x", "--seed", "1"], "--count: must be a whole number"),
        (["--count", "1", "--seed", "1", "--no-sol"], "unrecognized arguments"),
    ],
)
def test_a_bad_request_is_refused_with_the_reason(arguments: list[str], told: str) -> None:
    outcome = asked(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert told in outcome.err
