"""The `solve` command. One file a verb; each is imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

from solvers.cli.errors import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_USAGE,
    CommandError,
    complain,
    echo,
    silence,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# What stands after `solve`: the name of a game asks about a position, anything else is a verb.
COMMANDS = {
    "rr": "exact value and best moves of an RR position",
    "perft": "count move sequences, to check the rules",
    "table": "build, check or remove the table of all RR positions",
    "verify": "prove the table with a program that shares no code with the solver",
    "set": "who wins a match of sets under perfect play",
    "puzzles": "positions in which exactly one move wins",
    "review": "what every move of a recorded game was worth",
    "new": "begin a game at random, as a record or as one seat sees it",
    "show": "where a recorded game stands, for one seat or for all",
}

HELP = """\
usage: solve GAME --position ...     a question about a position
       solve VERB GAME ...           everything else

commands:
{commands}

  solve COMMAND --help              options and examples of one command
  solve --version

examples:
  solve rr --position start
  solve rr --position 'tQC/K.p/.mG b PMT kqg' --moves
  solve perft rr --depth 4 --divide
  solve table rr --info
  solve set rr --score 1-0
  solve puzzles rr --count 3 --seed 1
  solve review rr game.txt
  solve new richard --players 4 --seed 1 --moves 20 > game.txt
  solve show richard game.txt --seat 0
  solve new charlemagne --players 3 --seed 1 --moves 40 | solve show charlemagne -
  solve perft richard --players 3 --seed 1 --depth 3
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status.

    0 done, 1 the machine failed, 2 usage or unreadable text, 3 a position or move that breaks the
    rules, 4 a proof that failed, 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 (for as long as the process lives)
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        silence(sys.stdout)
        return EXIT_OK
    except OSError as error:
        silence(sys.stdout)
        complain(f"cannot go on: {error.strerror or error}")
        return EXIT_FAILED
    except MemoryError as error:
        complain(f"out of memory: {error}" if str(error) else "out of memory")
        return EXIT_FAILED
    except CommandError as error:
        complain(str(error))
        return error.code
    return status


def _dispatch(arguments: list[str]) -> int:
    if sys.stdout is None:
        raise CommandError("there is no standard output to answer on")
    command = arguments[0] if arguments else "--help"
    if command in ("-h", "--help"):
        print(HELP.format(commands=_command_list()), end="")
        return EXIT_OK if arguments else EXIT_USAGE
    if command == "--version":
        print(f"threecrowns {_version()}")
        return EXIT_OK
    if command not in COMMANDS:
        raise CommandError(
            f"no command {echo(command)!r}; there is {', '.join(COMMANDS)} (solve --help)"
        )
    module = importlib.import_module(f"solvers.cli.{command}")
    try:
        status: int = module.run(arguments[1:])
    except SystemExit as done:  # argparse, after printing its help
        status = int(done.code or EXIT_OK)
    return status


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("threecrowns")
    except PackageNotFoundError:
        return "(run from its source folder, not installed)"


def _command_list() -> str:
    return "\n".join(f"  solve {name:10} {what}" for name, what in COMMANDS.items())
