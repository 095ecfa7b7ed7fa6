-- luacheck's settings for this tree. `./dev lint luacheck` runs it, and first lets clue write the list of MQL5's names.

max_line_length = 120
std = "min"
cache = false

local mql5 = {read_globals = {}, globals = {"OnStart"}}
local names = assert(io.open("build/mql5-names.txt"), "no build/mql5-names.txt: ./dev lint luacheck makes it")
for name in names:lines() do table.insert(mql5.read_globals, name) end
names:close()
stds.mql5 = mql5

files["bindings/ffi"].std = "luajit"
files["tests/fuzz"].std = "luajit"
files["tests/bench"].std = "luajit"
files["tests/spec"].std = "luajit+busted"

-- Scripts see MQL5's names as globals, and their own inputs, which begin with an underscore.
for _, folder in ipairs {"scripts", "tests/specimens"} do
  files[folder].std = "min+mql5"
  files[folder].ignore = {"113/_%l.*"}
end
