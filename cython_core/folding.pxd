# Keys of 64 bits: words folded one after the other, each time through the finaliser of SplitMix64
# (Steele, Lea and Flood 2014). Two different sequences have the same key by accident alone, with
# odds of about one in 2**64 a pair.

from libc.stdint cimport uint64_t


cdef inline uint64_t fold(uint64_t key, uint64_t word) noexcept nogil:
    cdef uint64_t z = key * <uint64_t>0x9E3779B97F4A7C15 + word + <uint64_t>0x2545F4914F6CDD1D
    z = (z ^ z >> 30) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ z >> 27) * <uint64_t>0x94D049BB133111EB
    return z ^ z >> 31
