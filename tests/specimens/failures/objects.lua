local cl = require "clue"
local source = "kernel void scale(global float *x, float by) {x[get_global_id(0)] *= by;}"
  .. "kernel void pick(read_only image2d_t i, sampler_t s, global float *x) {"
  .. "  x[0] += read_imagef(i, s, (int2)(1, 0)).x;}"
local part = cl.device.get(0):partition {equally = 1}[1]
cl.context(part):queue():finish()
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local program = context:program_from_binary(context:program(source):binary())
local x, y = context:buffer(cl.array.float {1, 2, 3, 4}, "use_host_ptr"), context:buffer(16)
local image, sampler = context:image {width = 2, height = 1}, context:sampler {normalized_coords = false}
queue:fill_buffer(y:sub_buffer {offset = 0, size = 16}, cl.float(1))
queue:copy_buffer(x, y, {size = 8})
queue:write_image(image, cl.array.float {0, 0, 0, 0, 10, 0, 0, 0})
local event = program:kernel "scale"(queue, 4, nil, y, cl.float(2))
local unordered, start = context:queue {out_of_order = true}, context:user_event()
local written = unordered:after(start):write_buffer(x, cl.array.float {1, 2, 3, 4}, {blocking = false})
start:complete()
unordered:migrate(x)
unordered:barrier()
local again = unordered:after(written, event):copy_buffer(x, x, {to_offset = 4, size = 4})
local called = 0
unordered:after(again):marker():on_complete(function() called = called + 1 end):wait()
assert(called == 1)
program:kernel "pick"(queue, 1, nil, image, sampler, y)
local mapped = queue:map_buffer(y, "float")
mapped[3] = mapped[3] + 100
queue:unmap(mapped):flush():finish()
assert(event:wait():time() and event.status == "complete")
unordered:finish()
assert(event.ended == nil or event.ended > event.started)
local read = cl.array.float(8)
queue:read_image(image, read)
queue:read_buffer(y, read, {count = 4})
print(read[0] + read[1] + read[2] + read[3])
