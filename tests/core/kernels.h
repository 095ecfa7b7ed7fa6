/* kernels.h - the texts of kernels that serve most tests of host/core. A compiler that keeps what it built, as
 * PoCL's does, compiles each of them once for all tests. All are called f. */
#ifndef CLUE_TEST_KERNELS_H
#define CLUE_TEST_KERNELS_H

static const char kernel_empty[] = "__kernel void f() {}";
static const char kernel_increment[] = "__kernel void f(__global int *a) { a[get_global_id(0)] += 1; }";
static const char kernel_hundred[] = "__kernel void f(__global int *a) { a[get_global_id(0)] += 100; }";
static const char kernel_add[] = "__kernel void f(__global int *a, int n) { a[get_global_id(0)] += n; }";
/* Takes time. rusticl ends all loops after 65535 rounds. */
static const char kernel_slow[] = "__kernel void f(__global uint *a, uint n) { uint x = a[get_global_id(0)];"
                                  "  for (uint i = 0; i < n; i++) x = x * 1664525u + 1013904223u;"
                                  "  a[get_global_id(0)] = x; }";

#endif
