/* loops_avx2.c - the loops for AVX2 and F16C; CMake gives the flags. */
#if defined(__x86_64__)
#define LOOPS loops_avx2
#define LOOPS_NAME "avx2"
#define LOOPS_VECTOR 32 /* bytes */
#include "level.h"
#endif
