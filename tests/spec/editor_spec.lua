-- `clue editor`, and what docs/reference/editors.md tells editors to make of clue's messages.
-- suite: whole
-- tools: vim

local json = require "clue.json"
local lfs = require "lfs"
local support = require "support"

local page = support.read "docs/reference/editors.md"

describe("clue editor", function()
  local place

  before_each(function() place = support.folder() end)

  it("writes settings that name the annotations", function()
    local out = support.ended(0, support.run {"editor", place})
    assert.matches(place .. "/.luarc.json: open the folder", out, 1, true)
    local settings = json.decode(support.read(place .. "/.luarc.json"))
    local library = settings["workspace.library"][1]
    assert.matches("CLContextCreate", support.read(library .. "/globals.lua"), 1, true)
    assert.matches("---@type clue\n", support.read(library .. "/clue.lua"), 1, true)
    for name in page:match "| setting | why |\n(.-)\n\n":gmatch "\n| `([^`]*)`" do
      assert.is_not_nil(settings[name], name)
    end
  end)

  it("takes the working folder", function()
    local here = lfs.currentdir()
    local words = "cd " .. support.quote(place) .. " && exec " .. support.quote(support.clue) .. " editor"
    assert.equal(0, (support.execute {"sh", "-c", words}))
    assert.is_truthy(support.read(place .. "/.luarc.json"))
    assert.equal(here, lfs.currentdir())
  end)

  it("has nothing to do where the settings name the annotations already", function()
    assert.equal(0, (support.run {"editor", place}))
    local settings = support.read(place .. "/.luarc.json")
    local out = support.ended(0, support.run {"editor", place})
    assert.matches(".luarc.json: names clue's annotations already\n$", out)
    assert.equal(settings, support.read(place .. "/.luarc.json"))
  end)

  it("keeps settings that are there, and says what to add to them", function()
    support.write("{}", place .. "/.luarc.json")
    local _, err = support.ended(1, support.run {"editor", place})
    assert.matches('.luarc.json exists already: add "/.-/luacats/library" to its workspace.library', err)
    assert.equal("{}", support.read(place .. "/.luarc.json"))
  end)

  it("refuses a folder that is none", function()
    local _, err = support.ended(1, support.run {"editor", place .. "/none"})
    assert.matches("none is no folder", err, 1, true)
    assert.equal(2, (support.run {"editor", place, "more"}))
    err = support.refused(1, support.run {"editor", "/proc"})
    assert.matches("^clue editor: cannot write /proc/.luarc.json: No such file", err)
  end)
end)

describe("editors", function()
  local folder, built, ran

  -- Runs clue in the folder of the files, so that messages have their names as they were given.
  local function output_of(words)
    local command = ("cd %s && %s %s 2>&1"):format(support.quote(folder), support.quote(support.clue), words)
    local _, out = support.execute({"sh", "-c", command}, support.drivers "pocl")
    return out
  end

  setup(function()
    folder = support.folder()
    support.write('#include "part.h"\nkernel void f(global float *x) {\n  x[0] = y;\n  int unused = 1;\n}\n',
      folder .. "/bad.cl")
    support.write("int g(int a) {\n  return b;\n}\n", folder .. "/part.h")
    support.write('require("clue").context():program [[\nkernel void f(global float *x) {\n  x[0] = z;\n}\n]]\n',
      folder .. "/bad.lua")
    built, ran = output_of "build bad.cl", output_of "bad.lua"
  end)

  -- {file, line, column, severity, text} for each line of a text that one of the page's regular expressions matches.
  local function matched(regexp, text)
    local path = support.write(text)
    local _, out = support.execute {"grep", "-oP", regexp, path}
    return out
  end

  local regexps = {}
  for text in page:gmatch '"regexp": ("[^\n]-"),' do regexps[#regexps + 1] = json.decode("[" .. text .. "]")[1] end

  it("find a kernel's errors by one regular expression in VS Code", function()
    assert.equal(3, #regexps)
    assert.equal(regexps[1], regexps[2])
    local found = matched(regexps[1], built)
    assert.matches("part.h:2:10: error: use of undeclared identifier 'b'\n", found, 1, true)
    assert.matches("bad.cl:3:10: error: use of undeclared identifier 'y'\n", found, 1, true)
    assert.equal(2, select(2, found:gsub("\n", "")))
  end)

  it("find a script's errors, and those of the kernel in it", function()
    assert.equal("bad.lua:3:10: error: use of undeclared identifier 'z'\n", matched(regexps[2], ran))
    assert.matches("^clue: bad.lua:5: clBuildProgram: CL_BUILD_PROGRAM_FAILURE", matched(regexps[3], ran))
    assert.equal(1, select(2, matched(regexps[3], ran):gsub("\n", "")))
  end)

  it("find them all in vim", function()
    support.write(built .. ran, folder .. "/messages.txt")
    local script = {"set errorformat="}
    for line in page:match "```vim\n(.-)```":gmatch "[^\n]+" do
      if line:find "^set errorformat" then script[#script + 1] = line end
    end
    script[#script + 1] = "cd " .. folder
    script[#script + 1] = "cgetfile messages.txt"
    script[#script + 1] = [[call writefile(map(filter(getqflist(), 'v:val.valid'), ]]
      .. [['bufname(v:val.bufnr) . "|" . v:val.lnum . "|" . v:val.col . "|" . v:val.text'), "found.txt")]]
    script[#script + 1] = "qa!"
    support.write(table.concat(script, "\n") .. "\n", folder .. "/script.vim")
    support.execute {"vim", "-es", "-u", "NONE", "-S", folder .. "/script.vim"}
    local found = support.read(folder .. "/found.txt"):gsub("%./part", "part")
    assert.matches("part.h|2|10|use of undeclared identifier 'b'\n", found, 1, true)
    assert.matches("bad.cl|3|10|use of undeclared identifier 'y'\n", found, 1, true)
    assert.matches("bad.lua|3|10|use of undeclared identifier 'z'\n", found, 1, true)
    assert.matches("bad.lua|5|0|clBuildProgram", found, 1, true)
    assert.equal(4, select(2, found:gsub("\n", "")))
  end)
end)
