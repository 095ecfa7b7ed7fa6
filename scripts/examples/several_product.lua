-- A matrix product by several devices: each holds A and B, and computes the rows of C that it gets.
--
-- The elements are small whole numbers, so every sum is exact, and the host can check C by a vector: C v = A (B v).
local cl = require "clue"

input.int("_size", 384, "rows and columns", 1, 8192)
input.string("_devices", "all", "the devices, as --device names them")

local KERNEL = [[
kernel void product(global const float *a, global const float *b, global float *c, const uint first)
{
    const uint j = get_global_id(0), i = first + get_global_id(1), n = get_global_size(0);
    float sum = 0;
    for (uint k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}
]]

local function times_vector(matrix, vector, n)
  local result = {}
  for i = 0, n - 1 do
    local sum = 0
    for k = 0, n - 1 do sum = sum + matrix[i * n + k] * vector[k] end
    result[i] = sum
  end
  return result
end

local function check(a, b, c, n)
  local v = cl.array.int(n):random(-2, 3, 3)
  local found, right = times_vector(c, v, n), times_vector(a, times_vector(b, v, n), n)
  for i = 0, n - 1 do
    assert(found[i] == right[i], ("row %d times the vector is %g, should be %g"):format(i, found[i], right[i]))
  end
end

function OnStart()
  local n = _size
  local function whole(seed) return cl.array.float(n * n):copy_from(cl.array.int(n * n):random(-4, 5, seed)) end
  local a, b, c = whole(1), whole(2), cl.array.float(n * n)
  local done = cl.each_device(n, _devices, function(worker)
    local context, queue = worker.context, worker.queue
    local product = context:program(KERNEL):kernel "product"
    local on_a, on_b = context:buffer(a, "read_only"), context:buffer(b, "read_only")
    local on_c = context:buffer(c:bytes())
    return function(first, rows)
      product(queue, {n, rows}, nil, on_a, on_b, on_c, first)
      return queue:read_buffer(on_c, c, {offset = 4 * n * first, first = n * first, count = n * rows, blocking = false})
    end
  end)
  check(a, b, c, n)
  print(("%d rows of C right; %s"):format(n, tostring(done)))
end
