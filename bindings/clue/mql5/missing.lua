--- Names of MQL5 that clue does not have, and names beginning with CL that scripts expect but MQL5 lacks, too: what to
-- write instead. The hints below errors come from here, and what is raised where such a name is read: one of CL, which
-- might be an argument, or a variable or macro of MQL5, since nil would be taken for its value.
-- @module clue.mql5.missing
local missing = {}

local ARRAYS, FILES = "mql5/porting.md#arrays", "mql5/porting.md#files-and-time"
local NUMBERS, TEXTS, TIME = "mql5/helpers.md#numbers", "mql5/helpers.md#texts", "mql5/helpers.md#time"
local LANGUAGE, CLASSES = "mql5/porting.md#the-language", "mql5/porting.md#property-classes-chart-and-trade"
local READ = "mql5/porting.md#names-that-are-read"
local STRUCTS, BEYOND = "reference/arguments.md#structs", "mql5/porting.md#what-to-use-here-that-mql5-lacks"

local instead = {}

local function each(list, remedy, page, is_read)
  for name in list:gmatch "%S+" do instead[name] = {remedy, page, is_read or name:find "^CL%u%l" ~= nil} end
end

each("_Symbol _Period _Digits _Point _AppliedTo Symbol Period Bars Ask Bid Point Digits",
  "it needs MetaTrader's chart: read prices from a file", CLASSES, true)
each("_UninitReason", "OnDeinit(reason) gets it", "mql5/porting.md#onstart", true)
each("_RandomSeed", "MathSrand(seed) starts the numbers of MathRand()", READ, true)
each("__LINE__", 'debug.getinfo(1, "l").currentline is the line', READ, true)
each("__FILE__ __PATH__", 'debug.getinfo(1, "S").short_src is the file, arg[0] the script', READ, true)
each("__FUNCTION__ __FUNCSIG__", 'debug.getinfo(1, "n").name is the function', READ, true)
each("__DATE__ __DATETIME__", "nothing is compiled beforehand: TimeLocal() is the time now", READ, true)
each("__MQL__ __MQL5__ __MQLBUILD__ __MQL5BUILD__ __COUNTER__ __RANDOM__ __CPU_ARCHITECTURE__",
  "Lua has no preprocessor: use a variable", READ, true)

each("LONG_MAX ULONG_MAX", "a Lua number is exact up to 2^53; write that, or 9223372036854775807 as a text for "
  .. "cl.long", "mql5/porting.md#whole-numbers-and-overflow", true)

each("ArraySetAsSeries ArrayGetAsSeries ArrayIsSeries",
  "write a[#a - 1 - i] for element i from the end, or ArrayReverse(a) once", ARRAYS)
each("ArraySort", "write local t = a:table(); table.sort(t); a:copy_from(array[a:type()](t))", ARRAYS)
each("ArrayPrint", "write Print(table.concat(a:table(), ' '))", ARRAYS)
each("ArrayCompare", "write a:compare(b), which gives the first index where they differ", BEYOND)
each("ArrayBsearch", "write a loop that halves the range", ARRAYS)
each("ArrayIsDynamic", "drop it: every array can be resized", ARRAYS)
each("ArrayToFP16 ArrayFromFP16", "write array.half(#a):copy_from(a), and array.float(#h):copy_from(h)", ARRAYS)
each("ArrayToFP8 ArrayFromFP8", "convert in the kernel", ARRAYS)

each("MathSwap", "write bit.bswap(x) for a uint", "mql5/porting.md#bit-operations")
each("MathClassify", "write MathIsValidNumber(x); only NaN has x ~= x", NUMBERS)
each("MathCompareByDigits", "compare MathAbs(a - b) with a tolerance", NUMBERS)
each("MathSum", "write a:sum()", BEYOND)
each("MathMean", "write a:sum() / #a", BEYOND)
each("MathMedian MathVariance MathStandardDeviation MathCumulativeSum MathQuantile",
  "write a loop over the array, or context:scan and context:reduction on the device", "reference/computing.md")
each("MathRandomUniform", "write a:random(low, high, seed)", BEYOND)
each("MathRandomNormal", "write queue:random(buffer, 'double', {distribution = 'normal'}), on the device",
  "reference/computing.md#random-numbers")

each("StringFill StringInit", "write ('x'):rep(n) for a text of n characters", TEXTS)
each("StringBufferLen StringReserve", "drop it: texts have no buffers", TEXTS)
each("StringSetLength", "write s = StringSubstr(s, 0, n)", TEXTS)
each("ColorToString ColorToARGB StringToColor", "write a colour as a number: StringFormat('%06X', c) shows it",
  LANGUAGE)
each("ShortArrayToString", "write CharArrayToString(a) with an array.uchar", "mql5/helpers.md#conversions")
each("StringToShortArray", "write StringToCharArray(s, a) with an array.uchar", "mql5/helpers.md#conversions")
each("CharArrayToStruct StructToCharArray", "write types.body:array(n), an array of structures", STRUCTS)
each("D", "write StringToTime('2026.11.22') for D'2026.11.22'", TIME)
each("C", "write a colour as a number: 0x0000FF is C'255,0,0'", LANGUAGE)
each("typename", "write type(x), or a:type() for an array", LANGUAGE)
each("bool", "write x ~= 0", LANGUAGE)
each("datetime color", "drop it: times and colours are numbers", LANGUAGE)
each("enum", "write local constants, or input.choice for an input", "mql5/porting.md#inputs")

each("TimeGMTOffset", "write TimeGMT() - TimeLocal()", TIME)
each("TimeDaylightSavings", "write os.date('*t').isdst", TIME)
each("TimeTradeServer", "write TimeLocal()", TIME)
each("PeriodSeconds", "write the seconds: 60 for PERIOD_M1, 3600 for PERIOD_H1, 86400 for PERIOD_D1", TIME)
each("Day Month Year Hour Minute Seconds DayOfWeek DayOfYear TimeDay TimeMonth TimeYear TimeHour TimeMinute "
  .. "TimeSeconds TimeDayOfWeek TimeDayOfYear", "write ok, date = TimeToStruct(time), then date.hour and so on", TIME)

each("FileReadString FileReadNumber FileReadBool FileReadDatetime FileIsLineEnding FileGetInteger",
  "write io.lines(name) or clue.read_file(name), which read a file", FILES)
each("FileWriteString", "write FileWrite(handle, text) for a line, or FileWriteArray(handle, array.uchar(text))", FILES)
each("FileFlush", "write FileClose(handle): it writes what is left", FILES)
each("FileLoad FileSave", "write FileOpen with FILE_BIN, FileReadArray or FileWriteArray, FileClose", FILES)
each("FileIsExist", "write local file = io.open(name): it is nil if there is no such file", FILES)
each("FileDelete", "write os.remove(name)", FILES)
each("FileMove", "write os.rename(from, to)", FILES)
each("FileCopy", "write local f = io.open(to, 'wb'); f:write(clue.read_file(from)); f:close()", FILES)
each("FileFindFirst FileFindNext FileFindClose", "write for name in require('lfs').dir(folder) do ... end", FILES)
each("FolderCreate FolderDelete FolderClean", "write require('lfs').mkdir(name), or rmdir", FILES)
each("FileSelectDialog", "write input.string('file', '', 'the file')", "mql5/porting.md#inputs")

each("CheckPointer", "write o ~= nil", CLASSES)
each("GetPointer", "write the object itself: variables hold references", CLASSES)
each("dynamic_cast", "drop it: methods are found by name", CLASSES)
each("DebugBreak", "write Print(debug.traceback())", LANGUAGE)
each("ExpertRemove TerminalClose", "write return in OnStart(), or os.exit(status)", "mql5/porting.md#onstart")
each("SetUserError", "write error('what is wrong')", LANGUAGE)
each("SetReturnError", "return the status from OnStart()", "mql5/porting.md#onstart")
each("EventSetTimer EventSetMillisecondTimer EventKillTimer",
  "write while not IsStopped() do ... Sleep(milliseconds) end", "mql5/helpers.md#stopping")
each("CryptEncode CryptDecode", "use a program of the system", FILES)

each("CLFinish CLFlush CLSync CLWait CLWaitForEvents",
  "write clue.finish(context), or clue.wait(kernel) for one kernel, with local clue = require 'clue'", BEYOND)
each("CLKernelTime CLGetKernelTime CLGetEventProfilingInfo CLGetProfilingInfo",
  "write clue.kernel_time(kernel), with local clue = require 'clue'", BEYOND)
each("CLKernelSetArg CLKernelSetArgument CLSetArg CLSetArgument CLKernelArg",
  "write CLSetKernelArg(kernel, index, value)", "mql5/functions.md#clsetkernelarg")
each("CLSetKernelArgBuffer CLKernelSetArgMem", "write CLSetKernelArgMem(kernel, index, buffer)",
  "mql5/functions.md#clsetkernelargmem")
each("CLGetDeviceCount CLDeviceCount CLDevicesCount", "write CLGetInfoInteger(0, CL_DEVICE_COUNT)",
  "mql5/functions.md#clgetinfointeger")
each("CLGetLastError", "write GetLastError(), or CLGetInfoInteger(0, CL_LAST_ERROR) for OpenCL's code",
  "mql5/functions.md#clgetinfointeger")
each("CLProgramBuild CLBuildProgram", "drop it: CLProgramCreate builds", "mql5/functions.md#clprogramcreate")
each("CLBufferCopy CLBufferFill CLBufferMap CLQueueCreate CLEventCreate CLImageCreate",
  "use the object layer, local cl = require 'clue'", "reference/objects.md")

--- What to write instead of a name.
-- @tparam string name
-- @treturn ?string a clause; nil if it is none of these names
-- @treturn ?string the page about it, below docs/
-- @treturn ?boolean whether reading it raises
function missing.instead(name)
  local found = instead[name]
  if found then return found[1], found[2], found[3] end
end

--- All names.
-- @treturn table a set
function missing.names()
  local set = {}
  for name in pairs(instead) do set[name] = true end
  return set
end

return missing
