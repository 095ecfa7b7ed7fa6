#include "reach.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace check {

Reach::Reach(Scene &scene, Findings &findings) : m_scene(scene), m_findings(findings) {}

void Reach::begin_launch() {
    m_last = nullptr;
    m_blocks.clear();
    m_turns.clear();
}

void Reach::executed(const llvm::Instruction &instruction) {
    const llvm::BasicBlock *block = instruction.getParent();
    if (block == m_last) return;
    m_last = block;
    const uint32_t id = m_scene.code().block(block).id;
    if (id >= m_blocks.size()) m_blocks.resize(id + 1);
    m_blocks[id] = true;
}

void Reach::arrived(const Instruction &barrier, const Path &path) {
    const Block &block = m_scene.code().block(barrier.llvm->getParent());
    for (const Block &each : m_scene.code().function(barrier.llvm->getFunction()).blocks) {
        if (each.header_of < 0) continue;
        const uint32_t loop = static_cast<uint32_t>(each.header_of);
        if (is_inside(block, loop)) m_turns[&each] |= path.iterations[loop] > 0;
    }
}

bool Reach::has(const Block &block) const {
    return block.id < m_blocks.size() && m_blocks[block.id];
}

// The lines of functions that were called.
Marks Reach::lines() const {
    Marks list;
    for (const llvm::Function &each : *m_scene.invocation().getKernel()->getFunction()->getParent()) {
        if (each.isDeclaration() || !has(m_scene.code().block(&each.front()))) continue;
        for (const Block &block : m_scene.code().function(&each).blocks)
            for (const Instruction &it : block.instructions)
                if (it.line > 0) list[{it.file, it.line}] |= has(block);
    }
    return list;
}

// By the lines where they begin.
Marks Reach::loops() const {
    Marks list;
    for (const auto &each : m_turns)
        for (const Instruction &it : each.first->instructions) {
            if (it.line == 0) continue;
            list[{it.file, it.line}] |= each.second;
            break;
        }
    return list;
}

// What is news.
Marks Reach::join(Marks &known, const Marks &now) {
    Marks news;
    for (const auto &each : now) {
        const auto found = known.emplace(each);
        if (!found.second && (found.first->second || !each.second)) continue;
        found.first->second = each.second;
        news.insert(each);
    }
    return news;
}

void Reach::end_launch() {
    Known &known = m_known[m_scene.invocation().getKernel()->getProgram()->getUID()];
    const Marks news = join(known.lines, lines()), turns = join(known.loops, loops());
    if (!news.empty() || !turns.empty()) m_findings.reach(news, turns);
}

} // namespace check
