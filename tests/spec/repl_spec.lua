-- The prompt in a terminal: tests/terminal/talk types and reads in place of a person.
-- suite: quick
-- builds: luajit asan lua54
local markdown = require "markdown"
local support = require "support"

local talk = support.built "terminal/talk"

local folder = support.folder
local state = folder()

-- Runs the steps and then types Ctrl-D. Gives everything that was on the screen.
local function session(steps, options)
  options = options or {}
  local words = support.words({talk, options.program or support.clue}, options.words)
  local dialogue = options.whole and steps or "prompt\n" .. steps .. "\nsend \\x04\n"
  local env = support.drivers(options.drivers or "pocl", {
    TERM = "xterm", XDG_STATE_HOME = options.state or state, HOME = state, LANG = "C.UTF-8", NO_COLOR = "1",
  })
  local status, screen, problem = support.execute(words, support.with(env, options.env), dialogue)
  assert.equal("", problem)
  assert.equal(options.status or 0, status, screen)
  return screen
end

-- A shell in the terminal; the steps start clue by $CLUE.
local in_shell = {program = "/bin/sh", words = {"-i"}, whole = true,
                  env = {CLUE = support.clue, PS1 = "$ ", ENV = false}}

local KERNEL = [[
send context = cl.context() queue = context:queue()\r
expect picks it again
prompt
send program = context:program "kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }"\r
prompt
send twice = program:kernel "twice" x = context:buffer(cl.array.float {1, 2, 3})\r
prompt
]]

describe("clue in a terminal", function()
  it("is a prompt that introduces itself and ends with Ctrl-D", function()
    local screen = session ""
    assert.matches("^clue [%d.]+ %([^\n]*%)\ncl is require \"clue\"; Tab completes, help%(x%) describes x, "
      .. "Ctrl%-C drops the line, "
      .. "Ctrl%-D ends\ndevice 0 %(0:0%) [^\n]* %[CPU, Portable Computing Language%]; clue %-%-device takes another\n"
      .. "> %^D\n$", screen)
  end)

  it("says what to do if there is no device, and goes on if a driver crashes", function()
    assert.matches("\nthere is no OpenCL device; `clue doctor` says what to do\n> ", session("", {drivers = "none"}),
      1, true)
    assert.matches("\nCLUE_DEVICE=zork: no device or platform has 'zork' in its name; `clue doctor` says what to do\n",
      session("", {env = {CLUE_DEVICE = "zork"}}), 1, true)
    assert.matches("\nthe drivers do not start: crashed: killed by SIGABRT; `clue doctor` says what to do\n> ",
      session("", {env = {OCL_ICD_VENDORS = support.built "doctor/crashes_at_load.so"}}), 1, true)
    assert.not_matches("device", session("", {words = {"--quiet"}}))
  end)

  it("prints what docs/reference/interactive.md shows, with other numbers", function()
    local steps = {}
    for _, block in ipairs(markdown.blocks(support.read "docs/reference/interactive.md")) do
      for i, line in ipairs(block.lines[1]:find "^> " and block.lines or {}) do
        local typed = line:match "^>>? (.*)"
        local behind = block.lines[i + 1] or "> "
        local is_whole = not behind:find "^>> " -- the prompt that follows is > again
        if typed then
          steps[#steps + 1] = "send " .. typed .. "\\r"
          steps[#steps + 1] = is_whole and behind:find "^>" and "prompt" or nil
        else
          steps[#steps + 1] = "expect " .. line:match "^[^%d]*"
          steps[#steps + 1] = behind:find "^> " and "prompt" or nil
        end
      end
    end
    assert.is_true(#steps > 10)
    session(table.concat(steps, "\n"))
  end)

  it("is a prompt after a script with -i, and knows the script's globals", function()
    local path = support.write "answer = 6 * 7"
    session("send answer\\r\nexpect 42\nprompt", {words = {"-i", path}})
  end)

  it("has help", function()
    session [[
send help\r
expect topics: COpenCL, MQL5, array
prompt
send help "CLExecutionStatus"\r
expect CLExecutionStatus(kernel)
prompt]]
  end)

  it("shows tables and arrays", function()
    session [[
send {list = {1, 2}, name = "x"}\r
expect {list = {1, 2}, name = "x"}
prompt
send cl.array.float {3, 1, 2}\r
expect float[3] {3, 1, 2}, min 1, max 3
prompt]]
  end)

  it("prompts with >> until a statement is complete, and keeps it as one line", function()
    local fresh = folder()
    session([[
send for i = 1, 2 do\r
more
send print("i is " .. i)\r
more
send end\r
expect i is 1
expect i is 2
prompt
send \x1b[A
expect for i = 1, 2 do print("i is " .. i) end
send \r
expect i is 2
prompt]], {state = fresh})
    assert.equal('for i = 1, 2 do print("i is " .. i) end\n', support.read(fresh .. "/clue/history"))
  end)

  it("keeps the lines of a statement apart if a comment ends one", function()
    local fresh = folder()
    session([[
send for i = 1, 2 do -- twice\r
more
send print("i is " .. i) end\r
expect i is 2
prompt]], {state = fresh})
    assert.equal('for i = 1, 2 do -- twice\nprint("i is " .. i) end\n', support.read(fresh .. "/clue/history"))
  end)

  it("keeps the history for the next session, readable by its owner only", function()
    local fresh = folder()
    session("send first = 'kept'\\r\nprompt\nsend  second = 'a space before it'\\r\nprompt", {state = fresh})
    session("send \\x1b[A\nexpect first = 'kept'\nsend \\r\nprompt", {state = fresh})
    assert.equal("first = 'kept'\n", support.read(fresh .. "/clue/history"))
    support.ended(0, support.execute {"sh", "-c", 'test "$(stat -c %a "$1")" = 600', "sh", fresh .. "/clue/history"})
  end)

  it("cuts the history to a thousand lines when it has twice as many", function()
    local fresh, lines = folder(), {}
    for i = 1, 2001 do lines[i] = "x = " .. i end
    os.execute("mkdir " .. support.quote(fresh .. "/clue"))
    support.write(table.concat(lines, "\n") .. "\n", fresh .. "/clue/history")
    session("send \\x1b[A\nexpect x = 2001\nsend \\r\nprompt\nsend x\\r\nexpect 2001\nprompt", {state = fresh})
    local kept = support.read(fresh .. "/clue/history")
    assert.matches("^x = 1002\n.*\nx = 2001\nx\n$", kept)
    assert.equal(1001, select(2, kept:gsub("\n", "")))
  end)

  it("searches the history with Ctrl-R", function()
    session [[
send needle = 'found'\r
prompt
send other = 1\r
prompt
send \x12needl
pause 0.3
send \r
prompt
send needle\r
expect "found"
prompt]]
  end)

  it("says why it cannot keep the history, and goes on", function()
    session("expect the history of this prompt is not kept: \nprompt\nsend 6 * 7\\r\nexpect 42\nprompt\nsend \\x04",
      {state = "/dev/null", whole = true})
  end)

  it("completes globals, fields and methods", function()
    session [[
send CLCont\t
expect ext
send \x03
prompt
send text = "abc"\r
prompt
send text:rev\t()\r
expect text:reverse()
expect "cba"
prompt
send cl.array.fl\t(2)\r
expect float[2]
prompt
send string.re\t
expect rep  reverse
send v\t("xy")\r
expect "yx"
prompt]]
  end)

  it("completes the methods and properties of clue's objects", function()
    session(KERNEL .. [[
send context:que\t
expect ue
send \x03
prompt
send twice.work_\t\r
expect twice.work_group_size
prompt
send twice.arg\t[1].name\r
expect twice.arguments[1].name
expect "x"
prompt
send context.device.max_compute\t > 0\r
expect true
prompt]])
  end)

  it("shows the time of the last kernel after a line that ran one", function()
    local screen = session(KERNEL .. [[
send twice(queue, 3, nil, x):wait()\r
expect kernel 'twice':\x20
prompt
send for i = 1, 3 do twice(queue, 3, nil, x) end queue:finish()\r
expect 3 kernels, the last 'twice':\x20
prompt
send y = cl.array.float(3) queue:read_buffer(x, y)\r
prompt
send y\r
expect float[3] {16, 32, 48}, min 16, max 48
prompt]])
    assert.equal(1, select(2, screen:gsub("\nkernel 'twice': [%d.]+ [mun]?s\n", "")))
    assert.equal(1, select(2, screen:gsub("\n3 kernels, the last 'twice': [%d.]+ [mun]?s\n", "")))
  end)

  it("reports a kernel that failed, with the reason", function()
    session([[
send context = cl.context() f = context:program "kernel void f(global float *x) { }":kernel "f"\r
expect picks it again
prompt
send f(context:queue(), 1, nil, context:buffer(4))\r
expect kernel 'f' failed: clGetEventInfo: CL_OUT_OF_RESOURCES (-5)
prompt
send 6 * 7\r
expect 42
prompt]], {drivers = "null", env = {CLUE_NULL_FAIL = "clGetEventInfo:-5"}})
  end)

  it("explains how to end it if exit or quit is typed", function()
    local screen = session [[
send exit\r
expect Ctrl-D or os.exit() ends the prompt
prompt
send quit = 3 quit\r
prompt]]
    assert.not_matches("%f[%w]nil%f[%W]", screen)
  end)

  it("shows errors with their line and goes on", function()
    session [[
send error "first"\r
expect clue: stdin:1: first
expect stdin:1: in main chunk
prompt
send do\r
more
send local x = nil + 1\r
more
send end\r
expect clue: stdin:2: attempt to perform arithmetic on a nil value
prompt
send x = = 1\r
expect clue: stdin:1: unexpected symbol near '='
prompt
send CLBufferCreate(3, 4, 5)\r
expect clue: stdin:1: CLBufferCreate:\x20
prompt
send CLBufferCreate(3, 4, 6)\r
expect clue: stdin:1: CLBufferCreate:\x20
prompt]]
  end)

  it("drops the line and the unfinished statement at Ctrl-C", function()
    local screen = session [[
send print 'drop
pause 0.2
send \x03
expect ^C
prompt
send x = {\r
more
send \x03
prompt
send 6 * 7\r
expect 42
prompt]]
    assert.is_nil(screen:find "\ndropped")
  end)

  it("goes on and exits with 0 even if Ctrl-C cut the echo of a line", function()
    if support.sanitized then pending "the sanitizers' own library must be preloaded first" end
    session("send 6 * 7\\r\nexpect 42\nprompt", {env = {LD_PRELOAD = support.built "layer/cut_echo.so"}})
  end)

  it("interrupts a running statement at Ctrl-C", function()
    session([[
send while true do end\r
busy
send \x03
expect interrupted!
prompt
send 6 * 7\r
expect 42
prompt]], {words = rawget(_G, "jit") and {"-joff"} or nil, whole = false})
  end)

  it("edits characters of several bytes as one", function()
    session [[
send #'hü'\x7f\x7f\x7fh'\r
expect 1
prompt]]
  end)

  it("adapts to a new width of the window", function()
    session [[
size 30
send {name = "xxxxxxxxxxxxxxxxxxxx", other = 1}\r
expect   name = "xxxxxxxxxxxxxxxxxxxx",
expect   other = 1
prompt]]
  end)

  it("restores the terminal when a signal ends it", function()
    session([[
expect $\x20
send $CLUE\r
prompt
send half a line
expect half a line
kill 15
expect Terminated
expect $\x20
send stty -a | grep -o ' icanon' | tr a-z A-Z\r
expect  ICANON
expect $\x20
send exit\r]], in_shell)
  end)

  it("can be stopped and continued", function()
    session([[
expect $\x20
send $CLUE\r
prompt
send 6 *
expect 6 *
send \x1a
expect $\x20
send stty -a | grep -o ' icanon' | tr a-z A-Z\r
expect  ICANON
expect $\x20
send fg\r
expect 6 *
send  7\r
expect 42
prompt
send \x04
expect $\x20
send exit\r]], in_shell)
  end)

  it("does not wait long for a kernel, and shows its time when it has ended", function()
    session(KERNEL .. [[
send start = context:user_event() twice(queue:after(start), 3, nil, x)\r
expect kernel 'twice' is still running
prompt
send 6 * 7\r
expect 42
prompt
send start:complete() queue:finish()\r
expect kernel 'twice':\x20
prompt]])
  end)

  it("lacks nothing but editing without libedit", function()
    local screen = session("send exit\\r\nexpect Ctrl-D or os.exit() ends the prompt\nprompt\n" .. KERNEL .. [[
send twice(queue, 3, nil, x):wait()\r
expect kernel 'twice':\x20
prompt
send {list = {1, 2}}\r
expect {list = {1, 2}}
prompt]], {words = {"-i", support.write "package.preload['clue.editor'] = function() error 'libedit.so.2: none' end"}})
    assert.matches("no editing, Tab or history at this prompt (Debian: apt install libedit2)", screen, 1, true)
    assert.matches('\ncl is require "clue"; help%(x%) describes x, ', screen)
  end)

  it("reads lines without editing if the terminal cannot move its cursor", function()
    local screen = session("send 6 * 7\\r\nexpect 42\nprompt", {env = {TERM = "dumb"}})
    assert.is_nil(screen:find "Tab completes")
  end)

  it("reads plain lines if its output does not go to the terminal", function()
    local file = support.temporary()
    session("pause 1\nsend 6 * 7\\r\npause 0.5", {program = "/bin/sh",
      words = {"-c", 'printf "> "; exec "$CLUE" >' .. support.quote(file)}, env = {CLUE = support.clue}})
    assert.matches("\n> 42\n> \n$", support.read(file))
  end)

  it("says once that a local ends with its line", function()
    local screen = session [[
send local a = 1\r
expect here a local ends with its line
prompt
send local b = 1\r
prompt]]
    assert.equal(1, select(2, screen:gsub("a local ends", "")))
  end)
end)
