// What an address is computed from: the kernel's numbers, and what memory holds. It is told what a finding depends
// on, where numbers and contents of memory were invented.
#pragma once
#include <set>
#include <string>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace check {

struct Slice {
    bool data = false;            // contents of buffers or images
    std::set<std::string> values; // arguments of the kernel
    std::set<std::string>
        factors; // those of them by which what differs between work-items is multiplied, or divided
};

// Whether a number may be a sum of floats, as far as variables show.
bool may_be_sum(const llvm::Value &number);

// Of the addresses that an instruction of a kernel, or of a function that it calls, accesses; of a division or a
// shift, of what is on the right; of a conversion, of the number.
Slice slice_of(const llvm::Instruction &instruction);

} // namespace check
