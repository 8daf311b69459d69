"""The strong solution and the file it is kept in."""

from __future__ import annotations

import errno
import hashlib
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path

import pytest

from cython_core.rr_search import Search, Transpositions
from cython_core.rr_table import DamagedTable, Table
from engines.rr import Position, Rules
from solvers import store, strong
from solvers.exact import Solver
from solvers.strong import StrongSolver, build, load, save, table_path

RULES = Rules()
POSITIONS_A_VARIANT = 1_000  # `python -m tests.test_table N` runs the comparison with N
MIDDLE = "tQC/K.p/.mG b PMT kqg"
UNREACHABLE = "KqM/pgp/C.. r QG km"  # set up by hand: both Castles are gone


@pytest.fixture(scope="session")
def packed() -> bytearray:
    return build(RULES)


@pytest.fixture
def folder(packed: bytearray, tmp_path: Path) -> Path:
    """A cache folder with one table in it, for a test to spoil."""
    save(RULES, packed, tmp_path)
    return tmp_path


def random_position(rules: Rules, plies: int, source: random.Random) -> Position:
    """A decision reached by so many random plies, or by fewer where a game ended before."""
    while True:
        core = rules.new_core()
        for _ in range(plies):
            if core.over:
                break
            core.play(source.choice(core.legal_actions()))
        if not core.over:
            return Position.from_core(core, rules)


def disagreements(rules: Rules, count: int, seed: int, table: Table) -> list[str]:
    """Of table and plain search, over random positions with at most nine cards in hand."""
    source = random.Random(seed)
    known = Transpositions(22)
    wrong = []
    for _ in range(count):
        position = random_position(rules, source.randrange(6, 14), source)
        core = position.to_core()
        if table.value(core) != Search(core, known).value(core):
            wrong.append(str(position))
    return wrong


@pytest.mark.parametrize("rules", Rules.variants(), ids=str)
def test_table_and_search_agree(rules: Rules, cache: Path) -> None:
    table = StrongSolver(cache).table(rules)
    assert disagreements(rules, POSITIONS_A_VARIANT, 1, table) == []


def test_all_moves_best_moves_and_line_agree_with_search(cache: Path) -> None:
    source = random.Random(2)
    by_table, by_search = StrongSolver(cache), Solver()
    for rules in Rules.variants():
        for _ in range(50):
            position = random_position(rules, source.randrange(7, 14), source)
            fast = by_table.solve(position, line=True)
            slow = by_search.solve(position, line=True)
            assert (fast.method, slow.method) == ("table", "search")
            assert list(fast.moves.items()) == list(slow.moves.items())
            assert (fast.value, fast.best, fast.line) == (slow.value, slow.best, slow.line)


def test_a_batch_lookup_gives_what_single_lookups_give(cache: Path) -> None:
    table = StrongSolver(cache).table(RULES)
    source = random.Random(3)
    cores = [random_position(RULES, source.randrange(0, 14), source).to_core() for _ in range(500)]
    found = array("b", bytes(len(cores)))
    table.lookup(array("Q", [core.key for core in cores]), found)
    assert list(found) == [table.value(core) for core in cores]


def test_positions_outside_the_table_are_searched(cache: Path) -> None:
    position = Position.parse(UNREACHABLE)
    assert StrongSolver(cache).table(RULES).value(position.to_core()) is None
    solution = StrongSolver(cache).solve(position)
    assert solution.method == "search"
    assert solution.moves == Solver().solve(position).moves


def test_the_table_does_not_depend_on_the_number_of_threads(packed: bytearray) -> None:
    for threads in (1, 3):
        assert hashlib.sha256(build(RULES, threads)).digest() == hashlib.sha256(packed).digest()


def test_progress_grows_to_the_whole() -> None:
    seen: list[tuple[int, int]] = []
    build(RULES, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1][0] == seen[-1][1]


def test_what_was_kept_is_loaded_again(folder: Path, packed: bytearray) -> None:
    table = load(RULES, folder)
    table.check_all()
    core = Position.parse(MIDDLE).to_core()
    assert table.value(core) == Table(False, False, packed).value(core) == 1


def spoil(path: Path, at: int, new: bytes | None = None) -> None:
    with path.open("r+b") as file:
        file.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
        old = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(new or bytes([old[0] ^ 1]))


def answers_and_repairs(folder: Path, word: str) -> None:
    """The solver says what is wrong (a word of it), answers rightly, and leaves a good table."""
    said: list[str] = []
    position = Position.parse(MIDDLE)
    solution = StrongSolver(folder, warn=said.append).solve(position)
    assert (solution.value, solution.method) == (1, "table")
    assert len(said) == 1
    assert str(table_path(RULES, folder)) in said[0]
    assert word in said[0]
    load(RULES, folder).check_all()


@pytest.mark.parametrize(
    ("at", "word"), [(0, "no file of this program"), (8, "version"), (40, "other rules")]
)
def test_a_foreign_or_older_file_is_noticed_and_built_again(
    folder: Path, at: int, word: str
) -> None:
    spoil(table_path(RULES, folder), at)
    answers_and_repairs(folder, word)


@pytest.mark.parametrize("at", [400, 5_000])
def test_a_damaged_head_is_noticed(folder: Path, at: int) -> None:
    spoil(table_path(RULES, folder), at)
    answers_and_repairs(folder, "head is damaged")


@pytest.mark.parametrize("size", [0, 7, 100, 50_000, 90_000_000])
def test_a_truncated_file_is_noticed(folder: Path, size: int) -> None:
    os.truncate(table_path(RULES, folder), size)
    answers_and_repairs(folder, "cut short" if size < 200 else "bytes instead of")


def test_a_file_that_grew_is_noticed(folder: Path) -> None:
    with table_path(RULES, folder).open("ab") as file:
        file.write(b"\0")
    answers_and_repairs(folder, "bytes instead of")


def test_every_spoiled_value_is_noticed_before_it_is_told(folder: Path) -> None:
    source = random.Random(4)
    path = table_path(RULES, folder)
    clean = path.read_bytes()
    for _ in range(10):
        at = source.randrange(40_000, len(clean))
        spoil(path, at)
        with pytest.raises(DamagedTable):
            load(RULES, folder).check_all()
        spoil(path, at)
    load(RULES, folder).check_all()


def test_a_query_on_a_damaged_block_is_answered_rightly(folder: Path, packed: bytearray) -> None:
    position = Position.parse(MIDDLE)
    path = table_path(RULES, folder)
    start = path.stat().st_size - len(packed)
    with path.open("r+b") as file:  # values of the last layers, which this position needs
        file.seek(start)
        file.write(bytes(1_000_000))
        file.seek(path.stat().st_size - 1_000_000)
        file.write(bytes(1_000_000))
        for layer in range(1, 90):
            file.seek(start + layer * 1_000_000)
            file.write(b"\xff" * 100_000)
    assert StrongSolver(folder, warn=lambda _: None).solve(position).value == 1


def test_other_rules_do_not_fit(folder: Path) -> None:
    other = Rules("adjacent")
    table_path(RULES, folder).rename(table_path(other, folder))
    with pytest.raises(store.UnusableFile, match="other rules"):
        load(other, folder)


def test_a_table_refuses_positions_of_other_rules(packed: bytearray) -> None:
    with pytest.raises(ValueError, match="house variants"):
        Table(False, False, packed).value(Position.start(Rules("adjacent")).to_core())


def test_a_disk_that_cannot_be_written_costs_a_warning_and_no_answer(tmp_path: Path) -> None:
    blocked = tmp_path / "a file where a folder should be"
    blocked.write_text("")
    said: list[str] = []
    solution = StrongSolver(blocked, warn=said.append).solve(Position.parse(MIDDLE))
    assert solution.value == 1
    assert any("cannot be kept" in sentence for sentence in said)


def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, packed: bytearray, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    said: list[str] = []
    assert StrongSolver(tmp_path, warn=said.append).solve(Position.parse(MIDDLE)).value == 1
    assert "No space left" in said[0]
    assert list(tmp_path.iterdir()) == []


def test_a_killed_build_leaves_no_table_and_its_remains_are_cleared(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "solvers.cli", "table", "rr", "--build", "--cache"]
    process = subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list(tmp_path.iterdir()) and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    path = table_path(RULES, tmp_path)
    path.unlink(missing_ok=True)  # in case it was quicker
    (tmp_path / f"{path.name}.1.1.tmp").write_bytes(b"what another killed process left")
    for file in store.temporaries(path):
        os.utime(file, (0, 0))  # as if it had lain there for long
    answers = StrongSolver(tmp_path).solve(Position.parse(MIDDLE))
    assert answers.value == 1
    load(RULES, tmp_path).check_all()
    assert store.temporaries(path) == []


def build_into(folder: str) -> None:
    save(RULES, build(RULES, 1), Path(folder))


def test_a_damaged_table_is_built_again_before_it_is_verified(folder: Path) -> None:
    spoil(table_path(RULES, folder), 50_000_000)
    said: list[str] = []
    table = StrongSolver(folder, warn=said.append).table(RULES, checked=True)
    table.check_all()
    assert "checksum" in said[0]
    load(RULES, folder).check_all()


def test_many_positions_are_valued_at_once(cache: Path) -> None:
    source = random.Random(6)
    positions = [random_position(RULES, source.randrange(0, 14), source) for _ in range(100)]
    positions.append(Position.parse(UNREACHABLE))
    solver = StrongSolver(cache)
    assert solver.values(positions) == [solver.solve(position).value for position in positions]
    assert solver.values([]) == []
    with pytest.raises(ValueError, match="same rules"):
        solver.values([Position.start(), Position.start(Rules("adjacent"))])


def test_two_processes_that_build_at_once_do_no_harm(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    crew = [context.Process(target=build_into, args=(str(tmp_path),)) for _ in range(2)]
    for member in crew:
        member.start()
    for member in crew:
        member.join()
    assert [member.exitcode for member in crew] == [0, 0]
    load(RULES, tmp_path).check_all()
    assert [file.name for file in tmp_path.iterdir()] == [table_path(RULES, tmp_path).name]


def test_the_cache_folder_is_the_chosen_one_then_the_environments(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOLVE_CACHE", str(tmp_path / "environment"))
    assert strong.cache_folder() == tmp_path / "environment"
    assert strong.cache_folder(str(tmp_path / "chosen")) == tmp_path / "chosen"
    monkeypatch.delenv("SOLVE_CACHE")
    assert "threecrowns" in str(strong.cache_folder())


def main() -> None:
    """Compare table and search on as many positions a variant as the command line says."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    folder = strong.cache_folder()
    for rules in Rules.variants():
        wrong = disagreements(rules, count, 5, StrongSolver(folder).table(rules))
        print(rules, f"{count} positions, {len(wrong)} disagreements", *wrong[:5])


if __name__ == "__main__":
    main()
