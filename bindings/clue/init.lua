--- What `require "clue"` gives: OpenCL as objects (contexts, queues, programs, kernels, buffers), arrays, devices,
-- typed values, and functions on MQL5's handles that MQL5 lacks. Failures raise error objects (clue.error).
--
--     local cl = require "clue"
--     local context = cl.context()
--     local queue = context:queue()
--     local program = context:program "kernel void double_all(global float *x) { x[get_global_id(0)] *= 2; }"
--     local double_all = program:kernel "double_all"
--     local x = context:buffer(cl.array.float {1, 2, 3})
--     double_all(queue, 3, nil, x)
--
-- Instead of an object, every function takes its handle too: the number that CLContextCreate and the like return.
local argument = require "clue.argument"
local binding = require "clue.binding"
local by_value = require "clue.by_value"
local build_log = require "clue.build_log"
local capture = require "clue.capture"
local contexts = require "clue.context"
local define = require "clue.define"
local error_object = require "clue.error"
local events = require "clue.event"
local kernels = require "clue.kernel"
local object = require "clue.object"
local read_file = require("clue.file").read
local public = require "clue.public"
local value = require "clue.value"
local vector = require "clue.vector"

local clue = {
  array = require "clue.array",
  bytes = by_value.bytes,
  capture = capture.start,
  context = contexts.new,
  define = define.block,
  device = require "clue.device",
  error = error_object,
  local_memory = kernels.local_memory,
  null = by_value.null,
  value = value,
  wrap = require "clue.wrap",
}
for name in pairs(binding.type_codes) do clue[name] = value[name] end -- clue.float(2.5) for an argument

-- Few scripts need these, so they are loaded at first use: pictures in files, JSON.
local lazily = {image_file = "clue.image_file", json = "clue.json"}
setmetatable(clue, {__index = function(self, name)
  if not lazily[name] then return vector.types[name] end -- clue.float4(1, 2, 3, 4)
  self[name] = require(lazily[name])
  return self[name]
end})

--- The time of a monotonic clock, which nobody sets: for differences.
-- @function clue.now
-- @treturn number seconds since a moment that stays the same while the machine runs
clue.now = binding.now

--- How long processors have worked for this process: for all its threads, in user and in system mode. The threads of
-- a CPU device's driver count, kernels that run on another device do not, nor do child processes. On a busy machine,
-- where other programs stretch the time of a monotonic clock, only this one says what a CPU device's kernel costs.
-- @function clue.cpu_time
-- @treturn number seconds
clue.cpu_time = binding.cpu_time

--- Measures how long a function takes, or the command whose event it returns: median, interval and spread. See
-- @{clue.timing.time}.
-- @tparam function f
-- @tparam[opt] table options rounds, seconds, warm_up, clock
-- @treturn table tostring describes it
function clue.time(f, options)
  return (require("clue.timing").time(f, options)) -- loaded at first use
end

--- Compares how long two functions take, or the commands whose events they return, by turns. See
-- @{clue.timing.compare}.
-- @tparam function f
-- @tparam function g
-- @tparam[opt] table options rounds, seconds, warm_up, clock, names
-- @treturn table tostring describes it: "g takes 0.83 times as long as f (0.81 to 0.85, 31 pairs, device clock)"
function clue.compare(f, g, options)
  return (require("clue.timing").compare(f, g, options))
end

--- The parameters that `clue tune` found for a kernel. See @{clue.tuned.find}.
-- @tparam string name of the space
-- @tparam device|number device
-- @tparam[opt] number|{number,...} size
-- @treturn ?table parameters, device, size, from, seconds, exact, note; nil if there are none for a device of this kind
-- @treturn ?string then the reason, as assert() shows it
function clue.tuned(name, device, size)
  return public.passed(require("clue.tuned").find(name, device, size)) -- loaded at first use
end

--- Calls the functions given to event:on_complete() whose commands have ended. Does not wait.
-- @treturn number how many functions were called
-- @treturn number how many are left
function clue.poll()
  return events.deliver()
end

--- How long the kernel's last execution took. Waits for it.
-- @tparam kernel|number kernel an object or a handle
-- @treturn number seconds
-- @treturn string whose clock: "device", or "host" if the device's timer cannot be trusted
function clue.kernel_time(kernel)
  local seconds, clock = error_object.check(binding.kernel_time(object.handle(kernel, "kernel", "kernel")))
  events.deliver()
  return seconds, clock
end

--- Waits until the kernel's last execution is done.
-- @tparam kernel|number kernel an object or a handle
function clue.wait(kernel)
  error_object.check(binding.kernel_wait(object.handle(kernel, "kernel", "kernel")))
  events.deliver()
end

--- Waits until all commands enqueued in an object's context are done.
-- @tparam context|number of a context, or anything made in one: an object or a handle
function clue.finish(of)
  local kind = object.kind(of)
  if not kind or kind == "device" or kind == "platform" then kind = "context" end
  error_object.check(binding.context_finish(object.handle(of, kind, "of")))
  events.deliver()
end

--- Expands a template of OpenCL C: lines that begin with "# " are Lua, $(...) is an expression's value. See
-- @{clue.template.expand}.
-- @tparam string text
-- @tparam[opt] table values values for the template's Lua, by name
-- @tparam[opt] string name of the template in the compiler's messages
-- @treturn string
function clue.template(text, values, name)
  return (require("clue.template").expand(text, values, name)) -- loaded at first use, together with Penlight
end

--- Declares structs by OpenCL C's own text: see @{clue.struct}.
-- @tparam string text
-- @treturn table types by name
function clue.structs(text)
  return (require("clue.struct").declare(text)) -- loaded at first use
end

--- Divides a total between devices: see @{clue.several_devices.split}.
-- @tparam number total how many items, 0 or more
-- @param on the devices, as for @{clue.workers}
-- @tparam[opt] table options by: "even" or "rate"; rates: a number for each device, or a function of a device;
--   multiple: of which shares are multiples
-- @treturn {table,...} device, first (from 0) and count, in the devices' order
function clue.split(total, on, options)
  return (require("clue.several_devices.split").new(total, on, options)) -- loaded at first use
end

--- Prepares devices for work that they do together, chunk by chunk: see @{clue.several_devices}.
-- @param on a text as --device takes it ("all", "0:0,1:0"), a device or a part of one, its ordinal, a context (all of
--   its devices), or a list of these; nil: what --device or CLUE_DEVICE names, else the best device
-- @tparam function setup setup(worker) is called once for each device, and returns chunk(first, count, slot), which
--   enqueues the work on some items and returns the last event
-- @treturn workers
function clue.workers(on, setup)
  return (require("clue.several_devices").new(on, setup))
end

--- Makes workers, lets them do a total once, and frees them.
-- @tparam number total how many items, 0 or more
-- @param on the devices, as for @{clue.workers}
-- @tparam function setup as there
-- @tparam[opt] table options as for @{workers:run}
-- @treturn table as from there
function clue.each_device(total, on, setup, options)
  return (require("clue.several_devices").once(total, on, setup, options))
end

--- Records what devices do while a function runs, as a Chrome trace and a summary. See @{clue.trace.record}.
-- @tparam ?string path of the trace; nil: do not write it
-- @tparam function work
-- @param ... its arguments
-- @treturn table the summary
-- @return what the function returned
function clue.trace(path, work, ...)
  return public.passed(require("clue.trace").record(path, work, ...))
end

--- Reads a file, for example a kernel's .cl file, without changing a byte: "\r\n" stays. The log of a program built
-- from it names the file.
-- @tparam string path
-- @treturn string
function clue.read_file(path)
  argument.text(path, "path", "the path of a file")
  local text, problem = read_file(path)
  if not text then error(error_object.new {text = ("cannot read %s"):format(problem)}, 0) end
  if path:find "%.cl%w*$" or text:find("kernel", 1, true) then build_log.read(path, text) end
  return text
end

public.add("cl.", clue)

return clue
