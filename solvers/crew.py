"""Threads that share out work, and stop together."""

from __future__ import annotations

import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WAKE_UP = 0.1  # seconds between looks at the clock of a waiting main thread


def share(
    work: Callable[[int, int], None],
    items: Iterable[int],
    threads: int,
    *,
    stop: Callable[[], None] = lambda: None,
    watch: Callable[[], None] | None = None,
) -> None:
    """Do `work(item, thread)` for every item, each thread taking the next one.

    Waits in a way that Ctrl-C can interrupt, calling `watch` some ten times a second. If anything
    goes wrong, here or in a thread, the others take no more items, `stop` is called so that they
    can leave the ones they have, and when all have ended the error is passed on.
    """
    waiting = iter(list(items))
    failures: list[BaseException] = []

    def run(thread: int) -> None:
        for item in waiting:
            if failures:
                return
            try:
                work(item, thread)
            except BaseException as failure:  # passed on by the thread that waits
                failures.append(failure)
                stop()

    crew: list[threading.Thread] = []
    try:
        for thread in range(threads):
            crew.append(threading.Thread(target=run, args=(thread,), daemon=True))
            crew[-1].start()
        for member in crew:
            while member.is_alive():
                member.join(WAKE_UP)
                if watch:
                    watch()
    except BaseException as interrupt:
        failures.append(interrupt)
        stop()
        for member in crew:
            if member.ident is not None:
                member.join()
        raise
    if failures:
        raise failures[0]
