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

// Lanes that ask for the same word share it, however wide their accesses are.
Passes passes_of(const Span *spans, size_t count) {
    std::array<std::vector<uint64_t>, Banks> banks;
    Passes passes = {0, 0};
    uint64_t words = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t last = (spans[i].address + spans[i].bytes - 1) / BankBytes;
        for (uint64_t word = spans[i].address / BankBytes; word <= last; word++) {
            std::vector<uint64_t> &bank = banks[word % Banks];
            if (std::find(bank.begin(), bank.end(), word) != bank.end()) continue;
            bank.push_back(word);
            words++;
            passes.actual = std::max<uint64_t>(passes.actual, bank.size());
        }
    }
    passes.least = (words + Banks - 1) / Banks;
    return passes;
}

} // namespace count
