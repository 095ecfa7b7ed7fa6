-- `clue help`, and pages in a terminal: what a newcomer types first.
-- suite: quick
local leftovers = require "leftovers"
local support = require "support"

local function told(...)
  local status, out, err = support.run {"help", ...}
  assert.equal("0", status .. err)
  return out
end

describe("clue help", function()
  it("prints what clue --help prints: the subcommands on the first screen, Lua's switches last", function()
    local _, overview = support.run "--help"
    assert.equal(overview, told())
    local line, at = 0, {}
    for text in overview:gmatch "([^\n]*)\n" do
      line = line + 1
      at[text:match "^  (%S+)" or text:match "^([%a ]+):$" or ""] = line
    end
    for _, name in ipairs {"walk", "new", "count", "help", "version"} do assert.is_true(at[name] <= 40, name) end
    assert.is_true(at.options > at.version and at["--device"] > at.options)
    assert.is_true(at["-e"] > at["--version"] and at["-j"] > at["--device"])
  end)

  it("gives every subcommand a line of 80 columns", function()
    local overview = told()
    for file in require("lfs").dir "host/lua/command" do
      local name = file:match "^(.*)%.lua$"
      local command = name and require("clue.command." .. name)
      if name then assert.matches(("\n  %-10s %s\n"):format(name, command.summary), overview, 1, true) end
      if name and command.page then
        assert.is_string(support.read("docs/" .. command.page), name)
        assert.matches("\nMore: clue help " .. command.page:match "[^/]*$", told(name), 1, true)
      end
    end
  end)

  it("explains a subcommand, a walkthrough, a page, a part of one, and a function", function()
    local _, walk = support.run {"walk", "--help"}
    assert.equal(walk, told "walk")
    assert.matches("^mql5 is a walkthrough: .*\n  clue walk mql5 .*\n  3    coalesced\n.*\n  9v   vload4\n",
      told "mql5")
    assert.matches("^# Errors: what they say", told "errors.md")
    assert.equal(told "errors.md", told "docs/reference/errors.md")
    assert.matches("^## The language\n.-\n$", told "mql5/porting.md#the-language")
    assert.not_matches("\n## ", told "mql5/porting.md#the-language")
    assert.not_matches("<!--", told "walk.md", 1, true)
    assert.matches("^cl.context%(", told "cl.context")
    assert.matches("^queue:write_buffer%(", told "write_buffer")
    assert.matches("^CLExecute%(", told "CLExecute")
  end)

  it("says what was meant", function()
    for typed, meant in pairs {wakl = "walk", mlq5 = "mql5", erors = "errors", ["errrors.md"] = "errors",
                               ["cl.contxt"] = "cl.context"} do
      local err = support.refused(1, support.run {"help", typed})
      assert.equal(("clue help: nothing has the name '%s': did you mean `clue help %s`?\n"):format(typed, meant), err)
    end
    local _, _, err = support.run {"help", "sectors"} -- no name, but what a page is about; 'vector' is no help
    assert.matches("^clue help: nothing has the name 'sectors'; the page that writes most of it: `clue help %l+.md`\n$",
      err)
    for word, page in pairs {restrictions = "tuning", CL_DEVICE_NAME = "functions"} do -- a page has it twice
      err = support.refused(1, support.run {"help", word})
      assert.equal(("clue help: nothing has the name '%s'; the page that writes most of it: `clue help %s.md`\n")
        :format(word, page), err)
    end
    err = support.refused(1, support.run {"help", "ArraySort"}) -- of MQL5, but not of clue
    assert.matches("^clue help: clue has no ArraySort; write local t = .* %(clue help mql5/porting.md#arrays%)\n$", err)
    _, _, err = support.run {"help", "xyzzyxyzzy"}
    assert.equal("clue help: nothing has the name 'xyzzyxyzzy'; `clue help` lists the subcommands\n", err)
    assert.equal("clue: there is no script or subcommand 'hlep': did you mean `clue help`?\n",
      (select(3, support.run "hlep")))
  end)

  it("is named by messages that a page explains", function()
    local _, _, err = support.run_script "int n = 3;"
    local page = err:match "%(clue help (%S+)%)"
    assert.matches("^## ", told(page))
  end)
end)

describe("in a terminal", function()
  -- A folder with a program of this name, which prints its last word's text.
  local function with_program(name)
    local folder = support.folder()
    support.write(("#!/bin/sh\nfor last; do :; done\necho shown by %s\n/usr/bin/head -2 \"$last\"\n"):format(name),
      folder .. "/" .. name)
    support.execute {"chmod", "+x", folder .. "/" .. name}
    return folder
  end

  it("clue man is read in man, as git's pages are", function()
    leftovers.talk {
      "expect $ ", ("send PATH=%s:$PATH $CLUE man walk\\r"):format(with_program "man"),
      "expect shown by man", 'expect .TH "CLUE\\\\-WALK"', "expect $ ",
    }
  end)

  it("clue man is the subcommand's help where there is no man", function()
    local screen = leftovers.talk {"expect $ ", "send PATH=/nowhere $CLUE man walk\\r", "expect Usage: clue walk",
                                   "expect $ "}
    assert.not_matches("No such file", screen)
  end)

  it("pages are read in the pager", function()
    leftovers.talk {
      "expect $ ", ("send PAGER=%s/pager $CLUE help errors.md\\r"):format(with_program "pager"),
      "expect shown by pager", "expect # Errors: what they say", "expect $ ",
      ("send PAGER='A=b %s/pager -R' $CLUE help errors.md\\r"):format(with_program "pager"), "expect shown by pager",
    }
  end)

  it("pages are read in more where there is no less, and nothing is said of programs that are missing", function()
    local screen = leftovers.talk {
      "expect $ ", ("send PATH=%s:/nowhere $CLUE help errors.md\\r"):format(with_program "more"),
      "expect shown by more", "expect # Errors: what they say", "expect $ ",
      "send PAGER=nothing PATH=/nowhere $CLUE help errors.md\\r",
      "expect # Errors: what they say", "expect $ ",
    }
    assert.not_matches("No such file", screen)
  end)
end)
