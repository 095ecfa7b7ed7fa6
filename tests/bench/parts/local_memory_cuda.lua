-- Launches the programs that tests/bench/local_memory kept, by CUDA's driver, for Nsight Compute to see: FOLDER, how
-- many, and the iterations. Each kernel runs twice, in one warp: without iterations, then with all.
local ffi = require "ffi"

ffi.cdef [[
  int cuInit(unsigned flags);
  int cuDevicePrimaryCtxRetain(void **context_out, int device);
  int cuCtxSetCurrent(void *context);
  int cuModuleLoadData(void **module_out, const char *text);
  int cuModuleGetFunction(void **function_out, void *module, const char *name);
  int cuMemAlloc_v2(uint64_t *memory_out, size_t bytes);
  int cuLaunchKernel(void *kernel, unsigned x, unsigned y, unsigned z, unsigned group_x, unsigned group_y,
                     unsigned group_z, unsigned local_bytes, void *stream, void **arguments, void **more);
  int cuCtxSynchronize(void);
]]
local cuda = ffi.load "libcuda.so.1"
local folder, count, times = arg[1], tonumber(arg[2]), tonumber(arg[3])

local function call(name, ...)
  local code = cuda[name](...)
  assert(code == 0, ("%s: %d"):format(name, code))
end

local function pointer()
  return ffi.new "void *[1]"
end

local context = pointer()
call("cuInit", 0)
call("cuDevicePrimaryCtxRetain", context, 0)
call("cuCtxSetCurrent", context[0])
local out, clocks = ffi.new "uint64_t[1]", ffi.new "uint64_t[1]"
call("cuMemAlloc_v2", out, 2 ^ 16)
call("cuMemAlloc_v2", clocks, 2 ^ 16)

for i = 1, count do
  local file = assert(io.open(("%s/%02d.ptx"):format(folder, i), "rb"))
  local text, module, kernel = file:read "*a", pointer(), pointer()
  file:close()
  call("cuModuleLoadData", module, text)
  call("cuModuleGetFunction", kernel, module[0], "pattern")
  for _, iterations in ipairs {0, times} do
    local step, most = ffi.new("unsigned[1]", 0), ffi.new("unsigned[1]", iterations)
    call("cuLaunchKernel", kernel[0], 1, 1, 1, 32, 1, 1, 0, nil,
      ffi.new("void *[4]", {out, clocks, step, most}), nil)
    call("cuCtxSynchronize")
  end
end
