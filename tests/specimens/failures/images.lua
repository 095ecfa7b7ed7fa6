local cl = require "clue"
local context = cl.context(cl.device.get(0))
local queue = context:queue()
local y, image = context:buffer(cl.array.float {1, 1, 1, 1}), context:image {width = 2}
local scratch, corner = context:buffer(32), {region = {4, 2}, buffer_row_pitch = 8}
queue:write_buffer_rect(scratch, cl.array.float {1, 2}, corner)
queue:copy_buffer_rect(scratch, y, {region = {4}, from_origin = {8}, to_origin = {12}})
queue:read_buffer_rect(scratch, cl.array.float(2), corner)
queue:fill_buffer(y, cl.float(1), {offset = 8})
queue:fill_image(image, 0)
queue:write_image(image, cl.array.float {10, 0, 0, 0}, {origin = {1}})
queue:copy_image_to_buffer(image, scratch)
queue:copy_image(image, image, {to_origin = {1}, region = {1}})
queue:copy_buffer_to_image(scratch, image)
queue:unmap((queue:map_image(image, "float", "read")))
context:program [[kernel void pick(read_only image1d_t i, sampler_t s, global float *x) {
  x[0] += read_imagef(i, s, 1).x;
}]]:kernel "pick"(queue, 1, nil, image, context:sampler {normalized_coords = false}, y)
local read = cl.array.float(8)
queue:read_image(image, read)
queue:read_buffer(y, read, {count = 4})
queue:finish()
print(read:sum())
