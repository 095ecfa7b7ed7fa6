-- The cache of built programs, as scripts see it: from one run to the next.
-- suite: whole
-- builds: luajit asan
-- cost: 15
local dir = require "pl.dir"
local failing = require "failing"
local lfs = require "lfs"
local support = require "support"

local script = support.write [[
local cl = require "clue"
local context = cl.context()
local queue, x = context:queue(), context:buffer(cl.array.float {1, 2, 3, 4})
local file = assert(io.open(arg[1], "rb"))
local program = context:program(file:read "*a", arg[2])
program:kernel "scale"(queue, 4, 4, x, cl.float(3))
local read = cl.array.float(4)
queue:read_buffer(x, read)
print(program.cached, ("%g"):format(read[3]), program.log:find "look here" ~= nil,
  ("%g"):format(program:kernel "scale".compile_work_group_size[1]))
]]

local source = [[
#warning "look here"
typedef float number;
kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void scale(global number *x, number by) { x[get_global_id(0)] *= by; }
]]

local cache, path

-- The settings of drivers are a part of the key, so every run that is to find an entry has the same.
local function environment()
  return support.uncached {CLUE_NO_CACHE = false, CLUE_CACHE_DIR = cache}
end

local function run(options, more)
  local env = support.with(environment(), more)
  local out = support.ended(0, support.run({"--quiet", script, path, options or ""}, support.drivers("pocl", env)))
  return support.flat(out)
end

local function entries(ending)
  return lfs.attributes(cache) and dir.getallfiles(cache, "*" .. ending) or {}
end

-- Runs the script until the cache has an entry. One kernel's binary takes PoCL 0.1 s, as clue reckons.
local function run_until_kept(env)
  for _ = 1, 11 do
    assert.equal("false 12 true 4 ", run(nil, env))
    if #entries ".program" == 1 then return end
  end
  error "no entry was made"
end

describe("a program that was built several times", function()
  before_each(function()
    cache = support.temporary()
    path = support.write(source, support.temporary ".cl")
  end)

  it("comes from the cache, with its log, its arguments' types and its attributes #once", function()
    assert.equal("false 12 true 4 ", run())
    assert.same({0, 1}, {#entries ".program", #entries ".builds"})
    run_until_kept()
    assert.same({1, 0}, {#entries ".program", #entries ".builds"})
    assert.equal("true 12 true 4 ", run())
  end)

  it("is built again if its source, its options or the device's settings change #once", function()
    run_until_kept()
    assert.matches("^true ", run())
    assert.matches("^false ", run "-cl-mad-enable")
    assert.matches("^false ", run(nil, {CLUE_BUILD_OPTIONS = "-D X"}))
    assert.matches("^false ", run(nil, {POCL_MAX_WORK_GROUP_SIZE = "512"}))
    support.write(source .. "// a comment\n", path)
    assert.matches("^false ", run())
    support.write(source, path)
    assert.matches("^true ", run())
  end)

  it("is built again if a header changes #once", function()
    local header = support.write("#define BY 1\n", support.temporary ".h")
    support.write((source:gsub("%*= by", "*= by * BY"):gsub("^", ('#include "%s"\n'):format(header))), path)
    run_until_kept()
    assert.equal("true 12 true 4 ", run())
    support.write("#define BY 2\n", header)
    assert.equal("false 24 true 4 ", run())
  end)

  it("is compiled and not kept with CLUE_NO_CACHE #once", function()
    for _ = 1, 3 do assert.equal("false 12 true 4 ", run(nil, {CLUE_NO_CACHE = "1"})) end
    assert.same({}, entries "")
  end)

  it("is compiled if the cache's folder cannot be written #once", function()
    cache = "/proc/no/such/folder"
    for _ = 1, 3 do assert.equal("false 12 true 4 ", run()) end
    cache = support.temporary()
  end)

  it("is compiled again if its entry was cut or changed, without a crash of PoCL #once", function()
    run_until_kept()
    local entry = entries ".program"[1]
    local whole = assert(support.read(entry))
    local function changed(at)
      return whole:sub(1, at - 1) .. string.char((whole:byte(at) + 1) % 256) .. whole:sub(at + 1)
    end
    for _, bytes in ipairs {whole:sub(1, -100), changed(1001), changed(math.floor(#whole / 2)), changed(#whole), "",
                            "clue program 1\n"} do
      support.write(bytes, entry)
      assert.equal("false 12 true 4 ", run())
      assert.is_true(support.read(entry) ~= bytes) -- removed or replaced
    end
  end)

  it("comes from XDG_CACHE_HOME if CLUE_CACHE_DIR is not set #once", function()
    local env = {CLUE_CACHE_DIR = false, XDG_CACHE_HOME = cache}
    run_until_kept(env)
    assert.equal("true 12 true 4 ", run(nil, env))
    assert.matches("^" .. cache:gsub("%p", "%%%0") .. "/clue/programs/%x+%.program$", entries ".program"[1])
  end)

  it("works or fails with an error, and leaves nothing behind, if an OpenCL call fails", function()
    run_until_kept()
    local entry = entries ".program"[1]
    local whole = assert(support.read(entry))
    local before = support.write(support.read(script):match "^(.-)local file")
    for _, class in ipairs {"act", "ask"} do
      local function run_failing(words, n)
        support.write(whole, entry)
        return failing.run({words = words, driver = "pocl", class = class, env = environment()}, n)
      end
      -- fault_injection_spec has the calls before a program.
      local first, compiled = run_failing({"--quiet", before}, 0).report.calls - 1, 0
      local n, made = first
      repeat
        n = n + 1
        made = run_failing({"--quiet", script, path, ""}, n)
        if made.status == 0 then
          assert.matches("^%a+\t12\ttrue\t", made.out, made.title)
          if made.out:find "^false" then compiled = compiled + 1 end
        else
          assert.same({1, ""}, {made.status, made.out}, made.title)
        end
        failing.assert_nothing_left(made)
      until made.report.failed == "-"
      assert.is_true(n - first > 5 and compiled >= 1, ("%s: %d calls, %d times compiled"):format(class, n, compiled))
    end
  end)
end)

describe("programs of one text in one process", function()
  local sharing = [[
    local cl = require "clue"
    local context = cl.context()
    local text = "kernel void add(global int *x, int by) { x[get_global_id(0)] += by; }"
    local first, second = context:program(text), context:program(text)
    local other = context:program(text, {defines = {X = 1}})
    print(first.cached, second.cached, other.cached, first.handle ~= second.handle)
    local queue, x = context:queue(), context:buffer(cl.array.int {1, 2, 3})
    local one, two = first:kernel "add", second:kernel "add"
    one:set_args(x, 10)
    two:set_args(x, 100)
    queue:ndrange_kernel(one, 3)
    first:close()
    queue:ndrange_kernel(two, 3)
    local sums = cl.array.int(3)
    queue:read_buffer(x, sums)
    print(table.concat(sums:table(), " "))
  ]]

  for _, binding in ipairs(rawget(_G, "jit") and {"ffi", "capi"} or {"capi"}) do
    for _, driver in ipairs {"pocl", "oclgrind", "rusticl"} do
      local once = (driver ~= "pocl" or binding == "ffi") and " #once" or "" -- the sanitizers look at one of each
      it(("share a build on %s over %s, and are programs of their own%s"):format(driver, binding, once), function()
        local env = support.drivers(driver, {CLUE_BINDING = binding, CLUE_NO_CACHE = false,
                                             CLUE_CACHE_DIR = support.temporary()})
        local out = support.ended(0, support.run_script(sharing, nil, env))
        assert.equal("false\ttrue\tfalse\ttrue\n111 112 113\n", out)
      end)
    end
  end

  it("share a build in a context of several devices", function()
    local out = support.ended(0, support.run_script([[
      local cl = require "clue"
      local context = cl.context {0, 1}
      local text = "kernel void f(global int *x) { x[0] = 7; }"
      local function cached() return context:program(text).cached end
      local first = context:program(text)
      print(#context.devices, first.cached, cached())
    ]], nil, support.drivers("pocl", {POCL_DEVICES = "pthread pthread", CLUE_NO_CACHE = false,
                                                  CLUE_CACHE_DIR = support.temporary()})))
    assert.equal("2\tfalse\ttrue\n", out)
  end)
end)
