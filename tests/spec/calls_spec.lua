-- host/core/trace/calls.def has one row for each OpenCL call of the core, and no others. The compiler checks each row
-- against OpenCL's header.
-- suite: quick

local support = require "support"

local output_of = support.output_of

local TABLE = "host/core/trace/calls.def"
local LIBRARY = support.clue:match "^(.*)/" .. "/libclue.so"

-- The names of the rows, as keys.
local function rows()
  local names = {}
  for line in assert(support.read(TABLE)):gmatch "[^\n]+" do
    local name = line:match "^[A-Z_]+%(.-%f[%w_](cl[A-Z]%w+)"
    if name then names[name] = true end
  end
  return names
end

describe("the table of OpenCL calls", function()
  it("has a row for every OpenCL function that libclue imports", function()
    local names, seen = rows(), 0
    for name in output_of("nm -D --undefined-only " .. support.quote(LIBRARY)):gmatch "%f[%w_](cl[A-Z]%w+)" do
      assert(names[name], ("%s: the core calls it and %s has no row for it: add one"):format(name, TABLE))
      seen = seen + 1
    end
    assert.is_true(seen > 50)
  end)

  it("has no row for a call that the core never makes", function()
    local core = output_of "cat $(find host/core -name '*.c')"
    for name in pairs(rows()) do
      assert(core:find("%f[%w_]" .. name .. "[%(,]"), ("%s: nothing in host/core calls it: take its row out of %s")
        :format(name, TABLE))
    end
  end)
end)
