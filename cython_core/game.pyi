from typing import ClassVar

class Game:
    __hash__: ClassVar[None]  # type: ignore[assignment]

def perft(game: Game, depth: int) -> int: ...
def play_random(game: Game, games: int, seed: int = ...) -> tuple[int, list[float]]: ...
