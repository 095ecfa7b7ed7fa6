-- A matrix product, computed by several ranks by MPI, each of which has a block of each matrix.
--
--     mpirun -n 4 clue scripts/examples/mpi/summa.lua
--
-- SUMMA (van de Geijn and Watts, 1997): A is cut into panels of columns and B into panels of rows. The ranks form a
-- grid. In each step those that have a panel send their parts of it, of A along their row of the grid and of B along
-- their column, and every rank adds the product of two parts to its block of C. The next panels travel while the device
-- computes. Each element adds its products in one order, so any number of ranks gives the same matrix, bit for bit.
local cl, mpi = require "clue", require "clue.mpi"

input.int("_size", 512, "rows and columns", 2)
input.int("_panel", 64, "columns of A, and rows of B, in a panel", 1)

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
kernel void add_product(global const float *a, global const float *b, global float *c, const uint panel)
{
    const uint column = get_global_id(0), row = get_global_id(1), columns = get_global_size(0);
    float sum = c[row * columns + column];
    for (uint k = 0; k < panel; k++)
        sum += a[row * panel + k] * b[k * columns + column];
    c[row * columns + column] = sum;
}
]]

local context = cl.context(mpi.device())
local queue, add_product = context:queue(), context:program(KERNEL):kernel "add_product"

-- The grid of ranks, as square as it can be; where a rank is in it; the rows and columns of a block.
local function grid_of(rank, ranks)
  local rows = math.floor(math.sqrt(ranks))
  while ranks % rows > 0 do rows = rows - 1 end
  local grid = {rows = rows, columns = ranks / rows, row = math.floor(rank * rows / ranks)}
  grid.column = rank - grid.row * grid.columns
  grid.height, grid.width = _size / grid.rows, _size / grid.columns
  return grid
end

-- Row i of a matrix; every rank can compute each.
local function row_of(matrix, i)
  return cl.array.float(_size):random(-1, 1, matrix * _size + i)
end

-- This rank's blocks: of A panel after panel, each by rows; of B by rows. So a part of a panel is one range of either.
local function blocks_of(grid)
  local a, b = cl.array.float(grid.height * grid.width), cl.array.float(grid.height * grid.width)
  for i = 0, grid.height - 1 do
    local row = row_of(0, grid.row * grid.height + i)
    for panel = 0, grid.width / _panel - 1 do
      a:copy_from(row, grid.column * grid.width + panel * _panel, (panel * grid.height + i) * _panel, _panel)
    end
    b:copy_from(row_of(1, grid.row * grid.height + i), grid.column * grid.width, i * grid.width, grid.width)
  end
  return a, b
end

-- Starts to bring one part of a panel to where it is needed: the rank that owns it sends it to the other ranks of a row
-- or a column of the grid. Returns the array that it is in, its first element there, and what to wait for.
local function bring(block, room, count, owner, own, others)
  if owner ~= own then return room, 0, {mpi.ireceive(room, others[owner], {count = count})} end
  local at, requests = block.at, {}
  block.at = block.at + count
  for place, rank in pairs(others) do
    if place ~= own then requests[#requests + 1] = mpi.isend(block.array, rank, {first = at, count = count}) end
  end
  return block.array, at, requests
end

-- Starts to bring panel k: first what it takes of A, then of B.
local function bring_panel(k, a, b, grid, line, room)
  local height, width = _panel * grid.height, _panel * grid.width
  local part = {a = {}, b = {}}
  part.a = {bring(a, room.a, height, math.floor(k * _panel / grid.width), grid.column, line.row)}
  part.b = {bring(b, room.b, width, math.floor(k * _panel / grid.height), grid.row, line.column)}
  return part
end

local function wait_for(part)
  for _, each in ipairs {part.a, part.b} do
    for _, request in ipairs(each[3]) do request:wait() end
  end
end

-- The ranks in the same row and in the same column of the grid, by their place there.
local function line_of(grid)
  local line = {row = {}, column = {}}
  for column = 0, grid.columns - 1 do line.row[column] = grid.row * grid.columns + column end
  for row = 0, grid.rows - 1 do line.column[row] = row * grid.columns + grid.column end
  return line
end

-- The block of C of one of several ranks, and the seconds that it took by the clock and by the
-- processor.
local function multiply(rank, ranks)
  local grid = grid_of(rank, ranks)
  local line, height, width = line_of(grid), _panel * grid.height, _panel * grid.width
  local first, second = blocks_of(grid)
  local a, b, rooms = {array = first, at = 0}, {array = second, at = 0}, {}
  for i = 0, 1 do rooms[i] = {a = cl.array.float(height), b = cl.array.float(width)} end
  local left, right = context:buffer(4 * height), context:buffer(4 * width)
  local result = cl.array.float(grid.height * grid.width)
  local c, panels = context:buffer(result), _size / _panel
  if ranks > 1 then mpi.barrier() end
  local start, cpu = mpi.time(), cl.cpu_time()
  local part = bring_panel(0, a, b, grid, line, rooms[0])
  for k = 0, panels - 1 do
    wait_for(part)
    queue:write_buffer(left, part.a[1], {first = part.a[2], count = height})
    queue:write_buffer(right, part.b[1], {first = part.b[2], count = width})
    add_product(queue, {grid.width, grid.height}, nil, left, right, c, _panel)
    queue:flush()
    if k < panels - 1 then part = bring_panel(k + 1, a, b, grid, line, rooms[(k + 1) % 2]) end
  end
  queue:read_buffer(c, result)
  return result, cl.array.double {mpi.time() - start, cl.cpu_time() - cpu}
end

-- All blocks, as they come from the ranks, put where they belong.
local function assemble(blocks, ranks)
  local whole = cl.array.float(_size * _size)
  for rank = 0, ranks - 1 do
    local grid = grid_of(rank, ranks)
    for i = 0, grid.height - 1 do
      whole:copy_from(blocks, (rank * grid.height + i) * grid.width,
        (grid.row * grid.height + i) * _size + grid.column * grid.width, grid.width)
    end
  end
  return whole
end

-- Compares the middle row with sums in double.
local function check_row(whole)
  local i, sums = math.floor(_size / 2), {}
  local left = row_of(0, i)
  for k = 0, _size - 1 do
    local right = row_of(1, k)
    for j = 0, _size - 1 do sums[j] = (sums[j] or 0) + left[k] * right[j] end
  end
  for j = 0, _size - 1 do
    local found = whole[i * _size + j]
    assert(math.abs(found - sums[j]) < 1e-6 * _size,
      ("element %d, %d is %g, should be %g"):format(i, j, found, sums[j]))
  end
end

local function check(whole, ranks, times)
  local alone, alone_times = multiply(0, 1)
  local other = whole:compare(alone)
  assert(not other,
    ("element %s is %g, one rank alone computes %g"):format(other, whole[other or 0], alone[other or 0]))
  check_row(whole)
  print(("%d x %d elements, panels of %d: the same as by one rank, bit for bit; sum %.17g"):format(_size, _size, _panel,
    whole:sum()))
  print(("%d of %d ranks on this machine: %.1f ms (processors %.1f ms), one rank alone %.1f ms (%.1f ms)"):format(
    mpi.local_size(), ranks, times[0] * 1e3, times[1] * 1e3, alone_times[0] * 1e3, alone_times[1] * 1e3))
  print(("efficiency %.2f"):format(alone_times[0] / times[0] / ranks))
end

function OnStart()
  local rank, ranks = mpi.rank(), mpi.size()
  local grid = grid_of(rank, ranks)
  assert(grid.width % _panel == 0 and grid.height % _panel == 0,
    ("panels of %d do not divide blocks of %g x %g"):format(_panel, grid.height, grid.width))
  multiply(rank, ranks) -- for nothing: drivers compile at the first launch
  local block, times = multiply(rank, ranks)
  mpi.all_reduce(times, "max", {count = 1})
  mpi.all_reduce(times, "sum", {first = 1})
  local blocks = rank == 0 and cl.array.float(_size * _size) or nil
  mpi.gather(block, blocks)
  if rank == 0 then check(assemble(blocks, ranks), ranks, times) end
  mpi.barrier() -- ranks that wait sleep, so they do not slow down the one that computes alone
end
