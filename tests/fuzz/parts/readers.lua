-- The readers that parsers.lua tests. Each has `texts`, right ones to begin with, and `read(text, scratch)`, which
-- gives a sentence if the reader breaks its promise. `words`: what is put into a text, if not the odd words of
-- mutate.lua. `change(text, random)`: how a text is changed, if not by mutate.lua. `slow`: gets a tenth of the
-- texts. `compiled`: calls C code, so both bindings are tested.
local align = require "clue.trace.align"
local binding = require "clue.binding"
local array = require "clue.array"
local build_log = require "clue.build_log"
local choice = require "clue.device_choice"
local devices = require "clue.device"
local image_file = require "clue.image_file"
local lfs = require "lfs"
local json = require "clue.json"
local npy = require "clue.npy"
local struct = require "clue.struct"
local summary = require "clue.trace.summary"
local template = require "clue.template"
local trace = require "clue.trace.read"
local tuned = require "clue.tuned"

local readers = {}

-- What may stand in place of another value of JSON.
local values = {
  "null", "true", "-1", "0", "1e308", '""', '"x"', "[]", "{}", "[1]", '{"a": 1}', ",", "]", "}", '"', "nan",
}

local function put(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return path
end

local function get(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function npy_of(descr, order, shape, bytes)
  local head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }"):format(descr, order, shape)
  return "\147NUMPY\1\0" .. string.char(#head, 0) .. head .. bytes
end

readers.npy = {
  compiled = true,
  texts = {
    npy_of("<f4", "False", "(3,)", ("\0"):rep(12)), npy_of(">i8", "True", "(2, 3)", ("\1\2"):rep(24)),
    npy_of("|b1", "False", "()", "\1"), npy_of("<f2", "False", "(0, 4)", ""),
  },
  read = function(text, scratch)
    local read = npy.load(put(scratch .. "/read.npy", text), array)
    npy.save(scratch .. "/again.npy", read)
    local again = npy.load(scratch .. "/again.npy", array)
    if #again ~= #read or again:type() ~= read:type() then return "it is another array when it was saved and read" end
    npy.save(scratch .. "/third.npy", again)
    if get(scratch .. "/again.npy") ~= get(scratch .. "/third.npy") then return "it changes each time it is saved" end
  end,
}

readers.picture = {
  compiled = true,
  texts = {
    "P2\n# grey\n2 2 9\n1 2\n3 9\n", "P3 1 1 65535 1 2 65535", "P5\n2 1\n255\nab", "P6 1 1 1000\n\1\1\2\2\3\3",
  },
  read = function(text, scratch)
    local samples, width, height, channels = image_file.load(put(scratch .. "/read.ppm", text))
    if #samples ~= width * height * (channels or 1) and #samples % (width * height) ~= 0 then
      return ("it has %d samples for %d x %d pixels"):format(#samples, width, height)
    end
  end,
}

local function same(left, right)
  if type(left) ~= "table" or type(right) ~= "table" then return left == right end
  for key, value in pairs(left) do
    if not same(value, right[key]) then return false end
  end
  for key in pairs(right) do
    if left[key] == nil then return false end
  end
  return true
end

readers.json = {
  texts = {
    '{"a": [1, 2.5, -3e2], "b": {"c": null, "d": true}, "e": "\\u00fc\\n\\"x"}', "[]", "[[], {}]", "9007199254740991",
    '"\\ud83d\\ude00"', "[1e308, 1e-308, -0, 0.1]",
  },
  read = function(text)
    local value = json.decode(text)
    if not same(value, json.decode(json.encode(value))) then return "it is another value after writing and reading" end
  end,
}

-- An entry for a device that is almost this one, so that it is compared in all ways.
local function entry_text()
  local facts = tuned.facts(devices.get(0))
  facts.name, facts.driver, facts.compute_units = "another", "1", 4
  return json.encode {format = tuned.format, entries = {
    {device = facts, size = {64, 32}, parameters = {n = 4, kind = "a"}, seconds = 0.5},
    {device = facts, size = {16, 8}, parameters = {n = 8}, seconds = 0.25},
  }}
end

readers.tuned = {
  texts = {entry_text()},
  words = values,
  read = function(text)
    lfs.mkdir(tuned.folder())
    put(tuned.folder() .. "/changed.json", text)
    local found = tuned.find("changed", 0, {64, 32})
    if found and type(tostring(found)) ~= "string" then return "what it found has no text" end
  end,
}

local function device_of(platform, ordinal, index, name)
  return {
    platform = platform, ordinal = ordinal, index = index, name = name, kind = "cpu", vendor = "v",
    pci = "0000:65:00.0", uuid = "3f2a0000",
    max_compute_units = 2, max_clock_frequency = 1000, compiler_available = true,
    describe = function(self) return self.name end, is_kind = function(self, kind) return kind == self.kind end,
  }
end

local function machine()
  local first = {index = 0, name = "Portable Computing Language", vendor = "p", device_count = 1}
  local second = {index = 1, name = "NVIDIA CUDA", vendor = "n", icd_suffix_khr = "NV", device_count = 2}
  return {
    platforms = {first, second},
    devices = {device_of(first, 0, 0, "cpu-x"), device_of(second, 1, 0, "RTX"), device_of(second, 2, 1, "RTX")},
  }
end

readers.device = {
  compiled = true,
  texts = {"0", "1:0", "nvidia:rtx", "cpu", "gpu", "all", "uuid:3f2a", "pci:65:00.0", "pci:0000:65:00.0", "0,2", "rtx"},
  read = function(text)
    local chosen = choice.resolve(machine(), text, "--device")
    if #chosen == 0 then return "it names no device, and that is no error" end
    for i, device in ipairs(chosen) do
      for j = 1, i - 1 do
        if chosen[j] == device then return "it names a device twice" end
      end
    end
    choice.from_pyopencl(text)
  end,
}

readers.template = {
  texts = {
    "# for i = 1, n do\nx[$(i)] = $(name);\n# end\n", "/* # */ int a; // $(n)\n\"$(n)\"\n#define X \\\n  $(n)\n",
    "# if n > 2 then\na\n# else\nb\n# end\n",
  },
  -- A template is Lua: no word here may make a loop long.
  words = {"#", "$(", ")", "$(n)", "# end\n", "\n", "\\\n", "/*", "*/", "//", '"', "\0", "\255", "end", "1", "'", "--"},
  read = function(text)
    local made = template.expand(text, {n = 3, name = "y"}, "t")
    if made:sub(-1) ~= "\n" then return "its last line has no end" end
  end,
}

readers.struct = {
  compiled = true,
  texts = {
    "typedef struct { float4 place; int id[3]; } body;",
    "struct a { char x; union { long y; float z; }; } __attribute__((packed));\nstruct b { struct a in[2]; };",
    "enum { A, B = 4, C };\n#define N 3\ntypedef struct __attribute__((aligned(8))) { uchar3 c[N]; } t;",
    "typedef unsigned int u; struct s { u x; };",
  },
  read = function(text)
    local types = struct.declare(text)
    if tostring(types) ~= text then return "it does not give its text back" end
  end,
}

readers.trace = {
  texts = {
    "process\t12\tclue x.lua\ncall\tclGetPlatformIDs\t10\t20\t0\ndevice\t1\t0\tcpu\tdevice\ntimer\t1\t5\t6\t7\n"
      .. "queue\t1\t1\tin\ncommand\t1\t30\t1\tclEnqueueNDRangeKernel\t-1\tf\t64\nsent\t1\t30\t40\t0\n"
      .. "times\t1\t0\t90\t30\t35\t40\t80\nown\t1\t2\n",
  },
  read = function(text)
    local process = trace.process(text)
    if not process.first then return end
    align.process(process)
    for _, command in ipairs(process.commands) do
      if type(command.began) ~= "number" then return "a command has no beginning" end
    end
    summary.of {process}
  end,
}

readers.build_log = {
  compiled = true,
  texts = {
    "x.cl:3:4: error: no\n", "In file included from a.cl:1:\n./h.h:2:1: warning: w\n", "<kernel>:12:7: note: expanded",
    "error: <source>:1:1: fatal error: x", "input.cl(3): error: y",
  },
  read = function(text)
    for line in text:gmatch "[^\n]+" do build_log.parse(line) end
  end,
}

readers.element = {
  compiled = true,
  texts = {"1", "-128", "255", "0x1f", "1e10", "9007199254740993", "-inf", "nan", "0.1", "18446744073709551615"},
  read = function(text)
    for _, name in ipairs {"char", "ulong", "long", "half", "float", "double"} do
      local one = array[name](2)
      if pcall(function() one[0] = text end) then
        one[1] = binding.array_print(one, 0)
        if binding.array_print(one, 0) ~= binding.array_print(one, 1) then return "its text is another number" end
      end
    end
  end,
}

return readers
