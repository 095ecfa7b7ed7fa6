// Finds uses of what nobody has written: follows unwritten memory through copies and computations, and tells where
// it decides something: which way a branch goes, which memory is accessed, or what is stored in global memory. The
// finding is that of the first read. Results of undefined arithmetic are followed likewise.
#pragma once
#include "access.h"
#include "arithmetic.h"
#include "shadow.h"

namespace check {

class Unwritten {
  public:
    Unwritten(Scene &scene, const Places &places, Findings &findings);
    void allocated(const oclgrind::Memory &memory, size_t address, size_t size, bool written);
    void wrote(const oclgrind::Memory &memory, size_t address, size_t size);
    // Before a valid access is made.
    void access(const Access &access);
    // Whether executed() has anything to do.
    bool concerns(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const;
    void executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                  const oclgrind::TypedValue &result);
    // After executed(), of a result on some of whose lanes nobody can rely.
    void doubt(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
               const oclgrind::TypedValue &result, const Doubt &doubt);
    void end_item(const oclgrind::WorkItem &item);
    void end_group(const oclgrind::WorkGroup &group);
    void end_launch(const oclgrind::Memory &global);

  private:
    using Place = std::pair<const oclgrind::Memory *, size_t>; // a buffer

    Scene &m_scene;
    const Places &m_places;
    Findings &m_findings;
    Written m_written;
    Shadows m_shadows;
    Shadow m_loaded; // what an instruction has read, until it is executed
    Shadow m_moved;  // what a function or a block copy has read, until it is done
    std::vector<Finding> m_reads;
    std::map<std::pair<const llvm::Instruction *, uint32_t>, uint32_t> m_known; // of these, by place and work-item
    std::map<Place, uint32_t> m_origins;                                        // of unwritten copies

    Shadow read(const Access &access);
    void store(const oclgrind::Memory &memory, uint64_t address, const Shadow &shadow);
    void move(const Access &access);
    void use(const oclgrind::WorkItem &item, const llvm::Value &value);
    void tell(const Shadow &shadow);
    void call(const oclgrind::WorkItem &item, const llvm::Instruction &call, const oclgrind::TypedValue &result);
    void arguments(const oclgrind::WorkItem &item, const llvm::Instruction &call);
    void back(const oclgrind::WorkItem &item, const llvm::Instruction &end);
    Shadow given(const oclgrind::WorkItem &item, const llvm::Instruction &call, size_t size) const;
};

} // namespace check
