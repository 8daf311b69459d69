# Random numbers by counting: the i-th number of a stream is a hash of (seed, i), so that streams
# can be told apart, repeated and entered anywhere. SplitMix64 (Steele, Lea and Flood 2014).

from libc.stdint cimport int64_t, uint64_t


cdef struct Stream:
    uint64_t state


cdef inline Stream stream(uint64_t seed, uint64_t index) noexcept nogil:
    """The stream of one index, such as a game's number, under a seed."""
    cdef Stream s = Stream(seed + index * <uint64_t>0xD1342543DE82EF95)
    next_number(&s)                     # so that neighbouring indices part at once
    return s


cdef inline uint64_t next_number(Stream* s) noexcept nogil:
    cdef uint64_t z
    s.state += <uint64_t>0x9E3779B97F4A7C15
    z = s.state
    z = (z ^ z >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <uint64_t>0x94D049BB133111EB
    return z ^ z >> 31


cdef inline int below(Stream* s, int most) noexcept nogil:
    """Evenly from 0 <= n < most, up to a bias of most / 2**32."""
    return <int>((next_number(s) >> 32) * <uint64_t>most >> 32)


cdef inline int64_t below_many(Stream* s, int64_t most) noexcept nogil:
    """The same for larger numbers: up to a bias of most / 2**64."""
    return <int64_t>(next_number(s) % <uint64_t>most)
