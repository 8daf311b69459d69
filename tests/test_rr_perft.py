"""RR: numbers of move sequences, against tests/positions/rr_perft.txt.

Run as a program (`python -m tests.test_rr_perft`) it counts everything in the file anew and
rewrites it. Run the tests after that: they ask the twin as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple

import pytest

from cython_core.game import perft
from engines.rr import START, Position, Rules
from tests.reference import rr as twin
from tests.test_rr_twin import twin_rules

FILE = Path(__file__).parent / "positions" / "rr_perft.txt"
TWIN_COUNTS_TO = 30_000


class Case(NamedTuple):
    text: str
    rules: Rules
    counts: dict[int, int]  # move sequences by depth


def read(line: str) -> Case:
    text, queen, ending, counts = line.split(" | ")
    pairs = [pair.split("=") for pair in counts.split(" ")]
    return Case(text, Rules(queen, ending), {int(depth): int(n) for depth, n in pairs})


def write(case: Case) -> str:
    counts = " ".join(f"{depth}={count}" for depth, count in case.counts.items())
    return f"{case.text} | {case.rules.queen} | {case.rules.ending} | {counts}"


def name(case: Case) -> str:
    return f"{case.text} {case.rules.queen} {case.rules.ending}"


def count(case: Case) -> dict[int, int]:
    game = Position.parse(case.text, case.rules).to_core()
    return {depth: perft(game, depth) for depth in case.counts}


LINES = FILE.read_text(encoding="ascii").splitlines()
COMMENTS = [line for line in LINES if line.startswith("# ")]  # a board may start with # as well
CASES = [read(line) for line in LINES if line not in COMMENTS]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_core_counts_what_the_file_says(case: Case) -> None:
    assert count(case) == case.counts


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_twin_counts_what_the_file_says_where_it_is_quick(case: Case) -> None:
    quick = list(takewhile(lambda count: count < TWIN_COUNTS_TO, case.counts.values()))
    assert len(quick) >= 2
    state, rules = twin.parse(case.text), twin_rules(case.rules)
    assert list(islice(twin_counts(state, rules), len(quick))) == quick


def twin_counts(state: twin.State, rules: twin.Rules) -> Iterator[int]:
    """Perft by the twin for depths 1, 2, ...: one ply a step, each state once a ply."""
    ways = Counter({state: 1})
    while True:
        moves = {here: twin.legal(here, rules) for here in ways}
        yield sum(times * len(moves[here]) for here, times in ways.items())
        there: Counter[twin.State] = Counter()
        for here, times in ways.items():
            for move in moves[here]:
                there[twin.play(here, move, rules)] += times
        ways = there


def test_both_ways_to_count_with_the_twin_agree() -> None:
    state, rules = twin.parse("w.g/k#t/.Kq b QGT pmw"), twin.Rules()
    counts = islice(twin_counts(state, rules), 3)
    assert list(counts) == [twin.perft(state, rules, depth) for depth in (1, 2, 3)]


def test_the_file_has_the_start_to_depth_5_and_ten_more_positions_to_depth_4() -> None:
    for rules in Rules.variants():
        depths = {case.text: max(case.counts) for case in CASES if case.rules == rules}
        assert depths.pop(START) == 5
        assert len(depths) >= 10
        assert min(depths.values()) >= 4


def test_the_file_is_written_as_the_program_writes_it() -> None:
    assert COMMENTS + [write(case) for case in CASES] == LINES
    assert len({(case.text, case.rules) for case in CASES}) == len(CASES)
    for case in CASES:
        assert str(Position.parse(case.text, case.rules)) == case.text
        assert list(case.counts) == list(range(1, max(case.counts) + 1))


def main() -> None:
    anew = [write(case._replace(counts=count(case))) for case in CASES]
    FILE.write_text("\n".join(COMMENTS + anew) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
