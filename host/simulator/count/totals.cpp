#include "totals.h"

#include <tuple>

namespace count {

bool Site::operator<(const Site &other) const {
    return std::tie(instruction, access, part) < std::tie(other.instruction, other.access, other.part);
}

void Footprint::add(uint64_t offset, uint32_t bytes) {
    const uint64_t end = offset + bytes;
    if (m_bits.size() * 64 < end) m_bits.resize(end / 64 + 1);
    for (uint64_t byte = offset; byte < end; byte++)
        m_bits[byte / 64] |= uint64_t{1} << byte % 64;
}

void Footprint::add(const Footprint &other) {
    if (m_bits.size() < other.m_bits.size()) m_bits.resize(other.m_bits.size());
    for (size_t i = 0; i < other.m_bits.size(); i++)
        m_bits[i] |= other.m_bits[i];
}

uint64_t Footprint::bytes() const {
    uint64_t sum = 0;
    for (const uint64_t word : m_bits)
        sum += static_cast<uint64_t>(__builtin_popcountll(word));
    return sum;
}

static void add_requests(Requests &to, const Requests &from) {
    to.requests += from.requests;
    to.sectors += from.sectors;
    to.least_sectors += from.least_sectors;
    to.lines += from.lines;
    to.passes += from.passes;
    to.least_passes += from.least_passes;
}

static void add_issue(Issue &to, const Issue &from) {
    to.instructions += from.instructions;
    to.lanes += from.lanes;
    to.branches += from.branches;
    to.divergent += from.divergent;
}

void Pictures::add(const Pictures &other) {
    const bool first = list.empty() || std::tie(other.group, other.warp) < std::tie(group, warp);
    if (!other.list.empty() && first) *this = other;
}

void Totals::add(const Totals &other) {
    if (executed.size() < other.executed.size()) executed.resize(other.executed.size());
    for (size_t i = 0; i < other.executed.size(); i++)
        executed[i] += other.executed[i];
    for (const auto &each : other.sites) {
        Traffic &to = sites[each.first];
        to.space = each.second.space;
        to.accesses += each.second.accesses;
        to.bytes += each.second.bytes;
        add_requests(to.warp, each.second.warp);
        add_requests(to.wavefront, each.second.wavefront);
        if (to.buffer < 0) to.buffer = each.second.buffer;
        to.pictures.add(each.second.pictures);
    }
    for (const auto &each : other.buffers) {
        Buffer &to = buffers[each.first];
        to.image = each.second.image;
        to.read.add(each.second.read);
        to.written.add(each.second.written);
        to.group_sectors += each.second.group_sectors;
    }
    add_issue(warp, other.warp);
    add_issue(wavefront, other.wavefront);
    items += other.items;
    groups += other.groups;
    warps += other.warps;
    wavefronts += other.wavefronts;
    cut = cut || other.cut;
}

} // namespace count
