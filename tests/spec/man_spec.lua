-- `clue man`: pages from the definitions that parse the options.
-- suite: quick
local support = require "support"

local function page(name)
  return (support.ended(0, support.run {"man", name}))
end

-- The text without the requests of man(1).
local function plain(text)
  return (text:gsub("\\([-&])", {["-"] = "-", ["&"] = ""}):gsub("\\e", "\\"))
end

describe("the manual", function()
  it("has all options and subcommands of clue", function()
    local text = plain(page())
    local _, help = support.run "--help"
    local count = 0
    for label in help:gmatch "\n  (%-%S[^\n]-)  +%S" do
      assert.matches("\n.B " .. label .. "\n", text, 1, true)
      count = count + 1
    end
    assert.is_true(count > 12)
    for name in help:match("\nsubcommands.*$"):gmatch "\n  (%l+) " do
      assert.matches("\n.B clue " .. name .. "\n", text, 1, true)
      assert.matches("\n.BR clue-" .. name .. " (1)", text, 1, true)
    end
    assert.matches("\n.B CLUE_DEVICE\n", text, 1, true)
  end)

  it("has all options of a subcommand, with their values", function()
    local text = plain(page "walk")
    local _, help = support.run {"walk", "--help"}
    local count = 0
    for option in help:gmatch "\n   (%-%-[%w-]+)" do
      assert.matches("\n.B " .. option, text, 1, true)
      count = count + 1
    end
    assert.is_true(count > 15)
    assert.matches("\n.B --csv FILE\n", text, 1, true)
  end)

  it("has no line that man would take for a request", function()
    local known = {PP = true, TP = true, B = true, BR = true, SH = true, TH = true, br = true, ['\\"'] = true}
    local _, help = support.run "--help"
    for name in help:match("\nsubcommands.*$"):gmatch "\n  (%l+) " do
      for line in page(name):gmatch "[^\n]+" do
        local request = line:match "^[.'](%S*)"
        assert.is_true(request == nil or known[request] == true, name .. ": " .. line)
      end
    end
  end)

  it("is written into a folder, a file for each page", function()
    local folder = support.folder()
    assert.equal(0, (support.run {"man", "--all", folder}))
    assert.equal(page "devices", support.read(folder .. "/clue-devices.1"))
    local _, err = support.ended(1, support.run {"man", "--all", folder .. "/nowhere"})
    assert.matches("^clue man: cannot write %S+/nowhere/clue%S*: No such file", err)
  end)

  it("refuses a subcommand that there is not, with the one that was meant or those that there are", function()
    local err = support.refused(2, support.run {"man", "wakl"})
    assert.matches("no subcommand 'wakl': did you mean walk? ", err, 1, true)
    assert.matches("no subcommand 'xyzzy'; there are asm, .*walk", (select(3, support.run {"man", "xyzzy"})))
  end)
end)
