-- Ctrl-C in Lua code and in waits for a driver, signals that end clue and what they leave behind, and signals that were
-- ignored when clue was started.
-- suite: quick
-- builds: luajit asan lua54
local support = require "support"

local jit_only = rawget(_G, "jit") and it or pending
local STATUS_INTERRUPTED = 128 + 2

-- Lua code that interrupts its own process: at once, or after some seconds.
local now = "io.popen('kill -INT $PPID'):close() "
local function later(seconds)
  return ("local later = io.popen('sleep %g; kill -INT $PPID') "):format(seconds)
end

-- Lua code that sends signals to its own process, each once that has computed for 0.2 s more, and so is in its loop.
local function while_it_computes(...)
  local line = "ticks() { set -- $(cat /proc/$PPID/stat); echo $((${14} + ${15})); }; "
    .. "await() { from=$(ticks); while [ $(ticks) -lt $((from + 20)) ]; do sleep 0.05; done; }; "
  for _, signal in ipairs {...} do line = line .. ("await; kill -%s $PPID; "):format(signal) end
  return ("local later = io.popen '%s' "):format(line)
end

-- Lua code that waits for the kernel below, and sends a signal to its own process once its main thread waits: it sleeps
-- whenever it is looked at for a while, since it may also sleep for a lock before.
local function wait_and_send(signal)
  local mark = support.temporary()
  return ([[local later = io.popen 'until [ -e %s ]; do sleep 0.02; done; slept=0; while [ $slept -lt 10 ]; do ]]
    .. [[sleep 0.02; slept=$((slept + 1)); grep -q ") S " /proc/$PPID/stat || slept=0; done; kill -%s $PPID' ]]
    .. [[io.open("%s", "w"):close() CLBufferRead(buffer, array.int(1)) ]]):format(mark, signal, mark)
end

-- A kernel that runs until it is killed.
local endless = [[
  local context = CLContextCreate(0)
  local program = CLProgramCreate(context, "kernel void spin(global volatile int *go) { while (go[0]) { } }")
  local kernel = CLKernelCreate(program, "spin")
  local buffer = CLBufferCreate(context, 4, CL_MEM_READ_WRITE)
  CLBufferWrite(buffer, array.int { 1 })
  CLSetKernelArgMem(kernel, 0, buffer)
  CLExecute(kernel, 1, { 0 }, { 1 })
]]

-- A process that has ended is listed as a zombie until its parent collects it.
local function is_running(pid)
  local text = support.read("/proc/" .. pid .. "/stat")
  return text ~= nil and text:match "%) (%a)" ~= "Z"
end

-- A busy machine may let a killed process live a little longer.
local function assert_ended(pid)
  for _ = 1, 600 do
    if not is_running(pid) then return end
    os.execute "sleep 0.05"
  end
  assert.is_false(is_running(pid))
end

describe("an interrupt in Lua code", function()
  it("raises an error at the current line of the script", function()
    local err = support.refused(1, support.run_script("local x = 1\n" .. now .. "\nx = x + 1\nprint(x)\n"))
    assert.matches("^clue: [^\n]*:[23]: interrupted!\nstack traceback:\n\t[^\n]*:[23]: in main chunk\n$", err)
  end)

  it("ends a loop that is not compiled", function()
    local off = rawget(_G, "jit") and "jit.off() " or ""
    local _, err = support.ended(1, support.run_script(off .. later(0.3) .. "\nwhile true do\nend\n"))
    assert.matches("^clue: [^\n]*: interrupted!\n", err)
  end)

  it("can be caught; then the script goes on, and the next interrupt raises again", function()
    local once = "print(pcall(function() " .. now .. "local x = 1 return x end)) "
    local out = support.ended(0, support.run_script(once .. once .. "print 'on'"))
    assert.matches("^false\t[^\n]*interrupted!\nfalse\t[^\n]*interrupted!\non\n$", out)
  end)

  it("names the script's line, not one in clue's own files", function()
    local _, err = support.ended(1, support.run_script("local binding = require 'clue.binding'\n" .. later(0.3)
      .. "\nbinding.sleep(60)\nprint 'on'\n"))
    assert.matches("^clue: [^\n]*:[234]: interrupted!\nstack traceback:\n\t[^\n]*:[234]: in main chunk\n$", err)
  end)

  it("ends a loop that polls an event, even if the loop is compiled", function()
    local status, _, err = support.run_script('local gate = require("clue").context():user_event()\n' .. later(0.5)
      .. '\nwhile gate.status ~= "complete" do end')
    assert.equal(1, status)
    assert.matches("interrupted!", err, 1, true)
  end)

  it("ends a read that waits for input", function()
    local pipe = support.temporary() -- it never ends, as it is open for writing, too
    local out, err = support.ended(1, support.execute({"sh", "-c", 'mkfifo "$2" && exec "$CLUE" -e "$1" <>"$2"', "sh",
      later(0.3) .. "\nprint(io.read())\nprint 'on'", pipe}, {CLUE = support.clue}))
    assert.is_nil(out:find("on", 1, true))
    assert.matches("interrupted!", err)
  end)

  it("ends a script that asks IsStopped in its own way", function()
    local out, err = support.ended(0, support.run_script("local rounds, later = 0, nil\nwhile not IsStopped() do\n"
      .. "Sleep(1) rounds, later = rounds + 1, later or io.popen 'sleep 0.1; kill -INT $PPID'\nend\n"
      .. "print(rounds > 0, 'freed')\n"))
    assert.equal("true\tfreed\n", out)
    assert.matches("IsStopped() is now true; Ctrl-C again ends the script at once\n", err, 1, true)
  end)

  it("raises an error when it comes again after IsStopped", function()
    local status, out, err = support.run_script("print(IsStopped())\n" .. now .. now .. "\nlocal x = 1\nprint(x)\n")
    assert.equal(1, status)
    assert.equal("false\n", out)
    assert.matches("is now true.*clue: [^\n]*:[234]: interrupted!\n", err)
  end)

  jit_only("that no compiled code sees ends the process when it comes a second time", function()
    local status, _, err = support.run_script(while_it_computes("INT", "INT") .. "while true do end")
    assert.equal(STATUS_INTERRUPTED, status)
    assert.equal("\nclue: interrupted\n", err)
  end)

  it("at the prompt drops what was typed", function()
    local screen = support.temporary()
    local shows = 'shows() { until [ "$(tail -n "$1" "$SCREEN" | tr -d "\\n")" = "$2" ]; do sleep 0.1; done; }; '
    local line = ': >"$SCREEN"; ' .. shows .. [[{ echo 'x = {'; shows 2 '> >> > '; echo 'print(6 + 1)'; } |
      "$CLUE" -i -e "$1" >>"$SCREEN"]]
    local interrupt = ("later = io.popen(%q)"):format(shows .. 'shows 1 "> >> "; kill -INT $PPID')
    local status, _, err = support.execute({"sh", "-c", line, "sh", interrupt}, {CLUE = support.clue, SCREEN = screen})
    assert.equal(0, status)
    assert.equal("", err)
    assert.matches("\n> >> \n> 7\n> \n$", support.read(screen))
  end)

  it("ends the process if it comes while os.exit closes the state", function()
    local status, out, err = support.run_script([[
      local function press() ]] .. now .. [[ end
      if newproxy then
        getmetatable(newproxy(true)).__gc = press
      else
        setmetatable({}, { __gc = press })
      end
      os.exit(0, true)]])
    assert.equal(STATUS_INTERRUPTED, status)
    assert.equal("", out)
    assert.equal("\nclue: interrupted\n", err)
  end)

  it("is ignored if the process was started that way", function()
    local out = support.ended(0, support.execute({"sh", "-c", [[trap '' INT; exec "$CLUE" -e "$1"]], "sh",
      now .. "print 'on'"}, {CLUE = support.clue}))
    assert.equal("on\n", out)
  end)
end)

describe("an interrupt while clue waits for a driver", function()
  it("ends the process and names what it waited for", function()
    local status, out, err = support.run_script(endless .. "print 'waiting' io.stdout:flush() " .. wait_and_send "INT"
      .. "print 'read'")
    assert.equal(STATUS_INTERRUPTED, status, out .. err)
    assert.equal("waiting\n", out)
    assert.matches("\nclue: interrupted while waiting for kernel 'spin'\n$", err)
  end)

  it("ends its child processes too", function()
    local script = endless .. [[
      local binding = require "clue.binding"
      local child = binding.child_start { arguments = { "/bin/sh", "-c", "echo $$; exec sleep 60" } }
      local pid = ""
      while not pid:find "\n" do
        binding.child_wait(child, 1)
        pid = pid .. binding.child_take(child, "out")
      end
      io.write(pid)
      io.stdout:flush() ]] .. wait_and_send "INT"
    local status, out = support.run_script(script)
    assert.equal(STATUS_INTERRUPTED, status)
    local pid = assert(out:match "^(%d+)\n$")
    assert_ended(pid)
  end)
end)

describe("SIGCHLD", function()
  it("is not ignored even if the process was started that way, so that the end of a child is noticed", function()
    local status, out, err = support.execute {"env", "--ignore-signal=CHLD", support.clue, "-e", [[
      local binding = require "clue.binding"
      local child = binding.child_start { arguments = { "/bin/sh", "-c", "exit 3" } }
      local state
      repeat state = binding.child_wait(child, 20) until state ~= "running"
      print(state or binding.error().text, binding.child_value(child))]]}
    assert.equal("", err)
    assert.equal("exited\t3\n", out)
    assert.equal(0, status)
  end)
end)

-- Runs a shell line with the executable as $0, the words from $1 on, and a folder for temporary files as $TMPDIR. In
-- the line, `await FILE` waits until the file is not empty, as long as support.execute allows.
local function shell(line, ...)
  local folder = support.folder()
  local words = {"sh", "-c", [[
    await() { until [ -s "$1" ]; do sleep 0.05; done; }
  ]] .. line, support.clue, ...}
  local status, out, err = support.execute(words, {TMPDIR = folder})
  return status, out, err, folder
end

local function assert_empty(folder)
  assert(os.remove(folder)) -- this succeeds only if the folder is empty
end

describe("a signal that ends clue", function()
  -- A script that writes its process number to a file and never ends.
  local script = "local file = io.open(arg[1], 'w') file:write(io.open('/proc/self/stat'):read '*n', '\\n') "
    .. "file:close() require('clue.binding').sleep(600)"

  for _, signal in ipairs {"TERM", "HUP", "PIPE", "KILL"} do
    it("ends the script that `clue trace` runs: SIG" .. signal, function()
      local number_file = support.temporary()
      local status, _, _, folder = shell(([[
        "$0" trace "$1" "$2" & await "$2"; kill -%s $!; wait $!]]):format(signal), support.write(script), number_file)
      assert.equal(128 + ({TERM = 15, HUP = 1, PIPE = 13, KILL = 9})[signal], status)
      assert_ended(assert(support.read(number_file):match "%d+"))
      if signal ~= "KILL" then assert_empty(folder) end
    end)
  end

  it("ends the process that measures for the report of `clue walk`, and its children: SIGKILL #once", function()
    -- The processes of this run have its TMPDIR. While one measures, `clue peak` and `clue walk` are its ancestors.
    local status, out, err = shell([[
      measuring() {
        for file in $(grep -ls "TMPDIR=$TMPDIR" /proc/[0-9]*/environ); do
          tr '\\0' ' ' <"${file%environ}cmdline" | grep -q "$1" && echo "$file"
        done 2>/dev/null
      }
      "$0" walk hello --steps 1 --size 64 --repeat 1 --report "$1" >/dev/null 2>&1 & walk=$!
      until [ -n "$(measuring clue.peak.measure_in_chil[d])" ]; do sleep 0.1; done
      kill -KILL $walk; wait $walk; status=$?
      measuring "$0 pea[k]\\|clue.peak.measure_in_chil[d]"
      exit $status]], support.temporary ".html")
    assert.equal(128 + 9, status, err)
    for pid in out:gmatch "%d+" do assert_ended(pid) end
  end)

  it("leaves no half-written file that was to replace another", function()
    local status, _, _, folder = shell('cd "$TMPDIR" && exec "$0" "$1"', support.write [[
      require("clue.file").save("kept.json", function(path)
        local file = io.open(path, "w")
        file:write "half"
        file:close()
        io.popen("kill -TERM $PPID"):close()
        require("clue.binding").sleep(600)
      end)]])
    assert.equal(128 + 15, status)
    assert_empty(folder)
  end)

  it("leaves no temporary file of `clue build`", function()
    -- Headers that include each other keep the compiler busy for ever.
    local headers = support.folder()
    local header = '#if __INCLUDE_LEVEL__ < 100\n#include "a.h"\n#include "a.h"\n#endif\n'
    support.write(header, headers .. "/a.h")
    local source = support.write('#include "a.h"\nkernel void f() { }\n', headers .. "/a.cl")
    local status, _, _, folder = shell([[
      "$0" build "$1" >/dev/null 2>&1 &
      until ls "$TMPDIR"/clue-*/*/pocl/* >/dev/null 2>&1; do sleep 0.05; done
      kill -TERM $!; wait $!]], source)
    assert.equal(128 + 15, status)
    assert_empty(folder)
    for _, path in ipairs {source, headers .. "/a.h", headers} do assert(os.remove(path)) end
  end)
end)

describe("an interrupt of a subcommand", function()
  -- A sanitizer's library must be the first that is preloaded.
  local test = support.sanitized and pending or it
  test("ends it with a message and status 130, at whatever moment it comes", function()
    for words, most in pairs {["walk hello --steps 1 --size 64"] = 30, ["peak --only latency"] = 20, doctor = 20,
                              devices = 5, ["build x.cl"] = 10} do
      for at = 1, most, 3 do
        local status, _, err = support.execute({"sh", "-c", '"$0" ' .. words, support.clue},
          {LD_PRELOAD = support.built "layer/interrupt.so", CLUE_INTERRUPT_AT = at})
        assert.is_true(status == 130, ("%s, at file %d: %d %s"):format(words, at, status, err))
        assert.is_nil(err:find("stack traceback", 1, true), err)
        assert.truthy(err:find("interrupted", 1, true), err)
      end
    end
  end)
end)

describe("--time-limit", function()
  local STATUS_TIME_LIMIT = 124

  it("ends a wait for a kernel, and names the kernel and its range", function()
    local script = support.write(endless .. "print 'waiting' " .. wait_and_send "ALRM" .. "print 'read'")
    local status, out, err = support.run {"--time-limit", "100", script}
    assert.equal(STATUS_TIME_LIMIT, status)
    assert.equal("waiting\n", out)
    assert.matches("clue: the time limit of 100 s has passed in cl%w+ with kernels that may have been running: kernel "
      .. "'spin' %(global ", err)
    assert.matches("A smaller range shows whether it ends at all\n$", err)
  end)

  it("ends a wait for a driver that does not start, and says how to find which one", function()
    local vendors = support.folder()
    support.write(support.built "doctor/hangs_at_load.so" .. "\n", vendors .. "/hangs.icd")
    local status, out, err = support.run({"--time-limit", "1", "devices"}, {OCL_ICD_VENDORS = vendors})
    assert.equal(STATUS_TIME_LIMIT, status)
    assert.equal("", out)
    assert.equal("clue: the time limit of 1 s has passed in clGetPlatformIDs while waiting for the drivers to start "
      .. "(`clue doctor` tries each by itself)\n", err)
  end)

  it("ends Lua code with an error that gives its line", function()
    local code = "jit = jit and jit.off() " .. while_it_computes "ALRM" .. "\nwhile true do end" -- what the timer sends
    local status, _, err = support.run {"--time-limit", "100", "-e", code}
    assert.equal(STATUS_TIME_LIMIT, status)
    assert.matches("clue: (command line):2: the time limit of 100 s has passed\n", err, 1, true)
  end)

  it("ends a script that catches the error, and a compiled loop #later", function()
    for _, code in ipairs {"pcall(function() while true do end end) while true do end", "while true do end"} do
      local status, _, err = support.run {"--time-limit", "0.3", "-e", code}
      assert.equal(STATUS_TIME_LIMIT, status)
      assert.matches("the time limit of 0.3 s has passed", err, 1, true)
    end
  end)

  it("keeps what a compiled loop's script printed to a pipe before", function()
    local status, out = support.run {"--time-limit", "100", "-e", "io.write 'begun' " .. while_it_computes "ALRM"
      .. "while true do end"}
    assert.equal(STATUS_TIME_LIMIT, status)
    assert.equal("begun", out)
  end)

  it("ends a script whose output nobody reads #later", function()
    local _, err = support.ended(0, shell([[
      { "$0" --time-limit 1 -e "$1"; echo "status $?" >&2; : >"$TMPDIR/over"; } |
      { until [ -e "$TMPDIR/over" ]; do sleep 0.1; done; }]], [[
      pcall(function() while true do io.write(("x"):rep(4096)) end end)
      io.write "more"
      while true do end]]))
    assert.matches(("; its error did not stop the script, which caught it[^\n]*\nstatus %d\n$"):format(
      STATUS_TIME_LIMIT), err)
  end)

  it("leaves no child process and no temporary file of a script that goes on", function()
    local status, out, _, folder = shell('exec "$0" --time-limit 100 -e "$1"', [[
      local binding = require "clue.binding"
      -- The system itself ends a child whose parent has ended, but not what that child has started.
      local child = binding.child_start { arguments = { "/bin/sh", "-c", "sleep 300 & echo $!; wait" } }
      local pid = ""
      while not pid:find "\n" do
        binding.child_wait(child, 1)
        pid = pid .. binding.child_take(child, "out")
      end
      io.write(pid, binding.temporary_folder())
      io.stdout:flush()
      ]] .. while_it_computes "ALRM" .. "while true do pcall(function() while true do end end) end")
    assert.equal(STATUS_TIME_LIMIT, status)
    local pid, path = out:match "^(%d+)\n(.*)$"
    assert.equal(folder, path:sub(1, #folder))
    assert_ended(pid)
    assert_empty(folder)
  end)

  it("ends a subcommand with its children #once #later", function()
    local status, _, err = support.run {"--time-limit", "1", "walk", "mql5", "--size", "480"}
    assert.equal(STATUS_TIME_LIMIT, status)
    assert.matches("clue walk: the time limit of 1 s has passed", err, 1, true)
  end)

  it("does nothing to a run that ends in time, and refuses what is no time", function()
    local out = support.ended(0, support.run {"--time-limit=60", "-e", "print 'done'"})
    assert.equal("done\n", out)
    for _, text in ipairs {"x", "0", "-1", "nan", "1e9", "0.0005", "5s"} do
      local refused, _, err = support.run {"--time-limit=" .. text, "-e", "print 'done'"}
      assert.equal(2, refused)
      local refusal = "option --time-limit needs seconds from 0.001 to 1e8, such as --time-limit 10: '%s'"
      assert.matches(refusal:format(text), err, 1, true)
    end
  end)
end)
