"""The game protocol and what can be said of every game through it."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from cython_core.rng cimport Stream, below, below_many, stream


cdef class Game:
    """Base class of the compiled games: one mutable state. Not hashable, on purpose."""

    def __hash__(self):
        raise TypeError(f"unhashable, because it changes: {type(self).__name__}")

    cdef Shape shape(self) noexcept nogil:
        return Shape(0, 0, 0, 0, 0.0, 0.0)

    cdef int player(self) noexcept nogil:
        return TERMINAL

    cdef int legal(self, int32_t* out) noexcept nogil:
        return 0

    cdef int chance(self, int32_t* out, int32_t* weight) noexcept nogil:
        return 0

    cdef void apply(self, int32_t edge) noexcept nogil:
        pass

    cdef void returns(self, double* out) noexcept nogil:
        pass

    # Of a game where everybody sees everything: the position is all there is to know.

    cdef uint64_t observe(self, int32_t edge, int viewer) noexcept nogil:
        return edge

    cdef uint64_t info_key(self, int viewer) noexcept nogil:
        return self.view_key(viewer)

    cdef uint64_t view_key(self, int viewer) noexcept nogil:
        return 0

    cdef void load(self, Game other) noexcept nogil:
        pass

    cdef Game clone(self):
        raise NotImplementedError(type(self).__name__)


cdef class Sampler:
    """Base class of what makes states out of one seat's knowledge. Not for two threads at once."""

    cdef void sample_into(self, Game into, Stream* luck) noexcept nogil:
        pass


cdef enum:
    NODES_PER_SIGNAL_CHECK = 1 << 18


cdef class _Walk:
    """Depth-first walk over one preallocated state and one move buffer a ply."""

    cdef list states        # owns what `state` points at
    cdef void** state
    cdef int32_t* moves
    cdef int32_t* weights   # of outcomes: nobody reads them here
    cdef int width
    cdef int64_t until_check

    def __cinit__(self, Game root, int depth):
        self.width = root.shape().most_legal
        self.states = [root.clone() for _ in range(depth + 1)]
        self.state = <void**>malloc((depth + 1) * sizeof(void*))
        self.moves = <int32_t*>malloc((depth + 1) * self.width * sizeof(int32_t))
        self.weights = <int32_t*>malloc(self.width * sizeof(int32_t))
        if self.state == NULL or self.moves == NULL or self.weights == NULL:
            raise MemoryError
        for i in range(depth + 1):
            self.state[i] = <void*>self.states[i]
        self.until_check = NODES_PER_SIGNAL_CHECK

    def __dealloc__(self):
        free(self.state)
        free(self.moves)
        free(self.weights)

    cdef int64_t count(self, int ply, int depth) except -1 nogil:
        cdef int32_t* moves = self.moves + ply * self.width
        cdef int n = (<Game>self.state[ply]).legal(moves)
        if n == 0:
            n = (<Game>self.state[ply]).chance(moves, self.weights)
        cdef int64_t total = 0
        if depth == 1:
            return n
        self.until_check -= n
        if self.until_check < 0:
            self.until_check = NODES_PER_SIGNAL_CHECK
            with gil:
                PyErr_CheckSignals()
        for i in range(n):
            (<Game>self.state[ply + 1]).load(<Game>self.state[ply])
            (<Game>self.state[ply + 1]).apply(moves[i])
            total += self.count(ply + 1, depth - 1)
        return total


def perft(Game game, int depth):
    """Number of sequences of exactly `depth` moves and outcomes; a finished game has none left.

    Interruptible by Ctrl-C. Raises ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"perft depth must be 0 or more, not {depth}")
    if depth == 0:
        return 1
    depth = min(depth, game.shape().longest + 1)    # deeper is 0 all the same
    cdef _Walk walk = _Walk(game, depth)
    cdef int64_t total
    with nogil:
        total = walk.count(0, depth)
    return total


cdef class _Playout:
    """One state, and buffers for what may come next."""

    cdef Game state
    cdef int32_t* edges
    cdef int32_t* weights

    def __cinit__(self, Game root not None):
        cdef int width = root.shape().most_legal
        self.state = root.clone()
        self.edges = <int32_t*>malloc(width * sizeof(int32_t))
        self.weights = <int32_t*>malloc(width * sizeof(int32_t))
        if self.edges == NULL or self.weights == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.edges)
        free(self.weights)

    cdef int64_t run(self, Stream* luck) noexcept nogil:
        """Play to the end; how many decisions that took."""
        cdef int64_t decisions = 0
        cdef int n, i
        cdef int64_t drawn      # weights may sum to more than an int holds
        while True:
            n = self.state.legal(self.edges)
            if n:
                decisions += 1
                self.state.apply(self.edges[below(luck, n)])
                continue
            n = self.state.chance(self.edges, self.weights)
            if n == 0:
                return decisions
            drawn = 0
            for i in range(n):
                drawn += self.weights[i]
            drawn = below_many(luck, drawn)
            i = 0
            while drawn >= self.weights[i]:
                drawn -= self.weights[i]
                i += 1
            self.state.apply(self.edges[i])


def play_random(Game game not None, int games, uint64_t seed=0):
    """Play so many games from here to the end, all moves and cards at random.

    Returns (decisions made in all, sum of the returns by seat). The same seed gives the same games.
    """
    cdef _Playout playout = _Playout(game)
    cdef int players = game.shape().players, i, seat
    cdef double[16] returns, total
    cdef Stream luck
    cdef int64_t decisions = 0
    for seat in range(players):
        total[seat] = 0
    for i in range(games):
        PyErr_CheckSignals()
        with nogil:
            luck = stream(seed, i)
            playout.state.load(game)
            decisions += playout.run(&luck)
            playout.state.returns(returns)
            for seat in range(players):
                total[seat] += returns[seat]
    return decisions, [total[seat] for seat in range(players)]
