// What unwritten memory makes of values: each value that a work-item computes from unwritten bits has a shadow that
// says which of its own bits depend on them. Most values have none.
#pragma once
#include "written.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace oclgrind {
class WorkItem;
struct TypedValue;
} // namespace oclgrind

namespace check {

struct Shadow {
    Bits bits;           // laid out as the value; none: all was written
    uint32_t origin = 0; // which read brought it in, as the caller counts reads
};

class Shadows {
  public:
    // Whether no value of a work-item has a shadow.
    bool none(const oclgrind::WorkItem *item) const;
    const Shadow *of(const oclgrind::WorkItem *item, const llvm::Value *value) const;
    void set(const oclgrind::WorkItem *item, const llvm::Value *value, const Shadow &shadow);
    void forget(const oclgrind::WorkItem *item);
    void clear();
    // The shadow of what an instruction computed, by those of its operands.
    Shadow computed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                    const oclgrind::TypedValue &result) const;

  private:
    using Values = std::unordered_map<const llvm::Value *, Shadow>;
    std::unordered_map<const oclgrind::WorkItem *, Values> m_items;
};

} // namespace check
