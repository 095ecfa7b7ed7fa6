--- Matrix products by other projects' libraries, as rows to compare with. They run only where the library is installed:
-- clue loads it when the step runs.
-- @module clue.walk.library
local arithmetic = require "clue.walk.arithmetic"
local binding = require "clue.binding"
local installing = require "clue.installing"

local library = {}

-- Where a library is from, and on which devices it computes.
local known = {
  openblas = {
    title = "OpenBLAS", advice = installing.advice "libopenblas0",
    refusal = function(device)
      return not device:is_kind "cpu" and "OpenBLAS computes on the host's processors, not on this device"
    end,
  },
  clblast = {title = "CLBlast", advice = installing.advice "libclblast1", refusal = function() end},
  cublas = {
    title = "cuBLAS", advice = "; it is part of NVIDIA's CUDA toolkit",
    refusal = function(device)
      return not device:has_extension "cl_nv_device_attribute_query" and "cuBLAS computes on NVIDIA's devices only"
    end,
  },
}

-- ---- the parts of a step ----

local parts_of = {}

-- clue does not see a library's kernels, so the host's clock stands for theirs.
local function seconds_of(work)
  local start = binding.now()
  work()
  return binding.now() - start
end

-- The matrices stay where they are.
parts_of.openblas = function(p)
  return {
    reset = function() p.c:fill(0) end,
    execute = function()
      return seconds_of(function() arithmetic.library_openblas(p:layout(), binding.processor_count()) end)
    end,
  }
end

parts_of.clblast = function(p, context)
  local queue = context:queue()
  local a, b, c = context:buffer(p.a, "read_only"), context:buffer(p.b, "read_only"), context:buffer(p.c)
  return {
    upload = function() queue:write_buffer(a, p.a) queue:write_buffer(b, p.b) end,
    reset = function() p.c:fill(0) queue:write_buffer(c, p.c) end,
    execute = function()
      return seconds_of(function()
        arithmetic.library_clblast(p:layout(), queue.handle, a.handle, b.handle, c.handle)
        queue:finish()
      end)
    end,
    read = function() queue:read_buffer(c, p.c) end,
  }
end

parts_of.cublas = function(p, context)
  arithmetic.library_cublas_start(p:layout(), context.device.pci)
  return {
    upload = function() arithmetic.library_cublas_upload(p:layout()) end,
    reset = function()
      p.c:fill(0)
      arithmetic.library_cublas_reset(p:layout())
    end,
    execute = function() return arithmetic.library_cublas_compute(p:layout()), "device" end,
    read = function() arithmetic.library_cublas_read(p:layout()) end,
  }
end

--- The parts of a step that lets a library compute a product.
-- @tparam string name "openblas", "clblast" or "cublas"
-- @tparam Product p with B by rows
-- @tparam context context
-- @treturn[1] table for @{clue.walk.run}
-- @treturn[1] string what the library says of itself
-- @treturn[2] nil
-- @treturn[2] string why it cannot run here
function library.parts(name, p, context)
  local it = known[name]
  local refusal = it.refusal(context.device)
  if refusal then return nil, refusal end
  local version, why = arithmetic.library_load(name)
  if not version then return nil, ("%s cannot be loaded (%s)%s"):format(it.title, why, it.advice) end
  local parts = parts_of[name](p, context)
  parts.flops, parts.bytes, parts.repeats = p.flops, p:bytes(), p.repeats
  return parts, version ~= "" and version or it.title
end

return library
