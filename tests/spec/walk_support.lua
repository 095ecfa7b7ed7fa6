--- Shared by the specs of the walkthroughs: it runs them, and plants faults in their steps.
local support = require "support"

local walk_support = {}

--- Oclgrind alone, without its checks. It interprets kernels, while PoCL takes up to half a second to compile one. So
-- it is for small sizes that need a new compilation each, and for planted faults, which the check finds on every
-- driver. PoCL runs all steps at another size.
function walk_support.interpreted()
  return support.drivers "oclgrind"
end

-- The share of the device's peak is of the type that a row tells: each step of clue's own that counts operations must
-- tell it.
local function assert_types(document)
  for _, walkthrough in ipairs(document and document.walkthroughs or {}) do
    for _, run in ipairs(walkthrough.name:find "/" and {} or walkthrough.runs) do
      for _, row in ipairs(run.rows) do
        local operations = (row.times and row.times.rate or row.rate) == "GFLOPS" -- the latter of --verify
        assert(not operations or row.type, ("%s %s: its row has flops, but no type"):format(walkthrough.name,
          tostring(row.number)))
      end
    end
  end
end

--- Runs `clue walk`. Each row that counts operations must tell their type.
-- @tparam {string,...} args
-- @tparam[opt] table env
-- @tparam[opt] number seconds as for support.execute
-- @treturn number exit status
-- @treturn string standard output
-- @treturn string standard error
-- @treturn table the JSON document
function walk_support.walk(args, env, seconds)
  local status, out, err, document = support.document(support.words({"walk"}, args), env, seconds)
  assert_types(document)
  return status, out, err, document
end

--- The rows of a document that has one walkthrough and one device.
function walk_support.rows(document)
  return document.walkthroughs[1].runs[1].rows
end

--- Runs `clue walk`; exactly so many steps must run, and all must be verified.
-- @treturn {table,...} the rows
function walk_support.all_verified(count, args, env)
  local status, out, err, document = walk_support.walk(args, env)
  assert(status == 0, out .. err)
  local rows = walk_support.rows(document)
  assert(#rows == count, ("%d rows and not %d: "):format(#rows, count) .. out)
  for _, row in ipairs(rows) do
    assert(row.check and row.check.verified, ("%s: %s"):format(row.name, row.check and row.check.text or out))
  end
  return rows
end

--- Writes a copy of a step with a planted fault.
-- @tparam string step path
-- @tparam string from plain text, which must be there once
-- @tparam string to
-- @treturn string path
function walk_support.planted(step, from, to)
  local text = assert(support.read(step), step)
  local first, last = text:find(from, 1, true)
  assert(first, step .. " has no " .. from)
  assert(not text:find(from, last + 1, true), step .. " has more than one " .. from)
  return support.write(text:sub(1, first - 1) .. to .. text:sub(last + 1))
end

--- A shell's list of this test's processes: their command lines. Other tests, which run beside it, have another TMPDIR
-- (tests/run).
walk_support.processes = [[
  for file in $(grep -ls "${TMPDIR:+TMPDIR=}$TMPDIR" /proc/[0-9]*/environ); do
    tr '\0' ' ' <"${file%environ}cmdline"
  done 2>/dev/null]]

--- A shell's wait until this test has a process with such words.
-- @tparam string pattern grep's, which must not match itself: "hello/0[1]"
-- @treturn string
function walk_support.await_process(pattern)
  return ('\n  until {%s\n  } | grep -q "%s"; do sleep 0.1; done\n'):format(walk_support.processes, pattern)
end

--- Copies steps of a walkthrough into a new folder.
-- @treturn string the folder
-- @treturn string what `clue new` says
function walk_support.copied(from, steps)
  local folder = support.temporary()
  local words = {"new", "walkthrough", folder, "--from", from}
  if steps then words[6], words[7] = "--steps", steps end
  local status, out, err = support.run(words)
  assert(status == 0, err)
  return folder, out
end

--- Changes a file.
-- @tparam string path
-- @tparam string from plain text, which must be there once
-- @tparam string to
function walk_support.change(path, from, to)
  local changed = walk_support.planted(path, from, to)
  support.write(support.read(changed), path)
  os.remove(changed)
end

return walk_support
