-- The Lua in the README and in the pages under docs/ runs, and prints what the pages show.
--
-- clue runs each block fenced by ```lua, as script.lua. If a ```text block follows with nothing between, the output
-- must equal it: there "..." stands for anything within a line, and lines that begin with "clue:" are expected on
-- stderr. If there are no such lines, the exit status must be 0 and stderr may only announce the device. A comment
-- above a block changes this: <!-- setup --> marks lines that are put before each later block marked <!-- goes on -->;
-- <!-- NAME.lua --> names the script; <!-- compiled only: WHY --> keeps it from being run; <!-- LuaJIT only --> does so
-- in other interpreters, <!-- clue.mpi only --> in a clue built without Open MPI. Blocks run on Oclgrind, which
-- compiles in milliseconds; <!-- on PoCL --> marks those that show its compiler's words or work for seconds.
-- suite: whole
-- cost: 25
-- builds: luajit lua54
local markdown = require "markdown"
local support = require "support"

local load_text = loadstring or load

-- Whether clue.mpi was built. If it was, but does not load, the block shall fail.
local function has_mpi()
  local _, _, err = support.run {"-e", "require 'clue.mpi'"}
  return not err:find("clue.mpi is not part of this clue", 1, true)
end

-- ---- reading pages ----------------------------------------------------------------------------------------------

-- The Lua blocks of a page: text (with the setup that it goes on from), expected, compiled_only, line.
local function snippets_of(text)
  local blocks, snippets, setup = markdown.blocks(text), {}, nil
  for i, block in ipairs(blocks) do
    local behind = blocks[i + 1]
    if block.language == "lua" then
      local goes_on = markdown.remark(block, "^goes on$")
      snippets[#snippets + 1] = {
        line = block.line,
        driver = markdown.remark(block, "^on PoCL$") and "pocl" or "oclgrind",
        name = markdown.remark(block, "^%S+%.lua$") or "script.lua",
        text = goes_on and assert(setup, "nothing to go on from") .. block.text or block.text,
        compiled_only = markdown.remark(block, "^compiled only: %S") ~= nil
          or not jit and markdown.remark(block, "^LuaJIT only$") ~= nil
          or markdown.remark(block, "^clue%.mpi only$") ~= nil and not has_mpi(),
        expected = behind and markdown.is_output(behind, block) and behind.text or nil,
      }
      if markdown.remark(block, "^setup$") then setup = block.text end
    end
  end
  return snippets
end

-- ---- running the blocks -----------------------------------------------------------------------------------------

-- The lines of a text. Lua 5.4 prints floats with .0, and the pages show what LuaJIT prints.
local function split(text, pattern)
  if not jit then text = text:gsub("(%d)%.0%f[%D]", "%1") end
  local lines = {}
  for line in text:gmatch(pattern or "([^\n]*)\n") do lines[#lines + 1] = line end
  return lines
end

-- The lines that a page shows for stdout, and those for stderr.
local function shown_lines(text)
  local out, err = {}, {}
  for _, line in ipairs(split(text)) do table.insert(line:find "^clue:" and err or out, line) end
  return out, err
end

local function compare(kind, shown, lines)
  for i = 1, math.max(#shown, #lines) do
    if not shown[i] then return ("%s has a line more: %s"):format(kind, lines[i]) end
    if not lines[i] then return ("%s lacks the line: %s"):format(kind, shown[i]) end
    if not markdown.is_shown(lines[i], shown[i]) then
      return ("%s line %d:\n  shown: %s\n  found: %s"):format(kind, i, shown[i], lines[i])
    end
  end
end

-- Runs a snippet in a folder of its own, so that paths in messages are as the page shows them.
local function run(snippet, args)
  local folder = support.folder()
  support.write(snippet.text, folder .. "/" .. snippet.name)
  local words = support.words({"sh", "-c", 'cd "$0" && exec "$@"', folder, support.clue}, args or {snippet.name})
  local status, out, err = support.execute(words, support.drivers(snippet.driver))
  os.remove(folder .. "/" .. snippet.name)
  os.remove(folder)
  return status, out, err
end

-- The fault of a snippet, nil if there is none.
local function problem_of(snippet)
  local chunk, problem = load_text(snippet.text, "=snippet")
  if not chunk then return problem end
  if snippet.compiled_only then return nil end
  local status, out, err = run(snippet)
  local shown_out, shown_err = shown_lines(snippet.expected or "")
  local told = {}
  for _, line in ipairs(split(err)) do
    local counted = line:find "^%d+ .* generated%.$" -- PoCL's compiler writes this beside its log
    local is_expected = shown_err[1] and shown_err[1]:find "^clue: device %d" or not line:find "^clue: device %d"
    if is_expected and not counted then told[#told + 1] = line end
  end
  local may_fail = shown_err[1] and not shown_err[#shown_err]:find "^clue: device %d"
  if not may_fail and status ~= 0 then return ("ends with %d: %s"):format(status, err) end
  return snippet.expected and compare("stdout", shown_out, split(out)) or compare("stderr", shown_err, told)
end

-- ---- the pages --------------------------------------------------------------------------------------------------

for _, path in ipairs(markdown.pages()) do
  -- docs_commands_spec.lua follows the tutorial, whose scripts belong together.
  local snippets = path:find "^docs/tutorial/" and {} or snippets_of(support.read(path))
  for _, snippet in ipairs(snippets) do
    it(("%s shows Lua that runs, in line %d"):format(path, snippet.line), function()
      local problem = problem_of(snippet)
      assert(not problem, problem)
    end)
  end
end

describe("the script in docs/mql5/porting.md", function()
  local function whole_script()
    for _, snippet in ipairs(snippets_of(support.read "docs/mql5/porting.md")) do
      if snippet.name == "average.lua" then return snippet end
    end
  end

  it("frees everything, and takes its inputs as options", function()
    local out, err = support.ended(0, run(whole_script(), {"--strict", "average.lua", "--InpPeriod", "50"}))
    assert.equal("9951 averages of 50 bars, right to four digits\n", out)
    assert.is_nil(err:find("never freed", 1, true), err)
  end)

  it("finds a wrong kernel", function()
    local script = whole_script()
    script.text = script.text:gsub("k < period", "k < period - 1")
    local _, out = run(script)
    assert.equal("9981 averages of 20 bars, right to nothing\n", out)
  end)
end)

describe("the table of the language", function()
  local mql5 = require "clue.mql5"

  it("is right about numbers and text", function()
    local function truncate(x) return x < 0 and mql5.MathCeil(x) or mql5.MathFloor(x) end
    assert.equal(-3, truncate(-3.7))
    assert.equal(3, truncate(3.7))
    assert.equal(2, -7 % 3)
    assert.equal(-1, mql5.MathMod(-7, 3))
    assert.equal(65, ("A"):byte())
    assert.equal("bc", ("abcd"):sub(2, 3))
    assert.equal(3, (("a.x"):find("x", 1, true)))
  end)
end)

describe("docs/mql5/functions.md", function()
  local mql5, page = require "clue.mql5", support.read "docs/mql5/functions.md"

  it("has a heading for every CL function", function()
    local headings = ""
    for heading in page:gmatch "\n###? ([^\n]*)" do headings = headings .. heading .. "\n" end
    for name, member in pairs(mql5) do
      local is_function = type(member) == "function" and name:find "^CL%u"
      assert(not is_function or headings:find("%f[%w]" .. name .. "%f[%W]"), "no heading names " .. name)
    end
  end)

  it("names every method of COpenCL", function()
    for name, member in pairs(mql5.COpenCL) do
      local is_method = type(member) == "function" and name ~= "new"
      assert(not is_method or page:find("`" .. name .. "`", 1, true), "the page does not name " .. name)
    end
  end)

  it("names every OpenCL constant and error code, with the right values in its tables", function()
    for name, member in pairs(mql5) do
      local is_ours = type(member) == "number" and (name:find "^CL_" or name:find "^OPENCL_" or name:find "^ERR_"
        or name == "INVALID_HANDLE" or name == "WHOLE_ARRAY")
      assert(not is_ours or page:find("%f[%w_]" .. name .. "%f[^%w_]"), "the page does not name " .. name)
    end
    local compared = 0
    for name, value in page:gmatch "\n| `([%u_%d]+)` | (%-?%d+) |" do
      assert.equal(mql5[name], tonumber(value), name)
      compared = compared + 1
    end
    for value, name in page:gmatch "\n| (%d%d%d%d) | `([%u_]+)` |" do
      assert.equal(mql5[name], tonumber(value), name)
      compared = compared + 1
    end
    assert.is_true(compared > 30, compared)
  end)
end)

it("docs/mql5/helpers.md names every function that is not of the OpenCL interface", function()
  local mql5, page = require "clue.mql5", support.read "docs/mql5/helpers.md" .. support.read "docs/mql5/functions.md"
  local types = require("clue.binding").type_codes
  for name, member in pairs(mql5) do
    local is_helper = type(member) == "function" and name ~= "install" and not types[name] and not name:find "^CL%u"
    assert(not is_helper or page:find("[`(]" .. name .. "[`(]"), "no page names " .. name)
  end
end)

-- ---- this spec itself -------------------------------------------------------------------------------------------

describe("the check of pages", function()
  local function problem(text)
    return problem_of(snippets_of(text)[1])
  end

  it("accepts output as shown, with anything for ...", function()
    assert.is_nil(problem "```lua\nPrint(1)\nPrint(2.5)\n```\n```text\n1\n...5\n```\n")
    assert.is_nil(problem "```lua\nPrint(1)\n```\n")
    assert.is_nil(problem "<!-- compiled only: why -->\n```lua\nerror 'not run'\n```\n")
  end)

  it("finds syntax errors, runtime errors and different output", function()
    assert.matches("unexpected", problem "```lua\nif\n```\n")
    assert.matches("ends with 1", problem "```lua\nerror 'x'\n```\n")
    assert.matches("shown: 2\n  found: 1", problem "```lua\nPrint(1)\n```\n```text\n2\n```\n", 1, true)
    assert.matches("stdout has a line more: 2", problem "```lua\nPrint(1) Print(2)\n```\n```text\n1\n```\n")
    assert.matches("stdout lacks the line: 2", problem "```lua\nPrint(1)\n```\n```text\n1\n2\n```\n")
    assert.matches("stderr has a line more", problem "```lua\nCLKernelFree(1) ResetLastError()\n```\n")
    assert.matches("stderr lacks the line", problem "```lua\nPrint(1)\n```\n```text\n1\nclue: no\n```\n")
  end)

  it("puts the setup before a block only if the page says so", function()
    local text = "<!-- setup -->\n```lua\nlocal a = 1\n```\n<!-- goes on -->\n```lua\nPrint(a)\n```\n"
      .. "```lua\nPrint(a)\n```\n"
    local snippets = snippets_of(text)
    assert.equal("local a = 1\nPrint(a)\n", snippets[2].text)
    assert.equal("Print(a)\n", snippets[3].text)
    assert.has_error(function() snippets_of "<!-- goes on -->\n```lua\nPrint(a)\n```\n" end)
    assert.has_error(function() snippets_of "```lua\nPrint(a)\n" end)
  end)
end)
