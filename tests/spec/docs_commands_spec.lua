-- Whoever follows a page gets what it shows: its files are written, its changes applied and its commands run, in order
-- and in one folder for each page (one for the whole tutorial), and each command prints what the page shows.
--
-- Visible words say what a block is. After "Save this as `NAME`:" it is a file. After "Change `NAME`:" a ```diff block
-- replaces lines that are in the file exactly once. In ```console, lines that begin with "$ " are commands, and what
-- follows is their output (stdout and stderr). An indented block has a command in each line. In outputs, a line of
-- "..." stands for any lines, and one that names the device is any such line. docs_spec.lua runs ```lua.
--
-- Remarks above a block, as HTML comments:
--   not run: WHY             none of it is run
--   not run, "WORDS": WHY    the commands that have these words are not run
--   tested with "B" for "A"  these words of its commands are replaced, to be quick or because there is no GPU
--   output of: COMMAND       the block is what this command prints
--   fails                    the exit status is not 0
--   measured                 numbers, their units, intervals and charts are not compared, only the words without them
--   other numbers            every number, and the name of the device, may be another one
--   NAME.lua                 the Lua below is this file
-- A block that is nothing of this is a fault. Files of which pages only speak, such as script.lua, come from
-- tests/specimens/pages.
-- suite: whole
-- cost: 95
local lfs = require "lfs"
local markdown = require "markdown"
local support = require "support"

local function edit(path, lines)
  local old, new = "", ""
  for _, line in ipairs(lines) do
    local sign, text = line:sub(1, 1), line:sub(2) .. "\n"
    if sign ~= "+" then old = old .. text end
    if sign ~= "-" then new = new .. text end
  end
  local text = assert(support.read(path), "no file " .. path)
  local first, last = text:find(old, 1, true)
  assert(first and not text:find(old, last, true), path .. " must have once:\n" .. old)
  support.write(text:sub(1, first - 1) .. new .. text:sub(last + 1), path)
end

-- ---- what a block is --------------------------------------------------------------------------------------------

-- What else stands in fences, and who looks after it.
local others = {
  cpp = "MQL5's or C++'s form, for which there is no compiler here",
  json = "editor_spec.lua reads it",
  vim = "editor_spec.lua uses it",
  ["{toctree}"] = "the test `site` builds it",
}

local programs = {}
for name in ("clue PREFIX/bin/clue ./dev cmake export lua5.4 source zcat"):gmatch "%S+" do
  programs[name] = true
end

local function quoted(text, pattern)
  return text:match(pattern .. '"(.-)"')
end

-- The reasons not to run some of a block's commands, by words that they have. Each must occur.
local function exceptions_of(block)
  local list = {}
  for _, remark in ipairs(block.remarks) do
    local words, why = remark:match '^not run, "(.-)": (%S.*)$'
    if words then list[#list + 1] = {words = words, why = why} end
  end
  return list
end

-- A command as it is tested.
local function tested(command, block, used)
  for i, remark in ipairs(block.remarks) do
    local with, words = remark:match '^tested with "(.*)" for "(.-)"$'
    local first, last = command:find(words or "\n", 1, true)
    if first then command, used[i] = command:sub(1, first - 1) .. with .. command:sub(last + 1), true end
  end
  for _, each in ipairs(exceptions_of(block)) do
    if command:find(each.words, 1, true) then
      used[each.words] = true
      return command, each.why
    end
  end
  return command
end

-- The lines of a block that are commands, each with the lines shown below it; nil if it has none.
local function command_lines(block)
  local list = {}
  local output = markdown.remark(block, "^output of: (.+)$")
  if output then return {{command = output, shown = block.lines}} end
  local is_session = block.lines[1] and block.lines[1]:find "^%$ "
  for _, line in ipairs(block.lines) do
    local command = is_session and line:match "^%$ (.*)" or not is_session and line
    if not is_session and not programs[line:match "^%S+"] then return nil end
    if command then
      list[#list + 1] = {command = command, shown = is_session and {}}
    else
      table.insert(list[#list].shown, line)
    end
  end
  return list[1] and list
end

-- The commands of a block in order: command, shown, why (it is not run).
local function commands_of(block)
  local list, used = assert(command_lines(block), "it is neither commands nor marked"), {}
  for _, each in ipairs(list) do each.command, each.why = tested(each.command, block, used) end
  for i, remark in ipairs(block.remarks) do
    local is_used = used[i] or used[quoted(remark, "^not run, ")]
    assert(is_used or not remark:find '^tested with "' and not remark:find '^not run, "', "nothing has: " .. remark)
  end
  return list
end

-- errors_best_spec.lua provokes each failure below a heading of errors.md with a name in it, and compares the message.
local function is_provoked(block, path)
  return path == "docs/reference/errors.md" and block.prose:find "### [^#]*%(`[%w_]+`%)$"
end

-- "file", "change", "commands", or "none" and why; nil if the block is nothing of these.
local function kind_of(block, before, path)
  if markdown.remark(block, "^not run: %S") then return "none", markdown.remark(block, "^not run: (.*)") end
  if block.prose:find "Save this as `[^`]+`:%s*$" or markdown.remark(block, "^%S+%.lua$") then return "file" end
  if block.language == "diff" then return "change" end
  local is_elsewhere = block.language == "lua" and not path:find "^docs/tutorial/" or markdown.is_output(block, before)
  if is_elsewhere then return "none", "docs_spec.lua runs it" end
  if others[block.language] then return "none", others[block.language] end
  if is_provoked(block, path) then return "none", "errors_best_spec.lua provokes it" end
  return command_lines(block) and "commands"
end

-- ---- what a command prints --------------------------------------------------------------------------------------

local function lines_of(text)
  local lines = {}
  for line in text:gmatch "([^\n]*)\n" do
    line = line:gsub("%s+$", "")
    -- PoCL names the processor, and its compiler counts errors beside its log.
    if not line:find "^%d+ errors? generated%.$" then lines[#lines + 1] = line end
  end
  while lines[#lines] == "" do lines[#lines] = nil end
  return lines
end

local function is_like(line, shown)
  for _, kind in ipairs {"^clue: device ", "^Device .* failed to build"} do
    if line:find(kind) and shown:find(kind) then return true end
  end
  return markdown.is_shown(line, shown)
end

-- The first line at or behind `at` that is like what is shown; one behind the last if nothing more is shown.
local function next_like(lines, at, shown)
  while lines[at] and (not shown or not is_like(lines[at], shown)) do at = at + 1 end
  return at
end

local function difference(lines, shown)
  local at = 1
  for i = 1, #shown + 1 do
    if shown[i] and shown[i]:find "^%s*%.%.%.$" then
      at = next_like(lines, at, shown[i + 1])
    elseif not (lines[at] and shown[i] and is_like(lines[at], shown[i])) and (lines[at] or shown[i]) then
      return ("line %d\n  shown: %s\n  found: %s"):format(i, tostring(shown[i]), tostring(lines[at]))
    else
      at = at + 1
    end
  end
end

-- Lines without their numbers, units of time, widths of columns, and the name after "device N (P:D)".
local function without_numbers(lines)
  local list = {}
  for i, line in ipairs(lines) do
    list[i] = line:gsub("(device )%d+ %(%d+:%d+%) [^%[:,]+", "%1"):gsub("driver [^,]+", "driver")
      :gsub("%d[%d.]*e?[+-]?%d*", "0"):gsub("0 [mun]?s%f[%W]", "0 s"):gsub("%s+", " ")
  end
  return list
end

-- The words that must come again although the numbers differ: what precedes the first digit of a line of text.
local function missing_word(output, shown)
  for _, line in ipairs(shown) do
    local words = line:match "^(%a[^%d:]*:)" or line:match "(WRONG)"
    if words and not line:find "^the times" and not output:find(words, 1, true) then return words end
  end
end

local function problem_of(block, out, shown)
  if markdown.remark(block, "measured") then return missing_word(out, shown) end
  local lines, expected = lines_of(out), lines_of(table.concat(shown, "\n") .. "\n")
  if markdown.remark(block, "^other numbers$") then
    lines, expected = without_numbers(lines), without_numbers(expected)
  end
  return difference(lines, expected)
end

-- ---- following a page -------------------------------------------------------------------------------------------

local cache = support.folder() -- of all pages, so that the limits of the device are measured once

-- `place` is where a page is followed: its folder, and the variables that it exported.
local function run(place, command)
  local env = {
    PATH = support.clue:match "^(.*)/" .. ":" .. os.getenv "PATH", CLUE_CACHE_DIR = place.cache or cache,
    CLUE_NO_CACHE = false, LUA_INIT = support.cold,
    POCL_MAX_PTHREAD_COUNT = "1", -- more cores would measure the same time
  }
  if not command:find "tune" then support.unoptimised(env) end -- tuned kernels run for long
  local line = 'cd "$0" && ' .. place.exported .. "{ " .. command .. "\n} 2>&1"
  local status, out = support.execute({"stdbuf", "-oL", "bash", "-c", line, place.folder}, env)
  if status == 0 and command:find "^export " then place.exported = place.exported .. command .. "\n" end
  return status, out
end

local function run_all(block, place)
  for _, each in ipairs(commands_of(block)) do
    if not each.why then
      local status, out = run(place, each.command)
      local fails = markdown.remark(block, "fails") ~= nil
      assert((status ~= 0) == fails, ("%s ends with %d\n%s"):format(each.command, status, out))
      local problem = each.shown and problem_of(block, out, each.shown)
      assert(not problem, ("%s: %s\n%s"):format(each.command, tostring(problem), out))
    end
  end
end

local function follow(path, text, place)
  local before
  for _, block in ipairs(markdown.blocks(text)) do
    local kind = kind_of(block, before, path)
    assert(kind, ("%s:%d: this block is neither run nor marked: %s"):format(path, block.line, block.lines[1] or ""))
    if kind == "file" then
      local name = block.prose:match "Save this as `([^`]+)`:%s*$" or markdown.remark(block, "^(%S+%.lua)$")
      local folder = name:match "^(.*)/"
      if folder then lfs.mkdir(place.folder .. "/" .. folder) end
      support.write(block.text, place.folder .. "/" .. name)
    elseif kind == "change" then
      local changed = block.prose:match "Change `([^`]+)`[^`]*:%s*$"
      edit(place.folder .. "/" .. assert(changed, "a change of no file"), block.lines)
    elseif kind == "commands" then
      local done, problem = pcall(run_all, block, place)
      assert(done, ("%s:%d: %s"):format(path, block.line, tostring(problem)))
    end
    before = block
  end
end

-- ---- the tutorial -----------------------------------------------------------------------------------------------

describe("the tutorial", function()
  local chapters, place = {}, {folder = support.folder(), exported = ""}
  place.cache = place.folder .. "/.cache" -- of its own, but for the limits
  for _, folder in ipairs {place.cache, cache .. "/limits"} do assert(lfs.mkdir(folder)) end
  lfs.link(cache .. "/limits", place.cache .. "/limits", true)
  for name in lfs.dir "docs/tutorial" do
    if name:find "%.md$" then chapters[#chapters + 1] = name end
  end
  table.sort(chapters)

  it("has seven chapters", function() assert.equal(7, #chapters) end)

  for _, name in ipairs(chapters) do
    it("can be followed in " .. name, function()
      follow("docs/tutorial/" .. name, support.read("docs/tutorial/" .. name), place)
    end)
  end
end)

-- ---- the other pages --------------------------------------------------------------------------------------------

-- What pages take for granted: commands before their first one.
local copied = "clue new walkthrough mine --from mql5 --steps 3,4"
local captured = "clue trace --capture scale:3 script.lua"
local function walked(name) return "clue walk mql5 --steps 4 --size 32 --repeat 1 --json " .. name end
local prepared = {
  ["README.md"] = {walked "a.json", "cp a.json b.json && cp a.json c.json"},
  ["docs/howto/class.md"] = {"mkdir class", "clue docs/../tests/specimens/class.lua class", "cp class/* ."},
  ["docs/howto/port-from-mql5.md"] = {"cp scripts/examples/hello.lua NAME.lua"},
  ["docs/measurements/README.md"] = {walked "mine.json"},
  -- A script without inputs, to which any words may be given.
  ["docs/reference/build.md"] = {"sed -i 's/^input.*/_size = 64/; s/^function OnStart()/do/' script.lua"},
  ["docs/reference/checking.md"] = {copied, captured},
  ["docs/reference/counting.md"] = {copied, "zcat docs/measurements/peak-pocl-1.json.gz >peak.json"},
  ["docs/reference/errors.md"] = {"cp out_of_bounds.lua script.lua"},
  ["docs/reference/tuning.md"] = {
    "clue tune space.lua",
    "cp space.tune.json a.json && cp a.json cache.json && gzip -k cache.json",
    "cp cache.json.gz b.json.gz && cp cache.json.gz results.json.gz",
  },
  ["docs/reference/walk.md"] = {walked "yesterday.json"},
}

local function new_place(path)
  local place = {folder = support.folder(), exported = ""}
  local here = lfs.currentdir()
  for name in lfs.dir "tests/specimens/pages" do
    local text = not name:find "^%." and support.read("tests/specimens/pages/" .. name)
    if text then support.write(text, place.folder .. "/" .. name) end
  end
  for _, name in ipairs {"scripts", "docs"} do lfs.link(here .. "/" .. name, place.folder .. "/" .. name, true) end
  lfs.link(support.clue:match "^(.*)/", place.folder .. "/build", true)
  for _, command in ipairs(prepared[path] or {}) do
    local status, out = run(place, command)
    assert(status == 0, ("%s ends with %d\n%s"):format(command, status, out))
  end
  return place
end

for _, path in ipairs(markdown.pages()) do
  if not path:find "^docs/tutorial/" then
    it("runs the commands of " .. path, function() follow(path, support.read(path), new_place(path)) end)
  end
end

-- ---- the README's table -----------------------------------------------------------------------------------------

describe("the tables of the README and of all pages", function()
  -- Commands that are run in another form, to be quick or because there is no GPU; or why they are not run.
  local instead = {
    ["clue --device gpu script.lua"] = {"clue --device cpu script.lua"},
    ["clue watch script.lua"] = {why = "it runs until Ctrl-C; watch_spec.lua runs it"},
    ["clue help NAME"] = {"clue help walk"},
    ["clue new script NAME"] = {"clue new script mine"},
    ["clue walk mql5"] = {"clue walk mql5 --steps 1,4 --size 64 --repeat 1"},
    ["clue walk mql5 --size 256..2048*2"] = {"clue walk mql5 --steps 4 --size 32..64*2 --repeat 1"},
    ["clue peak"] = {"clue peak --only latency"},
    ["clue farm --hosts FILE -- walk mql5"] = {why = "farm_spec.lua runs farms"},
    ["mpirun -n 4 clue script.lua"] = {why = "mpi_spec.lua runs such scripts"},
    ["lua5.4 -l clue"] = {
      [[LUA_PATH="build/lua/?.lua;build/lua/?/init.lua;;" LUA_CPATH="build/lua/?.so;;" ]]
        .. [[lua5.4 -l clue -e 'print(clue.device.get(0))']],
    },
  }

  -- What the other codes, which are expressions, refer to. `...` is a kernel's source.
  local SETUP = [[
    local cl = require "clue"
    local context = cl.context()
    local queue, a = context:queue(), cl.array.float {1, 2, 3}
    local x, y = queue:array(a), queue:array(a)
    local kernel, memory = context:program(...):kernel "twice", context:buffer(a)
    local function f() return kernel(queue, 3, nil, memory) end
    local g = f
    local function setup() return f end
    return %s]]
  local SOURCE = "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"

  -- The codes of the column "type".
  local function codes_of(text)
    local codes = {}
    for row in text:match("\n| %.%.%. | type | read |\n[^\n]*(\n.-)\n\n"):gmatch "\n(|[^\n]*)" do
      for code in row:match("^|[^|]*|([^|]*)|"):gmatch "`([^`]+)`" do codes[#codes + 1] = code end
    end
    return codes
  end

  local function tested_form(code)
    if instead[code] then return instead[code][1] end
    if code:find "^clue" then return code end
    return ("clue -e %s"):format(support.quote(("local chunk = assert(load(%q))\nassert(chunk(%q))")
      :format(SETUP:format(code), SOURCE)))
  end

  local codes = codes_of(support.read "docs/README.md")
  local first = codes_of(support.read "README.md")
  for _, code in ipairs(first) do codes[#codes + 1] = code end

  it("runs", function()
    local place = new_place "README.md"
    assert.is_true(#first > 8 and #codes > 30)
    local known = {}
    for _, code in ipairs(codes) do
      local command = not known[code] and tested_form(code)
      local status, out = 0, ""
      if command then status, out = run(place, command) end
      assert(status == 0, ("%s ends with %d\n%s"):format(code, status, out))
      known[code] = true
    end
  end)

  it("has every command of which another form is run", function()
    local is_there = {}
    for _, code in ipairs(codes) do is_there[code] = true end
    for code, form in pairs(instead) do
      assert(is_there[code], "the table has no " .. code)
      assert(form[1] or form.why)
    end
  end)

  it("would fail with a wrong command or expression", function()
    local place = new_place "no page"
    local function status_of(code) return (run(place, tested_form(code))) end
    assert.equal(0, status_of "cl.time(f)")
    assert.not_equal(0, status_of "clue gone script.lua")
    assert.not_equal(0, status_of "cl.gone(f)")
  end)
end)

-- ---- this spec itself -------------------------------------------------------------------------------------------

describe("the check of commands", function()
  local function problem(text, path)
    path = path or "page.md"
    local done, message = pcall(follow, path, text, {folder = support.folder(), exported = ""})
    return not done and tostring(message) or nil
  end

  it("accepts what comes out as shown", function()
    assert.is_nil(problem "```console\n$ echo 1; echo 2 >&2\n1\n2\n```\n")
    assert.is_nil(problem "```console\n$ seq 5\n1\n...\n4\n5\n$ seq 3\n1\n...\n```\n")
    assert.is_nil(problem "Type:\n\n    clue -e 'print(1)'   # one\n    clue --version\n")
    assert.is_nil(problem "1. First:\n\n       clue -e 'print(1)'\n\n   then more\n")
    assert.is_nil(problem "<!-- output of: clue -e 'print(7)' -->\n```text\n7\n```\n")
    assert.is_nil(problem "<!-- other numbers -->\n```console\n$ echo took 3.5 us of 1\ntook 12 ms of 2\n```\n")
    assert.is_nil(problem "Save this as `a.txt`:\n\n```text\nx\n```\n\n```console\n$ cat a.txt\nx\n```\n")
    assert.is_nil(problem "<!-- a.lua -->\n```lua\nprint(3)\n```\n```console\n$ clue a.lua\n3\n```\n")
    assert.is_nil(problem "    export GREETING=hello\n\nand then\n\n```console\n$ echo $GREETING\nhello\n```\n")
    assert.is_nil(problem "<!-- fails -->\n\n    clue gone.lua\n")
  end)

  it("finds another output, a line more and a line less", function()
    assert.matches("shown: 2\n  found: 1", problem "```console\n$ echo 1\n2\n```\n", 1, true)
    assert.matches("found: 2", problem "```console\n$ seq 2\n1\n```\n", 1, true)
    assert.matches("found: nil", problem "```console\n$ seq 2\n1\n2\n3\n```\n", 1, true)
    assert.matches("shown: 5\n", problem "```console\n$ seq 4\n1\n...\n5\n```\n", 1, true)
    assert.matches("found: 7", problem "<!-- output of: clue -e 'print(7)' -->\n```text\n8\n```\n", 1, true)
    assert.matches("found: took", problem "<!-- other numbers -->\n```console\n$ echo took 3\ncosts 3\n```\n", 1, true)
    assert.equal("rows:", missing_word("columns: 3 ms", {"rows: 2 ms"}))
  end)

  it("finds a command that fails, and one that should", function()
    assert.matches("page.md:3: .*clue gone.lua ends with 1", problem "Type:\n\n    clue gone.lua\n")
    assert.matches("ends with 2", problem "```console\n$ clue build --gone\n```\n")
    assert.matches("ends with 0", problem "<!-- fails -->\n\n    clue --version\n")
  end)

  it("finds a block that is neither run nor marked", function()
    assert.matches("page.md:1: this block is neither run nor marked: 1 2", problem "```text\n1 2\n```\n", 1, true)
    assert.matches("neither run nor marked", problem "Look:\n\n    some output\n", 1, true)
    assert.matches("neither run nor marked", problem "Look:\n\n    clue --version\n    and output\n", 1, true)
    assert.matches("neither run nor marked", problem "```\nf: failed\n```\n", 1, true)
    assert.matches("neither run nor marked", problem "```lua\nprint(1)\n```\nand\n```text\n1\n```\n", 1, true)
    local provoked = "### A failure (`name`)\n\n```\nf: failed\n```\n"
    assert.matches("neither run nor marked", problem(provoked), 1, true)
    assert.is_nil(problem(provoked, "docs/reference/errors.md"))
  end)

  it("leaves out what is marked, if the mark has a reason and fits", function()
    assert.is_nil(problem "<!-- not run: it needs a GPU -->\n\n    clue gone.lua\n")
    assert.matches("ends with", problem "<!-- not run: -->\n\n    clue gone.lua\n")
    assert.is_nil(problem '<!-- not run, "gone": a GPU -->\n\n    clue --version\n    clue gone.lua\n')
    assert.matches("nothing has: not run", problem '<!-- not run, "gone": a GPU -->\n\n    clue --version\n')
    assert.is_nil(problem '<!-- tested with "--version" for "gone" -->\n\n    clue gone\n')
    assert.matches("nothing has: tested with", problem '<!-- tested with "a" for "gone" -->\n\n    clue --version\n')
    assert.matches("ends with", problem "<!-- not run: a GPU -->\nSome words.\n\n    clue gone.lua\n")
  end)

  it("finds a change that fits nowhere", function()
    local path = support.write "a\nb\n"
    assert.error(function() edit(path, {"-c", "+d"}) end)
    edit(path, {"-b", "+d"})
    assert.equal("a\nd\n", support.read(path))
  end)
end)
