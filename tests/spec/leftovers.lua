-- Runs a shell line on PoCL, and fails if it leaves processes or temporary files behind.
local assert = require "luassert"
local support = require "support"

-- Prints the command lines of the processes with this folder for temporary files, if there are any after a minute,
-- and the files in it.
local search = [[
  for i in $(seq 600); do
    found=$(for file in $(grep -ls "TMPDIR=$1" /proc/[0-9]*/environ); do
      [ "$(cut -d' ' -f1 "${file%environ}stat")" = $$ ] || tr '\0' ' ' <"${file%environ}cmdline"
    done 2>/dev/null)
    [ -n "$found" ] || break
    sleep 0.1
  done
  echo "$found"
  find "$1" -path "$1/state" -prune -o -mindepth 1 -print]]

local leftovers = {}

--- Runs a shell line with a folder of its own for temporary files.
-- @tparam string line $CLUE is the executable
-- @tparam string ... its words: $1 and so on
-- @treturn int the status, and what it wrote to stdout and stderr
function leftovers.shell(line, ...)
  local folder = support.folder()
  local env = support.drivers("pocl", {TMPDIR = folder, CLUE = support.clue, ENV = false, PS1 = "$ ", TERM = "xterm",
                                       HOME = folder, XDG_STATE_HOME = folder .. "/state"})
  local status, out, err = support.execute({"sh", "-c", line, "sh", ...}, env)
  local _, left = support.execute {"sh", "-c", search, "sh", folder}
  assert.equal("\n", left)
  return status, out, err
end

--- Types a dialogue in a shell on a terminal. Fails unless everything happens that the dialogue expects.
-- @tparam {string,...} steps tests/terminal/talk.c has their language; each prompt of the shell is "$ "
function leftovers.talk(steps)
  steps[#steps + 1] = "send exit\\r"
  local status, screen, err = leftovers.shell('printf %s "$2" | "$1" /bin/sh -i', support.built "terminal/talk",
    table.concat(steps, "\n") .. "\n")
  assert.equal("", err)
  assert.equal(0, status, screen)
  return screen
end

--- Adds to a dialogue the steps that show that the terminal is as a shell wants it.
-- @tparam {string,...} steps
function leftovers.check_terminal(steps)
  steps[#steps + 1] = "send stty -a | tr ' ;' '\\\\n\\\\n' | grep -xE -- '-?(icanon|echo|isig|icrnl|opost)' | sort "
    .. "| tr '\\\\n' ,\\r"
  steps[#steps + 1] = "expect echo,icanon,icrnl,isig,opost,"
  steps[#steps + 1] = "expect $ "
end

return leftovers
