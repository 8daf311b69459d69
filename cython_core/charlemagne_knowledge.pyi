from collections.abc import Iterable, Sequence

from cython_core.charlemagne import Charlemagne
from cython_core.game import Sampler

_Label = tuple[str, int, int | None, int | None, bool | None, tuple[int, ...] | None]

class Knowledge:
    viewer: int
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
    @property
    def node(self) -> tuple[str, int, str]: ...
    @property
    def told(self) -> tuple[_Label, ...]: ...
    def public(self) -> Charlemagne: ...
    def sampler(self, seed: int = ...) -> CharlemagneSampler: ...

class CharlemagneSampler(Sampler):
    def __new__(cls, knowledge: Knowledge, seed: int = ...) -> CharlemagneSampler: ...
    def sample(self) -> Charlemagne: ...
    def complete(self) -> tuple[Charlemagne, list[int]]: ...

def labels(start: Charlemagne, edges: Iterable[int], viewer: int) -> list[_Label]: ...
def knowledge(start: Charlemagne, edges: Iterable[int], viewer: int) -> Knowledge: ...
