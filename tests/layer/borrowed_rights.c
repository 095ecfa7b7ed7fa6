/* borrowed_rights.c - preloaded, it acts as if the program had a set-user-ID bit, which no test may set for another
 * user without root's rights. */
#include <unistd.h>

uid_t geteuid(void) {
    return getuid() + 1;
}
