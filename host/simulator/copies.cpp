#include "copies.h"

#include "code.h"
#include "oclgrind.h"

#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace simulator {

void Copies::add(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                 const oclgrind::TypedValue &event, Since local_since, Since global_since) {
    const auto &call = llvm::cast<llvm::CallInst>(instruction);
    const auto number = [&](unsigned i) { return item.getOperand(call.getArgOperand(i)).getUInt(); };
    const auto pointer = [&](unsigned i) { return item.getOperand(call.getArgOperand(i)).getPointer(); };
    const auto is_global = [&](unsigned i) {
        return call.getArgOperand(i)->getType()->getPointerAddressSpace() != oclgrind::AddrSpaceLocal;
    };
    const Copy copy = {&call,
                       event.getPointer(),
                       {pointer(1), pointer(0)},
                       {is_global(1), is_global(0)},
                       number(2),
                       call.arg_size() > 4 ? number(3) : 1,
                       {0, 0},
                       {local_since, global_since}};
    for (const Copy &each : m_begun)
        if (each.call == copy.call && each.event == copy.event && each.base[0] == copy.base[0] &&
            each.base[1] == copy.base[1])
            return;
    m_begun.push_back(copy);
}

const Copy *Copies::next(bool writes, bool global, uint64_t address, size_t size) {
    for (Copy &each : m_begun) {
        if (each.global[writes] != global) continue;
        const uint64_t step = (global ? each.stride : 1) * size;
        if (each.done[writes] == each.elements || each.base[writes] + each.done[writes] * step != address) continue;
        each.done[writes]++;
        return &each;
    }
    return nullptr;
}

void Copies::passed() {
    m_begun.erase(
        std::remove_if(
            m_begun.begin(), m_begun.end(), [](const Copy &each) { return each.done[true] == each.elements; }),
        m_begun.end());
}

} // namespace simulator
