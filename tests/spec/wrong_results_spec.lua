-- The warnings about wrong results without an error: of a device, Mesa's llvmpipe, whose loops end too early; and of a
-- buffer whose elements have another size than a kernel's pointer points at.
-- suite: quick

local support = require "support"

describe("a device that gives wrong results", function()
  local warning = "clue: device 0 %(0:0%) llvmpipe .*: loops, nested ones counted together, end after 65535 "
    .. "iterations without an error, so longer ones compute wrong results\n"

  local function warnings(text, env, ...)
    local out, err = support.ended(0, support.run(support.words({...}, {support.write(text)}), env))
    return select(2, err:gsub("65535 iterations", "")), err, out
  end

  local makers = {
    "cl.context()", "cl.context(0)", "cl.context(cl.device.get(0))", "cl.context {0}", 'cl.context "llvmpipe"',
    "CLContextCreate()", "CLContextCreate(0)", 'COpenCL():Initialize("kernel void f() { }")',
  }

  it("gives a warning with the first context, once", function()
    for _, maker in ipairs(makers) do
      local count, err = warnings(("local cl = require 'clue' for _ = 1, 3 do %s end"):format(
        (maker:gsub("^cl", "local _ = cl"))), support.drivers "rusticl")
      assert.equal(1, count, maker)
      assert.matches(warning, err, nil, nil, maker)
    end
    assert.equal(1, (warnings("local cl = require 'clue' cl.context() CLContextCreate(0)", support.drivers "rusticl")))
  end)

  it("gives no warning with --quiet or if it is only queried, and other devices give none", function()
    local both = "local cl = require 'clue' cl.context(0) CLContextCreate(0)"
    assert.equal(0, (warnings(both, support.drivers "rusticl", "--quiet")))
    assert.equal(0, (warnings(both, support.drivers "both")))
    assert.equal(0, (warnings("print(require('clue').device.get(0).name)", support.drivers "rusticl")))
  end)

  it("behaves as the warning says", function()
    local _, _, out = warnings([[
      local cl = require "clue"
      local context = cl.context()
      local queue, rounds = context:queue(), cl.array.int(2)
      local buffer = context:buffer(rounds)
      local count = context:program [=[kernel void count(global int *rounds, const int most) {
        int alone = 0, nested = 0;
        for (volatile int i = 0; i < most; i++) alone++;
        for (volatile int i = 0; i < most / 100; i++) for (volatile int k = 0; k < 100; k++) nested++;
        rounds[0] = alone;
        rounds[1] = nested;
      }]=]:kernel "count"
      count(queue, 1, nil, buffer, 70000)
      queue:read_buffer(buffer, rounds)
      print(rounds[0] < 70000, rounds[1] < 70000)
    ]], support.drivers "rusticl")
    assert.equal("true\ttrue\n", out)
  end)
end)

describe("a buffer behind a pointer to elements of another size", function()
  local mql5 = [[
    local context = CLContextCreate()
    local program = CLProgramCreate(context, "typedef float real; "
      .. "__kernel void f(__global %s *x) { }")
    local kernel, buffer = CLKernelCreate(program, "f"), CLBufferCreate(context, 64, CL_MEM_READ_WRITE)
    local data = %s
    %s
    CLExecute(kernel, 1, {0}, {1})
    for i = 1, 3 do CLExecute(kernel) end]]
  local WRITE, SET = " CLBufferWrite(buffer, data) ", " CLSetKernelArgMem(kernel, 0, buffer) "
  local objects = [[
    local cl = require "clue"
    local context = cl.context()
    local queue = context:queue()
    local kernel = context:program("typedef float real; __kernel void f(__global %s *x) { }"):kernel "f"
    local data = %s
    local buffer = context:buffer(data)
    %s
    for i = 1, 3 do kernel(queue, 1, nil, buffer) end]]

  -- What stderr has, without the line about the device.
  local function said(text, ...)
    local status, _, err = support.run(support.words({...}, {support.write(text)}), support.drivers "oclgrind")
    return (err:gsub("clue: device [^\n]*\n", "")), status
  end

  local note = "^clue: [^\n]*: note: argument 0 'x' of kernel 'f' is %s%%*, of %d bytes each, but the buffer has %ss "
    .. "of %d, as the host wrote them: write an array.%s, or declare %s %%*\n$"
  local wrong = {{"float", "double", 4, 8}, {"real", "double", 4, 8, "float"}, {"double", "float", 8, 4},
    {"long", "int", 8, 4}, {"int", "long", 4, 8}, {"short", "int", 2, 4}, {"float4", "double", 4, 8, "float"},
    {"half", "float", 2, 4}}

  it("is noted once, in MQL5's layer and in the other", function()
    for _, case in ipairs(wrong) do
      local pointer, written, size, held, element = case[1], case[2], case[3], case[4], case[5] or case[1]
      local expected = note:format(pointer, size, written, held, element, written)
      local data = ("array.%s(8)"):format(written)
      assert.matches(expected, (said(mql5:format(pointer, data, WRITE .. SET))))
      if pointer == "float" then
        assert.matches(expected, (said(mql5:format(pointer, data, SET .. WRITE))))
        assert.matches(expected, (said(objects:format(pointer, "require('clue').array.double(8)", ""))))
      end
    end
  end)

  it("is none if the sizes are equal, of bytes, of structs, and where the host wrote again", function()
    for _, case in ipairs {{"float4", "array.float(16)"}, {"uint", "array.float(8)"}, {"float", "array.uchar(64)"},
      {"uchar", "array.float(8)"}, {"real", "array.float(8)"},
      {"float", "require('clue').structs('typedef struct { double x; } s;').s:array(8)"}} do
      assert.equal("", (said(mql5:format(case[1], case[2], WRITE .. SET))))
    end
    assert.equal("", (said(mql5:format("float", "array.double(8)", WRITE .. SET
      .. " CLBufferWrite(buffer, array.float(16))"))))
    for _, again in ipairs {"queue:write_buffer(buffer, cl.array.float(16))", "queue:fill_buffer(buffer, cl.float(1))",
      "queue:unmap(queue:map_buffer(buffer, 'float'))"} do
      assert.equal("", (said(objects:format("float", "cl.array.double(8)", again))))
    end
    assert.matches("note: ", (said(objects:format("float", "cl.array.float(8)",
      "queue:write_buffer(buffer, cl.array.double(4))"))), 1, true)
  end)

  it("is silent with --quiet, and raises with --strict before the kernel runs", function()
    local garbage = mql5:format("float", "array.double(8)", WRITE .. SET)
    assert.equal("", (said(garbage, "--quiet")))
    local err, status = said(garbage, "--strict")
    assert.equal(1, status)
    assert.matches("^clue: [^\n]*:7: CLExecute: argument 0 'x' of kernel 'f' is float%*, of 4 bytes each", err)
    err, status = said(objects:format("float", "cl.array.double(8)", ""), "--strict")
    assert.equal(1, status)
    assert.matches("^clue: [^\n]*: kernel call: argument 0 'x' of kernel 'f' is float%*, of 4 bytes each", err)
  end)
end)
