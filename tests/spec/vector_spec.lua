-- Vectors, raw bytes and NULL as arguments of kernels.
-- suite: quick
-- process: shared bindings
-- drivers: pocl oclgrind rusticl

local cl = require "clue"
local binding = require "clue.binding"
local objects = require "objects"
local support = require "support"

local refusal = objects.refusal

describe("a vector", function()
  it("exists for every type of numbers and every width", function()
    for element, code in pairs(binding.type_codes) do
      for _, width in ipairs {2, 3, 4, 8, 16} do
        local name = element .. width
        local v = cl[name](1)
        assert.equal(name, cl.value.type(v))
        assert.equal(binding.type_sizes[element] * (width == 3 and 4 or width), #cl.value.bytes(v))
        assert.equal(1, v[width - 1])
        assert.is_number(code)
      end
    end
    for _, name in ipairs {"float1", "float5", "float32", "bool4", "half", "float04", "split"} do
      assert.is_nil(require("clue.vector").types[name])
    end
  end)

  it("has components by letter, by number and by place", function()
    local v = cl.int4(10, 20, 30, 40)
    assert.same({10, 20, 30, 40}, {v.x, v.y, v.z, v.w})
    assert.same({10, 20, 30, 40}, {v[0], v[1], v[2], v[3]})
    assert.same({10, 20, 30, 40}, {v.s0, v.s1, v.s2, v.s3})
    local w = cl.uchar16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    assert.same({10, 15, 15}, {w.sa, w.sf, w.sF})
  end)

  it("is made of numbers, of one number, of vectors, or of a list", function()
    assert.equal("float4(0, 0, 0, 0)", tostring(cl.float4(0)))
    assert.equal("float4(1, 2, 3, 4)", tostring(cl.float4(cl.float2(1, 2), cl.float2(3, 4))))
    assert.equal("float4(1, 2, 3, 4)", tostring(cl.float4(1, cl.float3(2, 3, 4))))
    assert.equal("float4(1, 2, 3, 4)", tostring(cl.float4(cl.float(1), cl.float2(2, 3), 4)))
    assert.equal("float3(1, 2, 3)", tostring(cl.float3 {1, 2, 3}))
    assert.equal("half2(0.1, 2)", tostring(cl.half2(0.1, 2)))
    assert.equal("long2(9007199254740993, -1)", tostring(cl.long2("9007199254740993", -1)))
  end)

  it("has zeros after its third component if it has three", function()
    cl.float4(7)
    assert.equal(cl.value.bytes(cl.float4(1, 2, 3, 0)), cl.value.bytes(cl.float3(1, 2, 3)))
  end)

  it("equals another of its type and components, and cannot be changed", function()
    assert.is_true(cl.int2(1, 2) == cl.int2 {1, 2})
    assert.is_false(cl.int2(1, 2) == cl.int2(1, 3))
    assert.is_false(cl.int2(1, 2) == cl.uint2(1, 2))
    assert.has_error(function() cl.int2(1).x = 2 end, "a typed value cannot be changed: make another one")
  end)

  it("refuses parts that do not fit", function()
    local wrong = "float4: it has 4 components: give 4 numbers, one number for all, or vectors with 4 components "
      .. "together, not "
    assert.equal(wrong .. "3 of 3 parts", refusal(cl.float4, 1, 2, 3))
    assert.equal(wrong .. "2 of 1 part", refusal(cl.float4, cl.float2(1)))
    assert.equal(wrong .. "0 of 0 parts", refusal(cl.float4))
    assert.equal(wrong .. "1 of 1 part", refusal(cl.float4, {1}))
    assert.equal(wrong .. "more", refusal(cl.float4, 1, 2, 3, 4, 5))
    assert.equal(wrong .. "more", refusal(cl.float4, 1, cl.float4(1)))
    assert.equal("double16: it has 16 components: give 16 numbers, one number for all, or vectors with 16 components "
      .. "together, not more", refusal(cl.double16, cl.double16(1), cl.double2(1)))
    assert.equal("uchar4: component 1 cannot be 256: uchar holds whole numbers from 0 to 255",
      refusal(cl.uchar4, 1, 256, 3, 4))
    assert.equal('int2: component 0 cannot be "x": int holds whole numbers from -2147483648 to 2147483647',
      refusal(cl.int2, "x", 1))
    assert.equal("float4: int2(1, 1) is no part of a vector of float: give numbers, or values of type float",
      refusal(cl.float4, cl.int2(1), 1, 1))
  end)

  it("refuses components that it does not have", function()
    assert.equal('float4 has no component "s4": its components are .x .y .z .w, .s0 to .s3, or [0] to [3]',
      refusal(function() return cl.float4(1).s4 end))
    assert.equal('int8 has no component "x": its components are .s0 to .s7, or [0] to [7]',
      refusal(function() return cl.int8(1).x end))
    assert.equal("int2 has no component 2: its components are .x .y, .s0 to .s1, or [0] to [1]",
      refusal(function() return cl.int2(1)[2] end))
    assert.matches("9007199254740993", select(2, pcall(function() return cl.long2("9007199254740993", 0).x end)))
  end)
end)

describe("an argument by value", function()
  local context, queue, kernels

  setup(function()
    context, queue = objects.context()
    local program = context:program [[
      kernel void vectors(global float *o, float4 a, uchar3 b, int2 c) {
        o[0] = a.w; o[1] = b.z; o[2] = c.y; o[3] = sizeof(b);
      }
      typedef struct { int a; float b; } pair;
      kernel void structs(global float *o, pair p) { o[0] = p.a; o[1] = p.b; }
      kernel void pointers(global int *o, global int *a, constant int *b) { o[0] = a == 0; o[1] = b == 0; }
      kernel void short_vector(global short *o, short8 v) { o[0] = v.s7; }]]
    kernels = {vectors = program:kernel "vectors", structs = program:kernel "structs",
               pointers = program:kernel "pointers", short_vector = program:kernel "short_vector"}
  end)

  it("is a vector, or a list for one", function()
    local o = context:buffer(16)
    kernels.vectors(queue, 1, nil, o, cl.float4(1, 2, 3, 4), cl.uchar3(5, 6, 7), cl.int2(8, 9))
    assert.same({4, 7, 9, 4}, objects.contents(queue, o))
    kernels.vectors(queue, 1, nil, o, {4, 3, 2, 1}, {7, 6, 5}, {cl.int2(3, 4)})
    assert.same({1, 5, 4, 4}, objects.contents(queue, o))
    local s = context:buffer(2)
    kernels.short_vector(queue, 1, nil, s, cl.short8(-7))
    assert.same({-7}, objects.contents(queue, s, "short"))
  end)

  it("must have the type that the kernel declares", function()
    local k = kernels.vectors
    assert.equal("kernel:set_arg: argument 1 (a) of kernel 'vectors' is float4, but int4(1, 1, 1, 1) was given: use "
      .. "cl.float4", refusal(k.set_arg, k, 1, cl.int4(1)))
    assert.equal("kernel:set_arg: argument 1 (a) of kernel 'vectors' is float4, but float2(1, 1) was given: use "
      .. "cl.float4", refusal(k.set_arg, k, 1, cl.float2(1)))
    assert.equal("kernel:set_arg: argument 2 (b) of kernel 'vectors' is uchar3: component 0 cannot be 300: uchar holds "
      .. "whole numbers from 0 to 255", refusal(k.set_arg, k, 2, {300, 0, 0}))
    assert.equal("kernel:set_arg: argument 3 (c) of kernel 'vectors' is int2: it has 2 components: give 2 numbers, one "
      .. "number for all, or vectors with 2 components together, not 1 of 1 part", refusal(k.set_arg, k, 3, {1}))
    assert.matches("argument 3 'c' of kernel 'vectors' is int2: one number is not enough; give a vector, "
      .. "int2%(%.%.%.%)", refusal(k.set_arg, k, 3, 1))
    assert.matches("is a __global pointer, float%*: it takes a buffer", refusal(k.set_arg, k, 0, cl.float4(1)))
    assert.equal("kernel:set_arg: argument 0 (o) of kernel 'vectors' must be a buffer, shared virtual memory, an "
      .. "image, a sampler, a number, a typed value or local_memory(bytes), got a table; "
      .. "context:buffer(cl.array.float{...}) makes one of a table",
      refusal(k.set_arg, k, 0, {1, 2}))
  end)

  it("is raw bytes", function()
    local o = context:buffer(8)
    kernels.structs(queue, 1, nil, o, cl.bytes "\3\0\0\0\0\0\128\63")
    assert.same({3, 1}, objects.contents(queue, o))
    local k = kernels.vectors
    assert.matches("argument 3 'c' of kernel 'vectors' is int2 and takes 8 bytes, but 3 were given",
      refusal(k.set_arg, k, 3, cl.bytes "abc"))
    assert.equal("cl.bytes: text must be a string of bytes, got 3", refusal(cl.bytes, 3))
  end)

  it("has the type that a typedef stands for, in the source, its options or an included file", function()
    local folder = support.folder()
    support.write('#ifdef WIDE\ntypedef int4 number;\n#else\ntypedef int2 number;\n#endif\n', folder .. "/number.h")
    local source = [[
      #include "number.h"
      typedef REAL real;
      kernel void f(global float *o, real x, number n) { o[0] = x; o[1] = n.y; o[2] = sizeof(n); }]]
    local o = context:buffer(12)
    for _, case in ipairs {{{REAL = "float"}, {5, 6}, 8}, {{REAL = "float", WIDE = true}, {5, 6, 7, 8}, 16}} do
      local f = context:program(source, {defines = case[1], include = folder}):kernel "f"
      f(queue, 1, nil, o, 2.5, case[2])
      assert.same({2.5, 6, case[3]}, objects.contents(queue, o))
    end
    local f = context:program(source, {defines = {REAL = "int"}, include = folder}):kernel "f"
    assert.matches("argument 1 'x' of kernel 'f' is int, which cannot hold 2.5", refusal(f.set_arg, f, 1, 2.5))
  end)

  it("is a NULL pointer, for __global and __constant", function()
    local o = context:buffer(8)
    kernels.pointers(queue, 1, nil, o, cl.null, cl.null)
    assert.same({1, 1}, objects.contents(queue, o, "int"))
    local full = context:buffer(4)
    kernels.pointers(queue, 1, nil, o, full, full)
    assert.same({0, 0}, objects.contents(queue, o, "int"))
    kernels.pointers(queue, 1, nil, o, full, cl.null)
    assert.same({0, 1}, objects.contents(queue, o, "int"))
  end)

  it("is not NULL, and nothing is nil", function()
    local k, v, o = kernels.pointers, kernels.vectors, context:buffer(16)
    assert.equal("kernel call: argument 1 (a) of kernel 'pointers' is nil: write cl.null for a NULL pointer",
      refusal(k, queue, 1, nil, o, nil, cl.null))
    assert.equal("kernel call: argument 1 (a) of kernel 'vectors' must be a number, a typed value, an image or a "
      .. "sampler, got nil", refusal(v, queue, 1, nil, o, nil, {1, 2, 3}, {1, 2}))
    assert.matches("argument 1 'a' of kernel 'vectors' is float4: it takes a value", refusal(v.set_arg, v, 1, cl.null))
    assert.equal("null", tostring(cl.null))
    assert.error_matches(function() cl.null.handle = 65536 end, "cl.null cannot be changed$")
    assert.equal("context:buffer: size must be a whole number of bytes, or an array, got cl.null",
      refusal(context.buffer, context, cl.null))
  end)

  it("is set by MQL5's function too", function()
    require("clue.options").quiet = true
    local mql5 = require "clue.mql5"
    local k = kernels.vectors
    assert.is_true(mql5.CLSetKernelArg(k.handle, 1, cl.float4(1)))
    local done, message = mql5.CLSetKernelArg(k.handle, 1, cl.int4(1))
    assert.is_false(done)
    assert.matches("is float4, but int4%(1, 1, 1, 1%) was given", message)
  end)

  it("fills buffers", function()
    local o = context:buffer(16)
    queue:fill_buffer(o, cl.float2(1, 2))
    assert.same({1, 2, 1, 2}, objects.contents(queue, o))
  end)
end)
