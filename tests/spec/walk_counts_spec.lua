-- `clue walk --counts`: what each step asks of memory, in the rows, the table, the report and the explanation.
-- suite: whole
-- cost: 20
local bottleneck = require "clue.result.bottleneck"
local json = require "dkjson"
local support = require "support"

-- The limits of the device are measured once, and how well PoCL compiles does not matter.
local cache = support.folder()
local function run(...)
  return support.run({"walk", ...}, support.unoptimised {COLUMNS = "132", CLUE_NO_CACHE = false, CLUE_CACHE_DIR = cache,
    POCL_MAX_PTHREAD_COUNT = "1"})
end

local function walk(...)
  local file = support.temporary ".json"
  local status, out, err = run("mql5", "--size", "32", "--repeat", "1", "--json", file, ...)
  return status, out, err, json.decode(support.read(file))
end

describe("clue walk --counts", function()
  it("adds counts to the rows, the table and the report", function()
    local page = support.temporary ".html"
    local out, _, document = support.ended(0, walk("--steps", "1,4,12", "--counts", "--report", page))
    -- Nothing of the machine on which it ran: another one reads it, too.
    assert.is_nil(json.encode(document):find(require "lfs".currentdir(), 1, true))
    assert.equal("04_sum_local.lua", document.walkthroughs[1].runs[1].rows[2].counts.kernels[1].sites[1].file)
    local rows = document.walkthroughs[1].runs[1].rows
    assert.is_nil(rows[1].counts) -- it runs on the host
    local counts = rows[2].counts
    assert.equal("64", counts.size)
    assert.equal(2 * 64 ^ 3, counts.flops)
    assert.equal(64 ^ 3 * 2 + 64 ^ 2, counts.sums.accesses)
    assert.equal(64 * 64 * 64 / 32 * 2 + 64 * 64 / 32, counts.sums.requests)
    assert.matches("counted on a simulator at the size 64", out, 1, true)
    assert.matches("\n 4 +matr_mul_sum_local +1%.01 +16%.6 ", out)
    assert.matches("\n4: 04_sum_local.lua:%d+ reads a: 32%.0 sectors a request where 4%.00 would do\n", out)
    local text = support.read(page)
    assert.matches("What its warps ask for", text, 1, true)
    assert.matches("In the pictures, 0-9 and a-v are work-items (0,0) to (31,0) of the first group.", text, 1, true)
    assert.matches('<svg [^>]*aria%-label="04_sum_local.lua:%d+ reads a, 64 rows of 64 floats: 32 work%-items ask for '
      .. '32 floats, 32 sectors in 32 lines', text)
    local shown, last = text:gsub("<wbr>", ""):gsub("<[^>]*>", "|"):gsub("|+", "|"), 0
    for _, part in ipairs {"What differs from the kernel of step 4", "Step 4, matr_mul_sum_local|",
      "Cycles of a GPU&#39;s compute unit for memory, for 32 operations: 8%.63", "04_sum_local.lua:%d+ reads a: 8%.00",
      "Step 12, matr_mul_local_tiles|", "Cycles of a GPU&#39;s compute unit", "reads local tile_a", "In the pictures",
      "Accesses to global memory 1%.01 to 0%.07 for an operation, [^.]*the kernel",
      "Results here",
      "What its warps ask for", "The kernel as built"} do
      local at = shown:find(part, last + 1)
      assert(at, part .. " is not there, or out of its order")
      last = at
    end
  end)

  it("adds those of the variant that a row shows: the fastest, or the one that the step names", function()
    local counted = require "clue.run.counted"
    local variants, launched = {}, {}
    for i, label in ipairs {"first", "second", "third"} do
      variants[i] = {label = label, flops = i}
      launched[i] = {kernel = label, variant = i, sites = {}, buffers = {}, operations = {},
                     private_arrays = {}, warp = {lanes = 0, instructions = 0, width = 32, branches = 0, divergent = 0}}
    end
    local all = counted.all
    finally(function() counted.all = all end)
    function counted.all(_, _, done) done(1, {kernels = launched, variants = variants}) end
    local function label_of(times, variant)
      local sweep = {}
      for i, seconds in ipairs(times) do
        sweep[i] = {label = variants[4 - i].label, times = {kernel = {seconds}, rate = "GFLOPS", flops = 1}}
      end
      local row = {number = 4, device = {kind = "gpu"}, sweep = times[1] and sweep, variant = variant}
      assert.is_nil(counted.add({}, {{number = 4}}, {{rows = {row}}}, {size = "8"}))
      assert.equal(1, #row.counts.kernels)
      return variants[row.counts.flops].label, row.counts.kernels[1].kernel
    end
    assert.same({"second", "second"}, {label_of {3, 1, 2}})
    assert.same({"third", "third"}, {label_of({3, 1, 2}, 1)})
    assert.same({"first", "first"}, {label_of {}})
  end)

  it("finds the cause of a gain, by counting its two steps alone if a walk has no counts", function()
    local catalogue, inspect = require "clue.run.catalogue", require "clue.run.inspect"
    local chosen = {}
    for _, step in ipairs(catalogue.get("mql5").steps) do
      if step.number == 3 or step.number == 4 then chosen[#chosen + 1] = step end
    end
    local function row(number) return {number = number, device = {kind = "gpu"}, times = {kernel = {1}}} end
    local rows = {row(3), row(4)}
    rows[2].gain = {over = 3, ratio = 8, low = 7, high = 9}
    local entry = {name = "mql5", runs = {{device = "1:0", rows = rows}}}
    local task = {walkthrough = catalogue.get "mql5", steps = chosen, device = "1:0", config = {seconds = 60}}
    inspect.add_causes(entry, {task}, 1, function() end)
    assert.is_nil(rows[2].gain.cause) -- a second is too short
    inspect.add_causes(entry, {task}, 60, function() end)
    local cause = rows[2].gain.cause
    assert.same({"sectors of global memory", "for 32 operations"}, {cause.what, cause.per})
    assert.near(48.5, cause.before, 0.5) -- a, b and twice c, of 32 and 1 sectors: 97 for 64 operations
    assert.near(16.75, cause.now, 0.5)
    assert.is_nil(rows[2].counts)
  end)

  it("counts steps as they are measured: with their parameters, type and compiler options", function()
    local file = support.temporary ".json"
    local function counted(...)
      support.ended(0, run("--size", "32", "--repeat", "1", "--counts", "--json", file, ...))
      return json.decode(support.read(file)).walkthroughs[1].runs[1].rows[1].counts.kernels[1]
    end
    assert.same({16, 16}, counted("submatrix", "--steps", "5", "--set", "tile=16")["local"])
    assert.is_true(counted("mql5", "--steps", "4", "--type", "double").operations.double > 0)
    local plain = counted("hello", "--steps", "2")
    local unoptimised = counted("hello", "--steps", "2", "--options", "-cl-opt-disable")
    assert.is_true(unoptimised.instructions > plain.instructions)
  end)

  it("says what it needs if its plugin was not built, and keeps the rows", function()
    local status, out, err = support.run({"walk", "mql5", "--size", "8", "--repeat", "1", "--steps", "2", "--counts"},
      {LUA_INIT = "require('clue.paths').plugins = '/nowhere'"})
    assert.equal(0, status)
    assert.matches("1 of 1 step verified", support.flat(out), 1, true)
    assert.matches("clue walk: --counts: this clue was built without its plugin for Oclgrind; ", err, 1, true)
  end)

  it("is part of an explanation", function()
    local out = support.ended(0, run("mql5", "--size", "32", "--repeat", "1", "--explain", "12"))
    assert.matches("\nCounted on a simulator at the size 64:\nkernel matr_mul_local_tiles: ", out, 1, true)
    assert.matches("12_local_tiles.lua:%d+ reads a, 64 rows of 64 floats: 32 work%-items ask for 32 floats, 4 sectors",
      out)
  end)

  it("names the sizes of the steps' own studies", function()
    local out = support.ended(0, run("amd", "--size", "32", "--repeat", "1", "--explain", "2"))
    assert.matches("\nCounted on a simulator at the size 64:\n", out, 1, true)
    out = support.ended(0, run("amd", "--size", "32", "--repeat", "1", "--steps", "2,10", "--counts"))
    assert.matches("counted on a simulator at the sizes mapping=64, vectors=4099, for warps", out, 1, true)
  end)
end)

describe("the limits of work", function()
  local work = {type = "float", operations = 8e9, bytes = 1e6}

  it("are the times that each would take by itself", function()
    local list = bottleneck.bounds({flops = {float = 1e12}, bandwidth = {read = 5e8, copy = 1e9}}, work)
    assert.same({"arithmetic", "memory"}, {list[1].name, list[2].name})
    assert.is_true(math.abs(list[1].seconds - 8e-3) < 1e-12)
    assert.is_true(math.abs(list[2].seconds - 1e-3) < 1e-12)
  end)

  it("leave out what nobody measured", function()
    assert.equal(1, #bottleneck.bounds({bandwidth = {copy = 1e9}}, work))
  end)
end)
