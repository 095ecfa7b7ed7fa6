-- Step 0, first contact: list what OpenCL finds, then a kernel says Hello with printf.
--
-- The author's first output is the listing, and so it is here. It shows what matters later: compute units (how many
-- work-groups run at once), the largest work-group, local memory. printf shows that the kernel ran, but not that every
-- work-item did (some drivers drop its text if the output is not a terminal). So each work-item also writes its number
-- into a buffer, and the step checks the buffer.
local cl = require "clue"
local device = require "clue.device"
local exchange = require "clue.walk.exchange"
local product = require "clue.walk.product"
local walk = require "clue.walk"

product.inputs(input, "100x200x300") -- the same for all steps; this step does not use them
input.int("_items", 4, "work-items that say Hello", 1, 1024)

local KERNEL = [[
__kernel void hello(__global int *said)
{
    const int id = get_global_id(0);
    printf("Hello from work-item %d of %d\n", id, (int)get_global_size(0));
    said[id] = id + 1;
}
]]

local row = {
  number = 0, name = "hello", change = "platforms and devices listed, then a first kernel that says Hello by printf",
  note_of_author = "the K80 has 13 compute units, local memory 49152, work-groups of 1024, item sizes 1024/1024/64",
  decides = {"max_compute_units", "max_work_group_size", "local_mem_size"},
}

-- Makes a line for each platform and each device, with what the author prints about them.
local function listing()
  local lines = {}
  for _, each in ipairs(device.machine().devices) do
    local platform = each.platform
    if each.index == 0 then
      lines[#lines + 1] = ("platform %d: %s, %s, %s, %s; extensions: %s"):format(platform.index, platform.name,
        platform.version, platform.vendor, platform.profile, platform.extensions)
    end
    lines[#lines + 1] = ("device %s: %s, %s, global memory %.0f bytes, local memory %.0f, compute units %d, largest "
      .. "work-group %d, item sizes %s"):format(each.address, each.name, each.version, each.global_mem_size,
      each.local_mem_size, each.max_compute_units, each.max_work_group_size,
      table.concat(each.max_work_item_sizes, "/"))
  end
  return lines
end

function OnStart()
  row.notes = {}
  exchange.begin(row, listing())
  local context = cl.context()
  local queue = context:queue()
  local hello = context:program(KERNEL):kernel "hello"
  local items = cl.array.int(_items)
  local said = context:buffer(items)

  local parts = {
    reset = function() items:fill(0) queue:write_buffer(said, items) end,
    execute = function() hello(queue, _items, nil, said) end,
    read = function() queue:read_buffer(said, items) end,
  }
  local function all_said()
    for id, found in items:each() do
      if found ~= id + 1 then return false, ("work-item %d left %d, should be %d"):format(id, found, id + 1) end
    end
    return true
  end
  row.check = walk.verify(parts, {{name = "every work-item left its number", prepare = function() end,
                                   check = all_said}})
  row.notes[#row.notes + 1] = ("the kernel on this device: CL_KERNEL_WORK_GROUP_SIZE %d, "
    .. "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE %d"):format(hello.work_group_size,
    hello.preferred_work_group_size_multiple)
  if not context.device:is_kind "gpu" then
    row.notes[#row.notes + 1] = "the author's warning: this device is no GPU"
  end
  row.problem, row.context = ("%d work-items say Hello"):format(_items), context
  walk.report(row)
end
