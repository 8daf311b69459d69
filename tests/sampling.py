"""What the tests of samplers share: exact distributions against samples, and long runs.

A test counts through all games that a seat cannot rule out, which gives the odds of every state,
and compares them with what the sampler of that seat makes.
"""

from __future__ import annotations

import argparse
import math
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple, Protocol

from cython_core.errors import GameError

SAMPLES = 20_000  # of each situation that is counted through
SEED = 1
PATIENCE = 600  # states of a situation, at most
LONGEST = 60  # moves and outcomes before it
ODDS = 3.72  # standard deviations: 1 in 10,000
ENOUGH = 20  # expected samples of a state that must then turn up

State = tuple[object, ...]


# Exact distributions


class Comparison(NamedTuple):
    """`missing`: states that should be there. `foreign`: that should not. `deviation`: from the
    exact distribution, in standard deviations, by a chi-square test.
    """

    missing: list[State]
    foreign: list[State]
    deviation: float
    distance: float


def compare(exact: dict[State, float], sampled: Counter[State]) -> Comparison:
    total = sampled.total()
    missing = [state for state, p in exact.items() if p * total >= ENOUGH and not sampled[state]]
    foreign = [state for state in sampled if state not in exact]
    bins: list[tuple[float, int]] = []
    rare, rarely = 0.0, 0
    for state, p in exact.items():
        if p * total >= 5:
            bins.append((p * total, sampled[state]))
        else:
            rare, rarely = rare + p * total, rarely + sampled[state]
    if rare >= 5:
        bins.append((rare, rarely))
    square = sum((found - expected) ** 2 / expected for expected, found in bins)
    distance = sum(abs(p - sampled[state] / total) for state, p in exact.items()) / 2
    return Comparison(missing, foreign, deviation_of(square, len(bins) - 1), distance)


def deviation_of(square: float, freedom: int) -> float:
    """Of a chi-square, as a normal variable (Wilson and Hilferty 1931)."""
    if freedom == 0:
        return 0.0
    width = 2 / (9 * freedom)
    return float(((square / freedom) ** (1 / 3) - (1 - width)) / math.sqrt(width))


def be_alike(exact: dict[State, float], sampled: Counter[State], story: list[str]) -> None:
    """`story`: how it came to this, for whoever must find out what is wrong."""
    found = compare(exact, sampled)
    assert not found.foreign, (found.foreign, story)
    assert not found.missing, (found.missing, story)
    assert found.deviation < ODDS, (found, story)


# Long runs


class Moment(Protocol):
    """A seat at a moment of a game."""

    position: Any
    seat: int

    def check(self) -> None:
        """That the next sample is right."""

    def check_witness(self) -> None:
        """That the past of the next sample is."""


class Soak:
    """Counts what was checked; failures are told with all that repeats them, and do not stop it.

    `moments`: those of a random game, by a seed.
    """

    def __init__(
        self, moments: Callable[[int], Iterator[Moment]], samples: int, witnesses: int, seed: int
    ) -> None:
        self.moments = moments
        self.samples, self.witnesses, self.seed = samples, witnesses, seed
        self.made = self.replayed = self.games = self.seats = 0
        self.failures: Counter[str] = Counter()

    def run(self) -> None:
        luck = Random(self.seed)
        begun = shown = time.monotonic()
        while self.made < self.samples or self.replayed < self.witnesses:
            self.games += 1
            for moment in self.moments(luck.getrandbits(40)):
                self.seats += 1
                try:
                    self.look_at(moment)
                except (AssertionError, GameError, ValueError) as error:
                    self.fail(moment, error)
            if time.monotonic() - shown > 20:
                shown = time.monotonic()
                print(self.summary(shown - begun), flush=True)
        print(self.summary(time.monotonic() - begun))

    def look_at(self, moment: Moment) -> None:
        for _ in range(100 if self.made < self.samples else 0):
            moment.check()
            self.made += 1
        if self.replayed >= self.witnesses:
            return
        for _ in range(1 + 100 * self.witnesses // max(self.samples, 1)):
            moment.check_witness()
            self.replayed += 1

    def fail(self, moment: Moment, error: Exception) -> None:
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__} {str(error) or place.line}"[:100]
        self.failures[why] += 1
        if self.failures[why] == 1:
            position = moment.position
            print(f"{why}: seat {moment.seat}, {position.node}\n  {position.rules}\n"
                  f"  history {position.history.hex()}", flush=True)  # fmt: skip

    def summary(self, seconds: float) -> str:
        return (
            f"{self.made:,} samples, {self.replayed:,} witnesses, {self.seats:,} seats,"
            f" {self.games:,} games, {self.failures.total()} seats fail, {seconds:.0f} s"
        )


def soak(about: str | None, moments: Callable[[int], Iterator[Moment]]) -> None:
    """The command line of a test of samples."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("samples", type=int)
    parser.add_argument("--witnesses", type=int, default=0)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    run = Soak(moments, chosen.samples, chosen.witnesses, chosen.seed)
    run.run()
    if run.failures:
        raise SystemExit(1)
