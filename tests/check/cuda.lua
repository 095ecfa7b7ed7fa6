-- Translates kernels in CUDA to OpenCL C, for collections.lua: words, and the address spaces of pointers that are
-- arguments. What has templates, classes or pointers that change their space does not compile afterwards.
local cuda = {}

local words = {
  {"__global__", "__kernel"}, {"__device__", ""}, {"__host__", ""}, {"__forceinline__", ""}, {"__inline__", "inline"},
  {"__restrict__", "restrict"}, {"__constant__", "__constant"}, {"__syncthreads", "cuda_barrier"},
  {"threadIdx", "get_local_id"}, {"blockIdx", "get_group_id"}, {"blockDim", "get_local_size"},
  {"gridDim", "get_num_groups"},
}

local head = [[
#define cuda_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define __threadfence() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define __threadfence_block() mem_fence(CLK_LOCAL_MEM_FENCE)
#define atomicAdd atomic_add
#define atomicSub atomic_sub
#define atomicInc(p, n) atomic_inc(p)
#define atomicMax atomic_max
#define atomicMin atomic_min
#define atomicExch atomic_xchg
#define atomicCAS atomic_cmpxchg
#define atomicOr atomic_or
#define atomicAnd atomic_and
#define assert(x) if (!(x)) return
#define __requires(x) if (!(x)) return;
#define __assume(x) if (!(x)) return
#define __syncwarp() cuda_barrier()
#define sqrtf sqrt
#define fabsf fabs
#define __mul24 mul24
#define __umul24 mul24
#line 1
]]

local dimensions = {x = 0, y = 1, z = 2}

-- Arguments that are pointers lead to global memory.
local function with_spaces(list)
  return (list:gsub("[^,()]+", function(one)
    return one:find "[*%[]" and not one:find "__%a+%s" and " __global " .. one or one
  end))
end

-- Local memory that is declared outside becomes the kernel's own.
local function take_shared(text)
  local declared = {}
  text = ("\n" .. text):gsub("\n(__local%s[^;({]+;)", function(one)
    declared[#declared + 1] = one
    return "\n"
  end)
  return text:sub(2), table.concat(declared, " ")
end

-- A host of CUDA may write constant memory before a launch: it becomes an argument of each kernel.
local function take_constant(text)
  local arguments = {}
  text = ("\n" .. text):gsub("\n__constant%s+([%w_ ]-)%s*([%w_]+)%s*%b[][^;]*;", function(type, name)
    arguments[#arguments + 1] = ("__constant %s *%s"):format(type, name)
    return "\n"
  end)
  return text:sub(2), table.concat(arguments, ", ")
end

-- "(int *a)" with more arguments.
local function with_arguments(list, more)
  local own = list:match "^%(%s*(.-)%s*%)$"
  return "(" .. own .. (own ~= "" and more ~= "" and ", " or "") .. more .. ")"
end

--- Translates a text.
-- @tparam string text
-- @treturn string
function cuda.translate(text)
  text = text:gsub('#include[^\n]*', "")
  for _, pair in ipairs(words) do text = text:gsub("%f[%w_]" .. pair[1] .. "%f[^%w_]", pair[2]) end
  text = text:gsub("(get_[%a_]+)%s*%.%s*([xyz])%f[^%w_]", function(name, dimension)
    return ("((uint)%s(%d))"):format(name, dimensions[dimension])
  end)
  text = text:gsub("extern%s+__shared__%s+([%w_ ]+)%[%s*%]", "__local %1[1024]")
  text = text:gsub("__shared__", "__local")
  text = text:gsub("\n([ \t]+)[%w_]+ *%*%s*([%w_]+)%s*=", "\n%1__auto_type %2 =") -- a pointer to any space
  local shared, constant
  text, shared = take_shared(text)
  text, constant = take_constant(text)
  text = text:gsub("(__kernel%s[^({;]*)(%b())(%s*{?)", function(before, list, body)
    return before .. with_arguments(with_spaces(list), constant) .. body .. (body:find "{" and shared or "")
  end)
  return head .. text
end

return cuda
