from collections.abc import Iterable, Sequence

from cython_core.game import Sampler
from cython_core.richard import Richard

_Label = tuple[
    str, int, int | None, int, int | None, tuple[int, ...], tuple[int, ...] | None
]  # as `Richard.label` gives it

class Knowledge:
    viewer: int
    def __new__(
        cls,
        start: Richard,
        viewer: int,
        hidden: Sequence[int] | None = ...,
        known: Sequence[Sequence[int]] | None = ...,
        gone: tuple[int, int] = ...,
    ) -> Knowledge: ...
    def tell(
        self,
        kind: str,
        seat: int,
        edge: int | None,
        cards: int,
        count: int | None,
        offers: tuple[int, ...],
        hand: tuple[int, ...] | None,
    ) -> None: ...
    @property
    def node(self) -> tuple[str, int, str]: ...
    @property
    def told(self) -> tuple[_Label, ...]: ...
    def public(self) -> Richard: ...
    def sampler(self, seed: int = ...) -> RichardSampler: ...

class RichardSampler(Sampler):
    def __new__(cls, knowledge: Knowledge, seed: int = ...) -> RichardSampler: ...
    def sample(self) -> Richard: ...
    def complete(self) -> tuple[Richard, list[int]]: ...

def labels(start: Richard, edges: Iterable[int], viewer: int) -> list[_Label]: ...
def knowledge(start: Richard, edges: Iterable[int], viewer: int) -> Knowledge: ...
