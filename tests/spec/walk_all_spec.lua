-- One step for each kind of problem of the walkthroughs, in the builds in which walk_steps does not run all of them:
-- the sanitizers look at C code, and the Lua of neighbouring steps is the same, too.
-- suite: whole
-- builds: asan lua54
local support = require "support"
local walks = require "walk_support"

-- The walkthrough, its steps, and a size at which another test built the same programs.
local problems = {
  {"a product and loops of the host", "mql5", "1,4,16", "1160x401x261"},
  {"mapping, transposition, occupancy and a copy", "amd", "1,6,9,10", "67"},
  {"bodies", "amd", "15,17,20", "nbody=1001"},
  {"extensions, sub-devices, images and half", "amd", "21,24,27,30,31,32", "5003"},
  {"strides, page-locked memory and the vectoriser", "amd", "33,35,37", "5003"},
  {"an outer sum", "hello", "0,1,4t", "40x12007"}, {"an int product", "submatrix", "2,5", "255"},
  {"a sum, a scan and a histogram", "reduce", "2,9,13,15", "300007"},
}

for _, problem in ipairs(problems) do
  it("verifies " .. problem[1], function()
    local status, out, err, document = walks.walk {problem[2], "--steps", problem[3], "--size", problem[4], "--verify"}
    assert.equal(0, status, out .. err)
    local rows = walks.rows(document)
    assert.equal(select(2, problem[3]:gsub("%w+", "")), #rows)
    for _, row in ipairs(rows) do
      assert.is_true(row.check and row.check.verified, ("%s %s"):format(problem[2], tostring(row.number)))
    end
  end)
end

it("verifies the work of two devices", function()
  walks.all_verified(2, {"devices", "--steps", "2,4", "--size", "45", "--verify"},
    support.drivers("pocl", {POCL_DEVICES = "pthread pthread"}))
end)
