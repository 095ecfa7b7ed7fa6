/* random.h - random numbers of the walkthroughs' checks: splitmix64 (Steele, Lea, Flood: Fast Splittable
 * Pseudorandom Number Generators, 2014), as a function of seed and index. After n steps its state is start + n *
 * STEP. So element n needs no predecessor, a range can be split, and one seed gives the same sequence everywhere.
 */
#ifndef CLUE_RANDOM_H
#define CLUE_RANDOM_H

#include <stdint.h>
#include <string.h>

#define RANDOM_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t random_mix(uint64_t state) {
    state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
    return state ^ (state >> 31);
}

/* Any number can be a seed. Its bits are mixed, so that seeds 1 and 2 do not start near each other; -0 counts as
 * 0. */
static inline uint64_t random_start(double seed) {
    uint64_t bits = 0;
    seed += 0.0;
    memcpy(&bits, &seed, sizeof bits);
    return random_mix(bits + RANDOM_STEP);
}

static inline uint64_t random_at(uint64_t start, uint64_t index) {
    return random_mix(start + (index + 1) * RANDOM_STEP);
}

#endif
