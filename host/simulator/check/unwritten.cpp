#include "unwritten.h"

#include "padding.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <cstring>

namespace check {

Unwritten::Unwritten(Scene &scene, const Places &places, Findings &findings)
    : m_scene(scene), m_places(places), m_findings(findings) {}

// ---- memory that comes and goes ----

void Unwritten::allocated(const oclgrind::Memory &memory, size_t address, size_t size, bool written) {
    const size_t buffer = memory.extractBuffer(address);
    m_origins.erase({&memory, buffer});
    m_written.allocate(&memory, buffer, size, written);
}

void Unwritten::wrote(const oclgrind::Memory &memory, size_t address, size_t size) {
    m_written.write(&memory, memory.extractBuffer(address), memory.extractOffset(address), size);
}

void Unwritten::end_item(const oclgrind::WorkItem &item) {
    m_shadows.forget(&item);
    m_written.forget(item.getPrivateMemory());
}

void Unwritten::end_group(const oclgrind::WorkGroup &group) {
    m_written.forget(group.getLocalMemory());
}

void Unwritten::end_launch(const oclgrind::Memory &global) {
    m_shadows.clear();
    m_written.keep_only(&global);
    m_known.clear();
    m_reads.clear();
    m_origins.clear();
    m_loaded = m_moved = Shadow();
}

// ---- reads and uses ----

// The shadow of what an access reads.
Shadow Unwritten::read(const Access &access) {
    const oclgrind::Memory &memory = *access.memory;
    const size_t buffer = memory.extractBuffer(access.address);
    Shadow shadow;
    shadow.bits = m_written.bits(&memory, buffer, memory.extractOffset(access.address), access.size);
    if (shadow.bits.empty()) return shadow;
    const auto origin = m_origins.find({&memory, buffer});
    if (origin != m_origins.end()) {
        shadow.origin = origin->second;
        return shadow;
    }
    const uint32_t item = m_scene.number_of(*access.group, access.item);
    const auto known = m_known.emplace(std::make_pair(instruction_of(access), item), m_reads.size());
    if (known.second) m_reads.push_back(finding_of(Kind::Uninitialised, access, m_scene, m_places));
    shadow.origin = known.first->second;
    return shadow;
}

void Unwritten::doubt(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                      const oclgrind::TypedValue &result, const Doubt &doubt) {
    const auto place = std::make_pair(&instruction, doubt.finding.first.item);
    const auto known = m_known.emplace(place, m_reads.size());
    if (known.second) m_reads.push_back(doubt.finding);
    Shadow shadow;
    shadow.origin = known.first->second;
    shadow.bits.assign(size_t{result.size} * result.num, 0);
    for (unsigned i = 0; i < result.num; i++)
        if (doubt.lanes[i]) memset(&shadow.bits[size_t{i} * result.size], 0xFF, result.size);
    m_shadows.set(&item, &instruction, shadow);
}

void Unwritten::tell(const Shadow &shadow) {
    if (any(shadow.bits)) m_findings.add(m_reads[shadow.origin]);
}

void Unwritten::use(const oclgrind::WorkItem &item, const llvm::Value &value) {
    if (const Shadow *shadow = m_shadows.of(&item, &value)) tell(*shadow);
}

// What others may read must be written; in the kernel's own memory a copy is as unwritten as its origin.
void Unwritten::store(const oclgrind::Memory &memory, uint64_t address, const Shadow &shadow) {
    const size_t buffer = memory.extractBuffer(address);
    if (!any(shadow.bits) || !memory.isAddressValid(address, shadow.bits.size())) return;
    if (memory.getAddressSpace() == oclgrind::AddrSpaceGlobal) {
        tell(shadow);
        return;
    }
    m_written.put(&memory, buffer, memory.extractOffset(address), shadow.bits);
    m_origins[{&memory, buffer}] = shadow.origin;
}

// ---- accesses by functions, block copies and whole groups ----

static bool is_atomic(const llvm::Instruction &call) {
    return called_by(call).compare(0, 4, "atom") == 0;
}

static bool exchanges(const llvm::Instruction &call) {
    const std::string name = called_by(call);
    return name == "atomic_xchg" || name == "atom_xchg";
}

// The shadow of what a function stores: that of what it has read, or of its arguments.
Shadow Unwritten::given(const oclgrind::WorkItem &item, const llvm::Instruction &call, size_t size) const {
    Shadow shadow = exchanges(call) ? Shadow() : m_moved;
    for (const llvm::Value *each : llvm::cast<llvm::CallInst>(call).args())
        if (const Shadow *its = m_shadows.of(&item, each)) shadow = *its;
    if (shadow.bits.empty()) return shadow;
    const bool vector = called_by(call).compare(0, 6, "vstore") == 0 && shadow.bits.size() >= size;
    if (vector)
        shadow.bits.resize(size);
    else if (shadow.bits.size() != size)
        shadow.bits.assign(size, 0xFF);
    return shadow;
}

void Unwritten::move(const Access &access) {
    const llvm::Instruction *call = access.item ? access.item->getCurrentInstruction() : nullptr;
    const bool copies = !call || llvm::isa<llvm::MemTransferInst>(call);
    Shadow shadow = copies ? m_moved : given(*access.item, *call, access.size);
    if (const auto *copy = call ? llvm::dyn_cast<llvm::MemTransferInst>(call) : nullptr)
        if (access.memory->getAddressSpace() == oclgrind::AddrSpaceGlobal && any(shadow.bits))
            write_padding(shadow.bits, *copied_type(*copy->getRawDest()), call->getModule()->getDataLayout());
    store(*access.memory, access.address, shadow);
    if (!call) m_moved = Shadow();
}

void Unwritten::access(const Access &access) {
    const llvm::Instruction *instruction = access.item ? access.item->getCurrentInstruction() : nullptr;
    const bool by_itself =
        instruction && (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::StoreInst>(instruction));
    if (writes(access.manner)) wrote(*access.memory, access.address, access.size);
    if (by_itself && !writes(access.manner)) m_loaded = read(access);
    if (by_itself) return; // executed() has its value
    if (writes(access.manner)) {
        move(access);
        return;
    }
    m_moved = read(access);
    const bool shared = access.memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
    if (access.manner != Manner::AtomicLoad || access.exchanges || !shared) return;
    tell(m_moved); // what it stores there is computed from it
    m_moved = Shadow();
}

// ---- instructions ----

static const oclgrind::Memory &memory_of(const oclgrind::WorkItem &item, unsigned space,
                                         const oclgrind::Memory &global) {
    if (space == oclgrind::AddrSpacePrivate) return *item.getPrivateMemory();
    return space == oclgrind::AddrSpaceLocal ? *item.getWorkGroup()->getLocalMemory() : global;
}

static bool passes_copy(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->hasByValArgument();
}

// The shadows of arguments go into a function that the program defines. A struct lies in memory, and Oclgrind
// copies it to new memory, which it takes for written.
void Unwritten::arguments(const oclgrind::WorkItem &item, const llvm::Instruction &call) {
    const auto &its = llvm::cast<llvm::CallInst>(call);
    for (const llvm::Argument &each : its.getCalledFunction()->args()) {
        if (each.hasByValAttr()) {
            const oclgrind::Memory &memory = *item.getPrivateMemory();
            const uint64_t from = item.getOperand(its.getArgOperand(each.getArgNo())).getPointer();
            const size_t size = memory.getBuffer(item.getOperand(&each).getPointer())->size;
            store(memory, item.getOperand(&each).getPointer(),
                  read({&memory, item.getWorkGroup(), &item, Manner::Load, from, size, nullptr}));
        }
        const Shadow *shadow = m_shadows.of(&item, its.getArgOperand(each.getArgNo()));
        m_shadows.set(&item, &each, shadow ? *shadow : Shadow());
    }
}

// And that of its result comes back. Oclgrind is at the call again.
void Unwritten::back(const oclgrind::WorkItem &item, const llvm::Instruction &end) {
    const llvm::Value *value = llvm::cast<llvm::ReturnInst>(end).getReturnValue();
    if (!value) return;
    const Shadow *shadow = m_shadows.of(&item, value);
    m_shadows.set(&item, item.getCurrentInstruction(), shadow ? *shadow : Shadow());
}

void Unwritten::call(const oclgrind::WorkItem &item, const llvm::Instruction &call,
                     const oclgrind::TypedValue &result) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(call)) return;
    for (const llvm::Value *each : llvm::cast<llvm::CallInst>(call).args())
        if (each->getType()->isPointerTy()) use(item, *each);
    if (m_scene.code_of(&call)->barrier) tell(m_moved); // it has read the events
    const size_t size = size_t{result.size} * result.num;
    Shadow shadow = is_atomic(call) || any(m_moved.bits) ? m_moved : m_shadows.computed(item, call, result);
    if (!shadow.bits.empty() && shadow.bits.size() != size) shadow.bits.assign(size, 0xFF);
    m_shadows.set(&item, &call, shadow);
    m_moved = Shadow();
}

bool Unwritten::concerns(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const {
    return instruction.getOpcode() == llvm::Instruction::Load || passes_copy(instruction) ||
           !m_moved.bits.empty() || !m_shadows.none(&item);
}

void Unwritten::executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                         const oclgrind::TypedValue &result) {
    const unsigned opcode = instruction.getOpcode();
    if (opcode == llvm::Instruction::Load) {
        use(item, *instruction.getOperand(0));
        m_shadows.set(&item, &instruction, m_loaded);
        m_loaded = Shadow();
    } else if (opcode == llvm::Instruction::Store) {
        const auto &store_ = llvm::cast<llvm::StoreInst>(instruction);
        use(item, *store_.getPointerOperand());
        if (const Shadow *shadow = m_shadows.of(&item, store_.getValueOperand()))
            store(memory_of(item, store_.getPointerAddressSpace(),
                            *m_scene.invocation().getContext()->getGlobalMemory()),
                  item.getOperand(store_.getPointerOperand()).getPointer(), *shadow);
    } else if (opcode == llvm::Instruction::Br || opcode == llvm::Instruction::Switch) {
        use(item, *instruction.getOperand(0)); // the condition, or a block, which has no shadow
    } else if (opcode == llvm::Instruction::Ret) {
        back(item, instruction);
    } else if (opcode == llvm::Instruction::Call && m_scene.code_of(&instruction)->calls) {
        arguments(item, instruction);
    } else if (opcode == llvm::Instruction::Call) {
        call(item, instruction, result);
    } else if (result.size > 0) {
        m_shadows.set(&item, &instruction, m_shadows.computed(item, instruction, result));
    }
}

} // namespace check
