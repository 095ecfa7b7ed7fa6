-- Images and samplers of the object layer.
-- suite: quick
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local objects = require "objects"
local support = require "support"

local array, numbered, refusal = cl.array, objects.numbered, objects.refusal

local context, queue = objects.context()

local function zeros(count)
  return context:buffer(array.float(count))
end

local function contents(buffer) return objects.contents(queue, buffer) end

describe("an image", function()
  local KERNEL = [[
    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
    kernel void sum(read_only image2d_t two, read_only image3d_t three, global float *x) {
      const int i = get_global_id(0);
      x[i] = read_imagef(two, nearest, (int2)(i, 0)).x + read_imagef(three, nearest, (int4)(i, 0, 1, 0)).w;
    }
  ]]

  it("holds pixels that kernels read", function()
    local x = zeros(2)
    local two = context:image {width = 2, height = 1, channel = "float", order = "rgba"}
    local three = context:image {type = "3d", width = 2, height = 1, depth = 2}
    assert.same({32, "2d", 1, 64, "3d", 2},
      {two.size, two.type, two.depth, three.size, three.type, three.depth})
    assert.equal(("image %d: rgba of float, 2 x 1"):format(two.handle), tostring(two))
    assert.equal(("image %d: rgba of float, 2 x 1 x 2"):format(three.handle), tostring(three))
    local numbers = array.float(16)
    for i = 0, 15 do numbers[i] = i end
    queue:write_image(three, numbers)
    queue:write_image(two, array.float {100, 0, 0, 0, 200, 0, 0, 0})
    context:program(KERNEL):kernel "sum"(queue, 2, nil, two, three, x)
    assert.same({111, 215}, contents(x))
    local read = array.float(16)
    assert.equal(queue, queue:read_image(three, read))
    assert.same(numbers:table(), read:table())
  end)

  it("is refused for unsupported formats, and for wrong options", function()
    local function said(wanted) return refusal(context.image, context, wanted) end
    assert.matches("has no 3%-D images of order rgb with channels of type float for these flags; with this type it has "
      .. "the orders: .*rgba", said {width = 2, height = 2, depth = 2, order = "rgb"})
    assert.matches('context:image: there is no order of channels "rbg" %(is rg meant%?%); there are a, '
      .. 'abgr, argb, bgra, depth, depth_stencil, intensity, luminance, r, ra, rg, rgb, rgba, rgbx, rgx, '
      .. 'rx, sbgra, srgb, srgba, srgbx',
      said {width = 2, height = 2, order = "rbg"})
    assert.matches('context:image: there is no type of channels "int"; there are float, half_float, '
      .. 'signed_int16, signed_int32, signed_int8, snorm_int16, snorm_int8, unorm_int16, unorm_int24, '
      .. 'unorm_int8, unorm_int_101010, unorm_int_101010_2, unorm_short_555, unorm_short_565, '
      .. 'unsigned_int16, unsigned_int32, unsigned_int8',
      said {width = 2, height = 2, channel = "int"})
    assert.equal("context:image: width must be a whole number of 1 or more, got nil", said {})
    assert.equal("context:image: height must be a whole number of 1 or more, got nil", said {type = "2d", width = 2})
    assert.equal("context:image: width must be a whole number of 1 or more, got 0.5", said {width = 0.5, height = 1})
    assert.equal("context:image: width must be a whole number of 1 or more, got 0", said {width = 0, height = 1})
    assert.equal('context:image: array_size must be a whole number of 1 or more, got "many"',
      said {width = 2, array_size = "many"})
    assert.equal("context:image: a 2d image has no depth", said {type = "2d", width = 2, height = 2, depth = 2})
    assert.equal("context:image: a 1d image has no array_size", said {type = "1d", width = 2, array_size = 2})
    assert.equal('context:image: there is no type of images "4d" (is 1d meant?); there are 1d, 1d_array, '
      .. '1d_buffer, 2d, 2d_array, 3d',
      said {type = "4d", width = 2, height = 2})
    assert.equal('context:image: there is no option "size"; there are array_size, buffer, channel, depth, '
      .. 'flags, height, host_ptr, order, row_pitch, type, width', said {width = 2, height = 2, size = 3})
    assert.equal("context:image: wanted must be a table of options (array_size, buffer, channel, depth, "
      .. "flags, height, host_ptr, order, row_pitch, type, width), got 4", said(4))
    assert.matches('context:image: there is no flag "fast"; there are alloc_host_ptr, copy_host_ptr, '
      .. 'host_no_access, host_read_only, host_write_only, read_only, read_write, use_host_ptr, write_only',
        said {width = 2, height = 2, flags =
        "fast"})
  end)

  it("is transferred whole, and passed only to arguments of its type", function()
    local image = context:image {width = 2, height = 1}
    assert.matches("an image of 2 x 1 x 1 pixels of 16 bytes each has 32 bytes, but 4 were given",
      refusal(queue.write_image, queue, image, array.float(1)))
    assert.equal("queue:read_image: image must be an image, got a buffer; that is queue:read_buffer",
      refusal(queue.read_image, queue, zeros(1), array.float(1)))
    assert.equal("queue:read_image: data must be an array, got nil",
      refusal(queue.read_image, queue, image))
    local kernel = context:program(KERNEL):kernel "sum"
    assert.matches("argument 1 'three' of kernel 'sum' is image3d_t, and image %d+ is an image2d_t",
      refusal(kernel.set_args, kernel, image, image, zeros(1)))
    assert.matches("argument 2 'x' of kernel 'sum' is a __global pointer, float%*: it takes a buffer",
      refusal(kernel.set_arg, kernel, 2, image))
    image:close()
    assert.equal("queue:read_image: image must be an image, got a closed image",
      refusal(queue.read_image, queue, image, array.float(8)))
  end)
end)

describe("images of every type", function()
  local KERNEL = [[
    kernel void sum(read_only image1d_t line, read_only image1d_array_t lines, read_only image2d_array_t planes,
                    sampler_t s, global float *x) {
      const int i = get_global_id(0);
      x[i] = read_imagef(line, s, i).x + read_imagef(lines, s, (int2)(i, 2)).x
        + read_imagef(planes, s, (int4)(i, 1, 2, 0)).x;
    }
    kernel void pick(read_only image1d_buffer_t line, global float *x) {
      x[get_global_id(0)] = read_imagef(line, (int)get_global_id(0)).y;
    }
  ]]
  local program

  setup(function() program = context:program(KERNEL) end)

  it("have the type that their sizes imply, and can be read by kernels", function()
    local line, lines = context:image {width = 4}, context:image {width = 4, array_size = 3}
    local planes = context:image {width = 4, height = 2, array_size = 3}
    assert.same({"1d", "1d_array", "2d_array"}, {line.type, lines.type, planes.type})
    assert.same({64, 192, 384}, {line.size, lines.size, planes.size})
    assert.same({4, 1, 1, 3}, {lines.width, lines.height, lines.depth, lines.array_size})
    assert.equal(("image %d: rgba of float, 4 x 2 x 3"):format(planes.handle), tostring(planes))
    for _, image in ipairs {line, lines, planes} do queue:write_image(image, numbered(image.size / 4)) end
    local sampler, x = context:sampler {normalized_coords = false}, zeros(4)
    program:kernel "sum"(queue, 4, nil, line, lines, planes, sampler, x)
    assert.same({112, 124, 136, 148}, contents(x))
    local read = array.float(96)
    queue:read_image(planes, read)
    assert.same(numbered(96):table(), read:table())
  end)

  it("can lie in a buffer, which they keep alive", function()
    local x = zeros(4)
    local image = context:image {width = 4, buffer = context:buffer(numbered(16))}
    assert.same({"1d_buffer", 64}, {image.type, image.size})
    program:kernel "pick"(queue, 4, nil, image, x)
    assert.same({1, 5, 9, 13}, contents(x))
    assert.matches("^clEnqueueReadImage: CL_INVALID_OPERATION %(%-59%): the pixels of image %d+ are in buffer %d+: "
      .. "transfer, copy or fill the buffer", refusal(queue.read_image, queue, image, array.float(16)))
    assert.matches("the image has 80 bytes, but its buffer has 64",
      refusal(context.image, context, {width = 5, buffer = image.buffer}))
    assert.matches("a 1%-D buffer image needs a buffer, and none was given",
      refusal(context.image, context, {type = "1d_buffer", width = 5}))
    assert.equal("context:image: buffer must be a buffer, got an image",
      refusal(context.image, context, {width = 4, buffer = image}))
  end)

  it("can be 2-D in a buffer if the device supports it", function()
    local wanted = {width = 4, height = 2, buffer = context:buffer(4096), row_pitch = 2048}
    if (context.device.image_pitch_alignment or 0) == 0 then
      assert.matches("has no 2%-D images in buffers %(no cl_khr_image2d_from_buffer%)",
        refusal(context.image, context, wanted))
      pending "the device has no 2-D images in buffers (image_pitch_alignment is 0)"
    end
    local image = context:image(wanted)
    queue:write_image(image, numbered(32))
    local read = array.float(16)
    queue:read_buffer(wanted.buffer, read, {offset = 2048})
    assert.same({16, 31}, {read[0], read[15]})
  end)
end)

describe("parts of images", function()
  local image

  local function read(of, how, count)
    local found = array.float(count)
    queue:read_image(of, found, how)
    return found:table()
  end

  before_each(function()
    image = context:image {width = 3, height = 3, order = "rgba"}
    queue:write_image(image, numbered(36))
  end)

  it("are transferred", function()
    assert.same({16, 17, 18, 19, 20, 21, 22, 23}, read(image, {origin = {1, 1}, region = {2}}, 8))
    assert.same({16, 20, 28, 32}, (function()
      local found = read(image, {origin = {1, 1}}, 16)
      return {found[1], found[5], found[9], found[13]}
    end)())
    queue:write_image(image, numbered(100), {origin = {2, 2}, first = 50, count = 4})
    assert.same({50, 51, 52, 53}, read(image, {origin = {2, 2}, region = {1, 1}}, 4))
    queue:write_image(image, numbered(40), {region = {1, 3}, row_pitch = 64})
    assert.same({0, 16, 32}, {read(image, nil, 36)[1], read(image, nil, 36)[13], read(image, nil, 36)[25]})
    local found = array.float(4)
    local event = queue:read_image(image, found, {origin = {0, 2}, region = {1}, blocking = false})
    event:wait()
    assert.same({32, 33, 34, 35}, found:table())
  end)

  it("are copied, also to buffers and back", function()
    local twin, buffer = context:image {width = 3, height = 3}, context:buffer(array.float(8))
    queue:copy_image(image, twin, {from_origin = {1, 1}, to_origin = {0, 1}, region = {2, 1}})
    assert.same({16, 17, 18, 19}, read(twin, {origin = {0, 1}, region = {1}}, 4))
    queue:copy_image_to_buffer(image, buffer, {origin = {2, 2}, offset = 16})
    assert.same({0, 0, 0, 0, 32, 33, 34, 35}, contents(buffer))
    queue:copy_buffer_to_image(buffer, twin, {offset = 16, region = {1, 1}})
    assert.same({32, 33, 34, 35}, read(twin, {region = {1, 1}}, 4))
    local copied = queue:copy_image(image, twin)
    assert.equal(("event %d: a copy between images"):format(copied.handle), tostring(copied))
    copied:wait()
    assert.same(numbered(36):table(), read(twin, nil, 36))
  end)

  it("are filled with a colour", function()
    queue:fill_image(image, {1, 2, 3, 4}, {origin = {1}, region = {1, 1}})
    assert.same({0, 1, 2, 3, 1, 2, 3, 4, 8, 9, 10, 11}, read(image, {region = {3, 1}}, 12))
    queue:fill_image(image, 0.5):wait()
    assert.same({0.5, 0.5, 0.5, 0.5}, read(image, {origin = {2, 2}}, 4))
    local whole = context:image {width = 1, channel = "signed_int16"}
    assert.matches("a colour of 1.5, 1.5, 1.5, 1.5: the channels of this image need values of type int",
      refusal(queue.fill_image, queue, whole, 1.5))
  end)

  it("are mapped", function()
    local mapped, row_pitch, slice_pitch = queue:map_image(image, "float", "read", {origin = {1, 1}})
    assert.equal(16, mapped[0])
    assert.equal(28, mapped[row_pitch / 4])
    assert.is_true(slice_pitch >= 2 * row_pitch)
    queue:unmap(mapped)
    mapped = queue:map_image(image, "float", "write")
    mapped[0] = 42
    assert.matches("mapped for writing by the host: unmap it first",
      refusal(queue.fill_image, queue, image, 0))
    queue:unmap(mapped)
    assert.same({42, 1, 2, 3}, read(image, {region = {1, 1}}, 4))
    assert.equal('queue:map_image: there is no type "pixel"; there are char, double, float, half, int, '
      .. 'long, short, uchar, uint, ulong, ushort',
      refusal(queue.map_image, queue, image, "pixel"))
  end)

  it("are refused if they are not inside the image", function()
    local numbers = numbered(4)
    local function said(how) return refusal(queue.read_image, queue, image, numbers, how) end
    assert.matches("2 x 1 x 1 pixels from %(2, 0, 0%) on are not inside the image of 3 x 3 x "
      .. "1", said {origin = {2}, region = {2}})
    assert.matches("2 x 1 x 1 pixels of this image have 32 bytes, but 16 were given", said {region = {2}})
    assert.equal("queue:read_image: origin must be a list of one to three numbers, not 4", said {origin = {1, 2,
      3, 4}})
    assert.equal("queue:read_image: region[1] must be a whole number, got 0.5", said {region = {0.5}})
    assert.matches('queue:read_image: there is no option "offset"; there are blocking, count, first, '
      .. 'origin, region, row_pitch, slice_pitch', said {offset = 4})
    assert.equal("queue:read_image: 4 elements from 1 on are not all inside float[4]", said {first = 1, count = 4})
    assert.matches("queue:fill_image: colour must be a number, or a list of four, one for each channel, not of 2",
      refusal(queue.fill_image, queue, image, {1, 2}))
    assert.equal("queue:copy_image: from_origin must be a list of one to three numbers, not 4",
      refusal(queue.copy_image, queue, image, image, {from_origin = {1, 2, 3, 4}}))
    assert.equal("queue:copy_image: from_origin must be a list, got 1",
      refusal(queue.copy_image, queue, image, image, {from_origin = 1}))
    assert.equal("queue:copy_image: to must be an image, got a buffer",
      refusal(queue.copy_image, queue, image, zeros(1)))
  end)
end)

describe("the formats of images", function()
  it("are listed by type and use", function()
    local has = {}
    for _, format in ipairs(context:image_formats()) do has[format.order .. " " .. format.channel] = true end
    assert.is_true(has["rgba float"])
    assert.is_true(has["rgba unorm_int8"])
    assert.is_nil(has["rgb float"])
    assert.is_true(#context:image_formats {type = "3d", flags = "read_only"} > 0)
  end)

  it("can all be used to make images", function()
    local made = 0
    for _, format in ipairs(context:image_formats {type = "1d_array"}) do
      local image = context:image {width = 2, array_size = 2, order = format.order, channel = format.channel}
      made = made + 1
      assert.equal(0, image.size % 4)
      image:close()
    end
    assert.is_true(made > 10)
  end)

  it("are refused for unknown types and flags", function()
    assert.equal('context:image_formats: there is no option "width"; there are flags, type',
      refusal(context.image_formats, context, {width = 2}))
    assert.matches('context:image_formats: there is no type of images "cube"; there are 1d, 1d_array, '
      .. '1d_buffer, 2d, 2d_array, 3d',
      refusal(context.image_formats, context, {type = "cube"}))
    assert.matches('context:image_formats: there is no flag "slow"; there are alloc_host_ptr, '
      .. 'copy_host_ptr, host_no_access, host_read_only, host_write_only, read_only, read_write, '
      .. 'use_host_ptr, write_only', refusal(context.image_formats, context, {flags = "slow"}))
    assert.equal('context:image_formats: wanted must be a table of options (flags, type), got "2d"',
      refusal(context.image_formats, context, "2d"))
  end)
end)

describe("the access to an image", function()
  local KERNELS = [[
    kernel void put(write_only image2d_t to) { write_imagef(to, (int2)(0, 0), (float4)(1.0f)); }
    kernel void get(read_only image2d_t from, global float4 *x) { x[0] = read_imagef(from, (int2)(0, 0)); }
    kernel void move(read_only image2d_t from, write_only image2d_t to) {
      write_imagef(to, (int2)(0, 0), read_imagef(from, (int2)(0, 0)));
    }
    kernel void line(write_only image1d_buffer_t to) { write_imagef(to, 0, (float4)(1.0f)); }]]
  local program

  local function image(flags)
    return context:image {width = 1, height = 1, flags = flags}
  end

  local function given(name, flags)
    local made = image(flags)
    return refusal(function() program:kernel(name):set_arg(0, made) end), made.handle
  end

  setup(function() program = context:program(KERNELS) end)

  it("is what its flags and the kernel's parameter allow", function()
    for name, wrong in pairs {put = {"write_only", "read_only", "to"}, get = {"read_only", "write_only", "from"}} do
      local text, handle = given(name, wrong[2])
      assert.equal(("clSetKernelArg: CL_INVALID_ARG_VALUE (-50): argument 0 '%s' of kernel '%s' is %s, but image %d "
        .. "was made with the flag %s: make it read_write"):format(wrong[3], name, wrong[1], handle, wrong[2]), text)
      program:kernel(name):set_arg(0, image(wrong[1])):set_arg(0, image "read_write"):set_arg(0, image())
    end
  end)

  it("is that of the buffer in which the image is", function()
    local line = context:image {type = "1d_buffer", width = 4, buffer = context:buffer(64, "read_only")}
    local text = refusal(function() program:kernel "line":set_arg(0, line) end)
    assert.matches("is write_only, but image %d+ was made with the flag read_only", text)
  end)

  it("is noted once where a launch reads and writes one image #once", function()
    local script = support.write(([[
      local cl = require "clue"
      local context = cl.context()
      local queue, move = context:queue(), context:program [=[%s]=]:kernel "move"
      local a, b = context:image {width = 1, height = 1}, context:image {width = 1, height = 1}
      move(queue, 1, nil, a, b)
      move(queue, 1, nil, b, a)
      for _ = 1, 2 do move(queue, 1, nil, a, a) end
      queue:finish()
    ]]):format(KERNELS))
    local text = "argument 0 (from) of kernel 'move' and argument 1 (to) of kernel 'move' are one image: what is read "
      .. "of it is undefined; give the kernel two images\n"
    local _, out, err = support.run({"--device", "0", script}, support.drivers "oclgrind")
    assert.equal("", out)
    local notes = err:match "^clue: device [^\n]*\n(.*)$"
    assert.equal(("clue: %s:12: note: %s"):format(script, text), notes)
    assert.equal("", select(3, support.run({"--quiet", "--device", "0", script}, support.drivers "oclgrind")))
    local status, _, raised = support.run({"--strict", "--device", "0", script}, support.drivers "oclgrind")
    assert.equal(1, status)
    assert.matches(text, raised, 1, true)
  end)
end)

describe("a sampler", function()
  local KERNEL = [[
    kernel void row(read_only image2d_t image, sampler_t sampler, float from, global float *x) {
      const int i = get_global_id(0);
      x[i] = read_imagef(image, sampler, (float2)(from + i, 0.5f)).x;
    }
  ]]
  local kernel, image

  setup(function()
    kernel = context:program(KERNEL):kernel "row"
    image = context:image {width = 2, height = 1}
    queue:write_image(image, array.float {10, 0, 0, 0, 20, 0, 0, 0})
  end)

  local function read(options, from)
    local x = zeros(2)
    kernel(queue, 2, nil, image, context:sampler(options), from, x)
    return contents(x)
  end

  it("determines how kernels read images", function()
    assert.same({20, 0}, read({normalized_coords = false}, 1.5))
    assert.same({20, 20}, read({normalized_coords = false, addressing_mode = "clamp_to_edge"}, 1.5))
    assert.same({15, 20}, read({normalized_coords = false, addressing_mode = "clamp_to_edge",
      filter_mode = "linear"}, 1))
    assert.same({20, 20}, read({addressing_mode = "repeat"}, 0.75))
    assert.same({20, 0}, read(nil, 0.75))
  end)

  it("has its options as properties", function()
    local sampler = context:sampler()
    assert.same({true, "clamp", "nearest"},
      {sampler.normalized_coords, sampler.addressing_mode, sampler.filter_mode})
    assert.equal(("sampler %d: normalized coordinates, clamp, nearest"):format(sampler.handle), tostring(sampler))
    assert.equal(context, sampler.context)
  end)

  it("is refused for wrong options and for other arguments", function()
    local function said(options) return refusal(context.sampler, context, options) end
    assert.equal('context:sampler: there is no addressing_mode "wrap"; there are clamp, clamp_to_edge, '
      .. 'mirrored_repeat, none, repeat', said {addressing_mode = "wrap"})
    assert.equal('context:sampler: there is no filter_mode "cubic"; there are linear, nearest', said {filter_mode =
      "cubic"})
    assert.equal("context:sampler: normalized_coords must be true or false, got 1", said {normalized_coords = 1})
    assert.equal('context:sampler: there is no option "filter" (is filter_mode meant?); there are '
      .. 'addressing_mode, filter_mode, normalized_coords', said {filter = "linear"})
    assert.equal('context:sampler: options must be a table of options (addressing_mode, filter_mode, '
      .. 'normalized_coords), got "linear"',
      said "linear")
    assert.matches("CL_ADDRESS_REPEAT needs normalized coordinates", said {addressing_mode = "repeat",
      normalized_coords = false})
    local sampler = context:sampler()
    assert.matches("argument 0 'image' of kernel 'row' is image2d_t: it takes an image",
      refusal(kernel.set_arg, kernel, 0, sampler))
    sampler:close()
    assert.equal("kernel:set_arg: argument 1 must be a sampler, got a closed sampler",
      refusal(kernel.set_arg, kernel, 1, sampler))
  end)
end)
