--- What all algorithms of the device share: context:elementwise and the like. An algorithm is an object that is called
-- like a kernel; its C parameters are the script's, and it finds the count of elements itself.
--
--     local axpy = context:elementwise("float a, const float *x, float *y", "y[i] = a * x[i] + y[i]")
--     axpy(queue, 2, x, y)                                   -- as many elements as x and y have
--     axpy(queue, {count = 100, offset = 50}, 2, x, y)       -- a part
--
-- An algorithm is made once for the texts and options it comes from, and kept with the context.
-- @module clue.compute.algorithm
local argument = require "clue.argument"
local enqueue = require "clue.enqueue"
local events = require "clue.event"
local object = require "clue.object"
local programs = require "clue.program"
local public = require "clue.public"
local svms = require "clue.svm"
local text = require "clue.text"
local wrap = require "clue.wrap"

local unpack = unpack or table.unpack -- luacheck: ignore

local algorithm = {}

-- ---- making -----------------------------------------------------------------------------------------------------

--- Makes a class of algorithms.
-- @tparam string kind "elementwise"
-- @tparam function call call(self, queue, ...)
-- @treturn function new(fields): makes an algorithm. Its fields: signature (@{clue.compute.signature}), name,
--   in_step (the position of the parameter of which a call takes element i for its own element i; true: all), and what
--   call needs
function algorithm.class(kind, call)
  local meta = {kind = kind, __call = call}
  function meta.__tostring(self)
    return ("%s(%s)"):format(self.name, self.signature.text)
  end
  public.add("", {[kind .. " call"] = call})
  return function(fields)
    fields.kind = kind
    return setmetatable(fields, meta)
  end
end

local load_text = rawget(_G, "loadstring") or load
local own_source = debug.getinfo(1, "S").source -- generated functions are clue's own, too, for messages

local generated = {} -- by their text

--- Makes a function of its text, once. LuaJIT compiles a function for so many arguments together with its caller; a
-- loop over any number of them it would not.
-- @tparam string code "return function(given_1, given_2) ... end"; what comes with it is `...`
-- @param ... what the text needs; the same for the same text
-- @treturn function
function algorithm.generate(code, ...)
  generated[code] = generated[code] or assert(load_text(code, own_source))(...)
  return generated[code]
end

--- The names of arguments in a generated function.
-- @tparam string name
-- @tparam number count
-- @treturn {string,...} "given_1", "given_2"
function algorithm.argument_names(name, count)
  local names = {}
  for i = 1, count do names[i] = ("%s_%d"):format(name, i) end
  return names
end

--- A function that calls a kernel with a script's arguments and then generated ones. It is given the generated ones
-- first, so that a call with `...` need not make a table.
-- @tparam number wanted how many arguments the script gives
-- @tparam number more how many are generated
-- @treturn function call(kernel, queue, global, local_size, generated..., given...)
function algorithm.caller(wanted, more)
  local all, ordered = algorithm.argument_names("generated", more), algorithm.argument_names("given", wanted)
  for i = 1, wanted do all[more + i] = ordered[i] end
  for i = 1, more do ordered[wanted + i] = all[i] end
  local code = "return function(kernel, queue, global, size, %s) return (kernel(queue, global, size, %s)) end"
  return algorithm.generate(code:format(table.concat(all, ", "), table.concat(ordered, ", ")))
end

-- A text for each option. Headers are in a table of build options; all others become the text of these.
local function option_words(options, words)
  local names = {}
  for name in pairs(options) do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(names) do
    local given = options[name]
    if name == "options" then
      words[#words + 1] = programs.options(given)
      if type(given) == "table" and given.headers then option_words(given.headers, words) end
    else
      words[#words + 1] = name .. "=" .. tostring(given)
    end
  end
  return words
end

--- What algorithms keep with a context.
-- @tparam context context
-- @treturn table by keys of one or more words
function algorithm.held(context)
  local held = rawget(context, "held")
  if held then return held end
  context.held = {}
  return context.held
end

--- Keeps what is made of texts and options with the context, so that the same is made once.
-- @tparam context context
-- @tparam string kind "elementwise"
-- @tparam {string,...} texts what it is made of
-- @tparam table options what else it is made of: by name; options = build options
-- @tparam function make make(context): makes it the first time
-- @return what make returned
function algorithm.keep(context, kind, texts, options, make)
  object.handle(context, "context")
  local words = {kind}
  for _, each in ipairs(texts) do words[#words + 1] = each end
  local key = table.concat(option_words(options, words), "\0")
  local held = algorithm.held(context)
  held[key] = held[key] or make(context)
  return held[key]
end

--- The options that all algorithms have, besides their own: preamble (OpenCL C before the operation: functions, types,
-- macros), options (of the build, as for context:program), name (of the kernel, in messages and traces).
-- @tparam ?table given
-- @tparam table more as argument.options takes them
-- @tparam string default the name if none is given
-- @treturn table a copy of given, with a name
function algorithm.options(given, more, default)
  local known = {preamble = "text", options = "checked", name = "text"}
  for name, kind in pairs(more) do known[name] = kind end
  local copy = {name = default}
  for name, option in pairs(argument.options(given, "options", known)) do copy[name] = option end
  if not copy.name:find "^[%a_][%w_]*$" then argument.refuse("name", "a name as C has them", copy.name) end
  return copy
end

-- ---- calling ----------------------------------------------------------------------------------------------------

--- The queue that an algorithm was given, as an object.
-- @tparam queue|number queue an object or a handle
-- @treturn queue
function algorithm.queue(queue)
  if type(queue) == "number" and queue < 65536 then -- no handle: the queue was forgotten
    argument.refuse("queue", "a queue, which comes before the arguments", queue)
  end
  local handle = object.handle(queue, "queue", "queue")
  return type(queue) == "number" and wrap(handle) or queue
end

--- The queue for a command that must wait for a step of an algorithm, on queues out of order too.
-- @tparam queue queue of @{queue}
-- @tparam ?event previous the step; nil if there is none
-- @treturn queue
function algorithm.behind(queue, previous)
  return previous and queue.out_of_order and queue:after(previous) or queue
end

--- Enqueues a kernel as a step of an algorithm: after the step before it.
-- @tparam queue queue of @{queue}
-- @tparam ?event previous the step before; nil if this is the first
-- @tparam kernel kernel
-- @tparam number|table global
-- @tparam ?number|table local_size
-- @param ... the kernel's arguments
-- @treturn event of all steps so far
function algorithm.step(queue, previous, kernel, global, local_size, ...)
  return (events.joined(previous, (kernel(algorithm.behind(queue, previous), global, local_size, ...))))
end

local scratches = setmetatable({}, {__mode = "k"}) -- by queue: buffers by name

--- Memory of an algorithm for one call. On a queue in order, later calls use the same again; algorithms on one queue
-- share it by name, so it is free again once the call's last command is enqueued.
-- @tparam queue queue of @{queue}
-- @tparam string name what it is for: an algorithm that needs two at once gives them two names
-- @tparam number bytes
-- @treturn buffer of that size or larger
function algorithm.scratch(queue, name, bytes)
  if queue.out_of_order then return queue.context:buffer(bytes) end
  local owner = rawget(queue, "queue") or queue -- a view's queue
  local kept = scratches[owner]
  if not kept then
    kept = {}
    scratches[owner] = kept
  end
  if not kept[name] or kept[name].size < bytes then kept[name] = queue.context:buffer(bytes) end
  return kept[name]
end

local call_options = {count = "whole", offset = "whole"}

--- Sorts what an algorithm was called with: the table of options, which may be left out, and the arguments.
-- @tparam table self the algorithm
-- @tparam ?table more what its table of options takes besides count and offset
-- @param ... what followed the queue
-- @treturn table the arguments; n: how many
-- @treturn table the options
function algorithm.given(self, more, ...)
  local wanted, given, where = #self.signature, {n = select("#", ...), ...}, {}
  if given.n == wanted + 1 and (given[1] == nil or argument.is_plain(given[1])) then
    where = argument.options(table.remove(given, 1), "where", more or call_options)
    given.n = wanted
  end
  if given.n ~= wanted then
    argument.fail("%s(%s) takes %s after the queue, and before them a table of options if needed, not %d", self.name,
      self.signature.text, text.count(wanted, "argument"), given.n)
  end
  return given, where
end

--- The arguments of a call, followed by a kernel's generated ones.
-- @tparam table given of @{given}
-- @param ... the others
-- @return all of them
function algorithm.followed(given, ...)
  local count, more = given.n, select("#", ...)
  for i = 1, more do given[count + i] = (select(i, ...)) end
  return unpack(given, 1, count + more)
end

-- The bytes of a buffer or of shared virtual memory; nil for anything else.
local function bytes_of(given)
  local shared, offset = svms.place_of(given)
  if shared then return shared.size - offset end
  return object.kind(given) == "buffer" and enqueue.size_of(given) or nil
end

-- How many elements an argument has for a parameter; nil if that is not known.
local function elements_of(parameter, given)
  if parameter.space ~= "global" or not parameter.bytes then return nil end
  local bytes = bytes_of(given)
  return bytes and math.floor(bytes / parameter.bytes)
end

--- The bytes of memory that an algorithm writes. Refuses what is no memory.
-- @param given a buffer or shared virtual memory
-- @tparam string name of the parameter
-- @treturn number
function algorithm.room(given, name)
  return bytes_of(given) or argument.refuse_object(name, "buffer or shared virtual memory", given)
end

--- Refuses memory that is too small for what an algorithm leaves in it.
-- @param given a buffer or shared virtual memory
-- @tparam string name of the parameter
-- @tparam number bytes that it must have
function algorithm.check_room(given, name, bytes)
  local size = algorithm.room(given, name)
  if size < bytes then argument.fail("%s has %s, but needs %.0f", name, text.count(size, "byte"), bytes) end
end

-- Refuses a range of elements that an argument does not have.
local function check_range(parameter, given, first, count)
  local own = elements_of(parameter, given)
  if own and count > 0 and first + count > own then
    argument.fail("%s has %s: %.0f from element %.0f on are not all inside", parameter.name, text.count(own, "element"),
      count, first)
  end
end

-- The elements of the pointers from one on, if they are as many as those before. Calls itself instead of a loop, which
-- LuaJIT would not compile together with its caller.
local function count_on(signature, position, count, given, ...)
  local parameter = signature[position]
  if not parameter then return count end
  local own = elements_of(parameter, given)
  if own and count and own ~= count then return nil end
  return count_on(signature, position + 1, own or count, ...)
end

--- The number of elements of a call without options, if it is right: all pointers to global memory have it.
-- @tparam table self the algorithm
-- @param ... what followed the queue
-- @treturn ?number nil: @{begin} finds out more
function algorithm.quick_count(self, ...)
  if select("#", ...) ~= #self.signature then return nil end
  return (count_on(self.signature, 1, nil, ...))
end

-- Refuses what stands for memory and is none, such as an array of the host.
local function check_memory(self, given)
  for i, parameter in ipairs(self.signature) do
    if parameter.space == "global" and not bytes_of(given[i]) and object.kind(given[i]) ~= "null" then
      argument.refuse_object(parameter.name, "buffer or shared virtual memory", given[i])
    end
  end
end

-- The elements that all pointers to global memory have.
local function common_count(self, given)
  local count, first
  for i, parameter in ipairs(self.signature) do
    local own = elements_of(parameter, given[i])
    if own and count and own ~= count then
      argument.fail("%s has %s and %s %d: give their count, {count = %d}", first.name, text.count(count, "element"),
        parameter.name, own, math.min(count, own))
    end
    if own then count, first = own, first or parameter end
  end
  if count then return count end
  check_memory(self, given)
  return argument.fail("no argument has a known number of elements: give it, {count = }")
end

-- The range of elements of a call: what its options say; else all.
local function range(self, given, where)
  local first = where.offset == nil and 0 or argument.whole(where.offset, "offset", 0)
  if where.count ~= nil then return first, argument.whole(where.count, "count", 0) end
  return first, math.max(common_count(self, given) - first, 0)
end

--- Begins a call on a range of elements: what its options say; else all, and all pointers to global memory must have
-- the same number of elements. Refuses a range that an argument does not have.
-- @tparam table self the algorithm
-- @tparam ?table more as for @{given}
-- @param ... what followed the queue
-- @treturn number the first element
-- @treturn number how many
-- @treturn table the arguments; n: how many
-- @treturn table the options
function algorithm.begin(self, more, ...)
  local given, where = algorithm.given(self, more, ...)
  local first, count = range(self, given, where)
  for position, parameter in ipairs(self.signature) do
    if self.in_step == true or self.in_step == position then check_range(parameter, given[position], first, count) end
  end
  return first, count, given, where
end

return algorithm
