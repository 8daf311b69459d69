"""`solve verify`: check the whole table with a program that shares no code with the solver."""

from __future__ import annotations

import json
import time
from array import array

from cython_core import rr_verify
from engines.rr import Rules
from solvers.cli.errors import EXIT_DISPROVED, EXIT_OK
from solvers.cli.options import Parser, add_cache, add_rules, strong_solver
from solvers.cli.screen import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cython_core.rr_table import Table

EXPECTED_POSITIONS = 88_100_000  # in every variant, for the progress bar

EPILOG = """\
It finds every position that can be reached from the start, by rules written a second time, and
checks that each value in the table is the best over its moves. Positions that a symmetry of the
board makes equal count once. The digest is the SHA-256 over eight bytes a position, ply after ply
and ascending in each: the packed position (52 bits in 7 bytes, little-endian: 9 bits each for the
cards facing the side to move, those facing the other side, Castles, the face-down card, bit 0 is
a1, then 8 bits each for the hand of the side to move and the other hand, in the order CKQPMGWT;
the least of the eight symmetric ones), then the value for the side to move (1 byte, signed).

examples:
  solve verify rr
  solve verify rr --queen adjacent --ending occupied --json
"""


DESCRIPTION = "Proof of the strong solution, position by position. Takes a minute or two."


def parser() -> Parser:
    p = Parser("solve verify", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    add_rules(p)
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    rules = Rules(args.queen, args.ending)
    start = time.perf_counter()
    with Progress("building the table") as building:
        table = strong_solver(args, building).table(rules, checked=True)
    report = _verify(table, rules, args.threads)
    seconds = time.perf_counter() - start
    print(_as_json(report, rules, seconds) if args.json else _drawn(report, rules, seconds))
    return EXIT_OK if report.verdict else EXIT_DISPROVED


def _verify(table: Table, rules: Rules, threads: int) -> rr_verify.Report:
    def values(positions: memoryview) -> array[int]:
        found = array("b", bytes(len(positions)))
        table.lookup(positions, found)
        return found

    with Progress("verifying") as progress:
        return rr_verify.verify(
            values,
            *rules.flags,
            threads=threads,
            progress=lambda ply, done: progress(
                min(done, EXPECTED_POSITIONS), EXPECTED_POSITIONS, f"ply {ply}, {done:,} positions"
            ),
        )


def _as_json(report: rr_verify.Report, rules: Rules, seconds: float) -> str:
    return json.dumps(
        {
            "game": "rr",
            "rules": rules.as_dict(),
            "plies": [{"ply": ply, **count._asdict()} for ply, count in enumerate(report.plies)],
            "total": report.totals._asdict(),
            "mismatches": report.mismatches,
            "examples": [example._asdict() for example in report.examples],
            "sha256": report.sha256,
            "verdict": "proved" if report.verdict else "disproved",
            "seconds": round(seconds, 1),
        }
    )


def _drawn(report: rr_verify.Report, rules: Rules, seconds: float) -> str:
    heads = ("ply", "positions", "wins", "losses", "draws")
    lines = ["".join(f"{head:>14}" for head in heads)]
    for ply, count in enumerate(report.plies):
        lines.append(f"{ply:>14}" + "".join(f"{number:>14,}" for number in count))
    lines.append(f"{'total':>14}" + "".join(f"{number:>14,}" for number in report.totals))
    lines += ["", f"SHA-256 of positions and values: {report.sha256}"]
    lines += [
        f"  packed position {example.position:#x}: the table says {example.claimed},"
        f" its moves say {example.expected}"
        for example in report.examples
    ]
    verdict = "proved" if report.verdict else f"DISPROVED at {report.mismatches:,} positions"
    lines.append(f"RR (queen={rules.queen}, ending={rules.ending}) {verdict} in {seconds:.0f} s")
    return "\n".join(lines)
