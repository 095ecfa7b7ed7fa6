#include "written.h"

#include <algorithm>

namespace check {

void Written::allocate(const oclgrind::Memory *memory, size_t buffer, size_t size, bool written) {
    m_memories[memory][buffer].assign(size, written ? 1 : 0);
}

void Written::keep_only(const oclgrind::Memory *memory) {
    for (auto each = m_memories.begin(); each != m_memories.end();)
        each = each->first == memory ? std::next(each) : m_memories.erase(each);
}

void Written::write(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) {
    Bytes &bytes = m_memories[memory][buffer];
    if (offset >= bytes.size()) return;
    std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(offset), std::min(size, bytes.size() - offset), uint8_t(1));
}

void Written::copy(const oclgrind::Memory *memory, size_t buffer, size_t offset, const std::vector<uint8_t> &from) {
    Bytes &bytes = m_memories[memory][buffer];
    if (offset + from.size() <= bytes.size())
        std::copy(from.begin(), from.end(), bytes.begin() + static_cast<ptrdiff_t>(offset));
}

std::vector<uint8_t> Written::bytes(const oclgrind::Memory *memory, size_t buffer, size_t offset,
                                    size_t size) const {
    const Bytes &bytes = m_memories.at(memory).at(buffer);
    const auto first = bytes.begin() + static_cast<ptrdiff_t>(offset);
    return Bytes(first, first + static_cast<ptrdiff_t>(size));
}

size_t Written::count(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const {
    const auto found = m_memories.find(memory);
    if (found == m_memories.end()) return size;
    const auto bytes = found->second.find(buffer);
    if (bytes == found->second.end() || offset + size > bytes->second.size()) return size;
    const auto first = bytes->second.begin() + static_cast<ptrdiff_t>(offset);
    return static_cast<size_t>(std::count(first, first + static_cast<ptrdiff_t>(size), uint8_t(1)));
}

} // namespace check
