"""Speed of the games with hidden cards: rules, what a seat knows, and samples of it.

    python bench/games.py

One JSON line. Rates of play are decisions a second on one thread, chance outcomes played but not
counted; OpenSpiel's hearts, written in C++ and driven from Python, stands beside them. Times of
knowledge and samples are medians over moments in the middle of random games.
"""

from __future__ import annotations

import json
import random
import time
from statistics import median
from typing import Any

import pyspiel
from process import timed

from cython_core.game import play_random
from engines import charlemagne, knowledge, richard

GAMES = 5_000
SECONDS = 3.0
MOMENTS = 12
SAMPLES = 1_000
STARTS = {
    "richard": lambda players: richard.Position.start(players, "house", "shuffled"),
    "charlemagne": charlemagne.Position.start,
}
MIDDLE = {"richard": ("option", 4), "charlemagne": ("rule", 1005)}  # a decision, and turn or year


def core_rate(start: Any) -> int:
    state = start.to_core()
    (decisions, returns), seconds = timed(lambda: play_random(state, GAMES))
    assert abs(sum(returns)) < 1e-6 * GAMES
    assert play_random(state, 100) == play_random(state, 100)
    return int(decisions / seconds)


def python_rate(start: Any) -> int:
    """legal_actions and play on the compiled state, as a bot author's loop would."""
    choose = random.Random(1).random
    first = start.to_core()
    decisions, end = 0, time.perf_counter() + SECONDS
    begun = time.perf_counter()
    while time.perf_counter() < end:
        state = first.copy()
        while True:
            if actions := state.legal_actions():
                decisions += 1
                state.play(actions[int(choose() * len(actions))])
            elif not state.sample(choose()):
                break
        assert abs(sum(state.utilities())) < 1e-9
    return int(decisions / (time.perf_counter() - begun))


def hearts_rate() -> int:
    """The same loop over OpenSpiel's hearts."""
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


def moments(game: str, players: int) -> list[Any]:
    """Positions in the middle of random games, one a game."""
    what, when = MIDDLE[game]
    found: list[Any] = []
    seed = 0
    while len(found) < MOMENTS:
        luck, position = random.Random(seed), STARTS[game](players)
        seed += 1
        while not position.over:
            time_now = position.turn if game == "richard" else position.year
            if position.node.what == what and time_now >= when:
                found.append(position)
                break
            position = position.play(position.pick(luck.random()))
    return found


def seconds_of_knowledge(positions: list[Any]) -> tuple[float, float, float]:
    """Medians: knowledge of the seat to move, its sampler, one sample; each checked."""
    knowing, preparing, sampling = [], [], []
    for position in positions:
        seat = position.node.seat
        known, seconds = timed(lambda p=position, s=seat: knowledge.of(p, s))
        knowing.append(seconds)
        sampler, seconds = timed(known.sampler)
        preparing.append(seconds)
        samples, seconds = timed(lambda s=sampler: [s.sample() for _ in range(SAMPLES)])
        sampling.append(seconds / SAMPLES)
        view = position.view_key(seat)
        assert all(sample.key(seat, False) == view for sample in samples)
    return median(knowing), median(preparing), median(sampling)


def main() -> None:
    report: dict[str, float] = {"hearts_from_python": hearts_rate()}
    for game, counts in (("richard", (3, 4, 8)), ("charlemagne", (2, 4))):
        for players in counts:
            name, start = f"{game}_{players}", STARTS[game](players)
            report[f"{name}_core"] = core_rate(start)
            report[f"{name}_python"] = python_rate(start)
            known, prepared, sampled = seconds_of_knowledge(moments(game, players))
            report[f"{name}_knowledge_ms"] = round(1e3 * known, 2)
            report[f"{name}_sampler_ms"] = round(1e3 * prepared, 2)
            report[f"{name}_sample_us"] = round(1e6 * sampled, 1)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
