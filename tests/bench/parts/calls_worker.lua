-- Kernel calls through clue's objects, for tests/bench/prototype: the cost for the script, without the kernels' work,
-- except for the last operation.
local cl = require "clue"
local serve = require "serve"

local folder = arg[0]:match "^(.*/)" or ""
local context = cl.context()
local queue = context:queue()
local program = context:program(cl.read_file(folder .. "overhead.cl"))
local f1, f4, f8 = program:kernel "f1", program:kernel "f4", program:kernel "f8"
local x = context:buffer(4096)

local operations = {}

operations["call, 1 argument"] = function(count)
  for _ = 1, count do f1(queue, 64, nil, x) end
end

operations["call, 4 arguments"] = function(count)
  for i = 1, count do f4(queue, 64, nil, x, i, x, i) end
end

operations["call, 8 arguments"] = function(count)
  for i = 1, count do f8(queue, 64, nil, x, i, x, i, x, i, x, i) end
end

-- These ask each call's event for its state.

operations["call, 1 argument, event"] = function(count)
  local status
  for _ = 1, count do status = f1(queue, 64, nil, x).status end
  assert(status)
end

operations["call, 4 arguments, event"] = function(count)
  local status
  for i = 1, count do status = f4(queue, 64, nil, x, i, x, i).status end
  assert(status)
end

operations["call, 8 arguments, event"] = function(count)
  local status
  for i = 1, count do status = f8(queue, 64, nil, x, i, x, i, x, i, x, i).status end
  assert(status)
end

operations["1000 calls and their work"] = function(count)
  for _ = 1, count do
    for _ = 1, 1000 do f1(queue, 64, nil, x) end
    queue:finish()
  end
end

serve(operations, function() queue:finish() end)
