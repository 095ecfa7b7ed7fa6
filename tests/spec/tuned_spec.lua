-- cl.tuned: parameters that were found before, for the most similar device and the nearest size.
-- suite: quick
-- process: shared
-- drivers: pocl
local cl = require "clue"
local lfs = require "lfs"
local support = require "support"
local tuned = require "clue.tuned"

describe("cl.tuned", function()
  local real = tuned.folder
  local folder, own

  setup(function()
    folder = support.folder()
    assert(lfs.mkdir(folder .. "/tuned"))
    tuned.folder = function() return folder .. "/tuned" end
    own = tuned.facts(cl.device.get(0))
  end)

  teardown(function() tuned.folder = real end)

  local function like(changes)
    local facts = {}
    for name, fact in pairs(own) do facts[name] = fact end
    for name, fact in pairs(changes) do facts[name] = fact end
    return facts
  end

  local function keep(name, entries)
    support.write(cl.json.encode {format = tuned.format, entries = entries}, ("%s/tuned/%s.json"):format(folder, name))
  end

  it("gives what was found for this device and size", function()
    keep("exact", {{device = own, size = {64, 64}, parameters = {TILE = 8, FAST = true}, seconds = 0.5},
                   {device = own, size = {512, 512}, parameters = {TILE = 16, FAST = false}, seconds = 2}})
    local best = cl.tuned("exact", 0, {512, 512})
    assert.same({TILE = 16, FAST = false}, best.parameters)
    assert.same({true, "found", 2, own.name}, {best.exact, best.from, best.seconds, best.device})
    assert.equal("FAST=false TILE=16", tostring(best))
    assert.equal(8, cl.tuned("exact", cl.device.get(0), {100, 100}).parameters.TILE)
    assert.equal("of the nearest size, 64 x 64", cl.tuned("exact", 0, {100, 100}).note)
    assert.is_true(cl.tuned("exact", 0).exact)
  end)

  it("prefers this device, then another driver of it, then a similar device of its maker", function()
    local other = like {name = "Another", compute_units = own.compute_units * 2}
    local third = like {name = "Third", compute_units = own.compute_units * 8}
    local list = {{device = like {name = "Far", vendor = "Nobody"}, size = {8}, parameters = {N = 4}},
                  {device = third, size = {8}, parameters = {N = 5}},
                  {device = other, size = {8}, parameters = {N = 3}},
                  {device = like {driver = "older"}, size = {8}, parameters = {N = 2}},
                  {device = own, size = {1}, parameters = {N = 1}}}
    local function found()
      keep("near", list)
      local best = cl.tuned("near", 0, 8)
      table.remove(list)
      return best and {best.parameters.N, best.exact, best.note}
    end
    assert.same({1, false, "of the nearest size, 1"}, found())
    assert.same({2, false, "of driver older"}, found())
    assert.same({3, false, "of Another, the most similar device"}, found())
    assert.same({5, false, "of Third, the most similar device"}, found())
    assert.same({4, false, "of Far, the most similar device"}, found())
    assert.is_nil(found())
  end)

  it("takes the device that a context would take, if none is given", function()
    keep("mine", {{device = own, size = {8}, parameters = {N = 7}}})
    assert.equal(7, cl.tuned("mine").parameters.N)
    assert.is_true(cl.tuned("mine").exact)
  end)

  it("gives nothing for another kind of device, and for a file that is not clue's", function()
    keep("kind", {{device = like {kind = "other"}, size = {8}, parameters = {N = 1}}})
    assert.same({nil, "cl.tuned 'kind': what was tuned is for another kind of device"}, {cl.tuned("kind", 0)})
    support.write("{", folder .. "/tuned/broken.json")
    support.write("{}", folder .. "/tuned/foreign.json")
    assert.is_nil(cl.tuned("broken", 0))
    assert.is_nil(cl.tuned("foreign", 0))
    assert.same({nil, "cl.tuned 'nobody': nothing was tuned by this name, which is that of the space: its file's, "
      .. "without .lua"}, {cl.tuned("nobody", 0)})
  end)

  it("passes over damaged entries", function()
    local function found(entry)
      keep("damaged", {"no entry", entry, {device = like {driver = "older"}, size = {8}, parameters = {N = 1}}})
      local best = cl.tuned("damaged", 0, 8)
      return tostring(best)
    end
    local wrong = {
      {device = own}, {device = "x", parameters = {}}, {device = own, parameters = {[1] = 2}, size = {8}},
      {device = own, parameters = {N = {}}}, {device = own, parameters = {N = 2}, size = "8"},
      {device = own, parameters = {N = 2}, size = {"8"}}, {device = own, parameters = {N = 2}, size = {0}},
      {device = like {compute_units = "4", name = "Another"}, parameters = {N = 2}},
      {device = like {name = true}, parameters = {N = 2}},
    }
    for _, entry in ipairs(wrong) do assert.equal("N=1, of driver older", found(entry)) end
  end)

  it("refuses wrong arguments", function()
    assert.has_error(function() cl.tuned() end)
    assert.matches("size%[2%] must be a number above 0", tostring(select(2, pcall(cl.tuned, "x", 0, {1, 0}))))
  end)
end)
