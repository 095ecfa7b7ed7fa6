-- The executable seen from outside: a Lua interpreter with options, scripts, subcommands, errors and exit statuses.
-- suite: quick
-- builds: luajit asan lua54
local support = require "support"

local jit_only = rawget(_G, "jit") and it or pending

-- Runs a shell command in which $CLUE is the executable.
local function shell(command, input)
  return support.execute({"sh", "-c", command}, {CLUE = support.clue}, input)
end

local function program(name)
  local pipe = assert(io.popen("command -v " .. name))
  local path = pipe:read("*l")
  pipe:close()
  return path
end

local contains, lacks = support.has, support.has_not

describe("a script", function()
  it("gets the words after its name as arg and as ...", function()
    local out = support.ended(0, support.run_script("print(arg[1], arg[2], #arg, ...)", {"a b", ""}))
    assert.equal("a b\t\t2\ta b\t\n", out)
  end)

  it("gets the options that follow its name", function()
    local _, out, err = support.run_script("print(...)", {"-e", "print(1)", "--device", "-x", "--help"})
    assert.equal("-e\tprint(1)\t--device\t-x\t--help\n", out)
    assert.equal("", err)
  end)

  it("finds its name at arg[0] and clue's options at negative indexes", function()
    local path = support.write("print(arg[0], arg[-1], arg[-2], arg[-3], arg[-4], arg[-5])")
    local _, out = support.run {"--quiet", "-e", "", path}
    assert.equal(path .. "\t\t-e\t--quiet\t" .. support.clue .. "\tnil\n", out)
  end)

  it("may begin with a #! line and have \\r\\n line ends", function()
    local text = "#!/usr/bin/env clue\r\nlocal s = [[a\r\nb]]\r\nprint(#s)\r\nerror 'x'"
    local out, err = support.ended(1, support.run_script(text))
    assert.equal("3\n", out)
    assert.matches("^clue: [^\n]*:5: x\n", err)
  end)

  it("comes from standard input if no script is named", function()
    local out = support.ended(0, support.run({}, nil, "print(select('#', ...), arg[0])"))
    assert.equal("0\t" .. support.clue .. "\n", out)
  end)

  it("comes from standard input as '-', with arguments", function()
    local _, out = support.run({"-", "a", "-v"}, nil, "print(arg[0], ...)")
    assert.equal("-\ta\t-v\n", out)
  end)

  it("may follow --", function()
    local _, out = support.run {"--", support.write("print(...)"), "--"}
    assert.equal("--\n", out)
  end)

  it("has its OnStart called, which may return the exit status", function()
    local out = support.ended(4, support.run_script("print 'chunk'\nfunction OnStart() print 'start' return 4 end"))
    assert.equal("chunk\nstart\n", out)
  end)

  it("fails if OnStart returns a number that is not an exit status", function()
    for _, number in ipairs {"256", "-1", "0.5", "0/0"} do
      assert.equal(255, (support.run_script("function OnStart() return " .. number .. " end")))
    end
  end)

  it("has its OnStart called from standard input too", function()
    local out = support.ended(0, support.run({"-"}, nil, "function OnStart() print 'start' end"))
    assert.equal("start\n", out)
  end)

  it("loads nothing of clue if it uses nothing of clue", function()
    local _, out = support.run_script([[
      for name in pairs(package.loaded) do
        if name:find "^clue" then print(name) end
      end]])
    assert.equal("clue.options\n", out)
  end)
end)

describe("the globals", function()
  local names = "print(CL_MEM_READ_ONLY, type(CLContextCreate))"

  it("hold MQL5's names in a script", function()
    local _, out = support.run_script(names)
    assert.equal("4\tfunction\n", out)
  end)

  it("hold them for -e", function()
    local _, out = support.run {"-e", names}
    assert.equal("4\tfunction\n", out)
  end)

  it("hold them at the prompt", function()
    local _, out = support.run({"-i"}, nil, "CL_MEM_READ_ONLY\n")
    contains(out, "> 4\n")
  end)

  it("hold them for modules loaded by -l", function()
    local folder = support.folder()
    support.write(names, folder .. "/names.lua")
    local _, out = support.run({"-lnames"}, {LUA_PATH = folder .. "/?.lua"})
    assert.equal("4\tfunction\n", out)
  end)

  it("give nil for an undefined name, even if it is the first one read", function()
    local _, out = support.run {"-e", "print(no_such_name, rawget(_G, 'CLContextCreate'))"}
    assert.equal("nil\tnil\n", out)
  end)

  it("raise the reason at each use if MQL5's names cannot be loaded", function()
    local broken = "package.preload['clue.mql5'] = function() error 'broken' end "
    local ask = "print(pcall(function() return CL_USE_ANY end)) print(CL_USE_ANY)"
    local out, err = support.ended(1, support.run {"-e", broken .. ask})
    contains(out, "false")
    contains(out, "broken")
    contains(err, "broken")
  end)
end)

describe("next and pairs", function()
  -- LuaJIT issue 829: their compiled code sometimes crashes.
  jit_only("are not compiled", function()
    local dump = support.temporary ".txt"
    local script = [[
      local t, n = {}, 0
      for i = 1, 200 do t["k" .. i] = i end
      for _ = 1, 100 do for k, v in pairs(t) do if k ~= "k7" then n = n + v end end end
      local key
      for _ = 1, 20000 do key = next(t, key) end
      for i = 1, 1000 do n = n + i end -- this loop is compiled, which proves that the dump works
      print(n)
    ]]
    local out = support.ended(0, support.run {"-jdump=+im," .. dump, "-e", script})
    assert.equal(("%d\n"):format((200 * 201 / 2 - 7) * 100 + 1000 * 1001 / 2), out)
    local traces = support.read(dump)
    assert.matches("TRACE %d+ start", traces)
    assert.is_nil(traces:find("vm_next", 1, true))
  end)

  it("behave like Lua's", function()
    local out = support.ended(0, support.run_script [[
      local t = { 10, 20, x = 1 }
      assert(next({}) == nil and next(t) == 1 and select(2, next(t, 1)) == 20)
      local f, s, k = pairs(t)
      assert(f == next and s == t and k == nil)
      local count = 0
      for key in pairs(t) do
        t[key] = nil -- a visited key may be removed
        count = count + 1
      end
      assert(count == 3 and next(t) == nil)
      local function over_nothing() for _ in pairs(nil) do return end end
      for _, call in ipairs { over_nothing, function() next(5) end, function() next({}, "no key") end,
                              function() pairs() end } do
        print((select(2, pcall(call)):gsub("^.-:%d+: ", "")))
      end
    ]])
    assert.matches("bad argument #1 to '[%a ]+' %(table expected, got nil%)", out) -- Lua 5.4 blames the loop's iterator
    assert.matches("bad argument #1 to 'next' (table expected, got number)", out, 1, true)
    assert.matches("invalid key to 'next'", out, 1, true)
  end)
end)

describe("-e, -l and LUA_INIT", function()
  it("run in order, before the script", function()
    local path = support.write("print('script', x)")
    local _, out = support.run {"-e", "x = 1", "-ex = x + 1 print(x)", path}
    assert.equal("2\nscript\t2\n", out)
  end)

  it("-l makes the module a global, under another name if one is given", function()
    local folder = support.folder()
    support.write("return { answer = 42 }", folder .. "/given.lua")
    local env = {LUA_PATH = folder .. "/?.lua"}
    local _, out = support.run({"-l", "given", "-e", "print(given.answer)"}, env)
    assert.equal("42\n", out)
    _, out = support.run({"-lg=given", "-e", "print(g.answer, rawget(_G, 'given'))"}, env)
    assert.equal("42\tnil\n", out)
  end)

  it("end the run with status 1 if they fail, and the script does not run", function()
    local path = support.write("print 'script'")
    for _, option in ipairs {"-eerror 'no'", "-ex = = 1", "-lno.such.module"} do
      local err = support.refused(1, support.run {option, path})
      assert.matches("^clue: ", err)
    end
  end)

  it("LUA_INIT runs first: a statement, or a file after @", function()
    local _, out = support.run({"-e", "print 'second'"}, {LUA_INIT = "print 'first'"})
    assert.equal("first\nsecond\n", out)
    local path = support.write("print 'from a file'")
    _, out = support.run({"-e", "print 'second'"}, {LUA_INIT = "@" .. path})
    assert.equal("from a file\nsecond\n", out)
  end)

  it("LUA_INIT ends the run if it fails", function()
    local err = support.refused(1, support.run({"-e", "print 'second'"}, {LUA_INIT = "error 'no'"}))
    assert.matches("^clue: LUA_INIT:1: no", err)
  end)

  it("-E ignores LUA_INIT and LUA_PATH", function()
    local env = {LUA_INIT = "print 'first'", LUA_PATH = "/no/such/?.lua"}
    local _, out = support.run({"-E", "-e", "print(package.path:find('/no/such', 1, true))"}, env)
    assert.equal("nil\n", out)
  end)
end)

describe("clue's own options", function()
  local ask = "local o = require 'clue.options' print(o.quiet, o.strict, o.device, o.program)"

  it("are passed to clue's modules", function()
    local _, out = support.run {"--quiet", "--strict", "--device", "cpu", "-e", ask}
    assert.equal("true\ttrue\tcpu\t" .. support.clue .. "\n", out)
    _, out = support.run {"--device=0:1", "-e", ask}
    assert.equal("false\tfalse\t0:1\t" .. support.clue .. "\n", out)
    _, out = support.run {"-e", ask}
    assert.equal("false\tfalse\tnil\t" .. support.clue .. "\n", out)
  end)

  it("--version prints the version, then what it is built from, and ends", function()
    local out = support.ended(0, support.run {"--version", "-e", "print(1)"})
    local first, facts = out:match "^(.-\n)(.*)$"
    assert.matches("^clue %d+%.%d+%.%d+ %(Lua[^)]+%)\n$", first)
    assert.matches("^  commit    %x+[^\n]*\n  build     %w+[^\n]*, %w+ %d[^\n]*\n"
      .. "  OpenCL    headers of version %d%.%d\n  libclue   interface %d+ [^\n]*\n$", (facts:gsub("not known", "0")))
    local abi = support.read("host/include/clue.h"):match "CLUE_ABI = (%d+)"
    assert.matches("interface " .. abi .. " ", facts, 1, true)
  end)

  it("-v prints the version and goes on", function()
    local out = support.ended(0, support.run({"-v", "-e", "print(1)"}, nil, "print(2)"))
    assert.matches("^clue %d+%.%d+%.%d+ %(Lua[^)]+%)\n1\n$", out)
  end)

  it("--help and -h describe options and subcommands", function()
    local out = support.ended(0, support.run "--help")
    for _, option in ipairs {"--device", "--quiet", "--strict", "--time-limit", "--version", "-e", "-l", "-i", "-j",
                             "-O"} do
      contains(out, "\n  " .. option)
    end
    local flat = support.flat(out)
    for _, command in ipairs {"devices", "walk"} do
      contains(flat, (" %s %s "):format(command, require("clue.command." .. command).summary))
    end
    local _, short = support.run "-h"
    assert.equal(out, short)
  end)

  it("--help fits 80 columns and is plain text in a pipe, also that of each subcommand #once", function()
    local subcommands = {}
    for file in require("lfs").dir "host/lua/command" do subcommands[#subcommands + 1] = file:match "^(.*)%.lua$" end
    assert.is_true(#subcommands > 10)
    subcommands[#subcommands + 1] = false
    for _, name in ipairs(subcommands) do
      local out = support.clean(support.run({name or "--help", name and "--help"}, {COLUMNS = "40"}))
      assert.matches(name and "^Usage: clue " .. name or "^usage: clue ", out)
      assert.not_matches("[%z\1-\9\11-\31\127]", out)
      for line in out:gmatch "[^\n]+" do assert.is_true(#line <= 80, line) end
      if name then assert.equal(out, (select(2, support.run({name, "-h"}, {COLUMNS = "40"})))) end
    end
  end)

  it("COLUMNS that are no width count for nothing #once", function()
    local _, usual = support.run({"walk"}, {COLUMNS = false})
    for _, columns in ipairs {"", "0", "-3", "wide", "1e99", "nan", "99999"} do
      assert.equal(usual, (select(2, support.run({"walk"}, {COLUMNS = columns}))), columns)
    end
    for _, columns in ipairs {1, 40, 200} do
      local status, out, err = support.run({"walk"}, {COLUMNS = columns})
      assert.equal("0", status .. err)
      assert.equal(out:gsub("%s+", ""), (usual:gsub("%s+", "")))
    end
    local _, narrow = support.run({"walk"}, {COLUMNS = "40"})
    for line in narrow:gmatch "[^\n]+" do
      assert.is_true(#line <= 40 or not line:find "^ ", line)
    end
  end)

  local wrong = {
    {"-x", "unknown option '-x'"},
    {"--size", "unknown option '--size'"},
    {"-iv", "unknown option '-iv'"},
    {"--devices", "unknown option '--devices': did you mean `clue devices`? clue --help lists"},
    {"--devcie=0", "unknown option '--devcie=0': did you mean --device? clue --help lists"},
    {"-version", "unknown option '-version': did you mean --version? clue --help lists"},
    {"--check", "unknown option '--check': did you mean `clue check`? clue --help lists"},
    {"--strange", "unknown option '--strange'; clue --help lists"},
    {"-e", "option -e needs a statement"},
    {"-l", "option -l needs the name of a module"},
    {"-j", "option -j needs a LuaJIT command"},
    {"--device", "option --device needs a device"},
    {"--device=", "option --device needs a device"},
    {"--color", "option --color needs auto, always or never"},
    {"--color=blue", "option --color is auto, always or never: 'blue'"},
    {"--quiet=1", "option --quiet takes no value"},
  }
  for _, case in ipairs(wrong) do
    it("refuse a wrong " .. case[1] .. " with status 2", function()
      local err = support.refused(2, support.run {"-e", "print 'ran'", case[1]})
      contains(err, "clue: " .. case[2])
      assert.equal(1, select(2, err:gsub("\n", "")))
    end)
  end

  it("say that a script's options come after its name", function()
    local _, _, err = support.run {"--size", "10", "script.lua"}
    contains(err, "A script's own options come after its name")
    contains(err, "clue --help")
  end)
end)

describe("-j and -O", function()
  local ask = "print((jit.status()))"

  jit_only("turn the compiler off and on", function()
    local _, out = support.run {"-joff", "-e", ask, "-j", "on", "-e", ask}
    assert.equal("false\ntrue\n", out)
  end)

  jit_only("set optimisations", function()
    local _, out = support.run {"-O0", "-e", "print(select('#', jit.status()))", "-O3,-fold", "-e",
      "print(table.concat({ select(2, jit.status()) }, ' '))"}
    assert.is_nil(out:find("fold", 1, true))
    contains(out, "loop")
  end)

  jit_only("start LuaJIT's own modules", function()
    local path = support.temporary()
    support.run {"-jv=" .. path, "-e", "for i = 1, 1000 do end"}
    contains(support.read(path), "TRACE")
  end)

  jit_only("refuse unknown words", function()
    local _, err = support.ended(1, support.run {"-jnonsense", "-e", ""})
    assert.equal("clue: option -j: unknown command 'nonsense'; there are on, off, flush, v, dump, p, ...\n", err)
    _, err = support.ended(1, support.run {"-O9x", "-e", ""})
    assert.matches("^clue: option %-O: [^\n]*'9x'\n$", err)
  end)
end)

describe("the first word", function()
  it("is a subcommand that gets the words after it and gives the exit status", function()
    local out = support.ended(7, support.run {"-e", [[package.loaded["clue.command.walk"] = {
      run = function(words) print(arg[0], #words, words[1], words[2]) return 7 end }]], "walk", "a", "--size"})
    assert.equal("walk\t2\ta\t--size\n", out)
  end)

  it("is a subcommand even if there is a file of that name, which ./ reaches", function()
    local folder = support.folder()
    support.write("print 'the file'", folder .. "/devices")
    local enter = "cd " .. support.quote(folder) .. " && "
    local _, out = shell(enter .. '"$CLUE" devices --help')
    lacks(out, "the file")
    _, out = shell(enter .. '"$CLUE" ./devices')
    assert.equal("the file\n", out)
  end)

  local function refused(word, expected)
    local err = support.refused(1, support.run(word))
    assert.equal(expected, err)
  end

  it("is refused with the list of subcommands if it is neither", function()
    local _, _, err = support.run "xyzzy"
    assert.matches("^clue: there is no script or subcommand 'xyzzy'; subcommands are: [%l, ]*compare, [%l, ]*count, "
      .. "devices, [%l, ]*walk[%l, ]*\n$", err)
    refused("xyzzy", err)
  end)

  it("is refused with the subcommand that was meant", function()
    refused("trcae", "clue: there is no script or subcommand 'trcae': did you mean `clue trace`?\n")
    -- Two letters that changed places are one mistake: so it is not `clue peak`.
    refused("wlak", "clue: there is no script or subcommand 'wlak': did you mean `clue walk`?\n")
    refused("device", "clue: there is no script or subcommand 'device': did you mean `clue devices`?\n")
  end)

  it("is refused with the script that was meant: without its ending, or misspelt", function()
    local folder = support.folder()
    support.write("", folder .. "/my script.lua")
    for word, says in pairs {["my script"] = ": did you mean `clue '%s/my script.lua'`?",
                             ["my scirpt.lua"] = ": did you mean `clue '%s/my script.lua'`?", ["other.lua"] = ""} do
      local path = folder .. "/" .. word
      refused(path, ("clue: cannot open '%s': no such file%s\n"):format(path, says:format(folder)))
    end
    local _, _, err = shell("cd " .. support.quote(folder) .. ' && : >mine.lua && "$CLUE" mine')
    assert.equal("clue: there is no script or subcommand 'mine': did you mean `clue mine.lua`?\n", err)
  end)

  it("is refused with what replays it if it is a walkthrough", function()
    refused("reduce", "clue: there is no script or subcommand 'reduce', but a walkthrough: `clue walk reduce`\n")
    local folder = support.folder()
    support.write("return {}", folder .. "/walkthrough.lua")
    refused(folder .. "/", ("clue: '%s/' is a walkthrough's folder: `clue walk %s`\n"):format(folder, folder))
  end)

  it("is refused with what to do if it is a source of MQL5", function()
    local path = support.folder() .. "/My test.MQ5"
    support.write([[
      #resource "more.cl" as string more
      const string source = "__kernel void fill(__global int *out) { out[get_global_id(0)] = 1; } \r\n"
        "// a comment\r\n"
        "__kernel \r\n"
        " void sum(__global int *out) { }";
      // CLBufferRead(old, data);
      void OnStart() { int context = CLContextCreate(); CLProgramCreate(context, source); }]], path)
    refused(path, ("clue: %s is MQL5, which MetaTrader compiles; clue runs Lua. Port it, which is short:\n"
      .. "  it has 2 kernels, which stay as they are: fill, sum\n"
      .. "  kernels are in more.cl; `clue build FILE.cl` compiles such a file as it is\n"
      .. "  it uses CLContextCreate, CLProgramCreate; a script of clue's has these under the same names\n"
      .. "  `clue help porting.md` shows line by line how to write the rest in Lua\n"
      .. "  next: clue new script My_test   # a script that runs, to put the kernel into\n"):format(path))
    support.write("void OnStart() {}", path)
    local _, _, err = support.run(path)
    assert.matches("it has no kernel and calls no function of OpenCL; what it includes may\n", err)
    local text = "kernel void a() CLContextCreate()"
    for mark, wide in pairs {["\255\254"] = "%0\0", ["\254\255"] = "\0%0"} do
      support.write(mark .. text:gsub(".", wide), path)
      assert.matches("it has 1 kernel, which stays as it is: a\n  it uses CLContextCreate;",
        select(3, support.run(path)), 1, true)
    end
  end)

  it("is refused if characters in it look like others, but not in comments and strings", function()
    local path = support.temporary ".lua"
    for text, why in pairs {
      ["-- \194\160\nlocal\194\160n = 5"] = ":2: column 6 has a no-break space (U+00A0): write a space",
      ["print(\226\128\156a b\226\128\157)"] = ":1: column 7 has a typographic quotation mark (U+201C): write \"",
      ["n = 3 \226\136\146 1"] = ":1: column 7 has a minus sign of mathematics (U+2212): write -",
      ["n = 3\239\188\155"] = ":1: column 6 has a character of another width (U+FF1B): write ;",
      ["\255\254n\0=\0" .. "1\0"] = " is in UTF-16, which Lua does not read: save it as UTF-8, as iconv -f UTF-16 "
        .. "-t UTF-8 does",
    } do
      support.write(text, path)
      refused(path, ("clue: %s%s\n"):format(path, why))
    end
    support.write("\239\187\191print '\194\160' --[[\226\128\156]] -- \226\128\139", path)
    assert.equal(0, (support.run(path)))
  end)

  it("is read outside strings and comments if it is a source of MQL5, and only clue's names are claimed", function()
    local path = support.folder() .. "/plan.mqh"
    support.write([[
      /* CLBufferRead(old, data); */
      #define TEXT(x) #x
      //#resource "old.cl" as string old
      string source = "// __kernel void gone(__global int *out)\n"
         "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n" + "void kept(__global int *out) { }";
      string other = TEXT(kernel void made(global int *out) { });
      string url = "http://example.com", said = "the call \"CLExecute(kernel)\" failed", quote = '"';
      bool CLPlanInit(int n) { COpenCL ocl; return CLContextCreate() >= 0; }
    ]], path)
    local _, _, err = support.run(path)
    assert.matches("\n  it has 2 kernels, which stay as they are: made, kept\n"
      .. "  it uses CLContextCreate, COpenCL; a script of clue's has these under the same names\n  `clue help", err, 1,
      true)
  end)

  it("is refused with the same words by subcommands that take a script", function()
    local path = support.write("void OnStart() { CLContextCreate(); }", support.folder() .. "/old.mq5")
    local _, _, said = support.run(path)
    for _, name in ipairs {"check", "build", "asm", "count", "tune"} do
      local _, err = support.ended(2, support.run {name, path})
      assert.equal(("clue %s:%s"):format(name, said:sub(#"clue:" + 1)), err)
    end
    local _, _, err = support.run {"check", "no/such.mq5"}
    assert.equal("clue check: no/such.mq5: No such file or directory\n", err)
  end)

  it("is refused if it is a path to nothing", function()
    local _, err = support.ended(1, support.run "no/such/script.lua")
    assert.equal("clue: cannot open 'no/such/script.lua': no such file\n", err)
    local folder = support.folder()
    support.write("error('there is no LuaFileSystem', 0)", folder .. "/lfs.lua")
    _, err = support.ended(1, support.run("no/such/script.lua", {LUA_PATH = folder .. "/?.lua;;"}))
    assert.equal("clue: cannot open 'no/such/script.lua': no such file\n", err)
  end)

  it("is refused if it is a folder", function()
    local _, err = support.ended(1, support.run "/tmp")
    assert.equal("clue: cannot open '/tmp': it is a folder, not a script\n", err)
    local folder = support.folder()
    support.write("return {}", folder .. "/call.lua")
    _, err = support.ended(1, support.run {folder})
    assert.equal(("clue: '%s' is a captured call: `clue %s/replay.lua` repeats it, `clue check %s` looks for faults\n")
      :format(folder, folder, folder), err)
  end)
end)

describe("the prompt", function()
  it("prints the values of expressions, with and without '='", function()
    local out = support.clean(support.run({"-i"}, nil, "1 + 1\n= 'a', nil\nx = 5\nx\nprint(1) -- a call\n"))
    assert.matches("^clue [^\n]+\n> 2\n> a\tnil\n> > 5\n> 1\n> \n$", out)
  end)

  it("counts each typed line as line 1, whatever fails in it", function()
    for _, line in ipairs {"nope.x", "1 + nil", "'a' .. {}", "nope.x -- said", "error 'x'", "nope()", "x = nope.y"} do
      local _, err = support.ended(0, support.run({"-i"}, nil, line .. "\n"))
      assert.matches("^clue: stdin:1: ", err)
      assert.is_nil(err:find("stdin:2", 1, true), err)
    end
  end)

  it("continues after >> until the statement is complete", function()
    local _, out = support.run({"-i"}, nil, "for i = 1, 2 do\nprint(i)\nend\n")
    contains(out, "> >> >> 1\n2\n> ")
  end)

  it("takes its prompts from _PROMPT and _PROMPT2", function()
    local _, out = support.run({"-i", "-e", "_PROMPT = 'one ' _PROMPT2 = 'two '"}, nil, "x = {\n}\n")
    contains(out, "\none two one \n")
  end)

  it("reports errors and goes on", function()
    local out, err = support.ended(0, support.run({"-i"}, nil, "do error 'first' end\nx = = 1\nprint 'still here'\n"))
    contains(out, "still here")
    contains(err, "clue: stdin:1: first\n")
    contains(err, "clue: stdin:1: unexpected symbol near '='")
  end)

  it("knows cl and help in a pipe, too, and leaves a script's own alone", function()
    local _, out, err = support.run({"-i"}, nil, "cl == require 'clue'\nhelp(cl.context)\n")
    assert.equal("", err)
    contains(out, "> true\n> cl.context(on)\n")
    _, out = support.run({"-i", "-e", "cl, help = 1, 2"}, nil, "cl, help\n")
    contains(out, "> 1\t2\n")
    _, out = support.run({"-"}, nil, "print(rawget(_G, 'cl'), rawget(_G, 'help'))\n")
    assert.equal("nil\tnil\n", out)
  end)

  it("follows the script with -i, and has its globals", function()
    local path = support.write("y = ...")
    local _, out = support.run({"-i", path, "word"}, nil, "y\n")
    contains(out, "> word\n")
  end)
end)

describe("an uncaught error", function()
  it("is reported with the script's lines, and gives status 1", function()
    local path = support.write("local function inner()\n  error 'boom'\nend\nlocal function outer()\n  inner()\n"
      .. "  return 1\nend\nouter()\n")
    local status, out, err = support.run {path}
    local short = "%.*[^:\n]*"
    assert.equal(1, status)
    assert.equal("", out)
    assert.matches("^clue: " .. short .. ":2: boom\nstack traceback:\n\t" .. short .. ":2: in function 'inner'\n\t"
      .. short .. ":5: in function 'outer'\n\t" .. short .. ":8: in main chunk\n$", err)
  end)

  it("in OnStart shows no line of clue's own files", function()
    local _, _, err = support.run_script("function OnStart()\n  error 'boom'\nend")
    assert.matches(":2: boom\nstack traceback:\n\t[^\n]*:2: in function 'OnStart'\n$", err)
  end)

  it("shows clue's own files if there are no others", function()
    local _, err = support.ended(1, support.run {"-e", "package.loaded['clue.device'] = {}", "devices"})
    assert.matches("\nstack traceback:\n.*\t[^\n]*devices%.lua:%d+: in function", err)
  end)

  it("is printed after earlier output", function()
    local _, out = shell([["$CLUE" -e 'io.write "before\n" error "boom"' 2>&1]])
    assert.matches("^before\nclue: ", out)
  end)

  it("is one line if it is a syntax error, in a script or in -e", function()
    local _, err = support.ended(1, support.run_script("local x\nlocal = 1\n"))
    assert.matches("^clue: [^\n]*:2: [^\n]*near[^\n]*\n$", err)
    _, err = support.ended(1, support.run {"-e", "x = = 1"})
    assert.equal("clue: (command line):1: unexpected symbol near '='\n", err)
  end)

  it("may be an object whose __tostring is shown", function()
    local object = "error(setmetatable({}, { __tostring = function() return 'told\\nby itself' end }))"
    local _, err = support.ended(1, support.run_script("\n" .. object))
    assert.matches("^clue: told\nby itself\nstack traceback:\n\t[^\n]*:2: in main chunk\n$", err)
  end)

  it("may be a value without a text, whose type is shown", function()
    local _, err = support.ended(1, support.run {"-e", "error({})"})
    assert.matches("^clue: %(error object is a table value%)\n", err)
  end)

  it("shows each character of a long message", function()
    local text = "a" .. ("ä"):rep(3000)
    local _, err = support.ended(1, support.run {"-e", "error('" .. text .. "', 0)"})
    assert.equal("clue: " .. text .. "\n", err:sub(1, #text + 7))
  end)

  it("without a value fails silently, as in programs that have already printed the reason", function()
    local _, err = support.ended(1, support.run {"-e", "error()"})
    assert.equal("", err)
  end)

  it("in nested coroutines shows its own line and the lines that resumed them", function()
    local _, _, err = support.run_script("local inner = coroutine.wrap(function()\n  error 'deep'\nend)\n"
      .. "local outer = coroutine.wrap(function()\n  inner()\nend)\nouter()\n")
    assert.matches("^clue: [^\n]*:2: deep\n", err)
    assert.matches("\n\t[^\n]*:7: in main chunk\n$", err)
  end)

  it("from a stack overflow has its traceback cut in the middle", function()
    local _, err = support.ended(1, support.run_script("local function again()\n  return 1 + again()\nend\nagain()\n"))
    contains(err, "stack overflow")
    contains(err, "\n\t...\n")
    assert.matches(":4: in main chunk\n$", err)
    assert.is_true(#err < 4000)
  end)
end)

describe("the end of a run", function()
  it("is a failure if clue's own output cannot be written", function()
    for _, words in ipairs {"--version", "-v", "--help", "devices", "walk", "doctor --help", "peak --help",
                            "build --help", "asm --help", "trace --help", "watch --help", "compare --help",
                            "walk --help", "devices --json"} do
      local _, err = support.ended(1, support.execute({"sh", "-c", '"$0" ' .. words .. " >/dev/full", support.clue}))
      assert.matches("clue: standard output could not be written", err)
    end
  end)

  it("has its reason reported if no more files can be opened", function()
    -- The executable's libraries need one free descriptor. With fewer the loader ends the process with 127.
    for _, words in ipairs {"walk hello", "devices"} do
      local _, err = support.ended(1, support.execute {"sh", "-c", [[
        for limit in $(seq 4 40); do
          (ulimit -n $limit; exec "$0" ]] .. words .. [[)
          status=$?
          [ $status = 127 ] || exit $status
        done]], support.clue})
      assert.matches("\nclue %l+: .*Too many open files", "\n" .. err)
      assert.is_nil(err:find("stack traceback", 1, true), err)
    end
  end)

  it("has the exit status of os.exit", function()
    for statement, expected in pairs {
      ["os.exit()"] = 0, ["os.exit(0)"] = 0, ["os.exit(7)"] = 7, ["os.exit(true)"] = 0, ["os.exit(false)"] = 1,
      ["os.exit(3, true)"] = 3, ["coroutine.wrap(function() os.exit(4) end)()"] = 4,
    } do
      assert.equal(expected, (support.run {"-e", statement}), statement)
    end
  end)

  local leave = "package.loaded['clue.exit'] = { run = function() print 'left' end } "

  it("runs clue.exit once, however the run ends", function()
    local ends = {[""] = 0, ["os.exit(3)"] = 3, ["error 'x'"] = 1, ["os.exit(2, true)"] = 2}
    for statement, expected in pairs(ends) do
      local status, out = support.run {"-e", leave .. statement}
      assert.equal(expected, status)
      assert.equal("left\n", out)
    end
  end)

  it("is a failure if clue.exit fails", function()
    local failing = "package.loaded['clue.exit'] = { run = function() error 'at exit' end }"
    local _, err = support.ended(1, support.run {"-e", failing})
    contains(err, "at exit")
  end)

  it("is a failure if output could not be written", function()
    for _, ending in ipairs {"", "os.exit(0)", "os.exit(true, true)", "os.exit()"} do
      local _, err = support.ended(1, shell(([["$CLUE" -e 'print(1) %s' >/dev/full]]):format(ending)))
      assert.matches("^clue: standard output could not be written", err)
    end
  end)

  it("never mistakes a file for a closed standard output", function()
    local path = support.temporary()
    local statement = "local f = io.open('" .. path .. "', 'w') print 'lost' f:write 'kept' f:close()"
    support.ended(1, shell('"$CLUE" -e ' .. support.quote(statement) .. " >&-"))
    assert.equal("kept", support.read(path))
  end)

  it("is no failure if a closed output was not used", function()
    assert.equal(0, (shell([["$CLUE" -e 'local x = 1' >&-]])))
  end)
end)

describe("clue", function()
  it("finds its Lua files and scripts from any folder", function()
    local out = support.ended(0, shell([[cd / && "$CLUE" -e 'print(require("clue.paths").scripts)']]))
    local folder = out:match("^(/[^\n]*)\n$")
    lacks(folder, "..")
    assert.is_truthy(io.open(folder .. "/walkthroughs"))
  end)

  it("finds its own modules before all others", function()
    local _, out = support.run({"-e", "print(package.path) print(package.cpath)"},
      {LUA_PATH = "/other/?.lua", LUA_CPATH = "/other/?.so"})
    assert.matches("^/[^;]*/lua/%?%.lua;/[^;]*/lua/%?/init%.lua;/other/%?%.lua\n", out)
    assert.matches("\n/[^;]*/lua/%?%.so;/other/%?%.so\n$", out)
  end)

  -- In a folder that others may write, such as /tmp, a file may have the name of any module.
  it("takes no module that it needs from the working folder, but finds a script's there", function()
    local folder = support.folder()
    for _, name in ipairs {"argparse", "lfs", "clue", "ffi"} do
      support.write("print 'foreign'", ("%s/%s.lua"):format(folder, name))
      support.write("", ("%s/%s.so"):format(folder, name))
    end
    support.write("return 42", folder .. "/own.lua")
    support.write("print(require 'own', require('clue').json.encode {1})", folder .. "/script.lua")
    for _, variables in ipairs {"-u LUA_PATH -u LUA_CPATH", "LUA_PATH='/other/?.lua;;' LUA_CPATH='/other/?.so;;'"} do
      local run = ("cd %s && env %s %s "):format(folder, variables, support.quote(support.clue))
      for _, command in ipairs {"devices", "walk", "new --help", "doctor --json"} do
        local _, out, err = shell(run .. command)
        lacks(out .. err, "foreign")
        lacks(out .. err, "too short")
      end
      local status, out, err = shell(run .. "script.lua")
      assert.equal("", err)
      assert.equal("42\t[1]\n", out)
      assert.equal(0, status)
    end
  end)

  it("refuses to run with another user's rights", function()
    local sanitizer = (os.getenv("ASAN_OPTIONS") or "") .. ":verify_asan_link_order=0" -- permits LD_PRELOAD
    local err = support.refused(2, support.run({"-e", "print(1)"}, {ASAN_OPTIONS = sanitizer,
      LD_PRELOAD = support.built "layer/borrowed_rights.so"}))
    assert.matches("^clue: scripts are code, so clue does not run with another user's rights: remove", err)
  end)

  it("loads no driver before the first OpenCL call", function()
    local out = support.ended(0, support.run {"-e", [[
      for line in io.lines "/proc/self/maps" do
        local file = (line:match "/[^/]*$" or ""):lower()
        for _, driver in ipairs { "pocl", "llvm", "nvidia", "mesaopencl", "rusticl", "oclgrind" } do
          if file:find(driver) then print(file) end
        end
      end]]})
    assert.equal("", out)
  end)

  it("runs busted, and exits with its status", function()
    local busted = program "busted"
    assert.equal(0, (support.run {busted, "--version"}))
    local folder = support.folder()
    support.write("it('holds', function() assert.equal(1, 1) end)", folder .. "/good_spec.lua")
    assert.equal(0, (support.run {busted, folder .. "/good_spec.lua"}))
    support.write("it('fails', function() assert.equal(1, 2) end)", folder .. "/bad_spec.lua")
    local out = support.ended(1, support.run {busted, folder})
    contains(out, "1 success / 1 failure")
  end)
end)
