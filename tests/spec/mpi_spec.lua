-- clue.mpi: what ranks pass each other, what is refused before MPI sees it, how a job ends, and the examples.
-- suite: whole
-- cost: 15
-- waits: long
-- tools: mpirun
local support = require "support"

local build = support.clue:match "^(.*)/"

-- More ranks than cores, as root, in a container.
local function environment(more)
  return support.with(support.unoptimised {
    OMPI_ALLOW_RUN_AS_ROOT = 1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1, OMPI_MCA_rmaps_base_oversubscribe = 1,
    OMPI_MCA_btl_vader_single_copy_mechanism = "none", OMPI_MCA_btl = "self,vader",
  }, more)
end

-- Runs ranks of a program; its output is in no certain order.
local function ranks(count, words, more)
  return support.execute(support.words({"mpirun", "-n", count}, words), environment(more), nil, 60)
end

local function ranks_of(count, script, more, ...)
  return ranks(count, {support.clue, "--quiet", support.write(script), ...}, more)
end

local CONVERSATION = [[
local cl, mpi = require "clue", require "clue.mpi"
local rank, size = mpi.rank(), mpi.size()
local before, after = (rank - 1) % size, (rank + 1) % size
assert(mpi.local_rank() == rank and mpi.local_size() == size)

for _, name in ipairs {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"} do
  local sent, got = cl.array[name] {1, 2, 3, rank}, cl.array[name](6)
  local request = mpi.ireceive(got, before, {first = 2, tag = 7})
  mpi.send(sent, after, {first = 1, tag = 7})
  local count, from, tag = request:wait()
  assert(count == 3 and from == before and tag == 7)
  assert(got[1] == 0 and got[2] == 2 and got[3] == 3 and got[4] == before and got[5] == 0, name)
  mpi.broadcast(sent, size - 1)
  assert(sent[3] == size - 1)
  if name ~= "half" then
    local sums, least, most = cl.array[name](3, rank), cl.array[name](3, rank), cl.array[name](3, rank)
    mpi.all_reduce(sums, "sum", {first = 1, count = 1})
    assert(sums[0] == rank and sums[1] == size * (size - 1) / 2 and sums[2] == rank, name)
    mpi.all_reduce(least, "min")
    mpi.all_reduce(most, "max")
    assert(least[0] == 0 and most[2] == size - 1, name)
  end
end

local whole, part = rank == 1 and cl.array.int(2 * size) or nil, cl.array.int {9, rank, 10 * rank}
mpi.gather(part, whole, 1, {first = 1})
if whole then for i = 0, size - 1 do assert(whole[2 * i] == i and whole[2 * i + 1] == 10 * i) end end
mpi.scatter(whole, part, 1, {count = 2})
assert(part[0] == rank and part[1] == 10 * rank and part[2] == 10 * rank)

-- large, which MPI does not copy at once, and found by looking
local large, room = cl.array.double(3e5, rank), cl.array.double(3e5)
local leaving, arriving = mpi.isend(large, after), mpi.ireceive(room, "any", {tag = "any"})
large = nil
collectgarbage()
collectgarbage()
while not (arriving:test() and leaving:test()) do end
assert(room[0] == before and room[299999] == before and leaving.complete)
local count, from, tag = arriving:wait()
assert(count == 3e5 and from == before and tag == 0 and leaving:wait() == nil)
room:resize(3)

local start = mpi.time()
mpi.barrier()
assert(mpi.time() >= start)
print("rank " .. ("%d"):format(rank) .. " done")
]]

local function assert_done(count, status, out, err)
  assert.equal(0, status, out .. err)
  for rank = 0, count - 1 do assert.matches(("rank %d done"):format(rank), out, 1, true) end
end

describe("messages", function()
  it("arrive over the binding ffi", function() assert_done(3, ranks_of(3, CONVERSATION, {CLUE_BINDING = "ffi"})) end)

  it("arrive over the binding capi", function() assert_done(2, ranks_of(2, CONVERSATION, {CLUE_BINDING = "capi"})) end)

  local paths = {LUA_PATH = ("%s/lua/?.lua;%s/lua/?/init.lua;;"):format(build, build),
                 LUA_CPATH = build .. "/lua/?.so;;"}

  it("arrive in lua5.4", function()
    assert_done(2, ranks(2, {"lua5.4", support.write(CONVERSATION)}, paths))
  end)

  it("are counted in whole numbers of lua5.4", function()
    local script = support.write [[
      local cl, mpi = require "clue", require "clue.mpi"
      mpi.isend(cl.array.int(3), mpi.rank(), {tag = 5}):wait()
      print(mpi.rank(), mpi.size(), mpi.local_rank(), mpi.local_size(), mpi.receive(cl.array.int(4), "any", {tag = 5}))
    ]]
    local _, out, err = ranks(1, {"lua5.4", script}, paths)
    assert.equal("0\t1\t0\t1\t3\t0\t5\n", out, err)
  end)

  -- What follows needs no other rank, nor mpirun.
  local HEAD = "cl, mpi = require 'clue', require 'clue.mpi' a = cl.array.int(4) "
  local CALL = "do local done, why = pcall(function() %s end) print(why) end\n"

  local function says(line)
    local _, out, err = support.run({"-e", HEAD .. CALL:format(line)}, environment())
    return out:match "^(.-)\n" or err
  end

  it("are refused before MPI sees them if they cannot be right", function()
    local refused = {
      ["mpi.send(a, 1)"] = "mpi.send: to is rank 1, but there is only rank 0: start more (mpirun -n 4 clue script.lua)",
      ["mpi.send(a, -1)"] = "mpi.send: to must be a whole number of 0 or more, got -1",
      ["mpi.receive(a)"] = "mpi.receive: from must be a whole number of 0 or more, got nil",
      ["mpi.send({1}, 0)"] = "mpi.send: array must be an array, got a table; cl.array.float{...} makes one of a table",
      ["mpi.isend(a, 0, {first = 2, count = 3})"] = "mpi.isend: 3 elements from 2 on are not all inside int[4]",
      ["mpi.isend(a, 0, {first = 5})"] = "mpi.isend: 0 elements from 5 on are not all inside int[4]",
      ["mpi.isend(a, 0, {tag = 'any'})"] = 'mpi.isend: tag must be a whole number from 0 to 32767, got "any"',
      ["mpi.isend(a, 0, {tag = 40000})"] = "mpi.isend: tag must be a whole number from 0 to 32767, got 40000",
      ["mpi.broadcast(a, 0, {tag = 1})"] = 'mpi.broadcast: there is no option "tag"; there are count, first',
      ["mpi.gather(a, cl.array.float(4))"] = "mpi.gather: whole must be an array of int, as part is, not of float",
      ["mpi.gather(a, cl.array.int(3))"] = "mpi.gather: whole has 3 elements, but needs 4: 4 for each rank",
      ["mpi.scatter(a, a)"] = "mpi.scatter: whole and part must be two arrays",
      ["mpi.all_reduce(a, 'add')"] = 'mpi.all_reduce: there is no reduction "add"; there are max, min, sum',
      ["mpi.all_reduce(cl.array.half(2), 'sum')"] = "mpi.all_reduce: MPI cannot compute with half, only send it: "
        .. "convert the array (cl.array.float(#a):copy_from(a))",
      ["mpi.abort(0)"] = "mpi.abort: status must be a whole number from 1 to 255, got 0",
      ["mpi.abort(256)"] = "mpi.abort: status must be a whole number from 1 to 255, got 256",
      ["mpi.send(cl.array.char(2 ^ 31), 0)"] = "mpi.send: a message has at most 2^31 - 1 elements, not 2147483648: "
        .. "send several (first, count)",
      ["mpi.send(mapped, 0)"] = "mpi.send: an int array is mapped: queue:unmap could take its memory away while MPI "
        .. "uses it; copy it (a:copy())",
    }
    local lines = {HEAD, "local queue = cl.context():queue() "
      .. "local mapped = queue:map_buffer(queue.context:buffer(a), 'int', 'read') "}
    for line in pairs(refused) do lines[#lines + 1] = CALL:format(line) end
    local _, out, err = support.run({"--quiet", "-e", table.concat(lines)}, support.drivers("null", environment()))
    for _, words in pairs(refused) do assert.matches(words .. "\n", out .. err, 1, true) end
  end)

  it("keep their array as it is until they are complete", function()
    local start = "local r = mpi.ireceive(a, 0, {count = 2}) "
    local finish = " mpi.isend(cl.array.int{7, 8}, 0):wait() r:wait()"
    local function during(line)
      return says(start .. ("local _, why = pcall(function() %s end)"):format(line) .. finish
        .. " a:resize(9) error(why, 0)")
    end
    local belong = "elements 0 to 1 of an int array belong to a message that is not complete (ireceive from rank 0)"
    assert.matches("request:wait: call it with a colon: a request expected before it, got 1", during "r.wait(1)", 1,
      true)
    assert.matches("int[4] belongs to a message that is not complete: request:wait() ends it", during "a:resize(9)", 1,
      true)
    assert.matches(belong, during "mpi.isend(a, 0, {first = 1})", 1, true)
    assert.equal("nil", during("local s = mpi.isend(a, 0, {first = 2, tag = 3}) "
      .. "mpi.receive(cl.array.int(2), 0, {tag = 3}) s:wait()"))
  end)

  it("are not complete because Ctrl-C ended a wait for them", function()
    local interrupted = [[
      local cl, mpi = require "clue", require "clue.mpi"
      local library = require "clue.mpi.library"
      local a = cl.array.int(2)
      local r = mpi.ireceive(a, 0)
      for _, event in ipairs {"call", "return"} do -- Ctrl-C raises at either
        debug.sethook(function()
          if debug.getinfo(2, "f").func ~= library.wait then return end
          debug.sethook()
          error("interrupted!", 0)
        end, event:sub(1, 1))
        local done, why = pcall(r.wait, r)
        debug.sethook()
        assert(not done and why == "interrupted!", tostring(why))
        assert(not r.complete and not pcall(a.resize, a, 9), "MPI still writes into the array")
      end
      mpi.isend(cl.array.int {7, 8}, 0):wait()
      assert(r:wait() == 2 and a[1] == 8)
      print "rank 0 done"
    ]]
    assert_done(1, ranks(1, {"lua5.4", support.write(interrupted)}, paths))
  end)

  it("that failed say so at each further call", function()
    assert.equal("false false false true: request (failed): ireceive from rank 0", says(
      "local s, r = mpi.isend(a, 0), mpi.ireceive(a:copy(0, 2), 0) "
      .. "local one, two, three = pcall(r.wait, r), pcall(r.test, r), pcall(r.wait, r) s:wait() "
      .. "error(('%s %s %s %s: %s'):format(tostring(one), tostring(two), tostring(three), "
      .. "tostring(r.complete), tostring(r)), 0)"))
  end)

  it("fail with MPI's call and words", function()
    assert.matches("MPI_Irecv: MPI_ERR_TRUNCATE (15): message truncated",
      says "mpi.isend(a, 0) mpi.receive(a:copy(0, 2), 0)", 1, true)
    assert.matches("the message is no whole number of long elements: both ranks must use one type",
      says "mpi.isend(a, 0, {count = 3}) mpi.receive(cl.array.long(3), 0)", 1, true)
  end)
end)

describe("the device of a rank", function()
  local WHICH = "local mpi = require 'clue.mpi' io.write(('%d: %d %s\\n'):format(mpi.rank(), mpi.device()))"

  it("is one of those that are named, by turns", function()
    local out = support.ended(0, ranks_of(3, WHICH, support.drivers("both", {CLUE_DEVICE = "oclgrind,pocl"})))
    local taken = {}
    for rank, device in out:gmatch "(%d): (%d)" do taken[rank] = device end
    assert.is_true(taken["0"] == taken["2"] and taken["0"] ~= taken["1"], out)
    assert.matches("rank 1 of 3, number 2 of 2 for local rank 1: ", out, 1, true)
  end)

  it("is the best one if there is one of its kind", function()
    local _, out, err = support.run({"-e", WHICH}, environment())
    local why = "rank 0 of 1, number 1 of 1 for local rank 0: the only CPU device (there is no GPU or accelerator)"
    assert.equal(("0: 0 %s\n"):format(why), out)
    assert.matches("^clue: device 0 .-: " .. why:gsub("%p", "%%%0") .. "; %-%-device 0:0 picks it again\n$", err)
  end)
end)

describe("a rank that fails", function()
  local FAILS = [[
    local cl, mpi = require "clue", require "clue.mpi"
    if mpi.rank() == 1 then %s end
    mpi.receive(cl.array.int(1), (mpi.rank() + 1) %% mpi.size()) -- for ever
  ]]

  local function ends(how, expected, words)
    it("ends the others: " .. how, function()
      local status, out, err = ranks_of(3, FAILS:format(how))
      assert.equal(expected, status, out .. err)
      assert.matches(words, err, 1, true)
    end)
  end

  ends("error 'too hot'", 1, "clue: rank 1 of 3 failed with exit status 1, which ends all ranks")
  ends("os.exit(3)", 3, "clue: rank 1 of 3 failed with exit status 3, which ends all ranks")
  ends("mpi.abort(5)", 5, "clue: rank 1 of 3 ends all ranks with exit status 5")
  ends("io.popen('kill -9 $PPID'):read()", 137, "process rank 1")
  ends("mpi.ireceive(cl.array.int(1), 0) os.exit(0)", 1,
    "clue: rank 1 of 3 ended before 1 of its messages: call wait() on each request")
end)

describe("clue.mpi", function()
  it("says what to install if it was not built", function()
    local _, err = support.ended(1, support.run {"-e",
      "require 'clue' package.cpath = '' pcall(require, 'clue.mpi') require 'clue.mpi'"})
    assert.matches("clue.mpi is not part of this clue, which was built without Open MPI: install it (Debian: apt "
      .. "install libopenmpi-dev openmpi-bin) and build clue again", err, 1, true)
  end)

  it("is not loaded by others", function()
    local _, out = support.run {"-e", "require('clue').context() print(io.open('/proc/self/maps'):read '*a')"}
    assert.matches("libclue", out, 1, true)
    assert.is_nil(out:find("libmpi", 1, true))
  end)
end)

-- ---- the examples ----

-- For each: its arguments here, what it prints, and a fault that it must find (the text, its replacement, the message).
local examples = {
  heat_halo = {
    arguments = {"--size", "34", "--steps", "9"}, says = "34 x 34 points, 9 steps",
    fault = {"side == 1 and 0 or rows + 1", "side == 1 and rows + 1 or 0", "one rank alone computes"},
  },
  nbody_ring = {
    arguments = {"--count", "64", "--steps", "3"}, says = "64 bodies, 3 steps",
    fault = {"here, coming = coming, here", "", "one rank alone computes"},
  },
  summa = {
    arguments = {"--size", "64", "--panel", "16"}, says = "64 x 64 elements, panels of 16",
    fault = {"block.at = block.at + count", "", "one rank alone computes"},
  },
}

for name, example in pairs(examples) do
  local path = ("scripts/examples/mpi/%s.lua"):format(name)

  local function run(count, script)
    return ranks(count, {support.clue, "--strict", script, unpack(example.arguments)})
  end

  describe(path, function()
    it("gives the same results by 1, 2 and 4 ranks, bit for bit", function()
      local results = {}
      for _, count in ipairs {1, 2, 4} do
        local out, err = support.ended(0, run(count, path))
        assert.is_nil(err:find("never freed", 1, true), err)
        assert.matches(("%d of %d ranks on this machine: "):format(count, count), out, 1, true)
        results[#results + 1] = out:match "^[^\n]+"
      end
      assert.matches(example.says .. ": the same as by one rank, bit for bit; sum ", results[1], 1, true)
      assert.same({results[1], results[1]}, {results[2], results[3]})
    end)

    it(("finds '%s' in place of %s"):format(example.fault[2], example.fault[1]), function()
      local text = support.read(path)
      local first, last = text:find(example.fault[1], 1, true)
      assert(first and not text:find(example.fault[1], last + 1, true), "not exactly once in the script")
      local status, out, err = run(2, support.write(text:sub(1, first - 1) .. example.fault[2] .. text:sub(last + 1)))
      assert.equal(1, status, out .. err)
      assert.matches(example.fault[3], err, 1, true)
    end)
  end)
end
