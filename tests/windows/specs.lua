-- clue.exe tests/windows/specs.lua SPEC...: runs specs on Windows, where busted itself has no modules of C. They need
-- of it only what is here: blocks, what runs before and after them, and luassert. Prints a line for each spec:
--   PASSED FAILED PENDING FILE
-- and each failure on stderr. Blocks run in their order; nothing is run again. Tests with #once in their names count as
-- pending: most of them start programs by a shell, which Windows has not.

local luassert = require "luassert"
_G.assert, _G.spy, _G.stub, _G.mock, _G.match = luassert, require "luassert.spy", require "luassert.stub",
  require "luassert.mock", require "luassert.match"

local ends = {}
package.loaded.busted = {subscribe = function(event, work)
  if event[1] == "suite" then ends[#ends + 1] = work end
end}

local block -- that is being read
local function new(name, above)
  return {name = name, above = above, parts = {}, setup = {}, teardown = {}, before_each = {}, after_each = {}}
end

for _, kind in ipairs {"setup", "teardown", "before_each", "after_each"} do
  _G[kind] = function(work) table.insert(block[kind], work) end
end
_G.lazy_setup, _G.lazy_teardown = _G.setup, _G.teardown

function _G.describe(name, work)
  local outer = block
  block = new(name, outer)
  table.insert(outer.parts, block)
  work()
  block = outer
end
_G.context, _G.insulate, _G.expose = _G.describe, _G.describe, _G.describe

function _G.it(name, work) table.insert(block.parts, {name = name, work = work}) end
_G.test, _G.spec = _G.it, _G.it

local PENDING = {}
function _G.pending(name, work)
  if work == nil and not block then error(PENDING, 0) end
  if block then table.insert(block.parts, {name = name, pending = true}) else error(PENDING, 0) end
end

local count
local finals
function _G.finally(work) finals[#finals + 1] = work end

local function fail(path, why)
  count.failed = count.failed + 1
  io.stderr:write("failed: ", path, "\n    ", (tostring(why):gsub("\n", "\n    ")), "\n")
end

local function text_of(why)
  if why == PENDING then return why end
  if type(why) == "table" and why.message then why = why.message end
  return debug.traceback(tostring(why), 2)
end

local function attempt(path, work)
  local done, why = xpcall(work, text_of)
  if not done and why == PENDING then
    count.pending = count.pending + 1
  elseif not done then
    fail(path, why)
  end
  return done
end

local function around(of, kind, inner_first)
  local list = {}
  while of do
    for i, work in ipairs(of[kind]) do table.insert(list, inner_first and #list + 1 or i, work) end
    of = of.above
  end
  return list
end

local function run_test(test, within, path)
  finals = {}
  local snapshot = luassert:snapshot()
  local done = attempt(path, function()
    for _, work in ipairs(around(within, "before_each")) do work() end
    test.work()
  end)
  for _, work in ipairs(finals) do done = attempt(path, work) and done end
  for _, work in ipairs(around(within, "after_each", true)) do done = attempt(path, work) and done end
  snapshot:revert()
  if done then count.passed = count.passed + 1 end
end

local function run(of, path)
  local ready = true
  for _, work in ipairs(of.setup) do ready = ready and attempt(path .. ": setup", work) end
  for _, part in ipairs(ready and of.parts or {}) do
    local name = path .. ": " .. part.name
    if part.pending or name:find("#once", 1, true) then
      count.pending = count.pending + 1
    elseif part.work then
      run_test(part, of, name)
    else
      run(part, name)
    end
  end
  for _, work in ipairs(of.teardown) do attempt(path .. ": teardown", work) end
end

local failed = 0
for _, path in ipairs(arg) do
  count, block = {passed = 0, failed = 0, pending = 0}, new(path)
  local root = block
  if attempt(path, function() assert(loadfile(path))() end) then
    block = nil
    run(root, path)
  end
  print(("%d %d %d %s"):format(count.passed, count.failed, count.pending, path))
  io.stdout:flush()
  failed = failed + count.failed
end
for _, work in ipairs(ends) do work() end
os.exit(failed == 0 and 0 or 1)
