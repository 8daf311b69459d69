"""The games in OpenSpiel. Nothing happens on import; `register()` makes them loadable by name.

>>> import pyspiel
>>> from engines.openspiel import register
>>> register()
('rr', 'richard_i', 'charlemagne')
>>> game = pyspiel.load_game("rr(queen=adjacent)")
>>> state = game.new_initial_state()
>>> state.legal_actions()[:2], state.action_to_string(0)
([0, 10], 'Ca1')
"""

from __future__ import annotations


def register() -> tuple[str, ...]:
    """Register every game with `pyspiel`, once. Returns their names. Imports pyspiel (slow)."""
    import pyspiel

    from engines.openspiel import games

    for game_type, game in games.GAMES:
        if game_type.short_name not in pyspiel.registered_names():
            pyspiel.register_game(game_type, game)
    return tuple(game_type.short_name for game_type, _ in games.GAMES)
