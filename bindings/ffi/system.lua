--- Time, files and temporary folders, the terminal and child processes, through clue.h.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local result = require "clue.ffi.result"

local int, text, typed = argument.int, argument.text, argument.typed

local binding = {}

--- @treturn number seconds of a monotonic clock
function binding.now()
  return C.clue_clock_now()
end

--- Sleeps.
-- @tparam number seconds below 0: no time at all
function binding.sleep(seconds)
  C.clue_clock_sleep(typed(seconds, "number", 1, "sleep"))
end

--- @treturn number cores that the system runs threads on, 256 at most
function binding.processor_count()
  return C.clue_processor_count()
end

--- How wide a terminal is.
-- @tparam number descriptor
-- @treturn ?number columns of the terminal behind it, nil where it is none
function binding.terminal_width(descriptor)
  local columns = C.clue_terminal_width(int(descriptor, 1, "terminal_width"))
  if columns <= 0 then return nil end
  return columns
end

--- Whether colour is welcome.
-- @tparam number descriptor
-- @treturn boolean
function binding.terminal_colour(descriptor)
  return C.clue_terminal_colour(int(descriptor, 1, "terminal_colour")) == 1
end

--- Whether what is at a path can be read as a file, or nothing is there.
-- @tparam string path
-- @treturn ?boolean true; nil for a folder, a FIFO, a socket, a device
function binding.file_check(path)
  return result.done(C.clue_file_check(text(path, 1, "file_check")))
end

local made_out, target_out = ffi.new("const char *[1]"), ffi.new("const char *[1]")

--- Makes a file to be written instead of what is at a path.
-- @tparam string path
-- @treturn ?string the new file; nil on failure
-- @treturn string what it is to be renamed to; the same name where it is to be written into
function binding.file_beside(path)
  if C.clue_file_beside(made_out, target_out, text(path, 1, "file_beside")) ~= 0 then return nil end
  return ffi.string(made_out[0]), ffi.string(target_out[0])
end

local path_out = ffi.new("const char *[1]")

--- Makes a folder in TMPDIR or /tmp, which is gone with all that is in it when the process is.
-- @treturn ?string its path; nil where it cannot be made
function binding.temporary_folder()
  if C.clue_temporary_folder(path_out) ~= 0 then return nil end
  return (ffi.string(path_out[0]))
end

--- Removes such a folder before.
-- @tparam string path
function binding.temporary_remove(path)
  C.clue_temporary_remove(text(path, 1, "temporary_remove"))
end

--- A text of others as it may be shown: control characters and what is no UTF-8 stand as \x1b; ends of lines and
-- tabulators stay.
-- @tparam string given
-- @treturn string
function binding.text_visible(given)
  typed(given, "string", 1, "text_visible")
  local out = ffi.new("char[?]", 4 * #given + 1)
  return (ffi.string(out, C.clue_text_visible(out, given, #given)))
end

local states = {
  [C.CLUE_CHILD_RUNNING] = "running",
  [C.CLUE_CHILD_EXITED] = "exited",
  [C.CLUE_CHILD_SIGNALLED] = "signalled",
  [C.CLUE_CHILD_TIMEOUT] = "timeout",
  [C.CLUE_CHILD_MEMORY] = "memory",
}
local streams = { out = C.CLUE_STREAM_OUT, err = C.CLUE_STREAM_ERR, result = C.CLUE_STREAM_RESULT }

-- A NULL-ended array of C strings; the Lua strings stay alive through the list itself.
local function text_list(list, name)
  if list == nil then return nil end
  local problem = argument.type_problem(list, "table")
  if problem then argument.refuse(1, "child_start", problem, 1) end
  local pointers = ffi.new("const char *[?]", #list + 1)
  for i, entry in ipairs(list) do
    if type(entry) ~= "string" or entry:find("\0", 1, true) then
      argument.refuse(1, "child_start", ("%s[%d] is no string without zeros"):format(name, i), 1)
    end
    pointers[i - 1] = entry
  end
  return pointers
end

--- Starts a process in a group of its own.
-- @tparam table options arguments (list; the first is the program's path), environment (list of "NAME=VALUE"
-- added), seconds and memory (bytes): limits that kill it; result_descriptor: above 2, a pipe at this number; input:
-- true: its standard input is what child_send sends; foreground: true: it has the host's own input, output and group,
-- and Ctrl-C to itself until its end
-- @treturn ?number the child
function binding.child_start(options)
  typed(options, "table", 1, "child_start")
  local arguments = text_list(options.arguments, "arguments")
  local environment = text_list(options.environment, "environment")
  if not arguments or arguments[0] == nil then argument.refuse(1, "child_start", "arguments name no program") end
  local told = ffi.new("clue_child_options")
  told.arguments, told.environment = arguments, environment
  told.seconds = typed(options.seconds or 0, "number", 1, "child_start")
  told.memory = typed(options.memory or 0, "number", 1, "child_start")
  told.result_descriptor = int(options.result_descriptor or 0, 1, "child_start")
  told.input = options.input and 1 or 0
  told.foreground = options.foreground and 1 or 0
  local child = C.clue_child_start(told)
  if child < 0 then return nil end
  return child
end

--- Waits for output or the end.
-- @tparam number child
-- @tparam number seconds at most
-- @treturn string "running", or how it ended: "exited", "signalled", "timeout", "memory"; all output is there then
function binding.child_wait(child, seconds)
  int(child, 1, "child_wait")
  typed(seconds, "number", 2, "child_wait")
  return states[C.clue_child_wait(child, seconds)]
end

-- Compiled code looks at no hook, so a compiled loop around these would never see Ctrl-C.
jit.off(binding.sleep)
jit.off(binding.child_wait)

--- How a child ended, in a number.
-- @tparam number child
-- @treturn number the exit status, or the signal that killed it
function binding.child_value(child)
  return C.clue_child_value(int(child, 1, "child_value"))
end

local data_out = ffi.new("const char *[1]")

--- Takes what came on a stream since the last take.
-- @tparam number child
-- @tparam string stream "out", "err" or "result"
-- @treturn ?string "" where nothing came
function binding.child_take(child, stream)
  int(child, 1, "child_take")
  local problem = argument.word_problem(stream, streams, "stream")
  if problem then argument.refuse(2, "child_take", problem) end
  local size = tonumber(C.clue_child_take(data_out, child, streams[stream]))
  if size < 0 then return nil end
  if size == 0 then return "" end
  return (ffi.string(data_out[0], size))
end

--- Sends to a child that was started with input.
-- @tparam number child
-- @tparam ?string data nil: the input ends
-- @treturn ?number bytes that it took; nil on failure
function binding.child_send(child, data)
  int(child, 1, "child_send")
  if data ~= nil then typed(data, "string", 2, "child_send") end
  local count = tonumber(C.clue_child_send(child, data, data and #data or 0))
  if count < 0 then return nil end
  return count
end

--- Gives a child a new limit of wall time.
-- @tparam number child
-- @tparam number seconds from now on; 0: no limit
function binding.child_limit(child, seconds)
  C.clue_child_limit(int(child, 1, "child_limit"), typed(seconds, "number", 2, "child_limit"))
end

--- Kills the child and its group.
-- @tparam number child
function binding.child_kill(child)
  C.clue_child_kill(int(child, 1, "child_kill"))
end

--- Gives the child's number back, killing its group if it still runs.
-- @tparam number child
function binding.child_close(child)
  C.clue_child_close(int(child, 1, "child_close"))
end

return binding
