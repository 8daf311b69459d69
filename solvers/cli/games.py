"""The games that begin by chance, and how their options become a first position."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from engines.data_files import DataError, OptionError
from solvers.cli.errors import CommandError
from solvers.cli.options import whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

PRESETS = ("full", "mini", "micro")
MOST_PLAYERS = 8
LARGEST_SEED = 2**63 - 1


class Option(NamedTuple):
    """One that only one game has. `default`: its word; `of_file`: whether a file may be given."""

    default: str
    choices: str
    help: str
    of_file: bool = False


class Game(NamedTuple):
    """`dealing`: the nodes of the setup; the first that is another one begins the first turn."""

    title: str
    engine: str
    options: dict[str, Option]
    dealing: tuple[str, ...]

    @property
    def files(self) -> tuple[str, ...]:
        """The options that may name a file of somebody's own."""
        return *(name for name, option in self.options.items() if option.of_file), "cards"


GAMES = {
    "richard": Game(
        "Richard I",
        "engines.richard",
        {
            "counselors": Option(
                "house",
                "house|off|FILE",
                "with the house counselors (default), without, or with texts of your own",
                True,
            ),
            "events": Option(
                "off",
                "off|shuffled|historical|FILE",
                "without events (default), with the house events in either order, or your own",
                True,
            ),
        },
        ("deal", "loyalty", "counselor"),
    ),
    "charlemagne": Game(
        "Charlemagne",
        "engines.charlemagne",
        {
            "farmstead": Option(
                "random",
                "random|choice",
                "what a farmstead yields is drawn (default), or may be named",
            )
        },
        ("start", "card"),
    ),
}


def add_start(p: argparse.ArgumentParser) -> None:
    """How a game begins."""
    p.add_argument("game", choices=list(GAMES))
    p.add_argument(
        "--players", type=whole_number(2, MOST_PLAYERS), required=True, metavar="N",
        help="3 to 8 play Richard I, 2 to 4 Charlemagne; 2 or 3 the small games",
    )  # fmt: skip
    p.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), required=True, metavar="S",
        help="a whole number that all luck comes from",
    )  # fmt: skip
    p.add_argument(
        "--preset", choices=PRESETS, default=PRESETS[0],
        help="the numbers of the box (default), or those of a small game",
    )  # fmt: skip
    p.add_argument("--cards", metavar="FILE", help="numbers of your own instead of a preset's")
    for game in GAMES.values():
        group = p.add_argument_group(game.title)
        for name, option in game.options.items():
            group.add_argument(f"--{name}", metavar=option.choices, help=option.help)


def add_files(p: argparse.ArgumentParser) -> None:
    """The files that a recorded game was played by."""
    p.add_argument("--cards", metavar="FILE", help="numbers of your own, as it was played by")
    for game in GAMES.values():
        for name in game.files[:-1]:
            what = f"{name} of your own, as it was played by ({game.title})"
            p.add_argument(f"--{name}", metavar="FILE", help=what)


def files_given(args: argparse.Namespace) -> dict[str, str]:
    """Those of `add_files`, by option. Raises CommandError for those of other games."""
    _refuse_others(args)
    return {
        name: path
        for name in GAMES[args.game].files
        if (path := getattr(args, name, None)) is not None
    }


def chosen(args: argparse.Namespace) -> dict[str, Any]:
    """The options of `add_start` that a game has, by name. Raises CommandError for others."""
    _refuse_others(args)
    own = {
        name: option.default if getattr(args, name) is None else getattr(args, name)
        for name, option in GAMES[args.game].options.items()
    }
    return {"players": args.players, **own, "preset": args.preset, "cards": args.cards}


def started(args: argparse.Namespace) -> Any:
    """The position before the first card, from the options of `add_start`."""
    game, options = GAMES[args.game], chosen(args)
    try:
        return import_module(game.engine).Position.start(**options)
    except DataError as error:
        raise CommandError(str(error)) from error
    except OptionError as error:
        remedy = "; choose another --players or --preset" if error.option == "players" else ""
        raise CommandError(f"--{error.option}: {error}{remedy}") from error


def _refuse_others(args: argparse.Namespace) -> None:
    for name, game in GAMES.items():
        for option in game.options if name != args.game else ():
            if getattr(args, option, None) is not None:
                raise CommandError(
                    f"--{option}: an option of {game.title}, not of {GAMES[args.game].title}"
                )
