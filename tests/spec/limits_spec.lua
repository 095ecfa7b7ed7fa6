-- Little memory, few files and few processes (ulimit -v, -n, -u), over a script, a trace, a walk and a search: each run
-- gives the right result, or one error that names the call, the file or the limit. None crashes, hangs or leaves half
-- of a file. Only a driver may abort, as PoCL does when its linker finds no file descriptor: clue then names the kernel
-- and the limit. And buffers at the limit of a device, one byte beyond it, and more of them than it has memory for.
-- suite: whole
-- cost: 20
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local script = [[
local cl = require "clue"
local context = cl.context(0)
local queue = context:queue()
local x = context:buffer(cl.array.float(1024, 1))
local scale = context:program "kernel void scale(global float *x) { x[get_global_id(0)] *= 2; }":kernel "scale"
scale(queue, 1024, nil, x)
local got = cl.array.float(1024)
queue:read_buffer(x, got)
got:save "out.npy"
print(got:sum())
]]

local space = [[
local cl = require "clue"
local n = 2 ^ 12
local x, y = cl.array.float(n, 1), cl.array.float(n)
return {kernel_name = "scale", source = "kernel void scale(global const float *x, global float *y) "
    .. "{ y[get_global_id(0)] = 2 * x[get_global_id(0)]; }",
  tune_params = {block_size_x = {32, 64}}, problem_size = n, arguments = {x, y}, reference = {block_size_x = 64}}
]]

-- What runs: the words, and the file that it makes, which must be whole. `said`: what stdout must contain.
local runs = {
  script = {words = {"script.lua"}, file = "out.npy", said = "2048\n"},
  trace = {words = {"trace", "-o", "out.json", "script.lua"}, file = "out.json", said = "2048\n"},
  walk = {words = {"walk", "hello", "--steps", "1", "--size", "64", "--repeat", "2", "--json", "out.json"},
          file = "out.json", said = "verified"},
  tune = {words = {"tune", "space.lua", "--results", "out.json"}, file = "out.json", said = "results: out.json"},
}

local function is_whole(path)
  local text = support.read(path)
  if path:find "%.json$" then return json.decode(text) ~= nil end
  return #text == 128 + 4096 and text:sub(1, 6) == "\147NUMPY"
end

-- Words of which an error must have one.
local causes = {"ulimit %-", "Too many open files", "no memory", "Cannot allocate memory", "CL_OUT_OF_",
                "no file descriptors", "Error 24", "failed to map segment", "killed by", "with exit status"}

local function names_a_cause(text)
  for _, cause in ipairs(causes) do
    if text:find(cause) then return true end
  end
  return false
end

-- Runs with a limit; gives whether it worked.
local function run_limited(name, option, limit)
  local run, folder = runs[name], support.folder()
  support.write(script, folder .. "/script.lua")
  support.write(space, folder .. "/space.lua")
  local line = ('cd "$1" && shift && ulimit %s %d && exec "$CLUE" "$@"'):format(option, limit)
  local words = support.words({"sh", "-c", line, "sh", folder}, run.words)
  -- A cache of PoCL's own for each run: what was compiled before would hide the limits of the compiler.
  local env = support.drivers("pocl", {CLUE = support.clue, CLUE_CACHE_DIR = folder, TMPDIR = folder,
                                       POCL_CACHE_DIR = folder .. "/pocl"})
  local status, out, err = support.execute(words, env, nil, 60)
  local title = ("%s, ulimit %s %d: status %d\n%s%s"):format(name, option, limit, status, out, err)
  for file in lfs.dir(folder) do
    assert.is_nil(file:find "^clue%-" or file:find "%.tmp" or file:find "%.new", title .. file)
  end
  if lfs.attributes(folder .. "/" .. run.file) then assert.is_true(is_whole(folder .. "/" .. run.file), title) end
  if status == 0 then
    assert.truthy(out:find(run.said, 1, true), title)
    assert.truthy(lfs.attributes(folder .. "/" .. run.file), title)
    return true
  end
  if status == 134 then
    assert.truthy(err:find("kernel 'scale'", 1, true), title)
    assert.truthy(err:find(("a limit of this process may be the reason: ulimit %s %d"):format(option, limit), 1, true),
      title)
  else
    assert.is_true(status == 1 or status == 127, title) -- 127: not even the executable could be loaded
  end
  assert.is_true(names_a_cause(out .. err), title)
  assert.is_nil((out .. err):find("/lua/clue/", 1, true), title) -- no error of clue's own Lua code
  return false
end

describe("under a narrow limit of", function()
  local limits = {
    ["-v"] = {what = "address space", few = {60000, 280000}, enough = 1000000},
    ["-n"] = {what = "open files", few = {4, 5, 7, 9, 11, 13}, enough = 32},
  }
  for option, limit in pairs(limits) do
    for name in pairs(runs) do
      it(("%s, a %s works or gives one error that says why"):format(limit.what, name), function()
        assert.is_false(run_limited(name, option, limit.few[1]))
        for i = 2, #limit.few do run_limited(name, option, limit.few[i]) end
        assert.is_true(run_limited(name, option, limit.enough))
      end)
    end
  end

  it("address space, an array is made, but not copied", function()
    local _, err = support.ended(1, support.execute {"sh", "-c", 'ulimit -v 1000000; exec "$0" -e "$1"', support.clue,
      "require('clue').array.char(7e8):copy()"})
    assert.matches("array:copy: there is no memory for char[700000000] (668 MiB)", err, 1, true)
  end)

  -- Root may have as many processes as it likes, so this needs a user of its own.
  local other = support.execute {"setpriv", "--reuid", "65531", "--clear-groups", support.clue, "-e", ""} == 0
  local test = other and it or pending
  test("processes, a script works or gives one error that says why", function()
    local line = [[
      home=$(mktemp -d /tmp/clue-limits-XXXXXX) && cd "$home" && HOME=$home TMPDIR=$home POCL_CACHE_DIR=$home
      export HOME TMPDIR POCL_CACHE_DIR
      (ulimit -u "$1" && exec "$CLUE" -e "$2")
      status=$?
      rm -rf "$home"
      exit $status]]
    for _, limit in ipairs {1, 2, 3, 4, 64} do
      local status, out, err = support.execute({"setpriv", "--reuid", "65531", "--clear-groups", "bash", "-c", line,
        "bash", limit, script}, support.drivers("pocl", {CLUE = support.clue}))
      local title = ("ulimit -u %d: status %d\n%s%s"):format(limit, status, out, err)
      if status == 0 then
        assert.equal("2048\n", out)
      else
        assert.is_true(status == 1 and limit < 64, title)
        assert.matches("ulimit %-u %d %(processes and threads%)", err)
      end
    end
  end)
end)

describe("buffers", function()
  local code = [[
    local cl = require "clue"
    local context = cl.context(0)
    local queue, most = context:queue(), context.device.max_mem_alloc_size
    local kept, got = {context:buffer(most)}, cl.array.uchar(16)
    print(pcall(context.buffer, context, most + 1))
    local refused
    for _ = 1, 12 do
      local done, buffer = pcall(context.buffer, context, most)
      if not done then refused = buffer break end
      kept[#kept + 1] = buffer
    end
    print(refused or "all were made")
    -- The last bytes of the first; what has no memory is refused here, not answered wrongly.
    print(pcall(function()
      queue:fill_buffer(kept[1], cl.uchar(7), {offset = most - 16, size = 16})
      queue:read_buffer(kept[1], got, {offset = most - 16})
      assert(%s or got:sum() == 7 * 16)
    end))
  ]]

  for driver, computes in pairs {pocl = "false", oclgrind = "false", null = "true"} do
    it("at the limit of a device are made, beyond it refused, and are whole: " .. driver, function()
      local status, out, err = support.run({"--quiet", support.write(code:format(computes))}, support.drivers(driver, {
        POCL_MEMORY_LIMIT = "1"}), nil, 100)
      assert.equal(0, status, err)
      local beyond, many, last = out:match "^([^\n]*)\n([^\n]*)\n([^\n]*)\n$"
      assert.matches("CL_INVALID_BUFFER_SIZE %(%-61%): a buffer of %d+ bytes: the maximum on .* is %d+; use several",
        beyond)
      assert.is_true(many == "all were made" or many:find "CL_MEM_OBJECT_ALLOCATION_FAILURE" ~= nil, many)
      assert.equal("true", last)
    end)
  end

  it("for which a limited process has no memory are refused", function()
    local out = support.ended(0, support.execute({"sh", "-c", 'ulimit -v 700000; exec "$CLUE" --quiet "$1"', "sh",
      support.write(code:format "false")}, support.drivers("pocl", {CLUE = support.clue, POCL_MEMORY_LIMIT = "4"})))
    assert.matches("\nfalse\t[^\n]*no memory left[^\n]*\n$", out)
  end)
end)
