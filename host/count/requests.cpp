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

// Hardware serves a pass of 32 words at a time: accesses of 8 bytes go in halves of a warp, of 16 in quarters.
static size_t lanes_of_a_pass(uint32_t bytes) {
    const uint32_t words = (bytes + BankBytes - 1) / BankBytes;
    return words >= Banks ? 1 : Warp / std::max(1U, words);
}

// The most distinct words that some lanes ask of one bank.
static uint64_t deepest_bank(const Span *spans, size_t count) {
    std::array<std::vector<uint64_t>, Banks> words;
    uint64_t deepest = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = (spans[i].address + spans[i].bytes - 1) / BankBytes;
        for (uint64_t word = spans[i].address / BankBytes; word <= last; word++) {
            std::vector<uint64_t> &bank = words[word % Banks];
            if (std::find(bank.begin(), bank.end(), word) != bank.end()) continue; // one word serves all lanes
            bank.push_back(word);
            deepest = std::max<uint64_t>(deepest, bank.size());
        }
    }
    return deepest;
}

Passes passes_of(const Span *spans, size_t count) {
    Passes passes = {0, 0};
    if (count == 0) return passes;
    const size_t step = lanes_of_a_pass(spans[0].bytes);
    const uint64_t floor = step == 1 ? (spans[0].bytes + Banks * BankBytes - 1) / (Banks * BankBytes) : 1;
    for (size_t i = 0; i < count; i += step) {
        passes.actual += deepest_bank(spans + i, std::min(step, count - i));
        passes.least += floor;
    }
    return passes;
}

} // namespace count
