#include "guesses.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"

#include <algorithm>
#include <cstdlib>

namespace check {

// Touches that are kept of a site, of one work-item there at most, and local memories that are looked at.
enum { MostTouches = 512, MostOfItem = 8, MostGroups = 4 };

Guesses::Guesses(Scene &scene, const Places &places, Findings &findings, const char *tried)
    : m_scene(scene), m_places(places), m_findings(findings), m_affine(scene), m_guesses(tried != nullptr) {
    for (const char *at = tried; at && *at;) {
        char *end = nullptr;
        m_tried.insert(strtoll(at, &end, 10));
        at = *end ? end + 1 : end;
    }
}

// ---- what a launch does ----

// One launch of a kernel with the same numbers is enough.
void Guesses::begin_launch() {
    const oclgrind::Size3 size = m_scene.invocation().getGlobalSize();
    m_memories.clear();
    m_most = std::min<size_t>(MostOfItem, std::max<size_t>(1, MostTouches / (size.x * size.y * size.z)));
    m_affine.begin_launch(m_guesses);
    std::string launch = m_scene.invocation().getKernel()->getName();
    for (const Number &each : m_affine.numbers())
        launch += ' ' + std::to_string(each.value);
    if (!m_launched.insert(launch).second) m_affine.begin_launch(false);
}

void Guesses::executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                       const oclgrind::TypedValue &result) {
    m_affine.executed(item, instruction, result);
}

void Guesses::end_item(const oclgrind::WorkItem &item) {
    m_affine.end_item(item);
}

// Variables are accessed all the time: only places in them that depend on a number are of interest.
void Guesses::access(const Access &access, uint32_t phase) {
    const llvm::Instruction *instruction = access.item ? access.item->getCurrentInstruction() : nullptr;
    if (m_affine.numbers().empty() || !instruction) return;
    const uint32_t space = access.memory->getAddressSpace();
    const uint32_t item = m_scene.number_of(*access.group, access.item);
    const uint32_t group = m_scene.number_of(*access.group, nullptr);
    const Rates rates = m_affine.address(*access.item, *instruction, writes(access.manner));
    if (space == oclgrind::AddrSpacePrivate && !rates.any()) return;
    const uint64_t start = access.address - access.memory->extractOffset(access.address);
    const uint64_t whose = space == oclgrind::AddrSpacePrivate ? item + 1
                           : space == oclgrind::AddrSpaceLocal ? group
                                                               : 0;
    Site &site = m_memories[{space, whose, start}][{instruction, access.manner}];
    if (site.touched.size() == MostTouches) return;
    const auto same = [item](const Touched &each) { return each.item == item; };
    if (site.touched.size() >= m_most && same(site.touched[site.touched.size() - m_most])) return;
    if (site.touched.empty()) {
        site.code = m_scene.code_of(instruction);
        site.manner = access.manner;
        site.bytes = access.memory->getBuffer(start)->size;
        site.argument = finding_of(Kind::Bounds, access, m_scene, m_places).object.argument;
    }
    site.uniform = site.uniform && (site.touched.empty() || site.touched[0].rates == rates);
    site.touched.push_back({item, phase, static_cast<int64_t>(access.address - start),
                            static_cast<int64_t>(access.size), rates, m_affine.spans(*access.item)});
}

// ---- guesses ----

bool Guesses::is_open(unsigned which, int64_t change) const {
    const Number &number = m_affine.numbers()[which];
    const int64_t value = number.value + change;
    return change != 0 && value >= number.least && value <= number.most && !m_tried.count(value);
}

// The smaller of two values, but none below 0 if it can be.
static bool is_simpler(int64_t value, int64_t than) {
    if ((value < 0) != (than < 0)) return value >= 0;
    return std::llabs(value) < std::llabs(than);
}

void Guesses::guess(Kind kind, const Instruction *first, const Instruction *second, unsigned which, int argument,
                    int64_t change) {
    const int64_t value = m_affine.numbers()[which].value + change;
    const auto known = m_best.emplace(std::make_tuple(kind, first, second, which, argument), value);
    if (!known.second && is_simpler(value, known.first->second)) known.first->second = value;
}

// The change of an argument with which two touches meet and both work-items come by the same way.
bool Guesses::find_change(const Touched &a, const Touched &b, unsigned which, int64_t &change_out) const {
    const int64_t rate = a.rates.of[which] - b.rates.of[which], apart = b.offset - a.offset;
    if (rate == 0 || (a.rates.unknown | b.rates.unknown) >> which & 1) return false;
    const int64_t change = apart / rate, left = apart - change * rate; // b is so far behind a then
    if (left >= a.size || left <= -b.size) return false;
    const Span &one = a.spans[which], &other = b.spans[which];
    if (change < std::max(one.low, other.low) || change > std::min(one.high, other.high)) return false;
    change_out = change;
    return is_open(which, change);
}

static bool may_race(Manner a, Manner b) {
    return (writes(a) || writes(b)) && !(a >= Manner::AtomicLoad && b >= Manner::AtomicLoad);
}

void Guesses::guess_meetings(const Site &a, const Site &b, bool is_shared) {
    if (!may_race(a.manner, b.manner)) return;
    if (a.uniform && b.uniform && a.touched[0].rates == b.touched[0].rates) return;
    const uint32_t numbers = m_scene.numbers();
    int64_t change = 0;
    for (const Touched &one : a.touched)
        for (const Touched &other : b.touched) {
            const bool near = one.item / numbers == other.item / numbers;
            if (one.item == other.item || (near ? one.phase != other.phase : !is_shared)) continue;
            for (unsigned i = 0; i < m_affine.numbers().size(); i++)
                if (find_change(one, other, i, change)) guess(Kind::Race, a.code, b.code, i, -1, change);
        }
}

// An access leaves its memory at the first change that is large enough.
void Guesses::guess_ends(const Site &site) {
    for (const Touched &each : site.touched) {
        for (unsigned i = 0; i < m_affine.numbers().size(); i++) {
            const int64_t rate = each.rates.of[i], step = std::llabs(rate);
            if (rate == 0 || each.rates.unknown >> i & 1) continue;
            const int64_t to_end = (static_cast<int64_t>(site.bytes) - each.offset - each.size) / step + 1;
            const int64_t to_begin = each.offset / step + 1;
            for (const int64_t change : {rate > 0 ? to_end : -to_end, rate > 0 ? -to_begin : to_begin})
                if (change >= each.spans[i].low && change <= each.spans[i].high && is_open(i, change))
                    guess(Kind::Bounds, site.code, nullptr, i, site.argument, change);
        }
    }
}

void Guesses::end_launch() {
    uint32_t groups = 0;
    for (const auto &memory : m_memories) {
        const uint32_t space = std::get<0>(memory.first);
        for (auto a = memory.second.begin(); a != memory.second.end(); ++a) {
            guess_ends(a->second);
            if (space == oclgrind::AddrSpacePrivate || groups >= MostGroups) continue;
            for (auto b = a; b != memory.second.end(); ++b)
                guess_meetings(a->second, b->second, space == oclgrind::AddrSpaceGlobal);
        }
        if (space == oclgrind::AddrSpaceLocal) groups++;
    }
    for (const auto &each : m_best) {
        const Number &number = m_affine.numbers()[std::get<3>(each.first)];
        m_findings.guess(std::get<0>(each.first), std::get<1>(each.first), std::get<2>(each.first), number.name,
                         each.second, std::get<4>(each.first));
    }
    m_memories.clear();
    m_best.clear();
    m_affine.begin_launch(false);
}

} // namespace check
