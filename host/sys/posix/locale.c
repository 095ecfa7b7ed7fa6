/* locale.c - numbers and characters by a locale that only the calling thread has. Programs, and libraries in the
 * process, may choose one with a decimal comma for all of it. */
#include "../system.h"

#include <locale.h>
#include <stdlib.h>

void *numbers_plain(void) {
    static locale_t plain;
    if (!plain) plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return uselocale(plain); /* without memory for one, nothing changes */
}

void numbers_back(void *before) {
    (void)uselocale(before);
}

/* If the user has no locale (LANG unset, or C), the terminal is assumed to show UTF-8. */
void *characters_of_user(void) {
    locale_t found = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    locale_t before, better;
    bool single;
    if (!found) return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    before = uselocale(found);
    single = MB_CUR_MAX == 1;
    uselocale(before);
    better = single ? newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) : (locale_t)0;
    if (!better) return found;
    freelocale(found);
    return better;
}

void *characters_use(void *characters) {
    return uselocale(characters);
}
