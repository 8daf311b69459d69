# Large buffers that are read at random: on huge pages where the system has them, which spares
# most misses of the address cache. Released with `free`.

cdef extern from *:
    """
    #include <stdlib.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    static void *large_malloc(size_t size) {
        void *memory = NULL;
        if (posix_memalign(&memory, (size_t)1 << 21, size)) return NULL;
        madvise(memory, size, MADV_HUGEPAGE);       /* advice: failing is fine */
        return memory;
    }
    #else
    #define large_malloc malloc
    #endif
    #if defined(__GNUC__) || defined(__clang__)
    #define prefetch_line(p) __builtin_prefetch(p)
    #else
    #define prefetch_line(p) ((void)(p))
    #endif
    """
    void* large_malloc(size_t size) noexcept nogil
    void prefetch_line(const void* p) noexcept nogil    # a hint to fetch the cache line at p
