from typing import ClassVar

class Game:
    __hash__: ClassVar[None]  # type: ignore[assignment]

def perft(game: Game, depth: int) -> int: ...
