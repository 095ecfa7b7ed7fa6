// What launches did not show: lines that no work-item came to, and loops with a barrier that had one turn in each
// group, so that nobody met anybody of another turn. Of all launches of a program together.
#pragma once
#include "../path.h"
#include "findings.h"
#include "scene.h"

#include <map>

namespace check {

class Reach {
  public:
    Reach(Scene &scene, Findings &findings);
    void begin_launch();
    void executed(const llvm::Instruction &instruction);
    // A work-item comes to a barrier.
    void arrived(const Instruction &barrier, const Path &path);
    void end_launch();

  private:
    struct Known {
        Marks lines, loops;
    };

    Scene &m_scene;
    Findings &m_findings;
    const llvm::BasicBlock *m_last = nullptr;
    std::vector<bool> m_blocks;             // by number: whether a work-item came there, in this launch
    std::map<const Block *, bool> m_turns;  // of loops, by their first blocks, in this launch
    std::map<unsigned long, Known> m_known; // by program

    bool has(const Block &block) const;
    Marks lines() const;
    Marks loops() const;
    static Marks join(Marks &known, const Marks &now);
};

} // namespace check
