-- Every work-item says hello: the output of printf in a kernel appears among the output of the script.
-- The device decides which work-item prints first. The printed lines prove nothing: the script reads from a buffer
-- whether every work-item ran.
local cl = require "clue"

input.int("_items", 8, "work-items, an even number", 2, 1024)

local KERNEL = [[
kernel void hello(global int *here)
{
    const int i = get_global_id(0);
    printf("  work-item %d, number %d of work-group %d\n", i, (int)get_local_id(0), (int)get_group_id(0));
    here[i] = i + 1;
}
]]

function OnStart()
  local context = cl.context()
  local queue = context:queue()
  local hello = context:program(KERNEL):kernel "hello"
  local here = context:buffer(_items * 4)

  print(("hello from %s:"):format(context.device.name))
  hello(queue, _items, _items / 2, here):wait()
  print "that was all"

  local numbers = cl.array.int(_items)
  queue:read_buffer(here, numbers)
  for i = 0, _items - 1 do assert(numbers[i] == i + 1, ("work-item %d did not come"):format(i)) end
end
