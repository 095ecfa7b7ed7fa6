// Who touched which memory, and which of these touches nothing puts in order.
//
// Oclgrind runs work-groups one after the other, and a group's work-items one after the other up to a barrier. Two
// touches of one byte by different work-items race, if one of them writes, unless a barrier that orders this memory
// lies between them and both are of one group, or both are atomic. In which order they happened to run does not
// matter. wait_group_events is no barrier: it puts the group's copies in order, not what work-items touch.
//
// Of each byte only some touches are kept: the first two and the last of different work-items of the running group,
// and two of different groups. More are not needed to see that a later touch races with one of them.
#pragma once
#include "../copies.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace check {

using simulator::Since;

enum class Manner : uint8_t { Load = 0, Store = 1, AtomicLoad = 2, AtomicStore = 3 };

struct Touch {
    uint32_t item;      // the number of its group by the numbers in a group, and its own there
    uint32_t site : 31; // the instruction's number and 1; 0: no touch
    uint32_t own : 1;   // a read of what the work-item has stored there itself
    uint32_t epoch;     // how many barriers and atomic operations there were before
    uint32_t value;     // that was written or read
};

struct Race {
    Touch earlier;
    Manner manner;     // of the earlier touch
    bool within_group; // both are of one group
    bool same_value;   // both store, and the same; or one reads its own value, and the other stores the same
};

class Races {
  public:
    // A launch begins, or for local memory a group. numbers: in a group, one of them for the group as a whole.
    void begin(uint32_t numbers);
    // A barrier orders this memory within the group that runs. without: work-items of it that gave no such fence
    void pass(uint32_t epoch, uint32_t group, const std::vector<uint32_t> &without);
    // The group that runs has waited for copies.
    void wait(uint32_t epoch);
    // Another group goes on, whose touches are ordered until then.
    void order(Since since);
    Since since() const;
    // Adds a touch, and gives the races with earlier ones, one for each pair of manners. data: what a store writes;
    // there: what is in memory now. begun: of a copy by the group, since() when it began: what others of the
    // group touched from then on races with it, barriers or not; else null
    void touch(std::vector<Race> &races_out, uint64_t address, size_t size, Manner manner, Touch touch,
               const uint8_t *data, const uint8_t *there, const Since *begun);

  private:
    enum { Own = 3, Others = 2, PageBytes = 1024 };
    struct Touches {
        Touch own[Own];       // of the group that runs, since the last barrier
        Touch others[Others]; // of different groups
    };
    struct Cell {
        Touches plain[2];
        uint32_t last_item = UINT32_MAX, last_value = 0; // the last plain store
        std::unique_ptr<Touches[]> atomic;               // seldom there: two, too
    };
    // The cells of some memory: each of a word, or of a byte where somebody touched parts of words.
    struct Page {
        uint32_t unit = 4;
        std::vector<Cell> cells;
    };

    std::unordered_map<uint64_t, Page> m_pages;
    uint32_t m_numbers = 1;
    Since m_since = {0, 0};
    std::unordered_map<uint32_t, uint32_t> m_late; // work-items whose touches are ordered only until then

    bool is_copy(const Touch &touch) const;
    uint32_t ordered(const Touch &touch) const;
    Page &page_at(uint64_t address);
    static void split(Page &page);
    static Touches *touches(Cell &cell, size_t manner, bool make);
    static bool is_same(Manner manner, const Touch &touch, Manner other, const Touch &earlier);
    void compare(std::vector<Race> &races_out, Cell &cell, Manner manner, const Touch &touch,
                 const Since *begun) const;
    void keep(Touches &touches, Touch touch) const;
};

// Which groups' touches atomic operations on global memory put in order: a group that stored, then passed a barrier
// or a fence, and then changed a variable atomically, comes before a group that later looked at that variable by an
// atomic function. One whose value nobody uses looks at nothing. A fence is for the work-item that gives it alone.
// Only OpenCL 2.0's atomics with memory orders promise this, but older programs rely on it too.
enum class Order : uint8_t { None, Unfenced, Before }; // Unfenced: what is missing is the barrier or the fence

class Orders {
  public:
    void begin_launch();
    void end_group(uint32_t group);
    void atomic(uint64_t address, uint32_t group, uint32_t item, uint32_t epoch, uint32_t ordered_until,
                bool looks);
    // A work-item gives a fence for global memory.
    void fence(uint32_t item, uint32_t epoch);
    // Whether an earlier touch by a group comes before what another one does now.
    Order order(uint32_t group, const Touch &earlier, uint32_t now) const;

  private:
    struct Release {
        uint32_t item, epoch, ordered_until, fenced; // ordered_until: by the group; fenced: by itself
    };
    using Releases = std::vector<Release>;                                           // of one group, as they came
    std::unordered_map<uint64_t, std::unordered_map<uint32_t, Releases>> m_releases; // by address and group
    std::unordered_map<uint32_t, std::map<uint64_t, uint32_t>> m_acquired; // by group and address: when last
    std::unordered_map<uint32_t, uint32_t> m_fences;                       // by work-item: when last
};

} // namespace check
