-- What is installed is linked and compiled such that a fault of memory ends the process.
-- suite: whole
local support = require "support"

local build = support.clue:match "^(.*)/"

local function read_elf(options, file)
  return support.output_of(("readelf -W %s '%s' 2>&1"):format(options, file))
end

-- All ELF files of the build that are installed.
local function binaries()
  local list = {}
  local found = support.output_of(("find '%s/lua' -name '*.so' -type f; find '%s' -maxdepth 1 -name '*.so' | sort -u")
    :format(build, build))
  for path in found:gmatch "[^\n]+" do list[#list + 1] = path end
  return list
end

describe("every binary", function()
  local files = binaries()
  files[#files + 1] = build .. "/clue"

  it("is looked at", function()
    local names = table.concat(files, "\n")
    for _, name in ipairs {"/libclue.so", "/libclue_simulator.so", "/lua/clue/capi/lua54.so", "/lua/clue/editor.so",
                           "arithmetic/lua51.so"} do
      assert.matches(name, names, 1, true)
    end
  end)

  it("is relocated read-only at once, has no executable stack, and runs at any address", function()
    for _, file in ipairs(files) do
      local program, dynamic = read_elf("-l", file), read_elf("-d", file)
      assert.matches("GNU_RELRO", program, 1, true, file)
      assert.matches("GNU_STACK[^\n]* RW ", program, nil, nil, file)
      assert.matches("NOW", dynamic, 1, true, file)
      assert.matches("DYN ", read_elf("-h", file), 1, true, file)
    end
    assert.matches("Flags:[^\n]*PIE", read_elf("-d", build .. "/clue"))
  end)

  it("takes a libclue of its own interface only, whose number is in the library's name", function()
    local abi = assert(assert(io.open "host/include/clue.h"):read("*a"):match "CLUE_ABI = (%d+)")
    assert.matches("SONAME[^\n]*%[libclue%.so%." .. abi .. "%]", read_elf("-d", build .. "/libclue.so"))
    assert.matches("NEEDED[^\n]*%[libclue%.so%." .. abi .. "%]", read_elf("-d", build .. "/clue"))
  end)

  -- An empty name between two colons is the working folder.
  it("takes libraries from no folder but the system's and its own, relative to its place", function()
    for _, file in ipairs(files) do
      local dynamic = read_elf("-d", file)
      local path = dynamic:match "%(R[UN]*PATH%)[^%[]*%[([^%]]*)%]" or "$ORIGIN"
      for folder in (path .. ":"):gmatch "([^:]*):" do
        assert.matches("^%$ORIGIN/?[%w_./-]*$", folder, nil, nil, file)
      end
      for name in dynamic:gmatch "%(NEEDED%)[^%[]*%[([^%]]*)%]" do assert.is_nil(name:find("/", 1, true), file) end
    end
  end)

  it("has no code that is changed when it is loaded", function()
    for _, file in ipairs(files) do assert.not_matches("TEXTREL", read_elf("-d", file), 1, true, file) end
  end)

  it("loads no library from the working folder", function()
    local folder = support.folder()
    local source = support.write('#include <stdio.h>\n__attribute__((constructor)) static void f(void) '
      .. '{ puts("foreign"); }\n', folder .. "/foreign.c")
    for _, name in ipairs {"libOpenCL.so.1", "libluajit-5.1.so.2", "libedit.so.2", "libpng16.so.16"} do
      assert.equal(0, (support.execute {"cc", "-shared", "-fPIC", "-o", folder .. "/" .. name, source}))
    end
    local status, out, err = support.execute {"sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", folder, support.clue,
      "-e", "local cl = require 'clue' require 'clue.editor' print(cl.image_file ~= nil)"}
    assert.equal("", err)
    assert.equal("true\n", out)
    assert.equal(0, status)
  end)

  it("checks its stack, and the lengths of copies and formats", function()
    for _, file in ipairs(files) do
      local has_stack = not file:find "libclue_opencl" -- whose functions return a number
      if has_stack then assert.matches("__stack_chk_fail", read_elf("--dyn-syms", file), 1, true, file) end
    end
    for _, name in ipairs {"/clue", "/libclue.so"} do
      assert.matches("__%l+_chk@", read_elf("--dyn-syms", build .. name))
    end
  end)
end)
