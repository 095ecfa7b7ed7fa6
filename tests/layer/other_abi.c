/* other_abi.c - preloaded, it makes libclue look like the library of another version of clue. */
#include <stdint.h>

int32_t clue_abi(void);

int32_t clue_abi(void) {
    return -1;
}
