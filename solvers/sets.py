"""The set match of RR under perfect play (§ 3 Set Match): first to two set wins.

The loser of a set says who starts the next one (§ 3 Set Match). The rulebook is silent about a
drawn set, which only `ending="occupied"` allows. House ruling: it counts for nobody and is played
again with the same starter. So if perfect play draws a set, the match is never decided: a draw.

>>> match = perfect_match(1, (0, 0), Side.REGALITY)
>>> match.winner, [str(played) for played in match.sets]
(<Side.REGALITY: 0>, ['Regality by 1', 'Religion by 1', 'Regality by 1'])
"""

from __future__ import annotations

from engines.rr import Side

TYPE_CHECKING = False
if TYPE_CHECKING:
    Score = tuple[int, int]  # sets won by Regality, by Religion

WINS_NEEDED = 2  # § 3 Set Match


class PlayedSet:
    """One set under perfect play.

    `chosen_by`: who said that `starter` starts; None if nobody had to. `winner`: None for a draw.
    `margin`: the winner's, in cards. `score`: of the match, after the set.
    """

    __slots__ = ("chosen_by", "margin", "score", "starter", "winner")

    def __init__(
        self,
        starter: Side,
        chosen_by: Side | None,
        winner: Side | None,
        margin: int,
        score: Score,
    ) -> None:
        self.starter = starter
        self.chosen_by = chosen_by
        self.winner = winner
        self.margin = margin
        self.score = score

    def __str__(self) -> str:
        return f"{self.winner} by {self.margin}" if self.winner is not None else "a draw"


class Match:
    """What is left of a match under perfect play: its sets, and who wins it (None: undecided)."""

    __slots__ = ("sets", "winner")

    def __init__(self, winner: Side | None, sets: tuple[PlayedSet, ...] = ()) -> None:
        self.winner = winner
        self.sets = sets

    def worth(self, side: Side) -> tuple[int, int]:
        """What the side prefers more of: to win the match, then to win its first set."""
        first = self.sets[0].winner if self.sets else None
        return _sign_for(side, self.winner), _sign_for(side, first)


def _sign_for(side: Side, winner: Side | None) -> int:
    return 0 if winner is None else 1 if winner == side else -1


def match_winner(score: Score) -> Side | None:
    """Who has won a match that stands so; None while it goes on. Raises ValueError for no score."""
    most, least = max(score), min(score)
    if least < 0 or most > WINS_NEEDED or least == WINS_NEEDED:
        raise ValueError(
            f"{score[0]}-{score[1]} is no score of a match that ends when a side has"
            f" {WINS_NEEDED} sets"
        )
    return Side(score.index(WINS_NEEDED)) if most == WINS_NEEDED else None


def perfect_match(
    start_value: int, score: Score, starter: Side, chosen_by: Side | None = None
) -> Match:
    """The match from here on, when `starter` starts the next set.

    `start_value`: the exact value of the start of a set for whoever starts it. Who can win a set
    does so: that is never worse for the match than to let it go.
    """
    over = match_winner(score)
    if over is not None:
        return Match(over)
    if start_value == 0:
        return Match(None, (PlayedSet(starter, chosen_by, None, 0, score),))
    winner = starter if start_value > 0 else starter.other
    after = (score[0] + (winner == Side.REGALITY), score[1] + (winner == Side.RELIGION))
    played = PlayedSet(starter, chosen_by, winner, abs(start_value), after)
    rest = chosen_match(start_value, after, winner.other)
    return Match(rest.winner, (played, *rest.sets))


def chosen_match(start_value: int, score: Score, loser: Side) -> Match:
    """The match from here on, when `loser` lost the last set and says who starts the next.

    Where both choices come to the same, the loser starts.
    """
    choices = [
        perfect_match(start_value, score, starter, loser) for starter in (loser, loser.other)
    ]
    return max(choices, key=lambda match: match.worth(loser))


def forecast(start_value: int, score: Score, starter: Side | None = None) -> tuple[Match, ...]:
    """The match from a score on: one case, or two where the score leaves open who chooses.

    Without a `starter`, Regality starts the first set, and later the loser of the last one
    chooses. At 1-1 either side may have lost it: Regality's case comes first.
    """
    if starter is None and (score == (0, 0) or match_winner(score) is not None):
        starter = Side.REGALITY
    if starter is not None:
        return (perfect_match(start_value, score, starter),)
    losers = [side for side in Side if score[side.other] > 0]
    return tuple(chosen_match(start_value, score, loser) for loser in losers)
