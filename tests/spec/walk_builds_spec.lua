-- One step for each kind of problem of the walkthroughs, in the builds whose walk_steps specs do not run:
-- the Lua of neighbouring steps is the same, and the sanitizers look only at those that run C code of their own.
-- suite: whole
-- builds: asan lua54
local support = require "support"
local walks = require "walk_support"

-- The walkthrough, its steps, and a size for Oclgrind, which compiles nothing; own: C code that nothing else calls.
local problems = {
  {"a product and loops of the host", "mql5", "1,4,14", "9x37x7"},
  {"mapping, transposition, occupancy and a copy", "amd", "1,6,9,10", "45"},
  {"bodies", "amd", "15,16,20", "nbody=21", own = true},
  {"extensions, images and half", "amd", "21,24,30,31,32", "503"},
  {"strides and page-locked memory", "amd", "33,35", "503"},
  {"an outer sum", "hello", "0,1,4t", "40x127", own = true}, {"an int product", "submatrix", "2,5", "19", own = true},
  {"a sum, a scan and a histogram", "reduce", "2,9,13,15", "1003", own = true},
}

local function verify(name, steps, size)
  local status, out, err, document = walks.walk({name, "--steps", steps, "--size", size, "--verify"},
    support.drivers "oclgrind")
  assert.equal(0, status, out .. err)
  local rows = walks.rows(document)
  assert.equal(select(2, steps:gsub("%w+", "")), #rows)
  for _, row in ipairs(rows) do
    local place = ("%s %s"):format(name, tostring(row.number))
    assert.is_true(row.skipped ~= nil or row.check and row.check.verified, place)
  end
end

for _, problem in ipairs(problems) do
  if problem.own or not support.sanitized then
    it("verifies " .. problem[1], function() verify(problem[2], problem[3], problem[4]) end)
  end
end

it("verifies the work of two devices", function()
  walks.all_verified(2, {"devices", "--steps", "2,4", "--size", "45", "--verify"},
    support.drivers("pocl", {POCL_DEVICES = "pthread pthread"}))
end)
