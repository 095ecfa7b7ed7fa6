/* int_vector.c - the int product that copies columns, compiled for speed: consecutive elements allow vectors.
 * Called only by int_product.c. */
#include "baseline.h"

#define BUFFERED baseline_int_vector
#include "int_buffered.h"

const char baseline_int_vector_compiler[] = BASELINE_COMPILER " " WALK_FLAGS;
