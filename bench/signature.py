"""Node counts of the exact search on fixed positions: a change that alters the search shows here.

python bench/signature.py            print them
python bench/signature.py --check    fail where they differ from signature.txt
python bench/signature.py --write    accept them
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from positions import SOLVED

from engines.rr import Position, Rules
from solvers.exact import Solver

FILE = Path(__file__).with_name("signature.txt")


def signature() -> str:
    lines = []
    for text, queen, ending, value in SOLVED:
        solution = Solver().solve(Position.parse(text, Rules(queen, ending)))
        if solution.value != value:
            sys.exit(f"{text} ({queen}, {ending}) has value {value}, not {solution.value}")
        lines.append(f"{solution.nodes:>9}  {queen:8} {ending:8} {text}")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Node counts of the exact search.")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    counted = signature()
    print(counted, end="")
    if args.write:
        FILE.write_text(counted, encoding="ascii")
    if args.check and counted != FILE.read_text(encoding="ascii"):
        sys.exit(f"the search visits other nodes than {FILE.name} says; if meant, --write")


if __name__ == "__main__":
    main()
