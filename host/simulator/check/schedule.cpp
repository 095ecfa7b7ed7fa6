#include "schedule.h"

#include "../oclgrind.h"

#include <algorithm>

namespace check {

// Groups that are begun together, and how often a work-item asks in vain, by atomic functions or else, before
// others go on.
enum { Together = 8, Patience = 1000, LongPatience = 100000 };

Schedule::Schedule(uint32_t number) : m_number(number) {}

uint32_t Schedule::random(uint32_t below) {
    m_random = m_random * 1103515245U + 12345U;
    return (m_random >> 16) % below;
}

bool Schedule::has_atomics() const {
    return m_atomics;
}

// ---- groups ----

size_t Schedule::number_of(const oclgrind::WorkGroup &group) const {
    const oclgrind::Size3 groups = m_invocation->getNumGroups(), id = group.getGroupID();
    return id.x + groups.x * (id.y + groups.y * id.z);
}

// The next group is at the end. The first schedule takes them backwards: of two, the last one first.
void Schedule::shuffle() {
    std::reverse(m_order.begin(), m_order.end());
    for (size_t i = m_order.size(); m_number > 1 && i > 1; i--)
        std::swap(m_order[i - 1], m_order[random(static_cast<uint32_t>(i))]);
}

void Schedule::begin_launch(const oclgrind::KernelInvocation &invocation) {
    const oclgrind::Size3 groups = invocation.getNumGroups(), size = invocation.getGlobalSize();
    const oclgrind::Size3 by = invocation.getLocalSize();
    m_invocation = &invocation;
    m_random = m_number;
    m_atomic = m_atomics = m_beginning = false;
    m_whole = size.x % by.x == 0 && size.y % by.y == 0 && size.z % by.z == 0;
    m_begun.clear();
    m_groups.clear();
    m_asking = nullptr;
    m_order.resize(groups.x * groups.y * groups.z);
    for (size_t i = 0; i < m_order.size(); i++)
        m_order[i] = m_order.size() - 1 - i;
    if (m_number > 0) shuffle();
}

bool Schedule::next_group(size_t &group_out) {
    while (!m_order.empty()) {
        group_out = m_order.back();
        m_order.pop_back();
        if (!m_begun.count(group_out)) return true;
    }
    return false;
}

// Oclgrind allows plugins to say which work-item is next, though it gives them a constant launch.
static bool switch_to(const oclgrind::KernelInvocation &invocation, const oclgrind::Size3 &group,
                      const oclgrind::Size3 &local) {
    const oclgrind::Size3 size = invocation.getLocalSize();
    return const_cast<oclgrind::KernelInvocation &>(invocation)
        .switchWorkItem({group.x * size.x + local.x, group.y * size.y + local.y, group.z * size.z + local.z});
}

void Schedule::begin_group(const oclgrind::WorkGroup &group) {
    m_begun.insert(number_of(group));
    m_groups.push_back(&group);
    if (m_number == 0 || !m_whole || m_beginning) return;
    m_beginning = true;
    size_t next = 0;
    for (int i = 1; i < Together && next_group(next); i++)
        (void)switch_to(*m_invocation, {next, m_invocation->getNumGroups()}, {0, 0, 0});
    m_beginning = false;
}

void Schedule::end_group(const oclgrind::WorkGroup &group) {
    m_groups.erase(std::remove(m_groups.begin(), m_groups.end(), &group), m_groups.end());
    m_asking = nullptr;
}

// ---- work-items ----

static std::vector<const oclgrind::WorkItem *> ready_in(const oclgrind::WorkGroup &group) {
    const oclgrind::Size3 size = group.getGroupSize();
    std::vector<const oclgrind::WorkItem *> ready;
    for (size_t z = 0; z < size.z; z++)
        for (size_t y = 0; y < size.y; y++)
            for (size_t x = 0; x < size.x; x++) {
                const oclgrind::WorkItem *item = group.getWorkItem({x, y, z});
                if (item->getState() == oclgrind::WorkItem::READY) ready.push_back(item);
            }
    return ready;
}

void Schedule::go_to(const oclgrind::WorkItem &item) {
    (void)switch_to(*m_invocation, item.getWorkGroup()->getGroupID(), item.getLocalID());
}

void Schedule::read(const oclgrind::WorkItem &item, uint64_t address, bool atomic) {
    const bool again = &item == m_asking && address == m_asked;
    m_times = again ? m_times + 1 : 0;
    m_asking = &item;
    m_asked = address;
    m_atomic = m_atomic || atomic;
    m_atomics = m_atomics || atomic;
}

void Schedule::executed(const oclgrind::WorkItem &item) {
    const bool atomic = m_atomic;
    m_atomic = false;
    if (m_times >= (atomic ? Patience : LongPatience))
        wait(item);
    else if (atomic && m_number > 0) {
        const auto ready = ready_in(*item.getWorkGroup());
        if (!ready.empty()) go_to(*ready[random(static_cast<uint32_t>(ready.size()))]);
    }
}

// The next work-item of the group goes on; when all have waited, another group.
void Schedule::wait(const oclgrind::WorkItem &item) {
    const auto ready = ready_in(*item.getWorkGroup());
    const auto own = std::find(ready.begin(), ready.end(), &item);
    m_times = 0;
    m_asking = nullptr;
    if (own == ready.end()) return;
    if (++m_waits > ready.size()) {
        m_waits = 0;
        another_group(*item.getWorkGroup());
    } else if (ready.size() > 1) {
        go_to(*ready[static_cast<size_t>(own - ready.begin() + 1) % ready.size()]);
    }
}

void Schedule::another_group(const oclgrind::WorkGroup &group) {
    size_t next = 0;
    if (!m_whole) return;
    if (next_group(next)) {
        m_beginning = true;
        (void)switch_to(*m_invocation, {next, m_invocation->getNumGroups()}, {0, 0, 0});
        m_beginning = false;
        return;
    }
    const auto own = std::find(m_groups.begin(), m_groups.end(), &group);
    const size_t place = static_cast<size_t>(own - m_groups.begin());
    for (size_t i = 1; i < m_groups.size(); i++) {
        const auto ready = ready_in(*m_groups[(place + i) % m_groups.size()]);
        if (ready.empty()) continue;
        go_to(*ready[0]);
        return;
    }
}

} // namespace check
