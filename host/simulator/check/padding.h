// The bytes of a struct that no member has: copying structs copies them, written or not.
#pragma once
#include "written.h"

namespace llvm {
class DataLayout;
class Type;
class Value;
} // namespace llvm

namespace check {

// The type that a block copy's pointer leads to, before the compiler made bytes of it.
llvm::Type *copied_type(const llvm::Value &pointer);

// Makes the padding of values of a type that lie one after the other count as written. Of a union nobody knows
// which member is in use, so all of it counts.
void write_padding(Bits &bits, llvm::Type &type, const llvm::DataLayout &layout);

} // namespace check
