--- The outer sum on the host and its checks, through clue.h.
-- A sum is {x =, y =, a =, b =, c = arrays of float}: c[i] = sum over j of a[i] b[j], x elements of a and c, y of b.
-- C trusts the sizes of the arrays, so they are checked here.
local ffi = require "ffi"
local C = require "clue.ffi.library"
local argument = require "clue.ffi.argument"
local element = require "clue.ffi.element"
local fault = require "clue.ffi.fault"

local binding = {}

local function array_problem(sum, name, count)
  local array = sum[name]
  local problem = argument.array_problem(array)
  if problem then return problem end
  if element.code_of(array) ~= C.CLUE_FLOAT then return ("%s is no array of float"):format(name) end
  if #array >= count then return nil end
  return ("%s has %.0f elements, not %.0f"):format(name, #array, count)
end

local function sum_problem(sum)
  local problem = argument.type_problem(sum, "table")
  if problem then return problem end
  for _, name in ipairs { "x", "y" } do
    problem = argument.whole_problem(sum[name], 64)
    if problem then return problem end
    if sum[name] < 1 then return "x and y are at least 1" end
  end
  return array_problem(sum, "a", sum.x) or array_problem(sum, "b", sum.y) or array_problem(sum, "c", sum.x)
end

local function describe(sum, call)
  local problem = sum_problem(sum)
  if problem then argument.refuse(1, call, problem, 1) end
  local told = ffi.new("clue_outer_sum")
  told.x, told.y = sum.x, sum.y
  told.a, told.b, told.c = sum.a._data, sum.b._data, sum.c._data
  return told
end

--- Computes elements of c by the plain loops.
-- @tparam table sum
-- @tparam number threads cores to use, 0 for all
-- @tparam number first the first element, from 0
-- @tparam number count how many elements
-- @treturn ?boolean true; nil where there are no such elements
function binding.outer_sum_baseline(sum, threads, first, count)
  local told = describe(sum, "outer_sum_baseline")
  argument.int(threads, 2, "outer_sum_baseline")
  argument.long(first, 3, "outer_sum_baseline")
  argument.long(count, 4, "outer_sum_baseline")
  if C.clue_outer_sum_baseline(told, threads, first, count) ~= 0 then return nil end
  return true
end

--- What the plain loops were made with.
-- @treturn string the compiler and its flags
function binding.outer_sum_compiler()
  return (ffi.string(C.clue_outer_sum_compiler()))
end

--- Whether c is exact, for whole-valued a and b whose sums stay below 2^24.
-- @tparam table sum
-- @treturn ?boolean nil: the sum cannot be checked
-- @treturn ?table where it is wrong: row (the element, from 0), found, expected
function binding.outer_sum_verify_exact(sum)
  return fault.verdict(C.clue_outer_sum_verify_exact(fault.out, describe(sum, "outer_sum_verify_exact")))
end

--- Whether every element of c is right within what rounding does, for any a and b.
-- @tparam table sum
-- @treturn ?boolean nil: the sum cannot be checked
-- @treturn ?table as of outer_sum_verify_exact, and sigmas: the largest difference seen, in standard deviations
function binding.outer_sum_verify_rounded(sum)
  return fault.verdict(C.clue_outer_sum_verify_rounded(fault.out, describe(sum, "outer_sum_verify_rounded")))
end

return binding
