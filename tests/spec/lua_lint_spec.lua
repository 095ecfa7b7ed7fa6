-- The linter of Lua's folders (tests/lint/lua.lua), run on small trees: one without faults, and copies of it with
-- one fault each.
-- suite: whole

local support = require "support"

-- Two folders; high may use low.
local sound = {
  ["CONTRIBUTING.md"] = "\n| folder of host/lua | what it owns | uses |\n|---|---|---|\n"
    .. "| `low` | what lies below | |\n| `high` | what stands on it | low |\n",
  ["host/lua/low/add.lua"] = 'return require "clue.text" -- not "clue.high"\n',
  ["host/lua/low/twice.lua"] = 'return require "clue.low.add"\n',
  ["host/lua/high/init.lua"] = 'return require("clue.low.twice")\n',
  ["bindings/clue/text.lua"] = "return {}\n",
}

-- Lints the sound tree with these files added or replaced. Returns the linter's status and output.
local function lint(changes)
  local root, files = support.folder(), {}
  for path, text in pairs(sound) do files[path] = text end
  for path, text in pairs(changes) do files[path] = text end
  for path, text in pairs(files) do
    os.execute(("mkdir -p '%s/%s'"):format(root, path:match "^(.*)/" or ""))
    support.write(text, root .. "/" .. path)
  end
  local code, out, err = support.run {"tests/lint/lua.lua", root}
  assert.equal("", err)
  return code, out
end

local function refuses(expected, changes)
  local code, out = lint(changes)
  assert.equal(expected .. "\n", out)
  assert.equal(1, code)
end

describe("the linter of Lua's folders", function()
  it("accepts uses that run one way", function()
    local code, out = lint {}
    assert.equal("", out)
    assert.equal(0, code)
  end)

  it("refuses a use against the table, also by a child process", function()
    local wrong = "host/lua/low/twice.lua uses host/lua/high/init.lua, but low may not use high: move what it needs "
      .. "down to where both may use it, or have the higher folder hand in a function"
    local _, out = lint {["host/lua/low/twice.lua"] = 'return require "clue.high"\n'}
    assert.matches(wrong, out, 1, true)
    _, out = lint {["host/lua/low/twice.lua"] = "return start {module = 'clue.high'}\n"}
    assert.matches(wrong, out, 1, true)
    _, out = lint {["host/lua/low/twice.lua"] = "return code 'require[[clue.high]]'\n"}
    assert.matches(wrong, out, 1, true)
  end)

  it("names the modules of a circle", function()
    refuses("a circle: host/lua/low/add.lua uses host/lua/low/twice.lua, host/lua/low/twice.lua uses "
      .. "host/lua/low/add.lua; move what both need into a file of its own, or hand it in as a function",
      {["host/lua/low/add.lua"] = 'return require "clue.low.twice"\n'})
  end)

  it("names those of bindings/clue too, and counts what a table lists for its first use", function()
    refuses("a circle: bindings/clue/number.lua uses bindings/clue/text.lua, bindings/clue/text.lua uses "
      .. "bindings/clue/number.lua; move what both need into a file of its own, or hand it in as a function",
      {["bindings/clue/number.lua"] = 'return {text = {"clue.text", "new"}}\n',
       ["bindings/clue/text.lua"] = 'return require "clue.number"\n'})
  end)

  it("refuses a module beside its folder", function()
    refuses("bindings/clue/text.lua lies beside a folder of its name: move it to bindings/clue/text/init.lua",
      {["bindings/clue/text/lines.lua"] = "return {}\n"})
  end)

  it("refuses a use of host/lua by bindings/clue", function()
    refuses("bindings/clue/text.lua uses host/lua/low/add.lua, but scripts load bindings/clue without the executable: "
      .. "move what it needs to bindings/clue", {["bindings/clue/text.lua"] = 'return require "clue.low.add"\n'})
  end)

  it("refuses a table that the files contradict", function()
    refuses("CONTRIBUTING.md: high uses nothing of low: take it from its row",
      {["host/lua/high/init.lua"] = "return 1\n"})
    refuses("CONTRIBUTING.md: the table of folders has no row for new, where host/lua/new/new.lua is",
      {["host/lua/new/new.lua"] = 'return require "clue.low.add"\n'})
    local _, out = lint {["CONTRIBUTING.md"] = (sound["CONTRIBUTING.md"]:gsub("below | |", "below | high |"))}
    assert.matches("CONTRIBUTING.md: low uses high, which has no row above it: uses run one way\n", out, 1, true)
  end)
end)
