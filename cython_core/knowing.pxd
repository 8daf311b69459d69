# What one seat knows, and samples of what it does not: all that does not depend on which game it is.
#
# Knowledge keeps a puppet, a game in which all that is public is right, and Trails of the cards that
# it does not see. A game lays out the puppet so that what is told next can happen, and tells the
# trails what it means.

from libc.stdint cimport uint64_t

from cython_core.game cimport Game, Sampler
from cython_core.rng cimport Stream
from cython_core.trails cimport Trails


cdef class Knowing:
    cdef readonly int viewer
    cdef Game game          # the puppet
    cdef Trails trails
    cdef Stream luck
    cdef bint past_is_known
    cdef list story         # for each label: its edge, or where a completion finds it
    cdef list labels        # as Python values

    cdef int begin_with(self, Game puppet, int viewer, bint past_is_known) except -1
    cdef int enter(self, int place, int kind, int cards) except -1
    cdef int hide(self, object where) except -1         # the last edge of the story was not seen
    cdef bint possible(self, int edge) noexcept         # in the puppet as it is laid out
    cdef int conclude(self, tuple label) except -1


cdef class TrailSampler(Sampler):
    cdef Knowing knowing
    cdef Trails trails
    cdef Trails home        # where the walk was last in a possible state
    cdef Trails kept        # as they were at `last`
    cdef Stream luck
    cdef Game last          # the last state that was found
    cdef bint has_last

    cdef int start_walk(self, Knowing knowing, uint64_t seed) except -1
    cdef void lay_out(self, Game into, Stream* luck) noexcept nogil     # where the story ends
    cdef list completed(self, Game state)       # the story, with everything the seat did not see
