-- The linter of host/core's folders (tests/lint/core.lua), run on small trees that this spec compiles: one without
-- faults, and copies of it with one fault each.
-- suite: whole

local support = require "tests.spec.support"

local heading = "\n| folder of the core | what it owns | uses |\n|---|---|---|\n"

-- Two folders; high may use low.
local sound = {
  ["CONTRIBUTING.md"] = heading .. "| `sys` | the clock | |\n| `low` | what lies below | |\n"
    .. "| `high` | what stands on it | low |\n",
  ["host/core/low/low.h"] = "/* low.h - numbers.\n * Used by high. */\nint low_add(int a);\n",
  ["host/core/low/internal.h"] = "int low_twice(int a);\n",
  ["host/core/low/add.c"] = '#include "low/low.h"\n#include "low/internal.h"\n'
    .. "int low_add(int a) { return low_twice(a); }\n",
  ["host/core/low/twice.c"] = '#include "low/internal.h"\nint low_twice(int a) { return 2 * a; }\n',
  ["host/core/high/high.h"] = "/* high.h - sums. Used by no other folder. */\n",
  ["host/core/high/high.c"] = '#include "high/high.h"\n#include "low/low.h"\n'
    .. "int clue_high(int a);\nint clue_high(int a) { return low_add(a); }\n",
  ["host/sys/clock.c"] = "int clue_clock(void);\nint clue_clock(void) { return 0; }\n",
}

-- Compiles such a tree, with its objects where CMake puts those of the library.
local compile = [[
mkdir -p build/tests build/host/CMakeFiles/libclue.dir build/host/CMakeFiles/clue_sys.dir && cd host || exit
for file in $(find . -name '*.c'); do
  object=../build/host/CMakeFiles/libclue.dir/$file.o
  mkdir -p "${object%/*}" && cc -c -I core -o "$object" "$file" || exit
done]]

local function write(files)
  local root = support.folder()
  for path, text in pairs(files) do
    os.execute(("mkdir -p '%s/%s'"):format(root, path:match "^(.*)/" or ""))
    support.write(text, root .. "/" .. path)
  end
  return root
end

-- Lints the sound tree with these files added or replaced. Returns the linter's status and output.
local function lint(changes)
  local files = {}
  for path, text in pairs(sound) do files[path] = text end
  for path, text in pairs(changes) do files[path] = text end
  local root = write(files)
  local failed, _, said = support.execute {"sh", "-c", "cd " .. root .. " && " .. compile}
  assert.equal(0, failed, said)
  local code, out, err = support.run {"tests/lint/core.lua", root, root .. "/build"}
  assert.equal("", err)
  return code, out
end

local function refuses(expected, changes)
  local code, out = lint(changes)
  assert.equal(1, code)
  assert.equal(expected .. "\n", out)
end

describe("the linter of the core's folders", function()
  it("accepts uses that run one way", function()
    local code, out = lint {}
    assert.equal("", out)
    assert.equal(0, code)
  end)

  it("names the files and the symbols of a circle of calls", function()
    refuses("a circle: host/core/low/add.c uses low_twice of host/core/low/twice.c, host/core/low/twice.c uses low_add "
      .. "of host/core/low/add.c; move what both need into a file of its own, or hand it in as a function",
      {["host/core/low/twice.c"] = '#include "low/low.h"\n#include "low/internal.h"\n'
       .. "int low_twice(int a) { return a > 9 ? low_add(a) : 2 * a; }\n"})
  end)

  it("names all files of a longer circle", function()
    local _, out = lint {
      ["host/core/low/internal.h"] = "int low_twice(int a);\nint low_more(int a);\n",
      ["host/core/low/twice.c"] = '#include "low/internal.h"\nint low_twice(int a) { return low_more(a); }\n',
      ["host/core/low/more.c"] = '#include "low/low.h"\n#include "low/internal.h"\n'
        .. "int low_more(int a) { return low_add(a); }\n",
    }
    assert.matches("a circle: host/core/low/add.c uses low_twice of host/core/low/twice.c, host/core/low/twice.c uses "
      .. "low_more of host/core/low/more.c, host/core/low/more.c uses low_add of host/core/low/add.c; ", out, 1, true)
  end)

  it("refuses a call from a lower folder to a higher one", function()
    refuses("host/core/low/twice.c uses clue_high of host/core/high/high.c, but low may not use high: move what it "
      .. "needs down to where both may use it, or have the higher folder hand in a function",
      {["host/core/low/twice.c"] = '#include "low/internal.h"\nint clue_high(int a);\n'
       .. "int low_twice(int a) { return clue_high(a); }\n"})
  end)

  it("refuses a lower folder's #include of a higher one's header", function()
    refuses("host/core/low/twice.c includes host/core/high/high.h, but low may not use high: move what it needs down "
      .. "to where both may use it, or have the higher folder hand in a function",
      {["host/core/low/twice.c"] = '#include "low/internal.h"\n#include "../high/high.h"\n'
       .. "int low_twice(int a) { return 2 * a; }\n"})
  end)

  it("refuses another folder's internal header", function()
    refuses("host/core/high/use.c includes host/core/low/internal.h, which is low's own: include low/low.h, and "
      .. "declare there what others may use", {["host/core/high/use.c"] = '#include "low/internal.h"\n'})
  end)

  it("refuses OpenCL's header, which would bypass the trace", function()
    refuses("host/core/high/use.c includes <CL/cl.h>, so no trace shows its calls: include base/base.h instead",
      {["host/core/high/use.c"] = "#define CL_TARGET_OPENCL_VERSION 300\n#include <CL/cl.h>\n"})
  end)

  it("refuses a function that could be static", function()
    refuses("host/core/high/use.c: nothing else uses high_use: make it static, or delete it",
      {["host/core/high/use.c"] = "int high_use(int a);\nint high_use(int a) { return a; }\n"})
  end)

  it("refuses a public declaration that only its own folder uses", function()
    refuses("host/core/low/low.h declares low_twice, which low alone uses: declare it in low/internal.h",
      {["host/core/low/low.h"] = sound["host/core/low/low.h"] .. "int low_twice(int a);\n"})
  end)

  it("refuses a header whose first comment contradicts the table", function()
    refuses("host/core/low/low.h: the comment at its head should say 'Used by high.'",
      {["host/core/low/low.h"] = "/* low.h - numbers. Used by all. */\nint low_add(int a);\n"})
  end)

  it("refuses a table that the files contradict", function()
    refuses("CONTRIBUTING.md: high uses nothing of sys: take it from its row",
      {["CONTRIBUTING.md"] = (sound["CONTRIBUTING.md"]:gsub("low |\n$", "low, sys |\n"))})
    refuses("CONTRIBUTING.md: the table of folders has no row for new, where host/core/new/new.c is",
      {["host/core/new/new.c"] = "\n"})
  end)

  it("refuses a table whose rows use later rows", function()
    local _, out = lint {["CONTRIBUTING.md"] = (sound["CONTRIBUTING.md"]:gsub("below | |", "below | high |"))}
    assert.matches("CONTRIBUTING.md: low uses high, which has no row above it: uses run one way\n", out, 1, true)
  end)

  it("asks for a build if there are no objects", function()
    local root = write(sound)
    local out = support.ended(1, support.run {"tests/lint/core.lua", root, root .. "/build"})
    assert.matches("build/host/CMakeFiles/libclue.dir has no objects: ./dev build makes them\n", out, 1, true)
  end)
end)
