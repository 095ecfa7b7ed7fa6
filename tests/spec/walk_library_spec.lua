-- The rows of OpenBLAS, CLBlast and cuBLAS: they run where the library is installed, and say why where it is not. A
-- library of the tests stands in for OpenBLAS, one without functions for CLBlast, and two for CUDA and cuBLAS.
-- suite: whole
local support = require "support"
local walks = require "walk_support"

local fakes = {LD_LIBRARY_PATH = support.libraries(support.built "library")}

local function walk(name, step, more, words)
  local env = support.with(support.drivers("pocl", fakes), more)
  local status, out, err, document = walks.walk(
    support.words({name, "--steps", step, "--size", "19x21x23", "--repeat", "1"}, words), env)
  return status, walks.rows(document)[1], out .. err
end

describe("a step by a library", function()
  for _, name in ipairs {"mql5", "dcltk"} do
    it("runs if the library is installed: " .. name, function()
      for _, type in ipairs {"float", "double"} do
        local status, row, said = walk(name, "21", nil, {"--type", type})
        assert.equal(0, status, said)
        assert.is_true(row.check.verified)
        assert.same({"OpenBLAS 9.8.7 with its kernels for any processor"}, row.notes)
        assert.is_true(row.beyond and row.best)
      end
    end)
  end

  it("is verified like any other", function()
    local status, row = walk("mql5", "21", {WRONG_PRODUCT = "1"})
    assert.equal(1, status)
    assert.is_false(row.check.verified)
  end)

  it("is skipped with the reason if the library cannot be loaded, or computes elsewhere", function()
    local _, row = walk("mql5", "22")
    assert.equal("CLBlast cannot be loaded (libclblast.so.1 has no function CLBlastSgemm); on Debian and Ubuntu: apt "
      .. "install libclblast1", row.skipped)
    _, row = walk("mql5", "23")
    assert.equal("cuBLAS computes on NVIDIA's devices only", row.skipped)
    _, row = walk("mql5", "21", support.drivers "rusticl", {"--device", "0"})
    assert.is_true(row.skipped == nil
      or row.skipped == "OpenBLAS computes on the host's processors, not on this device")
  end)

  it("computes by cuBLAS in memory of its own, which a reset overwrites as clue's steps overwrite theirs", function()
    local status, out, err = support.run_script([[
      local library, product = require "clue.walk.library", require "clue.walk.product"
      local context = {device = {pci = "0000:65:00.0", has_extension = function() return true end}}
      for _, type in ipairs {"float", "double"} do
        local p = product.new {size = "5x7x3", type = type}
        local parts, about = library.parts("cublas", p, context)
        p:passes()[1].prepare()
        parts.upload() parts.reset()
        local seconds = parts.execute()
        parts.read()
        print(about, seconds, (p:passes()[1].check()))
        parts.reset()
        p.c:fill(1)
        parts.read()
        print(p.c:norm(math.huge))
      end]], {}, fakes)
    assert.equal("", err)
    assert.equal(("cuBLAS 9.8.7\t0.0005\ttrue\n0\n"):rep(2), out)
    assert.equal(0, status)
  end)

  it("runs by CLBlast if that is installed", function()
    local status, row, said = walk("mql5", "22", {LD_LIBRARY_PATH = false})
    if row.skipped then
      assert.matches("^CLBlast cannot be loaded %(libclblast%.so%.1: ", row.skipped)
      pending "CLBlast is not installed"
      return
    end
    assert.equal(0, status, said)
    assert.is_true(row.check.verified)
  end)
end)
