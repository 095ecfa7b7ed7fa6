// Where a work-item is: in which iteration of the loops around it. One of the calls that it is in.
#pragma once
#include "code.h"

namespace simulator {

// Joins numbers to a key.
uint64_t mix(uint64_t key, uint64_t value);

bool is_inside(const Block &block, uint32_t loop);

struct Path {
    const Block *block = nullptr;
    uint64_t base = 0, key = 0;       // of the calls, and of the iterations in this function
    std::vector<uint32_t> iterations; // by loop

    // Comes to a block, perhaps to the same once more.
    void enter(const Code &code, const Block &to);
    // The path in a function that an instruction calls here.
    Path below(const Instruction &call) const;
};

} // namespace simulator
