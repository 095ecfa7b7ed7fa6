// The asynchronous copies that a work-group has begun. Oclgrind makes them at the wait, element by element, and
// tells of each element without the call that it belongs to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace llvm {
class Instruction;
}
namespace oclgrind {
struct TypedValue;
class WorkItem;
} // namespace oclgrind

namespace simulator {

// From when on nothing orders a group's touches of some memory: those of its work-items, and of its copies.
struct Since {
    uint32_t items, copies;
};

struct Copy {
    const llvm::Instruction *call;
    uint64_t event, base[2];   // where it reads and writes
    bool global[2];            // whether that is global memory, whose addresses are like those of local memory
    uint64_t elements, stride; // the stride is that in global memory
    uint64_t done[2];          // elements that are read and written
    Since since[2];            // what add() was told
};

class Copies {
  public:
    // A work-item made the call that begins a copy. Only the first one of its group adds it. since: when, by the
    // caller's clocks of local and of global memory.
    void add(const oclgrind::WorkItem &item, const llvm::Instruction &call, const oclgrind::TypedValue &event,
             Since local_since, Since global_since);
    // The copy whose next element is read or written there; null if none is known.
    const Copy *next(bool writes, bool global, uint64_t address, size_t size);
    // A barrier has been passed: copies that are made are forgotten.
    void passed();

  private:
    std::vector<Copy> m_begun;
};

} // namespace simulator
