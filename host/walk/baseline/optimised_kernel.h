/* optimised_kernel.h - one kernel of optimised.c: KERNEL is its name, ROWS x two vectors of BYTES its size, TARGET
 * its instructions. The loops over the sums are unrolled, so the compiler keeps these in registers. */

TARGET static void KERNEL(int64_t depth, const void *a_strip, const void *b_strip, void *tile_out) {
    typedef REAL vector __attribute__((vector_size(BYTES), may_alias));
    const REAL *a = a_strip;
    const vector *b = b_strip;
    vector sums[ROWS][2] = {{{0}}};
    for (int64_t k = 0; k < depth; k++, a += ROWS, b += 2) {
#pragma GCC unroll 16
        for (int row = 0; row < ROWS; row++) {
            sums[row][0] += a[row] * b[0];
            sums[row][1] += a[row] * b[1];
        }
    }
    memcpy(tile_out, sums, sizeof sums);
}

#undef KERNEL
#undef ROWS
#undef BYTES
#undef TARGET
