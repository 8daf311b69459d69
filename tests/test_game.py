"""What can be said of every game through the protocol alone."""

from __future__ import annotations

import pytest

from cython_core.game import Game, perft, play_random
from engines.richard import Position as RichardPosition
from engines.rr import Position as RRPosition
from engines.rr import Rules


def starts() -> list[Game]:
    return [
        *(RRPosition.start(rules).to_core() for rules in Rules.variants()),
        *(RichardPosition.start(players).to_core() for players in range(3, 9)),
    ]


@pytest.mark.parametrize("start", starts())
def test_random_games_repeat_with_their_seed_and_sum_to_zero(start: Game) -> None:
    decisions, returns = play_random(start, 300, 7)
    assert play_random(start, 300, 7) == (decisions, returns)
    assert play_random(start, 300, 8) != (decisions, returns)
    assert decisions > 300
    assert sum(returns) == pytest.approx(0, abs=1e-6)


def test_more_games_go_on_where_fewer_stopped() -> None:
    start = RRPosition.start().to_core()
    assert play_random(start, 20, 3)[0] > play_random(start, 10, 3)[0]
    assert play_random(start, 0, 3) == (0, [0.0, 0.0])


def test_random_play_leaves_the_game_alone() -> None:
    start = RRPosition.start().to_core()
    play_random(start, 10)
    assert start.key == RRPosition.start().key


def test_perft_refuses_a_negative_depth_and_is_one_at_depth_zero() -> None:
    start = RichardPosition.start(3).to_core()
    assert perft(start, 0) == 1
    with pytest.raises(ValueError, match="0 or more"):
        perft(start, -1)
