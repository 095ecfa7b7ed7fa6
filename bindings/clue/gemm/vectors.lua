--- Products whose C is one column or one row, for @{clue.gemm.gpu}: a matrix by a vector, kernels/gemv.cl. Memory is
-- what limits them: each element of the matrix is read once.
-- @module clue.gemm.vectors
local algorithm = require "clue.compute.algorithm"
local programs = require "clue.program"
local ranking = require "clue.device_ranking"
local storage = require "clue.gemm.storage"
local sums = require "clue.gemm.sums"

local vectors = {}

local raw = {"uchar", "ushort", [4] = "uint", [8] = "uint2", [16] = "uint4"} -- by bytes

-- Measured on an H200. X by rows: work-items of a group, the most that share a row, loads of a work-item that are on
-- their way, in elements and at most, and groups that keep a compute unit busy.
local ROWS = {LOAD = 16, ITEMS = 128, ACROSS = 128, AHEAD = 32, UNROLL = 8, GROUPS = 16}
-- X by columns: bytes of a load and of the least one, work-items of a group, where K is long, of a row of it, and of a
-- group at least; the same, in bytes.
local COLUMNS = {
  LOAD = 16, LEAST = 4, ITEMS = 1024, ACROSS = 16, LEAST_ITEMS = 256, AHEAD = 128, UNROLL = 16, GROUPS = 2,
}
local MOST_WIDTH = 8 -- elements of a load: for 16, LLVM makes numbers of 128 bits, which Oclgrind cannot compute
local LEAST_BATCHES = 8 -- of a work-item where groups share K, since adding their sums takes a second kernel
local MOST_TURNS = 60000 -- of loops on a device that ends them after 65535

--- Whether a product is one.
-- @tparam table call as @{clue.gemm} checked it
-- @treturn boolean
function vectors.suits(call) return call.m == 1 or call.n == 1 end

-- The product as alpha X v + beta y. x, v: which factor each is; m: elements of y.
local function view_of(call)
  if call.n == 1 then
    return {x = "a", v = "b", m = call.m, by_columns = call.transpose_a, ldx = call.lda,
            v_step = call.transpose_b and 1 or call.ldb, y_step = call.ldc}
  end
  return {x = "b", v = "a", m = call.n, by_columns = not call.transpose_b, ldx = call.ldb,
          v_step = call.transpose_a and call.lda or 1, y_step = 1}
end

-- The most elements, up to so many, by which a factor may be loaded. length: of its rows, as stored; ld: their
-- distance.
local function width_of(call, name, most, bytes, length, ld)
  local _, start = storage.place(call[name])
  local first, width = start / bytes + call[name .. "_offset"], most
  while length % width ~= 0 or ld % width ~= 0 or first % width ~= 0 do width = width / 2 end
  return width
end

-- The greatest power of 2 that is not above a number, or 1; and the least that is not below it.
local function power_below(number)
  local power = 1
  while 2 * power <= number do power = 2 * power end
  return power
end
local function power_above(number)
  local power = 1
  while power < number do power = 2 * power end
  return power
end

-- X by rows: work-items share a row, as many as leave each some 8 pieces of it, where it is not long.
local function by_rows(width, k, most)
  local pieces = k / width
  local across = math.min(ROWS.ACROSS, power_above(pieces / (pieces < 8 * ROWS.ACROSS and 8 or 1)), most)
  local unroll = math.min(ROWS.UNROLL, math.max(ROWS.AHEAD / width, 1), power_above(pieces / across))
  return {ACROSS = across, DOWN = math.max(math.min(ROWS.ITEMS, most) / across, 1), WIDTH = width, UNROLL = unroll}
end

-- X by columns: each work-item has several loads, and they are as wide as leaves enough groups.
local function by_columns(width, bytes, m, k, units, most)
  local down = math.min(COLUMNS.ITEMS / COLUMNS.ACROSS, math.max(most / COLUMNS.ACROSS, 1),
    power_above(k / COLUMNS.UNROLL))
  local across = math.min(math.max(COLUMNS.ACROSS, COLUMNS.LEAST_ITEMS / down), most / down)
  local wide = math.min(width, math.max(COLUMNS.LEAST / bytes, 1))
  while wide < width and m / (across * wide) > COLUMNS.GROUPS * units do wide = 2 * wide end
  local unroll = math.min(COLUMNS.UNROLL, COLUMNS.AHEAD / (wide * bytes), power_above(k / down))
  return {ACROSS = across, DOWN = down, WIDTH = wide, UNROLL = unroll}
end

-- Divides K among groups if there are too few, and so that no device ends a work-item's loops.
local function divide(made, is_by_columns, m, k, device)
  local form = is_by_columns and COLUMNS or ROWS
  local tiles = math.ceil(m / (is_by_columns and made.ACROSS * made.WIDTH or made.DOWN))
  local at_once = is_by_columns and made.DOWN or made.ACROSS * made.WIDTH -- elements along K
  local splits = math.min(form.GROUPS * device.units / tiles, k / (at_once * made.UNROLL * LEAST_BATCHES))
  if device.ends_loops then splits = math.max(splits, k / at_once * (4 + 4 * made.WIDTH) / MOST_TURNS + 1) end
  made.share = math.ceil(k / math.max(math.floor(splits), 1) / at_once) * at_once
  made.tiles, made.splits = tiles, math.max(math.ceil(k / math.max(made.share, 1)), 1)
  return made
end

--- How a product is divided among work-items.
-- @tparam boolean is_by_columns as gemv.cl's BY_COLUMNS
-- @tparam number width the widest load, in elements
-- @tparam number bytes of an element
-- @tparam number m elements of y
-- @tparam number k
-- @tparam table device units (compute units), most (the most work-items in a group), ends_loops
-- @treturn table ACROSS, DOWN, WIDTH, UNROLL: see gemv.cl; tiles: groups in dimension 0; splits: groups that share K;
--   share: what each has of it
function vectors.division(is_by_columns, width, bytes, m, k, device)
  local most = power_below(device.most)
  local made = is_by_columns and by_columns(width, bytes, m, k, device.units, most) or by_rows(width, k, most)
  return divide(made, is_by_columns, m, k, device)
end

local function kernel_of(self, call, view, by)
  local stored, width = self.stored.a, by.WIDTH
  local wide = not view.by_columns and view.v_step == 1 and width_of(call, view.v, width, stored, 0, 0) == width
  local defines = {REAL = storage.sum(self.type_name), STORED = self.type_name,
                   RESULT = storage.result(self.type_name), BY_COLUMNS = view.by_columns and 1 or 0,
                   ACROSS = by.ACROSS, DOWN = by.DOWN, WIDTH = width, RAW = raw[width * stored],
                   V_WIDTH = wide and width or 1, UNROLL = by.UNROLL, SHARED = by.splits > 1 and 1 or 0}
  local key = "gemv " .. storage.key(defines)
  if not self.kernels[key] then
    self.kernels[key] = programs.new(self.context, '#include "gemv.cl"\n',
      programs.options {self.options, defines = defines}):kernel "gemv"
  end
  return self.kernels[key]
end

--- What is launched for a product.
-- @tparam table self of @{clue.gemm.gpu.new}
-- @tparam table call as @{clue.gemm} checked it
-- @tparam number units compute units
-- @treturn table for @{launch}
function vectors.step(self, call, units)
  local view, stored, doubt = view_of(call), self.stored.a, ranking.doubt(self.context.device)
  local form = view.by_columns and COLUMNS or ROWS
  local width = width_of(call, view.x, math.min(form.LOAD / stored, MOST_WIDTH), stored,
    view.by_columns and view.m or call.k, view.ldx)
  local by = vectors.division(view.by_columns, width, stored, view.m, call.k,
    {units = units, most = self.context.device.max_work_group_size, ends_loops = doubt and doubt.wrong})
  local made = {view = view, share = by.share, items = {by.ACROSS, by.DOWN},
                global = {by.tiles * by.ACROSS, by.splits * by.DOWN}, kernel = kernel_of(self, call, view, by)}
  if by.splits > 1 then
    made.adding = sums.new(made.kernel.program.gemm_sum, call.m, call.n, by.splits, 1, self.bytes)
  end
  return made
end

--- Enqueues a product.
-- @tparam queue queue
-- @tparam table call as @{clue.gemm} checked it
-- @tparam table step of @{step}
-- @treturn event
function vectors.launch(queue, call, step)
  local view, kernel = step.view, step.kernel
  local x, x_first, v, v_first = call[view.x], call[view.x .. "_offset"], call[view.v], call[view.v .. "_offset"]
  if not step.adding then
    return (kernel(queue, step.global, step.items, view.m, call.k, step.share, call.alpha, x, x_first, view.ldx, v,
      v_first, view.v_step, call.beta, call.c, call.c_offset, view.y_step))
  end
  local partial = algorithm.scratch(queue, "gemm", step.adding.bytes)
  local event = kernel(queue, step.global, step.items, view.m, call.k, step.share, 1, x, x_first, view.ldx, v, v_first,
    view.v_step, 0, partial, 0, 1)
  return (sums.add(queue, event, step.adding, partial, call, call.c_offset))
end

return vectors
