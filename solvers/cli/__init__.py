"""The `solve` command. One file a verb; each is imported only when it is called."""

from __future__ import annotations

import importlib
import os
import sys

from solvers.cli.errors import EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, CommandError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# What stands after `solve`: the name of a game asks about a position, anything else is a verb.
COMMANDS = {
    "rr": "exact value and best moves of an RR position",
    "perft": "count move sequences, to check the rules",
    "table": "build, check or remove the table of all RR positions",
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
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status: 0 done, 2 usage, 3 position, 130 interrupted."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _dispatch(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("solve: interrupted", file=sys.stderr)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough. Keep the interpreter from flushing into the closed pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK
    except CommandError as error:
        print(f"solve: {error}", file=sys.stderr)
        return error.code
    return status


def _dispatch(arguments: list[str]) -> int:
    command = arguments[0] if arguments else "--help"
    if command in ("-h", "--help"):
        print(HELP.format(commands=_command_list()), end="")
        return EXIT_OK if arguments else EXIT_USAGE
    if command == "--version":
        from importlib.metadata import version

        print(f"threecrowns {version('threecrowns')}")
        return EXIT_OK
    if command not in COMMANDS:
        raise CommandError(
            f"no command {command[:40]!r}; there is {', '.join(COMMANDS)} (solve --help)"
        )
    module = importlib.import_module(f"solvers.cli.{command}")
    status: int = module.run(arguments[1:])
    return status


def _command_list() -> str:
    return "\n".join(f"  solve {name:10} {what}" for name, what in COMMANDS.items())
