#include "divergence.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace check {

Divergence::Divergence(Scene &scene, Findings &findings, Reach &reach)
    : m_scene(scene), m_findings(findings), m_reach(reach) {}

// Whether a barrier can be reached in several ways.
bool Divergence::has_hidden_barrier() const {
    const Code &code = m_scene.code();
    const llvm::Function *kernel = m_scene.invocation().getKernel()->getFunction();
    for (uint32_t i = 0; i < code.instructions(); i++) {
        const Instruction &it = code.instruction(i);
        if (!it.barrier) continue;
        const llvm::Function *in = it.llvm->getFunction();
        const bool called = in != kernel && in->getCallingConv() != llvm::CallingConv::SPIR_KERNEL;
        const bool turns = in == kernel && !code.block(it.llvm->getParent()).loops.empty();
        if (called || turns) return true;
    }
    return false;
}

void Divergence::begin_launch() {
    m_items.clear();
    m_first.clear();
    m_last = nullptr;
    m_follows = has_hidden_barrier();
}

void Divergence::end_item(const oclgrind::WorkItem &item) {
    m_items.erase(&item);
    m_last = nullptr;
}

void Divergence::passed(const oclgrind::WorkGroup &group) {
    m_first.erase(&group);
}

void Divergence::arrive(const oclgrind::WorkItem &item, const Instruction &barrier) {
    const Path &path = m_paths->back();
    m_reach.arrived(barrier, path);
    const uint32_t number = m_scene.number_of(*item.getWorkGroup(), &item);
    const auto found = m_first.emplace(item.getWorkGroup(), Arrival{&barrier, path, number});
    const Arrival &first = found.first->second;
    if (found.second || first.code != &barrier || first.path.key == path.key) return;
    Finding finding;
    finding.kind = Kind::Divergence;
    finding.first = {&barrier, "barrier", number};
    finding.second = {&barrier, "barrier", first.item};
    finding.has_second = true;
    finding.manner = first.path.base == path.base ? "iteration" : "call";
    m_findings.add(finding);
}

void Divergence::executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) {
    if (!m_follows) return;
    if (&item != m_last) {
        m_last = &item;
        m_paths = &m_items[&item];
        if (m_paths->empty()) m_paths->emplace_back();
    }
    Path &path = m_paths->back();
    const llvm::BasicBlock *block = instruction.getParent();
    if (!path.block || path.block->llvm != block || &block->front() == &instruction)
        path.enter(m_scene.code(), m_scene.code().block(block));
    if (llvm::isa<llvm::ReturnInst>(instruction) && m_paths->size() > 1) m_paths->pop_back();
    if (!llvm::isa<llvm::CallInst>(instruction)) return;
    const Instruction &it = *m_scene.code_of(&instruction);
    if (it.barrier) arrive(item, it);
    if (it.calls) m_paths->push_back(path.below(it));
}

} // namespace check
