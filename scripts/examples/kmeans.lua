-- k-means: divides points of the plane into clusters, so that each point is nearest to the mean of its own.
--
-- Everything happens on the device, without a kernel of the script's: queue:random makes the points around known
-- middles, an elementwise operation finds each point's nearest centre, and a reduction the mean of each cluster. Only
-- the few centres go through the host. The last round is checked there, and the centres against the known middles.
local cl = require "clue"

input.int("_count", 2^20, "points", 1, 2^24)
input.int("_clusters", 6, "clusters", 1, 64)
input.int("_rounds", 50, "rounds at most", 1)
input.int("_seed", 3, "seed of the points")

local POINTS = "int clusters, constant float2 *centres, const float2 *points"
local NEAREST = [[
  int best = 0;
  float least = INFINITY;
  for (int k = 0; k < clusters; k++) {
    const float2 away = points[i] - centres[k];
    const float square = dot(away, away);
    if (square < least) {
      least = square;
      best = k;
    }
  }
  nearest[i] = best;
]]

local function vector(array, i)
  return array[2 * i], array[2 * i + 1]
end

-- The middles are on a circle of radius 1, and the points lie around them.
local function make_points(context, queue)
  local middles, points = cl.array.float(2 * _clusters), context:buffer(8 * _count)
  for k = 0, _clusters - 1 do
    local turn = 2 * math.pi * k / _clusters
    middles[2 * k], middles[2 * k + 1] = math.cos(turn), math.sin(turn)
  end
  local scatter = context:elementwise("int clusters, constant float2 *middles, float2 *points",
    "points[i] += middles[i % clusters]")
  queue:random(points, "float", {distribution = "normal", deviation = 1 / _clusters, seed = _seed})
  scatter(queue, _clusters, context:buffer(middles), points)
  return points, middles
end

-- The sum of a cluster's points, their number, and their squares.
local function means_of(context)
  return context:reduction("int cluster, const int *nearest, const float2 *points", {
    type = "float4", reduce = "a + b", identity = "(float4)(0)",
    map = "nearest[i] == cluster ? (float4)(points[i], 1, dot(points[i], points[i])) : (float4)(0)"})
end

local function check(points, nearest, centres, before)
  local sums, counts = cl.array.double(2 * _clusters), cl.array.int(_clusters)
  local function square(i, k)
    local x, y = vector(points, i)
    local cx, cy = vector(before, k)
    return (x - cx) ^ 2 + (y - cy) ^ 2
  end
  for i = 0, _count - 1 do
    local own = nearest[i]
    local least = square(i, own)
    for k = 0, _clusters - 1 do
      if square(i, k) < least - 1e-5 then error(("point %d is nearer to centre %d than to %d"):format(i, k, own)) end
    end
    counts[own] = counts[own] + 1
    sums[2 * own], sums[2 * own + 1] = sums[2 * own] + points[2 * i], sums[2 * own + 1] + points[2 * i + 1]
  end
  for k = 0, _clusters - 1 do
    for axis = 0, 1 do
      local mean, found = sums[2 * k + axis] / counts[k], centres[2 * k + axis]
      if counts[k] > 0 and math.abs(mean - found) > 1e-4 then
        error(("centre %d is at %.6f, should be at %.6f"):format(k, found, mean))
      end
    end
  end
end

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local points, middles = make_points(context, queue)
  local nearest, on_device = context:buffer(4 * _count), context:buffer(8 * _clusters)
  local assign = context:elementwise(POINTS .. ", int *nearest", NEAREST)
  local means = means_of(context)

  -- The first centres are the middles, moved away.
  local centres = cl.array.float(2 * _clusters)
  for i = 0, 2 * _clusters - 1 do centres[i] = 0.3 * middles[i] + 0.1 end
  local before, moved, rounds = nil, 1, 0
  while moved > 1e-6 and rounds < _rounds do
    before, moved, rounds = centres:copy(), 0, rounds + 1
    queue:write_buffer(on_device, centres)
    assign(queue, _clusters, on_device, points, nearest)
    for k = 0, _clusters - 1 do
      local sum = means(queue, k, nearest, points)
      for axis = 0, 1 do
        if sum[3] > 0 then centres[2 * k + axis] = sum[1 + axis] / sum[3] end
        moved = math.max(moved, math.abs(centres[2 * k + axis] - before[2 * k + axis]))
      end
    end
  end

  local own, all = cl.array.int(_count), cl.array.float(2 * _count)
  queue:read_buffer(nearest, own):read_buffer(points, all)
  check(all, own, centres, before)
  local off = 0
  for i = 0, 2 * _clusters - 1 do off = math.max(off, math.abs(centres[i] - middles[i])) end
  print(("%d points in %d clusters after %d rounds; centres at most %.4f from the middles"):format(_count, _clusters,
    rounds, off))
end
