/* baseline.h - what the host's matrix products share. Each file computes whole iterations of its outermost loop,
 * and adds to C; baseline.c has checked the arguments. Each is compiled with its own flags, whatever the build type
 * is, and can name them: WALK_FLAGS comes from host/walk/CMakeLists.txt. */
#ifndef WALK_BASELINE_H
#define WALK_BASELINE_H

#include "../walk.h"

#define BASELINE_TEXT_OF(token) #token
#define BASELINE_TEXT(token) BASELINE_TEXT_OF(token)
#ifdef __clang__
#define BASELINE_COMPILER                                                                                          \
    "clang " BASELINE_TEXT(__clang_major__) "." BASELINE_TEXT(__clang_minor__) "." BASELINE_TEXT(                  \
        __clang_patchlevel__)
#else
#define BASELINE_COMPILER "gcc " __VERSION__
#endif

/* Records a failure if an outermost loop of `extent` iterations does not have these; 0 otherwise. */
int32_t baseline_check_range(int64_t extent, int64_t first, int64_t count, const char *call);

/* 0, or a recorded failure: no memory. */
int32_t baseline_loops(const walk_product *product, int32_t variant, int64_t first, int64_t end);
int32_t baseline_linear(const walk_product *product, int32_t variant, int64_t first, int64_t end);
int32_t baseline_optimised(const walk_product *product, int64_t first, int64_t end);

/* The only failure is a lack of memory. int_product.c records it, because these run on several threads. */
int32_t baseline_int_naive(const walk_product *product, int64_t first, int64_t end);
int32_t baseline_int_buffered(const walk_product *product, int64_t first, int64_t end);
int32_t baseline_int_vector(const walk_product *product, int64_t first, int64_t end);

extern const char baseline_int_compiler[], baseline_int_vector_compiler[];
extern const char baseline_loops_compiler[], baseline_linear_compiler[], baseline_optimised_compiler[];

#endif
