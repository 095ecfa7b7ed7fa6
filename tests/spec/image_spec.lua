-- Images and samplers of the object layer.

local cl = require "clue"

local array = cl.array

local context, queue

setup(function()
  require("clue.options").quiet = true -- which device it is needs no line in every spec's output
  context = cl.context()
  queue = context:queue()
end)

-- The text of the error object that a call raises, without the place.
local function refusal(call, ...)
  local done, problem = pcall(call, ...)
  assert.is_false(done)
  assert.is_true(cl.error.is(problem), tostring(problem))
  return problem.text
end

local function zeros(count)
  return context:buffer(array.float(count))
end

local function contents(buffer)
  local read = array.float(buffer.size / 4)
  queue:read_buffer(buffer, read)
  return read:table()
end

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
    local two = context:image { width = 2, height = 1, channel = "float", order = "rgba" }
    local three = context:image { type = "3d", width = 2, height = 1, depth = 2 }
    assert.same({ 32, "2d", 1, 64, "3d", 2 },
      { two.size, two.type, two.depth, three.size, three.type, three.depth })
    assert.equal(("image %d: rgba of float, 2 x 1"):format(two.handle), tostring(two))
    assert.equal(("image %d: rgba of float, 2 x 1 x 2"):format(three.handle), tostring(three))
    local numbers = array.float(16)
    for i = 0, 15 do numbers[i] = i end
    queue:write_image(three, numbers)
    queue:write_image(two, array.float { 100, 0, 0, 0, 200, 0, 0, 0 })
    context:program(KERNEL):kernel "sum"(queue, 2, nil, two, three, x)
    assert.same({ 111, 215 }, contents(x))
    local read = array.float(16)
    assert.equal(queue, queue:read_image(three, read))
    assert.same(numbers:table(), read:table())
  end)

  it("is refused what the device does not have, and what is none", function()
    local function said(wanted) return refusal(context.image, context, wanted) end
    assert.matches("has no 3%-D images of order rgb with channels of type float for these flags; with that type it has "
      .. "the orders: .*rgba", said { width = 2, height = 2, depth = 2, order = "rgb" })
    assert.equal("context:image: there is no order of channels 'rbg'; there are a, abgr, argb, bgra, depth, intensity, "
      .. "luminance, r, ra, rg, rgb, rgba, srgba", said { width = 2, height = 2, order = "rbg" })
    assert.matches("^context:image: there is no type of channels 'int'; there are float, half_float, signed_int16, ",
      said { width = 2, height = 2, channel = "int" })
    assert.equal("context:image: height is a number of pixels, not nil", said { width = 2 })
    assert.equal("context:image: width is a number of pixels, not 0.5", said { width = 0.5, height = 1 })
    assert.equal("context:image: depth is a number of pixels, 1 at least, not 0",
      said { width = 2, height = 2, depth = 0 })
    assert.equal("context:image: depth is a number of pixels, not nil", said { type = "3d", width = 2, height = 2 })
    assert.equal("context:image: a 2-D image has no depth", said { type = "2d", width = 2, height = 2, depth = 2 })
    assert.equal('context:image: type is "2d" or "3d", not 1d', said { type = "1d", width = 2, height = 2 })
    assert.equal("context:image: there is no option 'size'; there are type, width, height, depth, order, channel, "
      .. "flags", said { width = 2, height = 2, size = 3 })
    assert.equal("context:image: {width = , height = , depth = , order = , channel = } expected, got number", said(4))
    assert.matches("an image has no flag 'fast'", said { width = 2, height = 2, flags = "fast" })
    assert.matches("a width of 0 pixels: 1 is the least", said { width = 0, height = 1 })
  end)

  it("is transferred whole, and set where it fits", function()
    local image = context:image { width = 2, height = 1 }
    assert.matches("an image of 2 x 1 x 1 pixels has 32 bytes, 4 were given",
      refusal(queue.write_image, queue, image, array.float(1)))
    assert.equal("bad argument #1 to 'queue:read_image': image expected, got buffer",
      refusal(queue.read_image, queue, zeros(1), array.float(1)))
    assert.equal("bad argument #2 to 'queue:read_image': array expected, got nil",
      refusal(queue.read_image, queue, image))
    local kernel = context:program(KERNEL):kernel "sum"
    assert.matches("argument 1 'three' of kernel 'sum' is image3d_t, and image %d+ is in 2 dimensions",
      refusal(kernel.set_args, kernel, image, image, zeros(1)))
    assert.matches("argument 2 'x' of kernel 'sum' is a __global pointer, float%*: it takes a buffer",
      refusal(kernel.set_arg, kernel, 2, image))
    image:close()
    assert.equal("bad argument #1 to 'queue:read_image': image expected, got one that was closed",
      refusal(queue.read_image, queue, image, array.float(8)))
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
    image = context:image { width = 2, height = 1 }
    queue:write_image(image, array.float { 10, 0, 0, 0, 20, 0, 0, 0 })
  end)

  local function read(options, from)
    local x = zeros(2)
    kernel(queue, 2, nil, image, context:sampler(options), from, x)
    return contents(x)
  end

  it("says how kernels read images", function()
    assert.same({ 20, 0 }, read({ normalized_coords = false }, 1.5))
    assert.same({ 20, 20 }, read({ normalized_coords = false, addressing_mode = "clamp_to_edge" }, 1.5))
    assert.same({ 15, 20 }, read({ normalized_coords = false, addressing_mode = "clamp_to_edge",
      filter_mode = "linear" }, 1))
    assert.same({ 20, 20 }, read({ addressing_mode = "repeat" }, 0.75))
    assert.same({ 20, 0 }, read(nil, 0.75))
  end)

  it("tells what it is", function()
    local sampler = context:sampler()
    assert.same({ true, "clamp", "nearest" },
      { sampler.normalized_coords, sampler.addressing_mode, sampler.filter_mode })
    assert.equal(("sampler %d: normalized coordinates, clamp, nearest"):format(sampler.handle), tostring(sampler))
    assert.equal(context, sampler.context)
  end)

  it("is refused what it is not, and where it does not fit", function()
    local function said(options) return refusal(context.sampler, context, options) end
    assert.equal("context:sampler: addressing_mode is one of clamp, clamp_to_edge, mirrored_repeat, none, repeat, not "
      .. "wrap", said { addressing_mode = "wrap" })
    assert.equal("context:sampler: filter_mode is one of linear, nearest, not cubic", said { filter_mode = "cubic" })
    assert.equal("context:sampler: normalized_coords is one of true, false, not 1", said { normalized_coords = 1 })
    assert.equal("context:sampler: there is no option 'filter'; there are normalized_coords, addressing_mode, "
      .. "filter_mode", said { filter = "linear" })
    assert.equal("context:sampler: {normalized_coords = , addressing_mode = , filter_mode = } expected, got string",
      said "linear")
    assert.matches("CL_ADDRESS_REPEAT needs normalized coordinates", said { addressing_mode = "repeat",
      normalized_coords = false })
    local sampler = context:sampler()
    assert.matches("argument 0 'image' of kernel 'row' is image2d_t: it takes an image",
      refusal(kernel.set_arg, kernel, 0, sampler))
    sampler:close()
    assert.equal("bad argument #2 to 'kernel:set_arg': sampler expected, got one that was closed",
      refusal(kernel.set_arg, kernel, 1, sampler))
  end)
end)
