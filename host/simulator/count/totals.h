// The sums over a kernel's launch: of one worker thread while it runs, of all at its end.
#pragma once
#include "../code.h"
#include "requests.h"

#include <map>
#include <unordered_set>

namespace count {

using namespace simulator;

static const uint32_t WholeGroup = UINT32_MAX;
enum class Access : uint8_t { Load = 0, Store = 1, Atomic = 2 };

// A place in the code that accesses memory: an instruction may have several, such as a copy's load and store.
struct Site {
    uint32_t instruction;
    Access access;
    uint32_t part; // the how many-th of this kind in one execution; or WholeGroup, of a copy
    bool operator<(const Site &other) const;
};

// What warps of one width ask for. Global and constant memory have sectors and lines, local memory has passes,
// images only requests.
struct Requests {
    uint64_t requests = 0, sectors = 0, least_sectors = 0, lines = 0, passes = 0, least_passes = 0;
};

// The lanes of a warp, at one of its first requests of a site: what pictures are drawn from.
struct Picture {
    uint32_t lanes[Warp];
    uint64_t offsets[Warp]; // in the buffer, or the local array
    uint32_t count, bytes;
    int object; // the buffer or array: a function's site may access several
};

// The requests of the first warp that came to a site: of a launch's first group, unless that asks for nothing.
struct Pictures {
    uint64_t group = 0, warp = 0; // numbers of the group, and of the warp in it
    std::vector<Picture> list;
    void add(const Pictures &other);
};

struct Traffic {
    Space space = Space::Private;
    uint64_t accesses = 0, bytes = 0; // by work-items
    Requests warp, wavefront;
    int buffer = -1; // the number of the buffer that it hit first
    Pictures pictures;
};

// How many times warps of one width run an instruction, and how many of their lanes do work then.
struct Issue {
    uint64_t instructions = 0, lanes = 0, branches = 0, divergent = 0;
};

// The bytes of a buffer that are read and written at all.
class Footprint {
  public:
    void add(uint64_t offset, uint32_t bytes);
    void add(const Footprint &other);
    uint64_t bytes() const;

  private:
    std::vector<uint64_t> m_bits;
};

struct Buffer {
    bool image = false;
    Footprint read, written;
    uint64_t group_sectors = 0; // those that each group reads and those that it writes, once each; of all groups
};

struct Totals {
    std::vector<uint64_t> executed; // by instruction: how many times a work-item ran it
    std::map<Site, Traffic> sites;
    std::map<int, Buffer> buffers;
    Issue warp, wavefront;
    uint64_t items = 0, groups = 0, warps = 0, wavefronts = 0;
    bool cut = false; // a group accessed memory too often to match its lanes: requests are missing

    void add(const Totals &other);
};

} // namespace count
