-- clue watch: a script runs again whenever a file that it read is saved. tests/terminal/talk saves the files, reads the
-- output and ends clue.
-- suite: quick
-- waits: long
-- builds: luajit lua54
local support = require "support"

local talk = support.built "terminal/talk"

local folder

before_each(function() folder = support.folder() end)

local function put(name, text)
  support.write(text, folder .. "/" .. name)
end

-- Watches s.lua in the folder, runs the steps, and then types Ctrl-C.
local function watch(steps, words)
  local clue = {talk, "/bin/sh", "-c", 'cd "$1" && shift && exec "$CLUE" watch "$@"', "sh", folder, "s.lua"}
  local env = support.drivers("null", {TERM = "xterm", NO_COLOR = "1", CLUE = support.clue, W = folder})
  local status, screen, problem = support.execute(support.words(clue, words), env, steps .. "\nsend \\x03\n")
  assert.equal("", problem)
  assert.equal(130, status)
  return screen
end

describe("clue watch", function()
  it("runs a script, shows how it ended, and runs it again when it is saved", function()
    put("s.lua", "print('one', ...)")
    local screen = watch([[
expect one	a b
expect exit status 0 after\x20
expect watching 1 file --
run echo "print 'two' os.exit(3)" >$W/s.lua
expect s.lua was saved --
expect two
expect exit status 3 after\x20]], {"a b"})
    assert.matches("%-%- %d%d:%d%d:%d%d exit status 0 after %d+%.%d%d s, watching 1 file %-%-\n", screen)
    assert.matches("\n%-%- %d%d:%d%d:%d%d s%.lua was saved %-%-\ntwo\n", screen)
  end)

  it("shows the names of files without control characters", function()
    local name = "s\27]0;t\7\155.lua"
    put(name, "print 'one'")
    put("s.lua", ("dofile %q"):format(folder .. "/" .. name):gsub("\27", "\\27"):gsub("\r", "\\r"))
    local screen = watch [[
expect one
expect watching 2 files
run printf 'print "two"' >"$(ls -d "$W"/s?*.lua | grep -av '/s.lua$')"
expect two
expect watching 2 files]]
    assert.matches("s\\x1b]0;t\\x07\\x9b.lua was saved", screen, 1, true)
  end)

  it("notices two saves in one second, and a file that replaces another", function()
    put("s.lua", "print 'n1'")
    watch [[
expect n1
expect watching
run echo "print 'n2'" >$W/s.lua
expect n2
expect watching
run echo "print 'n3'" >$W/s.lua
expect n3
expect watching
run echo "print 'n4'" >$W/new && mv $W/new $W/s.lua
expect n4
expect watching
run rm $W/s.lua && sleep 0.5 && echo "print 'n5'" >$W/s.lua
expect n5
expect watching]]
  end)

  it("watches modules, even those that do not exist yet", function()
    put("s.lua", "print('module ' .. require 'mymodule'.name)")
    watch [[
expect module 'mymodule' not found
expect exit status 1
run echo "return {name = 'first'}" >$W/mymodule.lua
expect mymodule.lua was saved
expect module first
expect watching 2 files
run echo "return {name = 'second'}" >$W/mymodule.lua
expect module second
expect watching 2 files]]
  end)

  it("watches kernels that are read, and the headers that they include", function()
    put("s.lua", [[
      local cl = require "clue"
      local program = cl.context():program(cl.read_file "k.cl", {include = {"inc"}})
      print("built " .. #cl.read_file "k.cl")]])
    put("k.cl", '#include "h.h"\nkernel void f(global float *x) { }\n')
    os.execute("mkdir " .. support.quote(folder .. "/inc"))
    put("inc/h.h", "#define N 1\n")
    watch [[
expect built
expect watching 3 files
run echo "#define N 2" >$W/inc/h.h
expect inc/h.h was saved
expect built
expect watching 3 files
run echo "// a comment" >>$W/k.cl
expect k.cl was saved
expect built
expect watching 3 files]]
  end)

  it("stops an unfinished run when a file is saved", function()
    put("s.lua", "print 'endless' io.popen 'sleep 1000' while true do end")
    local screen = watch [[
expect endless
run echo "print 'ended'" >$W/new && mv $W/new $W/s.lua
expect s.lua was saved, run stopped --
expect ended
expect exit status 0]]
    assert.equal(1, select(2, screen:gsub("exit status", "")))
  end)

  it("shows a script's output at once", function()
    put("s.lua", "print 'begun' io.stderr:write 'beside\\n' require 'clue.binding'.sleep(1000)")
    watch "expect begun\nexpect beside"
  end)

  it("does not run again for a file that the script writes", function()
    put("s.lua", [[
      local old = io.open "count.txt"
      local count = old and tonumber(old:read "*a") or 0
      if old then old:close() end
      local new = io.open("count.txt", "w")
      new:write(count + 1)
      new:close()
      print("count " .. count + 1)]])
    local screen = watch [[
expect count 1
expect watching 1 file
pause 1.5
run echo >>$W/s.lua
expect count 2
expect watching 1 file
pause 1]]
    assert.is_nil(screen:find "count 3")
  end)

  it("goes on after an error in the script, and watches the files that it read before", function()
    put("s.lua", "print(dofile 'part.lua')")
    put("part.lua", "return 'part 1'")
    watch [[
expect part 1
expect watching 2 files
run echo "x = = 1" >$W/s.lua
expect s.lua:1: unexpected symbol
expect exit status 1
expect watching 2 files
run echo "print(dofile 'part.lua')" >$W/s.lua
expect part 1
run echo "return 'part 2'" >$W/part.lua
expect part.lua was saved
expect part 2
expect exit status 0]]
  end)

  it("reports a crash with its signal", function()
    put("s.lua", "io.popen('kill -SEGV $PPID'):close()")
    watch "expect killed by SIGSEGV after"
  end)

  it("leaves no run behind when it ends", function()
    put("s.lua", "print('pid ' .. io.popen('echo $PPID'):read '*l') require 'clue.binding'.sleep(1000)")
    local screen = watch "expect pid \npause 0.5"
    local pid = screen:match "pid (%d+)"
    local gone -- it may take a moment until the system ends it
    for _ = 1, 600 do
      local stat = support.read("/proc/" .. pid .. "/stat")
      gone = stat == nil or stat:match "%) (%a)" == "Z"
      if gone then break end
      require "clue.binding".sleep(0.1)
    end
    assert.is_true(gone)
  end)

  it("runs subcommands, too", function()
    put("s.lua", "")
    local out = support.ended(130, support.execute({talk, support.clue, "watch", "devices"},
      support.drivers("null", {TERM = "xterm", NO_COLOR = "1"}), "expect exit status 0 after \nsend \\x03\n"))
    assert.matches("null", out)
  end)

  it("passes its options on: --device, --strict, --quiet", function()
    put("s.lua", "local o = require 'clue.options' print(o.device, o.strict, o.quiet)")
    support.ended(130, support.execute({talk, support.clue, "--device", "0:0", "--strict", "--quiet", "watch",
      folder .. "/s.lua"}, {TERM = "xterm"}, "expect 0:0\ttrue\ttrue\nexpect exit status 0\nsend \\x03\n"))
  end)

  it("refuses what it cannot run", function()
    local _, err = support.ended(2, support.run {"watch", "/no/such.lua"})
    assert.equal("clue watch: cannot open '/no/such.lua': no such file\n", err)
    _, err = support.ended(2, support.run {"watch", "tests"})
    assert.equal("clue watch: cannot open 'tests': it is a folder, not a script\n", err)
    _, err = support.ended(2, support.run {"watch"})
    assert.matches("^clue watch: give a script: clue watch SCRIPT; `clue watch %-%-help` lists the options\n$", err)
    _, err = support.ended(2, support.run {"watch", "--nonsense", "s.lua"})
    assert.matches("^clue watch: unknown option '%-%-nonsense'", err)
  end)
end)
