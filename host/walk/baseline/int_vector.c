/* int_vector.c - the int product that buffers columns, compiled for speed: the columns in a row invite vectors.
 * Called by int_product.c only. */
#include "baseline.h"

#define BUFFERED baseline_int_vector
#include "int_buffered.h"

const char baseline_int_vector_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;
