-- Text of others gets nowhere further than text does: names that drivers report, build logs, names of files, results in
-- files. Each subcommand shows it without a control character, in pages it stays text, and no shell runs it.
-- suite: whole
-- cost: 15
-- tools: chromium-headless-shell
local browser = require "browser"
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local folder = support.folder()
local mark = folder .. "/mark" -- made by whatever runs the text

-- A title for the window, colours, a link, C1 as bytes and as UTF-8, DEL, half of a character, directions, ends of
-- lines of Unicode; markup, ends of scripts; quotes and a shell's and gnuplot's commands; formats.
local CONTROLS = "\27]0;title\7\27[31mred\27]8;;http://x\27\\link\27]52;c;eA==\7\27P\27\\\13\8\127\155m\194\155m"
  .. "\194\133\195(\226\128\174rtl\226\129\166\226\128\168\226\128\169"
local MARKUP = "</script><script>document.title='hit'</script><img src=x onerror=\"document.title='hit'\">'\"]]>-->"
  .. "&amp;"
local COMMANDS = ("';system('touch %s');`touch %s`$(touch %s)\"%%s%%n"):format(mark, mark, mark)
local TEXT = CONTROLS .. MARKUP .. COMMANDS

local foreign = support.write("\nforged line" .. TEXT, folder .. "/foreign")

local function environment(name, more)
  local env = support.drivers(name, {OPENCL_LAYERS = support.built "layer/hostile.so", CLUE_HOSTILE = foreign,
    CLUE_CACHE_DIR = folder .. "/cache", COLUMNS = "120"})
  for key, value in pairs(more or {}) do env[key] = value end
  return env
end

-- The first byte that a terminal would not take for text, with what is around it.
local function harmful(text)
  for _, pattern in ipairs {"[%z\1-\8\11-\31\127]", "\194[\128-\159]", "\226\128[\168-\174]", "\226\129[\166-\169]"} do
    local at = text:find(pattern)
    if at then return ("%q"):format(text:sub(math.max(1, at - 60), at + 20)) end
  end
  local rest = text:gsub("[\194-\223][\128-\191]", ""):gsub("[\224-\239][\128-\191][\128-\191]", "")
    :gsub("[\240-\244][\128-\191][\128-\191][\128-\191]", "")
  local at = rest:find "[\128-\255]"
  return at and ("not UTF-8: %q"):format(rest:sub(math.max(1, at - 60), at + 20)) or nil
end

local function assert_harmless(text, what)
  local found = harmful(text)
  assert.is_nil(found, found and ("%s: %s"):format(what, found))
  assert.is_nil(support.read(mark), what)
end

-- Runs clue. Its output must have the foreign text, and be harmless.
local function shown(words, env, part)
  local what = table.concat(words, " ")
  local status, out, err = support.run(words, env)
  assert_harmless(out, what .. ": stdout")
  assert_harmless(err, what .. ": stderr")
  assert.matches(part or "\\x1b", out .. err, 1, true, what)
  return status, out, err
end

it("finds bytes that are not text", function()
  for _, bad in ipairs {"\27[m", "a\8", "\194\155", "\155", "\195(", "\226\128\174", "\r\n", "\0"} do
    assert.is_string(harmful("x" .. bad .. "y"))
  end
  assert.is_nil(harmful "tab\tline\n\195\164 \226\130\172 \240\159\152\128")
end)

describe("names that a driver reports", function()
  it("are text in lists of devices, in one line", function()
    local _, out = shown({"devices"}, environment "null")
    assert.not_matches("\nforged", out)
    shown({"devices", "--verbose"}, environment "null")
    _, out = shown({"devices", "--json"}, environment "null", "\\u001b")
    assert.is_table((json.decode(out)))
    shown({"doctor"}, environment "null")
    shown({"doctor", "--json"}, environment "null", "\\u001b")
  end)

  it("are text in the line of a run, and in errors", function()
    local _, _, err = shown({"-e", "require('clue').context()"}, environment "null")
    assert.not_matches("\nforged", err)
    shown({"--device", "nothing like it", "-e", "require('clue').context()"}, environment "null")
    shown({"-e", "error(require('clue').device.get(0).name)"}, environment "null")
    shown({"-e", "CLContextCreate(CL_USE_GPU_ONLY)"}, environment("null", {CLUE_NULL_FAIL = "clCreateContext:-5"}),
      "CL")
  end)
end)

describe("kernels, their logs and the names of files", function()
  local NAME = "na\27[31mme\194\155\nforged\7'\"`touch " .. mark:gsub("/", ".") .. "`"
  local function file(text, ending) return support.write(text, folder .. "/" .. NAME .. ending) end
  local good = file("kernel void f(global float *x) { x[0] = 1; }", "good.cl")
  local bad = file("kernel void f(global float *x) { x[0] = mis\27[31msing; }", "bad.cl")
  local script = file([[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program("kernel void f(global float *x) { x[0] = 1; }"):kernel "f"
    kernel(queue, {1}, nil, context:buffer(4)):wait()
    CLExecute(77777, 1, {0}, {1})
  ]], "script.lua")

  it("are text to clue build, asm, check and count", function()
    shown({"build", bad}, environment "pocl")
    shown({"build", good}, environment "pocl")
    shown({"asm", good}, environment "pocl")
    shown({"check", good, "--global", "4"}, environment "pocl")
    shown({"check", bad}, environment "pocl")
    shown({"count", script}, environment "pocl")
  end)

  it("are text to clue trace, and in its file", function()
    local path = folder .. "/trace.json"
    shown({"trace", "-o", path, "--capture", "f", "--capture-folder", folder .. "/call", script},
      environment "oclgrind")
    local text = support.read(path)
    assert.is_nil(harmful(text))
    assert.is_table((json.decode(text)))
    shown({folder .. "/call/replay.lua"}, environment "oclgrind")
    shown({"trace", "--summary", path}, environment "oclgrind", "")
  end)

  it("are text in errors about scripts, modules, arguments and options", function()
    shown({script}, environment "null")
    shown({folder .. "/no" .. NAME}, environment "null")
    shown({"-l", NAME}, environment "null")
    shown({"--wrong\27[31m"}, environment "null")
    shown({"--device", TEXT, "-e", "CLContextCreate(CL_USE_ANY)"}, environment "null")
    shown({"-e", "CLContextCreate(CL_USE_ANY)"}, environment("null", {CLUE_DEVICE = TEXT}))
    shown({"-e", "require('clue').context()"}, environment("null", {CLUE_TRACE = folder .. "/no/" .. NAME}))
    for command in lfs.dir(support.clue:match "^(.*)/" .. "/lua/clue/command") do
      local name = command:match "^(%l+)%.lua$"
      if name then
        shown({name, "--wrong\27[31m\155"}, environment "null")
        shown({name, TEXT:gsub("\27.*$", "\27[31m\155"), "\27[31mmore\155"}, environment "null", "")
      end
    end
  end)
end)

describe("files of others", function()
  local function file(text, ending) return support.write(text, folder .. "/other" .. ending) end

  it("are text in errors about their form", function()
    local cases = {
      {"require('clue').array.load(arg[1])", "\147NUMPY\1\0\64\0{'descr': '" .. TEXT:gsub("'", "")
        .. "', 'shape': ()}", ".npy"},
      {"require('clue').image_file.load(arg[1])", "P5 " .. TEXT, ".pgm"},
      {"require('clue').json.decode(require('clue').read_file(arg[1]))", '{"a": ' .. TEXT, ".json"},
      {"loadfile(arg[1])()", "x = = " .. TEXT, ".lua"},
    }
    for _, case in ipairs(cases) do
      local reader = support.write(case[1], folder .. "/reads.lua")
      support.ended(1, shown({reader, file(case[2], case[3])}, environment "null", ""))
    end
  end)

  it("are text where results are read", function()
    local path = file(json.encode {format = "clue walk 2" .. TEXT}, ".json")
    shown({"compare", path, support.write(support.read(path), folder .. "/later.json")}, environment "null")
    shown({"tune", "--show", path}, environment "null", "")
    shown({"tune", "--simulate", path}, environment "null", "")
    shown({"walk", "mql5", "--json", path, "--resume"}, environment "null", "")
    path = file("{" .. TEXT, ".json")
    for _, words in ipairs {{"compare", path, path}, {"tune", "--show", path}, {"trace", "--summary", path},
                            {"walk", "mql5", "--json", path, "--resume"}} do
      shown(words, environment "null", "")
    end
  end)
end)

it("does not write a trace through a link in a shared folder", function()
  for _, link in ipairs {"ln -s", "ln"} do
    local shared, kept = support.folder(), support.write("kept", folder .. "/kept")
    local line = link .. ' "$1" "$2/$$.trace" && exec "$3" -e "$4"'
    support.ended(0, support.execute({"sh", "-c", line, "sh", kept, shared, support.clue,
      "require('clue').context()"}, support.drivers("null", {CLUE_TRACE = shared})))
    assert.equal("kept", support.read(kept))
    for name in lfs.dir(shared) do
      local text = name:find "%.trace$" and support.read(shared .. "/" .. name)
      assert.is_true(not text or text:find "^process\t" ~= nil or link == "ln" and text == "kept")
    end
  end
end)

it("what is typed at the prompt without a terminal is text in its answers", function()
  local input = table.concat({
    ("%q"):format(CONTROLS):gsub("\27", "\\27"):gsub("\r", "\\r"):gsub("%z", "\\0") .. "",
    'setmetatable({}, {__tostring = function() return "\\27[31mhi" end})', 'error "\\27[31mboom"',
    'error(setmetatable({}, {__tostring = function() return "\\27[31mhi" end}))', '{["\\27[31m"] = 1}',
    "\27[31m = 1", "x = \155 \27[31m", 'require "\\27[31m"', 'require("clue").context("\\27[31m")',
  }, "\n") .. "\n"
  local out, err = support.ended(0, support.run({"-i", "--quiet"}, environment "null", input))
  assert_harmless(out, "stdout")
  assert_harmless(err, "stderr")
  assert.matches("> \\x1b[31mhi\n", out, 1, true)
  assert.matches("stdin:1: unexpected symbol near 'char(27)'", err, 1, true)
end)

describe("a name without an end", function()
  local LONG = ("n"):rep(50000)

  it("is refused where a file, a module, a device or an option is named", function()
    for _, words in ipairs {{LONG}, {LONG .. ".lua"}, {"--" .. LONG}, {"-l", LONG}, {"--device", LONG, "devices"},
                            {"walk", LONG}, {"walk", "mql5", "--json", LONG}, {"walk", "mql5", "--steps", LONG},
                            {"tune", LONG}, {"build", LONG}, {"compare", LONG, LONG}, {"doctor", LONG},
                            {"trace", "-o", LONG, "-e", "x = 1"}, {"new", "walkthrough", LONG}} do
      local status, _, err = support.run(words, environment("null", {OPENCL_LAYERS = ""}))
      assert.is_true(status == 1 or status == 2, ("%s: %s"):format(words[1]:sub(1, 20), status))
      assert.is_true(#err > 20, words[1]:sub(1, 20))
      assert.is_nil(err:find("traceback", 1, true), words[1]:sub(1, 20))
    end
  end)

  it("is refused in variables of the environment", function()
    for _, name in ipairs {"CLUE_DEVICE", "CLUE_TRACE", "CLUE_BUILD_OPTIONS", "CLUE_CACHE_DIR", "TMPDIR"} do
      local status = support.run({"-e", "require('clue').context():program 'kernel void f() {}'"},
        environment("null", {OPENCL_LAYERS = "", [name] = "/tmp/" .. LONG}))
      assert.is_true(status <= 2, ("%s: %d"):format(name, status))
    end
  end)

  it("is a file's if the system allows it", function()
    local path = folder .. "/" .. ("n"):rep(251) .. ".lua"
    local status, out = support.run({support.write("print(#arg[0])", path)}, environment "null")
    assert.same({0, #path .. "\n"}, {status, out})
  end)

  it("is a kernel's where the driver survives it", function()
    local name = ("k"):rep(5000)
    local source = support.write(("kernel void %s(global int *a) { a[0] = 1; }\n"):format(name), folder .. "/long.cl")
    local path = support.write(([[
      local context = require("clue").context()
      context:program(require("clue").read_file("%s")):kernel(("k"):rep(5000))(context:queue(), 1, nil,
        context:buffer(64))
      context:queue():finish()]]):format(source), folder .. "/long.lua")
    for driver, expected in pairs {oclgrind = 0, pocl = 1} do
      local env = support.drivers(driver, {POCL_CACHE_DIR = folder .. "/pocl"})
      for _, words in ipairs {{path}, {"trace", "-o", folder .. "/long.json", path}, {"build", source}} do
        local status, _, err = support.run(words, env)
        assert.equal(words[1] == "build" and 0 or expected, status, driver .. " " .. words[1] .. err:sub(1, 2000))
      end
    end
  end)
end)

describe("what is no file, or a huge one,", function()
  local space = support.write([[return {tune_params = {A = {1}}, kernel_name = "f", problem_size = 1, arguments = {},
    source = "kernel void f() {}", verify = function() return true end}]], folder .. "/plain_space.lua")
  local reader = support.write([[
    local cl = require "clue"
    for _, read in ipairs {cl.array.load, cl.image_file.load, cl.read_file} do
      local done, value, why = pcall(read, arg[1])
      if done and value then error(tostring(value)) end
      print(done and why or value)
    end]], folder .. "/reader.lua")

  for name, make in pairs {fifo = "mkfifo", folder = "mkdir", device = "ln -s /dev/zero", huge = "truncate -s 10G"} do
    it("is refused at once: " .. name, function()
      local path = folder .. "/" .. name
      assert.equal(0, (support.execute {"sh", "-c", make .. " " .. support.quote(path)}))
      local function refused(words, env, part)
        local status, out, err = support.run(words, env or support.drivers "null", nil, 30)
        assert.is_true(status == 1 or status == 2, ("%s: %d\n%s%s"):format(table.concat(words, " "), status, out, err))
        assert.matches(part or name == "huge" and "bytes" or path, out .. err, 1, true)
      end
      refused {"compare", path, path}
      refused {"tune", "--show", path}
      refused {"tune", "--simulate", path}
      refused {"walk", "mql5", "--json", path, "--resume"}
      local out = support.ended(0, support.run({reader, path}, support.drivers "null", nil, 30))
      assert.equal(3, select(2, out:gsub("\n", "")), out)
      if name ~= "huge" then
        local results = path .. ".json"
        assert(os.rename(path, results .. ".journal"))
        refused({"tune", space, "--results", results}, support.drivers("null", {CLUE_NO_CACHE = "1"}), "is no file")
      end
    end)
  end
end)

-- ---- walkthroughs, tuning and their pages ----

-- Opens a page, and raises if a script or an element of its texts came alive.
local function assert_inert(path, what)
  if not support.thorough then return end
  local status, dom = browser.open({"--dump-dom", "--virtual-time-budget=5000"}, path)
  assert.equal(0, status, what)
  assert.is_nil(dom:find("<title>hit", 1, true), what)
  assert.is_nil(dom:find "<img", what)
  assert.equal(2, select(2, dom:gsub("<script", "")), what) -- its own
  assert.matches("&lt;img src=x", dom, 1, true, what)
end

-- Cells that a spreadsheet would compute.
local function formulas(csv)
  local found = {}
  for cell in csv:gmatch '%f[^,\n]"?[=+@-][^,\n]*' do
    if not tonumber(cell) then found[#found + 1] = cell end
  end
  return found
end

describe("a walkthrough of others", function()
  local home = folder .. "/=1+1" .. CONTROLS:gsub("\7.*", "\7\155") .. "<img src=x>'"
  local function quoted(text) return (("%q"):format(text):gsub("\\\n", "\\n"):gsub("\r", "\\r"):gsub("%z", "\\0")) end

  setup(function()
    assert(lfs.mkdir(home))
    support.write(([[return {title = %s, author = %s, about = %s, year = 2026, language = %s, hardware = %s,
      headline = %s, lessons = {%s}, try = {{%s, %s}}, links = {{%s, %s}}}]]):gsub("%%s", function()
        return quoted(TEXT)
      end), home .. "/walkthrough.lua")
    local step = support.read "tests/specimens/turns/02_fast.lua":gsub('"fast"', "=" .. quoted("=2+5" .. TEXT))
      :gsub('"fast"', function() return quoted("=2+5" .. TEXT) end)
    step = "-- " .. TEXT:gsub("[\r\n]", "") .. "\n" .. step:gsub("number = 2", "number = N"):gsub('name = =', "name = ")
      :gsub('"sleeping"', function() return quoted("@SUM(A1)" .. TEXT) end)
      :gsub('"it sleeps"', function() return quoted(TEXT) end):gsub("0%.008", "0.001")
    for number, name in ipairs {"=cmd" .. CONTROLS:gsub("/", "."), "other\27[31m<img src=x>"} do
      support.write(step:gsub("number = N", "number = " .. number), ("%s/%02d_%s.lua"):format(home, number, name))
    end
  end)

  it("is text in tables, explanations, JSON, CSV and the page", function()
    local files = folder .. "/walk"
    shown({"walk", home, "--repeat", "1", "--notes", "--json", files .. ".json", "--csv", files .. ".csv",
      "--report", files .. ".html"}, environment "oclgrind")
    for _, ending in ipairs {".json", ".csv", ".html"} do
      assert.is_nil(harmful(support.read(files .. ending)), ending)
    end
    assert.is_table((json.decode(support.read(files .. ".json"))))
    assert.same({}, formulas(support.read(files .. ".csv")))
    assert_inert(files .. ".html", "walk --report")
    for _, option in ipairs {"--explain", "--source", "--diff"} do
      shown({"walk", home, option, "2"}, environment "oclgrind", "")
    end
    local later = support.write(support.read(files .. ".json"), files .. "_later.json")
    shown({"compare", files .. ".json", later}, environment "null")
    shown({"new", "walkthrough", folder .. "/\27[31mcopy\155", "--from", home}, environment "null", "")
  end)
end)

describe("a space of others", function()
  it("is text in tables, results and the page, and in what is shown of them again", function()
    local space = support.write(([[
      local cl = require "clue"
      local x = cl.array.float(16):fill(1)
      return {kernel_name = "twice", name = "space\27[31m", tune_params = {A = {1, 2}, WORD = {%q, "b"}},
        source = "kernel void twice(global float *x) { x[get_global_id(0)] *= A + 1; }",
        problem_size = 16, arguments = {x}, restrictions = {},
        metrics = {["m\27[31m<img src=x>"] = function(p) return p.A end},
        verify = function(answer, _, _, p) if p and p.A == 2 then error(%q) end return true end}]]):format(TEXT, TEXT),
      folder .. "/space\27[31m.lua")
    local results, page = folder .. "/tuned.json", folder .. "/tuned.html"
    shown({"tune", space, "--results", results, "--report", page}, environment "oclgrind")
    for _, path in ipairs {results, page} do assert.is_nil(harmful(support.read(path)), path) end
    assert.is_table((json.decode(support.read(results))))
    assert_inert(page, "tune --report")
    shown({"tune", "--show", results, "--report", page}, environment "null")
    assert_inert(page, "tune --show --report")
    shown({"tune", "--simulate", results}, environment "null", "")
  end)

  it("is text to clue peak, too", function()
    local path = folder .. "/peak.json"
    shown({"peak", "--only", "latency", "--json", path}, environment "oclgrind")
    assert.is_nil(harmful(support.read(path)))
    shown({"compare", path, support.write(support.read(path), folder .. "/later.json")}, environment "null")
  end)
end)
