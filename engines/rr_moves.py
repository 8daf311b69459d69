"""RR: move text, by action id and back. The grammar stands in RULES.md."""

from __future__ import annotations

from array import array

from cython_core.errors import NotationError
from engines.rr_setup import (
    BANISHERS,
    DEFAULT_RULES,
    DIRECTIONS,
    LETTERS,
    NAMES,
    SQUARES,
    Rules,
)

_move_texts: dict[str, tuple[str, ...]] = {}
_action_ids: dict[str, dict[str, int]] = {}
_move_ranks: dict[str, array[int]] = {}


def move_texts(rules: Rules = DEFAULT_RULES) -> tuple[str, ...]:
    """Move text by action id; '' where an id is no move. Shape: [core.ACTION_COUNT]."""
    if rules.queen not in _move_texts:
        _move_texts[rules.queen] = tuple(
            card + square + effect if effect is not None else ""
            for card in LETTERS
            for square in SQUARES
            for effect in _effect_texts(card, rules)
        )
    return _move_texts[rules.queen]


def move_ranks(rules: Rules = DEFAULT_RULES) -> array[int]:
    """Place of each action id in ascending text order, for kernels. Shape: [core.ACTION_COUNT]."""
    if rules.queen not in _move_ranks:
        texts = move_texts(rules)
        ranks = array("H", bytes(2 * len(texts)))
        for rank, action in enumerate(sorted(range(len(texts)), key=texts.__getitem__)):
            ranks[action] = rank
        _move_ranks[rules.queen] = ranks
    return _move_ranks[rules.queen]


def _effect_texts(card: str, rules: Rules) -> list[str | None]:
    """What follows card and square in each of the ten effect slots; None for no such effect."""
    effects: list[str | None] = [""]
    if card in BANISHERS:
        effects += ["x" + target for target in SQUARES]
    elif card == "M":
        effects += ["~" + target for target in SQUARES]
    elif card == "Q":
        effects += ["~" + way for way in (DIRECTIONS if rules.queen == "ray" else ("all",))]
    elif card == "P":
        effects += ["~d", "~o"]
    return effects + [None] * (10 - len(effects))


def move_actions(rules: Rules) -> dict[str, int]:
    """Action id by move text; the inverse of `move_texts`."""
    if rules.queen not in _action_ids:
        _action_ids[rules.queen] = {
            text: action for action, text in enumerate(move_texts(rules)) if text
        }
    return _action_ids[rules.queen]


def unreadable_move(text: str, rules: Rules) -> NotationError:
    """What is wrong with a text that is no move, and where."""
    card, square, effect = text[:1], text[1:3], text[3:]
    if card not in tuple(LETTERS):
        return NotationError(f"a move starts with a card, one of {LETTERS}, not {card!r}", 1)
    if square not in SQUARES:
        return NotationError(f"after the card comes a square, a1 to c3, not {square!r}", 2)
    known = [known for known in _effect_texts(card, rules)[1:] if known]
    if not known:
        return NotationError(f"{NAMES[card][0]} has no effect, so nothing follows the square", 4)
    variant = f" (queen={rules.queen})" if card == "Q" else ""
    return NotationError(
        f"no effect of {NAMES[card][0]}{variant} is written {effect[:20]!r};"
        f" it has {' '.join(known)} (moves are separated by blanks)",
        4,
    )
