-- A locale with a decimal comma, which a script or a library has chosen, changes no number that clue writes or reads.
-- suite: whole
-- tools: lua5.1 lua5.4
local support = require "support"

local SCRIPT = "tests/specimens/locale.lua"

-- The folder of a locale named comma. localedef warns of what it lacks; its character sets are in Debian's package
-- locales.
local function locales()
  local folder = support.folder()
  local definition = support.write [[
LC_NUMERIC
decimal_point ","
thousands_sep "."
grouping 3;3
END LC_NUMERIC
]]
  support.execute {"localedef", "-c", "-i", definition, folder .. "/comma"}
  assert.is_truthy(support.read(folder .. "/comma/LC_NUMERIC"))
  return folder
end

describe("a decimal comma", function()
  local folder = nil

  setup(function() folder = locales() end)

  local function printed(words, binding, locale)
    local lua = support.clue:match "^(.*)/" .. "/lua/?"
    return (support.ended(0, support.execute(support.words(words, {SCRIPT, locale}), support.drivers("oclgrind", {
      CLUE_BINDING = binding,
      LOCPATH = folder, LUA_PATH = lua .. ".lua;" .. lua .. "/init.lua;;", LUA_CPATH = lua .. ".so;;"}))))
  end

  for _, case in ipairs {{"clue over FFI", {support.clue, "--quiet"}, "ffi"},
                         {"clue over the C API", {support.clue, "--quiet"}, "capi"},
                         {"Lua 5.1", {"lua5.1"}}, {"Lua 5.4", {"lua5.4"}}} do
    it(("changes nothing in %s"):format(case[1]), function()
      local plain = printed(case[2], case[3], "C")
      assert.matches("-D V=0.375\tright", plain, 1, true)
      assert.equal(plain, printed(case[2], case[3], "comma"))
    end)
  end
end)
