// The launch that runs: its code, and the numbers of its work-items.
#pragma once
#include "../code.h"

#include <memory>

namespace oclgrind {
class KernelInvocation;
class WorkGroup;
class WorkItem;
} // namespace oclgrind

namespace check {

using namespace simulator;

class Scene {
  public:
    // numbers: in a group, one of them for the group as a whole
    void begin(const oclgrind::KernelInvocation &invocation, uint32_t numbers);
    void end();
    bool running() const;
    const oclgrind::KernelInvocation &invocation() const;
    const Code &code() const;
    // Null for none.
    const Instruction *code_of(const llvm::Instruction *instruction);
    // Of work-items in a group, and one for the group as a whole.
    uint32_t numbers() const;
    // As in Touch; item: null for the group as a whole.
    uint32_t number_of(const oclgrind::WorkGroup &group, const oclgrind::WorkItem *item) const;

  private:
    const oclgrind::KernelInvocation *m_invocation = nullptr;
    uint32_t m_numbers = 1;
    std::unique_ptr<Code> m_code;
    std::unordered_map<const llvm::Instruction *, const Instruction *> m_known;
};

} // namespace check
