#include "checker.h"

#include "arithmetic.h"
#include "divergence.h"
#include "fields.h"
#include "findings.h"
#include "forbidden.h"
#include "guesses.h"
#include "images.h"
#include "messages.h"
#include "parts.h"
#include "races.h"
#include "schedule.h"
#include "unwritten.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <cstring>
#include <mutex>

namespace check {

enum { LocalFence = 1, GlobalFence = 2 }; // CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE

namespace {

// The piece of memory that the host has mapped.
struct Mapping {
    uint64_t address, size;
    const void *pointer;
    bool writes;
};

// What is known of a group that runs.
struct Group {
    Races local;
    Copies copies;
    Since global = {0, 0};                    // of its global memory
    uint32_t last_barrier = 0, last_wait = 0; // any barrier; the last wait for copies
};

class Checker final : public oclgrind::Plugin {
  public:
    Checker(const oclgrind::Context *context, int descriptor, uint32_t schedule, const char *tried)
        : oclgrind::Plugin(context), m_findings(descriptor), m_unwritten(m_scene, m_places, m_findings),
          m_reach(m_scene, m_findings), m_divergence(m_scene, m_findings, m_reach), m_schedule(schedule),
          m_guesses(m_scene, m_places, m_findings, tried), m_fields(m_scene, m_places, m_findings) {}

    // One work-group at a time: races are seen all the same, since no order of theirs is taken for granted.
    bool isThreadSafe() const override {
        return false;
    }

    // ---- launches and groups ----

    void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
        const oclgrind::Size3 size = invocation->getLocalSize();
        m_numbers = static_cast<uint32_t>(size.x * size.y * size.z) + 1;
        m_scene.begin(*invocation, m_numbers);
        m_reach.begin_launch();
        m_divergence.begin_launch();
        m_parts = Parts(); // of another program, perhaps
        m_epoch = 1;
        m_places.begin(*invocation);
        m_global.begin(m_numbers);
        m_orders.begin_launch();
        m_groups.clear();
        m_last = nullptr;
        m_schedule.begin_launch(*invocation);
        m_guesses.begin_launch();
        m_fields.begin_launch();
        m_findings.begin(*invocation, m_numbers);
        find_forbidden(m_scene, m_findings);
    }

    void kernelEnd(const oclgrind::KernelInvocation *) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_unwritten.end_launch(*m_context->getGlobalMemory());
        m_guesses.end_launch();
        m_reach.end_launch();
        m_findings.end(m_schedule.has_atomics(), m_has_counters);
        m_has_counters = false;
        m_scene.end();
    }

    // A schedule may begin others at once.
    void workGroupBegin(const oclgrind::WorkGroup *group) override {
        Group &its = m_groups[group];
        its.local.begin(m_numbers);
        its.last_barrier = ++m_epoch;
        its.global = {m_epoch, m_epoch};
        m_schedule.begin_group(*group);
    }

    void workGroupBarrier(const oclgrind::WorkGroup *group, uint32_t flags) override {
        run(*group);
        m_divergence.passed(*group);
        m_epoch++;
        m_running->copies.passed();
        if (waits_for_copies(*group)) {
            m_running->last_wait = m_epoch;
            m_running->local.wait(m_epoch);
            m_global.wait(m_epoch);
        } else {
            m_running->last_barrier = m_epoch;
            order(m_running->local, *group, flags, LocalFence);
            order(m_global, *group, flags, GlobalFence);
        }
        m_running->global = m_global.since();
    }

    void workItemComplete(const oclgrind::WorkItem *item) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_unwritten.end_item(*item);
        m_divergence.end_item(*item);
        m_guesses.end_item(*item);
        m_fields.end_item(*item);
    }

    void workGroupComplete(const oclgrind::WorkGroup *group) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_unwritten.end_group(*group);
        m_orders.end_group(m_scene.number_of(*group, nullptr) / m_numbers);
        m_schedule.end_group(*group);
        m_groups.erase(group);
        m_last = nullptr;
    }

    // ---- memory that comes and goes ----
    //
    // The host's calls come from its own threads, while a launch may run. What is freed stays known until its place
    // is taken: Oclgrind tells of the end of memory after the same place may have been given away again.

    void memoryAllocated(const oclgrind::Memory *memory, size_t address, size_t size, cl_mem_flags flags,
                         const uint8_t *data) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_unwritten.allocated(*memory, address, size, data || flags & CL_MEM_COPY_HOST_PTR);
    }

    void hostMemoryStore(const oclgrind::Memory *memory, size_t address, size_t size, const uint8_t *) override {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_unwritten.wrote(*memory, address, size);
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
            if (each->writes) m_unwritten.wrote(*memory, each->address, each->size);
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
        copy({memory, group, nullptr, Manner::Load, address, size, nullptr});
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, size_t address, size_t size,
                     const uint8_t *data) override {
        copy({memory, group, nullptr, Manner::Store, address, size, data});
    }

    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp op,
                          size_t address, size_t size) override {
        check({memory, item->getWorkGroup(), item, Manner::AtomicLoad, address, size, nullptr,
               op == oclgrind::AtomicXchg});
    }

    void memoryAtomicStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp,
                           size_t address, size_t size) override {
        check({memory, item->getWorkGroup(), item, Manner::AtomicStore, address, size, nullptr});
    }

    // ---- instructions ----

    void instructionExecuted(const oclgrind::WorkItem *item, const llvm::Instruction *instruction,
                             const oclgrind::TypedValue &result) override {
        if (m_outside) read_outside(result);
        m_reach.executed(*instruction);
        m_divergence.executed(*item, *instruction);
        if (const auto *call = llvm::dyn_cast<llvm::CallInst>(instruction)) called(*item, *call, result);
        if (m_unwritten.concerns(*item, *instruction)) {
            const std::lock_guard<std::mutex> lock(m_mutex);
            m_unwritten.executed(*item, *instruction, result);
        }
        m_guesses.executed(*item, *instruction, result);
        m_fields.executed(*item, *instruction, result);
        if (is_arithmetic(*instruction)) check_arithmetic(*item, *instruction, result);
        m_schedule.executed(*item);
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
    Races m_global;
    std::unordered_map<const oclgrind::WorkGroup *, Group> m_groups; // that have begun
    const oclgrind::WorkGroup *m_last = nullptr;                     // whose access was the last
    Group *m_running = nullptr;                                      // the same
    Orders m_orders;
    bool m_has_counters = false; // the launch uses values that atomic functions gave
    Scene m_scene;
    Unwritten m_unwritten;
    Reach m_reach;
    Divergence m_divergence;
    Parts m_parts;
    Schedule m_schedule;
    Guesses m_guesses;
    Fields m_fields;
    std::vector<Mapping> m_mappings;
    std::vector<Race> m_races;
    std::mutex m_mutex; // of what the host's calls change, too
    uint32_t m_numbers = 1, m_epoch = 0;
    bool m_outside = false; // the instruction has read what is no memory

    // Oclgrind leaves the result open then, so that it differs between work-items and runs: now it is 0.
    void read_outside(const oclgrind::TypedValue &result) {
        m_outside = false;
        if (result.data) memset(result.data, 0, size_t{result.size} * result.num);
    }

    void check_arithmetic(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                          const oclgrind::TypedValue &result) {
        note_arithmetic(item, instruction, result, m_scene, m_findings);
        const Doubt doubt = undefined_in(item, instruction, result, m_scene);
        if (!doubt.lanes.empty()) m_unwritten.doubt(item, instruction, result, doubt);
    }

    // ---- barriers ----

    static bool waits_for_copies(const oclgrind::WorkGroup &group) {
        const auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(group.getCurrentBarrier());
        return call && called_by(*call) == "wait_group_events";
    }

    // Work-items of a group whose barrier gives another fence than one of them gave.
    static std::vector<uint32_t> without(const oclgrind::WorkGroup &group, uint32_t fence, const Scene &scene) {
        std::vector<uint32_t> list;
        const auto *call = llvm::dyn_cast_or_null<llvm::CallInst>(group.getCurrentBarrier());
        const bool varies = call && call->arg_size() > 0 && call->getArgOperand(0)->getType()->isIntegerTy() &&
                            !llvm::isa<llvm::Constant>(call->getArgOperand(0));
        const oclgrind::Size3 size = group.getGroupSize();
        for (size_t i = 0; varies && i < size.x * size.y * size.z; i++) {
            const oclgrind::WorkItem *item = group.getWorkItem(oclgrind::Size3(i, size));
            if (item->getState() == oclgrind::WorkItem::FINISHED) continue;
            if (!(item->getOperand(call->getArgOperand(0)).getUInt() & fence))
                list.push_back(scene.number_of(group, item));
        }
        return list;
    }

    // The barrier orders a memory, if it has its fence, which may be another for each work-item.
    void order(Races &races, const oclgrind::WorkGroup &group, uint32_t flags, uint32_t fence) {
        const std::vector<uint32_t> open = without(group, fence, m_scene);
        if (open.empty() ? !(flags & fence) : open.size() == m_numbers - 1) return;
        races.pass(m_epoch, m_scene.number_of(group, nullptr) / m_numbers, open);
    }

    // ---- calls ----

    void called(const oclgrind::WorkItem &item, const llvm::CallInst &call, const oclgrind::TypedValue &result) {
        const Instruction &it = *m_scene.code_of(&call);
        if (it.by_group) begin_copy(item, call, result);
        if (it.fences && item.getOperand(call.getArgOperand(0)).getUInt() & GlobalFence)
            m_orders.fence(m_scene.number_of(*item.getWorkGroup(), &item), ++m_epoch);
        if (it.space != Space::Image || !reads_image(call)) return;
        const oclgrind::Memory *memory = m_context->getGlobalMemory();
        (void)check_image({memory, item.getWorkGroup(), &item, Manner::Load, 0, 1, nullptr});
    }

    // Whether a work-item reads or writes a pixel outside its image, though perhaps one of the same memory.
    bool check_image(Access access) {
        const auto &call = llvm::cast<llvm::CallInst>(*instruction_of(access));
        const Coordinate outside = outside_image(*access.item, call);
        if (outside.limit == 0) return false;
        access.address = address_of_image(*access.item, call);
        Finding finding = finding_of(Kind::Bounds, access, m_scene, m_places);
        finding.index = outside.index;
        finding.limit = outside.limit;
        m_findings.add(finding);
        return true;
    }

    // ---- copies by the group ----

    void begin_copy(const oclgrind::WorkItem &item, const llvm::Instruction &call,
                    const oclgrind::TypedValue &event) {
        run(*item.getWorkGroup());
        m_running->copies.add(item, call, event, m_running->local.since(), m_global.since());
    }

    void copy(Access access) {
        if (!m_scene.running()) return;
        run(*access.group);
        const bool global = access.memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
        access.copy = m_running->copies.next(writes(access.manner), global, access.address, access.size);
        check(access);
    }

    // ---- one access ----

    // The group that goes on may be another than before.
    void run(const oclgrind::WorkGroup &group) {
        if (&group == m_last) return;
        m_last = &group;
        m_running = &m_groups[&group];
        m_global.order(m_running->global);
    }

    void check(const Access &access) {
        if (access.size == 0 || !m_scene.running()) return;
        const std::lock_guard<std::mutex> lock(m_mutex);
        const uint32_t space = access.memory->getAddressSpace();
        run(*access.group);
        const llvm::Instruction *call = access.item ? access.item->getCurrentInstruction() : nullptr;
        if (writes(access.manner) && call && writes_image(*call) && check_image(access)) return;
        if (!access.memory->isAddressValid(access.address, access.size)) {
            m_outside = access.item && !writes(access.manner);
            add(Kind::Bounds, access);
            return;
        }
        if (space == oclgrind::AddrSpaceGlobal) check_use(access);
        m_unwritten.access(access);
        m_fields.access(access);
        m_guesses.access(access, (space == oclgrind::AddrSpaceLocal ? m_running->local : m_global).since().items);
        if (space == oclgrind::AddrSpaceGlobal) check_race(m_global, access);
        if (space == oclgrind::AddrSpaceLocal) check_race(m_running->local, access);
        if (space != oclgrind::AddrSpacePrivate && access.item && !writes(access.manner))
            m_schedule.read(*access.item, access.address, access.manner == Manner::AtomicLoad);
    }

    void add(Kind kind, const Access &access) {
        m_findings.add(finding_of(kind, access, m_scene, m_places));
    }

    // Whether the host allows the kernel this access.
    void check_use(const Access &access) {
        const cl_mem_flags flags = access.memory->getBuffer(access.address)->flags;
        if (writes(access.manner) && flags & CL_MEM_READ_ONLY) add(Kind::ReadOnly, access);
        if (!writes(access.manner) && flags & CL_MEM_WRITE_ONLY) add(Kind::WriteOnly, access);
        for (const Mapping &each : m_mappings)
            if ((each.writes || writes(access.manner)) && access.address < each.address + each.size &&
                each.address < access.address + access.size)
                add(Kind::Mapped, access);
    }

    // ---- races ----

    void check_race(Races &races, const Access &access) {
        const Deed deed = deed_of(access, m_scene);
        const bool global = &races == &m_global, atomic = access.manner >= Manner::AtomicLoad;
        const uint32_t site = (deed.code ? deed.code->id : 0) + 1;
        const Touch touch = {deed.item, site & INT32_MAX, 0, m_epoch, 0};
        const auto *there = static_cast<const uint8_t *>(access.memory->getPointer(access.address));
        m_races.clear();
        for (const Part &part : m_parts.of(instruction_of(access), access.size))
            races.touch(m_races, access.address + part.offset, part.size, access.manner, touch,
                        access.data ? access.data + part.offset : nullptr, there + part.offset,
                        access.copy ? &access.copy->since[global] : nullptr);
        for (const Race &race : m_races)
            add_race(race, access, deed, global);
        const bool looks = atomic && !instruction_of(access)->use_empty();
        m_has_counters = m_has_counters || looks;
        if (global && atomic)
            m_orders.atomic(access.address, deed.item / m_numbers, deed.item, ++m_epoch, m_global.since().items,
                            looks);
    }

    // Whether two places are in one loop, so that they may meet in different turns of it.
    bool share_loop(const Instruction *a, const Instruction *b) const {
        if (!a || !b || a->llvm->getFunction() != b->llvm->getFunction()) return false;
        const auto &of_a = m_scene.code().block(a->llvm->getParent()).loops;
        const auto &of_b = m_scene.code().block(b->llvm->getParent()).loops;
        return !of_a.empty() && !of_b.empty() && of_a.front() == of_b.front();
    }

    void add_race(const Race &race, const Access &access, const Deed &deed, bool global) {
        const bool of_groups = global && !race.within_group;
        const Order order = of_groups
                                ? m_orders.order(race.earlier.item / m_numbers, race.earlier, deed.item / m_numbers)
                                : Order::None;
        const Kind kind = race.same_value          ? Kind::SameValue
                          : order == Order::Before ? Kind::OnlyAtomics
                                                   : Kind::Race;
        Finding finding = finding_of(kind, access, m_scene, m_places);
        finding.second = deed;
        finding.has_second = true;
        finding.first.code = &m_scene.code().instruction(race.earlier.site - 1);
        finding.first.access = name_of(race.manner);
        finding.first.item = race.earlier.item;
        finding.within_group = race.within_group;
        finding.unfenced = order == Order::Unfenced;
        finding.wrong_fence = race.within_group && !access.copy && race.earlier.epoch < m_running->last_barrier;
        const uint32_t last_wait = access.copy ? access.copy->since[global].copies : m_running->last_wait;
        finding.wait_between = race.within_group && race.earlier.epoch < last_wait;
        finding.in_loop = race.within_group && share_loop(finding.first.code, deed.code);
        m_findings.add(finding);
    }
};

} // namespace

std::unique_ptr<oclgrind::Plugin> new_checker(const oclgrind::Context *context, int descriptor, uint32_t schedule,
                                              const char *tried) {
    return std::make_unique<Checker>(context, descriptor, schedule, tried);
}

} // namespace check
