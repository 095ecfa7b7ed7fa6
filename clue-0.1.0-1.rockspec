rockspec_format = "3.0"
package = "clue"
version = "0.1.0-1"
source = {url = "git+file://."}
description = {
  summary = "OpenCL for Lua: objects, and MQL5's functions",
  detailed = [[
    Runs OpenCL kernels from Lua: devices, buffers, images, events, arrays that compute without a kernel of yours, and
    the interface of MQL5. On LuaJIT it works over the FFI, elsewhere over a module of C. The program `clue`, with its
    walkthroughs and tools, is no part of the rock.]],
  license = "MIT",
}
supported_platforms = {"linux"}
dependencies = {"lua >= 5.1, < 5.5"} -- traces ask for luafilesystem and cl.template for Penlight when they are used
build_dependencies = {}
external_dependencies = {
  OPENCL = {header = "CL/cl.h", library = "OpenCL"},
  PNG = {header = "png.h"},
}
build = {
  type = "cmake",
  variables = {
    CMAKE_BUILD_TYPE = "Release",
    CMAKE_INSTALL_PREFIX = "$(PREFIX)",
    CLUE_TESTS = "OFF",
    CLUE_ROCK = "ON",
    CLUE_ROCK_LUA = "$(LUA)",
    CLUE_ROCK_INCDIR = "$(LUA_INCDIR)",
    CLUE_ROCK_LUADIR = "$(LUADIR)",
    CLUE_ROCK_LIBDIR = "$(LIBDIR)",
  },
}
