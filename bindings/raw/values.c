/* values.c - prints the values of OpenCL's constants and the sizes of its types, as this C compiler has them.
 *
 * The build runs it to make the Lua module clue.raw.values. generate.lua makes the list VALUE(CL_SUCCESS),
 * TYPE(cl_mem), ... A whole number that a double cannot hold is written as LuaJIT's 64-bit literal. */
#include "headers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int64_t most = INT64_C(1) << 53; /* a double can hold every whole number up to this */

static void tell_signed(const char *name, long long value) {
    if (value == INT64_MIN)
        printf("    %s = -0x7fffffffffffffffLL - 1LL,\n", name);
    else
        printf("    %s = %lld%s,\n", name, value, value >= -most && value <= most ? "" : "LL");
}

static void tell_unsigned(const char *name, unsigned long long value) {
    printf("    %s = %llu%s,\n", name, value, value <= (unsigned long long)most ? "" : "ULL");
}

static void tell_real(const char *name, double value) {
    if (isnan(value))
        printf("    %s = 0 / 0,\n", name);
    else if (isinf(value))
        printf("    %s = math.huge,\n", name);
    else
        printf("    %s = %.17g,\n", name, value);
}

static void tell_text(const char *name, const char *value) {
    printf("    %s = \"%s\",\n", name, value);
}

/* clang-format off */
#define VALUE(constant) \
    _Generic((constant), char *: tell_text, float: tell_real, double: tell_real, unsigned long: tell_unsigned, \
             unsigned long long: tell_unsigned, default: tell_signed)(#constant, constant);
/* clang-format on */
static void tell_values(void) {
#define TYPE(type)
#include "values.inc"
#undef TYPE
}
#undef VALUE

static void tell_types(void) {
#define VALUE(constant)
#define TYPE(type) printf("    %s = { %zu, %zu },\n", #type, sizeof(type), _Alignof(type));
#include "values.inc"
}

int main(int count, char **words) {
    if (count != 2 || !freopen(words[1], "w", stdout)) return EXIT_FAILURE;
    printf("-- Generated from Khronos' headers: constants, and the sizes and alignments of types.\nreturn {\n");
    printf("  constants = {\n");
    tell_values();
    printf("  },\n  types = {\n");
    tell_types();
    printf("  },\n}\n");
    return fclose(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
