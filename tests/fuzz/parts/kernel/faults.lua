-- What drivers, and clang in all of them, are known to do wrong with random kernels, each with how a kernel avoids it
-- there: change(node or statement) may return another one. `kernels --faults` runs the kernels without these changes.
local types = require "kernel.types"

local faults = {}

faults.known = {
  {
    driver = "clang", kind = "build",
    what = "Its code generator dies of an element of a constant vector in a vector literal of as many elements, such "
      .. "as (short3)((short2)(0), ((short3)(0)).x): it takes the folded constant for an instruction (seed 425). All "
      .. "drivers of this list, and NVIDIA's, compile with clang.",
    change = function(node)
      for i, part in ipairs(node) do
        if part.op == "swizzle" then node[i] = {op = "convert", t = part.t, part} end
      end
      return node
    end,
  },
  {
    driver = "Portable Computing Language", version = "3.1", kind = "call",
    what = "abs() of the least number: the compiler takes its result for less than 2^31, though it is 2^31.",
    change = function(node)
      local t = node[1] and node[1].t
      if node.fn ~= "abs" or not t.signed then return node end
      local value = t.bits == 64 and "-9223372036854775807" or ("%.0f"):format(1 - 2 ^ (t.bits - 1))
      local least = {op = "literal", t = types.with(t, nil, 1), value = value}
      if t.n > 1 then least = {op = "splat", t = t, least} end
      return {op = "call", t = node.t, fn = "abs", {op = "call", t = t, fn = "max", node[1], least}}
    end,
  },
  {
    driver = "Portable Computing Language", version = "3.1", kind = "switch",
    what = "A switch over x % 4u before a barrier takes a wrong case in a work-item of the last four of a group of 20 "
      .. "(seed 33). It is right with -cl-opt-disable.",
    change = function(statement)
      if statement.modulus == 4 then statement.modulus = 3 end
      return statement
    end,
  },
  {
    driver = "Oclgrind", version = "21.10",
    what = "Integers of one or two bits, which LLVM's optimiser makes of comparisons and of x % 4u, are computed with "
      .. "the bits above them: -(a != b) of vectors has a wrong sign, and a switch over x % 2u or x % 4u takes a wrong "
      .. "case or ends the work-item ('Encountered unreachable instruction'). tests/fuzz/kernels builds with "
      .. "-cl-opt-disable there.",
  },
  {
    driver = "Oclgrind", version = "21.10", kind = "logic",
    what = "&& and || of vectors give 1 instead of -1.",
    change = function(node)
      if node.t.n == 1 then return node end
      return {op = "compare", t = node.t, fn = "!=", node[1], node[2]}
    end,
  },
  {
    driver = "Oclgrind", version = "21.10", kind = "convert",
    what = "convert_T_rtp and convert_T_rtn of a float round towards the other side.",
    change = function(node)
      if node.rounding == "rtp" or node.rounding == "rtn" then node.rounding = "rtz" end
      return node
    end,
  },
  {
    driver = "Oclgrind", version = "21.10", kind = "call",
    what = "add_sat and sub_sat of long do not saturate at the right end.",
    change = function(node)
      if node.t.base == "long" and (node.fn == "add_sat" or node.fn == "sub_sat") then node.fn = "hadd" end
      return node
    end,
  },
  {
    driver = "Oclgrind", version = "21.10",
    what = "Its compiler dies (SIGSEGV) of some right programs with vectors made of vectors and numbers: one in 50. "
      .. "tests/fuzz/kernels counts them by themselves.",
  },
  {
    driver = "rusticl", version = "22.3.6", kind = "any",
    what = "any() and all() of long and its vectors look at bit 31 instead of bit 63.",
    change = function(node)
      local t = node[1].t
      if t.bits < 64 then return node end
      local by = {op = "literal", t = types.with(t, nil, 1), value = "32"}
      local high = {op = "binary", t = t, fn = ">>", node[1], by}
      return {op = "any", t = node.t, fn = node.fn, {op = "convert", t = types.with(t, "int"), high}}
    end,
  },
  {
    driver = "rusticl", version = "22.3.6", kind = "call",
    what = "upsample of uint vectors loses the upper half.",
    change = function(node)
      if node.fn ~= "upsample" or node.t.bits < 64 or node.t.n == 1 then return node end
      return {op = "convert", t = node.t, node[1]}
    end,
  },
  {
    driver = "rusticl", version = "22.3.6", kind = "call",
    what = "add_sat and sub_sat of numbers that the compiler knows do not saturate, with types of up to 32 bits: "
      .. "add_sat(2147483645, 2147483645) is -6.",
    change = function(node)
      if node.fn == "add_sat" or node.fn == "sub_sat" then node.fn = "hadd" end
      return node
    end,
  },
  {
    driver = "rusticl", version = "22.3.6",
    what = "Its compiler dies (SIGSEGV, a failed assertion of the SPIR-V translator, a panic) of many right programs "
      .. "with vectors: one kernel in fifteen. tests/fuzz/kernels counts them by themselves.",
  },
}

local function changed(thing, kind, change)
  for i, each in ipairs(thing) do thing[i] = changed(each, kind, change) end
  for _, name in ipairs {"body", "other", "result", "functions"} do
    if thing[name] then thing[name] = changed(thing[name], kind, change) end
  end
  for _, each in ipairs(thing.cases or {}) do each.body = changed(each.body, kind, change) end
  return (thing.op == kind or thing.kind == kind) and change(thing) or thing
end

--- Changes a program so that it avoids a driver's known faults.
-- @tparam table program
-- @tparam string platform the platform's name
function faults.avoid(program, platform)
  for _, fault in ipairs(faults.known) do
    if (fault.driver == platform or fault.driver == "clang") and fault.change then
      changed({functions = program.functions, body = program.body}, fault.kind, fault.change)
    end
  end
end

return faults
