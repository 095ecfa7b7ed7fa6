-- Heat in a square plate whose edges are kept cold: the heat equation by finite differences, without a kernel of our
-- own. Arrays on the device compute with operators; a step, six operations on five shifted parts, becomes one kernel.
--
-- A plate as warm as sin(pi x) sin(pi y) keeps that form: every step makes it colder by one factor, which is known
-- exactly for the differences too.
local cl = require "clue"

input.int("_size", 256, "points in each direction, edges included", 3, 16384)
input.int("_steps", 500, "steps in time", 1, 1e6)
input.double("_rate", 0.2, "how much of a difference flows in a step; above 0.25 it does not converge", 0.001, 0.25)

-- The warmth of the points: sin(pi x) sin(pi y) for x and y from 0 to 1.
local function warm(queue, size)
  local along = cl.array.float(size)
  for i = 1, size - 2 do along[i] = math.sin(math.pi * i / (size - 1)) end
  return queue:array(along, {size, 1}) * queue:array(along)
end

-- The step that changes `to` from what is in `from`.
local function stepper(from, to, rate)
  local inner, changed = from:slice "1:-1, 1:-1", to:slice "1:-1, 1:-1"
  local up, down = from:slice ":-2, 1:-1", from:slice "2:, 1:-1"
  local left, right = from:slice "1:-1, :-2", from:slice "1:-1, 2:"
  return function()
    changed:assign(inner + rate * (up + down + left + right - 4 * inner))
  end
end

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local first = warm(queue, _size):compute()
  local now, later = first:copy(), first:copy()
  local forward, back = stepper(now, later, _rate), stepper(later, now, _rate)
  for step = 1, _steps do
    if step % 2 == 1 then forward() else back() end
  end
  local final = _steps % 2 == 1 and later or now

  local factor = (1 - 8 * _rate * math.sin(math.pi / (_size - 1) / 2)^2)^_steps
  local difference = (final - factor * first):abs():max()
  assert(difference <= 1e-6 + 1.2e-7 * _steps, -- of rounding
    ("the greatest difference from the solution is %.3g"):format(difference))
  print(("%d x %d points, %d steps: the middle cooled from %.3f to %.4f; difference from the solution at most %.2g")
    :format(_size, _size, _steps, first:max(), final:max(), difference))
end
