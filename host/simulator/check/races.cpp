#include "races.h"

#include <algorithm>
#include <cstring>

namespace check {

// ---- pages ----

void Races::begin(uint32_t numbers) {
    m_pages.clear();
    m_numbers = numbers;
    m_since = {0, 0};
    m_late.clear();
}

void Races::pass(uint32_t epoch, uint32_t group, const std::vector<uint32_t> &without) {
    for (auto each = m_late.begin(); each != m_late.end();) {
        const bool fenced = std::find(without.begin(), without.end(), each->first) == without.end();
        each = fenced && each->first / m_numbers == group ? m_late.erase(each) : std::next(each);
    }
    for (const uint32_t item : without)
        m_late.emplace(item, m_since.items);
    m_since = {epoch, epoch};
}

void Races::wait(uint32_t epoch) {
    m_since.copies = epoch;
}

bool Races::is_copy(const Touch &touch) const {
    return touch.item % m_numbers == m_numbers - 1;
}

uint32_t Races::ordered(const Touch &touch) const {
    if (is_copy(touch)) return m_since.copies;
    if (m_late.empty()) return m_since.items;
    const auto late = m_late.find(touch.item);
    return late == m_late.end() ? m_since.items : late->second;
}

void Races::order(Since since) {
    m_since = since;
}

Since Races::since() const {
    return m_since;
}

Races::Page &Races::page_at(uint64_t address) {
    Page &page = m_pages[address / PageBytes];
    if (page.cells.empty()) page.cells.resize(PageBytes / page.unit);
    return page;
}

// From words to bytes: what touched a word touched each of its bytes.
void Races::split(Page &page) {
    std::vector<Cell> bytes(PageBytes);
    for (size_t i = 0; i < PageBytes; i++) {
        Cell &word = page.cells[i / page.unit];
        memcpy(bytes[i].plain, word.plain, sizeof word.plain);
        if (word.atomic) {
            bytes[i].atomic = std::make_unique<Touches[]>(2);
            memcpy(bytes[i].atomic.get(), word.atomic.get(), 2 * sizeof(Touches));
        }
        bytes[i].last_item = word.last_item;
        bytes[i].last_value = word.last_value >> 8 * (i % page.unit) & 0xFF;
        for (Touches &plain : bytes[i].plain) {
            for (Touch &each : plain.own)
                each.value = each.value >> 8 * (i % page.unit) & 0xFF;
            for (Touch &each : plain.others)
                each.value = each.value >> 8 * (i % page.unit) & 0xFF;
        }
    }
    page.cells = std::move(bytes);
    page.unit = 1;
}

Races::Touches *Races::touches(Cell &cell, size_t manner, bool make) {
    if (manner < 2) return &cell.plain[manner];
    if (!cell.atomic && make) cell.atomic = std::make_unique<Touches[]>(2);
    return cell.atomic ? &cell.atomic[manner - 2] : nullptr;
}

// ---- touches ----

// What races with what, by manners: one of both writes, and not both are atomic.
static bool conflict(Manner a, Manner b) {
    const bool writes =
        a == Manner::Store || a == Manner::AtomicStore || b == Manner::Store || b == Manner::AtomicStore;
    const bool atomic = a >= Manner::AtomicLoad && b >= Manner::AtomicLoad;
    return writes && !atomic;
}

// Whether the order of two touches makes no difference: both store the same, or one reads what it has stored itself
// and the other stores the same.
bool Races::is_same(Manner manner, const Touch &touch, Manner other, const Touch &earlier) {
    if (earlier.value != touch.value || manner > Manner::Store || other > Manner::Store) return false;
    return (manner == Manner::Store || touch.own) && (other == Manner::Store || earlier.own);
}

void Races::compare(std::vector<Race> &races_out, Cell &cell, Manner manner, const Touch &touch,
                    const Since *begun) const {
    const uint32_t group = touch.item / m_numbers;
    const auto unordered = [&](const Touch &each) {
        const uint32_t from = ordered(each);
        return each.epoch >= (begun ? std::min(from, is_copy(each) ? begun->copies : begun->items) : from);
    };
    for (uint8_t i = 0; i < 4; i++) {
        const Manner other = static_cast<Manner>(i);
        const Touches *its = conflict(manner, other) ? touches(cell, i, false) : nullptr;
        if (!its) continue;
        for (const Touch &each : its->own)
            if (each.site && each.item / m_numbers == group && (each.item != touch.item || is_copy(each)) &&
                unordered(each))
                races_out.push_back({each, other, true, is_same(manner, touch, other, each)});
        for (const Touch &each : its->others)
            if (each.site && each.item / m_numbers != group)
                races_out.push_back({each, other, false, is_same(manner, touch, other, each)});
    }
}

// Of several touches by one work-item, the last is kept: what it left is what others meet. But a read of what
// others may have stored is not forgotten for one of its own value.
void Races::keep(Touches &to, Touch touch) const {
    const uint32_t group = touch.item / m_numbers;
    Touch *place = nullptr;
    for (Touch &each : to.own) {
        const bool old = !each.site || each.item / m_numbers != group || each.epoch < ordered(each);
        if (old) each.site = 0;
        if (each.site && each.item == touch.item) {
            place = &each;
            break;
        }
        if (old && !place) place = &each;
    }
    const bool is_known = place && place->site;
    if (!place) place = &to.own[Own - 1];
    if (is_known && !place->own) touch.own = 0;
    *place = touch;
    if (to.others[0].site && to.others[0].item / m_numbers == group && !to.others[0].own) touch.own = 0;
    if (!to.others[0].site || to.others[0].item / m_numbers == group)
        to.others[0] = touch;
    else
        to.others[1] = touch;
}

void Races::touch(std::vector<Race> &races_out, uint64_t address, size_t size, Manner manner, Touch touch,
                  const uint8_t *data, const uint8_t *there, const Since *begun) {
    for (size_t done = 0; done < size;) {
        const uint64_t at = address + done;
        Page &page = page_at(at);
        if (page.unit == 4 && (at % 4 != 0 || size - done < 4)) split(page);
        const uint8_t *value = manner == Manner::Load ? there : data;
        touch.value = 0;
        if (value) memcpy(&touch.value, value + done, page.unit);
        Cell &cell = page.cells[at % PageBytes / page.unit];
        touch.own = manner == Manner::Load && cell.last_item == touch.item && cell.last_value == touch.value;
        compare(races_out, cell, manner, touch, begun);
        keep(*touches(cell, static_cast<size_t>(manner), true), touch);
        if (manner == Manner::Store) {
            cell.last_item = touch.item;
            cell.last_value = touch.value;
        }
        done += page.unit;
    }
}

// ---- atomics ----

void Orders::begin_launch() {
    m_releases.clear();
    m_acquired.clear();
    m_fences.clear();
}

void Orders::fence(uint32_t item, uint32_t epoch) {
    m_fences[item] = epoch;
}

void Orders::end_group(uint32_t group) {
    m_acquired.erase(group);
}

void Orders::atomic(uint64_t address, uint32_t group, uint32_t item, uint32_t epoch, uint32_t ordered_until,
                    bool looks) {
    if (looks) m_acquired[group][address] = epoch;
    const auto fence = m_fences.find(item);
    m_releases[address][group].push_back({item, epoch, ordered_until, fence == m_fences.end() ? 0 : fence->second});
}

Order Orders::order(uint32_t group, const Touch &earlier, uint32_t now) const {
    Order best = Order::None;
    const auto acquired = m_acquired.find(now);
    if (acquired == m_acquired.end()) return best;
    for (const auto &each : acquired->second) {
        const auto &releases = m_releases.at(each.first);
        const auto found = releases.find(group);
        if (found == releases.end()) continue;
        for (const Release &release : found->second) {
            if (release.epoch > each.second) break;
            if (earlier.epoch < release.ordered_until) return Order::Before;
            if (earlier.item == release.item && earlier.epoch < release.fenced) return Order::Before;
            if (earlier.epoch < release.epoch) best = Order::Unfenced;
        }
    }
    return best;
}

} // namespace check
