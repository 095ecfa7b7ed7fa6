-- Captured kernel calls: the folder holds the call's source, arguments and buffers, and its script repeats the call.
-- suite: whole
-- cost: 25
-- builds: luajit asan
local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

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
local function call(factor)
  blend:set_args(x, n, factor, {0, 0, 0, 3}, cl.local_memory(16), y)
  return queue:ndrange_kernel(blend, 12, 4, 2)
end
]]

-- Kernels compile in milliseconds on Oclgrind, and in up to half a second on PoCL.
local oclgrind, pocl = support.drivers "oclgrind", support.drivers "pocl"

-- Runs `clue trace --capture`; returns the folder, status, stdout and stderr.
local function captured(text, which, env)
  local folder = support.temporary()
  local words = {"trace", "-o", support.temporary(), "--capture", which, "--capture-folder", folder,
                 support.write((SCRIPT:gsub("FLAGS", '"read_write"')) .. text)}
  local status, out, err = support.run(words, env or oclgrind)
  return folder, status, out, err
end

local function replay(folder, env)
  return support.run({folder .. "/replay.lua"}, env or oclgrind)
end

local function call_of(folder)
  return assert(loadfile(folder .. "/call.lua"))()
end

describe("a folder that is not as clue wrote it", function()
  local calls = require "clue.captured"

  it("is refused before anything is made of it", function()
    local folder = support.folder()
    local right = 'return {kernel = "f", sources = {{file = "kernel.cl", options = ""}}, arguments = {{kind = "null"}}}'
    support.write(right, folder .. "/call.lua")
    assert.equal("f", calls.load(folder).kernel)
    for _, change in ipairs {{'"f"', "1"}, {'"kernel.cl"', "nil"}, {'""', "{}"}, {"{{file", "{1, {file"},
                             {'"null"', '"nil"'}, {'{{kind = "null"}}', "{2}"},
                             {'{{file = "kernel.cl", options = ""}}', "{}"}} do
      support.write((right:gsub(change[1], (change[2]:gsub("%%", "%%%%")), 1)), folder .. "/call.lua")
      local done, problem = pcall(calls.load, folder)
      assert.is_false(done)
      assert.equal(1, problem:find(("'%s' holds no captured call: call.lua: "):format(folder), 1, true), problem)
    end
  end)
end)

describe("a captured call", function()
  it("can be one of a graph", function()
    local folder, status, _, err = captured([[
      local graph = queue:record(function(commands)
        for i = 1, 3 do
          blend:set_args(x, n, i, {0, 0, 0, 0}, cl.local_memory(16), y)
          commands:ndrange_kernel(blend, 12, 4)
        end
      end)
      graph:replay()
      graph:replay():wait()]], "blend:5")
    assert.equal(0, status, err)
    assert.same({12}, call_of(folder).global)
    assert.same({name = "factor", type = "float", kind = "value", bytes = "\0\0\0\64"}, call_of(folder).arguments[3])
    assert.equal(0, (replay(folder)))
  end)

  it("is described by call.lua, kernel.cl and the buffers", function()
    local folder, status, _, err = captured("for i = 1, 3 do call(i) end", "blend:2", pocl)
    assert.equal(0, status, err)
    assert.matches(("%s: call 2 of kernel 'blend'; `clue %s/replay.lua` repeats it"):format(folder, folder), err, 1,
      true)
    local call = call_of(folder)
    assert.equal("blend", call.kernel)
    assert.equal(2, call.call)
    assert.same({12}, call.global)
    assert.same({4}, call.local_size)
    assert.same({2}, call.offset)
    assert.matches("-D OFFSET=10", call.sources[1].options, 1, true)
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
    assert.equal(21, before[8]) -- 1 * 1 + 7 + 3 + 10, from the first call
    assert.equal(62, after[8])  -- 21 * 2 + 20
    assert.equal(1, after[60])  -- beyond the range
    assert.equal("uint", array.load(folder .. "/arg1.before.npy"):type())
    assert.equal(7, array.load(folder .. "/arg5.after.npy")[2])
  end)

  it("is repeated and compared by replay.lua", function()
    local folder = captured("for i = 1, 3 do call(i) end", "blend:2")
    local out = support.ended(0, replay(folder))
    assert.matches("argument 0 'x' %(float4%*%): as captured", out)
    assert.matches("argument 5 'y' %(int%*%): as captured", out)
    assert.matches("kernel 'blend', captured on .*: [%d.]+ us here", out)
    -- replay.lua notices a changed kernel.
    local source = support.read(folder .. "/kernel.cl")
    support.write((source:gsub("y%[i%] %+= 1", "y[i] += 1 + (i == 5)")), folder .. "/kernel.cl")
    out = support.ended(1, replay(folder))
    assert.matches("argument 0 'x' %(float4%*%): as captured", out)
    assert.matches("argument 5 'y' (int*): 1 of 20 elements differ, the first is [5]: 8 here, 7 captured; "
      .. "the largest difference is 1", out, 1, true)
  end)

  it("never overwrites an earlier capture, which may have been edited", function()
    local folder = captured("call(1)", "blend")
    support.write("// mine", folder .. "/kernel.cl")
    local words = {"trace", "-o", support.temporary(), "--capture", "blend", "--capture-folder", folder,
                   support.write((SCRIPT:gsub("FLAGS", '"read_write"')) .. "call(1)")}
    local out, err = support.ended(2, support.run(words, oclgrind))
    assert.equal("", out)
    assert.matches("the folder '" .. folder .. "' is not empty, and its contents are never overwritten", err, 1, true)
    local script = (SCRIPT:gsub("FLAGS", '"read_write"')) .. ("cl.capture(blend, %q)"):format(folder)
    out, err = support.ended(1, support.run_script(script, nil, oclgrind))
    assert.equal("", out)
    assert.matches("'" .. folder .. "' exists and is not an empty folder: use another name or remove it", err, 1, true)
    assert.equal("// mine", support.read(folder .. "/kernel.cl"))
  end)

  it("may go into an existing empty folder", function()
    local folder = support.folder()
    local script = (SCRIPT:gsub("FLAGS", '"read_write"')) .. ("cl.capture(blend, %q) call(1)"):format(folder)
    support.ended(0, support.run_script(script, nil, oclgrind))
    assert.equal(0, (replay(folder)))
  end)

  it("has its script even if nobody reads the output of `clue trace`", function()
    local folder = support.temporary()
    local script = support.write((SCRIPT:gsub("FLAGS", '"read_write"')) .. "call(1)")
    support.execute({"sh", "-c", '"$0" trace -o "$1" --capture blend --capture-folder "$2" "$3" 2>&1 | head -1',
      support.clue, support.temporary(), folder, script}, oclgrind)
    assert.equal(0, (replay(folder)))
  end)

  it("leaves no folder behind if the call never happens", function()
    local folder, status, _, err = captured("call(1)", "blend:3")
    assert.equal(1, status)
    assert.matches("kernel 'blend' was executed 1 time, so there was no call 3", err, 1, true)
    assert.is_nil(require("lfs").attributes(folder, "mode"))
    assert.matches("clue trace: --capture: there is no kernel 'bland'; there is: blend\n",
      select(4, captured("call(1)", "bland")), 1, true)
  end)

  for _, platform in ipairs {"oclgrind", "rusticl"} do
    it("can be repeated on another device #once: from " .. platform, function()
      local env = support.drivers(platform)
      local folder, status, _, err = captured("for i = 1, 3 do call(i) end", "blend", env)
      assert.equal(0, status, err)
      assert.equal(0, (replay(folder, env)))
      status, _, err = replay(folder, pocl)
      assert.equal(0, status, err)
    end)
  end

  it("includes its program's headers", function()
    local home = support.temporary()
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
    local folder, status, _, err = captured(text, "times")
    assert.equal(0, status, err)
    local source = call_of(folder).sources[1]
    assert.equal(3, source.headers)
    assert.equal("include", source.include)
    assert.is_nil(source.options:find(home, 1, true))
    assert.matches("-D A=1", source.options, 1, true)
    assert.equal(support.read(home .. "/deep/four.h"), support.read(folder .. "/include/deep/four.h"))
    os.execute("rm -rf " .. support.quote(home))
    status, _, err = replay(folder)
    assert.equal(0, status, err)
    support.write("#define FOUR 5\n", folder .. "/include/deep/four.h")
    assert.equal(1, (replay(folder)))
  end)

  it("has its inputs even if the call crashes", function()
    local text = [[
      local wild = context:program "kernel void wild(global int *x, int at) { x[at] = 1; }":kernel "wild"
      wild(queue, 1, nil, y, 1000000000)
      queue:finish()]]
    local folder, status, _, err = captured(text, "wild", pocl)
    assert.equal(139, status, err)
    assert.equal(5, require("clue.array").load(folder .. "/arg0.before.npy")[0])
    assert.is_nil(support.read(folder .. "/arg0.after.npy"))
    assert.equal(139, (replay(folder, pocl)))
    -- The repaired kernel finishes, but there is nothing to compare its results with.
    local out
    support.write("kernel void wild(global int *x, int at) { x[at % 20] = 1; }", folder .. "/kernel.cl")
    status, out = replay(folder, pocl)
    assert.equal(1, status)
    assert.matches("nothing to compare with: the call did not finish when it was captured", out, 1, true)
  end)

  it("may use one buffer for two arguments", function()
    local text = [[
      local add = context:program [=[
        kernel void add(global int *a, global int *b) { int i = get_global_id(0); a[i] += b[i]; }]=]:kernel "add"
      add(queue, 20, nil, y, y)]]
    local folder = captured(text, "add")
    assert.equal(0, call_of(folder).arguments[2].contents_of)
    assert.is_nil(support.read(folder .. "/arg1.before.npy"))
    assert.equal(0, (replay(folder)))
  end)

  it("includes buffers that the host must not read", function()
    local folder = support.temporary()
    local text = SCRIPT:gsub("FLAGS", '"host_write_only"')
    support.ended(0, support.run({"trace", "-o", support.temporary(), "--capture", "blend", "--capture-folder",
      folder, support.write(text .. "call(2)")}, oclgrind))
    assert.equal(6, require("clue.array").load(folder .. "/arg5.after.npy")[2])
  end)

  it("is needed for a folder of its own", function()
    local status, _, err = support.run {"trace", "--capture-folder", support.temporary(), "scripts/examples/hello.lua"}
    assert.equal(2, status)
    assert.matches("--capture-folder goes with --capture KERNEL:N", err, 1, true)
  end)

  it("may come from an MQL5 script", function()
    local folder = support.temporary()
    local status, out = support.run({"trace", "-o", support.temporary(), "--capture", "square", "--capture-folder",
      folder, "scripts/examples/hello.lua"}, oclgrind)
    assert.equal(0, status)
    assert.equal("1 4 9 16 25\n", (out:gsub("%.0", ""))) -- Lua 5.4 prints floats with .0
    assert.equal(0, (replay(folder)))
  end)

  it("is built from source even if its program came from the cache #once", function()
    local cache = support.temporary()
    -- clue caches a program once PoCL has spent enough time on it: after eleven runs at most.
    local env = {CLUE_CACHE_DIR = cache, CLUE_NO_CACHE = "0", POCL_CACHE_DIR = cache .. "-pocl"}
    local call = SCRIPT:gsub("FLAGS", '"read_write"') .. "call(1) queue:finish()"
    for _ = 1, 11 do support.run_script(call, nil, env) end
    local listing = io.popen("ls " .. cache .. "/programs")
    assert.is_string(listing:read "*l")
    listing:close()
    local folder, status, out, err = captured("print(program.cached) call(1)", "blend", env)
    assert.equal(0, status, err)
    assert.equal("true\n", out)
    assert.equal("float4*", call_of(folder).arguments[1].type)
    assert.equal(0, (replay(folder, env)))
  end)

  it("is refused if its program has no source", function()
    local _, status, _, err = captured([[
      local again = context:program_from_binary(program:binary()):kernel "blend"
      again:set_args(x, n, cl.float(2), cl.int4(0, 0, 0, 3), cl.local_memory(16), y)
      queue:ndrange_kernel(again, 12, 4)
      queue:finish()]], "blend")
    assert.equal(1, status)
    assert.matches("its program was made from a binary or an intermediate language: there is no source", err, 1, true)
  end)

  it("includes sources that were compiled separately, and links them again", function()
    local text = [[
      local shift = context:compile("#include \"by.h\"\nint shift(int x) { return x + BY; }",
        {headers = {["by.h"] = "#include \"sign.h\"\n#define BY SIGN 3", ["sign.h"] = "#define SIGN -"}})
      local twice = context:compile("int twice(int x) { return FACTOR * x; }", {defines = {FACTOR = 2}})
      local library = context:link({shift, twice}, "-create-library")
      local main = context:compile("int shift(int x); int twice(int x); "
        .. "kernel void change(global int *x) { size_t i = get_global_id(0); x[i] = shift(twice(x[i])); }")
      context:link({main, library}):kernel "change" (queue, 20, nil, y)]]
    local folder, status, _, err = captured(text, "change")
    assert.equal(0, status, err)
    local call = call_of(folder)
    assert.equal(3, #call.sources)
    assert.equal("", call.link_options)
    assert.equal("kernel2.cl", call.sources[2].file)
    assert.equal("include2", call.sources[2].include)
    assert.matches("-D FACTOR=2", call.sources[3].options, 1, true)
    assert.equal("#define SIGN -", support.read(folder .. "/include2/sign.h"))
    assert.equal(7, require("clue.array").load(folder .. "/arg0.after.npy")[0])
    local out
    status, out, err = replay(folder)
    assert.equal(0, status, err)
    assert.matches("argument 0 'x' %(int%*%): as captured", out)
    support.write("#define SIGN +", folder .. "/include2/sign.h")
    status, out = replay(folder)
    assert.equal(1, status)
    assert.matches("20 of 20 elements differ, the first is [0]: 13 here, 7 captured", out, 1, true)
  end)

  it("includes headers that are strings", function()
    local folder, status, _, err = captured([[
      context:program("#include \"n.h\"\nkernel void put(global int *x) { x[0] = N; }",
        {headers = {["n.h"] = "#define N 8"}}):kernel "put" (queue, 1, nil, y)]], "put")
    assert.equal(0, status, err)
    assert.equal("#define N 8", support.read(folder .. "/include/n.h"))
    assert.equal(0, (replay(folder)))
  end)

  it("includes NULL pointers", function()
    local folder, status, _, err = captured([[
      local null = context:program "kernel void null(global int *y, global int *z) { y[0] = z == 0 ? 11 : 22; }"
      null:kernel "null" (queue, 1, nil, y, cl.null)]], "null")
    assert.equal(0, status, err)
    assert.same({name = "z", type = "int*", kind = "null"}, call_of(folder).arguments[2])
    assert.equal(0, (replay(folder)))
  end)

  it("includes images and samplers, as in the blur example #once", function()
    local folder = support.temporary()
    support.ended(0, support.run {"trace", "-o", support.temporary(), "--capture", "blur:2", "--capture-folder",
      folder, "scripts/examples/blur.lua", "--output", support.temporary ".png"})
    local before = require("clue.array").load(folder .. "/arg0.before.npy")
    assert.equal("uchar", before:type())
    assert.equal(320 * 200, before:rows())
    assert.equal(4, before:columns())
    local out = support.ended(0, replay(folder, pocl))
    assert.matches("argument 0 'from' %(image2d_t%): as captured", out)
    assert.matches("argument 1 'to' %(image2d_t%): as captured", out)
    -- replay.lua notices a changed pixel, and every pixel into which the blur carries it.
    before[4 * (100 * 320 + 50)] = 255 - before[4 * (100 * 320 + 50)]
    before:save(folder .. "/arg0.before.npy")
    out = support.ended(1, replay(folder, pocl))
    assert.matches("argument 0 'from' (image2d_t): 1 of 256000 elements differ, the first is [128200]", out, 1, true)
    assert.matches("argument 1 'to' (image2d_t): 49 of 256000 elements differ", out, 1, true)
    before[4 * (100 * 320 + 50)] = 255 - before[4 * (100 * 320 + 50)]
    before:save(folder .. "/arg0.before.npy")
    -- It also notices a changed sampler.
    local text = support.read(folder .. "/call.lua")
    support.write((text:gsub("addressing = 0x1131", "addressing = 0x1132")), folder .. "/call.lua")
    out = support.ended(1, replay(folder, pocl))
    assert.matches("argument 0 'from' (image2d_t): as captured", out, 1, true)
    assert.matches("argument 1 'to' %(image2d_t%): %d+ of 256000 elements differ, the first is %[2%]", out)
  end)

  local IMAGES = [[
    local lines = context:program([=[
      kernel void gather(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_array_t c,
                      read_only image3d_t d, write_only image2d_t e, global float4 *out) {
        const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
        int i = get_global_id(0);
        out[i] = read_imagef(a, s, i) + read_imagef(b, s, (int2)(i, 1)) + read_imagef(c, s, (int4)(i, 1, 2, 0))
          + read_imagef(d, s, (int4)(i, 2, 1, 0));
        write_imagei(e, (int2)(i, 1), (int4)(i, -i, 7, 9));
      }]=])
    local function filled(wanted, channels)
      wanted.order, wanted.channel, wanted.width = "rgba", wanted.channel or "float", 4
      local image = context:image(wanted)
      local type_name, bytes = wanted.channel == "float" and "float" or "short", wanted.channel == "float" and 4 or 2
      queue:write_image(image, cl.array[type_name](image.size / bytes):random(0, 100, image.size))
      return image
    end
    local out = context:buffer(64)
    lines:kernel "gather" (queue, 4, nil, filled {}, filled {array_size = 2}, filled {height = 2, array_size = 3},
      filled {height = 3, depth = 2}, filled {height = 2, channel = "signed_int16", flags = HOST}, out)]]

  local TITLES = {"'a' %(image1d_t%)", "'b' %(image1d_array_t%)", "'c' %(image2d_array_t%)", "'d' %(image3d_t%)",
    "'e' %(image2d_t%)", "'out' %(float4%*%)"}

  for _, platform in ipairs(support.sanitized and {"oclgrind"} or {"pocl", "oclgrind", "rusticl"}) do
    it("includes images of every kind: " .. platform, function()
      local env = support.drivers(platform)
      local folder, status, _, err = captured((IMAGES:gsub("HOST", "nil")), "gather", env)
      assert.equal(0, status, err)
      local e = require("clue.array").load(folder .. "/arg4.after.npy")
      assert.equal("short", e:type())
      assert.equal(8, e:rows())
      assert.same({3, -3, 7, 9}, {e:get(7, 0), e:get(7, 1), e:get(7, 2), e:get(7, 3)})
      local out
      status, out, err = replay(folder, env)
      assert.equal(0, status, err)
      for i, title in ipairs(TITLES) do assert.matches("argument " .. i - 1 .. " " .. title .. ": as captured", out) end
      -- A changed pixel is noticed in each kind of image.
      for i = 0, 3 do
        local path = ("%s/arg%d.before.npy"):format(folder, i)
        local before = require("clue.array").load(path)
        local at = #before - 8 -- the third pixel of the last line
        before[at] = before[at] + 1
        before:save(path)
        status, out = replay(folder, env)
        assert.equal(1, status)
        assert.matches(("argument %d %s: 1 of %d elements differ, the first is %%[%d%%]"):format(i, TITLES[i + 1],
          #before, at), out)
        before[at] = before[at] - 1
        before:save(path)
      end
    end)
  end

  it("includes images that the host must not read", function()
    local folder, status, _, err = captured((IMAGES:gsub("HOST", '"host_write_only"')), "gather")
    assert.equal(0, status, err)
    assert.equal(-3, require("clue.array").load(folder .. "/arg4.after.npy"):get(7, 1))
    assert.equal(0, (replay(folder)))
  end)

  it("keeps memory that arguments share once, and shares it again when repeated", function()
    local text = [[
      local whole = context:buffer(cl.array.int(256):fill(1))
      local low, high = whole:sub_buffer {size = 512}, whole:sub_buffer {offset = 512, flags = "read_only"}
      local line = context:image {buffer = whole, width = 64, order = "rgba", channel = "signed_int32"}
      context:program([=[
        kernel void add(global int *low, global const int *high, read_only image1d_buffer_t line, global int *whole) {
          int i = get_global_id(0);
          low[i] += high[i] + read_imagei(line, 63).w;
          if (i == 126) whole[254] = 77; // which no other item reads
        }]=]):kernel "add" (queue, 128, nil, low, high, line, whole)]]
    local folder, status, _, err = captured(text, "add")
    assert.equal(0, status, err)
    for i = 2, 4 do assert.equal(0, call_of(folder).arguments[i].contents_of) end
    local after = require("clue.array").load(folder .. "/arg0.after.npy")
    assert.equal(256, #after)
    assert.same({3, 1, 77}, {after[0], after[128], after[254]})
    local out
    status, out, err = replay(folder)
    assert.equal(0, status, err)
    assert.matches("argument 0 'low' (int*): as captured", out, 1, true)
    local before = require("clue.array").load(folder .. "/arg0.before.npy")
    before[255] = 5 -- the last pixel of the image, and the last element of high
    before:save(folder .. "/arg0.before.npy")
    status, out = replay(folder)
    assert.equal(1, status)
    assert.matches("129 of 256 elements differ, the first is [0]: 7 here, 3 captured", out, 1, true)
  end)

  it("is refused if it waits for a user event, directly or through other events", function()
    for _, way in ipairs {"gate", "second:after(gate):fill_buffer(y, cl.int(3))"} do
      local folder, status, out, err = captured(([[
        local second, gate = context:queue(), context:user_event()
        queue = queue:after(%s)
        call(1)
        print "done"
        gate:complete()]]):format(way), "blend", pocl)
      assert.equal(1, status)
      assert.equal("done\n", out)
      assert.matches("it waits for a user event that is not set yet", err, 1, true)
      assert.is_nil(require("lfs").attributes(folder, "mode"))
    end
  end)

  it("is refused if it uses shared virtual memory as an argument or through pointers", function()
    local told = {
      ["blend:set_arg(5, context:svm(80))"] =
        "its argument 5 'y' is svm: only buffers, images, samplers, values and local memory are captured",
      ["blend:set_svm_pointers(context:svm(16))"] =
        "it follows pointers into shared virtual memory, which are meaningless in another run",
    }
    for change, words in pairs(told) do
      local folder, status, out, err = captured(([[
        call(1):wait()
        %s
        queue:ndrange_kernel(blend, 12, 4):wait()
        print "done"]]):format(change), "blend:2", pocl)
      assert.equal(1, status)
      assert.equal("done\n", out)
      assert.matches(words, err, 1, true)
      assert.is_nil(support.read(folder .. "/call.lua"))
    end
  end)

  it("is refused if the option does not name a call", function()
    for _, which in ipairs {"blend:0", "blend:", ":1", "a b:1", "blend:x"} do
      local _, err = support.ended(2, support.run {"trace", "--capture", which, "x.lua"})
      assert.matches("--capture: '" .. which .. "' must be a kernel's name, or NAME:N for its N-th call", err, 1,
        true)
    end
  end)
end)

describe("cl.capture", function()
  local function run(text)
    local folder = support.temporary()
    local status, out, err = support.run_script((SCRIPT:gsub("FLAGS", '"read_write"')) .. text:gsub("FOLDER", folder),
      nil, oclgrind)
    return folder, status, out, err
  end

  it("keeps the next call or the n-th", function()
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

  it("records the last value of each argument, including those set earlier", function()
    local folder, status, _, err = run [[
      call(1)
      blend:set_arg(2, 9)
      blend:set_arg(2, 4)
      pcall(blend.set_arg, blend, 2, "seven")
      cl.capture(blend, "FOLDER")
      queue:ndrange_kernel(blend, 12, 4)
      queue:finish()]]
    assert.equal(0, status, err)
    assert.equal("\0\0\128\64", call_of(folder).arguments[3].bytes) -- 4.0
    assert.equal(0, (replay(folder)))
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
    assert.matches("false\tcl.capture: kernel must be a kernel or its name, got nil\n"
      .. "false\tcl.capture: folder must be the path of a folder, got nil\n"
      .. "false\tcl.capture: call must be a whole number of 1 or more, got 0\n"
      .. "false\tcl.capture: call must be a whole number of 1 or more, got 1.5\n", out, 1, true)
    assert.matches("the kernel's name is empty", out, 1, true)
    assert.matches("the folder '/nowhere/x' cannot be made: No such file or directory", out, 1, true)
  end)

  -- Folders of captured calls are sent around.
  it("is data: nothing in its folder but replay.lua can become code, and nothing outside it is read", function()
    local folder = captured("call(1)", "blend")
    local text, mark = support.read(folder .. "/call.lua"), support.temporary()
    local ways = {{"replay", folder .. "/replay.lua"},
                  {"tune", "tune", "--capture", folder, support.write "return {tune_params = {A = {1}}}"}}
    if not support.sanitized then ways[3] = {"check", "check", folder} end -- which that build is without
    local function refused(changed, why)
      support.write(changed, folder .. "/call.lua")
      for _, words in ipairs(ways) do
        local status, out, err = support.run({unpack(words, 2)})
        assert.not_equal(0, status, words[1])
        assert.matches(why, out .. err, 1, true)
        assert.is_nil(support.read(mark), words[1])
      end
    end
    local evil = ("io.open(%q, 'w'):write 'x':close()"):format(mark)
    refused(evil .. "\n" .. text, "call.lua: line 1: return {, not 'io.open'")
    refused(text:gsub("return {", "return {x = " .. evil:gsub("%%", "%%%%") .. ","),
      "call.lua: line 2: a text in double")
    refused(text:gsub('file = "kernel.cl"', 'file = "../../etc/passwd"'), "call.lua: it is not as clue writes it")
    refused(text:gsub('file = "kernel.cl"', 'include = "/etc", %0'), "call.lua: it is not as clue writes it")
  end)
end)
