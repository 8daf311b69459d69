from collections.abc import Iterable, Sequence

from cython_core.knowing import Knowing, TrailSampler
from cython_core.richard import Richard

_Label = tuple[
    str, int, int | None, int, int | None, tuple[int, ...], tuple[int, ...] | None
]  # as `Richard.label` gives it

class Knowledge(Knowing):
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
    def sampler(self, seed: int = ...) -> RichardSampler: ...

class RichardSampler(TrailSampler):
    def __new__(cls, knowledge: Knowledge, seed: int = ...) -> RichardSampler: ...

def labels(start: Richard, edges: Iterable[int], viewer: int) -> list[_Label]: ...
def knowledge(start: Richard, edges: Iterable[int], viewer: int) -> Knowledge: ...
