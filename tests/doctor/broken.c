/* broken.c - libraries that .icd files name and that are no working driver, for the specs of `clue doctor`. Each is
 * built from this file with one of these defined:
 *   CRASHES_AT_LOAD, HANGS_AT_LOAD   in the dynamic linker's hands already
 *   CRASHES_WHEN_ASKED               when the loader asks for its functions
 *   HAS_NO_PLATFORM                  sound, but with nothing to offer */
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
