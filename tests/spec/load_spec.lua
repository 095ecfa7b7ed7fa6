-- The ways to load clue beside those in which all shared specs run: the same Lua code and the same bindings, found and
-- loaded in another way.
-- suite: whole
-- builds: luajit asan lua54
-- tools: luajit lua5.4
local support = require "support"

local modules = support.clue:match "^(.*)/" .. "/lua/"
local stock = {
  LUA_PATH = ("%s?.lua;%s?/init.lua;;"):format(modules, modules), LUA_CPATH = modules .. "?.so;;",
}

local ways
if _VERSION == "Lua 5.4" then
  ways = {{{support.clue}}}
elseif support.sanitized then
  -- A program without sanitizers can load code that was compiled with them if their library is loaded first. It unloads
  -- its modules before the check for leaks, which hides whose leaks they are.
  local compiler = io.popen "gcc -print-file-name=libasan.so"
  stock.LD_PRELOAD, stock.ASAN_OPTIONS = compiler:read "*l", os.getenv "ASAN_OPTIONS" .. ":detect_leaks=0"
  compiler:close()
  ways = {{{"lua5.4"}, stock}}
else
  ways = {{{support.clue}, {CLUE_BINDING = "capi"}}, {{support.clue, "-joff"}, {CLUE_BINDING = "ffi"}},
          {{"luajit"}, stock}, {{"luajit", "-joff"}, stock}}
end

describe("clue", function()
  for _, way in ipairs(ways) do
    local words = way[1]
    it("is loaded by " .. table.concat(words, " "):match "[^/]*$", function()
      for _, word in ipairs {arg[0], "--exclude-tags=once", "tests/spec/binding_spec.lua", "tests/spec/array_spec.lua",
                             "tests/spec/object_spec.lua"} do
        words[#words + 1] = word
      end
      support.ended(0, support.execute(words, way[2]))
    end)
  end
end)
