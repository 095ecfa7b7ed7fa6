// Which bytes of memory anybody has written: reading others is a fault.
//
// A copy of a struct may take unwritten bytes along (its padding), and so may an access that the compiler made wider
// than the program's: these are left out where `Written` is asked.
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
    // How many of the bytes were written. Memory that was never seen counts as written.
    size_t count(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const;

  private:
    using Bytes = std::vector<uint8_t>; // 1: written
    std::unordered_map<const oclgrind::Memory *, std::unordered_map<size_t, Bytes>> m_memories;
};

} // namespace check
