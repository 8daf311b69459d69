"""What one seat knows, and samples of what it does not: see knowing.pxd."""

from libc.stdint cimport int32_t, uint64_t

from cython_core.errors import IllegalMove
from cython_core.game cimport LARGEST_BUFFER, can_go_on
from cython_core.rng cimport stream

cdef enum:
    CALIBRATION = 12            # steps for each card, at every try of a penalty
    STEPS = 128                 # that end in a possible state, from one sample to the next
    TRIES = 64                  # to find a state in which a choice that was begun can be ended
    MOST_TRIES = 64             # the same, so many times more, before the first sample


cdef class Knowing:
    """Base class: what a seat has learned. After an error an object must not be used any more."""

    cdef int begin_with(self, Game puppet, int viewer, bint past_is_known) except -1:
        if not 0 <= viewer < puppet.shape().players:
            raise ValueError(f"no seat {viewer}")
        self.viewer, self.game, self.past_is_known = viewer, puppet, past_is_known
        self.trails = Trails()
        self.luck = stream(0, 0)
        self.story = []
        self.labels = []
        return 0

    cdef int enter(self, int place, int kind, int cards) except -1:
        """Cards that are known come to a place."""
        for _ in range(cards):
            self.trails.enter(place, kind)
        return 0

    cdef int hide(self, object where) except -1:
        self.story[len(self.story) - 1] = where
        return 0

    cdef bint possible(self, int edge) noexcept:
        cdef int32_t[LARGEST_BUFFER] edges, weight
        cdef int i, n = self.game.legal(edges)
        if n == 0:
            n = self.game.chance(edges, weight)
        for i in range(n):
            if edges[i] == edge:
                return True
        return False

    cdef int conclude(self, tuple label) except -1:
        """Keep a label, if it fits all that is known."""
        if not self.trails.mend(&self.luck):
            raise IllegalMove("no deal of the hidden cards or pieces was found that allows that, after"
                              " all that went before")
        self.labels.append(label)
        return 0

    def expect(self, kind, int seat):
        """Raises IllegalMove if the game does not wait for that."""
        now, whose, what = self.node
        if now == "over":
            raise IllegalMove("the game is over, so nothing can follow")
        if (kind, seat) != (what, whose):
            raise IllegalMove(f"{_called(kind, seat)} cannot come now; next is {_called(what, whose)}")

    @property
    def told(self):
        """All labels, as the game's `label` gives them."""
        return tuple(self.labels)

    @property
    def node(self):
        """What the game waits for, as its `node` tells."""
        return self.game.node()

    def public(self):
        """The puppet: a game where all that is public is right, and what is hidden is any."""
        return self.game.copy(False)


def _called(kind, seat):
    return kind if seat < 0 else f"{kind} of seat {seat}"


cdef class TrailSampler(Sampler):
    """Base class: states that a seat cannot rule out, one after the other. They are a walk
    (trails.pxd), so neighbours are somewhat alike.
    """

    cdef int start_walk(self, Knowing knowing, uint64_t seed) except -1:
        cdef Game state
        cdef int i
        if knowing.node[0] == "over":
            raise ValueError("the game is over: there is nothing to sample")
        self.knowing = knowing
        self.luck = stream(seed, 0)
        self.trails = Trails()
        self.trails.become(knowing.trails)
        self.trails.calibrate(CALIBRATION * self.trails.n_by_place, &self.luck)
        self.home = Trails()
        self.home.become(self.trails)
        self.kept = Trails()
        self.kept.become(self.trails)
        self.last, state = knowing.game.clone(), knowing.game.clone()
        for i in range(MOST_TRIES):
            self.sample_into(state, &self.luck)
            if self.has_last:
                return 0
        raise ValueError("nothing was found that lets the choice be ended")

    cdef void lay_out(self, Game into, Stream* luck) noexcept nogil:
        pass

    cdef list completed(self, Game state):
        raise NotImplementedError

    cdef void sample_into(self, Game into, Stream* luck) noexcept nogil:
        """The next state in which a choice that was begun can be ended; the last one again if there
        is none within so many tries.
        """
        cdef int i
        for i in range(TRIES):
            self.trails.walk(STEPS, self.home, luck)
            self.home.restore(self.trails)
            into.load(self.knowing.game)
            self.lay_out(into, luck)
            if can_go_on(into):
                self.last.load(into)
                self.kept.restore(self.trails)
                self.has_last = True
                return
        if self.has_last:
            into.load(self.last)
            self.trails.restore(self.kept)      # `completed` reads the story of that state there
            self.home.restore(self.kept)

    def sample(self):
        """The next state."""
        cdef Game state = self.knowing.game.clone()
        self.sample_into(state, &self.luck)
        return state

    def complete(self):
        """The next state, and moves and outcomes that lead to it and look to the seat as they did.

        Raises ValueError where the past is unknown.
        """
        if not self.knowing.past_is_known:
            raise ValueError("the past of a table set up by hand is unknown")
        state = self.sample()
        return state, self.completed(state)
