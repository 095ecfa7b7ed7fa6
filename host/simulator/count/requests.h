// What one request of a warp costs: the sectors and lines of global memory that its lanes touch, and the passes
// that local memory's banks need.
//
// The figures are those of NVIDIA's GPUs since Maxwell (CUDA C++ Programming Guide, "Device Memory Accesses" and
// "Shared Memory"): sectors of 32 bytes, lines of 128, 32 banks of 4 bytes. AMD's wavefronts of 64 use the same
// sizes here, and local memory serves their halves one after the other (AMD APP SDK OpenCL Optimization Guide).
//
// How lanes share a pass of local memory is no vendor's word: the rule was inferred from measurements on an H100
// and an H200, all of which it reproduces (tests/specimens/local_memory).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace count {

enum { SectorBytes = 32, LineBytes = 128, Banks = 32, BankBytes = 4, Warp = 32, Wavefront = 64 };

// An access of one lane: where, and of how many bytes.
struct Span {
    uint64_t address;
    uint32_t bytes, lane;
};

// The distinct sectors of some lanes' accesses, in order. A sector's number is its address by SectorBytes.
void sectors_of(std::vector<uint64_t> &sectors_out, const Span *spans, size_t count);

// How many lines some sectors, in order, lie in.
uint64_t lines_of(const std::vector<uint64_t> &sectors);

// The fewest sectors that could hold what the lanes ask for: each distinct byte once, side by side.
uint64_t least_sectors_of(const Span *spans, size_t count);

// The passes that banks need, one after the other, for accesses of up to 16 bytes, in the order of their lanes. A
// bank gives one word in a pass.
struct Passes {
    uint64_t actual, least; // least: if the words were spread over all banks
};
// Which lanes that ask for the same word get it in the same pass: those of a load, of a store, or none.
enum class Sharing { Load, Store, Nothing };
Passes passes_of(const Span *spans, size_t count, Sharing sharing);

} // namespace count
