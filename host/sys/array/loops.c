/* loops.c - chooses the loops for the processor. */
#include "loops.h"

#include <stddef.h>

extern const struct loops loops_base, loops_avx2, loops_avx512;

const struct loops *loops_level(int index) {
    const struct loops *found[4] = {&loops_base, NULL, NULL, NULL};
#if defined(__x86_64__)
    int count = 1;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found[count++] = &loops_avx2;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        found[count] = &loops_avx512;
#endif
    return index >= 0 && index < 4 ? found[index] : NULL;
}

const struct loops *loops(void) {
    static const struct loops *best;
    for (int i = 0; !best || loops_level(i); i++)
        best = loops_level(i);
    return best;
}
