--- Texts for the terminal, and child processes, through clue.h.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local streams = require("clue.ffi.generated").words.stream

local int, typed = argument.int, argument.typed

local binding = {}

--- Makes a text safe to show: control characters and bytes that are not UTF-8 become \x1b and the like; ends of lines
-- and tabs stay.
-- @tparam string given
-- @treturn string
function binding.text_visible(given)
  typed(given, "string", 1, "text_visible")
  local out = ffi.new("char[?]", 4 * #given + 1)
  return (ffi.string(out, C.clue_text_visible(out, given, #given)))
end

-- A NULL-terminated array of C strings. The list itself keeps the Lua strings alive.
local function text_list(list, name)
  if list == nil then return nil end
  local problem = argument.type_problem(list, "table")
  if problem then argument.refuse(1, "child_start", problem, 1) end
  local pointers = ffi.new("const char *[?]", #list + 1)
  for i, entry in ipairs(list) do
    if type(entry) ~= "string" or entry:find("\0", 1, true) then
      argument.refuse(1, "child_start", ("%s[%d] must be a string without zeros"):format(name, i), 1)
    end
    pointers[i - 1] = entry
  end
  return pointers
end

--- Starts a process in its own group.
-- @tparam table options arguments (list; the first is the program's path), environment (list of "NAME=VALUE" to add),
-- seconds and memory (bytes): limits that kill it; result_descriptor: above 2, a pipe with this number; input: true:
-- it reads what child_send sends; foreground: true: it uses the host's own input, output and group, and gets Ctrl-C
-- alone until it ends
-- @treturn ?number the child
function binding.child_start(options)
  typed(options, "table", 1, "child_start")
  local arguments = text_list(options.arguments, "arguments")
  local environment = text_list(options.environment, "environment")
  if not arguments or arguments[0] == nil then argument.refuse(1, "child_start", "arguments must name a program") end
  local request = ffi.new("clue_child_options")
  request.arguments, request.environment = arguments, environment
  request.seconds = typed(options.seconds or 0, "number", 1, "child_start")
  request.memory = typed(options.memory or 0, "number", 1, "child_start")
  request.result_descriptor = int(options.result_descriptor or 0, 1, "child_start")
  request.input = options.input and 1 or 0
  request.foreground = options.foreground and 1 or 0
  local child = C.clue_child_start(request)
  if child < 0 then return nil end
  return child
end

local data_out = ffi.new("const char *[1]")

--- Takes what a stream received since the last call.
-- @tparam number child
-- @tparam string stream "out", "err" or "result"
-- @treturn ?string "" if nothing came
function binding.child_take(child, stream)
  int(child, 1, "child_take")
  local code = argument.word(stream, streams, 2, "child_take")
  local size = tonumber(C.clue_child_take(data_out, child, code))
  if size < 0 then return nil end
  if size == 0 then return "" end
  return (ffi.string(data_out[0], size))
end

--- Sends to a child that was started with input.
-- @tparam number child
-- @tparam ?string data nil: the end of its input
-- @treturn ?number how many bytes it took, nil on failure
function binding.child_send(child, data)
  int(child, 1, "child_send")
  if data ~= nil then typed(data, "string", 2, "child_send") end
  local count = tonumber(C.clue_child_send(child, data, data and #data or 0))
  if count < 0 then return nil end
  return count
end

return binding
