-- clue --isolate: the run is a child process. The same happens as without it; and whatever the run does to itself, the
-- process that was started ends with the right status, in a usable terminal, and leaves no process behind.
-- suite: whole
local leftovers = require "leftovers"
local support = require "support"

local shell = leftovers.shell

local function isolated(program)
  return shell('exec "$CLUE" --quiet --isolate -e "$1"', program)
end

describe("clue --isolate", function()
  it("gives what the run gives: output, errors, exit status, input and words", function()
    local script = support.write [[
      io.write(io.read "*l", " ", table.concat({...}, " "), " ", arg[0])
      io.stderr:write "e"
      os.exit(7)]]
    for _, option in ipairs {"--quiet", "--isolate"} do
      local status, out, err = shell('echo typed | "$CLUE" "$1" -E "$2" --isolate "a b"', option, script)
      assert.same({7, "typed --isolate a b " .. script, "e"}, {status, out, err})
    end
  end)

  it("runs standard input, statements and subcommands", function()
    assert.same({0, "in\tx\n", ""}, {shell([[echo 'print("in", ...)' | "$CLUE" --isolate - x]])})
    assert.same({0, "--isolate\n", ""}, {shell([["$CLUE" --isolate -e 'print "--isolate"']])})
    assert.same({shell '"$CLUE" devices'}, {shell '"$CLUE" --isolate devices'})
  end)

  it("takes no value", function()
    local status, _, err = shell '"$CLUE" --isolate=yes -e "print(1)"'
    assert.same({2, "clue: option --isolate takes no value: '--isolate=yes'\n"}, {status, err})
  end)

  it("tells that the run was killed", function()
    local status, out, err = isolated "io.write 'before' io.stdout:flush() os.execute 'kill -9 $PPID'"
    assert.same({128 + 9, "before"}, {status, out})
    assert.equal("clue: the isolated run was ended by SIGKILL: by the system for lack of memory, or by another "
      .. "program\n", err)
  end)

  it("tells the number of a signal without a name", function()
    local status, _, err = isolated "os.execute 'kill -40 $PPID'"
    assert.same({128 + 40, "clue: the isolated run was ended by signal 40\n"}, {status, err})
  end)

  it("tells by which signal a crash ended the run, after what that says itself", function()
    local status, _, err = isolated [[
      local context = require("clue").context()
      context:program "kernel void f(global int *x) { x[get_global_id(0) + (1L << 34)] = 1; }":kernel "f"(
        context:queue(), 16, nil, context:buffer(64))
      context:queue():finish()
      os.execute "sleep 5"]]
    assert.equal(128 + 11, status)
    assert.matches("^clue: SIGSEGV[ %w]* with kernels that may have been running: kernel 'f'", err)
    assert.matches("\nclue: the isolated run was ended by SIGSEGV\n$", err)
  end)

  it("ends what the run started and left", function()
    assert.same({0, "left\n", ""}, {isolated [[
      os.execute "(sleep 300 & setsid sleep 300 & setsid sh -c 'sleep 300; true' &) >/dev/null 2>&1"
      print "left"]]})
  end)

  it("leaves the time limit to the run", function()
    local _, err = support.ended(124, shell '"$CLUE" --isolate --time-limit 1 -e "while true do end"')
    assert.equal("clue: the time limit of 1 s has passed; its error did not stop the script, which caught it or is in "
      .. "a loop that LuaJIT compiled (clue -j off gives its line)\n", err)
  end)

  it("ends a run at its time limit that cannot end itself", function()
    local _, err = support.ended(124, shell([[exec "$CLUE" --isolate --time-limit 0.5 -e "$1"]],
      "os.execute '(sleep 300 &) >/dev/null 2>&1; kill -STOP $PPID; sleep 300'"))
    assert.matches("^clue: the time limit of 0.5 s has passed, and the isolated run did not end by itself", err)
  end)

  it("passes SIGINT, SIGTERM and SIGHUP on to the run, and ends by it", function()
    for name, number in pairs {INT = 2, TERM = 15, HUP = 1} do
      local status, out, err = shell([[
        env --default-signal=INT "$CLUE" --isolate -e "$1" >"$TMPDIR/said" & run=$!
        until [ -s "$TMPDIR/said" ]; do sleep 0.1; done
        kill -$2 $run; wait $run; status=$?
        rm "$TMPDIR/said"; exit $status]],
        "os.execute '(sleep 300 &) >/dev/null 2>&1' io.write 'ready' io.stdout:flush() "
        .. "while true do local f = function() end end", name)
      -- The script gets the interrupt as from a key, and tells its line. The shell may tell the other signals.
      assert.same({128 + number, ""}, {status, out})
      assert.equal(name == "INT", err:find("interrupted!", 1, true) ~= nil, err)
    end
  end)

  it("gives the terminal back as it was", function()
    local script = support.write "os.execute 'stty raw -echo; echo it is raw; sleep 0.2; kill -9 $PPID'"
    local steps = {
      "expect $ ", ("send $CLUE --quiet --isolate %s\\r"):format(script),
      "expect it is raw", "expect SIGKILL", "expect $ ", "send echo left=$?\\r", "expect left=137", "expect $ ",
    }
    leftovers.check_terminal(steps)
    leftovers.talk(steps)
  end)

  it("leaves the prompt and Ctrl-C to the run", function()
    leftovers.talk {
      "expect $ ", "send $CLUE --quiet --isolate\\r", "prompt",
      "send while true do local f = function() end end\\r", "busy", "send \\x03", "expect interrupted!",
      "prompt", "send print(6 * 7)\\r", "expect 42", "prompt", "send \\x04",
      "expect $ ", "send echo left=$?\\r", "expect left=0", "expect $ ",
    }
  end)

  it("ends as the run does by Ctrl-C", function()
    -- The shell shows the line that calls it: what is expected has a space, since a temporary file's name has none.
    local script = support.write "print 'it runs' while true do local f = function() end end"
    local killed = support.write "print 'it runs' while true do end"
    leftovers.talk {
      "expect $ ", ("send $CLUE --isolate %s\\r"):format(script), "expect it runs", "send \\x03",
      "expect interrupted!", "expect $ ", "send echo left=$?\\r", "expect left=1", "expect $ ",
      ("send $CLUE --isolate %s\\r"):format(killed), "expect it runs", "busy", "send \\x03", "busy",
      "send \\x03", "expect $ ", "send echo left=$?\\r", "expect left=130", "expect $ ",
    }
  end)
end)
