// What an address means in a kernel's words: which argument, array or variable, and where in it.
#pragma once
#include "../code.h"
#include "../names.h"

namespace oclgrind {
class KernelInvocation;
class Memory;
class WorkGroup;
class WorkItem;
} // namespace oclgrind

namespace check {

using namespace simulator;

struct Object {
    uint32_t space = 0; // of OpenCL's address spaces, by LLVM's numbers
    std::string name;   // "" if it is not to be seen
    int argument = -1;  // of the kernel
    bool null = false;  // the pointer is null
    bool known = false; // whether offset and size are known
    int64_t offset = 0; // of the address in the object, in bytes; may lie outside
    uint64_t size = 0;  // the object's, in bytes
};

class Places {
  public:
    void begin(const oclgrind::KernelInvocation &invocation);
    // it: null if it is not to be seen; item: null for a group as a whole
    Object find(const Instruction *it, bool writes, const oclgrind::Memory &memory,
                const oclgrind::WorkGroup &group, const oclgrind::WorkItem *item, uint64_t address) const;

  private:
    const oclgrind::KernelInvocation *m_invocation = nullptr;
    Names m_names; // of buffers

    void name(Object &to, const Pointer *pointer, bool in_kernel, const oclgrind::Memory &memory,
              const oclgrind::WorkGroup &group, uint64_t address) const;
};

} // namespace check
