-- What `clue tune` makes of spaces with mistakes, of places that it cannot write to, and of processes that a kernel
-- has damaged.
-- suite: whole
-- cost: 20
local json = require "dkjson"
local lfs = require "lfs"
local support = require "support"

local function decode(path)
  local text = support.read(path)
  return text and json.decode(text)
end

-- Runs a space; folder and cache may be given.
local function tune(text, args, options)
  options = options or {}
  local folder = options.folder or support.folder()
  local words = {"--quiet", "tune", support.write(text, folder .. "/space.lua"), "--results", folder .. "/out.json"}
  local status, out, err = support.run(support.words(words, args),
    support.drivers(options.driver or "oclgrind", {
      CLUE_CACHE_DIR = options.cache or folder, CLUE_BUILD_OPTIONS = options.build_options}))
  return {status = status, out = out, err = err, folder = folder, document = decode(folder .. "/out.json")}
end

-- Doubles 64 numbers.
local function space(fields)
  return [[
    local cl = require "clue"
    local x, expected = cl.array.float(64), cl.array.float(64)
    for i = 0, 63 do x[i], expected[i] = i, 2 * i end
    local space = {
      kernel_name = "twice", source = [=[
        kernel void twice(global float *x)
        {
            size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
            for (int k = 0; k < WORK; k++) x[i] = x[i] + 0;
            x[i] *= 2;
        }]=],
      tune_params = {WORK = {1, 40}, block_size_x = {4}},
      problem_size = 64, arguments = {x}, answer = {expected},
    }
  ]] .. (fields or "") .. " return space"
end

-- A space whose configurations are functions of Lua only; calls() counts its calls in all processes.
local function launched(lines)
  return ([[
    local file, poisoned = arg[1]
    local function calls()
      local to = assert(io.open(file, "a"))
      to:write "."
      to:close()
      return #assert(io.open(file)):read "*a"
    end
    return {tune_params = {KIND = {0, 1}}, first = {{KIND = 1}, {KIND = 0}}, %s}]]):format(lines)
end

describe("clue tune", function()
  it("stops no configuration early that is slower, but better in the objective", function()
    local run = tune(space [[
      space.tune_params.WORK = {1, 400}
      space.metrics = {work = function(p, seconds) return p.WORK ^ 4 / seconds end}
      space.objective, space.first = "work", {{WORK = 1, block_size_x = 4}}
    ]])
    assert.equal(0, run.status, run.err)
    assert.equal(400, run.document.clue.best[1].configuration.WORK)
    assert.is_nil(run.document.results[2].clue.stopped_early)
  end)

  it("measures again what crashed in a process that an earlier configuration may have damaged", function()
    local run = tune(launched [[
      launch = function(p)
        if p.KIND == 0 and poisoned then os.execute "kill -SEGV $PPID" end
        poisoned = calls() == 1
        return function() end
      end,
      verify = function() return true end,
    ]], {support.folder() .. "/calls", "--processes", "1"})
    assert.equal("correct", run.document.results[2].invalidity, run.err)
  end)

  it("starts another process if one ended, or its time was up, as it answered", function()
    local child = require "clue.shared.child"
    local call, started = child.call, 0
    local function nothing() end
    finally(function() child.call = call end)
    child.call = function(_, _, _, how)
      started = started + 1
      local process = {state = "running", limit = nothing, send = nothing}
      function process.step(self)
        how.results {device = {}}
        how.results {result = {samples = {1}}}
        self.state = "timeout"
        return false
      end
      return process
    end
    local worker = require("clue.tune.worker").new {script = {}, seconds = 1}
    for _ = 1, 2 do
      worker:give {p = {}}
      assert.same({samples = {1}}, worker:poll(0))
    end
    assert.equal(2, started)
  end)

  it("names the command that finds what a configuration's kernel does wrong, which does", function()
    local run = tune([[
      local cl = require "clue"
      local x = cl.array.float(64)
      return {
        kernel_name = "f", source = "kernel void f(global float *x) { x[get_global_id(0) + FAR * 32] = 0; }",
        tune_params = {FAR = {0, 1, 2}, block_size_x = {16}}, problem_size = 64, arguments = {x}, answer = {x},
        restrictions = {"FAR < 2"}, name = arg[1],
      }]], {"word"})
    local words = run.out:match("failed: 1 with wrong results: the kernel writes behind the end of argument 0 'x', at "
      .. "the first byte there\n        FAR=1\n        what it does wrong: clue check ([^\n]*)\n")
    assert.equal(("--set FAR=1 --set block_size_x=16 %s/space.lua word"):format(run.folder), words, run.out .. run.err)
    local function check(line)
      return support.run(support.words({"check"}, line), support.drivers "pocl")
    end
    local status, out = check(words)
    assert.equal(1, status)
    assert.matches("bounds: a write past the end of 'x'", out, 1, true)
    assert.matches("element 64 of 64", out, 1, true)
    status, out = check(words:gsub("FAR=1 .-16", "FAR=0"))
    assert.same({0, "0 errors, 0 notes in 1 launch\n"}, {status, out})
    for wrong, text in pairs {["--set FAR=3"] = "clue check: --set FAR=3: its values are 0, 1, 2\n",
                              ["--set FAR=2"] = "clue check: --set: restriction 1 excludes it\n",
                              ["--set NEAR=1"] = "clue check: --set NEAR: the space's parameters are FAR, "
                                .. "block_size_x\n"} do
      local its, _, err = check(("%s %s/space.lua word"):format(wrong, run.folder))
      assert.same({2, text}, {its, err})
    end
  end)

  it("names that command for a configuration that crashes, and for no other", function()
    local run = tune(launched [[
      launch = function(p) return function() if p.KIND == 0 then os.execute "kill -SEGV $PPID" end end end,
      verify = function() return true end,
    ]], {support.folder() .. "/calls", "--processes", "1"})
    assert.matches("failed: 1 by the device: crashed: killed by SIGSEGV[^\n]*\n        KIND=0\n"
      .. "        what it does wrong: clue check %-%-set KIND=0 /", run.out)
    run = tune(space [[space.source = "kernel void twice(global float *x) { oops; }"]])
    assert.is_nil(run.out:find("clue check", 1, true), run.out)
  end)

  it("has no best if the best fails in the last measurement", function()
    local run = tune(launched [[
      restrictions = {function(p) return p.KIND == 1 end}, first = {{KIND = 1}},
      launch = function() return function() end end, verify = function() return calls() == 1 end,
    ]], {support.folder() .. "/calls", "--processes", "1"})
    assert.equal(1, run.status)
    assert.matches("no configuration works", run.out, 1, true)
    assert.equal("correctness", run.document.results[1].invalidity)
    local last
    for line in io.lines(run.folder .. "/out.json.journal") do last = line end
    assert.equal("correctness", json.decode(last).failed)
  end)

  it("keeps the results if the parameters have no place", function()
    local run = tune(space(), {}, {cache = "/proc/nowhere"})
    assert.equal(1, run.status)
    assert.matches("the parameters: cannot make the folder /proc/nowhere: No such file", run.err, 1, true)
    assert.matches("the best, measured again by turns:", run.out, 1, true)
    assert.equal(2, #run.document.results)
    local cache = support.folder()
    assert(lfs.mkdir(cache .. "/tuned") and lfs.mkdir(cache .. "/tuned/space.json"))
    run = tune(space(), {}, {cache = cache})
    assert.equal(1, run.status)
    assert.matches("the parameters: " .. cache .. "/tuned/space.json", run.err, 1, true)
    assert.equal(2, #run.document.results)
  end)

  it("says that its results cannot be written if their folder is gone at the end", function()
    local folder = support.folder()
    local run = tune(space(("space.verify = function() os.execute 'rm -r %s' return true end"):format(folder)),
      {"--results", folder .. "/results.json"})
    assert.equal(1, run.status)
    assert.equal(("clue tune: --results: %s/results.json: No such file or directory\n"):format(folder), run.err)
  end)

  it("leaves no file if there is no device", function()
    local run = tune(space(), {}, {driver = "none"})
    assert.equal(1, run.status)
    assert.matches("there is no OpenCL device\n  `clue doctor` shows what this machine lacks", run.err, 1, true)
    assert.equal(run.folder .. "/space.lua\n", io.popen("find " .. support.quote(run.folder) .. " -type f"):read "*a")
  end)

  it("refuses a folder as the file of results, and a journal that another run writes", function()
    local run = tune(space(), {"--results", support.folder()})
    assert.equal(1, run.status)
    assert.matches("is a folder; give the name of a file", run.err, 1, true)
    local folder = support.folder()
    local file = assert(io.open(folder .. "/out.json.journal", "a"))
    file:write "kept\n"
    file:flush()
    assert(lfs.lock(file, "w"))
    run = tune(space(), {}, {folder = folder})
    file:close()
    assert.equal(1, run.status)
    assert.matches("the journal: another run writes to ", run.err, 1, true)
    assert.equal("kept\n", support.read(folder .. "/out.json.journal"))
    run = tune(space(), {"--resume"}, {folder = folder})
    assert.equal(1, run.status)
    assert.equal(("clue tune: --resume: %s/out.json.journal: not a journal of clue tune\n"):format(folder), run.err)
    run = tune(space(), {"--results", "/nowhere/out.json"})
    assert.equal(1, run.status)
    assert.equal("clue tune: the journal: /nowhere/out.json.journal: No such file or directory\n", run.err)
  end)

  it("resumes with results for the same sizes and build options only", function()
    local folder = support.folder()
    assert.equal(0, tune(space(), {}, {folder = folder}).status)
    for fields, what in pairs {["space.options = '-cl-fast-relaxed-math'"] = "other build options",
                               ["space.global_size = 32"] = "other sizes"} do
      local run = tune(space(fields), {"--resume"}, {folder = folder})
      assert.equal(1, run.status)
      assert.matches("out.json.journal are for " .. what, run.err, 1, true)
    end
    assert.equal(0, tune(space(), {"--resume"}, {folder = folder}).status)
  end)

  it("says what is wrong with an answer, a metric and a name", function()
    for fields, text in pairs {
      ["space.answer = {}"] = "the space: the answer has no array, so nothing would be verified",
      ["space.answer = {5}"] = "the space: answer[1] must be an array, not a number",
      ["space.answer = {cl.array.float(32)}"] = "the space: answer[1] has 32 elements, but the argument 64",
      ["space.metrics, space.objective = {m = function() end}, 'm'"] =
        "the space: metrics.m must return a number, not nothing",
      ["space.metrics = {m = function() return 'fast' end}"] =
        "the space: metrics.m must return a number, not a string",
      ["space.metrics = {time = function() return 1 end}"] =
        "the space: metrics.time: the time is kept anyway; give the metric another name",
      ["space.arguments = function() return 3 end"] = "the space: arguments must return a table, not a number",
      ["space.source = function() end"] = "the space: source must return a string, not nothing",
      ["space.zone, space.kind, space.area, space.b, space[1] = 1, 1, 1, 1, 1"] = "the space: there is no field 1",
      ["space.metrics = {z = 1, x = 2, y = 3}"] = "the space: metrics.x must be a function of p and the seconds",
      ["space.kernel_name = 3"] = "the space: kernel_name must be a string, not a number",
      ["space.options = 3"] = "the space: options must be a string, table or function, not a number",
      ["space.objective = 'speed'"] = "the space: objective must be 'time' or one of metrics, not 'speed'",
      ["space.global_size = {}"] = "the space: global_size must be one to three numbers",
      ["space.local_size = {4, 'x'}"] = "the space: local_size[2] must be a number of 1 or more, not x",
      ["space.options = {defines = 5}"] = "the space: options.defines must be a table, not a number",
      ["space.launch, space.verify = function() return 5 end, function() return true end"] =
        "the space: launch must return a function",
      ["space.name = 'a/b'"] = "the space: name must do as the name of a file, unlike 'a/b'",
      ["space.tune_params['2x'] = {1}"] =
        "the space: tune_params['2x']: is no identifier, so it cannot be a macro: give it another name",
      ["space.tune_params.float4 = {1}"] =
        "the space: tune_params['float4']: is a word of OpenCL C, so it cannot be a macro: give it another name",
    } do
      local run = tune(space(fields))
      assert.equal(1, run.status, fields)
      assert.equal("clue tune: " .. text .. "\n", run.err)
    end
  end)

  it("shows what the compiler says of the reference configuration, and of another one", function()
    local run = tune(space "space.answer, space.reference = nil, {WORK = 'nothing', block_size_x = 4}")
    assert.equal(1, run.status)
    assert.matches("^clue tune: the space: the reference configuration fails: clBuildProgram: CL_BUILD_PROGRAM_FAILURE "
      .. "%(%-11%): the source does not compile: see the log; first at line 4: use of undeclared identifier 'nothing'\n"
      .. "[^\n]*4:%d+: error: use of undeclared identifier 'nothing'\n[^\n]*k < WORK[^\n]*\n +%^\n", run.err)
    run = tune(space "space.source = space.source:gsub('x%[i%] %*= 2', '\\n#if WORK == 40\\nnothing;\\n#endif\\n%0')")
    assert.equal(0, run.status)
    assert.matches("\nfailed: 1 by the compiler: [^\n]* use of undeclared identifier 'nothing'\n        WORK=40\n"
      .. "        [^\n]*: error: use of undeclared identifier 'nothing'\n        nothing;\n        %^\n", run.out)
  end)

  it("says before it builds anything what is wrong with a listed configuration", function()
    for fields, text in pairs {
      ["space.reference = {WORK = 1, block_size = 4}"] =
        "the space: reference: there is no parameter 'block_size' (is block_size_x meant?)",
      ["space.reference = {WORK = 1}"] = "the space: reference: the parameter block_size_x is missing",
      ["space.first = {{WORK = 1, block_size_x = 4}, 5}"] =
        "the space: first[2]: it must be a table, {name = value}, not a number",
      ["space.first = {WORK = 1, block_size_x = 4}"] =
        "the space: first is a list of configurations, {{...}}: it has the key WORK",
      ["space.first = {{WORK = 40}}"] = "the space: first[1]: the parameter block_size_x is missing",
      ["space.first = {{WORK = '1', block_size_x = 4}}"] = "the space: first[1]: tune_params.WORK has no value '1'",
      [ [[space.restrictions = {function() return true end, function(p) return p.WORK == 1 end}
          space.first = {{WORK = 40, block_size_x = 4}}]] ] = "the space: first[1]: restriction 2 excludes it",
    } do
      local run = tune("local kernel = 'does not compile' " .. space(fields .. " space.source = kernel"))
      assert.equal(1, run.status, fields)
      assert.equal("clue tune: " .. text .. "\n", run.err)
      assert.is_nil(run.document)
    end
    local one = '{"WORK": 1, "block_size_x": 4}'
    for text, says in pairs {
      [('[%s, {"WORK": 7, "block_size_x": 4}]'):format(one)] = "configuration 2: tune_params.WORK has no value 7",
      [("[%s, %s]"):format(one, one)] = "configuration 2 is there twice",
      [one] = "not a JSON list of configurations",
    } do
      local path = support.write(text, support.temporary ".json")
      assert.equal(("clue tune: --candidates: %s: %s\n"):format(path, says),
        tune(space(), {"--candidates", path}).err)
    end
    assert.equal("clue tune: --candidates: /nowhere/x: No such file or directory\n",
      tune(space(), {"--candidates", "/nowhere/x"}).err)
  end)

  it("refuses a tolerance below 0, and a number of verify's, of which 0 would be true", function()
    for fields, text in pairs {
      ["space.rtol = -1"] = "the space: rtol must be 0 or more, not -1",
      ["space.atol = 0 / 0"] = "the space: atol must be 0 or more, not nan",
      ["space.verify = function() return 0 end"] =
        "the space: verify returned 0: return true or false (in Lua, 0 is true)",
    } do
      local run = tune(space(fields))
      assert.equal(1, run.status, fields)
      assert.matches("clue tune: " .. text .. "\n", run.err, 1, true)
    end
    local _, _, err = support.run({"check", support.write(space "space.verify = function() return 0 end")})
    assert.matches("the space: verify returned 0: return true", err, 1, true)
  end)

  it("shows the only configuration of a space with all of its values", function()
    local run = tune(space [[space.tune_params = {WORK = {1}, block_size_x = {4}}
      space.answer, space.reference = nil, {WORK = 1, block_size_x = 4}]])
    assert.equal(0, run.status, run.err)
    assert.matches("\nthe best is the reference, WORK=1 block_size_x=4\n", run.out, 1, true)
  end)

  it("refuses a second definition of a parameter's name, wherever it is", function()
    for fields, text in pairs {
      ["space.options = {defines = {WORK = 3, N = 1}}"] = "options.defines.WORK",
      ["space.options = '-D N=1 -DWORK=3'"] = "options: -D WORK",
      ["space.options = {'-w', '-U WORK'}"] = "options: -U WORK",
      ["space.options = function(p) return p.WORK > 1 and '-D WORK=1' or nil end"] = "options: -D WORK",
      ["space.source = '#define WORK 3\\n' .. space.source"] = "#define WORK in the source",
    } do
      local run = tune(space(fields))
      assert.equal(1, run.status, fields)
      assert.equal("clue tune: the space: " .. text .. " and tune_params.WORK define the same macro: leave one out\n",
        run.err)
    end
    local run = tune(space(), {}, {build_options = "-D WORK=3"})
    assert.equal("clue tune: the space: CLUE_BUILD_OPTIONS: -D WORK and tune_params.WORK define the same macro: leave "
      .. "one out\n", run.err)
    assert.equal(0, tune(space "space.options = {defines = {WORKERS = 3}}").status)
  end)

  it("fails only the configuration whose metric is no number to compute with, also in the last measurement", function()
    for value, text in pairs {["1 / 0"] = "a finite number, not inf", ["0 / 0"] = "a finite number, not ",
                              ["-1"] = "0 or more, being the objective, of which more is better, not -1"} do
      local metrics = ("space.metrics = {m = function(p) return p.WORK > 1 and %s or 2 end}"):format(value)
      local run = tune(space(metrics .. " space.objective = 'm'"))
      assert.equal(0, run.status, run.err)
      assert.matches("failed: 1 by a constraint: metrics.m must be " .. text, run.out, 1, true)
      assert.equal(2, #run.document.results)
      assert.equal(1, #run.document.clue.best)
      local resumed = tune(space(metrics), {"--resume"}, {folder = run.folder})
      assert.equal(0, resumed.status, resumed.err)
    end
    -- the time of each launch is another one, so the metric changes when the best is measured again
    local run = tune(space [[
      local calls = 0
      space.metrics = {m = function() calls = calls + 1 return calls > 2 and 1 / 0 or 2 end}]])
    assert.equal(1, run.status)
    assert.matches("failed: 2 by a constraint: metrics.m must be a finite number, not inf", run.out, 1, true)
  end)

  it("keeps what was measured before a fault of the space ends the run", function()
    local run = tune(space "space.metrics = {m = function(p) return p.WORK == 1 and 2 or nil end}",
      {"--candidates", support.write('[{"WORK": 1, "block_size_x": 4}, {"WORK": 40, "block_size_x": 4}]',
      support.temporary ".json")})
    assert.equal(1, run.status)
    assert.equal("clue tune: the space: metrics.m must return a number, not nothing\n", run.err)
    assert.equal(1, #run.document.results)
  end)

  it("takes Oclgrind by the command's --device as by clue's own", function()
    local run = tune(space(), {"--device", "oclgrind", "--evaluations", "1"}, {driver = "null"})
    assert.equal(0, run.status, run.err)
    assert.matches("Oclgrind Simulator", run.out, 1, true)
  end)

  it("tells of a process that ends, or never ends, while it loads the space", function()
    for lines, ends in pairs {
      ["os.exit(3)"] = {"60", "the process failed with exit status 3"},
      ["while true do end"] = {"1", "the process stopped after 1 s (--time-limit)"},
    } do
      local run = tune(([[
        local file = assert(io.open(arg[1], "a+"))
        file:write "."
        file:flush()
        file:seek "set"
        if #file:read "*a" > 1 then %s end
        file:close()
      ]]):format(lines) .. space(), {support.folder() .. "/loads", "--time-limit", ends[1]})
      assert.equal(1, run.status)
      assert.equal("clue tune: " .. ends[2] .. "\n", run.err)
    end
  end)

  it("names the device's limit that a work-group exceeds, and what a launch raises", function()
    local run = tune(space "space.local_size = 2 ^ 20")
    assert.equal(1, run.status)
    assert.matches("failed: 2 by the device: needs work%-groups of 1048576, the device has %d+\n", run.out)
    run = tune(launched [[
      launch = function(p) return function() return p.KIND == 0 and error "no luck" or 5 end end,
      verify = function() return true end,
    ]])
    assert.equal(0, run.status, run.err)
    assert.matches("failed: 1 by the device: .*space.lua:%d+: no luck\n", run.out)
    assert.equal("correct", run.document.results[1].invalidity)
  end)

  it("says that a share of the peak cannot be the end where the peak cannot be measured", function()
    local run = tune(space "space.flops = 64", {"--stop-at", "0.5"}, {driver = "null"})
    assert.equal(1, run.status)
    assert.equal("clue tune: --stop-at: the device's peak could not be measured: `clue peak` says why\n", run.err)
  end)

  it("blames no configuration for a reference that hangs", function()
    local run = tune(space [[
      space.answer, space.reference = nil, {WORK = 2000000000, block_size_x = 64} -- one thread's work
    ]], {"--time-limit", "3"})
    assert.equal(1, run.status)
    assert.equal(("clue tune: the space: its reference configuration: no answer within 3 s\n  what it does wrong: "
      .. "clue check --set WORK=2000000000 --set block_size_x=64 %s/space.lua\n"):format(run.folder), run.err)
  end)

  it("takes 1 for a group's size that is no parameter, and names the only configuration", function()
    for _, fields in ipairs {"space.problem_size = {16, 4}", [[
      space.tune_params.block_size_x, space.tune_params.block_size_y, space.problem_size = nil, {4}, {16, 4}]]} do
      local run = tune(space(fields .. " space.tune_params.WORK = {1}"))
      assert.equal(0, run.status, run.err)
      assert.equal("correct", run.document.results[1].invalidity, run.out)
      assert.matches("WORK=1 block_size_[xy]=4\n", run.out)
    end
  end)

  it("runs groups larger than those that the driver says are the kernel's largest", function()
    local run = tune(space "space.tune_params = {WORK = {1}, block_size_x = {64}}", {}, {driver = "rusticl"})
    assert.equal("correct", run.document.results[1].invalidity, run.out)
  end)

  it("fails a kernel that writes behind the end of a buffer", function()
    local run = tune(space [[
      space.tune_params.WORK = {1, 2, 400}
      space.source = space.source:gsub("x%[i%] %*= 2;",
        "x[i] *= 2; if (WORK > 1 && i == 0) x[WORK == 2 ? 64 : 64 + WORK] = 1;")]])
    assert.equal(0, run.status)
    assert.is_truthy(run.out:find("the kernel writes behind the end of argument 0 'x', 1600 bytes from there", 1, true))
    assert.is_truthy(run.out:find("behind the end of argument 0 'x', at the first byte there", 1, true))
    assert.is_truthy(run.out:find("WORK=400", 1, true))
  end)

  it("keeps what the space prints away from its JSON", function()
    local run = tune(space "print('from', 'the space') io.write 'and more\\n'", {"--json", "--evaluations", "1"})
    assert.equal(0, run.status)
    assert.equal("1.0.0", json.decode(run.out).schema_version)
    assert.is_truthy(run.err:find("from\tthe space", 1, true))
    assert.is_truthy(run.err:find("and more", 1, true))
  end)

  it("keeps the results that are there if it begins anew, and says how to go on with them", function()
    local first = tune(space(), {"--evaluations", "2"})
    assert.equal("", first.err)
    local path, folder = first.folder .. "/out.json", {folder = first.folder}
    local old = path .. ".old"
    local results, log = support.read(path), support.read(path .. ".journal")
    local again = tune(space(), {"--evaluations", "1"}, folder)
    assert.equal(("clue: %s had results: %s keeps them\nclue: begins anew; `--results %s --resume` goes on with the 2 "
      .. "results of the run before\n"):format(path, old, old), again.err)
    assert.same({results, log}, {support.read(old), support.read(old .. ".journal")})
    assert.equal(1, #again.document.results)
    local resumed = tune(space(), {"--evaluations", "2", "--resume", "--results", old}, folder)
    assert.equal("", resumed.err)
    assert.equal(2, #json.decode(support.read(old)).results)
    assert.equal(log, support.read(old .. ".journal")) -- nothing was measured again
    assert.is_true(os.remove(old .. ".journal") and lfs.mkdir(old .. ".journal"))
    again = tune(space(), {"--evaluations", "1"}, folder) -- what cannot be kept is not emptied
    assert.equal(1, again.status)
    assert.matches("clue tune: the journal: [^\n]*old%.journal", again.err)
  end)

  it("says that it compares the best in the objective", function()
    local run = tune(space [[
      space.metrics = {work = function(p, seconds) return p.WORK ^ 4 / seconds end}
      space.objective = "work"]])
    assert.matches("work / this", run.out, 1, true)
    local shown = select(2, support.run {"--quiet", "tune", "--show", run.folder .. "/out.json"})
    assert.matches("work / this", shown, 1, true)
  end)
end)
