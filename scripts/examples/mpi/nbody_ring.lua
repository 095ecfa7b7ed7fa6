-- Bodies that attract each other, computed by several ranks by MPI, each of which has some bodies.
--
--     mpirun -n 4 clue scripts/examples/mpi/nbody_ring.lua
--
-- The ranks form a ring. In each round a rank's device computes how bodies that came from its neighbour pull its own,
-- while the rank passes them on and receives the next. After as many rounds as there are ranks, all have pulled all.
-- Sums of floats depend on their order, so the bodies are in blocks: the pull of each block is kept, and the pulls are
-- added in the order of blocks. So any number of ranks gives the same bodies, bit for bit.
local cl, mpi = require "clue", require "clue.mpi"

input.int("_count", 2048, "bodies", 4)
input.int("_blocks", 4, "blocks of them; each rank has as many", 1)
input.int("_steps", 5, "steps of time", 1)

local KERNEL = [[
#pragma OPENCL FP_CONTRACT OFF
kernel void pull(global const float4 *own, global const float4 *others, global float4 *pulls, const uint first,
                 const uint size) /* bodies in a block; .w is a body's mass */
{
    const uint i = get_global_id(0), block = get_global_id(1);
    float4 sum = 0;
    for (uint k = block * size; k < (block + 1) * size; k++) {
        const float4 other = others[k], way = other - own[i];
        const float square = way.x * way.x + way.y * way.y + way.z * way.z + 0.0025f;
        sum += way * (other.w / (square * sqrt(square)));
    }
    pulls[(first + block) * get_global_size(0) + i] = sum;
}

kernel void move(global float4 *own, global float4 *velocity, global const float4 *pulls, const uint blocks,
                 const float dt)
{
    const uint i = get_global_id(0);
    float4 sum = 0;
    for (uint block = 0; block < blocks; block++)
        sum += pulls[block * get_global_size(0) + i];
    velocity[i] += sum * dt;
    own[i].xyz += velocity[i].xyz * dt;
}
]]

local DT = 0.01
local context = cl.context(mpi.device())
local queue, program = context:queue(), context:program(KERNEL)
local pull, move = program:kernel "pull", program:kernel "move"

-- All bodies, four numbers each: position and mass.
local function all_bodies()
  local bodies = cl.array.float(4 * _count):random(-1, 1, 1)
  for i = 0, _count - 1 do bodies[4 * i + 3] = (1 + bodies[4 * i + 3]) / _count end
  return bodies
end

-- How the bodies of all ranks pull those of this one: one round for each rank.
local function pull_round_the_ring(own, buffers, rank, ranks)
  local here, coming, blocks, size = buffers.here, buffers.coming, _blocks / ranks, _count / _blocks
  queue:read_buffer(own, here)
  for round = 0, ranks - 1 do
    local arriving, leaving
    if round < ranks - 1 then
      arriving, leaving = mpi.ireceive(coming, (rank - 1) % ranks), mpi.isend(here, (rank + 1) % ranks)
    end
    queue:write_buffer(buffers.others, here)
    local first = (rank - round) % ranks * blocks
    pull(queue, {size * blocks, blocks}, nil, own, buffers.others, buffers.pulls, first, size)
    queue:flush()
    if arriving then
      arriving:wait()
      leaving:wait()
    end
    here, coming = coming, here
  end
end

-- The bodies of one of several ranks after all steps, and the seconds that these took by the clock and by the
-- processor.
local function simulate(bodies, rank, ranks)
  local count = _count / ranks
  local mine = bodies:copy(4 * count * rank, 4 * count)
  local own, velocity = context:buffer(mine), context:buffer(cl.array.float(4 * count))
  local buffers = {here = cl.array.float(4 * count), coming = cl.array.float(4 * count),
                   others = context:buffer(mine), pulls = context:buffer(16 * count * _blocks)}
  if ranks > 1 then mpi.barrier() end
  local start, cpu = mpi.time(), cl.cpu_time()
  for _ = 1, _steps do
    pull_round_the_ring(own, buffers, rank, ranks)
    move(queue, count, nil, own, velocity, buffers.pulls, _blocks, DT)
  end
  queue:read_buffer(own, mine)
  return mine, cl.array.double {mpi.time() - start, cl.cpu_time() - cpu}
end

-- The bodies' momentum is the sum of all pulls, which is 0 but for rounding: their centre must not move.
local function drift(before, after)
  local sum = 0
  for i = 0, _count - 1 do sum = sum + before[4 * i + 3] * (after[4 * i] - before[4 * i]) end
  return math.abs(sum)
end

local function check(bodies, whole, ranks, times)
  local alone, alone_times = simulate(bodies, 0, 1)
  local other = whole:compare(alone)
  assert(not other, ("number %s is %g, one rank alone computes %g"):format(other, whole[other or 0], alone[other or 0]))
  assert(bodies:compare(whole), "no body has moved")
  assert(drift(bodies, whole) < 1e-5, ("their centre moved by %g"):format(drift(bodies, whole)))
  print(("%d bodies, %d steps: the same as by one rank, bit for bit; sum %.17g"):format(_count, _steps, whole:sum()))
  print(("%d of %d ranks on this machine: %.1f ms (processors %.1f ms), one rank alone %.1f ms (%.1f ms)"):format(
    mpi.local_size(), ranks, times[0] * 1e3, times[1] * 1e3, alone_times[0] * 1e3, alone_times[1] * 1e3))
  print(("efficiency %.2f"):format(alone_times[0] / times[0] / ranks))
end

function OnStart()
  local rank, ranks = mpi.rank(), mpi.size()
  assert(_blocks % ranks == 0 and _count % _blocks == 0,
    ("%d ranks cannot have as many of %d blocks each, of %d bodies"):format(ranks, _blocks, _count))
  local bodies = all_bodies()
  simulate(bodies, rank, ranks) -- for nothing: drivers compile at the first launch
  local part, times = simulate(bodies, rank, ranks)
  mpi.all_reduce(times, "max", {count = 1})
  mpi.all_reduce(times, "sum", {first = 1})
  local whole = rank == 0 and cl.array.float(4 * _count) or nil
  mpi.gather(part, whole)
  if rank == 0 then check(bodies, whole, ranks, times) end
  mpi.barrier() -- ranks that wait sleep, so they do not slow down the one that computes alone
end
