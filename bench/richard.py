"""Speed of Richard I's rules: random play in the core and from Python, beside OpenSpiel's hearts.

    python bench/richard.py

One JSON line; rates are decisions a second on one thread, chance outcomes played but not counted.
"""

from __future__ import annotations

import json
import random
import time

import pyspiel
from process import timed

from cython_core.game import play_random
from engines.richard import Position

GAMES = 20_000
SECONDS = 3.0
COPIES = 1_000_000


def core_rate(players: int) -> int:
    start = Position.start(players, "house", "shuffled").to_core()
    (decisions, returns), seconds = timed(lambda: play_random(start, GAMES))
    assert abs(sum(returns)) < 1e-6 * GAMES
    assert play_random(start, 100) == play_random(start, 100)
    return int(decisions / seconds)


def python_rate(players: int) -> int:
    """legal_actions and play on the compiled state, as a bot author's loop would."""
    choose = random.Random(1).random
    start = Position.start(players, "house", "shuffled").to_core()
    decisions, end = 0, time.perf_counter() + SECONDS
    begun = time.perf_counter()
    while time.perf_counter() < end:
        state = start.copy()
        while True:
            if actions := state.legal_actions():
                decisions += 1
                state.play(actions[int(choose() * len(actions))])
            elif not state.sample(choose()):
                break
        assert abs(sum(state.utilities())) < 1e-9
    return int(decisions / (time.perf_counter() - begun))


def hearts_rate() -> int:
    """The same loop over OpenSpiel's hearts, which is written in C++."""
    choose = random.Random(1).random
    game = pyspiel.load_game("hearts")
    decisions, end = 0, time.perf_counter() + SECONDS
    begun = time.perf_counter()
    while time.perf_counter() < end:
        state = game.new_initial_state()
        while not state.is_terminal():
            actions = state.legal_actions()
            decisions += not state.is_chance_node()
            state.apply_action(actions[int(choose() * len(actions))])
    return int(decisions / (time.perf_counter() - begun))


def main() -> None:
    report = {"hearts_from_python": hearts_rate()}
    for players in (3, 4, 8):
        report[f"core_{players}_players"] = core_rate(players)
        report[f"python_{players}_players"] = python_rate(players)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
