/* pages.c - memory that is mapped, and huge pages. */
#include "../system.h"

#include <inttypes.h>
#include <sys/mman.h>

void pages_want_huge(void *data, size_t size) {
#ifdef MADV_HUGEPAGE
    (void)madvise(data, size, MADV_HUGEPAGE);
#else
    (void)data;
    (void)size;
#endif
}

void *pages_reserve(size_t size) {
    void *made = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

bool pages_open(void *data, size_t size) {
    return mprotect(data, size, PROT_READ | PROT_WRITE) == 0;
}

void pages_release(void *data, size_t size) {
    (void)munmap(data, size);
}

int64_t pages_huge_bytes(const void *data, int64_t size) {
    const uintptr_t first = (uintptr_t)data, stop = first + (uintptr_t)size;
    FILE *parts = fopen("/proc/self/smaps", "re");
    char line[512];
    bool inside = false;
    int64_t total = 0;
    while (parts && fgets(line, sizeof line, parts)) {
        uintptr_t from, to;
        long long kilobytes;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2) inside = from < stop && to > first;
        if (inside && sscanf(line, "AnonHugePages: %lld kB", &kilobytes) == 1) total += kilobytes << 10;
    }
    if (parts) (void)fclose(parts);
    return total;
}
