-- `clue tune --capture`: a captured call is the kernel, the data and the answer of a space.
-- suite: whole
local cl = require "clue"
local json = require "dkjson"
local support = require "support"

local SCRIPT = [[
  local cl = require "clue"
  local context = cl.context()
  local queue = context:queue()
  local kernel = context:program([=[
    #include "by.h"
    kernel void scale(global const float *x, global float *y, float factor, local float *room)
    {
        for (int k = 0; k < ITEMS; k++) {
            size_t i = get_global_id(0) * ITEMS + k;
            room[get_local_id(0)] = x[i];
            y[i] = factor * room[get_local_id(0)] + BY;
        }
    }]=], {'-D ITEMS="(1 + 1)"', defines = {WRONG = 0},
            headers = {["by.h"] = "#define BY (3 + WRONG)"}}):kernel "scale"
  local x, y = cl.array.float(64), cl.array.float(64)
  for i = 0, 63 do x[i] = i end
  kernel(queue, 32, 8, context:buffer(x), context:buffer(y), cl.float(2), cl.local_memory(64))
  queue:finish()
]]

local function captured(text, which)
  local folder = support.temporary()
  support.ended(0, support.run({"trace", "-o", support.temporary(), "--capture", which, "--capture-folder",
                                      folder, support.write(text)}, support.drivers "oclgrind"))
  return folder
end

local function tune(text, folder)
  local home = support.folder()
  local status, out, err = support.run({"--quiet", "tune", support.write(text, home .. "/space.lua"), "--capture",
    folder, "--results", home .. "/out.json", "--strategy", "exhaustive"},
    support.drivers("oclgrind", {CLUE_CACHE_DIR = home}))
  local written = support.read(home .. "/out.json")
  return {status = status, out = out, err = err, home = home, document = written and json.decode(written)}
end

local function outcomes(run, name)
  local found = {}
  for _, result in ipairs(run.document.results) do found[result.configuration[name]] = result.invalidity end
  return found
end

describe("clue tune --capture", function()
  it("needs no more than parameters, which replace the call's own macros", function()
    local folder = captured(SCRIPT, "scale")
    local run = tune("return {tune_params = {WRONG = {0, 1}}}", folder)
    assert.equal(0, run.status, run.err)
    assert.same({[0] = "correct", [1] = "correctness"}, outcomes(run, "WRONG"))
    assert.matches("argument 1 'y' differs from the answer, first at [0]: 4 instead of 3", run.out, 1, true)
    local status, out, err = support.run({"--quiet", "-e", [[
      local best = require("clue").tuned("space", 0, 32)
      print(best.exact, best.parameters.WRONG)
    ]]}, support.drivers("oclgrind", {CLUE_CACHE_DIR = run.home}))
    assert.equal("true\t0\n", out, err)
    assert.equal(0, status)
  end)

  it("takes from the space what it has: sizes, source, options, arguments", function()
    local folder = captured(SCRIPT, "scale")
    local run = tune([[return {tune_params = {ITEMS = {1, 2, 4}, block_size_x = {4, 8}},
      global_size = function(p) return 64 / p.ITEMS end}]], folder)
    assert.equal(0, run.status, run.err)
    assert.matches("6 of 6 configurations in [%d.]+ s; 0 failed", run.out)
    run = tune([[return {tune_params = {SIGN = {1, -1}}, options = "-D UNUSED", arguments = function(p, context)
        local cl = require "clue"
        local x = cl.array.float(64)
        for i = 0, 63 do x[i] = i end
        return {x, cl.array.float(64)}
      end,
      source = "kernel void scale(global float *x, global float *y) { for (int k = 0; k < 2; k++) { "
        .. "int i = get_global_id(0) * 2 + k; y[i] = SIGN * 2 * x[i] + 3; } }"}]], folder)
    assert.equal(0, run.status, run.err)
    assert.same({[1] = "correct", [-1] = "correctness"}, outcomes(run, "SIGN"))
  end)

  it("gives images and samplers, too", function()
    local status, _, err
    local folder, picture = support.temporary(), support.temporary ".png"
    cl.image_file.save(picture, cl.array.uchar(4 * 32 * 20):random(0, 255, 1), 32, 20)
    status, _, err = support.run({"trace", "-o", support.temporary(), "--capture", "blur", "--capture-folder", folder,
      "scripts/examples/blur.lua", "--input", picture, "--radius", "1", "--output", support.temporary ".png"},
      support.drivers "oclgrind")
    assert.equal(0, status, err)
    local run = tune([[return {tune_params = {block_size_x = {4, 8}, block_size_y = {1, 5}}}]], folder)
    assert.equal(0, run.status, run.err)
    assert.matches("4 of 4 configurations in [%d.]+ s; 0 failed", run.out)
  end)

  it("says what is wrong", function()
    local function problem(text, folder)
      local run = tune(text, folder)
      assert.equal(1, run.status)
      return run.err
    end
    local plain = "return {tune_params = {A = {1}}}"
    assert.matches("^clue tune: '/nowhere' holds no captured call: /nowhere/call.lua: No such file", problem(plain,
      "/nowhere"))
    local folder = captured(SCRIPT, "scale")
    assert.matches("the space: launch does not go with --capture", problem("return {tune_params = {A = {1}}, "
      .. "launch = function() end, verify = function() end}", folder), 1, true)
    assert(os.remove(folder .. "/arg1.after.npy"))
    assert.matches("the call in '" .. folder .. "' did not finish when it was captured: the space must give answer, "
      .. "reference or verify", problem(plain, folder), 1, true)
    local _, err = support.ended(2, support.run {"tune", "--simulate", "x.json", "--capture", folder})
    assert.matches("--capture does not go with --simulate, which measures nothing", err, 1, true)
  end)
end)
