/* library.h - matrix products by other projects' libraries, which steps are compared with: OpenBLAS, CLBlast,
 * cuBLAS.
 *
 * A library is loaded when the first call needs it, and stays loaded. Nothing here is linked with them, so that all
 * of this works without them. Products are float or double, with A, B and C by rows, and overwrite C. Calls return
 * WALK_DONE or a negative code, as in walk.h. */
#ifndef WALK_LIBRARY_H
#define WALK_LIBRARY_H

#include "../walk.h"

enum { LIBRARY_OPENBLAS = 0, LIBRARY_CLBLAST = 1, LIBRARY_CUBLAS = 2 };

/* Loads a library. *version_out is what it says of itself, "" if nothing: its text lives as long as the process. */
int32_t library_load(const char **version_out, int32_t library);

/* OpenBLAS, on so many of the CPU's threads. */
int32_t library_openblas_product(const walk_product *product, int32_t threads);

/* CLBlast: enqueues the product of three buffers on a queue. All are handles of clue. Arrays in `product` are
 * unused. */
typedef struct library_buffers {
    int32_t queue, a, b, c;
} library_buffers;
int32_t library_clblast_product(const walk_product *product, const library_buffers *buffers);

/* cuBLAS has memory and a context of its own, on the device with this PCI address ("0000:65:00.0"). There is one
 * product at a time, whose memory the next start or the process's end frees: start it, upload A and B, compute as
 * often as wanted, read C. *seconds_out is the device's time. A reset fills C with 0 by a kernel, and so brings the
 * GPU's cores back from other processes: without it, the next time has that of the change, 0.2 ms on an H200. */
int32_t library_cublas_start(const walk_product *product, const char *pci);
int32_t library_cublas_upload(const walk_product *product);
int32_t library_cublas_reset(const walk_product *product);
int32_t library_cublas_compute(double *seconds_out, const walk_product *product);
int32_t library_cublas_read(const walk_product *product);

#endif
