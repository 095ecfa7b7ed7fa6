-- clue.exe under Wine, on the drivers of this machine: the archive, unpacked in a folder with a blank and an umlaut.
-- suite: whole
-- tools: wine x86_64-w64-mingw32-gcc-posix
-- cost: 150
-- waits: long
local json = require "dkjson"
local support = require "support"

local root = support.clue:match "^(.*)/build[^/]*/clue$"
local build = root .. "/build-windows"
local home = support.folder() .. "/ü b"
local folder, prefix -- of clue, and of Wine

local function shell(script, env)
  return (support.ended(0, support.execute({"sh", "-euc", script}, env)))
end

local function with_wine(env)
  return support.with({WINEPREFIX = prefix, WINEDEBUG = "-all", WINEDLLOVERRIDES = "mscoree,mshtml=",
                       CLUE_NO_CACHE = false}, env)
end

-- Runs clue.exe in its folder, by default for at most ten minutes, since PoCL is slow on a busy machine; the results of
-- support.execute.
local function run(words, env, input, seconds)
  local all = support.words({"sh", "-c", 'cd "$0" && exec wine clue.exe "$@"', folder}, words)
  local status, out, err = support.execute(all, with_wine(env), input, seconds or 600)
  return status, out, (err:gsub("wine client error:[^\n]*\n?", "")) -- Wine's own fault, as a process with threads ends
end

local function said(words, env, input)
  return support.ended(0, run(words, env, input))
end

local function write(name, text)
  support.write(text, folder .. "/" .. name)
  return name
end

setup(function()
  assert(support.read(build .. "/clue.exe"), "there is no build-windows/clue.exe: ./dev package windows makes it")
  prefix = support.folder()
  shell(('mkdir -p "%s" && cd "%s" && cpack --config "%s/CPackConfig.cmake" -B "%s/made" >/dev/null && '
    .. 'cmake -E tar xf made/clue-*-windows-x86_64.zip'):format(home, home, build, home))
  folder = shell(('ls -d "%s"/clue-*-windows-x86_64'):format(home)):match "^[^\n]*"
  -- It stays for a minute after the last program: each would start it anew, which takes seconds.
  shell('"$(ls /usr/lib/wine/wineserver64 /usr/lib/wine/wineserver | head -n 1)" -p60; wine wineboot', with_wine())
end)

teardown(function()
  shell('"$(ls /usr/lib/wine/wineserver64 /usr/lib/wine/wineserver | head -n 1)" -k || true', with_wine())
end)

describe("clue.exe", function()
  it("runs a script of the MQL5 layer, whose path the command interpreter completed", function()
    assert.equal("1 4 9 16 25\n", (said "scripts\\examples\\hello.lua"))
  end)

  it("runs one of the object layer over both bindings", function()
    local script = write("objects.lua", [[
      local cl = require "clue"
      local context = cl.context()
      local queue = context:queue()
      local numbers = cl.array.float {1, 2, 3}
      local buffer = context:buffer(numbers)
      local program = context:program "kernel void f(global float *x) { x[get_global_id(0)] += 0.5f; }"
      program:kernel "f"(queue, 3, nil, buffer)
      queue:read_buffer(buffer, numbers)
      print(require("clue.binding").name, numbers[0], numbers[1], numbers[2])
    ]])
    for _, binding in ipairs {"ffi", "capi"} do
      assert.equal(binding .. "\t1.5\t2.5\t3.5\n", (said({"--quiet", script}, {CLUE_BINDING = binding})))
    end
  end)

  it("lists the devices, and finds them well", function()
    assert.matches("Portable Computing Language", (said {"devices"}))
    local out = said {"doctor"}
    assert.matches("loader +C:/windows/system32/OpenCL.dll\n", out)
    assert.matches("ran a test kernel", out)
  end)

  it("starts without OpenCL.dll, and says what to install", function()
    local none = {WINEDLLOVERRIDES = "opencl="}
    local out = support.ended(1, run({"doctor"}, none))
    assert.matches("there is no OpenCL.dll: install a driver", out, 1, true)
    local _, _, err = run({"scripts/examples/hello.lua"}, none)
    assert.matches("no OpenCL device", err .. select(2, run({"devices"}, none)) .. select(3, run({"devices"}, none)))
  end)

  it("verifies the author's ten steps", function()
    local out = said {"walk", "mql5", "--size", "128", "--steps", "1-10", "--verify"}
    for step = 1, 10 do
      assert.matches(("\n *%d +[%%w_]+ +verified"):format(step), "\n" .. out)
    end
  end)

  it("measures a walkthrough, and writes its report and its document", function()
    said {"walk", "mql5", "--steps", "4", "--size", "64", "--json", "rün.json", "--report", "rün.html"}
    local document = json.decode(support.read(folder .. "/rün.json"))
    assert.is_true(#document.walkthroughs > 0)
    assert.matches("<html", support.read(folder .. "/rün.html"))
    assert.matches("matr_mul_sum_local", (said {"show", "rün.json"}))
    support.write(support.read(folder .. "/rün.json"), folder .. "/später.json")
    said {"compare", "rün.json", "später.json"}
  end)

  it("tunes in child processes, shows what it found, and has the page's charts drawn by gnuplot.exe", function()
    said {"new", "space", "tüned.lua"}
    local _, err = said({"tune", "tüned.lua", "--evaluations", "3", "--finalists", "0", "--report", "without.html"},
      {WINEPATH = false})
    assert.matches("written without charts: gnuplot is not installed; it is at gnuplot.info", err, 1, true)
    assert.matches("3 configurations, 0 failed", (said {"show", "tüned.tune.json"}))
    -- A program of Linux that Wine starts is in no job, so this one stands in: it answers each drawing with one.
    write("gnuplot.c", [[
      #include <stdio.h>
      #include <string.h>
      int main(int count, char **words) {
        char line[9999];
        FILE *script = count == 3 ? fopen(words[2], "r") : NULL;
        while (script && fgets(line, sizeof line, script))
          if (strncmp(line, "set terminal svg", 16) == 0)
            puts("<svg viewBox='0 0 9 9'><defs></defs><g><path d='M0 0'/></g></svg>");
        return !script;
      }]])
    shell(('mkdir -p "%s/drawn" && cd "%s" && x86_64-w64-mingw32-gcc-posix -o drawn/gnuplot.exe gnuplot.c')
      :format(folder, folder))
    local _, complaints = said({"tune", "--show", "tüned.tune.json", "--report", "with.html"},
      {WINEPATH = "Z:" .. (folder .. "/drawn"):gsub("/", "\\")})
    assert.equal("", complaints)
    assert.matches("<svg", support.read(folder .. "/with.html"))
  end)

  it("builds a script's programs, traces it, and measures the device", function()
    assert.matches("square(global float* x)", (said {"build", "scripts/examples/hello.lua"}), 1, true)
    said {"trace", "scripts/examples/hello.lua"}
    assert.is_true(#json.decode(support.read(folder .. "/trace.json")).traceEvents > 0)
    assert.matches("latency", (said {"peak", "--only", "latency"}))
  end)

  -- The variable for PoCL's cache is set, but Wine hands the variables of its programs to no library of Linux.
  it("says why there is no machine code of PoCL's under Wine", function()
    local _, err = support.ended(1, run {"asm", "scripts/examples/hello.lua"})
    assert.matches("PoCL left no compiled kernel in its cache", err, 1, true)
  end)

  it("runs a script again when it is saved", function()
    write("watched.lua", 'print "first"\n')
    local _, out = support.execute({"sh", "-c", [[
      cd "$0"
      wine clue.exe watch watched.lua >watched.out 2>&1 & run=$!
      said() { until grep -q "$1" watched.out; do sleep 0.1; done; }
      said "exit status 0"; echo 'print "again"' >>watched.lua; said "^again"
      kill -INT "$run"; wait "$run"; cat watched.out]], folder}, with_wine())
    assert.matches("first\r?\n.*exit status 0.*watched%.lua was saved.*first\r?\nagain", out)
  end)

  it("runs the script of its page", function()
    local page = support.read(root .. "/docs/howto/windows.md")
    local script = write("mine.lua", (page:match "```lua\n(.-)```":gsub("\n", "\r\n")))
    assert.equal("2.5 3 3.5\n", (said {"--quiet", script}))
  end)

  it("says of each command that is not there why", function()
    for name, why in pairs {count = "Oclgrind", check = "Oclgrind", farm = "ssh"} do
      local _, err = support.ended(1, run {name, "scripts/examples/hello.lua"})
      assert.matches(("^clue %s: [^\n]*%s[^\n]*\n$"):format(name, why), err)
    end
    assert.matches("Open MPI, which is not on Windows", (said {"-e", "print(pcall(require, 'clue.mpi'))"}))
    local saved = said {"-e", "local array = require('clue').array.uchar(3)"
      .. "print(pcall(require 'clue.image_file'.save, 'x.png', array, 1, 1))"}
    assert.matches("PNG files need libpng16-16.dll, which does not load (it belongs beside clue.exe): ", saved, 1, true)
    local help = said "--help"
    assert.matches("this machine\r?\n +devices [^\n]*\n +doctor [^\n]*\n +farm ", help)
    assert.matches("asm [^\n]*\n +build [^\n]*\n +check [^\n]*\n +count ", help)
  end)

  it("takes scripts with CRLF, and UTF-8 in paths, words and files", function()
    local script = write("schön.lua", "local text = arg[1]\r\nlocal name = 'ä \" b.txt'\r\n"
      .. "for i = 1, 2 do require('clue.file').save('öut.txt', text .. i) end\r\n"
      .. "io.write(text, '\\n', require('clue').read_file 'öut.txt', '\\n')\r\n")
    assert.equal('ü " \\\nü " \\2\n', (said {script, 'ü " \\'}))
  end)
end)

describe("a child of clue.exe", function()
  it("is told of by how it ended: by a crash, a limit, its status", function()
    local out = said {write("children.lua", [[
      local child, host = require "clue.shared.child", require "clue.options"
      local function follow(words, options)
        options = options or {}
        options.arguments = words
        local seen = child.start(options):follow()
        print(seen.state, seen.value, (seen.errors:gsub("%s+$", "")))
      end
      follow {host.program, "-e", "require('ffi').cast('int *', 8)[0] = 1"}
      follow({host.program, "-e", "while true do end"}, {seconds = 1})
      follow({host.program, "-e", "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end"}, {memory = 3e8})
      follow {host.program, "-e", "os.exit(7)"}
      follow {"/usr/bin/env", "no-such-program"}
      local size = 0
      follow({host.program, "-e", "for i = 1, 1e5 do io.write '0123456789' end"}, {output = function(text)
        size = size + #text
      end})
      print(size)
      follow({host.program, "-e", "require('clue.shared.parent').send {name = os.getenv 'NEW'}"}, {
        environment = {"NEW=ä b"}, results = function(value) print(value.name) end})
    ]])}
    assert.equal("signalled\t11\t\ntimeout\t0\t\nmemory\t0\t\nexited\t7\t\n"
      .. "exited\t127\tenv: no-such-program: No such file or directory\nexited\t0\t\n1000000\nä b\nexited\t0\t\n", out)
  end)

  it("ends with its parent, however that ends", function()
    local mark = write("mark.lua", "while true do local f = io.open('alive', 'ab') f:write 'x' f:close() "
      .. "Sleep(50) end")
    local script = write("parent.lua", ([[
      local child = require "clue.shared.child"
      child.start {arguments = {require("clue.options").program, "%s"}}
      repeat Sleep(100) until io.open "alive"
      require("ffi").cast("int *", 8)[0] = 1 -- which is no end that it could act on
    ]]):format(mark))
    run {script}
    -- A busy machine may let it live a little longer.
    support.ended(0, support.execute {"sh", "-c", [[
      cd "$0" && until before=$(wc -c <alive) && sleep 1 && [ "$before" = "$(wc -c <alive)" ]; do :; done]], folder})
  end)

  it("is interrupted by Ctrl-C, with the line that it was at", function()
    local script = write("waits.lua", 'Sleep(1)\nio.open("ready", "w"):close() Sleep(600000)\n')
    local status, _, err = support.execute({"sh", "-c", [[
      cd "$0"
      wine clue.exe "$1" & run=$!
      until [ -f ready ]; do sleep 0.1; done
      kill -INT "$run"; wait "$run"]], folder, script}, with_wine())
    assert.matches("clue: waits.lua:2: interrupted!", err, 1, true)
    assert.equal(1, status)
  end)
end)

-- Specs that hold without a change, and are quick: CONTRIBUTING.md says which others do not, and why.
it("the library's specs hold in clue.exe", function()
  local names = {"array_comfort", "binding_table", "check_findings", "compute_signature", "difference", "error",
    "gemm_plan", "log_lines", "mql5_array", "mql5_buffer", "mql5_casts", "mql5_convert", "mql5_copencl",
    "mql5_execute", "mql5_math", "mql5_matrix", "mql5_matrix_type", "mql5_names", "mql5_signatures", "mql5_string",
    "mql5_struct_array", "mql5_text", "mql5_time", "peak_amounts", "plain_table", "repl_completion", "repl_pretty",
    "struct_layout", "timing", "trace_align", "tuned", "value", "walk_arithmetic", "walk_contest", "walk_share",
    "walk_statistics", "walk_sums", "walk_verify"}
  local words = {"sh", "-c", 'cd "$0" && exec wine "$@"', root, folder .. "/clue.exe", "--quiet",
    "tests/windows/specs.lua"}
  for _, name in ipairs(names) do words[#words + 1] = ("tests/spec/%s_spec.lua"):format(name) end
  local path = ("Z:%s/?.lua;Z:%s/tests/spec/?.lua;Z:/usr/share/lua/5.1/?.lua;Z:/usr/share/lua/5.1/?/init.lua;;")
    :format(root, root)
  local out = support.ended(0, support.execute(words,
    with_wine {LUA_PATH = path, CLUE = "Z:" .. folder .. "/clue.exe"}, nil, 600))
  local files, passed = 0, 0
  for count in out:gmatch "(%d+) 0 %d+ %S+_spec%.lua" do
    files, passed = files + 1, passed + tonumber(count)
  end
  assert.equal(#names, files)
  assert.is_true(passed > 400, passed)
end)
