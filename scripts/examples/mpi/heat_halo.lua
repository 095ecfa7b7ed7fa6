-- Heat in a square plate, computed by several ranks by MPI, each of which has some rows.
--
--     mpirun -n 4 clue scripts/examples/mpi/heat_halo.lua
--
-- A step needs the rows next to a rank's own, which its neighbours have: the halo. While these rows travel, the device
-- already computes all rows that do not need them. Every point is computed in the same way wherever it is, so any
-- number of ranks gives the same plate, bit for bit.
local cl, mpi = require "clue", require "clue.mpi"

input.int("_size", 1026, "points in each direction, edges included", 3, 16384)
input.int("_steps", 100, "steps in time", 1, 1e6)
input.double("_rate", 0.2, "how much of a difference flows in a step; above 0.25 it does not converge", 0.001, 0.25)

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
kernel void advance(global const float *before, global float *after, const uint first, const uint size,
                    const float rate)
{
    const uint x = get_global_id(0) + 1, at = (get_global_id(1) + first) * size + x;
    const float own = before[at];
    after[at] = own + rate * ((before[at - size] + before[at + size]) + (before[at - 1] + before[at + 1]) - 4 * own);
}
]]

local context = cl.context(mpi.device())
local queue, advance = context:queue(), context:program(KERNEL):kernel "advance"

-- The rows of a rank, edges left out: how many, and how many are before them.
local function share(rank, ranks)
  local before = math.floor((_size - 2) * rank / ranks)
  return math.floor((_size - 2) * (rank + 1) / ranks) - before, before
end

-- A rank's rows of a plate as warm as sin(pi x) sin(pi y), between a row of halo on either side.
local function warm(rows, before)
  local plate, along = cl.array.float((rows + 2) * _size), {}
  for i = 0, _size - 1 do along[i] = i < _size - 1 and math.sin(math.pi * i / (_size - 1)) or 0 end
  for row = 0, rows + 1 do
    for x = 0, _size - 1 do plate[row * _size + x] = along[before + row] * along[x] end
  end
  return plate
end

-- Sends the first and the last of a rank's rows to its neighbours and receives theirs. Returns what to wait for.
local function exchange(plate, rows, rank, ranks, edges)
  local arriving, leaving = {}, {}
  for side, neighbour in ipairs {rank - 1, rank + 1} do
    if neighbour >= 0 and neighbour < ranks then
      local edge, own, halo = edges[side], side == 1 and 1 or rows, side == 1 and 0 or rows + 1
      arriving[#arriving + 1] = {mpi.ireceive(edge.halo, neighbour), edge.halo, halo}
      queue:read_buffer(plate, edge.own, {offset = 4 * own * _size})
      leaving[#leaving + 1] = mpi.isend(edge.own, neighbour)
    end
  end
  return arriving, leaving
end

-- The rows of one of several ranks after all steps, and the seconds that these took by the clock and by the processor.
local function solve(rank, ranks)
  local rows, before = share(rank, ranks)
  local plate, edges = warm(rows, before), {}
  for side = 1, 2 do edges[side] = {own = cl.array.float(_size), halo = cl.array.float(_size)} end
  local now, later = context:buffer(plate), context:buffer(plate)
  if ranks > 1 then mpi.barrier() end
  local start, cpu = mpi.time(), cl.cpu_time()
  for _ = 1, _steps do
    local arriving, leaving = exchange(now, rows, rank, ranks, edges)
    if rows > 2 then advance(queue, {_size - 2, rows - 2}, nil, now, later, 2, _size, _rate) end
    queue:flush()
    for _, each in ipairs(arriving) do
      each[1]:wait()
      queue:write_buffer(now, each[2], {offset = 4 * each[3] * _size})
    end
    advance(queue, {_size - 2, 1}, nil, now, later, 1, _size, _rate)
    if rows > 1 then advance(queue, {_size - 2, 1}, nil, now, later, rows, _size, _rate) end
    for _, each in ipairs(leaving) do each:wait() end
    now, later = later, now
  end
  queue:read_buffer(now, plate)
  return plate, cl.array.double {mpi.time() - start, cl.cpu_time() - cpu}
end

-- All rows on rank 0, edges included.
local function collect(part, rank, ranks)
  local rows = share(rank, ranks)
  if rank > 0 then return mpi.send(part, 0, {first = _size, count = rows * _size}) end
  local whole = cl.array.float(_size * _size)
  whole:copy_from(part, 0, 0, (rows + 1) * _size)
  for other = 1, ranks - 1 do
    local count, before = share(other, ranks)
    mpi.receive(whole, other, {first = (before + 1) * _size, count = count * _size})
  end
  return whole
end

-- Compares with what this rank computes alone, and with the solution: every step makes the plate colder by one factor.
local function check(whole, ranks, times)
  local alone, alone_times = solve(0, 1)
  local other = whole:compare(alone)
  assert(not other, ("point %s is %g, one rank alone computes %g"):format(other, whole[other or 0], alone[other or 0]))
  local factor = (1 - 8 * _rate * math.sin(math.pi / (_size - 1) / 2)^2)^_steps
  local middle = math.floor(_size / 2) * (_size + 1)
  local right = factor * math.sin(math.pi * math.floor(_size / 2) / (_size - 1))^2
  assert(math.abs(whole[middle] - right) <= 1e-6 + 1.2e-7 * _steps,
    ("the middle is %.7g, should be %.7g"):format(whole[middle], right))
  print(("%d x %d points, %d steps: the same as by one rank, bit for bit; sum %.17g"):format(_size, _size, _steps,
    whole:sum()))
  print(("%d of %d ranks on this machine: %.1f ms (processors %.1f ms), one rank alone %.1f ms (%.1f ms)"):format(
    mpi.local_size(), ranks, times[0] * 1e3, times[1] * 1e3, alone_times[0] * 1e3, alone_times[1] * 1e3))
  print(("efficiency %.2f"):format(alone_times[0] / times[0] / ranks))
end

function OnStart()
  local rank, ranks = mpi.rank(), mpi.size()
  assert(ranks <= _size - 2, "there are more ranks than rows")
  solve(rank, ranks) -- for nothing: drivers compile at the first launch
  local part, times = solve(rank, ranks)
  mpi.all_reduce(times, "max", {count = 1})
  mpi.all_reduce(times, "sum", {first = 1})
  local whole = collect(part, rank, ranks)
  if rank == 0 then check(whole, ranks, times) end
  mpi.barrier() -- ranks that wait sleep, so they do not slow down the one that computes alone
end
