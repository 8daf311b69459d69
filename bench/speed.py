"""Speed of the RR core, one JSON line. Asserts every answer before it reports a time.

    python bench/speed.py            about a minute
    python bench/speed.py --quick    without the start position, a few seconds

Rates are per second of wall time on one thread; a process time is the median of several runs.
"""

from __future__ import annotations

import argparse
import json
import statistics

from positions import SOLVED
from process import solve, timed

from cython_core.game import perft
from cython_core.rr import RR
from engines.rr import Position, Rules
from solvers.exact import Solver

PERFT_DEPTH, PERFT_COUNT = 5, 323_025_568
START_VALUE = 1
COLD_RUNS = 11
COLD_POSITION, COLD_VALUE = SOLVED[2][0], SOLVED[2][3]


def perft_rate() -> float:
    count, seconds = timed(lambda: perft(RR(), PERFT_DEPTH))
    assert count == PERFT_COUNT, count
    return count / seconds


def solve_all(positions) -> dict[str, float]:
    nodes = seconds = 0.0
    for position, value in positions:
        solution = Solver().solve(position)
        assert solution.value == value, (position, solution.value)
        nodes += solution.nodes
        seconds += solution.seconds
    return {
        "seconds": round(seconds, 3),
        "nodes": int(nodes),
        "nodes_per_second": int(nodes / seconds),
    }


def cold_process() -> float:
    """Median seconds of a whole `solve rr --search` process, 7 cards in hand."""
    runs = []
    for _ in range(COLD_RUNS):
        output, seconds, _ = solve("rr", "--search", "--position", COLD_POSITION, "--json")
        assert json.loads(output)["value"] == COLD_VALUE
        runs.append(seconds)
    return statistics.median(runs)


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the RR core, as one JSON line.")
    parser.add_argument("--quick", action="store_true", help="leave out the start position")
    args = parser.parse_args()
    fixed = [(Position.parse(text, Rules(q, e)), value) for text, q, e, value in SOLVED]
    report = {
        "perft_nodes_per_second": int(perft_rate()),
        "fixed_positions": solve_all(fixed),
        "cold_process_seconds": round(cold_process(), 4),
    }
    if not args.quick:
        report["start"] = solve_all([(Position.start(), START_VALUE)])
    print(json.dumps(report))


if __name__ == "__main__":
    main()
