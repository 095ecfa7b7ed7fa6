-- Kernels that never end, crash, or fill what they run on: on PoCL, where they run in clue's own process. Each ends
-- with a sentence that names the kernel and says what to do, with the right status, in a usable terminal, and without
-- leaving processes or temporary files: as a script, with --time-limit, at the prompt and as a step of a walkthrough.
-- suite: whole
-- cost: 20
-- waits: long
local json = require "dkjson"
local leftovers = require "leftovers"
local support = require "support"

local shell = leftovers.shell
local unpack = unpack or table.unpack -- luacheck: ignore

local SEGV, ILL, TIME_LIMIT = 128 + 11, 128 + 4, 124

local running = " with kernels that may have been running: kernel 'f' ("
local full = "clue: SIGSEGV, since the stack of a thread is full (by recursion, or by the private memory of a whole "
  .. "work-group: try a smaller local size),"
local hanging = "a loop without an end, or a barrier that not all work-items reach? A smaller range shows whether it "
  .. "ends at all"

-- What lets an endless loop wait in the system, so that it leaves the processor to other tests. The next case loops at
-- full speed.
local PAUSE = '\n#ifdef __x86_64__\n__asm__ volatile("syscall" : : "a"(34) : "rcx", "r11", "memory");\n#endif\n'

-- PoCL neither bounds an access nor tells a division by zero: such kernels end, and clue cannot know more.
local cases = {
  {name = "an endless loop", hangs = true, source = "while (((global volatile int *)x)[0] == 0) {" .. PAUSE .. "}"},
  {name = "a barrier that some do not reach", hangs = true, group = 16,
   source = "if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = 1;"},
  {name = "a write just past the end", ends = true, source = "x[get_global_id(0) + 16] = 1;"},
  {name = "a write far past the end", status = SEGV, says = "clue: SIGSEGV" .. running,
   source = "x[get_global_id(0) + (1L << 34)] = 1;"},
  {name = "a write far before the start", status = SEGV, says = "clue: SIGSEGV" .. running,
   source = "x[(long)get_global_id(0) - (1L << 34)] = 1;"},
  {name = "a null pointer", status = SEGV, says = "clue: SIGSEGV" .. running, memory = "cl.null",
   source = "x[get_global_id(0)] = 1;"},
  {name = "a trap", status = ILL, says = "clue: SIGILL" .. running, source = "__builtin_trap();"},
  {name = "a division by zero", ends = true, source = "x[0] = 7 / x[1];"},
  {name = "a full stack", status = SEGV, says = full .. running, group = 1024,
   source = "volatile int own[400000]; for (int i = 0; i < 400000; i++) own[i] = x[0] + i; "
     .. "barrier(CLK_LOCAL_MEM_FENCE); x[get_local_id(0) % 16] = own[x[1]];"},
  {name = "recursion", status = SEGV, says = full .. running, source = "x[0] = r(x[1] + 10);",
   before = "int r(int n) { return n < 2 ? n : r(n - 1) + r(n - 2); }"},
  {name = "too much local memory", status = 1, says = "CL_OUT_OF_RESOURCES (-5): kernel 'f' needs 400000000 bytes of "
     .. "local memory, but ", advice = "keep less there",
   source = "local int t[100000000]; t[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); x[0] = t[x[1]];"},
}

local script = [==[
local cl = require "clue"
local context = cl.context()
local queue = context:queue()
local kernel = context:program([=[%s kernel void f(global int *x) { %s }]=]):kernel "f"
kernel(queue, %d, %s, %s)
%s
queue:finish()
print "it has ended"
]==]

local function script_of(case)
  return script:format(case.before or "", case.source, case.group or 16, case.group or "nil",
    case.memory or "context:buffer(cl.array.int(16))", case.hangs and "print 'it waits'" or "")
end

for _, case in ipairs(cases) do
  case.path = support.write(script_of(case), support.temporary ".lua")
  if case.hangs then
    case.status, case.says, case.advice = TIME_LIMIT, running, hanging
  elseif not case.advice then
    case.advice = not case.ends and "to see the kernel's line and the index: " .. support.clue .. " check " or nil
  end
end

-- ---- what takes as long as the limit: all at once ----

-- One step that hangs is enough.
local steps = {}
for i, case in ipairs(cases) do
  if i ~= 2 then
    steps[#steps + 1] = case
    case.number = #steps
  end
end

local step = [[
local product = require "clue.walk.product"
product.inputs(input, "16")
function OnStart()
  dofile "%s"
end
]]

local function write_walkthrough()
  local folder = support.folder()
  support.write('return {title = "t", about = "a", year = 2026, language = "Lua", hardware = "any", headline = "h", '
    .. 'size = "product"}', folder .. "/walkthrough.lua")
  for i, case in ipairs(steps) do
    support.write(step:format(case.path), ("%s/%02d_case.lua"):format(folder, i))
  end
  return folder
end

local rows

-- Gives the rows of the walkthrough; what a script said is in the case's file `said`.
local function run_what_takes_long()
  if rows then return rows end
  local document = support.temporary ".json"
  local words = {write_walkthrough(), document}
  local line = '"$CLUE" walk "$1" --time-limit 10 --json "$2" >/dev/null 2>&1 & walk=$!; '
  for _, case in ipairs(cases) do
    if case.hangs then
      case.said = support.temporary()
      words[#words + 1], words[#words + 2] = case.path, case.said
      line = line .. ('{ "$CLUE" --quiet --time-limit 10 "$%d"; echo "status $?"; } >"$%d" 2>&1 & '):format(#words - 1,
        #words)
    end
  end
  support.ended(1, shell(line .. "wait $walk; status=$?; wait; exit $status", unpack(words)))
  rows = json.decode(support.read(document)).walkthroughs[1].runs[1].rows
  return rows
end

-- Which call the host is in when the kernel crashes differs from run to run.
local function assert_tells(case, text)
  text = text:gsub(" in cl%w+ with kernels", " with kernels")
  for _, part in ipairs {case.says, case.advice} do
    assert.truthy(text:find(part, 1, true), case.name .. "\n" .. text)
  end
  assert.is_nil(text:find("traceback", 1, true) and text:find("SIG", 1, true))
end

describe("a kernel with", function()
  for _, case in ipairs(cases) do
    if not case.hangs then
      it(case.name .. ", run by a script", function()
        local status, out, err = shell('exec "$CLUE" --quiet "$1"', case.path)
        assert.equal(case.status or 0, status, err)
        assert.equal(case.ends and "it has ended\n" or "", out)
        if case.ends then return assert.equal("", err) end
        assert_tells(case, err)
      end)
    end
  end

  for _, case in ipairs(cases) do
    if case.hangs then
      it(case.name .. ", run by a script with --time-limit", function()
        run_what_takes_long()
        local said = support.read(case.said)
        assert_tells(case, said)
        assert.matches("clue: the time limit of 10 s has passed[ %w]* with kernels", said)
        assert.matches("status 124\n$", said)
        assert.is_nil(said:find("it has ended", 1, true))
      end)
    end
  end
end)

-- The limit of a failed run is long enough for the kernels that most scripts leave.
it("a script that has failed does not wait for ever for its kernels", function()
  local started = os.time()
  local status, out, err = shell('exec "$CLUE" --quiet "$1"', support.write((script_of(cases[1])
    :gsub("queue:finish.*", "queue:flush() print 'before' error 'too bad'"))))
  assert.same({1, "it waits\nbefore\n"}, {status, out})
  assert.matches("too bad", err, 1, true)
  assert.matches("\nclue: the run failed, and what it left did not end within 20 s: a kernel still runs", err, 1, true)
  assert.is_true(os.time() - started >= 19)
end)

describe("a terminal is usable after a kernel with", function()
  -- What a person types in a shell, and must see. Ctrl-C ends what hangs.
  local function dialogue(case)
    local typed = {"expect $ ", "send $CLUE --quiet\\r", "prompt", ('send dofile "%s"\\r'):format(case.path)}
    local function add(text, ...) typed[#typed + 1] = text:format(...) end
    if case.hangs then
      add "expect it waits"
      add "asleep"
      add "send \\x03"
      add "expect interrupted while waiting for kernel 'f'"
    elseif case.ends or case.status == 1 then
      add("expect %s", case.ends and "it has ended" or "CL_OUT_OF_RESOURCES")
      add "prompt"
      add "send \\x04"
    else
      add "expect kernel 'f'"
    end
    add "expect $ "
    add "send echo left=$?\\r"
    add("expect left=%d", case.hangs and 130 or (case.ends or case.status == 1) and 0 or case.status)
    add "expect $ "
    leftovers.check_terminal(typed)
    return typed
  end

  for _, case in ipairs(cases) do
    it(case.name .. ", called at the prompt", function()
      leftovers.talk(dialogue(case))
    end)
  end
end)

describe("clue walk goes on after a step with a kernel with", function()
  for _, case in ipairs(steps) do
    it(case.name, function()
      local failed = run_what_takes_long()[case.number].failed
      local words = case.ends and "ended without a result" or case.hangs and "stopped after 10 s (--time-limit)"
        or case.status == 1 and "failed with exit status 1"
        or ("crashed: killed by SIG%s"):format(case.status == ILL and "ILL" or "SEGV")
      assert.equal(words, failed.text)
      if not case.ends and not case.hangs then assert_tells(case, table.concat(failed.lines, "\n")) end
    end)
  end
end)
