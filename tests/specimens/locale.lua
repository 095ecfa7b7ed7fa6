-- Writes and reads numbers in every way that clue has, after the locale has changed. Prints what came of it. The words
-- after the script's name: the locale.
assert(os.setlocale(arg[1]))
local cl = require "clue"
local mql5 = require "clue.mql5"

local function say(...) io.write(table.concat({...}, "\t"), "\n") end
local function failed(call, ...) return tostring(select(2, pcall(call, ...))):match "[^\n]*" end
local function read_back(save)
  local path = os.tmpname()
  os.remove(path)
  local written = save(path)
  local file = assert(io.open(written))
  local text = file:read "*a"
  file:close()
  os.remove(written)
  return text
end

-- texts for compilers
local context = cl.context()
local queue = context:queue()
local program = context:program("kernel void f(global double *x) { double v = (V); x[0] = v; }",
  {defines = {V = 0.375}})
local x, back = context:buffer(cl.array.double(1)), cl.array.double(1)
program:kernel "f"(queue, 1, nil, x)
queue:read_buffer(x, back)
say(program.options, back[0] == 0.375 and "right" or "wrong")
say((cl.define {V = 0.1, ["F(x)"] = 1e-300}))
say(cl.template("$(V)\n", {V = 2.5}))

-- arrays, their elements and files
local a = cl.array.float {0.375, 1.5, 1e-10, -2.25}
say(a:decimal(0), a:describe(), tostring(a))
for _, name in ipairs {"half", "double"} do say(name, cl.array[name] {0.1, 1e-7}:decimal(0)) end
say(tostring(cl.float(0.5)), tostring(cl.float4(0.5, 1.5, 2.5, 3.5)))
for _, ending in ipairs {".csv", ".json"} do
  say(read_back(function(path)
    a:save(path .. ending)
    return path .. ending
  end))
end

-- JSON
say(cl.json.encode {a, 0.1, {half = 0.5}}, cl.json.encode(cl.json.decode "[0.25, 1e-3, 3]"))
say(failed(cl.json.decode, "[0,25.5,]"))

-- MQL5
local print_format = mql5.StringFormat("%.3f %g %8.2e %s %d", 1.5, 0.25, 1234.5, 0.1, 3)
say(mql5.DoubleToString(1.2345, 2), print_format, mql5.DoubleToString(mql5.StringToDouble "2.5e-1abc", 3))
say(tostring(mql5.complex(1.5, -2.5)), failed(mql5.MathSrand, 0.5), failed(mql5.NormalizeDouble, 1, 0.5))
mql5.Print(0.5, " ", cl.float(0.1))

-- messages
say(failed(function() cl.array.int(2)[0] = 0.5 end))
say(failed(cl.array.float, 0.5))
local kernel = context:program("kernel void g(global int *x, int n) { x[0] = n; }"):kernel "g"
say(failed(kernel.set_args, kernel, x, 0.5))
