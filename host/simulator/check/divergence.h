// Finds barriers that work-items of a group reach by different calls, or in different iterations of a loop:
// Oclgrind only sees that all of them are at the same line.
#pragma once
#include "../path.h"
#include "reach.h"

namespace check {

class Divergence {
  public:
    Divergence(Scene &scene, Findings &findings, Reach &reach);
    void begin_launch();
    void end_item(const oclgrind::WorkItem &item);
    void executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction);
    // All work-items of a group go on.
    void passed(const oclgrind::WorkGroup &group);

  private:
    using Paths = std::vector<Path>; // one for each call that a work-item is in
    struct Arrival {
        const Instruction *code;
        Path path;
        uint32_t item;
    };

    Scene &m_scene;
    Findings &m_findings;
    Reach &m_reach;
    bool m_follows = false; // only where a barrier is in a loop or in a function
    std::unordered_map<const oclgrind::WorkItem *, Paths> m_items;
    const oclgrind::WorkItem *m_last = nullptr; // most instructions are by the same work-item as the one before
    Paths *m_paths = nullptr;                   // its
    std::unordered_map<const oclgrind::WorkGroup *, Arrival> m_first; // at the barrier where the group waits

    bool has_hidden_barrier() const;
    void arrive(const oclgrind::WorkItem &item, const Instruction &barrier);
};

} // namespace check
