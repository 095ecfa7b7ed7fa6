// Which bytes of memory anybody has written: reading others is a fault.
//
// To copy unwritten bytes is no fault yet: structs have padding, and lists that are no whole tile have elements
// that nobody uses. Such copies stay unwritten.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oclgrind {
class Memory;
} // namespace oclgrind

namespace check {

class Written {
  public:
    void allocate(const oclgrind::Memory *memory, size_t buffer, size_t size, bool written);
    // Forgets all memory but this one.
    void keep_only(const oclgrind::Memory *memory);
    void write(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size);
    // Makes bytes as written, or not, as those are that were copied there.
    void copy(const oclgrind::Memory *memory, size_t buffer, size_t offset, const std::vector<uint8_t> &from);
    // 1 for each byte that was written.
    std::vector<uint8_t> bytes(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const;
    // How many of the bytes were written. Memory that was never seen counts as written.
    size_t count(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const;

  private:
    using Bytes = std::vector<uint8_t>; // 1: written
    std::unordered_map<const oclgrind::Memory *, std::unordered_map<size_t, Bytes>> m_memories;
};

} // namespace check
