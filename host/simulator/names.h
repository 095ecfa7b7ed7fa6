// How a kernel calls the memory that it uses.
#pragma once
#include "json.h"

#include <map>

namespace oclgrind {
class Kernel;
class KernelInvocation;
class Memory;
struct Size3;
} // namespace oclgrind

namespace simulator {

using Names = std::map<int, std::pair<int, std::string>>; // by a buffer's number: the argument and its name

// The kernel's arguments that are buffers. Of two arguments with one buffer, the first is named.
Names names_of(const oclgrind::Kernel &kernel, const oclgrind::Memory &memory);

const char *name_of(uint32_t space);

// "name": [x, y], of as many dimensions.
void write_size(Writer &to, const char *name, const oclgrind::Size3 &size, size_t dimensions);

// What plugins write to the process that reads them: a line of JSON at a time, and the text of each program once,
// before the first line about it.
class Stream {
  public:
    explicit Stream(int descriptor);
    void write_line(const std::string &text) const;
    void write_text(const oclgrind::KernelInvocation &invocation);

  private:
    const int m_descriptor;
    std::map<uint64_t, bool> m_known; // programs whose text was written
};

} // namespace simulator
