-- SECURITY.md lists what clue depends on: the packages that ./dev installs to build and to run it, with the versions of
-- Debian 12, and each library that a binary of the build loads.
-- suite: whole
local support = require "support"

local output_of = support.output_of

local page = support.read "SECURITY.md"
local build = support.clue:match "^(.*)/"

-- The version of each package in the table.
local function listed()
  local found = {}
  for packages, versions in page:gmatch "\n| (`[^|]+) | ([^|]+) |" do
    local names, numbers = {}, {}
    for name in packages:gmatch "`([^`]+)`" do names[#names + 1] = name end
    for number in versions:gmatch "[^, ]+" do numbers[#numbers + 1] = number end
    assert.equal(#names, #numbers, packages)
    for i, name in ipairs(names) do found[name] = numbers[i] end
  end
  return found
end

-- The packages of a list in ./dev.
local function packages_of(name)
  local found = {}
  for word in support.read("dev"):match("\n" .. name .. '="([^"]*)"'):gmatch "%S+" do found[#found + 1] = word end
  return found
end

describe("SECURITY.md", function()
  it("lists each package that building and running need", function()
    local known = listed()
    for _, list in ipairs {"build_packages", "device_packages"} do
      for _, name in ipairs(packages_of(list)) do assert.is_string(known[name], name) end
    end
  end)

  it("lists no package that ./dev does not install", function()
    local all = " "
    for _, list in ipairs {"build_packages", "device_packages", "test_packages", "whole_packages"} do
      all = all .. table.concat(packages_of(list), " ") .. " "
    end
    for name in pairs(listed()) do assert.matches(" " .. name .. " ", all, 1, true) end
  end)

  it("has the versions that are installed", function()
    for name, version in pairs(listed()) do
      local installed = output_of(("dpkg-query -W -f '${Version}' '%s' 2>/dev/null"):format(name))
      assert.equal(version, installed:gsub("^%d+:", ""):sub(1, #version), name)
    end
  end)

  it("lists each library that is loaded", function()
    local files = output_of(("find '%s/lua' '%s' -name '*.so' -type f; echo '%s'"):format(build, build, support.clue))
    for file in files:gmatch "[^\n]+" do
      if not file:find("/tests/", 1, true) and not file:find("/prelinked/", 1, true) then
        for name in output_of(("readelf -d '%s'"):format(file)):gmatch "%(NEEDED%)[^%[]*%[([^%]]*)%]" do
          local own = name:find "^libclue" or name:find "^libc%.so" or name:find "^libm%.so" or name:find "^ld%-linux"
          assert.is_true(own ~= nil or page:find("`" .. name .. "`", 1, true) ~= nil, file .. ": " .. name)
        end
      end
    end
  end)

  it("has the version of this clue among those supported", function()
    local version = output_of(support.quote(support.clue) .. " --version"):match "^clue (%d+%.%d+)"
    assert.matches("| " .. version .. " | yes |", page, 1, true)
  end)
end)
