-- What is installed is linked and compiled such that a fault of memory ends the process.
local support = require "support"

local build = support.clue:match "^(.*)/"

local function read_elf(options, file)
  local pipe = assert(io.popen(("readelf -W %s '%s' 2>&1"):format(options, file)))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

-- All ELF files of the build that are installed.
local function binaries()
  local list = {}
  local pipe = assert(io.popen(("find '%s/lua' -name '*.so' -type f; find '%s' -maxdepth 1 -name '*.so' | sort -u")
    :format(build, build)))
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

describe("every binary", function()
  local files = binaries()
  files[#files + 1] = build .. "/clue"

  it("is looked at", function()
    local names = table.concat(files, "\n")
    for _, name in ipairs {"/libclue.so", "/lua/clue/capi/lua54.so", "/lua/clue/editor.so", "arithmetic/lua51.so"} do
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

  it("checks its stack, and the lengths of copies and formats", function()
    for _, file in ipairs(files) do
      assert.matches("__stack_chk_fail", read_elf("--dyn-syms", file), 1, true, file)
    end
    for _, name in ipairs {"/clue", "/libclue.so"} do
      assert.matches("__%l+_chk@", read_elf("--dyn-syms", build .. name))
    end
  end)
end)
