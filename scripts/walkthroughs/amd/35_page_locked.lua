-- Memory, step 35: transfers from and to page-locked memory, and pageable memory.
--
-- A GPU's copy engine reads the host's memory by itself, which only pages that the system cannot move allow. From
-- ordinary, pageable memory the driver first copies into a page-locked area of its own. A buffer of
-- CL_MEM_ALLOC_HOST_PTR, mapped, is page-locked memory on most drivers: the script fills it in place, and transfers
-- from there. Where device and host share their memory (CL_DEVICE_HOST_UNIFIED_MEMORY) both are plain copies.
local binding = require "clue.binding"
local cl = require "clue"
local amd = require "clue.walk.amd"
local walk = require "clue.walk"

amd.inputs(input, "4000003", "how many floats")

local row = {
  number = 35, name = "page_locked", study = "memory", beyond = true, moves = "between host and device",
  change = "transfers of a whole array in both directions, from pageable and from page-locked memory",
  decides = {"host_unified_memory"},
}

-- A transfer as parts of a step. `sent` holds what must arrive, `found` what did.
local function write(queue, buffer, host, found)
  return {
    reset = function() found:fill(-1) queue:write_buffer(buffer, found) end,
    execute = function()
      local start = binding.now()
      queue:write_buffer(buffer, host)
      return binding.now() - start
    end,
    check = function() return queue:read_buffer(buffer, found), host, found end,
  }
end

local function read(queue, buffer, host, sent)
  return {
    upload = function() queue:write_buffer(buffer, sent) end,
    reset = function() host:fill(-1) end,
    execute = function()
      local start = binding.now()
      queue:read_buffer(buffer, host)
      return binding.now() - start
    end,
    check = function() return nil, sent, host end,
  }
end

local function pass(variant, sent)
  return {
    name = variant.label, prepare = function() sent:random(0, 1, 7) end,
    check = function()
      local _, expected, found = variant.check()
      local at = found:compare(expected)
      return not at, at and ("element %d is %.9g, should be %.9g"):format(at, found[at], expected[at])
    end,
  }
end

function OnStart()
  local count = amd.count(_size, "memory", "4000003", 2 ^ 26)
  local context = cl.context()
  local queue, buffer = context:queue(), context:buffer(4 * count)
  local made, host = pcall(context.buffer, context, 4 * count, {"read_write", "alloc_host_ptr"})
  if not made then walk.skip(row, "the driver gives no memory of the host: " .. tostring(host.text), context) end
  local page_locked, pageable = queue:map_buffer(host, "float", {"read", "write"}), cl.array.float(count)
  local other = cl.array.float(count)
  local variants = {}
  for _, each in ipairs {
    {"write, pageable", write, pageable}, {"write, page-locked", write, page_locked},
    {"read, pageable", read, pageable}, {"read, page-locked", read, page_locked},
  } do
    local variant = each[2](queue, buffer, each[3], other)
    variant.label, variant.sent = each[1], each[2] == write and each[3] or other
    variant.bytes, variant.rate, variant.repeats = 4 * count, "GB/s", amd.repeats(_repeat)
    variants[#variants + 1] = variant
  end
  for _, variant in ipairs(variants) do
    row.check = walk.verify(variant, {pass(variant, variant.sent)})
    if not row.check.verified then break end
  end
  if row.check.verified then row.check.text = "every element, in both directions" end
  row.times, row.sweep = walk.sweep(variants)
  row.notes = {
    ("pageable memory takes %s times as long as page-locked memory to write from, %s times to read into"):format(
      amd.times_as_long(row.sweep[1], row.sweep[2]), amd.times_as_long(row.sweep[3], row.sweep[4])),
    "the kernel time is that of the transfer, by the host's clock",
  }
  row.problem, row.context = ("%d floats between host and device"):format(count), context
  walk.report(row)
end
