"""`solve table`: build, describe or remove the table of all RR positions."""

from __future__ import annotations

import json
import time

from cython_core.rr_table import DamagedTable
from engines.rr import Rules
from solvers import store
from solvers.cli.errors import EXIT_FAILED, EXIT_OK, CommandError, printable
from solvers.cli.options import Parser, add_cache, add_rules
from solvers.cli.screen import Progress
from solvers.strong import build, cache_folder, load, save, table_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

EPILOG = """\
`solve rr` builds the table it needs by itself; this is for those who want it now or elsewhere.

examples:
  solve table rr --build
  solve table rr --build --queen adjacent --cache /tmp/tables
  solve table rr --info --json
  solve table rr --remove
"""


DESCRIPTION = "The table of the exact values of all reachable positions, one a rule set."


def parser() -> Parser:
    p = Parser("solve table", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    action = p.add_mutually_exclusive_group(required=True)
    action.add_argument(
        "--build", action="store_true", help="solve from nothing and keep the table"
    )
    action.add_argument("--info", action="store_true", help="check the whole table and describe it")
    action.add_argument("--remove", action="store_true", help="delete it, and unfinished ones")
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    add_rules(p)
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    rules = Rules(args.queen, args.ending)
    act = _build if args.build else _info if args.info else _remove
    try:
        report = act(rules, args)
    except OSError as error:
        path = table_path(rules, cache_folder(args.cache))
        raise CommandError(f"{path}: {error.strerror or error}", EXIT_FAILED) from error
    if args.json:
        print(json.dumps({"game": "rr", "rules": rules.as_dict(), **report}))
    else:
        for name, what in report.items():
            text = f"{what:,}" if isinstance(what, int) else printable(str(what))
            print(f"{name:12} {text}")
    return EXIT_OK


def _build(rules: Rules, args: argparse.Namespace) -> dict[str, object]:
    start = time.perf_counter()
    with Progress("solving") as progress:
        packed = build(rules, args.threads, progress)
    path = save(rules, packed, cache_folder(args.cache), args.threads)
    return {
        "table": str(path),
        "state": "built",
        "bytes": path.stat().st_size,
        "seconds": round(time.perf_counter() - start, 3),
    }


def _info(rules: Rules, args: argparse.Namespace) -> dict[str, object]:
    path = table_path(rules, cache_folder(args.cache))
    report: dict[str, object] = {"table": str(path)}
    try:
        load(rules, path.parent).check_all()
    except FileNotFoundError:
        return {**report, "state": "missing; it is built when it is first needed"}
    except (store.UnusableFile, DamagedTable) as error:
        return {**report, "state": f"unusable: {error}; it is built again when it is next needed"}
    return {
        **report,
        "state": "complete and undamaged",
        "bytes": path.stat().st_size,
        "rules_digest": rules.digest(),
    }


def _remove(rules: Rules, args: argparse.Namespace) -> dict[str, object]:
    path = table_path(rules, cache_folder(args.cache))
    doomed = [*([path] if path.exists() else []), *store.temporaries(path)]
    for file in doomed:
        file.unlink(missing_ok=True)
    return {"table": str(path), "state": "removed" if doomed else "there was none"}
