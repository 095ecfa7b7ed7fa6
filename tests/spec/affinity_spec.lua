-- The environment variable by which PoCL's threads get processors of their own.
-- suite: quick
local support = require "support"

local count = tonumber(io.popen("nproc --all"):read "*l")

-- POCL_AFFINITY after the drivers have started, and how many threads may use one processor only.
local function seen(env, prefix)
  local words = {"-e", [[
    local cl = require "clue"
    cl.context()
    local pinned = 0
    for folder in io.popen("ls -d /proc/" .. io.open "/proc/self/stat":read "*n" .. "/task/*"):lines() do
      local status = io.open(folder .. "/status"):read "*a"
      if status:find "Cpus_allowed_list:%s*%d+\n" then pinned = pinned + 1 end
    end
    print(os.getenv "POCL_AFFINITY", pinned)
  ]]}
  table.insert(words, 1, support.clue)
  for i, word in ipairs(prefix or {}) do table.insert(words, i, word) end
  return (support.ended(0, support.execute(words, support.drivers("pocl", env))))
end

describe("PoCL's threads", function()
  it("have a processor each if clue may use all of them", function()
    if count < 2 then pending "one processor" end
    assert.equal(("nil\t%d\n"):format(count), seen {})
  end)

  it("are left alone if the user chose", function()
    assert.equal("0\t0\n", seen {POCL_AFFINITY = "0"})
    assert.equal("nil\t0\n", seen {POCL_MAX_PTHREAD_COUNT = "1"})
    assert.equal("nil\t0\n", seen {POCL_CPU_MAX_CU_COUNT = "1"})
  end)

  it("are left alone if clue may use some processors only", function()
    assert.matches("^nil\t", seen({}, {"/usr/bin/taskset", "-c", "0"}))
  end)
end)
