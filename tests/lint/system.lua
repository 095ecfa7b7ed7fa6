-- clue tests/lint/system.lua [ROOT]: whether host/sys/posix and host/sys/windows alone know the system. All other C and
-- C++ code includes only headers of ISO C, of C++ and of libraries, and no build file asks for more than ISO C on its
-- behalf: then the compiler refuses the system's functions in it. So another system is another folder beside posix/.
-- Each fault is one line; without one nothing is printed and the status is 0.

local root = arg[1] or "."
local rooms = dofile(arg[0]:match "^.*/" .. "rooms.lua")

-- Not threads.h: some compilers of C11 come without it.
local iso = " assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg "
  .. "stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype "
local libraries = {"^CL/", "^histedit%.h$", "^immintrin%.h$", "^llvm/", "^lauxlib%.h$", "^lua%.h$", "^luajit%.h$",
                   "^lualib%.h$", "^mpi%.h$", "^oclgrind/", "^png%.h$"}
local features = {"_DEFAULT_SOURCE", "_GNU_SOURCE", "_POSIX_C_SOURCE", "_XOPEN_SOURCE"}

local function is_allowed(header)
  for _, pattern in ipairs(libraries) do
    if header:find(pattern) then return true end
  end
  local name = header:match "^([%w_]+)%.h$"
  return not header:find("[./]") or name and iso:find(" " .. name .. " ", 1, true) ~= nil
end

local function fault_of(path, line)
  local header = line:match "^%s*#%s*include%s*<([^>]+)>"
  if header and not is_allowed(header) then
    return ("<%s> is not of ISO C: call a function of host/sys/system.h; a new one is written in host/sys/posix, or "
            .. "a new library named in tests/lint/system.lua"):format(header)
  end
  for _, feature in ipairs(features) do
    -- clue_sys is that folder's code; what CMake only tries compiles nothing of ours
    local is_build = path:find "%.txt$" or path:find "%.cmake$"
    local is_ours = is_build and (line:find "clue_sys" or line:find "CMAKE_REQUIRED")
    if line:find("%f[%w_]" .. feature .. "%f[^%w_]") and not is_ours then
      return feature .. " makes the system's functions known: only host/sys/posix may call them, see host/sys/system.h"
    end
  end
end

for path in rooms.lines_of(("cd '%s' && find host bindings -path host/sys/posix -prune -o -path host/sys/windows "
  .. "-prune -o -type f '(' -name '*.[ch]' -o -name '*.cpp' -o -name '*.def' -o -name CMakeLists.txt "
  .. "-o -name '*.cmake' ')' -print"):format(root)) do
  local number = 0
  for line in io.lines(root .. "/" .. path) do
    number = number + 1
    local fault = fault_of(path, line)
    if fault then rooms.fault("%s:%d: %s", path, number, fault) end
  end
end
rooms.finish()
