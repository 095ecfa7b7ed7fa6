local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local scale = context:program "kernel void scale(global float *x, float by) {x[get_global_id(0)] *= by;}"
  :kernel "scale"
local x, y, read = context:buffer(cl.array.float {1, 2}), context:buffer(8), cl.array.float(2)
local function record(f) return queue:record(f, {command_buffer = false}) end
local graph = record(function(commands)
  scale(commands, 2, nil, x, 3)
  commands:fill_buffer(y, cl.float(0))
  commands:copy_buffer(x, y)
  scale(commands, 2, nil, y, 5)
end)
graph:replay():wait()
graph:set_arg(1, "by", 1)
local start = context:user_event()
local late = graph:replay(queue:after(start))
start:complete()
late:wait()
record(function(commands)
  commands:write_buffer(x, cl.array.float {1, 1})
  commands:read_buffer(y, read)
end):replay()
print(read:sum())
