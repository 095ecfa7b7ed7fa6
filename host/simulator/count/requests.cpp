#include "requests.h"

#include <algorithm>
#include <array>

namespace count {

void sectors_of(std::vector<uint64_t> &sectors_out, const Span *spans, size_t count) {
    sectors_out.clear();
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = (spans[i].address + spans[i].bytes - 1) / SectorBytes;
        for (uint64_t sector = spans[i].address / SectorBytes; sector <= last; sector++)
            sectors_out.push_back(sector);
    }
    std::sort(sectors_out.begin(), sectors_out.end());
    sectors_out.erase(std::unique(sectors_out.begin(), sectors_out.end()), sectors_out.end());
}

uint64_t lines_of(const std::vector<uint64_t> &sectors) {
    const uint64_t per_line = LineBytes / SectorBytes;
    uint64_t lines = 0;
    for (size_t i = 0; i < sectors.size(); i++)
        if (i == 0 || sectors[i] / per_line != sectors[i - 1] / per_line) lines++;
    return lines;
}

uint64_t least_sectors_of(const Span *spans, size_t count) {
    std::array<Span, Wavefront> sorted;
    uint64_t bytes = 0, end = 0;
    count = std::min<size_t>(count, Wavefront);
    std::copy(spans, spans + count, sorted.begin());
    std::sort(sorted.begin(), sorted.begin() + count,
              [](const Span &a, const Span &b) { return a.address < b.address; });
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = std::max(end, sorted[i].address), to = sorted[i].address + sorted[i].bytes;
        if (to <= from) continue;
        bytes += to - from;
        end = to;
    }
    return (bytes + SectorBytes - 1) / SectorBytes;
}

// ---- local memory ----

// Where the lanes end that are in the same block of so many as the first.
static size_t end_of(const Span *spans, size_t first, size_t count, uint32_t lanes) {
    size_t end = first;
    while (end < count && spans[end].lane / lanes == spans[first].lane / lanes)
        end++;
    return end;
}

// Whether all lanes ask for what the lane so far apart, 1 or 2, asks for.
static bool agree(const Span *spans, size_t count, uint32_t apart) {
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && j <= i + apart; j++)
            if (spans[j].lane == (spans[i].lane ^ apart) && spans[j].address != spans[i].address) return false;
    return true;
}

static void add_passes_of_group(Passes &to, const Span *spans, size_t count, Sharing sharing) {
    std::array<std::vector<uint64_t>, Banks> banks;
    uint64_t words = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = (spans[i].address + spans[i].bytes - 1) / BankBytes;
        for (uint64_t word = spans[i].address / BankBytes; word <= last; word++) {
            std::vector<uint64_t> &bank = banks[word % Banks];
            if (sharing != Sharing::Nothing && std::find(bank.begin(), bank.end(), word) != bank.end()) continue;
            bank.push_back(word);
            words++;
            most = std::max<uint64_t>(most, bank.size());
        }
    }
    to.actual += most;
    to.least += (words + Banks - 1) / Banks;
}

// A warp asks in blocks: of all its lanes, or, for 16 bytes each, of half of them. Lanes of a block get a word in
// the same pass if each asks for no more than a word, or if neighbours, or next neighbours, load the same. Else
// only lanes of the same half of the block do.
Passes passes_of(const Span *spans, size_t count, Sharing sharing) {
    Passes passes = {0, 0};
    for (size_t first = 0, end = 0; first < count; first = end) {
        const bool wide = spans[first].bytes > BankBytes && sharing != Sharing::Nothing;
        uint32_t lanes = wide && spans[first].bytes > 2 * BankBytes ? Warp / 2 : Warp;
        end = end_of(spans, first, count, lanes);
        const Span *block = spans + first;
        const bool joined =
            sharing == Sharing::Load && (agree(block, end - first, 1) || agree(block, end - first, 2));
        if (wide && !joined) lanes /= 2;
        for (size_t from = first, to = 0; from < end; from = to) {
            to = end_of(spans, from, end, lanes);
            add_passes_of_group(passes, spans + from, to - from, sharing);
        }
    }
    return passes;
}

} // namespace count
