// One work-group while it runs: matches what its work-items do, so that the requests of its warps can be counted.
//
// Oclgrind runs a group's work-items one after the other, up to a barrier or the end. A warp runs them together, so
// an access of one work-item belongs to the accesses of its neighbours by the same instruction, in the same
// iteration of the loops around it, below the same calls. Those are the key here, not the order in which accesses
// arrive.
#pragma once
#include "../path.h"
#include "totals.h"

namespace count {

// Slots by a place in the code and a key of iterations. Work-items of a warp mostly ask for the same slots in the
// same order, so each of them tries the slot after its last one first.
template <typename Slot> class Table {
  public:
    Slot &at(size_t &cursor, uint64_t place, uint64_t key) {
        if (cursor < m_slots.size() && m_slots[cursor].place == place && m_slots[cursor].key == key)
            return m_slots[cursor++];
        const auto found = m_index.emplace(std::make_pair(place, key), m_slots.size());
        if (found.second) {
            m_slots.emplace_back();
            m_slots.back().place = place;
            m_slots.back().key = key;
        }
        cursor = found.first->second + 1;
        return m_slots[cursor - 1];
    }
    const std::vector<Slot> &slots() const {
        return m_slots;
    }
    void clear() {
        m_slots.clear();
        m_index.clear();
    }

  private:
    struct Hash {
        size_t operator()(const std::pair<uint64_t, uint64_t> &of) const {
            return of.first * 0x9E3779B97F4A7C15U ^ of.second;
        }
    };
    std::vector<Slot> m_slots;
    std::unordered_map<std::pair<uint64_t, uint64_t>, size_t, Hash> m_index;
};

// A block that lanes ran, or the branch at its end.
struct BlockSlot {
    uint64_t place = 0, key = 0, lanes = 0;
    const Block *block = nullptr;
    uint32_t next[2] = {0, 0};         // the block after a branch, of the first lane of each half
    bool diverged[2] = {false, false}; // whether another lane of that half went elsewhere
};

// An access by some lanes. Their addresses lie together in Unit::addresses.
struct AccessSlot {
    uint64_t place = 0, key = 0, lanes = 0;
    Site site = {0, Access::Load, 0};
    uint32_t bytes = 0;
    int object = -1;  // the first lane's
    size_t first = 0; // in Unit::addresses; of lane 0
    bool placed = false;
};

// A call that a work-item is in.
struct Frame : Path {
    size_t next = 0; // the instruction that comes next in the block
};

struct Lane {
    std::vector<Frame> frames;
    const Instruction *current = nullptr; // it is being executed
    uint32_t parts[3] = {0, 0, 0};        // its accesses so far, by kind
    size_t block_cursor = 0, access_cursor = 0;
};

// 64 lanes: a wavefront, or two warps.
struct Unit {
    size_t lanes = 0;
    Table<BlockSlot> blocks;
    Table<AccessSlot> accesses;
    std::vector<uint64_t> addresses;
};

// Where an access goes. The object is a buffer, or an array in local memory.
struct Target {
    Space space;
    int object;
    uint64_t address, offset;
    uint32_t bytes;
};

class Group {
  public:
    // number: the group's in its launch.
    Group(const Code &code, Totals &totals, size_t items, uint64_t number);
    // A work-item accesses memory in an instruction that is being executed.
    void access(size_t item, const llvm::Instruction *instruction, Access access, const Target &target);
    // The group as a whole copies an element: async_work_group_copy.
    void copy(const llvm::Instruction *instruction, Access access, const Target &target);
    // A work-item executed an instruction.
    const Instruction &executed(size_t item, const llvm::Instruction *instruction);
    // All work-items arrived at a barrier, or at the end.
    void flush();
    void finish();

  private:
    const Code &m_code;
    Totals &m_totals;
    std::vector<Lane> m_lanes;
    std::vector<Unit> m_units;
    std::unordered_set<uint64_t> m_read, m_written; // distinct sectors, of this group
    std::map<uint64_t, int> m_sector_buffers;       // by a sector's high part
    std::map<Site, std::vector<Span>> m_copies;     // elements that make no whole request yet
    uint64_t m_number;

    const Instruction &arrive(size_t item, const llvm::Instruction *instruction);
    void enter(size_t item, const Block &block);
    void add(size_t item, const Instruction &it, Access access, const Target &target);
    void leave(size_t item, const Block &to);
    Traffic &note(const Site &site, const Instruction &it, const Target &target);
    void count_lanes(Traffic &traffic, const Site &site, const std::vector<Span> &spans);
    void move(const std::vector<uint64_t> &sectors, Access access);
    void count_block(const BlockSlot &slot);
    void count_branch(const BlockSlot &slot);
    void count_access(const Unit &unit, const AccessSlot &slot);
    void keep_pictures(Pictures &to, const Unit &unit, const AccessSlot &slot) const;
};

} // namespace count
