--- Finds buffers whose elements have another size than what a kernel's pointer points at, such as an array of double
-- behind a float *. No driver says so: the kernel runs, and reads other numbers than were written. A note says it, once
-- for each argument of a kernel; --quiet silences it, --strict raises before the kernel runs.
--
-- Only what the host wrote last counts. Bytes (char, uchar) may be anything, on either side, and so may structs.
-- Buffers of the object layer have the code of the type in their field `elements`; those of MQL5 are handles, and have
-- it here.
-- @module clue.pointee
local binding = require "clue.binding"
local note = require "clue.note"

local pointee = {}

local names, sizes = {}, {} -- of types, by code
for name, code in pairs(binding.type_codes) do names[code], sizes[code] = name, binding.type_sizes[name] end

-- The bytes of each element behind a pointer of a kernel; false if it is no pointer to numbers of two bytes or more.
local function size_of(kernel, index)
  local size = sizes[binding.kernel_argument_pointee(kernel, index) or 0]
  return size and size > 1 and size or false
end

local function problem_of(kernel, index, code, size)
  local written = names[code]
  local name, declared = binding.kernel_argument(kernel, index)
  local element = names[binding.kernel_argument_pointee(kernel, index)]
  local shown = name ~= "" and ("%d '%s'"):format(index, name) or tostring(index)
  return ("argument %s of kernel '%s' is %s, of %d bytes each, but the buffer has %ss of %d, as the host wrote them: "
    .. "write an array.%s, or declare %s *"):format(shown, binding.kernel_name(kernel), declared, size, written,
    sizes[code], element, written)
end

-- Says, or raises, that what a buffer holds (code: of its type) has another size than what a pointer points at.
local function compare(kernel, index, code, size)
  local held = code and size and sizes[code]
  if not held or held == 1 or held == size then return end
  note(problem_of(kernel, index, code, size))
end

-- ---- MQL5's handles ----

local written = {} -- by buffer: the code of what the host wrote last
local kernels = {} -- by handle: a list of pointers (index, size, buffer); seen: the version that was compared
local version = 0 -- changes when one of these does, so that a call in a loop compares nothing

--- The host has written elements to a buffer.
-- @tparam number buffer
-- @tparam ?number code of their type; nil: not known
function pointee.wrote(buffer, code)
  if written[buffer] ~= code then written[buffer], version = code, version + 1 end
end

local function pointer_of(kernel, index)
  local pointers = kernels[kernel]
  if not pointers then
    pointers = {}
    kernels[kernel] = pointers
  end
  for i = 1, #pointers do
    if pointers[i].index == index then return pointers[i] end
  end
  local pointer = {index = index, size = size_of(kernel, index)}
  pointers[#pointers + 1] = pointer
  return pointer
end

--- A buffer has become an argument of a kernel.
-- @tparam number kernel
-- @tparam number index
-- @tparam number buffer
function pointee.set(kernel, index, buffer)
  local pointer = pointer_of(kernel, index)
  if pointer.buffer ~= buffer then pointer.buffer, version = buffer, version + 1 end
end

--- A kernel is to run.
-- @tparam number kernel
function pointee.run(kernel)
  local pointers = kernels[kernel]
  if not pointers or pointers.seen == version then return end
  pointers.seen = version
  for i = 1, #pointers do
    local pointer = pointers[i]
    compare(kernel, pointer.index, written[pointer.buffer], pointer.size)
  end
end

--- A buffer or a kernel was freed.
-- @tparam number handle
function pointee.forget(handle)
  written[handle], kernels[handle] = nil, nil
end

-- ---- objects ----

-- The code of what the host wrote last to a buffer; nil if it is not known.
local function elements_of(self)
  return rawget(self, "elements") or rawget(self, "parent") and rawget(self.parent, "elements")
end

-- What binding.kernel_fits knows a kernel's object by.
local function plan_of(self, handle)
  local pointers = {}
  for index = 0, self.count - 1 do
    local size = size_of(handle, index)
    if size then pointers[#pointers + 1], pointers[#pointers + 2] = index, size end
  end
  self.plan = {self.count, self.held, pointers}
  return self.plan
end

local kernel_fits = binding.kernel_fits

--- A kernel's object is to run.
-- @tparam kernel self
-- @tparam number handle
function pointee.run_object(self, handle)
  local plan = rawget(self, "plan") or plan_of(self, handle)
  if kernel_fits(plan) then return end
  local held, pointers = plan[2], plan[3]
  for i = 1, #pointers, 2 do
    local given = held[pointers[i]]
    if type(given) == "table" then compare(handle, pointers[i], elements_of(given), pointers[i + 1]) end
  end
end

return pointee
