/* pages.c - memory by pages. Large ones need a right that users do not have, so there are none. */
#include "room.h"

void pages_want_huge(void *data, size_t size) {
    (void)data;
    (void)size;
}

void *pages_reserve(size_t size) {
    return VirtualAlloc(NULL, size, MEM_RESERVE, PAGE_NOACCESS);
}

bool pages_open(void *data, size_t size) {
    return VirtualAlloc(data, size, MEM_COMMIT, PAGE_READWRITE) != NULL;
}

void pages_release(void *data, size_t size) {
    (void)size;
    (void)VirtualFree(data, 0, MEM_RELEASE);
}

int64_t pages_huge_bytes(const void *data, int64_t size) {
    (void)data;
    (void)size;
    return 0;
}
