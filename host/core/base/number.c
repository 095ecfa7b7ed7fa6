/* number.c - numbers as texts that do not depend on the locale. Programs, and libraries in the process, may choose
 * one with a decimal comma. Only the calling thread sees the change. */
#include "base/base.h"

locale_t numbers_plain(void) {
    static locale_t plain;
    if (!plain) plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return uselocale(plain); /* without memory for one, nothing changes */
}

void numbers_back(locale_t before) {
    (void)uselocale(before);
}
