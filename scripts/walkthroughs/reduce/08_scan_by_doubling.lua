-- Scan, step 8: each element becomes the sum of all up to it, by doubling the distance (Hillis and Steele).
--
-- A loop needs the previous sum for each next one. A device does it in launches: in the first, each element adds the
-- one before it; in the next the one two before it, then four, eight, ... After log2(n) launches each element has the
-- sum of all before it. It is short and parallel, but each launch reads and writes all elements, and does n additions
-- where the loop does n in all. That limits it: a million numbers take 20 launches, so memory is read and written 20
-- times. GB/s count each element as read once and written once.
local ceiling = require "clue.walk.ceiling"
local cl = require "clue"
local counted = require("clue.text").count
local group = require "clue.walk.group"
local numbers = require "clue.walk.numbers"
local walk = require "clue.walk"

numbers.inputs(input, 256)

local KERNEL = [[
/* Two buffers take turns: another work-item may still read what this one would overwrite. */
__kernel void scan_step(__global const uint *from, __global uint *to, uint count, uint distance)
{
    const uint i = get_global_id(0);
    if (i < count)
        to[i] = i >= distance ? from[i] + from[i - distance] : from[i];
}
]]

local row = {
  number = 8, name = "scan_by_doubling", study = "scan",
  change = "each element adds the one before it, then the one two before, four, ...: log2(n) launches",
  decides = {"max_compute_units"},
}

function OnStart()
  local scan = numbers.scan{size = _size, repeats = _repeat}
  local context = cl.context()
  local queue = context:queue()
  local scan_step = context:program(KERNEL):kernel "scan_step"
  local size = group.size(scan_step, group.power_of_two(_group), {idle = function(none) return none, none, 0, 1 end})
  local items = group.round_up(scan.count, size)
  local from, bytes = context:buffer(scan.values:bytes()), scan.found:bytes()
  local results = {context:buffer(bytes), context:buffer(bytes)}
  local last, launches -- where the sums are
  local run = {
    bytes = scan.traffic, rate = "GB/s", repeats = scan.repeats,
    upload = function() queue:write_buffer(from, scan.values) end,
    reset = function() scan:forget(queue, results[1], results[2]) end,
    execute = function()
      local source, distance = from, 1
      launches = 0
      repeat
        launches = launches + 1
        local target = results[launches % 2 + 1]
        scan_step(queue, items, size, source, target, scan.count, distance)
        source, distance = target, 2 * distance
      until distance >= scan.count
      last = source
    end,
    read = function() queue:read_buffer(last, scan.found) end,
  }
  row.check = walk.verify(run, scan:passes())
  row.times = walk.run(run)
  row.host = scan:host()
  row.notes = {("%s, groups of %d work-items"):format(counted(launches, "launch"), size), ceiling.copying(context, run)}
  walk.report(scan:row(row, context))
end
