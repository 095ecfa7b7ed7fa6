#include "checker.h"

#include "findings.h"
#include "messages.h"
#include "races.h"
#include "scene.h"
#include "written.h"

#include "../oclgrind.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <cstring>
#include <mutex>

namespace check {

enum { LocalFence = 1, GlobalFence = 2 }; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

// ---- what the compiler made wider than the program ----

// A vector of three is loaded as one of four, and a bit field with its neighbours: the bytes that count.
static size_t bytes_that_count(const llvm::Instruction &load, size_t size) {
    bool three = !load.use_empty(), masked = !load.use_empty();
    for (const llvm::User *each : load.users()) {
        const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(each);
        const auto *type = shuffle ? llvm::cast<llvm::FixedVectorType>(shuffle->getType()) : nullptr;
        three = three && type && type->getNumElements() == 3;
        const auto *part = llvm::dyn_cast<llvm::BinaryOperator>(each);
        masked = masked && part && llvm::isa<llvm::ConstantInt>(part->getOperand(1)) &&
                 (part->getOpcode() == llvm::Instruction::And || part->getOpcode() == llvm::Instruction::Shl);
    }
    if (masked) return 0;
    return three ? size / 4 * 3 : size;
}

// The store that makes a load a mere copy; null if the value is used otherwise.
static const llvm::Instruction *copy_of(const llvm::Instruction *load) {
    const bool once = load && llvm::isa<llvm::LoadInst>(load) && load->hasOneUse();
    const auto *store = once ? llvm::dyn_cast<llvm::StoreInst>(load->user_back()) : nullptr;
    return store && store->getValueOperand() == load ? store : nullptr;
}

namespace {

// An unwritten value between its load and the store that copies it.
struct Copy {
    std::vector<uint8_t> written; // by byte
    Finding finding;              // if it is used after all
};

// The piece of memory that the host has mapped.
struct Mapping {
    uint64_t address, size;
    const void *pointer;
    bool writes;
};

// An access, before it is made.
struct Access {
    const oclgrind::Memory *memory;
    const oclgrind::WorkGroup *group;
    const oclgrind::WorkItem *item; // null: the group as a whole
    Manner manner;
    uint64_t address;
    size_t size;
    const uint8_t *data;
};

class Checker final : public oclgrind::Plugin {
  public:
    Checker(const oclgrind::Context *context, int descriptor) : oclgrind::Plugin(context), m_findings(descriptor) {}

    // One work-group at a time: races are seen all the same, since no order of theirs is taken for granted.
    bool isThreadSafe() const override {
        return false;
    }

    // ---- launches and groups ----

    void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
        const oclgrind::Size3 size = invocation->getLocalSize();
        m_numbers = static_cast<uint32_t>(size.x * size.y * size.z) + 1;
        m_scene.begin(*invocation, m_numbers);
        m_epoch = 1;
        m_places.begin(*invocation);
        m_global.begin(m_numbers);
        m_orders.begin_launch();
        m_findings.begin(*invocation, m_numbers);
    }

    void kernelEnd(const oclgrind::KernelInvocation *) override {
        m_findings.end();
        m_scene.end();
    }

    void workGroupBegin(const oclgrind::WorkGroup *) override {
        m_local.begin(m_numbers);
        m_global.order(++m_epoch);
        m_last_barrier = m_epoch;
        m_orders.begin_group();
    }

    void workGroupBarrier(const oclgrind::WorkGroup *, uint32_t flags) override {
        m_last_barrier = ++m_epoch;
        if (flags & LocalFence) m_local.order(m_epoch);
        if (flags & GlobalFence) m_global.order(m_epoch);
    }

    void workGroupComplete(const oclgrind::WorkGroup *) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_written.keep_only(m_context->getGlobalMemory()); // local and private memory end here
        m_copies.clear();
        m_origins.clear();
    }

    // ---- memory that comes and goes ----
    //
    // The host's calls come from its own threads, while a launch may run. What is freed stays known until its place
    // is taken: Oclgrind tells of the end of memory after the same place may have been given away again.

    void memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, cl_mem_flags flags,
                         const uint8_t *data) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_origins.erase({memory, memory->extractBuffer(address)});
        m_written.allocate(memory, memory->extractBuffer(address), size, data || flags & CL_MEM_COPY_HOST_PTR);
    }

    void hostMemoryStore(const oclgrind::Memory *memory, size_t address, size_t size, const uint8_t *) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        wrote(*memory, address, size);
    }

    void memoryMap(const oclgrind::Memory *memory, size_t address, size_t offset, size_t size,
                   cl_map_flags flags) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_mappings.push_back({address + offset, size, memory->getPointer(address + offset), flags != CL_MAP_READ});
    }

    void memoryUnmap(const oclgrind::Memory *memory, size_t, const void *pointer) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        for (auto each = m_mappings.begin(); each != m_mappings.end(); ++each) {
            if (each->pointer != pointer) continue;
            if (each->writes) wrote(*memory, each->address, each->size);
            m_mappings.erase(each);
            return;
        }
    }

    // ---- accesses ----

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                    size_t size) override {
        check({memory, item->getWorkGroup(), item, Manner::Load, address, size, nullptr});
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address, size_t size,
                     const uint8_t *data) override {
        check({memory, item->getWorkGroup(), item, Manner::Store, address, size, data});
    }

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, size_t address,
                    size_t size) override {
        check({memory, group, nullptr, Manner::Load, address, size, nullptr});
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, size_t address, size_t size,
                     const uint8_t *data) override {
        check({memory, group, nullptr, Manner::Store, address, size, data});
    }

    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp,
                          size_t address, size_t size) override {
        check({memory, item->getWorkGroup(), item, Manner::AtomicLoad, address, size, nullptr});
    }

    void memoryAtomicStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp,
                           size_t address, size_t size) override {
        check({memory, item->getWorkGroup(), item, Manner::AtomicStore, address, size, nullptr});
    }

    // ---- arithmetic ----

    void instructionExecuted(const oclgrind::WorkItem *item, const llvm::Instruction *instruction,
                             const oclgrind::TypedValue &result) override {
        const unsigned opcode = instruction->getOpcode();
        if (opcode == llvm::Instruction::FPToSI || opcode == llvm::Instruction::FPToUI)
            check_sum(*item, *instruction, result.num);
    }

    // ---- what only Oclgrind itself sees ----

    void log(oclgrind::MessageType type, const char *message) override {
        if (!m_scene.running() || (type != oclgrind::WARNING && type != oclgrind::ERROR)) return;
        for (const char *ours : {"Invalid read ", "Invalid write "})
            if (strncmp(message, ours, strlen(ours)) == 0) return; // check() has seen it
        take_message(message, m_scene, m_findings);
    }

  private:
    Findings m_findings;
    Places m_places;
    Written m_written;
    Races m_global, m_local;
    Orders m_orders;
    Scene m_scene;
    std::vector<Mapping> m_mappings;
    std::vector<Race> m_races;
    std::map<std::pair<const oclgrind::WorkItem *, const llvm::Instruction *>, Copy> m_copies;
    std::map<std::pair<const oclgrind::Memory *, size_t>, Finding> m_origins; // of unwritten values, by buffer
    std::mutex m_mutex; // of what the host's calls change, too
    uint32_t m_numbers = 1, m_epoch = 0, m_last_barrier = 0;

    // ---- who and where ----

    static const char *name_of(Manner manner) {
        static const char *const names[] = {"read", "write", "atomic", "atomic"};
        return names[static_cast<int>(manner)];
    }

    static bool writes(Manner manner) {
        return manner == Manner::Store || manner == Manner::AtomicStore;
    }

    Deed deed_of(const Access &access) {
        const llvm::Instruction *instruction =
            access.item ? access.item->getCurrentInstruction() : access.group->getCurrentBarrier();
        Deed deed;
        deed.code = m_scene.code_of(instruction);
        deed.access = name_of(access.manner);
        deed.item = m_scene.number_of(*access.group, access.item);
        return deed;
    }

    Finding finding_of(Kind kind, const Access &access) {
        Finding finding;
        finding.kind = kind;
        finding.first = deed_of(access);
        finding.bytes = access.size;
        finding.object =
            m_places.find(finding.first.code, *access.memory, *access.group, access.item, access.address);
        return finding;
    }

    // ---- one access ----

    void check(const Access &access) {
        if (access.size == 0 || !m_scene.running()) return;
        const std::lock_guard<std::mutex> lock(m_mutex);
        const uint32_t space = access.memory->getAddressSpace();
        if (!access.memory->isAddressValid(access.address, access.size)) {
            m_findings.add(finding_of(Kind::Bounds, access));
            return;
        }
        if (space == oclgrind::AddrSpaceGlobal) check_use(access);
        if (!writes(access.manner)) check_written(access);
        if (space == oclgrind::AddrSpaceGlobal) check_race(m_global, access);
        if (space == oclgrind::AddrSpaceLocal) check_race(m_local, access);
        if (writes(access.manner) && !copied(access)) wrote(*access.memory, access.address, access.size);
    }

    void wrote(const oclgrind::Memory &memory, size_t address, size_t size) {
        m_written.write(&memory, memory.extractBuffer(address), memory.extractOffset(address), size);
    }

    // Whether the host allows the kernel this access.
    void check_use(const Access &access) {
        const cl_mem_flags flags = access.memory->getBuffer(access.address)->flags;
        if (writes(access.manner) && flags & CL_MEM_READ_ONLY) m_findings.add(finding_of(Kind::ReadOnly, access));
        if (!writes(access.manner) && flags & CL_MEM_WRITE_ONLY)
            m_findings.add(finding_of(Kind::WriteOnly, access));
        for (const Mapping &each : m_mappings)
            if ((each.writes || writes(access.manner)) && access.address < each.address + each.size &&
                each.address < access.address + access.size)
                m_findings.add(finding_of(Kind::Mapped, access));
    }

    void check_written(const Access &access) {
        const oclgrind::Memory &memory = *access.memory;
        const llvm::Instruction *instruction = access.item ? access.item->getCurrentInstruction() : nullptr;
        const bool copies = instruction && llvm::isa<llvm::MemTransferInst>(instruction);
        const bool loads = instruction && llvm::isa<llvm::LoadInst>(instruction);
        const size_t needed = loads ? bytes_that_count(*instruction, access.size) : access.size;
        const size_t count = m_written.count(&memory, memory.extractBuffer(access.address),
                                             memory.extractOffset(access.address), needed);
        const bool whole = count == 0 && needed > 0;
        const bool padding = copies && !whole && !m_origins.count({&memory, memory.extractBuffer(access.address)});
        if (count < needed && !padding) unwritten(access, copy_of(instruction));
    }

    // An unwritten value is told where it is used, or leaves the kernel's own memory; the finding is that of the
    // first load, whichever copies lie between.
    void unwritten(const Access &access, const llvm::Instruction *store) {
        const oclgrind::Memory *memory = access.memory;
        const size_t buffer = memory->extractBuffer(access.address);
        const auto origin = m_origins.find({memory, buffer});
        Finding finding = origin == m_origins.end() ? finding_of(Kind::Uninitialised, access) : origin->second;
        if (!store) {
            m_findings.add(finding);
            return;
        }
        const size_t offset = memory->extractOffset(access.address);
        m_copies[{access.item, store}] = {m_written.bytes(memory, buffer, offset, access.size), finding};
    }

    // Whether a store copied an unwritten value that stays in the kernel's own memory.
    bool copied(const Access &access) {
        if (m_copies.empty() || !access.item) return false;
        const auto found = m_copies.find({access.item, access.item->getCurrentInstruction()});
        if (found == m_copies.end()) return false;
        const Copy copy = found->second;
        const oclgrind::Memory *memory = access.memory;
        const size_t buffer = memory->extractBuffer(access.address);
        m_copies.erase(found);
        if (memory->getAddressSpace() == oclgrind::AddrSpaceGlobal || copy.written.size() != access.size) {
            m_findings.add(copy.finding);
            return false;
        }
        m_written.copy(memory, buffer, memory->extractOffset(access.address), copy.written);
        m_origins[{memory, buffer}] = copy.finding;
        return true;
    }

    // An int that was added up in a float: from 2^24 on a float does not hold each int, so the sum may have lost
    // some.
    void check_sum(const oclgrind::WorkItem &item, const llvm::Instruction &instruction, size_t count) {
        const oclgrind::TypedValue value = item.getOperand(instruction.getOperand(0));
        const double limit = value.size == 8 ? 9007199254740992.0 : value.size == 4 ? 16777216.0 : 2048.0;
        for (unsigned i = 0; i < count; i++) {
            const double of = value.getFloat(i);
            if (of < limit && of > -limit) continue;
            Finding finding;
            finding.kind = Kind::Inexact;
            finding.first.code = m_scene.code_of(&instruction);
            finding.first.access = "convert";
            finding.first.item = m_scene.number_of(*item.getWorkGroup(), &item);
            finding.index = static_cast<int64_t>(limit);
            finding.limit = static_cast<int64_t>(value.size);
            m_findings.add(finding);
            return;
        }
    }

    // ---- races ----

    void check_race(Races &races, const Access &access) {
        const Deed deed = deed_of(access);
        const bool global = &races == &m_global, atomic = access.manner >= Manner::AtomicLoad;
        const Touch touch = {deed.item, (deed.code ? deed.code->id : 0) + 1, m_epoch, 0};
        m_races.clear();
        races.touch(m_races, access.address, access.size, access.manner, touch, access.data);
        for (const Race &race : m_races)
            add_race(race, access, deed, global);
        if (global && atomic)
            m_orders.atomic(access.address, deed.item / m_numbers, deed.item, ++m_epoch, m_global.ordered_until());
    }

    void add_race(const Race &race, const Access &access, const Deed &deed, bool global) {
        const bool ordered =
            global && !race.within_group && m_orders.come_before(race.earlier.item / m_numbers, race.earlier);
        const Kind kind = race.same_value ? Kind::SameValue : ordered ? Kind::OnlyAtomics : Kind::Race;
        Finding finding = finding_of(kind, access);
        finding.second = deed;
        finding.has_second = true;
        finding.first.code = &m_scene.code().instruction(race.earlier.site - 1);
        finding.first.access = name_of(race.manner);
        finding.first.item = race.earlier.item;
        finding.within_group = race.within_group;
        finding.wrong_fence = race.within_group && race.earlier.epoch < m_last_barrier;
        m_findings.add(finding);
    }
};

} // namespace

std::unique_ptr<oclgrind::Plugin> new_checker(const oclgrind::Context *context, int descriptor) {
    return std::make_unique<Checker>(context, descriptor);
}

} // namespace check
