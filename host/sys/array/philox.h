/* philox.h - Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw (Parallel Random Numbers:
 * As Easy as 1, 2, 3; 2011). A block of four words is a function of a counter and a key, so any part of a sequence
 * can be made without the rest, and by devices too. clue_array_random() documents how words become numbers. */
#ifndef CLUE_PHILOX_H
#define CLUE_PHILOX_H

#include <stdint.h>

enum { PHILOX_ROUNDS = 10 };

#define PHILOX_FACTOR_0 UINT32_C(0xd2511f53)
#define PHILOX_FACTOR_2 UINT32_C(0xcd9e8d57)
#define PHILOX_STEP_0 UINT32_C(0x9e3779b9) /* what a round adds to the key */
#define PHILOX_STEP_1 UINT32_C(0xbb67ae85)

#endif
