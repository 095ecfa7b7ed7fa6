#include "written.h"

#include <algorithm>

namespace check {

bool any(const Bits &bits) {
    return std::any_of(
        bits.begin(), bits.end(), [](uint8_t each) { return each != 0; });
}

void Written::allocate(const oclgrind::Memory *memory, size_t buffer, size_t size, bool written) {
    Buffers &its = m_memories[memory];
    if (its.size() <= buffer) its.resize(buffer + 1);
    its[buffer].assign(size, written ? 0 : 0xFF);
    m_last = nullptr;
}

void Written::forget(const oclgrind::Memory *memory) {
    m_memories.erase(memory);
    m_last = nullptr;
}

void Written::keep_only(const oclgrind::Memory *memory) {
    for (auto each = m_memories.begin(); each != m_memories.end();)
        each = each->first == memory ? std::next(each) : m_memories.erase(each);
    m_last = nullptr;
}

// The buffer, if it is known and has so many bytes.
const Bits *Written::buffer_of(const oclgrind::Memory *memory, size_t buffer, size_t end) const {
    if (memory != m_last) {
        const auto found = m_memories.find(memory);
        if (found == m_memories.end()) return nullptr;
        m_last = memory;
        m_its = &found->second;
    }
    return buffer < m_its->size() && end <= (*m_its)[buffer].size() ? &(*m_its)[buffer] : nullptr;
}

Bits *Written::part(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) {
    return const_cast<Bits *>(buffer_of(memory, buffer, offset + size));
}

void Written::write(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) {
    if (Bits *to = part(memory, buffer, offset, size))
        std::fill_n(to->begin() + static_cast<ptrdiff_t>(offset), size, uint8_t(0));
}

void Written::put(const oclgrind::Memory *memory, size_t buffer, size_t offset, const Bits &bits) {
    if (Bits *to = part(memory, buffer, offset, bits.size()))
        std::copy(bits.begin(), bits.end(), to->begin() + static_cast<ptrdiff_t>(offset));
}

Bits Written::bits(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const {
    const Bits *in = buffer_of(memory, buffer, offset + size);
    if (!in) return {};
    const auto first = in->begin() + static_cast<ptrdiff_t>(offset);
    const auto last = first + static_cast<ptrdiff_t>(size);
    return std::any_of(first, last, [](uint8_t each) { return each != 0; }) ? Bits(first, last) : Bits();
}

} // namespace check
