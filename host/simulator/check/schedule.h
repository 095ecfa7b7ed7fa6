// In which order work-items run. Oclgrind runs a group's work-items one after the other up to a barrier, and the
// groups likewise; OpenCL allows any order. A schedule goes to another work-item of the group after each atomic
// function, and begins groups in another order. Its number is the seed, so that it can be repeated; 0 is Oclgrind's
// own order.
//
// In each schedule, a work-item that asks for one place over and over waits for others: they go on.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace oclgrind {
class KernelInvocation;
class WorkGroup;
class WorkItem;
} // namespace oclgrind

namespace check {

class Schedule {
  public:
    explicit Schedule(uint32_t number);
    void begin_launch(const oclgrind::KernelInvocation &invocation);
    void begin_group(const oclgrind::WorkGroup &group);
    void end_group(const oclgrind::WorkGroup &group);
    // A work-item reads memory that others can write.
    void read(const oclgrind::WorkItem &item, uint64_t address, bool atomic);
    // It has executed an instruction, and so may stop.
    void executed(const oclgrind::WorkItem &item);
    bool has_atomics() const;

  private:
    const uint32_t m_number;
    const oclgrind::KernelInvocation *m_invocation = nullptr;
    uint32_t m_random = 0;
    bool m_atomic = false, m_atomics = false; // now, and in this launch
    bool m_whole = true;                      // all groups have the same size
    bool m_beginning = false;                 // several groups, of which this is one
    std::vector<size_t> m_order;              // of groups that have not begun
    std::unordered_set<size_t> m_begun;
    std::vector<const oclgrind::WorkGroup *> m_groups; // that run
    // Who asked last, where, and how often since.
    const oclgrind::WorkItem *m_asking = nullptr;
    uint64_t m_asked = 0;
    uint32_t m_times = 0, m_waits = 0;

    uint32_t random(uint32_t below);
    void shuffle();
    size_t number_of(const oclgrind::WorkGroup &group) const;
    bool next_group(size_t &group_out);
    void go_to(const oclgrind::WorkItem &item);
    void wait(const oclgrind::WorkItem &item);
    void another_group(const oclgrind::WorkGroup &group);
};

} // namespace check
