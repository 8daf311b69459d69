"""The strong solution of RR against other ways to the same answers; one JSON line.

    python bench/strong.py            some minutes
    python bench/strong.py --quick    without the alpha-beta solve of the start position

Asserts every answer before it reports a time. Times are wall seconds; whole processes are medians
of several runs, each with its peak memory.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import resource
import statistics
import tempfile
from array import array
from pathlib import Path

from process import solve, timed

from engines.rr import START, Position, Rules
from solvers.exact import Solver
from solvers.strong import StrongSolver, build, load, table_path

START_VALUE = 1
# Of the packed values, ray and face-up, in layout 1; `solve verify rr` proves what they say.
PACKED_SHA256 = "10287a3fa08fe86e918e664523a0007767ca1fcd8f36c8b3e292028a7db97458"
MIDDLE, MIDDLE_VALUE = "tQC/K.p/.mG b PMT kqg", 1
LATE = "tQC/KGp/.mG r PMT kq"
RUNS = 7
LOOKUPS = 200_000
BATCH = 100_000


def build_times() -> dict[str, float]:
    """Median seconds to solve one variant in memory, by threads."""
    times: dict[str, float] = {}
    for threads in (1, 2):
        runs = []
        for _ in range(RUNS):
            packed, seconds = timed(lambda threads=threads: build(Rules(), threads))
            assert hashlib.sha256(packed).hexdigest() == PACKED_SHA256
            runs.append(seconds)
        times[f"build_{threads}_threads"] = round(statistics.median(runs), 3)
    return times


def process_times(folder: Path) -> dict[str, float]:
    """Whole processes: from an empty cache, and with the table in place."""
    report: dict[str, float] = {}
    ask = ("rr", "--json", "--cache", str(folder), "--position")
    cold, warm, peaks = [], [], []
    for _ in range(RUNS):
        table_path(Rules(), folder).unlink(missing_ok=True)
        output, seconds, peak = solve(*ask, "start")
        assert json.loads(output)["value"] == START_VALUE
        cold.append(seconds)
        peaks.append(peak)
    for _ in range(3 * RUNS):
        output, seconds, _ = solve(*ask, MIDDLE)
        assert json.loads(output)["value"] == MIDDLE_VALUE
        warm.append(seconds)
    report["start_from_empty_cache"] = round(statistics.median(cold), 3)
    report["start_from_empty_cache_peak_mb"] = max(peaks) // 1024
    report["query_with_table"] = round(statistics.median(warm), 4)
    report["table_mb"] = round(table_path(Rules(), folder).stat().st_size / 1e6, 1)
    return report


def batch_time(folder: Path) -> dict[str, float]:
    """100,000 positions through standard input, with all move values and lines."""
    positions = folder / "positions.txt"
    asked = random_positions(BATCH)
    positions.write_text("".join(f"{position}\n" for position in asked))
    output, seconds, _ = solve(
        "rr", "--json", "--cache", str(folder), "--position", "-", stdin=positions
    )
    values = StrongSolver(folder).values(asked)
    assert [json.loads(line)["value"] for line in output.splitlines()] == values
    return {"batch_of_100000": round(seconds, 2)}


def random_positions(count: int) -> list[Position]:
    source = random.Random(3)
    found = []
    while len(found) < count:
        core = Rules().new_core()
        for _ in range(source.randrange(1, 14)):
            if core.over:
                break
            core.play(source.choice(core.legal_actions()))
        if not core.over:
            found.append(Position.from_core(core, Rules()))
    return found


def lookup_rates(folder: Path) -> dict[str, int]:
    table = load(Rules(), folder)
    table.check_all()
    cores = [position.to_core() for position in random_positions(2_000)] * (LOOKUPS // 2_000)
    single, seconds = timed(lambda: [table.value(core) for core in cores])
    keys, found = array("Q", [core.key for core in cores]), array("b", bytes(len(cores)))
    _, batch_seconds = timed(lambda: table.lookup(keys, found))
    assert list(found) == single
    return {
        "lookups_per_second_single": int(LOOKUPS / seconds),
        "lookups_per_second_batch": int(LOOKUPS / batch_seconds),
    }


def against_openspiel(folder: Path) -> dict[str, float]:
    """A late position by OpenSpiel's alpha-beta over the adapter, and by our search and table."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    from engines.openspiel import register

    register()
    game = pyspiel.load_game("rr")
    state = game.new_initial_state(LATE)
    (theirs, _), seconds = timed(
        lambda: minimax.alpha_beta_search(
            game, state=state, maximum_depth=15, maximizing_player_id=state.current_player()
        )
    )
    searched = Solver().solve(Position.parse(LATE))
    looked_up = StrongSolver(folder).solve(Position.parse(LATE))
    assert theirs == searched.value == looked_up.value
    return {"late_openspiel": round(seconds, 4), "late_search": round(searched.seconds, 6)}


def start_by_search() -> dict[str, float]:
    solution = Solver().solve(Position.parse(START))
    assert solution.value == START_VALUE
    return {"start_by_search": round(solution.seconds, 2), "start_by_search_nodes": solution.nodes}


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the strong solution of RR.")
    parser.add_argument("--quick", action="store_true", help="leave out the search of the start")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = {**build_times(), **process_times(folder), **batch_time(folder)}
        report |= {**lookup_rates(folder), **against_openspiel(folder)}
    if not args.quick:
        report |= start_by_search()
    report["bench_peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps(report))


if __name__ == "__main__":
    main()
