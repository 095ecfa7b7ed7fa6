-- clue's own modules come from the bytecode that the build made of them, if it is of this LuaJIT and of these sources;
-- else from the sources.
-- suite: quick
-- builds: luajit asan
local support = require "support"

-- Runs a script that asks the searcher for the chunk of a module; returns what it prints.
local function asked(clue, text)
  local path = support.write(text, support.temporary ".lua")
  return (support.ended(0, support.execute({clue, path}, support.drivers "null")))
end

-- A copy of clue that can be changed, with its modules in a folder lua.
local function copied()
  local folder, built = support.folder(), support.clue:match "^(.*)/"
  os.execute(("cp -dp %s/clue %s/libclue* %s && cp -rp %s/lua %s"):format(built, built, folder, built, folder))
  return folder
end

local IS_FOUND = "print(package.loaders[2] 'clue.text' ~= nil, require('clue.text').trim ' a ')"

describe("clue's bytecode", function()
  it("is what the sources compile to, under their names", function()
    local out = asked(support.clue, [[
      local folder, count = package.path:match "^(.-)/%?", 0
      for line in io.lines(folder .. "/clue/bytecode") do
        local name, place = line:match "^(clue%S+) (%S+) %d+ %d+ %d+$"
        if line == "" then break end
        if name then
          local chunk, source = package.loaders[2](name), assert(loadfile(folder .. "/" .. place))
          assert(package.searchpath(name, package.path) == folder .. "/" .. place, name)
          assert(#string.dump(chunk) == #string.dump(source), name) -- the order of a table's fields varies
          assert(debug.getinfo(chunk).source == "@" .. folder .. "/" .. place, name)
          count = count + 1
        end
      end
      print(count > 300)
    ]])
    assert.equal("true\n", out)
  end)

  it("is not taken for a module whose source is another, or that another folder has first", function()
    local folder = copied()
    local path = folder .. "/lua/clue/text.lua"
    assert.equal("true\ta\n", asked(folder .. "/clue", IS_FOUND))
    assert.equal("false\ta\n", asked(folder .. "/clue", "package.path = './?.lua;' .. package.path " .. IS_FOUND))
    os.execute("touch " .. path)
    assert.equal("false\ta\n", asked(folder .. "/clue", IS_FOUND))
    support.write((support.read(path):gsub("function text%.trim%(.-\n", "%0 do return 'changed' end\n")), path)
    os.execute("touch -d 2001-01-01 " .. path)
    assert.equal("false\tchanged\n", asked(folder .. "/clue", IS_FOUND))
  end)

  it("is not taken if another LuaJIT made it, or if it ends early", function()
    local folder = copied()
    local path = folder .. "/lua/clue/bytecode"
    local bytecode = support.read(path)
    support.write((bytecode:gsub("^(clue bytecode 1 LuaJIT) ", "%1x")), path) -- of the same length
    assert.equal("false\ta\n", asked(folder .. "/clue", IS_FOUND))
    support.write(bytecode:sub(1, bytecode:find "\n\n" + 20), path)
    assert.equal("false\ta\n", asked(folder .. "/clue", IS_FOUND))
    os.remove(path)
    assert.equal("false\ta\n", asked(folder .. "/clue", IS_FOUND))
  end)
end)
