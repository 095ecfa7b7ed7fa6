#include "scene.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"

namespace check {

void Scene::begin(const oclgrind::KernelInvocation &invocation, uint32_t numbers) {
    m_invocation = &invocation;
    m_numbers = numbers;
    m_code = std::make_unique<Code>(*invocation.getKernel()->getFunction()->getParent());
    m_known.clear();
}

void Scene::end() {
    m_invocation = nullptr;
}

bool Scene::running() const {
    return m_invocation != nullptr;
}

const oclgrind::KernelInvocation &Scene::invocation() const {
    return *m_invocation;
}

const Code &Scene::code() const {
    return *m_code;
}

const Instruction *Scene::code_of(const llvm::Instruction *instruction) {
    if (!instruction) return nullptr;
    const Instruction *&known = m_known[instruction];
    if (!known) known = &m_code->instruction(instruction);
    return known;
}

uint32_t Scene::numbers() const {
    return m_numbers;
}

uint32_t Scene::number_of(const oclgrind::WorkGroup &group, const oclgrind::WorkItem *item) const {
    const oclgrind::Size3 groups = m_invocation->getNumGroups(), id = group.getGroupID();
    const size_t first = (id.x + groups.x * (id.y + groups.y * id.z)) * m_numbers;
    if (!item) return static_cast<uint32_t>(first) + m_numbers - 1;
    const oclgrind::Size3 size = m_invocation->getLocalSize(), local = item->getLocalID();
    return static_cast<uint32_t>(first + local.x + size.x * (local.y + size.y * local.z));
}

} // namespace check
