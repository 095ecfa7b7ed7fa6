// Which bits of memory nobody has written. To copy them is no fault: the copy is as unwritten as they are.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace oclgrind {
class Memory;
} // namespace oclgrind

namespace check {

// A byte for each of memory's, or of a value's: 1 for each bit that stems from what nobody has written.
using Bits = std::vector<uint8_t>;

bool any(const Bits &bits);

class Written {
  public:
    void allocate(const oclgrind::Memory *memory, size_t buffer, size_t size, bool written);
    void forget(const oclgrind::Memory *memory);
    // Forgets all memory but this one.
    void keep_only(const oclgrind::Memory *memory);
    void write(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size);
    void put(const oclgrind::Memory *memory, size_t buffer, size_t offset, const Bits &bits);
    // Empty if all was written. Memory that was never seen counts as written.
    Bits bits(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size) const;

  private:
    using Buffers = std::vector<Bits>; // by their numbers, which Oclgrind gives anew

    std::unordered_map<const oclgrind::Memory *, Buffers> m_memories;
    mutable const oclgrind::Memory *m_last = nullptr; // that was asked for, as most accesses are of the same one
    mutable const Buffers *m_its = nullptr;

    const Bits *buffer_of(const oclgrind::Memory *memory, size_t buffer, size_t end) const;
    Bits *part(const oclgrind::Memory *memory, size_t buffer, size_t offset, size_t size);
};

} // namespace check
