// Stores of vectors that Oclgrind takes apart: of `a[i] = (float4)(x, y, z, w)` it makes a store of nothing, then
// one of each element. A device's compiler stores the vector.
#pragma once
#include "code.h"

namespace simulator {

// Joins the stores of a block's elements that lie side by side: one of them stands for all.
void join_vector_stores(Block &block);

} // namespace simulator
