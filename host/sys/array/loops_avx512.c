/* loops_avx512.c - the loops for AVX-512; CMake gives the flags. */
#if defined(__x86_64__)
#define LOOPS loops_avx512
#define LOOPS_NAME "avx512"
#define LOOPS_VECTOR 64 /* bytes */
#include "level.h"
#endif
