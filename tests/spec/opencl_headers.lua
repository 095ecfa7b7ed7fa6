--- The names in Khronos' headers, read from their text, to compare clue's own with them.
-- The text is read line by line and not preprocessed, so that mistakes of the build are found.
local headers = {}

local folder = assert(os.getenv("CLUE_OPENCL_HEADERS"), "CLUE_OPENCL_HEADERS: ctest names the folder with CL/cl.h")

-- The lines without comments. A macro over several lines becomes one line.
local function text_of(name)
  local file = assert(io.open(folder .. "/CL/" .. name, "rb"))
  local text = file:read("*a")
  file:close()
  return (text:gsub("/%*.-%*/", " "):gsub("//[^\n]*", ""):gsub("\\\r?\n", " "))
end

--- Everything that the headers define.
-- @treturn table functions, macros (those that take arguments), types: sets of names; constants: their text by name
function headers.read()
  local found = {functions = {}, constants = {}, macros = {}, types = {}}
  for _, name in ipairs {"cl_version.h", "cl_platform.h", "cl.h", "cl_ext.h", "cl_gl.h", "cl_egl.h"} do
    local text = text_of(name)
    for constant, value in text:gmatch "\n[ \t]*#[ \t]*define[ \t]+(CL_[%w_]+)[ \t]+([^\n]-)[ \t]*%f[\n]" do
      if value ~= "" then found.constants[constant] = value end
    end
    for macro in text:gmatch "\n[ \t]*#[ \t]*define[ \t]+(CL_[%w_]+)%(" do found.macros[macro] = true end
    -- CL_API_CALL is before a function's name. In the headers of OpenCL 3.0 the only others are in types of pointers,
    -- in those of 3.1 also in types of functions, clFoo_t.
    for fn in text:gmatch "CL_API_CALL%s+(cl%u[%w_]*)%s*%(" do
      if not fn:find "_t$" then found.functions[fn] = true end
    end
    for typedef in text:gmatch "\n[ \t]*typedef%s[^;{}]-%f[%w_](cl_[%w_]+)%s*;" do found.types[typedef] = true end
    for typedef in text:gmatch "%*%s*(cl[%w_]+_fn)%s*%)" do found.types[typedef] = true end
    for typedef in text:gmatch "\n}%s*(cl_[%w_]+)%s*;" do found.types[typedef] = true end
  end
  return found
end

local function value_of(found, text)
  if not text then return nil end
  text = text:gsub("^%((.*)%)$", "%1")
  local base, shift = text:match "^(%d+)%s*<<%s*(%d+)$"
  if base then return tonumber(base) * 2 ^ tonumber(shift) end
  return tonumber(text) or text:match '^"(.*)"$' or value_of(found, found.constants[text])
end

--- The value of a constant that is written plainly: 0x10D, -5, (1 << 3), "cl_khr_fp16", another constant's name.
-- @tparam table found the result of headers.read
-- @tparam string name
-- @treturn ?number|string nil if it is not plain, or does not exist
function headers.value(found, name)
  return value_of(found, found.constants[name])
end

return headers
