-- What clue shows of the sample documents, held against the texts in tests/golden: a change of one is seen in its diff.
-- With CLUE_GOLDEN=write, the texts are written instead.
-- suite: quick
local lfs = require "lfs"
local support = require "support"

local folder = "tests/golden/"

describe("a document is shown as in tests/golden/", function()
  for name in lfs.dir(folder) do
    local view, columns = name:match "^([%w_]+)%.(%d+)%.txt$"
    local path = folder .. name
    if view then
      it(("%s, %s columns"):format(view, columns), function()
        local out = support.clean(support.run({folder .. "render.lua", view}, {COLUMNS = columns}))
        if os.getenv "CLUE_GOLDEN" == "write" then support.write(out, path) end
        assert.equal(support.read(path), out)
      end)
    end
  end
end)

it("the README's picture is what clue shows today", function()
  local path = "docs/pictures/terminal.svg"
  local status, out, err = support.run({folder .. "render.lua", "picture"}, {COLUMNS = "64"})
  assert.equal("0", status .. err)
  if os.getenv "CLUE_GOLDEN" == "write" then support.write(out, path) end
  assert.equal(support.read(path), out)
end)

it("the page on sweeps lists the figures of the CSV", function()
  local path = "docs/reference/sweeps.md"
  local page, _, list = support.read(path), support.run {folder .. "render.lua", "columns"}
  if os.getenv "CLUE_GOLDEN" == "write" then
    local from, to = page:find "| columns | what |\n.-\n\n"
    page = page:sub(1, from - 1) .. list .. page:sub(to)
    support.write(page, path)
  end
  assert.truthy(page:find(list, 1, true), list)
end)
