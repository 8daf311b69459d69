"""Laws of every game with hidden cards: what a seat is told, and what is sampled for it, depends on
nothing that it did not see.

A game joins by a `HiddenGame`, a few functions. Each law takes one moment of a game and one seat,
and raises `Leak` where something hidden shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

SEEDS = (1, 2)  # of completions and samples


class Leak(AssertionError):
    """Something depends on what the seat did not see."""


@dataclass(frozen=True)
class HiddenGame:
    """How the laws talk to a game. Positions are values, as `engines.richard.Position` is.

    `start`: the beginning of a random game. `knowledge`: of a seat. `text`: its redacted record.
    `sample`: for a seat, by seed, a position without a past; `complete`: the same position with a
    past that the seat cannot tell from the true one, which is how hidden cards are shuffled.
    `info_key`, `view_key`: of a seat. `secrets`: the lines of a record that are about something
    the seat did not see, each with a pattern of all that it may say. `said`: a label without what
    it shows of hidden cards.
    """

    start: Callable[[Random], Any]
    knowledge: Callable[[Any, int], Any]
    text: Callable[[Any, int], str]
    sample: Callable[[Any, int, int], Any]
    complete: Callable[[Any, int, int], Any]
    info_key: Callable[[Any, int], int]
    view_key: Callable[[Any, int], int]
    secrets: Callable[[list[str], int], Iterator[tuple[str, str]]]
    said: Callable[[str], str]


def moments(game: HiddenGame, seed: int, share: float = 0.1) -> Iterator[tuple[Any, int]]:
    """So many of the positions of a random game, each with a seat; never the end."""
    luck = Random(seed)
    position = game.start(luck)
    while not position.over:
        if luck.random() < share:
            yield position, luck.randrange(len(position.points))
        position = position.play(position.pick(luck.random()))


def essence(position: Any) -> bytes:
    """All that the rules see."""
    found = position.to_core().essence()
    assert isinstance(found, bytes)
    return found


def same(what: str, ours: object, other: object) -> None:
    if ours != other:
        raise Leak(f"{what} differ: {str(ours)[:300]} and {str(other)[:300]}")


# The laws


def samples_come_from_knowledge(game: HiddenGame, position: Any, seat: int) -> bool:
    """Equal knowledge and seed give the same sample, bit by bit, whatever the truth.

    Whether the truths, of which two were made up, were different.
    """
    truths = [position, *(game.complete(position, seat, seed) for seed in SEEDS)]
    for truth in truths[1:]:
        same("knowledge", game.knowledge(position, seat), game.knowledge(truth, seat))
    for seed in (10, 11):
        samples = [game.sample(truth, seat, seed) for truth in truths]
        for sample in samples[1:]:
            same("samples", samples[0].piles, sample.piles)
            same("samples", essence(samples[0]), essence(sample))
    return len({essence(truth) for truth in truths}) > 1


def records_hide(game: HiddenGame, position: Any, seat: int) -> int:
    """Other hidden cards leave a redacted record as it is, and secret lines say nothing.

    How many secret lines there are.
    """
    text = game.text(position, seat)
    for seed in SEEDS:
        same("records", text, game.text(game.complete(position, seat, seed), seat))
    found = 0
    for line, pattern in game.secrets(text.splitlines(), seat):
        found += 1
        if not re.fullmatch(pattern, line):
            raise Leak(f"{line!r} tells seat {seat} what it did not see")
    return found


def shuffles_are_unseen(game: HiddenGame, position: Any, seat: int) -> None:
    """With hidden cards shuffled everything that the seat can ask for is the same."""
    for seed in SEEDS:
        other = game.complete(position, seat, seed)
        same("nodes", position.node, other.node)
        same("knowledge", game.knowledge(position, seat), game.knowledge(other, seat))
        same("information keys", game.info_key(position, seat), game.info_key(other, seat))
        same("view keys", game.view_key(position, seat), game.view_key(other, seat))
        if position.node.seat == seat:
            same("legal moves", position.legal_moves(), other.legal_moves())
        for text in common_edges(position, other):
            ours, theirs = position.label(text, seat), other.label(text, seat)
            same("labels", game.said(ours), game.said(theirs))


def common_edges(position: Any, other: Any) -> set[str]:
    return {*position.legal_moves(), *position.outcomes()} & {
        *other.legal_moves(), *other.outcomes()
    }  # fmt: skip


def samples_keep_what_is_known(game: HiddenGame, position: Any, seat: int) -> None:
    """A sample looks to the seat as the truth does, and has a past that does too."""
    for seed in SEEDS:
        sample, whole = game.sample(position, seat, seed), game.complete(position, seat, seed)
        seats = range(len(position.points))
        same("piles of sample and completion", sample.piles, whole.piles)
        same(
            "sample and completion",
            [game.view_key(sample, other) for other in seats],
            [game.view_key(whole, other) for other in seats],
        )
        same("nodes", position.node, sample.node)
        same("view keys", game.view_key(position, seat), game.view_key(sample, seat))
        same("information keys", game.info_key(position, seat), game.info_key(whole, seat))
        same("knowledge", game.knowledge(position, seat), game.knowledge(whole, seat))
        if position.node.seat == seat:
            same("legal moves", position.legal_moves(), sample.legal_moves())


def keys_are_records(game: HiddenGame, positions: Iterable[Any], seat: int) -> int:
    """Of games with the same rules: equal information keys mean equal records, and the reverse.

    How often a record came more than once.
    """
    keys: dict[str, int] = {}
    texts: dict[int, str] = {}
    again = 0
    for position in positions:
        text, key = game.text(position, seat), game.info_key(position, seat)
        again += text in keys
        same("information keys of one record", keys.setdefault(text, key), key)
        same("records of one information key", texts.setdefault(key, text), text)
    return again


def past(position: Any, most: int = 20) -> list[Any]:
    """Positions on the way to this one, spread over all of it."""
    rules, words, edges = position.rules, position.words, position.history
    step = 1 + len(edges) // most
    return [type(position).replayed(rules, words, edges[:n]) for n in range(0, len(edges), step)]
