/* failure.c - records why a call of this module failed. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

walk_failure walk_last = {.call = ""};

int32_t failure_record(const char *call, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(walk_last.detail, sizeof walk_last.detail, format, values);
    va_end(values);
    walk_last.call = call;
    return walk_last.code = WALK_REFUSED;
}

int32_t failure_out_of_memory(const char *call) {
    (void)failure_record(call, "the host has no memory left: free arrays and buffers that are not needed");
    return walk_last.code = WALK_NO_MEMORY;
}
