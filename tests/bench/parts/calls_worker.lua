-- Kernel calls through clue's objects, for tests/bench/prototype. Apart from the last operation, only the cost for the
-- script counts. On a CPU, the kernels wait for a user event until they are all enqueued, since the driver would run
-- them on the cores that enqueue. The queues do not profile, as PyOpenCL's do not by default.
local cl = require "clue"
local now = require "clock"
local serve = require "serve"

local GATED = 500 -- calls that wait for one event; more could fill a driver's queue

local context = cl.context()
local plain = context:queue {profiling = false}
local profiling = context:queue()
local on_cpu = context.device:is_kind "cpu"
local folder = arg[0]:match "^(.*/)" or ""
local program = context:program(cl.read_file(folder .. "overhead.cl"))
local f1, f4, f8 = program:kernel "f1", program:kernel "f4", program:kernel "f8"
local x = context:buffer(4096)

-- The operation that makes calls from a first to a last number. Gives its seconds.
local function enqueueing(calls, on)
  local queue = on or plain
  return function(count)
    local seconds = 0
    for first = 1, count, GATED do
      local gate = on_cpu and context:user_event()
      if gate then queue:after(gate):barrier() end
      local start = now()
      calls(first, math.min(first + GATED - 1, count))
      seconds = seconds + now() - start
      if gate then gate:complete() end
      queue:finish()
    end
    return seconds
  end
end

serve {
  ["call, 1 argument"] = enqueueing(function(first, last)
    for _ = first, last do f1(plain, 64, nil, x) end
  end),
  ["call, 4 arguments"] = enqueueing(function(first, last)
    for i = first, last do f4(plain, 64, nil, x, i, x, i) end
  end),
  ["call, 8 arguments"] = enqueueing(function(first, last)
    for i = first, last do f8(plain, 64, nil, x, i, x, i, x, i, x, i) end
  end),

  -- These ask each call's event for its state.
  ["call, 1 argument, event"] = enqueueing(function(first, last)
    for _ = first, last do assert(f1(plain, 64, nil, x).status) end
  end),
  ["call, 4 arguments, event"] = enqueueing(function(first, last)
    for i = first, last do assert(f4(plain, 64, nil, x, i, x, i).status) end
  end),
  ["call, 8 arguments, event"] = enqueueing(function(first, last)
    for i = first, last do assert(f8(plain, 64, nil, x, i, x, i, x, i, x, i).status) end
  end),

  ["call, 4 arguments, profiling"] = enqueueing(function(first, last)
    for i = first, last do f4(profiling, 64, nil, x, i, x, i) end
  end, profiling),

  ["call and wait, 1 argument"] = function(count)
    for _ = 1, count do f1(plain, 64, nil, x):wait() end
  end,

  ["1000 calls and their work"] = function(count)
    for _ = 1, count do
      for _ = 1, 1000 do f1(plain, 64, nil, x) end
      plain:finish()
    end
  end,
}
