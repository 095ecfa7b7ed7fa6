/* element.h - an element of any type as a number that holds all of them exactly; for the files of host/sys. */
#ifndef CLUE_ELEMENT_H
#define CLUE_ELEMENT_H

#include "clue.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

_Static_assert(LDBL_MANT_DIG >= 64, "long double must hold every 64-bit whole number");

/* NaN for an unknown type. */
long double element_read(const void *element, int32_t type);
/* Rounds to nearest. Stores nothing and returns false if the type cannot hold the value. */
bool element_write(void *element_out, int32_t type, long double value);
bool element_type_is_whole(int32_t type);

/* The number that a public function returns. A NaN gets the usual bits: LuaJIT keeps the types of values in the
 * bits of NaNs, and does not look at what its FFI returns, so one with bits of its own would become nil, or a
 * pointer. */
static inline double element_number(double value) {
    return isnan(value) ? (double)NAN : value;
}

#endif
