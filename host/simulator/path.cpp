#include "path.h"

#include "llvm/IR/BasicBlock.h"

#include <algorithm>

namespace simulator {

uint64_t mix(uint64_t key, uint64_t value) {
    key ^= value + 0x9E3779B97F4A7C15U + (key << 6) + (key >> 2);
    return key * 0xBF58476D1CE4E5B9U;
}

bool is_inside(const Block &block, uint32_t loop) {
    return std::find(block.loops.begin(), block.loops.end(), loop) != block.loops.end();
}

void Path::enter(const Code &code, const Block &to) {
    if (!block) iterations.assign(code.function(to.llvm->getParent()).loops, 0);
    if (to.header_of >= 0) {
        const uint32_t loop = static_cast<uint32_t>(to.header_of);
        const bool again = block && is_inside(*block, loop);
        iterations[loop] = again ? iterations[loop] + 1 : 0;
    }
    key = base;
    for (const uint32_t loop : to.loops)
        key = mix(mix(key, loop + 1), iterations[loop]);
    block = &to;
}

Path Path::below(const Instruction &call) const {
    Path path;
    path.base = mix(mix(key, call.id), 1);
    return path;
}

} // namespace simulator
