--- One job over many devices: several clues run the same script, each a rank, and pass each other messages by MPI.
-- This needs Open MPI (Debian: openmpi-bin), and a clue that was built where libopenmpi-dev was installed.
--
--     local cl, mpi = require "clue", require "clue.mpi"      -- mpirun -n 4 clue script.lua
--     local context = cl.context(mpi.device())
--     local sums = cl.array.double {mpi.rank()}
--     mpi.all_reduce(sums, "sum")
--     if mpi.rank() == 0 then print(sums[0]) end
--
-- Messages are elements of clue's arrays, without a copy: all of them, or those that the options first and count name.
-- Vectors are several elements. Ranks count from 0. Both sides must use one type; MPI does not compare them.
--
-- MPI starts with the first call and ends with the script. If a rank raises an error or exits with a status that is not
-- 0, all ranks end. Failures raise error objects (clue.error) with MPI's call and words.
-- @module clue.mpi
local argument = require "clue.argument"
local error_object = require "clue.error"
local library = require "clue.mpi.library"
local public = require "clue.public"
local request = require "clue.mpi.request"
local shown = require "clue.shown"
local text = require "clue.array.text"

if library.problem then
  package.loaded[...] = nil -- else Lua 5.1 and LuaJIT would say "loop or previous error" if a script tries again
  error(error_object.new {text = library.problem}, 0)
end

local mpi = {}

-- ---- the ranks --------------------------------------------------------------------------------------------------

--- Which of the ranks this one is.
-- @treturn number from 0
function mpi.rank()
  return (library.place())
end

--- How many ranks there are.
-- @treturn number 1 without mpirun
function mpi.size()
  local _, size = library.place()
  return size
end

--- Which of the ranks on this machine this one is.
-- @treturn number from 0
function mpi.local_rank()
  local _, _, rank = library.place()
  return rank
end

--- How many ranks there are on this machine.
-- @treturn number
function mpi.local_size()
  local _, _, _, size = library.place()
  return size
end

--- The device of this rank: the ranks of a machine take its devices by turns, those that
-- --device or CLUE_DEVICE lists, or all that are like the best one: identical GPUs, before accelerators, before CPUs.
-- Writes to stderr which one it is, as cl.context does.
-- @treturn number ordinal, for cl.context
-- @treturn string why this one
function mpi.device()
  return public.passed(require("clue.mpi.device").of(library.place()))
end

--- The time of MPI's clock, for differences on one rank.
-- @treturn number seconds
function mpi.time()
  return library.time()
end

--- Ends all ranks now. An error that nobody catches does the same.
-- @tparam ?number status of the job, 1 to 255 (1)
function mpi.abort(status)
  library.abort(status == nil and 1 or argument.within(status, "status", 1, 255))
end

-- ---- arguments --------------------------------------------------------------------------------------------------

local MOST, LARGEST_TAG = 2 ^ 31 - 1, 32767

local function rank_of(given, name)
  argument.whole(given, name, 0)
  if given < mpi.size() then return given end
  argument.fail("%s is rank %s, but there %s", name, shown.of(given),
    mpi.size() == 1 and "is only rank 0: start more (mpirun -n 4 clue script.lua)"
      or ("are %d, 0 to %d"):format(mpi.size(), mpi.size() - 1))
end

local function root_of(root)
  return root == nil and 0 or rank_of(root, "root")
end

local function tag_of(options, may_be_any)
  local tag = options.tag
  if tag == nil then return 0 end
  if tag == "any" and may_be_any then return -1 end
  return argument.within(tag, "tag", 0, LARGEST_TAG)
end

-- The elements that options name, and the options.
local function part_of(array, name, written, options, tagged)
  argument.array(array, name)
  local known = {first = "whole", count = "whole", tag = tagged and "checked" or nil}
  options = argument.options(options, "options", known)
  local first = options.first or 0
  local count = options.count or math.max(#array - first, 0)
  if not (text.is_count(first) and text.is_count(count) and first + count <= #array) then
    argument.fail("%s", text.outside(array, first, count))
  end
  if count > MOST then
    argument.fail("a message has at most 2^31 - 1 elements, not %s: send several (first, count)", shown.of(count))
  end
  return {array = array, first = first, count = count, written = written}, options
end

-- What scatter and gather need on the root alone: room for the elements of all ranks.
local function whole_of(array, part, root, written)
  if mpi.rank() ~= root then return nil end
  argument.array(array, "whole")
  local wanted, found = shown.type_of(part.array), shown.type_of(array)
  if wanted ~= found then argument.fail("whole must be an array of %s, as part is, not of %s", wanted, found) end
  if rawequal(array, part.array) then argument.fail("whole and part must be two arrays") end
  local needed = part.count * mpi.size()
  if #array < needed then
    argument.fail("whole has %d elements, but needs %d: %d for each rank", #array, needed, part.count)
  end
  return {array = array, first = 0, count = needed, written = written}
end

-- ---- messages ---------------------------------------------------------------------------------------------------

local function start_send(what, array, to, options)
  local part, given = part_of(array, "array", false, options, true)
  rank_of(to, "to")
  return request.start(("%s to rank %d"):format(what, to), {part}, library.send, array, part.first, part.count, to,
    tag_of(given))
end

local function start_receive(what, array, from, options)
  local part, given = part_of(array, "array", true, options, true)
  local rank = from == "any" and -1 or rank_of(from, "from")
  local words = rank < 0 and what .. " from any rank" or ("%s from rank %d"):format(what, rank)
  local tag = tag_of(given, true)
  local made = request.start(words, {part}, library.receive, array, part.first, part.count, rank, tag)
  made.receives = true
  return made
end

--- Sends elements to a rank. Returns when the array may change, which can be before the other rank has them.
-- @tparam array array
-- @tparam number to rank
-- @tparam ?table options first (0) and count (to the end); tag (0), a number up to 32767, by which the other rank
--   chooses
function mpi.send(array, to, options)
  request.await(start_send("send", array, to, options))
end

--- Receives elements. The array may be larger than the message; a larger message raises an error.
-- @tparam array array
-- @tparam number|string from rank, or "any"
-- @tparam ?table options first (0) and count (to the end); tag (0), a number or "any"
-- @treturn number how many elements came
-- @treturn number from which rank
-- @treturn number with which tag
function mpi.receive(array, from, options)
  return public.passed(request.await(start_receive("receive", array, from, options)))
end

--- Starts to send elements, and returns at once. They must not change until the request is complete.
-- @tparam array array
-- @tparam number to rank
-- @tparam ?table options as for mpi.send
-- @treturn request
function mpi.isend(array, to, options)
  return (start_send("isend", array, to, options))
end

--- Starts to receive elements, and returns at once. They are there when the request is complete.
-- @tparam array array
-- @tparam number|string from rank, or "any"
-- @tparam ?table options as for mpi.receive
-- @treturn request
function mpi.ireceive(array, from, options)
  return (start_receive("ireceive", array, from, options))
end

-- ---- all ranks --------------------------------------------------------------------------------------------------

--- Waits until all ranks have called it.
function mpi.barrier()
  request.await(request.start("barrier", {}, library.barrier))
end

--- Sends elements of one rank to all others. All ranks call it, with as many elements.
-- @tparam array array on root what is sent, elsewhere where it goes
-- @tparam ?number root rank (0)
-- @tparam ?table options first (0) and count (to the end)
function mpi.broadcast(array, root, options)
  root = root_of(root)
  local part = part_of(array, "array", mpi.rank() ~= root, options)
  request.await(request.start("broadcast", {part}, library.broadcast, array, part.first, part.count, root))
end

-- scatter and gather: name is that of the library's function, is_read whether it reads the parts.
local function deal(name, is_read, part, whole, root, options)
  root = root_of(root)
  local own = part_of(part, "part", not is_read, options)
  local all = whole_of(whole, own, root, is_read)
  request.await(request.start(name, {own, all}, library[name], part, own.first, own.count, root, all and whole))
end

--- Deals an array out: the first elements to rank 0, the next to rank 1, and so on. All ranks call it.
-- @tparam ?array whole on root: as many elements for each rank as part has; elsewhere ignored
-- @tparam array part where this rank's elements go
-- @tparam ?number root rank (0)
-- @tparam ?table options first (0) and count (to the end) of part
function mpi.scatter(whole, part, root, options)
  deal("scatter", false, part, whole, root, options)
end

--- Collects elements of all ranks, in the order of ranks. All ranks call it.
-- @tparam array part this rank's elements
-- @tparam ?array whole on root: room for as many elements of each rank as part has; elsewhere ignored
-- @tparam ?number root rank (0)
-- @tparam ?table options first (0) and count (to the end) of part
function mpi.gather(part, whole, root, options)
  deal("gather", true, part, whole, root, options)
end

local operations = {sum = "sum", min = "min", max = "max"}

--- Adds up what all ranks have, element by element, or takes the least or the greatest. All ranks call it, and all get
-- the results in the place of their elements. Sums of float and double depend on the number of ranks, by rounding.
-- @tparam array array
-- @tparam string op "sum", "min" or "max"
-- @tparam ?table options first (0) and count (to the end)
function mpi.all_reduce(array, op, options)
  local part = part_of(array, "array", true, options)
  argument.word(op, operations, "reduction")
  if shown.type_of(array) == "half" then
    argument.fail("MPI cannot compute with half, only send it: convert the array (cl.array.float(#a):copy_from(a))")
  end
  request.await(request.start("all_reduce", {part}, library.all_reduce, array, part.first, part.count, op))
end

public.add("mpi.", mpi)

return mpi
