-- The linter that keeps the system's calls in one folder (tests/lint/system.lua), on small trees.
-- suite: whole

local support = require "tests.spec.support"

-- The linter's output for a tree that has one file besides a sound one.
local function lint(path, text)
  local root = support.folder()
  local sound = "#define _GNU_SOURCE\n#include <unistd.h>\n"
  for file, content in pairs {["host/sys/posix/file.c"] = sound, [path] = text} do
    os.execute(("mkdir -p '%s/host' '%s/bindings' '%s/%s'"):format(root, root, root, file:match "^(.*)/"))
    support.write(content, root .. "/" .. file)
  end
  local status, out = support.run {"tests/lint/system.lua", root}
  assert.equal(out == "" and 0 or 1, status)
  return out
end

describe("the linter of the system's calls", function()
  it("accepts headers of ISO C, of C++, of libraries and of clue", function()
    assert.equal("", lint("host/main/run.c", '#include <stdio.h>\n#include <CL/cl.h>\n#include "sys/system.h"\n'))
    assert.equal("", lint("host/simulator/run.cpp", "#include <vector>\n#include <lua.h>\n"))
  end)

  it("refuses the system's headers outside their folder", function()
    for _, header in ipairs {"unistd.h", "sys/stat.h", "pthread.h", "dlfcn.h", "windows.h", "threads.h"} do
      assert.equal(("host/core/a/b.c:2: <%s> is not of ISO C: call a function of host/sys/system.h; a new one is "
        .. "written in host/sys/posix, or a new library named in tests/lint/system.lua\n"):format(header),
        lint("host/core/a/b.c", ("#include <stdio.h>\n#  include <%s>\n"):format(header)))
    end
    assert.matches("bindings/mpi/x.h:1: <sched.h> is not", lint("bindings/mpi/x.h", "#include <sched.h>\n"), 1, true)
  end)

  it("refuses what would make the system's functions known elsewhere", function()
    local why = "_GNU_SOURCE makes the system's functions known: only host/sys/posix may call them, see "
      .. "host/sys/system.h\n"
    assert.equal("host/main/run.c:1: " .. why, lint("host/main/run.c", "#define _GNU_SOURCE\n"))
    assert.equal("host/CMakeLists.txt:1: " .. why,
      lint("host/CMakeLists.txt", "target_compile_definitions(clue PRIVATE _GNU_SOURCE)\n"))
    assert.equal("", lint("host/CMakeLists.txt", "target_compile_definitions(clue_sys PRIVATE _GNU_SOURCE)\n"))
  end)
end)
