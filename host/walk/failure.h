/* failure.h - the record of why a call of this module failed: walk_last. */
#ifndef WALK_FAILURE_H
#define WALK_FAILURE_H

#include "walk.h"

/* Both return the code that the caller returns. call must be a literal. */
__attribute__((format(printf, 2, 3))) int32_t failure_record(const char *call, const char *format, ...);
int32_t failure_out_of_memory(const char *call);

#endif
