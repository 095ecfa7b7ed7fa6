--- Queue commands on shared virtual memory: queue:write_svm and the like, with the parameters of those on buffers.
-- Mapping is in @{clue.mapping}, queue:migrate in @{clue.buffer_transfer}.
-- @module clue.svm_transfer
local binding = require "clue.binding"
local transfer = require "clue.transfer"

local methods = {}

--- Writes an array to shared virtual memory, and waits until it is done.
-- @tparam svm svm
-- @tparam array data
-- @tparam[opt] table where offset: in the memory, in bytes (0); first: element of the array (0); count: number of
--   elements (to the end); blocking = false: do not wait, see @{clue.buffer_transfer}
-- @treturn queue|event itself; its event if it does not wait
function methods:write_svm(svm, data, where)
  return (transfer.host(self, "svm", binding.queue_write, "a write to shared virtual memory", svm, data, where))
end

--- Reads shared virtual memory into an array, and waits until it is done.
-- @tparam svm svm
-- @tparam array data
-- @tparam[opt] table where as for @{write_svm}
-- @treturn queue|event itself; its event if it does not wait
function methods:read_svm(svm, data, where)
  return (transfer.host(self, "svm", binding.queue_read, "a read from shared virtual memory", svm, data, where))
end

--- Copies from one piece of shared virtual memory to another, or within one. Does not wait.
-- @tparam svm from
-- @tparam svm to
-- @tparam[opt] table where from_offset, to_offset, size, all in bytes; without size, all of from after its offset
-- @treturn event
function methods:copy_svm(from, to, where)
  return (transfer.copy(self, "svm", "a copy of shared virtual memory", from, to, where))
end

--- Fills shared virtual memory with one value. Does not wait.
-- @tparam svm svm
-- @tparam value|array|number with as for queue:fill_buffer
-- @tparam[opt] string|table where the type of a number, "float"; or a table: type, offset and size in bytes (all of it)
-- @treturn event
function methods:fill_svm(svm, with, where)
  return (transfer.fill(self, "svm", "a fill of shared virtual memory", svm, with,
    where))
end

return methods
