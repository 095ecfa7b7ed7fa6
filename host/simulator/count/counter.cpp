// Oclgrind calls the plugin from its worker threads, each of which runs one work-group at a time.
#include "counter.h"

#include "../copies.h"
#include "../names.h"
#include "group.h"
#include "report.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/CommandLine.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace count {

static thread_local std::unique_ptr<Group> current;
static thread_local Copies copies; // of the same group

// The number of a work-item in its group, the first dimension fastest: neighbours there are neighbours in a warp.
static size_t place_of(const oclgrind::WorkItem &item) {
    const oclgrind::Size3 size = item.getWorkGroup()->getGroupSize(), id = item.getLocalID();
    return id.x + size.x * (id.y + size.y * id.z);
}

namespace {
class Counter final : public oclgrind::Plugin {
  public:
    Counter(const oclgrind::Context *context, int descriptor) : oclgrind::Plugin(context), m_stream(descriptor) {}

    bool isThreadSafe() const override {
        return true;
    }

    void kernelBegin(const oclgrind::KernelInvocation *invocation) override {
        m_invocation = invocation;
        m_code = std::make_unique<Code>(*invocation->getKernel()->getFunction()->getParent());
        m_workers.clear();
        m_begun = std::chrono::steady_clock::now();
        m_done = 0;
        m_told = -1;
        m_stream.write_line(report_simulated(*invocation, 0)); // who waits, or ends it, knows where it is
    }

    void kernelEnd(const oclgrind::KernelInvocation *invocation) override {
        Totals all;
        for (const auto &each : m_workers)
            all.add(*each.second);
        m_stream.write_text(*invocation);
        m_stream.write_line(report(*invocation, *m_code, all));
    }

    void workGroupBegin(const oclgrind::WorkGroup *group) override {
        const oclgrind::Size3 size = group->getGroupSize();
        const oclgrind::Size3 id = group->getGroupID(), groups = m_invocation->getNumGroups();
        current = std::make_unique<Group>(*m_code, totals_of_thread(), size.x * size.y * size.z,
                                          id.x + groups.x * (id.y + groups.y * id.z));
        copies = Copies();
    }

    void workGroupBarrier(const oclgrind::WorkGroup *, uint32_t) override {
        current->flush();
        copies.passed();
    }

    void workGroupComplete(const oclgrind::WorkGroup *) override {
        current->finish();
        current.reset();
        tell_progress(++m_done);
    }

    void instructionExecuted(const oclgrind::WorkItem *item, const llvm::Instruction *instruction,
                             const oclgrind::TypedValue &result) override {
        const Instruction &it = current->executed(place_of(*item), instruction);
        if (it.by_group) copies.add(*item, *instruction, result, {}, {});
    }

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address,
                    size_t size) override {
        access(memory, item, Access::Load, address, size);
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, size_t address, size_t size,
                     const uint8_t *) override {
        access(memory, item, Access::Store, address, size);
    }

    void memoryLoad(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, size_t address,
                    size_t size) override {
        copy(memory, group, Access::Load, address, size);
    }

    void memoryStore(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, size_t address, size_t size,
                     const uint8_t *) override {
        copy(memory, group, Access::Store, address, size);
    }

    // An atomic operation loads and stores; it is one access here.
    void memoryAtomicLoad(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, oclgrind::AtomicOp,
                          size_t address, size_t size) override {
        access(memory, item, Access::Atomic, address, size);
    }

    // Faults that do not change what is counted, such as an index beyond its own dimension of an array.
    void log(oclgrind::MessageType type, const char *message) override {
        if (type != oclgrind::ERROR || m_complained.exchange(true)) return;
        while (*message == '\n')
            message++;
        m_stream.write_line(report_complaint(std::string(message, strcspn(message, "\n"))));
    }

  private:
    Stream m_stream;
    std::atomic<bool> m_complained{false};
    std::chrono::steady_clock::time_point m_begun; // of the launch
    std::atomic<uint64_t> m_done{0};               // groups
    std::atomic<int64_t> m_told{0};                // at which second
    const oclgrind::KernelInvocation *m_invocation = nullptr;
    std::unique_ptr<Code> m_code;
    std::mutex m_mutex;
    std::map<int, std::unique_ptr<Totals>> m_workers;

    static int worker_of_thread() {
        static std::atomic<int> count(0);
        static thread_local const int number = count++;
        return number;
    }

    Totals &totals_of_thread() {
        const std::lock_guard<std::mutex> lock(m_mutex);
        std::unique_ptr<Totals> &totals = m_workers[worker_of_thread()];
        if (!totals) {
            totals = std::make_unique<Totals>();
            totals->executed.resize(m_code->instructions());
        }
        return *totals;
    }

    static Target target_of(const oclgrind::Memory &memory, size_t address, size_t size) {
        return {static_cast<Space>(memory.getAddressSpace()), static_cast<int>(memory.extractBuffer(address)),
                address, memory.extractOffset(address), static_cast<uint32_t>(size)};
    }

    // Once a second.
    void tell_progress(uint64_t done) {
        const auto passed = std::chrono::steady_clock::now() - m_begun;
        const int64_t second = std::chrono::duration_cast<std::chrono::seconds>(passed).count();
        int64_t told = m_told;
        if (second > told && m_told.compare_exchange_strong(told, second))
            m_stream.write_line(report_simulated(*m_invocation, done));
    }

    // Has no place in any sum, and what the kernel does from then on is not what it was written for: the process
    // ends, before Oclgrind writes what it sees. Other threads wait for the lock until it has.
    [[noreturn]] void stop_outside(const llvm::Instruction *at, Access access) {
        m_mutex.lock();
        m_stream.write_text(*m_invocation);
        m_stream.write_line(report_outside(*m_invocation, m_code->instruction(at), access));
        std::_Exit(1);
    }

    void access(const oclgrind::Memory *memory, const oclgrind::WorkItem *item, Access access, size_t address,
                size_t size) {
        if (size == 0) return;
        if (!memory->isAddressValid(address, size)) stop_outside(item->getCurrentInstruction(), access);
        current->access(place_of(*item), item->getCurrentInstruction(), access, target_of(*memory, address, size));
    }

    void copy(const oclgrind::Memory *memory, const oclgrind::WorkGroup *group, Access access, size_t address,
              size_t size) {
        const bool global = memory->getAddressSpace() == oclgrind::AddrSpaceGlobal;
        const Copy *copy = copies.next(access == Access::Store, global, address, size);
        const llvm::Instruction *at = copy ? copy->call : group->getCurrentBarrier();
        if (!at || size == 0) return;
        if (!memory->isAddressValid(address, size)) stop_outside(at, access);
        current->copy(at, access, target_of(*memory, address, size));
    }
};
} // namespace

// The compiler would load a vector's elements one by one where they are used apart, and compute with whole vectors
// what the source computes with elements of them. A device's own compiler leaves the accesses as they are written.
static void keep_vectors() {
    const auto &options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("disable-vector-combine");
    if (found != options.end() && found->second->getNumOccurrences() == 0) // other contexts: once is enough
        (void)found->second->addOccurrence(0, found->first(), "true");
}

std::unique_ptr<oclgrind::Plugin> new_counter(const oclgrind::Context *context, int descriptor) {
    keep_vectors();
    return std::make_unique<Counter>(context, descriptor);
}

} // namespace count
