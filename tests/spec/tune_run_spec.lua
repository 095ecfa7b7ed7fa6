-- `clue tune SPACE.lua`: a search on a device, with configurations that fail in every way.
-- suite: whole
-- cost: 25
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

-- Each run has a folder of its own, for results and parameters.
local function tune(text, args, name)
  local folder = support.folder()
  local path = support.write(text, folder .. "/space.lua")
  local words = support.words({"--quiet", "tune", path, "--results", folder .. "/out.json"}, args)
  local function run(more)
    return support.run(support.words(words, more), support.drivers(name or "oclgrind", {CLUE_CACHE_DIR = folder}))
  end
  local status, out, err = run()
  local written = support.read(folder .. "/out.json")
  return {status = status, out = out, err = err, folder = folder, again = run, path = path,
          document = written and json.decode(written)}
end

-- Doubles 64 numbers, unless KIND makes it fail.
local function space(fields)
  return [[
    local cl = require "clue"
    local x, expected = cl.array.float(64), cl.array.float(64)
    for i = 0, 63 do x[i], expected[i] = i, 2 * i end
    local space = {
      kernel_name = "twice", source = [=[
        kernel void twice(global volatile float *x)
        {
            const int i = get_global_id(0);
        #if KIND == 1
            x[i] = 1;
            return;
        #elif KIND == 2
            x[i] = missing;
        #elif KIND == 3
            local float room[1 << 20];
            room[get_local_id(0)] = x[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            x[i] = room[get_local_id(0)];
        #elif KIND == 4
            while (x[0] < 1) x[1] += 0.001f;
        #elif KIND == 5
            *(global volatile float *)(8UL + (i > 5000)) = 1;
        #endif
            for (int k = 0; k < WORK; k++) x[i] = x[i] + 0;
            x[i] *= 2;
        }]=],
      tune_params = {KIND = {0}, WORK = {0, 10, 20}, block_size_x = {4, 8}},
      problem_size = 64, arguments = {x}, answer = {expected},
    }
  ]] .. (fields or "") .. " return space"
end

local function kinds(list, block)
  return ("space.tune_params = {KIND = {%s}, WORK = {1}, block_size_x = {%d}}"):format(list, block or 4)
end

local function failures(document)
  local found = {}
  for _, result in ipairs(document.results) do
    found[result.configuration.KIND] = {result.invalidity, result.clue.failure}
  end
  return found
end

-- What the format T4, version 1.0.0 (github.com/odgaard/TuningSchema), requires.
local function assert_t4(document)
  local reasons = {timeout = true, compile = true, runtime = true, correctness = true, constraints = true,
                   correct = true}
  assert.matches("^%d+%.%d+%.%d+$", document.schema_version)
  assert.equal("table", type(document.metadata))
  for _, result in ipairs(document.results) do
    assert.equal("table", type(result.configuration))
    assert.is_true(reasons[result.invalidity] ~= nil, result.invalidity)
    assert.equal("number", type(result.correctness))
    for _, name in ipairs {"compilation_time", "framework", "search_algorithm", "validation"} do
      assert.equal("number", type(result.times[name]), name)
    end
    assert.equal("table", type(result.times.runtimes))
    for _, each in ipairs(result.measurements) do
      assert.equal("string", type(each.name))
      assert.equal("number", type(each.value))
      assert.equal("string", type(each.unit))
    end
    assert.is_true(result.objectives[1] ~= nil)
  end
end

describe("clue tune", function()
  it("finds a configuration, and keeps results and parameters", function()
    local run = tune(space "space.metrics = {rate = function(p, s) return 64 / s end}", {"--strategy", "exhaustive"})
    assert.equal(0, run.status, run.err)
    assert.matches("^space on device 0 [^\n]*: 6 of 6 configurations in [%d.]+ s; 0 failed, %d+ stopped early\n",
      run.out)
    assert.matches("the best, measured again by turns:\n", run.out)
    assert.matches("rate  configuration\n", run.out)
    assert_t4(run.document)
    assert.equal(6, #run.document.results)
    assert.equal("time", run.document.results[1].objectives[1])
    assert.equal(run.folder .. "/tuned/space.json", run.out:match "parameters: (.-);")
    local status, out, err = support.run({"--quiet", "-e", [[
      local best = require("clue").tuned("space", 0, 64)
      print(best.exact, best.from, best.parameters.KIND, best.size[1], best.note)
    ]]}, support.drivers("oclgrind", {CLUE_CACHE_DIR = run.folder}))
    assert.equal("true\tfound\t0\t64\tnil\n", out, err)
    assert.equal(0, status)
  end)

  it("prints charts only if they are asked for, and shows the same ones for its results", function()
    local run = tune(space(), {"--strategy", "exhaustive"})
    assert.is_nil(run.out:find("the best so far (━)", 1, true))
    run = tune(space(), {"--strategy", "exhaustive", "--charts"})
    assert.equal(0, run.status, run.err)
    local charts = run.out:match "^(time in %a+ of each configuration.-\n\n)space on device 0"
    assert.matches("the best time in %a+ by %g+ %(down%) and %g+ %(across%)\n", charts)
    local out = support.ended(0, support.run({"tune", "--show", run.folder .. "/out.json"}))
    assert.equal(charts, out:match "\n(time in %a+ of each configuration.*)")
  end)

  it("writes a report", function()
    local folder = support.folder()
    local run = tune(space(kinds "0, 1"), {"--report", folder .. "/tune.html"})
    assert.equal(0, run.status, run.err)
    local page = support.read(folder .. "/tune.html")
    assert.matches("<h1>Tuning space</h1>", page, 1, true)
    assert.same(run.document, json.decode(page:match '<script type="application/json" id="data">(.-)</script>'))
    assert.matches("with wrong results", page, 1, true)
    run = tune(space(), {"--report", "/nowhere/tune.html"})
    assert.equal(1, run.status)
    assert.equal("", run.out)
    assert.matches("--report: cannot write /nowhere/tune.html", run.err, 1, true)
  end)

  it("shows long configurations in two parts: how the best differ, and what they share", function()
    -- By this metric all are equal, so that none is stopped early, however busy the machine.
    local run = tune(space [[
      space.metrics, space.objective = {equal = function() return 1 end}, "equal"
      for i = 1, 6 do space.tune_params["PARAMETER_" .. i] = {0, 1} end
      space.restrictions = {function(p)
        local sum = 0
        for i = 1, 6 do sum = sum + p["PARAMETER_" .. i] end
        return sum == 6 and p.WORK == 0 and p.KIND == 0
      end}]])
    assert.equal(0, run.status, run.err)
    assert.matches("  block_size_x=%d\n[^\n]*  block_size_x=%d\n", run.out)
    assert.matches("\nall of them: PARAMETER_1=1 PARAMETER_2=1 [^\n]*PARAMETER_6=1 WORK=0\n", run.out)
  end)

  it("writes results that --simulate reads", function()
    local run = tune(space(), {"--strategy", "exhaustive"})
    local out = support.ended(0, support.run {"tune", "--simulate", run.folder .. "/out.json", "--evaluations", "3",
                                              "--repeats", "2"})
    assert.matches("out.json: 6 configurations, 0 failed, the best time is ", out, 1, true)
  end)

  it("names why configurations fail, and goes on", function()
    local run = tune(space(kinds "0, 1, 2, 3"))
    assert.equal(0, run.status, run.err)
    local found = failures(run.document)
    assert.same({"correct"}, found[0])
    assert.same({"correctness", "argument 0 'x' differs from the answer, first at [0]: 1 instead of 0"}, found[1])
    assert.equal("compile", found[2][1])
    assert.matches("missing", found[2][2])
    assert.same({"runtime", "needs 4096 KiB of local memory, the device has 32 KiB"}, found[3])
    assert_t4(run.document)
    assert.matches("failed: 1 with wrong results: argument 0 'x' differs", run.out, 1, true)
    assert.matches("        KIND=1\n", run.out, 1, true)
  end)

  it("survives configurations that crash", function()
    local run = tune(space(kinds "0, 5, 1"), {}, "pocl")
    assert.equal(0, run.status, run.err)
    local found = failures(run.document)
    assert.same({"runtime", "crashed: killed by SIGSEGV"}, found[5])
    assert.equal("correctness", found[1][1])
    assert.same({"correct"}, found[0])
  end)

  it("survives configurations that hang", function()
    local run = tune(space(kinds("4, 0", 64)), {"--time-limit", "3"}) -- a thread's work
    assert.equal(0, run.status, run.err)
    local found = failures(run.document)
    assert.same({"timeout", "no answer within 3 s"}, found[4])
    assert.same({"correct"}, found[0])
  end)

  it("fails if no configuration works", function()
    local run = tune(space(kinds "1, 2"))
    assert.equal(1, run.status)
    assert.matches("no configuration works", run.out)
    assert.is_nil(lfs.attributes(run.folder .. "/tuned/space.json"))
  end)

  it("goes on where a run ended, without measuring again", function()
    local run = tune(space(), {"--evaluations", "4"})
    local first = support.read(run.folder .. "/out.json.journal")
    -- the last line of a run that was killed may be cut off
    support.write(first:sub(1, -20), run.folder .. "/out.json.journal")
    local out = support.ended(0, run.again {"--resume", "--evaluations", "6"})
    assert.matches("6 of 6 configurations", out)
    local results, lines = 0, 0
    for line in io.lines(run.folder .. "/out.json.journal") do
      local value = json.decode(line)
      results, lines = results + (value and value.p and 1 or 0), lines + 1
    end
    assert.equal(6, results)
    assert.equal(8, lines) -- the header, and what is left of the fourth result's first line
    local changed = support.read(run.path):gsub("x%[i%] %*= 2", "x[i] *= 2.0f")
    support.write(changed, run.path)
    local refused, _, why = run.again {"--resume"}
    assert.equal(1, refused)
    assert.matches("out.json.journal are for another source\n", why, 1, true)
  end)

  it("keeps its results at Ctrl-C and kill -9", function()
    local folder = support.folder()
    local path = support.write(space "space.tune_params.WORK = {} for i = 1, 400 do space.tune_params.WORK[i] = i end",
      folder .. "/space.lua")
    local function ended_by(signal)
      -- as soon as there are some results; a shell lets its background processes ignore SIGINT
      local program = [[
        cd "$1" && rm -f space.tune.json.journal || exit 1
        env --default-signal=INT "$0" --quiet tune "$2" --seconds 250 >out 2>&1 & clue=$!
        until [ "$(grep -c '"p"' space.tune.json.journal 2>/dev/null)" -ge 5 ]; do sleep 0.1; done 2>/dev/null
        kill -"$3" $clue; wait $clue; echo $? >status]]
      support.execute({"sh", "-c", program, support.clue, folder, path, signal}, support.drivers("oclgrind",
        {CLUE_CACHE_DIR = folder}))
      local results = 0
      for line in io.lines(folder .. "/space.tune.json.journal") do
        results = results + (json.decode(line) and json.decode(line).p and 1 or 0)
      end
      return tonumber(support.read(folder .. "/status")), results, support.read(folder .. "/out")
    end
    local status, results, out = ended_by "INT"
    assert.equal(130, status)
    assert.is_true(results >= 5)
    assert.matches(("%d of 800 configurations"):format(results), out, 1, true)
    assert.matches("`--resume` goes on with them", out, 1, true)
    local killed, more = ended_by "KILL"
    assert.equal(128 + 9, killed)
    assert.is_true(more >= 5)
  end)

  it("repeats a search for a seed, and takes the reference's results as the answer", function()
    local fields = "space.answer, space.reference = nil, {KIND = 0, WORK = 0, block_size_x = 4}"
    local function order(seed)
      local run, list = tune(space(fields), {"--strategy", "random", "--evaluations", "5", "--seed", seed}), {}
      assert.equal(0, run.status, run.err)
      for i, result in ipairs(run.document.results) do
        list[i] = ("%d/%d"):format(result.configuration.WORK, result.configuration.block_size_x)
      end
      return table.concat(list, " ")
    end
    local first = order "7"
    assert.equal(first, order "7")
    assert.not_equal(first, order "8")
  end)

  it("says how many times as fast as the reference the best is", function()
    local two = "space.tune_params = {KIND = {0}, WORK = {0, 100}, block_size_x = {4}} "
    local run = tune(space(two .. "space.answer, space.reference = nil, {KIND = 0, WORK = 100, block_size_x = 4}"))
    assert.equal(0, run.status, run.err)
    local times = tonumber(run.out:match
      "\nthe best is (%d+%.%d%d) times as fast as the reference, WORK=100: %d[^\n]*s\n")
    assert.is_true(times > 1, run.out)
    local call = run.document.clue.call
    assert.same({"twice", {KIND = 0, WORK = 0, block_size_x = 4}}, {call.kernel, call.defines})
    assert.matches("void twice(", call.source, 1, true)
    assert.equal(4, call.local_size[1])
    assert.not_matches("the reference", tune(space(two)).out)
  end)

  it("runs what the script launches itself", function()
    local run = tune [[
      local cl = require "clue"
      local program, x
      return {
        tune_params = {FACTOR = {2, 3}, block_size_x = {4, 8}},
        launch = function(p, context, queue)
          program = context:program("kernel void f(global float *x) { x[get_global_id(0)] = FACTOR; }",
            {defines = {FACTOR = p.FACTOR}})
          x = context:buffer(64)
          local f = program:kernel "f"
          return function() return f(queue, 16, p.block_size_x, x) end
        end,
        verify = function(p, context, queue)
          local values = cl.array.float(16)
          queue:read_buffer(x, values)
          return values[15] == 2, "it is " .. values[15]
        end,
      }
    ]]
    assert.equal(0, run.status, run.err)
    assert.matches("failed: 2 with wrong results: it is 3\n", run.out, 1, true)
    -- what such a space runs is in its script, so a changed script is another source
    assert.equal(0, (run.again {"--resume"}))
    support.write(support.read(run.path):gsub("it is", "it was"), run.path)
    local status, _, why = run.again {"--resume"}
    assert.equal(1, status)
    assert.matches("out.json.journal are for another source\n", why, 1, true)
  end)

  it("measures the first configurations that the space names, and passes words to the script", function()
    local fields = "space.first = {{KIND = 0, WORK = 10, block_size_x = 8}, {KIND = 0, WORK = tonumber(arg[1]), "
      .. "block_size_x = tonumber(arg[2])}}"
    local run = tune(space(fields), {"20", "4", "--evaluations", "3"})
    assert.equal(0, run.status, run.err)
    assert.same({KIND = 0, WORK = 10, block_size_x = 8}, run.document.results[1].configuration)
    assert.same({KIND = 0, WORK = 20, block_size_x = 4}, run.document.results[2].configuration)
    assert.equal(3, #run.document.results)
    assert.matches("out.json.journal are for other words\n", select(3, run.again {"--resume", "8"}), 1, true)
    assert.matches("the space: first[2]: tune_params.WORK has no value 21",
      tune(space(fields), {"21", "4"}).err, 1, true)
  end)

  it("tunes context:gemm, which then uses what was found", function()
    local folder = support.folder()
    -- The form for CPUs needs one. PoCL compiles the other's kernels for seconds, and Oclgrind interprets their tiles.
    local candidate = support.write [=[[{"BM": 32, "BN": 32, "BK": 8, "WM": 32, "WN": 32, "TM": 4, "TN": 4, "SLICES": 1,
      "V": 4, "A_WIDTH": 1, "B_WIDTH": 4, "PAD": 4, "BUFFERS": 1, "ASYNC": 0, "FRAGMENTS": 1, "SPLIT": 0,
      "LANE_BLOCK": 1, "BAND": 1, "UNROLL": 0}]]=]
    local forms = {
      cpu = {driver = "pocl", parameter = "MR", option = "--evaluations", value = "2"},
      gpu = {driver = "oclgrind", parameter = "BM", option = "--candidates", value = candidate},
    }
    for form, how in pairs(forms) do
      local env = support.drivers(how.driver, support.unoptimised {CLUE_CACHE_DIR = folder})
      local status, _, err = support.run({"--quiet", "tune", "scripts/spaces/gemm.lua", form, "16x17x18", "int",
        how.option, how.value, "--results", folder .. "/out.json"}, env)
      assert.equal(0, status, err)
      for _, result in ipairs(json.decode(support.read(folder .. "/out.json")).results) do
        assert.not_equal("correctness", result.invalidity)
      end
      local out
      status, out, err = support.run({"--quiet", "-e", ([[
        local cl = require "clue"
        local gemm = cl.context():gemm("int", {form = "%s"})
        print(gemm.made.found:of(16, 17, 18).parameters.%s > 0)
      ]]):format(form, how.parameter)}, env)
      assert.equal("true\n", out, err)
      assert.equal(0, status)
    end
    local _, err = support.ended(1, support.run {"tune", "scripts/spaces/gemm.lua", "16"})
    assert.matches("which form of the product?", err, 1, true)
    err = select(3, support.run {"tune", "scripts/spaces/gemm.lua", "gpu", "0"})
    assert.matches("the sizes must be 1 or more", err, 1, true)
  end)

  it("says what is wrong with a space", function()
    local function problem(fields)
      local run = tune(fields)
      assert.equal(1, run.status)
      return run.err
    end
    assert.matches("space.lua: a space script returns a table (tune_params, kernel_name, source, ...), not nothing; "
      .. "`clue new space NAME` makes one\n", problem "local x = 1", 1, true)
    assert.matches("\nhint: not equal is ~= (clue help ", problem "local x = 1 != 2", 1, true)
    assert.matches("the space: there is no field tune_parms (is tune_params meant?)",
      problem(space "space.tune_parms = {}"), 1, true)
    assert.matches("the space: there is no field restrict (is restrictions meant?)",
      problem(space "space.restrict = {}"), 1, true)
    assert.matches("the space: grid_div_x is Kernel Tuner's; here it is global_size: a function of p",
      problem(space "space.grid_div_x = {'WORK'}"), 1, true)
    assert.matches("the space: source = 'conv.cl' looks like a file: cl.read_file(\"conv.cl\") reads it",
      problem(space "space.source = 'conv.cl'"), 1, true)
    assert.matches("the space: answer, reference or verify is missing", problem(space "space.answer = nil"), 1, true)
    assert.matches("the space: metrics.GFLOPS must be a function", problem(space "space.metrics = {GFLOPS = 3}"), 1,
      true)
    assert.equal("clue tune: --device nothing: no device or platform has 'nothing' in its name; there is:",
      tune(space(), {"--device", "nothing"}).err:match "[^\n]*")
    assert.matches("space.lua:%d+: oh no", problem(space "error 'oh no'"))
    assert.matches("space.lua:%d+: attempt to index", problem(space [[space.arguments, space.kernel_name = nil
      space.launch = function() return nothing.there end
      space.verify, space.answer = function() return true end, nil]]))
    assert.matches("a space: no configuration is valid",
      problem(space "space.restrictions = {function(p) return p.WORK > 100 end}"), 1, true)
    assert.matches("the space: answer[2] is not for an argument that is memory", problem(space "space.answer[2] = x"),
      1, true)
    assert.matches("%-%-stop%-at: the space has neither flops nor bytes", tune(space(), {"--stop-at", "0.5"}).err)
  end)
end)
