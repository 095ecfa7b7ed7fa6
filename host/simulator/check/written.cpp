#include "written.h"

#include <algorithm>

namespace check {

bool any(const Bits &bits) {
    return std::any_of(
        bits.begin(), bits.end(), [](uint8_t each) { return each != 0; });
}

void Written::allocate(const oclgrind::Memory *memory, size_t buffer, size_t size, bool written) {
    m_memories[memory][buffer].assign(size, written ? 0 : 0xFF);
}

void Written::forget(const oclgrind::Memory *memory) {
    m_memories.erase(memory);
}

void Written::keep_only(const oclgrind::Memory *memory) {
    for (auto each = m_memories.begin(); each != m_memories.end();)
        each = each->first == memory ? std::next(each) : m_memories.erase(each);
}

// The buffer, if this part lies in it.
Bits *Written::part(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) {
    Bits &bits = m_memories[memory][buffer];
    return offset + size <= bits.size() ? &bits : nullptr;
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
    const auto found = m_memories.find(memory);
    if (found == m_memories.end()) return {};
    const auto in = found->second.find(buffer);
    if (in == found->second.end() || offset + size > in->second.size()) return {};
    const auto first = in->second.begin() + static_cast<ptrdiff_t>(offset);
    const auto last = first + static_cast<ptrdiff_t>(size);
    return std::any_of(first, last, [](uint8_t each) { return each != 0; }) ? Bits(first, last) : Bits();
}

} // namespace check
