/* broken.c - broken drivers for the specs of `clue doctor`. Each library is built from this file with one of these
 * defined:
 *   CRASHES_AT_LOAD, HANGS_AT_LOAD   while the dynamic linker loads it
 *   CRASHES_WHEN_ASKED               when the OpenCL loader asks for its functions
 *   HAS_NO_PLATFORM                  it works, but offers no platform */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(CRASHES_AT_LOAD) || defined(HANGS_AT_LOAD)
__attribute__((constructor)) static void loaded(void) {
#ifdef HANGS_AT_LOAD
    for (;;)
        pause();
#else
    (void)fputs("the driver's last words\n", stderr);
    abort();
#endif
}
#endif

void *clGetExtensionFunctionAddress(const char *name);

void *clGetExtensionFunctionAddress(const char *name) {
    (void)name;
#ifdef CRASHES_WHEN_ASKED
    abort();
#endif
    return NULL;
}
