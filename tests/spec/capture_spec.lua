-- A call of a kernel captured: the folder holds what it was made of, and its script repeats it.
local support = require "support"

local SCRIPT = [[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local program = context:program([=[
  kernel void blend(global float4 *x, global const uint *n, float factor, int4 shift, local int *scratch,
                    global int *y) {
    size_t i = get_global_id(0);
    scratch[get_local_id(0)] = n[i] + shift.s3;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[i] = x[i] * factor + scratch[get_local_id(0)] + OFFSET;
    y[i] += 1;
  }]=], {defines = {OFFSET = 10}})
local blend = program:kernel "blend"
local x = context:buffer(cl.array.float(64):fill(1))
local n = context:buffer(cl.array.uint(16):fill(7), "read_only")
local y = context:buffer(cl.array.int(20):fill(5), FLAGS)
local binding = require "clue.binding"
local function call(factor)
  blend:set_arg(0, x):set_arg(1, n):set_arg(2, factor):set_arg(4, cl.local_memory(16)):set_arg(5, y)
  assert(binding.kernel_set_bytes(blend.handle, 3, ("\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0")))
  return queue:ndrange_kernel(blend, 12, 4, 2)
end
]]

-- Runs `clue trace --capture`; gives the folder, status, out, err.
local function captured(text, which, env)
  local folder = support.temporary()
  os.remove(folder)
  local words = {"trace", "-o", support.temporary(), "--capture", which, "--capture-folder", folder,
                 support.write((SCRIPT:gsub("FLAGS", '"read_write"')) .. text)}
  local status, out, err = support.run(words, env)
  return folder, status, out, err
end

local function replay(folder, env)
  return support.run({folder .. "/replay.lua"}, env)
end

local function call_of(folder)
  return assert(loadfile(folder .. "/call.lua"))()
end

local folders = {}

local function keep(folder, ...)
  folders[#folders + 1] = folder
  return folder, ...
end

describe("a captured call", function()
  teardown(function()
    for _, folder in ipairs(folders) do os.execute("rm -rf " .. support.quote(folder)) end
  end)

  it("is told by call.lua, kernel.cl and the buffers", function()
    local folder, status, _, err = keep(captured("for i = 1, 3 do call(i) end", "blend:2"))
    assert.equal(0, status, err)
    assert.matches(("%s: call 2 of kernel 'blend'; `clue %s/replay.lua` repeats it"):format(folder, folder), err, 1,
      true)
    local call = call_of(folder)
    assert.equal("blend", call.kernel)
    assert.equal(2, call.call)
    assert.same({12}, call.global)
    assert.same({4}, call.local_size)
    assert.same({2}, call.offset)
    assert.matches("-D OFFSET=10", call.options, 1, true)
    assert.matches("pthread", call.device.name, 1, true)
    assert.equal("Portable Computing Language", call.device.platform)
    assert.equal(6, #call.arguments)
    assert.same({name = "factor", type = "float", kind = "value", bytes = "\0\0\0\64"}, call.arguments[3])
    assert.equal(("\0"):rep(12) .. "\3\0\0\0", call.arguments[4].bytes)
    assert.same({name = "scratch", type = "int*", kind = "local", size = 16}, call.arguments[5])
    assert.equal(256, call.arguments[1].size)
    assert.matches("^  kernel void blend", support.read(folder .. "/kernel.cl"))

    local array = require "clue.array"
    local before, after = array.load(folder .. "/arg0.before.npy"), array.load(folder .. "/arg0.after.npy")
    assert.equal("float", before:type())
    assert.equal(16, before:rows())
    assert.equal(4, before:columns())
    assert.equal(1, before[0])
    assert.equal(21, before[8]) -- 1 * 1 + 7 + 3 + 10, the first call's
    assert.equal(62, after[8])  -- 21 * 2 + 20
    assert.equal(1, after[60])  -- beyond the range
    assert.equal("uint", array.load(folder .. "/arg1.before.npy"):type())
    assert.equal(7, array.load(folder .. "/arg5.after.npy")[2])
  end)

  it("is repeated by replay.lua, and compared", function()
    local folder = keep(captured("for i = 1, 3 do call(i) end", "blend:2"))
    local status, out, err = replay(folder)
    assert.equal(0, status, err)
    assert.matches("argument 0 'x' %(float4%*%): as captured", out)
    assert.matches("argument 5 'y' %(int%*%): as captured", out)
    assert.matches("kernel 'blend', captured on .*: [%d.]+ us here", out)
    -- a changed kernel, and a changed input, are found
    local source = support.read(folder .. "/kernel.cl")
    support.write((source:gsub("y%[i%] %+= 1", "y[i] += 1 + (i == 5)")), folder .. "/kernel.cl")
    status, out = replay(folder)
    assert.equal(1, status)
    assert.matches("argument 0 'x' %(float4%*%): as captured", out)
    assert.matches("argument 5 'y' (int*): 1 of 20 elements differ, the first is [5]: 8 here, 7 captured; "
      .. "the largest difference is 1", out, 1, true)
  end)

  for _, platform in ipairs {"oclgrind", "rusticl"} do
    it("goes over to other devices: " .. platform, function()
      local env = support.drivers(platform)
      local folder, status, _, err = keep(captured("for i = 1, 3 do call(i) end", "blend", env))
      assert.equal(0, status, err)
      assert.equal(0, (replay(folder, env)))
      status, _, err = replay(folder) -- on PoCL
      assert.equal(0, status, err)
    end)
  end

  it("has the headers that its program reads", function()
    local home = keep(support.temporary())
    os.remove(home)
    os.execute(("mkdir -p %s/deep"):format(support.quote(home)))
    support.write('#define TWO 2\n  #  include "deep/three.h"\n', home .. "/two.h")
    support.write('#ifndef THREE\n#define THREE FOUR\n#include "four.h"\n#endif\n',
      home .. "/deep/three.h")
    support.write("#define FOUR 4\n#include <two.h>\n", home .. "/deep/four.h")
    local text = ([[
      local times = context:program('#include "two.h"\n#ifdef NEVER\n#include "never.h"\n#endif\n'
        .. "kernel void times(global int *x) { x[get_global_id(0)] *= TWO * THREE; }",
        {include = "%s", defines = {A = 1}}):kernel "times"
      times(queue, 20, nil, y)]]):format(home)
    local folder, status, _, err = keep(captured(text, "times"))
    assert.equal(0, status, err)
    assert.equal(3, call_of(folder).headers)
    assert.is_nil(call_of(folder).options:find(home, 1, true))
    assert.matches("-D A=1", call_of(folder).options, 1, true)
    assert.equal(support.read(home .. "/deep/four.h"), support.read(folder .. "/include/deep/four.h"))
    os.execute("rm -rf " .. support.quote(home))
    status, _, err = replay(folder)
    assert.equal(0, status, err)
    support.write("#define FOUR 5\n", folder .. "/include/deep/four.h")
    assert.equal(1, (replay(folder)))
  end)

  it("has what it began with where the call crashes", function()
    local text = [[
      local wild = context:program "kernel void wild(global int *x, int at) { x[at] = 1; }":kernel "wild"
      wild(queue, 1, nil, y, 1000000000)
      queue:finish()]]
    local folder, status, _, err = keep(captured(text, "wild"))
    assert.equal(139, status, err)
    assert.equal(5, require("clue.array").load(folder .. "/arg0.before.npy")[0])
    assert.is_nil(support.read(folder .. "/arg0.after.npy"))
    assert.equal(139, (replay(folder)))
    -- repaired, it ends, but there is nothing to compare with
    local out
    support.write("kernel void wild(global int *x, int at) { x[at % 20] = 1; }", folder .. "/kernel.cl")
    status, out = replay(folder)
    assert.equal(1, status)
    assert.matches("nothing to compare with: when it was captured, the call did not come to its end", out, 1, true)
  end)

  it("may have one buffer for two arguments", function()
    local text = [[
      local add = context:program [=[
        kernel void add(global int *a, global int *b) { int i = get_global_id(0); a[i] += b[i]; }]=]:kernel "add"
      add(queue, 20, nil, y, y)]]
    local folder = keep(captured(text, "add"))
    assert.equal(0, call_of(folder).arguments[2].contents_of)
    assert.is_nil(support.read(folder .. "/arg1.before.npy"))
    assert.equal(0, (replay(folder)))
  end)

  it("reads buffers that the host may not read", function()
    local folder = support.temporary()
    os.remove(folder)
    keep(folder)
    local text = SCRIPT:gsub("FLAGS", '"host_write_only"')
    local status, _, err = support.run {"trace", "-o", support.temporary(), "--capture", "blend", "--capture-folder",
      folder, support.write(text .. "call(2)")}
    assert.equal(0, status, err)
    assert.equal(6, require("clue.array").load(folder .. "/arg5.after.npy")[2])
  end)

  it("is taken of MQL5's scripts", function()
    local folder = support.temporary()
    os.remove(folder)
    keep(folder)
    local status, out = support.run {"trace", "-o", support.temporary(), "--capture", "square", "--capture-folder",
      folder, "scripts/examples/hello.lua"}
    assert.equal(0, status)
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 shows that they are floats
    assert.equal(0, (replay(folder)))
  end)

  it("is built from its source, whatever the cache of programs has", function()
    local cache = keep(support.temporary())
    os.remove(cache)
    -- PoCL's own cache is empty, so that building takes long enough to be worth a place in clue's
    local env = {CLUE_CACHE_DIR = cache, CLUE_NO_CACHE = "0", POCL_CACHE_DIR = cache .. "-pocl"}
    keep(env.POCL_CACHE_DIR)
    support.run_script((SCRIPT:gsub("FLAGS", '"read_write"')) .. "call(1) queue:finish()", nil, env)
    local listing = io.popen("ls " .. cache .. "/programs")
    assert.is_string(listing:read "*l")
    listing:close()
    local folder, status, _, err = keep(captured("call(1)", "blend", env))
    assert.equal(0, status, err)
    assert.equal(0, (replay(folder, env)))
  end)

  it("says so where the program has no source", function()
    local _, status, _, err = captured([[
      local again = context:program_from_binary(program:binary()):kernel "blend"
      again:set_arg(0, x):set_arg(1, n):set_arg(2, cl.float(2)):set_arg(4, cl.local_memory(16)):set_arg(5, y)
      assert(binding.kernel_set_bytes(again.handle, 3, ("\0"):rep(16)))
      queue:ndrange_kernel(again, 12, 4)
      queue:finish()]], "blend")
    assert.equal(1, status)
    assert.matches("its program was not built from one source, but linked or from a binary", err, 1, true)
  end)

  it("is refused, in words, where it cannot be kept, and the call takes place all the same", function()
    local _, status, out, err = captured([[
      local copy = context:program([=[
        kernel void copy(read_only image2d_t from, global float *to) {
          const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
          to[0] = read_imagef(from, s, (int2)(0, 0)).x;
        }]=]):kernel "copy"
      local image = context:image {width = 4, height = 4, order = "rgba", channel = "float"}
      copy(queue, 1, nil, image, x)
      queue:finish()
      print "done"]], "copy")
    assert.equal(1, status)
    assert.equal("done\n", out)
    assert.matches("nothing captured of the kernel's call: its argument 0 'from' is image2d_t: only buffers, values "
      .. "and local memory are captured", err, 1, true)
  end)

  it("is told where there was none", function()
    local folder, status, _, err = keep(captured("call(1)", "blend:5"))
    assert.equal(1, status)
    assert.matches("--capture: kernel 'blend' was executed 1 time, so there was no call 5", err, 1, true)
    assert.is_nil(support.read(folder .. "/call.lua"))
    for _, which in ipairs {"blend:0", "blend:", ":1", "a b:1", "blend:x"} do
      status, _, err = support.run {"trace", "--capture", which, "x.lua"}
      assert.equal(2, status, which)
      assert.matches("--capture: '" .. which .. "': the name of a kernel, and which call of it behind a colon", err, 1,
        true)
    end
  end)
end)

describe("cl.capture", function()
  local function run(text)
    local folder = keep(support.temporary())
    os.remove(folder)
    local status, out, err = support.run_script((SCRIPT:gsub("FLAGS", '"read_write"')) .. text:gsub("FOLDER", folder))
    return folder, status, out, err
  end

  it("keeps the next call, or another one", function()
    local folder, status, _, err = run [[
      call(1)
      cl.capture(blend, "FOLDER", 2)
      call(2) call(3) call(4)]]
    assert.equal(0, status, err)
    assert.equal(2, call_of(folder).call)
    assert.equal("\0\0\64\64", call_of(folder).arguments[3].bytes) -- 3.0
    assert.equal(0, (replay(folder)))
    folder = run [[cl.capture("blend", "FOLDER") call(5)]]
    assert.equal(0, (replay(folder)))
  end)

  it("says so when an argument was set before it", function()
    local folder, status, out, err = run [[
      call(1)
      cl.capture(blend, "FOLDER")
      queue:ndrange_kernel(blend, 12, 4)
      queue:finish()
      print "done"]]
    assert.equal(0, status)
    assert.equal("done\n", out)
    assert.matches("its argument 0 was set before the capture was asked for", err, 1, true)
    assert.is_nil(support.read(folder .. "/call.lua"))
  end)

  it("takes a kernel or its name, a folder and a number from 1", function()
    local _, _, out = run [[
      local function try(...)
        local done, why = pcall(cl.capture, ...)
        print(done, (tostring(why):gsub("\n.*", ""):gsub("^.-%.lua:%d+: ", "")))
      end
      try(nil, "FOLDER")
      try(blend)
      try(blend, "FOLDER", 0)
      try(blend, "FOLDER", 1.5)
      try("", "FOLDER")
      try(blend, "/nowhere/x")]]
    assert.matches("false\tbad argument #1 to 'capture': kernel or its name expected, got nil\n"
      .. "false\tbad argument #2 to 'capture': the path of a folder expected, got nil\n"
      .. "false\tbad argument #3 to 'capture': a whole number from 1 on expected, got 0\n"
      .. "false\tbad argument #3 to 'capture': a whole number from 1 on expected, got 1.5\n", out, 1, true)
    assert.matches("the kernel's name is empty", out, 1, true)
    assert.matches("the folder '/nowhere/x' cannot be made: No such file or directory", out, 1, true)
  end)
end)
