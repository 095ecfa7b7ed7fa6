-- context:gemm goes on without kernels/gemm_tensor.cl where a driver refuses it.
-- suite: quick
-- process: shared

local cl = require "clue"
local objects = require "objects"
local tensor_sets = require "clue.gemm.tensor_sets"

describe("context:gemm where a driver refuses the kernel for tensor cores", function()
  local real, file = tensor_sets.kind, tensor_sets.file
  local context, queue

  -- A file that is missing stands for text that is refused: PoCL takes inline PTX, and ends the process at the launch.
  setup(function()
    context, queue = objects.context()
    tensor_sets.kind = function(_, type_name) return type_name == "float" and 2 or nil end
    tensor_sets.file = "no_gemm_tensor.cl"
  end)
  teardown(function() tensor_sets.kind, tensor_sets.file = real, file end)

  local function multiply(gemm)
    local ones, c = context:buffer(cl.array.float(64, 1)), context:buffer(256)
    gemm(queue, 8, 8, 8, ones, ones, c)
    return objects.contents(queue, c)[64]
  end

  -- Options that no other test has, so that the product is made here.
  local function new(options)
    options.form, options.options = "gpu", options.options or {defines = {REFUSED = 1}}
    return context:gemm("float", options)
  end

  it("computes without it from then on", function()
    local gemm = new {parameters = {TENSOR = 1}}
    assert.equal(tensor_sets, gemm.made.sets[1].of)
    assert.equal(8, multiply(gemm))
    assert.is_truthy(tostring(gemm.made.refused):find "no_gemm_tensor.cl")
    assert.equal(gemm.made.plain, gemm.made.sets)
    assert.equal(8, multiply(gemm))
  end)

  it("does so if a driver refuses the launch", function()
    local gemm = new {parameters = {TENSOR = 1, STAGES = 3}}
    local made = gemm.made
    setmetatable(made.kernels, {__index = function(_, name)
      return name:find "^own" and setmetatable({}, {__call = function() error("refused", 0) end}) or nil
    end})
    assert.equal(8, multiply(gemm))
    assert.equal(made.plain, made.sets)
  end)

  it("tells what is wrong with the script's own options", function()
    local gemm = new {parameters = {TENSOR = 1}, options = {defines = {kernel = "nothing"}}}
    assert.is_truthy(objects.refusal(multiply, gemm))
    assert.equal(tensor_sets, gemm.made.sets[1].of)
  end)
end)
