-- The examples run unchanged, and the README shows the first one. They run on Oclgrind, which compiles a kernel in some
-- milliseconds; examples_drivers_spec.lua has the other drivers.
-- suite: quick
-- builds: luajit lua54
local examples = require "examples"
local support = require "support"

describe("scripts/examples/hello.lua", function()
  local path = "scripts/examples/hello.lua"

  it("squares its numbers and frees everything", function()
    local out, err = support.ended(0, support.run {"--strict", path})
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 prints floats with .0
    assert.is_nil(err:find("never freed", 1, true))
  end)

  it("is in the README, line for line", function()
    local shown = support.read(path):gsub("^%-%-[^\n]*\n", ""):gsub("CLBufferFree[^\n]*\n$", "")
    assert.equal(shown, support.read("README.md"):match "```lua\n(.-)```")
  end)
end)

for name in pairs(examples.list) do
  it(name .. " checks itself", function() examples.check(name, "oclgrind") end)

  if name:find "^mql5/" then
    it(name .. " fails with the reason if there is no device", function()
      local out = support.ended(1, examples.run(name, "none"))
      assert.matches("FAILED: CLContextCreate, error 5100", out, 1, true)
    end)
  end
end

describe("scripts/examples/mql5/mandelbrot.lua", function()
  it("writes a plain PGM of the requested size with --file", function()
    local path = support.temporary ".pgm"
    local out = support.ended(0, examples.run("mql5/mandelbrot", "oclgrind", {"--file", path}))
    assert.matches(path .. ": 48 x 36 pixels written", out, 1, true)
    local width, height, most, rest = support.read(path):match "^P2%s+(%d+)%s+(%d+)%s+(%d+)%s(.*)$"
    assert.same({"48", "36", "255"}, {width, height, most})
    local count, inside, longest = 0, 0, 0
    for number in rest:gmatch "%S+" do
      count = count + 1
      if number == "0" then inside = inside + 1 end
      assert.is_true(tonumber(number) >= 0 and tonumber(number) <= 255)
    end
    for line in rest:gmatch "[^\r\n]+" do longest = math.max(longest, #line) end
    assert.equal(48 * 36, count)
    assert.is_true(inside > 100 and inside < 864, inside)
    assert.is_true(longest <= 70)
  end)

  it("fails if the picture cannot be written", function()
    local out = support.ended(1, support.run({"scripts/examples/mql5/mandelbrot.lua", "--width", "8", "--height", "8",
      "--file", "/no/such/folder/m.pgm"}, support.drivers "oclgrind"))
    assert.matches("FAILED: FileOpen, error 5004", out, 1, true)
  end)
end)

it("scripts/examples/mql5/bitonic.lua sorts two elements, and refuses a count that is not a power of two", function()
  local script = "scripts/examples/mql5/bitonic.lua"
  local oclgrind = support.drivers "oclgrind"
  assert.equal(0, (support.run({"--strict", script, "--count", "2"}, oclgrind)))
  local out = support.ended(1, support.run({"--strict", script, "--count", "1000"}, oclgrind))
  assert.equal("FAILED: 1000 elements: a bitonic sort needs a power of two\n", out)
end)
