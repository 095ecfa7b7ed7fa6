-- The binding: how it is chosen, its functions, and the arguments that it refuses before C sees them.
-- suite: quick
-- process: shared bindings lua51
-- drivers: pocl

local array = require "clue.array"
local binding = require "clue.binding"
local driver = require "driver"
local support = require "support"

local unpack = rawget(table, "unpack") or rawget(_G, "unpack")

local function run(code, env)
  return support.run({"-e", code}, env)
end

describe("the choice of a binding", function()
  local compiler = rawget(_G, "jit") -- of this process; in most runs clue embeds the same interpreter

  local function chosen(options, env)
    options[#options + 1] = "-e"
    options[#options + 1] = "print(require('clue.binding').name)"
    local _, out, err = support.run(options, env)
    return out .. err
  end

  it("falls on ffi if LuaJIT's compiler is on, else on the C API #once", function()
    local on_luajit = select(2, run("print(jit ~= nil)")) == "true\n"
    assert.equal(on_luajit and "ffi\n" or "capi\n", chosen({}, {CLUE_BINDING = ""}))
    if on_luajit then assert.equal("capi\n", chosen({"-joff"}, {CLUE_BINDING = ""})) end
  end)

  it("follows CLUE_BINDING #once", function()
    assert.equal("capi\n", chosen({}, {CLUE_BINDING = "capi"}))
    if select(2, run("print(jit ~= nil)")) == "true\n" then
      assert.equal("ffi\n", chosen({}, {CLUE_BINDING = "ffi"}))
      assert.equal("ffi\n", chosen({"-joff"}, {CLUE_BINDING = "ffi"}))
    else
      assert.matches("CLUE_BINDING=ffi: Lua 5.%d has no FFI library", chosen({}, {CLUE_BINDING = "ffi"}))
    end
  end)

  it("applies to this process too", function()
    local wanted = os.getenv("CLUE_BINDING") or ""
    if wanted == "" then wanted = compiler and compiler.status() and "ffi" or "capi" end
    assert.equal(wanted, binding.name)
  end)

  it("refuses an unknown name #once", function()
    local _, err = support.ended(1, run("require 'clue.binding'", {CLUE_BINDING = "nonsense"}))
    assert.matches("^clue: CLUE_BINDING=nonsense: there is no such binding: set ffi or capi", err)
  end)

  it("names a missing module #once", function()
    local _, err = support.ended(1, run("package.cpath = '' require 'clue.binding'", {CLUE_BINDING = "capi"}))
    assert.matches("needs the binding clue%.capi%.lua5%d, which does not load", err)
  end)

  it("refuses a library of another ABI #once", function()
    local sanitizer = (os.getenv("ASAN_OPTIONS") or "") .. ":verify_asan_link_order=0" -- permits LD_PRELOAD
    for _, wanted in ipairs {"", "capi"} do
      local _, err = support.ended(1, run("require 'clue.binding'", {CLUE_BINDING = wanted, ASAN_OPTIONS = sanitizer,
        LD_PRELOAD = support.built "layer/other_abi.so"}))
      assert.matches("libclue has ABI %-1, but these Lua modules need %d+: they come from different versions", err)
    end
  end)
end)

describe("the binding", function()
  it("loads without loading a driver #once", function()
    local out = support.ended(0, run([[
      require "clue"
      for line in io.lines("/proc/self/maps") do
        if line:find("pocl", 1, true) or line:find("LLVM", 1, true) then print(line) end
      end
    ]]))
    assert.equal("", out)
  end)

  it("loads again after a test runner has unloaded the modules #once", function()
    local out = support.ended(0, run([[
      local first = require("clue.array").int { 1, 2 }
      for name in pairs(package.loaded) do
        if name:find("^clue") then package.loaded[name] = nil end
      end
      local array = require "clue.array"
      print(array.float({ 3, 4 }):compare(array.float { 3, 4 }), array.int({ 5 }):type(), first[1])
    ]]))
    assert.equal("nil\tint\t2\n", out)
  end)

  it("keeps user events after a test runner has unloaded the modules #once", function()
    local status, out, err = run([[
      local cl = require "clue"
      local start = cl.context():user_event()
      for name in pairs(package.loaded) do
        if name:find("^clue") then package.loaded[name] = nil end
      end
      require "clue"
      for _ = 1, 3 do collectgarbage() end
      print(start:complete().status)
    ]])
    assert.equal("complete\n", out, err)
    assert.equal(0, status)
  end)

  it("names OpenCL's codes", function()
    assert.equal("CL_INVALID_VALUE", binding.error_name(-30))
    assert.equal("CL_SUCCESS", binding.error_name(0))
    assert.is_nil(binding.error_name(-9998))
  end)

  it("keeps the last failure until it is cleared", function()
    binding.error_clear()
    assert.is_nil(binding.error())
    assert.is_nil(binding.kernel_wait(70000))
    local failure = binding.error()
    assert.equal("handle", failure.cause)
    assert.equal(binding.error_name(failure.code), failure.name)
    assert.matches("70000", failure.text, 1, true)
    assert.equal("", failure.log)
    binding.error_clear()
    assert.is_nil(binding.error())
  end)

  it("recognises numbers that are not handles", function()
    for _, number in ipairs {0, 1, -1, 65535, 65536, 2 ^ 31 - 1, -2 ^ 31} do
      assert.is_nil(binding.handle_kind(number))
      assert.is_nil(binding.handle_free(number))
    end
  end)

  it("refuses arguments that C would misread, in Lua's words", function()
    local function message(...) return select(2, pcall(...)) end
    assert.matches("bad argument #1 to 'kernel_wait' %(number expected, got no value%)",
      message(binding.kernel_wait))
    assert.matches("bad argument #1 to 'kernel_wait' %(number expected, got string%)",
      message(binding.kernel_wait, "1"))
    assert.matches("%(1.5 is not a whole number of 32 bits%)", message(binding.kernel_wait, 1.5))
    assert.matches("%(4295032832 is not a whole number of 32 bits%)", message(binding.kernel_wait, 2 ^ 32 + 65536))
    assert.matches("%(nan is not a whole number", message(binding.kernel_wait, 0 / 0))
    assert.matches("bad argument #2 to 'kernel_create' %(string contains zeros%)",
      message(binding.kernel_create, 1, "a\0b"))
    assert.matches("bad argument #2 to 'program_create' %(string expected, got table%)",
      message(binding.program_create, 1, {}))
    assert.matches("bad argument #2 to 'handle_free' %(no kind of handle is called window%)",
      message(binding.handle_free, 1, "window"))
    assert.matches("bad argument #3 to 'buffer_write' %(array expected, got table%)",
      message(binding.buffer_write, 1, 0, {1}, 0, 1))
  end)

  it("refuses wrong arguments of every kind", function()
    local code, bytes, numbers, other = binding.type_codes.float, array.uchar(8), array.float(4), array.int(4)
    local cases = {
      {"array_create", 1, "number expected, got string", "5", 1},
      {"array_create", 1, "no type has code 70000", 70000, 1},
      {"array_create", 2, "count below 0", code, -1},
      {"array_resize", 2, "count below 0", numbers, -1},
      {"array_compare", 2, "array of the same type expected", numbers, other, 1, 0},
      {"array_set_bytes", 3, "3 bytes are not elements of 4 bytes each", numbers, 0, "abc"},
      {"array_transpose", 2, "another array of the same type expected", numbers, other, 2, 2},
      {"array_transpose", 2, "another array of the same type expected", numbers, numbers, 2, 2},
      {"array_transpose", 3, "3 x 2 is not the size of arrays of 4 and 4", numbers, array.float(4), 3, 2},
      {"array_fill", 3, "0.5 is not a whole number of 64 bits", numbers, 0, 0.5, 1},
      {"array_fill", 4, "0.5 is not a whole number of 64 bits", numbers, 0, 0, 0.5},
      {"cell_load", 1, "array expected, got number", 1, 0, code},
      {"cell_load", 2, "0.5 is not a whole number of 64 bits", bytes, 0.5, code},
      {"cell_load", 3, "number expected, got no value", bytes, 0},
      {"cell_load", 1, "array of uchar expected", numbers, 0, code},
      {"cell_store", 3, "no type has code 70000", bytes, 0, 70000, 1},
      {"svm_view", 2, "0.5 is not a whole number of 32 bits", 1, 0.5, 0, 1},
      {"svm_view", 2, "no type has code 70000", 1, 70000, 0, 1},
      {"svm_view", 3, "number expected, got string", 1, code, "0", 1},
      {"svm_view", 4, "0.5 is not a whole number of 64 bits", 1, code, 0, 0.5},
      {"svm_view", 3, "2 is not a multiple of the 4 bytes of an element", 1, code, 2, 1},
      {"queue_map_image", 4, "no type has code 70000", 1, 1, 1, 70000, nil, {1, 1, 1}},
      {"queue_unmap", 2, "the array is not mapped", 1, numbers},
      {"context_create", 1, "table expected, got number", 0},
      {"context_create", 1, "0.5 is not a whole number of 32 bits", {0, 0.5}},
      {"program_compile", 4, "table expected, got string", 1, "", nil, "a.h"},
      {"program_compile", 4, "names and texts in pairs expected, got 1 strings", 1, "", nil, {"a.h"}},
      {"program_compile", 4, "string expected, got boolean", 1, "", nil, {"a.h", true}},
      {"queue_fill_image", 3, "number expected, got no value", 1, 1, {1, 2, 3}, nil, {1, 1, 1}},
    }
    for _, case in ipairs(cases) do
      local call, position, problem = case[1], case[2], case[3]
      local _, text = pcall(binding[call], unpack(case, 4, 9))
      assert.equal(("bad argument #%d to '%s' (%s)"):format(position, call, problem), text)
    end
    local _, beyond = pcall(binding.cell_load, bytes, 5, code) -- in the words of clue.argument
    assert.matches("this memory was given back, since its array was made shorter", tostring(beyond))
  end)

  it("refuses an integer that a double would round", function()
    local most = rawget(math, "maxinteger")
    if not most then pending "this Lua has no integers beside its doubles" end
    local function message(...) return select(2, pcall(...)) end
    assert.matches("bad argument #4 to 'kernel_set_number' %(a double cannot hold 9223372036854775807 exactly%)",
      message(binding.kernel_set_number, 65536, 0, 0, most))
    assert.matches("bad argument #1 to 'sleep'", message(binding.sleep, most))
    local least = math.floor(-2 ^ 53) -- a size that is still exact
    assert.is_nil(binding.kernel_set_local(65536, 0, least))
    assert.matches("is not a whole number of 64 bits", message(binding.kernel_set_local, 65536, 0, least - 1))
  end)

  it("makes no array before the array types exist #once", function()
    assert.equal("false\n", select(2, run("print((pcall(require('clue.binding').array_create, 5, 1)))")))
  end)

  it("names the caller's line, however deep the check is", function()
    local function message(member, ...)
      local given = {...}
      local done, text = pcall(function()
        local result = member(given[1], given[2], given[3], given[4])
        return result
      end)
      assert.is_false(done)
      return text
    end
    local here = "^[^:]*binding_spec%.lua:%d+: bad argument #"
    assert.matches(here, message(binding.kernel_wait, "1"))
    assert.matches(here, message(binding.kernel_execute, 1, 1, nil, {"8"}))
    assert.matches(here, message(binding.kernel_execute, 1, 1, nil, array.long {"9007199254740993"}))
    assert.matches(here, message(binding.child_start, {arguments = 1}))
  end)

  it("refuses to transfer elements beyond the array's ends", function()
    local a = array.float(10)
    for _, range in ipairs {{0, 11}, {10, 1}, {-1, 1}, {0, -1}} do
      assert.error_matches(function() binding.buffer_write(1, 0, a, range[1], range[2]) end,
        "are not all in an array of 10")
      assert.error_matches(function() binding.buffer_read(1, 0, a, range[1], range[2]) end,
        "are not all in an array of 10")
    end
  end)

  it("refuses missing and fractional sizes of an execution", function()
    local function execute(...) return pcall(binding.kernel_execute, 65536, ...) end
    assert.matches("bad argument #4 .*2 sizes expected, got 1", select(2, execute(2, nil, {8})))
    assert.matches("bad argument #2 .*number expected, got no value", select(2, execute()))
    assert.matches("bad argument #4 .*table expected, got no value", select(2, execute(2)))
    assert.matches("1.5 is not a whole number of 64 bits", select(2, execute(1, nil, {1.5})))
    assert.matches("bad argument #5 .*table expected, got number", select(2, execute(2, nil, {8, 8}, 4)))
    assert.matches("bad argument #4 .*1.5 is not a whole number of 64 bits", select(2, execute(1, nil, 1.5)))
    assert.same({true, nil}, {execute(1, nil, array.uint {8})})
    assert.same({true, nil}, {execute(1, 0, 8, 4)})
  end)
end)

describe("OpenCL through the binding", function()
  local source = [[
    __kernel void scale(__global float *x, const float by, __local float *scratch)
    {
        scratch[get_local_id(0)] = by;
        x[get_global_id(0)] *= scratch[get_local_id(0)];
    }
    __kernel void nothing(void) {}
  ]]
  local context, kept, handles

  setup(function()
    kept = assert(binding.context_create {0}) -- without any context, PoCL forgets its library of functions
    handles = require("handles").from_here()
  end)

  teardown(function() binding.handle_free(kept) end)

  before_each(function() context = assert(binding.context_create {0}) end)

  after_each(function()
    handles.free()
    assert.equal(0, handles.count())
  end)

  it("builds and runs a kernel, and reads its results back", function()
    local program = assert(binding.program_create(context, source, "-w"))
    assert.is_string(binding.program_log(program))
    assert.matches("scale", binding.program_kernels(program), 1, true)
    local kernel = assert(binding.kernel_create(program, "scale"))
    assert.equal(3, binding.kernel_argument_count(kernel))
    local nameless = driver.of(require("clue.device").get(0)).tells_no_names_beside_empty
    assert.same(nameless and {"", ""} or {"by", "float"}, {binding.kernel_argument(kernel, 1)})
    local x = array.float {1, 2, 3, 4, 5, 6}
    local buffer = assert(binding.buffer_create(context, 16, 1))
    assert.equal(16, binding.memory_size(buffer))
    assert.is_true(binding.buffer_write(buffer, 0, x, 1, 4))
    assert.is_true(binding.kernel_set_object(kernel, 0, buffer))
    assert.is_true(binding.kernel_set_number(kernel, 1, nameless and binding.type_codes.float or 0, 10))
    assert.is_true(binding.kernel_set_local(kernel, 2, 8))
    local before = binding.kernel_newest()
    assert.is_true(binding.profile_start())
    assert.is_true(binding.kernel_execute(kernel, 1, nil, {4}, {2}))
    assert.is_true(binding.kernel_execute(kernel, 1, array.long {2}, array.uint {2}))
    assert.is_true(binding.kernel_wait(kernel))
    assert.equal(0, binding.kernel_status(kernel))
    assert.same({before + 2, kernel, "scale"}, {binding.kernel_newest()})
    local total, clock, executions = binding.profile_stop()
    local seconds, same_clock = binding.kernel_time(kernel)
    assert.equal(2, executions)
    assert.is_true(seconds >= 0 and seconds <= total and total < 10)
    assert.equal(clock, same_clock)
    assert.is_true(clock == "device" or clock == "host")
    local y = array.float(6):fill(-1)
    assert.is_true(binding.buffer_read(buffer, 0, y, 2, 4))
    assert.same({-1, -1, 20, 30, 400, 500}, y:table())
    assert.is_true(binding.buffer_read(buffer, 8, y, 0, 1))
    assert.equal(400, y[0])
    assert.is_true(binding.context_finish(kernel))
    assert.equal(8, #binding.kernel_group_bytes(kernel, 0x11B0))
  end)

  it("leaves a mapped array its size", function()
    local queue, buffer = assert(binding.queue_create(context, 0, 0)), assert(binding.buffer_create(context, 16, 1))
    local mapped = assert(binding.queue_map(queue, buffer, 1, binding.type_codes.float, 0, 4))
    assert.error_matches(function() binding.array_resize(mapped, 5) end,
      "bad argument #1 to 'array_resize' %(an array in memory that is not its own keeps its size%)")
    assert.equal(4, #mapped)
    assert.is_true(binding.queue_unmap(queue, mapped))
  end)

  it("keeps the log of a failed build with the error", function()
    assert.is_nil(binding.program_create(context, "__kernel void f(void) { int x = undeclared; }"))
    local failure = binding.error()
    assert.equal("CL_BUILD_PROGRAM_FAILURE", failure.name)
    assert.matches("undeclared", failure.log, 1, true)
  end)

  it("knows the kinds of handles and lists them", function()
    local program = assert(binding.program_create(context, source))
    local buffer = assert(binding.buffer_create(context, 4, 1))
    local kinds, handle = {}, binding.handle_next(0)
    while handle do
      kinds[handle] = binding.handle_kind(handle)
      handle = binding.handle_next(handle)
    end
    assert.same({"buffer", "context", "program"}, {kinds[buffer], kinds[context], kinds[program]})
    assert.equal(3, handles.count())
    assert.is_nil(binding.handle_free(program, "buffer"))
    assert.equal("handle", binding.error().cause)
    assert.is_true(binding.handle_free(buffer, "buffer"))
    assert.is_nil(binding.handle_kind(buffer))
    assert.equal(0, binding.device_of(program))
  end)

  it("sets typed bytes exactly", function()
    local sum = "__kernel void put(__global long *x, const long value) { *x = value; }"
    local kernel = assert(binding.kernel_create(binding.program_create(context, sum), "put"))
    local buffer, x = binding.buffer_create(context, 8, 1), array.long(1)
    local value = require "clue.value"
    assert.is_true(binding.kernel_set_object(kernel, 0, buffer))
    assert.is_true(binding.kernel_set_bytes(kernel, 1, value.bytes(value.long("9007199254740993"))))
    assert.is_true(binding.kernel_execute(kernel, 1, nil, {1}))
    assert.is_true(binding.buffer_read(buffer, 0, x, 0, 1))
    assert.equal("9007199254740993", x:decimal(0))
  end)
end)

describe("a kernel's arguments, all at once", function()
  local meta = {}
  local context, kernel, buffer, kinds, held

  setup(function()
    context = assert(binding.context_create {0})
    local source = "kernel void f(global float *x, float y, local float *z) {}"
    local program = assert(binding.program_create(context, source))
    kernel = assert(binding.kernel_create(program, "f"))
    buffer = setmetatable({handle = assert(binding.buffer_create(context, 64, 1))}, meta)
  end)

  teardown(function() binding.handle_free(context) end)

  before_each(function()
    kinds, held = {[meta] = "buffer"}, {}
    binding.error_clear()
  end)

  local function set(...) return binding.kernel_set_arguments(kernel, ...) end

  it("are set, and held, up to the first that is neither a number nor an object", function()
    assert.same({2}, {set(0, kinds, held, buffer, 1.5)})
    assert.same({[0] = buffer, 1.5}, held)
    assert.same({2}, {set(1, kinds, held, 2.5, "local", 7)})
    assert.equal(2.5, held[1])
    assert.same({0}, {set(0, kinds, held)})
    assert.is_nil(binding.error())
  end)

  it("end before a table of another class, or a closed object", function()
    for _, other in ipairs {{}, setmetatable({handle = buffer.handle}, {}), setmetatable({}, meta), "x", true} do
      assert.same({0}, {set(0, kinds, held, other, 1)})
    end
    assert.same({0}, {set(0, kinds, held, nil, 1)})
    assert.same({}, held)
  end)

  it("may be refused: then the failure is recorded, with the index", function()
    assert.same({nil, 0}, {set(0, kinds, held, 5)})
    assert.matches("argument 0 'x' of kernel 'f' is a __global pointer", binding.error().text)
    assert.same({nil, 1}, {set(0, kinds, held, buffer, buffer)})
    assert.matches("argument 1 'y' of kernel 'f'", binding.error().text)
    assert.same({[0] = buffer}, held)
    assert.same({nil, 3}, {set(3, kinds, held, 1)})
    assert.matches("has no argument 3", binding.error().text)
  end)

  it("need a kernel, an index and two tables", function()
    assert.error_matches(function() binding.kernel_set_arguments() end,
      "bad argument #1 .*number expected, got no value")
    assert.error_matches(function() set(0.5, kinds, held) end, "bad argument #2 .*not a whole number")
    assert.error_matches(function() set(0, 1, held) end, "bad argument #3 .*table expected, got number")
    assert.error_matches(function() set(0, kinds) end, "bad argument #4 .*table expected, got no value")
  end)
end)

describe("launch_setup and buffer_setup", function()
  local objects = binding.object_setup({}, print)

  local function refuses(complaint, name, ...)
    local given = {n = select("#", ...), ...}
    assert.error_matches(function() binding[name](unpack(given, 1, given.n)) end, "bad argument " .. complaint)
  end

  it("need what object_setup made, a table of classes and a function", function()
    for _, name in ipairs {"launch_setup", "buffer_setup"} do
      refuses("#1 .*table expected, got no value", name)
      refuses("#1 .*functions of object_setup expected", name, {}, {}, print)
      refuses("#2 .*table expected, got no value", name, objects)
    end
    refuses("#2 .*a table with the table event expected", "launch_setup", objects, {queue = {}}, print)
    refuses("#2 .*a table with the table buffer expected", "buffer_setup", objects, {context = {}}, print)
    refuses("#3 .*function expected, got no value", "launch_setup", objects,
      {queue = {}, event = {}, taken = {}})
    refuses("#3 .*function expected, got table", "buffer_setup", objects, {context = {}, buffer = {}}, {})
  end)
end)

describe("the function that launch_setup makes", function()
  local queue_class, event_class, buffer_class = {}, {}, {}
  local context, queue, buffer, kernel, launch, objects

  setup(function()
    context = assert(binding.context_create {0})
    queue = setmetatable({handle = assert(binding.queue_create(context, 0)), waits = false}, queue_class)
    buffer = setmetatable({handle = assert(binding.buffer_create(context, 64, 1))}, buffer_class)
    local program = assert(binding.program_create(context, "kernel void f(global float *x, float y) {}"))
    kernel = {handle = assert(binding.kernel_create(program, "f")), usual = {2, {}, {0, 4}}}
    objects = binding.object_setup({}, print)
    local classes = {queue = queue_class, event = event_class, taken = {[buffer_class] = true}}
    launch = binding.launch_setup(objects, classes, function(stopped, reached, refused, ...)
      return {stopped, reached, refused, given = {...}, count = select("#", ...)}
    end)
  end)

  teardown(function()
    binding.queue_finish(queue.handle)
    binding.handle_free(context)
  end)

  before_each(function() buffer.elements, queue.waits = nil, false end)

  -- Where it stopped, of a call that it could not end.
  local function stop(...)
    local rest, count = launch(...), select("#", ...)
    assert.same({...}, rest.given)
    assert.equal(count, rest.count)
    return unpack(rest, 1, 3)
  end

  it("makes an event, and holds the arguments", function()
    local event = launch(kernel, queue, 4, nil, buffer, 1.5)
    assert.equal(event_class, getmetatable(event))
    assert.equal("event", binding.handle_kind(event.handle))
    assert.equal("kernel 'f'", binding.event_what(event.handle))
    assert.same({[0] = buffer, 1.5}, kernel.usual[2])
    assert.equal(event_class, getmetatable(launch(kernel, queue, {2, 2}, {1, 1})))
  end)

  it("counts the events since the last collection", function()
    collectgarbage()
    collectgarbage "stop"
    local before = objects.made[1]
    for _ = 1, 64 do launch(kernel, queue, 4, nil, buffer, 1.5) end
    local counted = objects.made[1] - before
    collectgarbage "restart"
    collectgarbage()
    assert.same({64, 0}, {counted, objects.made[1]})
  end)

  it("does nothing where something is not as usual", function()
    for _, global in ipairs {"4", 1.5, {}, {1, 2, 3, 4}, {1, "2"}, setmetatable({4}, {}), 2 ^ 53} do
      assert.is_nil((stop(kernel, queue, global, nil, buffer, 2)))
    end
    assert.is_nil((stop(kernel, queue, 4, {2, 2}, buffer, 2)))
    assert.is_nil((stop(kernel, queue, 4, nil, buffer)))
    assert.is_nil((stop({handle = kernel.handle}, queue, 4, nil, buffer, 2)))
    assert.is_nil((stop(kernel, {handle = queue.handle}, 4, nil, buffer, 2)))
    queue.waits = {}
    assert.is_nil((stop(kernel, queue, 4, nil, buffer, 2)))
    assert.equal(1.5, kernel.usual[2][1])
  end)

  it("stops at an argument that is not taken, is refused or does not fit, and at a refused launch", function()
    assert.same({"argument", 1}, {stop(kernel, queue, 4, nil, buffer, "y")})
    local stopped, reached, refused = stop(kernel, queue, 4, nil, 5, 1)
    assert.same({"argument", 0}, {stopped, refused})
    assert.is_nil(reached)
    assert.matches("argument 0 'x' of kernel 'f' is a __global pointer", binding.error().text)
    buffer.elements = binding.type_codes.double
    assert.same({"argument", 2}, {stop(kernel, queue, 4, nil, buffer, 1)})
    buffer.elements = binding.type_codes.float
    assert.equal("command", (stop(kernel, queue, 0, nil, buffer, 1)))
    assert.matches("clEnqueueNDRangeKernel", binding.error().text)
  end)
end)

describe("the function that buffer_setup makes", function()
  local context_class, buffer_class = {}, {}
  local context, new, objects

  setup(function()
    context = setmetatable({handle = assert(binding.context_create {0}), copies_sooner = true}, context_class)
    objects = binding.object_setup({[buffer_class] = "buffer"}, print)
    new = binding.buffer_setup(objects, {context = context_class, buffer = buffer_class}, function(...)
      return {...}
    end)
  end)

  teardown(function() binding.handle_free(context.handle) end)

  it("makes a buffer of a size, and of an array with its contents", function()
    local made = new(context, 64)
    assert.equal(buffer_class, getmetatable(made))
    assert.same({size = 64, context = context, elements = false, handle = made.handle}, made)
    assert.equal(64, binding.memory_size(made.handle))
    local copy, read = new(context, array.double {1, 2}), array.double(2)
    assert.same({size = 16, context = context, elements = binding.type_codes.double, handle = copy.handle}, copy)
    assert.is_true(binding.buffer_read(copy.handle, 0, read, 0, 2))
    assert.same({1, 2}, read:table())
    assert.equal(made, objects.owner(made.handle))
    assert.is_true(objects.close(made, "buffer"))
    assert.is_false(objects.close(made, "buffer"))
    assert.is_false(objects.owns(copy.handle + 1))
    assert.is_nil(binding.handle_kind(objects.owner(copy.handle) == copy and made.handle or 0))
  end)

  it("goes on elsewhere with flags, another size or context, and after a refusal", function()
    local other = setmetatable({handle = context.handle}, context_class)
    for _, given in ipairs {{context, 64, "read_only"}, {context, 1.5}, {context, -1}, {context, "64"},
                            {{handle = context.handle}, 64}, {context.handle, 64}, {other, array.float(1)}} do
      assert.same({false, unpack(given)}, new(unpack(given)))
    end
    assert.same({true, context, 0}, new(context, 0))
    assert.matches("clCreateBuffer", binding.error().text)
  end)
end)

describe("kernel_fits", function()
  local codes = binding.type_codes
  local float, double, bytes = {elements = codes.float}, {elements = codes.double}, {elements = codes.uchar}

  local function fits(pointers, held) return binding.kernel_fits {7, held, pointers} end

  it("compares the bytes of elements with those of each pointer", function()
    local pointers = {}
    for index = 0, 6 do pointers[2 * index + 1], pointers[2 * index + 2] = index, 4 end
    local held = {[0] = float, float, float, float, float, float, float}
    assert.is_true(fits(pointers, held))
    for index = 0, 6 do
      held[index] = double
      assert.is_false(fits(pointers, held))
      held[index] = float
    end
    assert.is_true(fits({0, 8}, {[0] = double}))
    assert.is_true(fits({}, {[0] = double}))
  end)

  it("takes a part's elements from its whole, and bytes and what is not known for any", function()
    assert.is_false(fits({0, 4}, {[0] = {parent = double}}))
    assert.is_true(fits({0, 4}, {[0] = {parent = double, elements = codes.float}}))
    for _, given in ipairs {bytes, {}, {elements = false}, {parent = {}}, 7} do
      assert.is_true(fits({0, 4}, {[0] = given}))
    end
    assert.is_true(fits({0, 4}, {}))
  end)
end)

it("handle_drop frees a handle, and says nothing of one that is not live", function()
  local context = assert(binding.context_create {0})
  binding.error_clear()
  binding.handle_drop(context)
  assert.is_nil(binding.handle_kind(context))
  for _, handle in ipairs {context, 7, 0, -1} do binding.handle_drop(handle) end
  assert.is_nil(binding.error())
end)

describe("an array's view", function()
  it("is the address, the number and the type of its elements", function()
    local a = array.float {1, 2, 3}
    local address, count, code = binding.array_view(a)
    assert.is_true(address > 0 and address % 4 == 0)
    assert.equal(3, count)
    assert.equal(binding.type_codes.float, code)
    assert.equal(address, (binding.array_view(a)))
    assert.equal(0, (binding.array_view(array.int(0))))
  end)

  it("is nil and the reason for anything else", function()
    for given, found in pairs {[1] = "number", text = "string", [print] = "function"} do
      assert.same({nil, "array expected, got " .. found}, {binding.array_view(given)})
    end
    assert.same({nil, "array expected, got no value"}, {binding.array_view()})
  end)
end)

describe("time and children", function()
  it("now advances by at least the time of a sleep", function()
    local start = binding.now()
    binding.sleep(0.02)
    local passed = binding.now() - start
    assert.is_true(passed >= 0.02 and passed < 5)
    binding.sleep(-1)
  end)

  it("counts the processors", function()
    local cores = binding.processor_count()
    assert.is_true(cores >= 1 and cores <= 256 and cores % 1 == 0)
  end)

  it("the terminal's width is nil if there is no terminal #once", function()
    local out = support.ended(0, run("print(require('clue.binding').terminal_width(1))"))
    assert.equal("nil\n", out)
  end)

  local function finish(child)
    local out, state = ""
    repeat
      state = binding.child_wait(child, 1)
      out = out .. binding.child_take(child, "out")
    until state ~= "running"
    return state, out
  end

  it("a child's output and status can be read", function()
    local child = binding.child_start {arguments = {"/bin/sh", "-c", "echo $CLUE_WORD; exit 7"},
      environment = {"CLUE_WORD=hello"}, seconds = 30}
    local state, out = finish(child)
    assert.equal("exited", state)
    assert.equal("hello\n", out)
    assert.equal(7, binding.child_value(child))
    binding.child_close(child)
  end)

  it("a child reads the text that it is sent", function()
    local child = binding.child_start {arguments = {"/bin/cat"}, input = true}
    assert.equal(6, binding.child_send(child, "hello\n"))
    assert.equal(0, binding.child_send(child, nil))
    local state, out = finish(child)
    assert.equal("exited", state)
    assert.equal("hello\n", out)
    assert.is_nil(binding.child_send(child, "more"))
    assert.matches("standard input is not open", binding.error().text, 1, true)
    binding.child_close(child)
    assert.error_matches(function() binding.child_send(child, 5) end, "string expected")
  end)

  it("a child's time limit can be lifted and set again", function()
    local child = binding.child_start {arguments = {"/bin/sleep", "60"}, seconds = 0.2}
    binding.child_limit(child, 0)
    assert.equal("running", binding.child_wait(child, 0.5))
    binding.child_limit(child, 0.05)
    assert.equal("timeout", (finish(child)))
    binding.child_close(child)
  end)

  it("a child is killed at its time limit and on request", function()
    local child = binding.child_start {arguments = {"/bin/sleep", "60"}, seconds = 0.05}
    assert.equal("timeout", (finish(child)))
    binding.child_close(child)
    child = binding.child_start {arguments = {"/bin/sleep", "60"}}
    assert.equal("running", binding.child_wait(child, 0))
    binding.child_kill(child)
    assert.equal("signalled", (finish(child)))
    assert.equal(9, binding.child_value(child))
    binding.child_close(child)
  end)

  it("a missing program is reported by name", function()
    binding.error_clear()
    local child = binding.child_start {arguments = {"/no/such/program"}}
    if child then
      local state = finish(child)
      assert.equal("exited", state)
      assert.not_equal(0, binding.child_value(child))
      binding.child_close(child)
    else
      assert.matches("/no/such/program", binding.error().text, 1, true)
    end
  end)

  it("a child needs a program, and arguments without zero bytes", function()
    assert.error_matches(function() binding.child_start {} end, "arguments must name a program")
    assert.error_matches(function() binding.child_start {arguments = {}} end, "arguments must name a program")
    assert.error_matches(function() binding.child_start {arguments = {"a\0b"}} end,
      "arguments%[1%] must be a string")
    assert.error_matches(function() binding.child_take(0, "log") end, "no stream is called log")
  end)
end)
