from collections.abc import Iterable, Sequence

from cython_core.charlemagne import Charlemagne
from cython_core.knowing import Knowing, TrailSampler

_Label = tuple[str, int, int | None, int | None, bool | None, tuple[int, ...] | None]

class Knowledge(Knowing):
    def __new__(
        cls,
        start: Charlemagne,
        viewer: int,
        hidden: Sequence[int] | None = ...,
        known: Sequence[Sequence[int]] | None = ...,
        known_cards: Sequence[int] | None = ...,
    ) -> Knowledge: ...
    def tell(
        self,
        kind: str,
        seat: int,
        item: int | None,
        edge: int | None,
        found: bool | None,
        shown: tuple[int, ...] | None,
    ) -> None: ...
    def sampler(self, seed: int = ...) -> CharlemagneSampler: ...

class CharlemagneSampler(TrailSampler):
    def __new__(cls, knowledge: Knowledge, seed: int = ...) -> CharlemagneSampler: ...

def labels(start: Charlemagne, edges: Iterable[int], viewer: int) -> list[_Label]: ...
def knowledge(start: Charlemagne, edges: Iterable[int], viewer: int) -> Knowledge: ...
