#include "group.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace count {

enum {
    // The most addresses to keep until a barrier, in all: 1 GiB.
    MostAddresses = 1 << 27,
    // The requests of each site that pictures show.
    MostPictures = 8,
    // A work-item alone has nobody to wait for: what it did is counted after so many accesses.
    MostAlone = 4096
};

// Oclgrind's addresses have the number of their buffer in the upper bits.
static const int offset_bits = 48;

Group::Group(const Code &code, Totals &totals, size_t items, uint64_t number)
    : m_code(code), m_totals(totals), m_lanes(items), m_units((items + Wavefront - 1) / Wavefront),
      m_number(number) {
    for (size_t i = 0; i < m_units.size(); i++)
        m_units[i].lanes = std::min<size_t>(Wavefront, items - i * Wavefront);
    totals.items += items;
    totals.groups++;
    totals.warps += (items + Warp - 1) / Warp;
    totals.wavefronts += m_units.size();
}

// ---- following a work-item ----

// The instruction that a work-item executes now. Notices when it comes to another block.
const Instruction &Group::arrive(size_t item, const llvm::Instruction *instruction) {
    Lane &lane = m_lanes[item];
    if (lane.current && lane.current->llvm == instruction) return *lane.current;
    if (lane.frames.empty()) lane.frames.emplace_back();
    Frame &frame = lane.frames.back();
    const Block *block = frame.block;
    if (!block || frame.next >= block->instructions.size() || block->instructions[frame.next].llvm != instruction) {
        block = &m_code.block(instruction->getParent());
        enter(item, *block);
        while (block->instructions[frame.next].llvm != instruction)
            frame.next++;
    }
    lane.current = &block->instructions[frame.next];
    std::fill(std::begin(lane.parts), std::end(lane.parts), 0);
    return *lane.current;
}

void Group::enter(size_t item, const Block &block) {
    Lane &lane = m_lanes[item];
    Frame &frame = lane.frames.back();
    if (frame.block) leave(item, block);
    frame.enter(m_code, block);
    frame.next = 0;
    BlockSlot &slot = m_units[item / Wavefront].blocks.at(lane.block_cursor, uint64_t{block.id} * 2, frame.key);
    slot.block = &block;
    slot.lanes |= uint64_t{1} << item % Wavefront;
}

// Notes which way a work-item takes at the branch that ends its block.
void Group::leave(size_t item, const Block &to) {
    Lane &lane = m_lanes[item];
    const Frame &frame = lane.frames.back();
    if (!frame.block->instructions.back().branch) return;
    BlockSlot &slot =
        m_units[item / Wavefront].blocks.at(lane.block_cursor, uint64_t{frame.block->id} * 2 + 1, frame.key);
    const size_t place = item % Wavefront, half = place / Warp;
    const uint64_t of_half = uint64_t{0xFFFFFFFF} << half * Warp;
    if ((slot.lanes & of_half) == 0)
        slot.next[half] = to.id;
    else if (slot.next[half] != to.id)
        slot.diverged[half] = true;
    slot.lanes |= uint64_t{1} << place;
}

const Instruction &Group::executed(size_t item, const llvm::Instruction *instruction) {
    const Instruction &it = arrive(item, instruction);
    Lane &lane = m_lanes[item];
    Frame &frame = lane.frames.back();
    m_totals.executed[it.id]++;
    lane.current = nullptr;
    frame.next++;
    if (it.calls) {
        Frame below;
        static_cast<Path &>(below) = frame.below(it);
        lane.frames.push_back(below);
    } else if (it.returns && lane.frames.size() > 1) {
        lane.frames.pop_back();
    }
    return it;
}

// What a machine's instructions access of what the simulator accesses at once: a float8 is two.
template <typename Use> static void for_pieces(const Instruction &it, uint32_t bytes, Use use) {
    for (const Piece &each : it.pieces)
        use(each.offset, each.bytes);
    for (uint32_t from = 0; it.pieces.empty() && from < bytes; from += it.widest)
        use(from, std::min(it.widest, bytes - from));
}

// Adds an access to the sums that need no matching.
Traffic &Group::note(const Site &site, const Instruction &it, const Target &target) {
    Traffic &traffic = m_totals.sites[site];
    const bool constant = it.space == Space::Constant && target.space == Space::Global;
    traffic.space = constant ? Space::Constant : it.space == Space::Image ? Space::Image : target.space;
    for_pieces(it, target.bytes, [&](uint32_t, uint32_t bytes) {
        traffic.accesses++;
        traffic.bytes += bytes;
    });
    if (traffic.buffer < 0) traffic.buffer = target.object;
    if (target.space == Space::Global) {
        Buffer &buffer = m_totals.buffers[target.object];
        buffer.image = it.space == Space::Image;
        for_pieces(it, target.bytes, [&](uint32_t from, uint32_t bytes) {
            if (site.access != Access::Store) buffer.read.add(target.offset + from, bytes);
            if (site.access != Access::Load) buffer.written.add(target.offset + from, bytes);
        });
        m_sector_buffers[target.address >> offset_bits] = target.object;
    }
    return traffic;
}

void Group::access(size_t item, const llvm::Instruction *instruction, Access access, const Target &told) {
    const Instruction &it = arrive(item, instruction);
    if (it.joined) return;
    Target target = told;
    if (it.joined_bytes > 0) {
        target.address -= it.joined_before;
        target.offset -= it.joined_before;
        target.bytes = it.joined_bytes;
    }
    if (it.loads_first) add(item, it, Access::Load, target);
    add(item, it, access, target);
}

void Group::add(size_t item, const Instruction &it, Access access, const Target &target) {
    Lane &lane = m_lanes[item];
    Unit &unit = m_units[item / Wavefront];
    const Site site = {it.id, access, lane.parts[static_cast<int>(access)]++};
    (void)note(site, it, target);
    if (target.space == Space::Private) return;
    if (unit.addresses.size() > MostAddresses / m_units.size()) {
        m_totals.cut = true;
        return;
    }
    const uint64_t place =
        uint64_t{site.instruction} << 20 | uint64_t{site.part} << 2 | static_cast<uint64_t>(access);
    AccessSlot &slot = unit.accesses.at(lane.access_cursor, place, lane.frames.back().key);
    if (!slot.placed) {
        slot.placed = true;
        slot.site = site;
        slot.bytes = target.bytes;
        slot.object = target.object;
        slot.first = unit.addresses.size();
        unit.addresses.resize(slot.first + unit.lanes);
    }
    slot.lanes |= uint64_t{1} << item % Wavefront;
    unit.addresses[slot.first + item % Wavefront] = target.space == Space::Local ? target.offset : target.address;
    if (m_lanes.size() == 1 && unit.accesses.slots().size() >= MostAlone) flush();
}

// Hardware, or the compiler, shares a copy out to the lanes of warps.
void Group::copy(const llvm::Instruction *instruction, Access access, const Target &target) {
    const Instruction &it = m_code.block(instruction->getParent()).at(instruction);
    const Site site = {it.id, access, WholeGroup};
    (void)note(site, it, target);
    std::vector<Span> &spans = m_copies[site];
    spans.push_back({target.space == Space::Local ? target.offset : target.address, target.bytes,
                     static_cast<uint32_t>(spans.size())});
    if (spans.size() < Wavefront) return;
    count_lanes(m_totals.sites[site], site, spans);
    spans.clear();
}

// ---- counting ----

static uint32_t lanes_of(uint64_t mask, size_t half) {
    return static_cast<uint32_t>(__builtin_popcountll(mask >> half * Warp & 0xFFFFFFFF));
}

void Group::count_block(const BlockSlot &slot) {
    const uint64_t costs = slot.block->costs;
    for (size_t half = 0; half < 2; half++) {
        const uint64_t lanes = lanes_of(slot.lanes, half);
        if (lanes == 0) continue;
        m_totals.warp.instructions += costs;
        m_totals.warp.lanes += lanes * costs;
    }
    m_totals.wavefront.instructions += costs;
    m_totals.wavefront.lanes += static_cast<uint64_t>(__builtin_popcountll(slot.lanes)) * costs;
}

void Group::count_branch(const BlockSlot &slot) {
    const bool both = lanes_of(slot.lanes, 0) > 0 && lanes_of(slot.lanes, 1) > 0;
    for (size_t half = 0; half < 2; half++) {
        if (lanes_of(slot.lanes, half) == 0) continue;
        m_totals.warp.branches++;
        if (slot.diverged[half]) m_totals.warp.divergent++;
    }
    m_totals.wavefront.branches++;
    if (slot.diverged[0] || slot.diverged[1] || (both && slot.next[0] != slot.next[1]))
        m_totals.wavefront.divergent++;
}

// Returns the sectors of global memory that a request touches.
static std::vector<uint64_t> count_request(Requests &to, Space space, Sharing sharing,
                                           const std::vector<Span> &spans) {
    std::vector<uint64_t> sectors;
    if (spans.empty()) return sectors;
    to.requests++;
    if (space == Space::Local) {
        const Passes passes = passes_of(spans.data(), spans.size(), sharing);
        to.passes += passes.actual;
        to.least_passes += passes.least;
        return sectors;
    }
    if (space == Space::Image) return sectors;
    sectors_of(sectors, spans.data(), spans.size());
    to.sectors += sectors.size();
    to.lines += lines_of(sectors);
    to.least_sectors += least_sectors_of(spans.data(), spans.size());
    return sectors;
}

void Group::move(const std::vector<uint64_t> &sectors, Access access) {
    if (access != Access::Store) m_read.insert(sectors.begin(), sectors.end());
    if (access != Access::Load) m_written.insert(sectors.begin(), sectors.end());
}

// Lanes that update a word wait for each other. Those that only count in it do not: the hardware adds how many they
// are (ATOMS.POPC.INC, since compute capability 8.0).
static Sharing sharing_of(const Instruction &it, Access access) {
    if (access == Access::Load) return Sharing::Load;
    return access == Access::Store || it.increments ? Sharing::Store : Sharing::Nothing;
}

// Each instruction of the machine is a request.
void Group::count_lanes(Traffic &traffic, const Site &site, const std::vector<Span> &spans) {
    const Instruction &it = m_code.instruction(site.instruction);
    const Sharing sharing = sharing_of(it, site.access);
    for_pieces(it, spans.empty() ? 0 : spans[0].bytes, [&](uint32_t from, uint32_t bytes) {
        std::vector<Span> all, of_warp[2];
        for (const Span &each : spans) {
            all.push_back({each.address + from, bytes, each.lane});
            of_warp[each.lane / Warp].push_back(all.back());
        }
        for (const auto &half : of_warp)
            (void)count_request(traffic.warp, traffic.space, sharing, half);
        move(count_request(traffic.wavefront, traffic.space, sharing, all), site.access);
    });
}

void Group::count_access(const Unit &unit, const AccessSlot &slot) {
    const uint64_t *addresses = &unit.addresses[slot.first];
    Traffic &traffic = m_totals.sites[slot.site];
    std::vector<Span> spans;
    for (uint32_t lane = 0; lane < unit.lanes; lane++)
        if (slot.lanes >> lane & 1) spans.push_back({addresses[lane], slot.bytes, lane});
    count_lanes(traffic, slot.site, spans);
    if (traffic.space != Space::Image) keep_pictures(traffic.pictures, unit, slot);
}

void Group::keep_pictures(Pictures &to, const Unit &unit, const AccessSlot &slot) const {
    const uint64_t *addresses = &unit.addresses[slot.first];
    const std::vector<Piece> &pieces = m_code.instruction(slot.site.instruction).pieces;
    const uint32_t from = pieces.empty() ? 0 : pieces.front().offset;
    const uint32_t end = pieces.empty() ? slot.bytes : pieces.back().offset + pieces.back().bytes;
    const uint64_t first_warp = static_cast<uint64_t>(&unit - m_units.data()) * (Wavefront / Warp);
    for (uint32_t half = 0; half < Wavefront / Warp; half++) {
        const uint64_t warp = first_warp + half;
        const bool is_other = !to.list.empty() && (to.group != m_number || to.warp != warp);
        if (is_other || to.list.size() >= MostPictures || lanes_of(slot.lanes, half) == 0) continue;
        Picture picture = {};
        picture.bytes = end - from;
        picture.object = slot.object;
        for (uint32_t lane = 0; lane < Warp; lane++) {
            const uint32_t place = half * Warp + lane;
            if ((slot.lanes >> place & 1) == 0) continue;
            picture.lanes[picture.count] = lane;
            picture.offsets[picture.count++] = (addresses[place] & ((uint64_t{1} << offset_bits) - 1)) + from;
        }
        to.group = m_number;
        to.warp = warp;
        to.list.push_back(picture);
    }
}

void Group::flush() {
    for (Unit &unit : m_units) {
        for (const BlockSlot &slot : unit.blocks.slots())
            slot.place % 2 == 0 ? count_block(slot) : count_branch(slot);
        for (const AccessSlot &slot : unit.accesses.slots())
            count_access(unit, slot);
        unit.blocks.clear();
        unit.accesses.clear();
        unit.addresses.clear();
    }
    for (auto &each : m_copies) {
        count_lanes(m_totals.sites[each.first], each.first, each.second);
        each.second.clear();
    }
    for (Lane &lane : m_lanes)
        lane.block_cursor = lane.access_cursor = 0;
}

void Group::finish() {
    flush();
    for (const auto *sectors : {&m_read, &m_written})
        for (const uint64_t sector : *sectors)
            m_totals.buffers[m_sector_buffers[sector * SectorBytes >> offset_bits]].group_sectors++;
}

} // namespace count
