// Which parts of a vector an access is about. The compiler loads all of a vector to read one element, and to write
// one, it loads all, changes it and stores all.
#pragma once
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace llvm {
class Instruction;
} // namespace llvm

namespace check {

struct Part {
    size_t offset, size; // in bytes
};

class Parts {
  public:
    // Of an access by an instruction, or null; size: of the access.
    const std::vector<Part> &of(const llvm::Instruction *instruction, size_t size);

  private:
    std::unordered_map<const llvm::Instruction *, std::vector<Part>> m_known;
    std::vector<Part> m_whole;
};

} // namespace check
