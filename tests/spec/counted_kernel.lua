-- What holds for the counts of every kernel, for the specs that count all of them.
local assert = require "luassert"

--- Checks the counts of a kernel against each other.
-- @tparam table kernel of the document of `clue count`
-- @tparam string where for messages
return function(kernel, where)
  assert.is_true(kernel.items > 0 and kernel.instructions > 0, where)
  assert.is_false(kernel.cut, where)
  for _, width in ipairs {"warp", "wavefront"} do
    assert.equal(kernel.instructions, kernel[width].lanes, where) -- every instruction is some lane's
    assert.is_true(kernel[width].lanes <= kernel[width].instructions * kernel[width].width, where)
  end
  for _, site in ipairs(kernel.sites) do
    local of = site.warp
    if of then
      assert.is_true(of.requests > 0 and of.requests <= site.accesses, where)
      assert.is_true(of.sectors >= of.least_sectors and of.passes >= of.least_passes, where)
    end
  end
end
