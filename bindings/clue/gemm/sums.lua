--- Products whose groups share K: each group leaves its own sums, and kernels/gemm_sum.cl adds them, for
-- @{clue.gemm.gpu} and @{clue.gemm.cpu}.
-- @module clue.gemm.sums
local algorithm = require "clue.compute.algorithm"

local sums = {}

local MOST_KEPT, SHARE = 2 ^ 31, 1 / 8 -- bytes; of the device's memory
local MOST_ITEMS, MOST_DOWN = 256, 8 -- of gemm_sum's groups

--- The bytes that a product may keep besides its matrices.
-- @tparam device device
-- @treturn number
function sums.most_kept(device) return math.min(MOST_KEPT, SHARE * device.global_mem_size) end

--- How the sums of a product are added.
-- @tparam kernel kernel gemm_sum
-- @tparam number m
-- @tparam number n
-- @tparam number splits groups for each tile of C
-- @tparam number width elements that the kernel adds at once
-- @tparam number bytes of a sum
-- @tparam number shared at most so many work-items share an element of C, each with some of the groups' sums
-- @treturn table bytes (of all groups' sums), and what @{add} needs
function sums.new(kernel, m, n, splits, width, bytes, shared)
  local most = math.min(MOST_ITEMS, kernel.program.context.device.max_work_group_size)
  local down = 1
  while 2 * down <= math.min(splits, shared or MOST_DOWN, most) do down = 2 * down end
  local items = math.floor(most / down) * down
  return {kernel = kernel, m = m, n = n, splits = splits, down = down, items = items,
          global = math.ceil(m * n / width / (items / down)) * items, bytes = splits * m * n * bytes}
end

--- Enqueues the addition.
-- @tparam queue queue
-- @tparam event previous the product
-- @tparam table self of @{new}
-- @tparam buffer partial the groups' sums
-- @tparam table call as @{clue.gemm} checked it
-- @tparam number c_offset the first element of C
-- @treturn event
function sums.add(queue, previous, self, partial, call, c_offset)
  return (algorithm.step(queue, previous, self.kernel, self.global, self.items, self.m, self.n, self.splits, self.down,
    call.alpha, partial, call.beta, call.c, c_offset, call.ldc))
end

return sums
