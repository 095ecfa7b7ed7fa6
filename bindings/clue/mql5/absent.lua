--- MQL5's variables and macros that clue cannot have, with what to write instead. They are read, not called, and nil
-- would be taken for a value, so reading one raises; the hints below Lua's own errors know them too.
local absent = {}

local LANGUAGE, TERMINAL = "mql5/porting.md#names-that-are-read", "mql5/porting.md#property-classes-chart-and-trade"

local function add(names, hint, page)
  for name in names:gmatch "%S+" do absent[name] = {hint, page} end
end

add("_Symbol _Period _Digits _Point _AppliedTo Symbol Period Bars Ask Bid Point Digits",
  "it needs MetaTrader's chart: read prices from a file", TERMINAL)
add("_UninitReason", "OnDeinit(reason) gets it", "mql5/porting.md#onstart")
add("_RandomSeed", "MathSrand(seed) starts the numbers of MathRand()", LANGUAGE)
add("__LINE__", 'debug.getinfo(1, "l").currentline is the line', LANGUAGE)
add("__FILE__ __PATH__", 'debug.getinfo(1, "S").short_src is the file, arg[0] the script', LANGUAGE)
add("__FUNCTION__ __FUNCSIG__", 'debug.getinfo(1, "n").name is the function', LANGUAGE)
add("__DATE__ __DATETIME__", "nothing is compiled beforehand: TimeLocal() is the time now", LANGUAGE)
add("__MQL__ __MQL5__ __MQLBUILD__ __MQL5BUILD__ __COUNTER__ __RANDOM__ __CPU_ARCHITECTURE__",
  "Lua has no preprocessor: use a variable", LANGUAGE)

return absent
