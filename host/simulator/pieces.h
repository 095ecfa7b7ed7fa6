// The instructions that a device makes of an access to a vector. Compilers leave elements out that nobody uses, and
// load or store what is left in aligned pieces of 1, 2, 4, 8 or 16 bytes.
//
// The rules are those that NVIDIA's compiler followed for an H200: of a float4, x and y are one load of 8 bytes; x,
// y and z are one of 16 bytes, but stores of 8 and 4; x and w are two of 4.
#pragma once
#include "code.h"

namespace simulator {

// The pieces of a vector that a load takes; none if that is all of it, or no vector.
std::vector<Piece> pieces_of_load(const llvm::Instruction &instruction);

// The pieces of a store of some elements, side by side, of a vector of so many; from the first of these on.
std::vector<Piece> pieces_of_store(size_t first, size_t count, size_t of, uint32_t size);

} // namespace simulator
