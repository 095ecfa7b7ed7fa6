// Stores of vectors that Oclgrind takes apart: of `a[i] = (float4)(x, y, z, w)` it makes a store of nothing, then
// one of each element. A device's compiler stores the vector. And of `a[i].y = y` Oclgrind makes a store of the
// element alone, where a device's compiler loads the vector, and stores it with another y.
#pragma once
#include "code.h"

namespace simulator {

// Joins the stores of a block's elements that lie side by side: one of them stands for all. That of a single
// element becomes that of its vector.
void join_vector_stores(Block &block);

} // namespace simulator
