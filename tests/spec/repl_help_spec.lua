-- help at the prompt: signatures and descriptions from the comments of clue's own functions.
-- suite: quick
-- builds: luajit lua54
-- process: shared
local cl = require "clue"
local help = require "clue.repl.help"
local mql5 = require "clue.mql5"

describe("help", function()
  it("lists the topics, of which each has functions", function()
    local topics = help.text():match "\ntopics: ([^\n]*)"
    local count = 0
    for topic in topics:gmatch "[^, ]+" do
      assert.matches("^[%w_ ]+[.:]?[%w_ ]*%(", help.text(topic), 1)
      count = count + 1
    end
    assert.is_true(count > 10, topics)
  end)

  it("begins with lines to type, which run a first kernel", function()
    local scope, result = setmetatable({cl = cl}, {__index = _G}), nil
    local lines = help.text():match "^a first kernel, line by line:\n(.-)\nhelp"
    local count = 0
    for line in lines:gmatch "  ([^\n]+)" do
      local run = assert((rawget(_G, "loadstring") or load)(line))
      if rawget(_G, "setfenv") then
        rawget(_G, "setfenv")(run, scope)
      else
        run = assert(load(line, nil, "t", scope))
      end
      result, count = run(), count + 1
    end
    assert.equal(5, count)
    assert.same({2, 4, 6}, result:table())
  end)

  it("describes a function by its value and by its name", function()
    local text = help.text(mql5.StringSplit)
    assert.equal(text, help.text "StringSplit")
    assert.matches("^StringSplit%(text, separator, %.%.%.%)\nSplits a text%.", text)
    assert.matches("\n  separator %(number|string%): the code of a character, or the character\n", text)
    assert.matches("\n  returns number how many parts there are; 0 if the text is empty\n", text)
    assert.matches("\n  start_pos %(number, default 0%): the first position", help.text(mql5.StringFind))
    assert.equal(help.text(cl.context), help.text "cl.context")
    local all = help.text "finish"
    for _, name in ipairs {"cl.finish", "context:finish", "queue:finish"} do
      assert.truthy(all:find(help.text(name), 1, true), all)
    end
  end)

  it("describes functions that others have made", function()
    assert.matches("^queue:write_buffer%([^)]+%)\n%S", help.text "write_buffer")
    assert.matches("^queue:fill_buffer%(memory, with, %[where%]%)\nFills memory with one value%.",
      help.text "fill_buffer")
  end)

  it("lists the functions of objects, arrays and tables with what they do", function()
    assert.matches("array:sum%(", help.text(cl.array.float(1)))
    assert.matches("array:fill%(value, %[first%], %[count%]%)  Sets elements to one value%.", help.text "array")
    assert.matches("^cl%.", help.text(cl))
    assert.matches("queue:finish%(%)  ", help.text "queue")
    local methods = help.text(mql5.matrix(1, 1))
    assert.matches("matrix.Init%(rows, cols, %[value%], %.%.%.%)  Gives it a new size", methods)
    local matrix = help.text "matrix"
    assert.matches("^matrix%(%[rows%], %[columns%], %[value%], %.%.%.%)\nMakes a matrix of this type%.\n  rows %(",
      matrix)
    assert.equal("\n\n" .. methods, matrix:sub(-#methods - 2))
  end)

  it("describes what is loaded, or made, at its first use", function()
    assert.matches("device_array:slice%(given%)  A part of the array", help.text "device_array")
    assert.matches("\ndevice_array:sqrt%(%)  The function of each element%.", help.text "device_array")
    assert.matches("^float3%(%.%.%.%)\nA vector, for arguments", help.text "float3")
    assert.equal(help.text "float3", help.text "cl.float3")
    assert.equal(help.text "float3", help.text(cl.float3))
    local types = cl.structs "typedef struct { int x; } one;"
    assert.matches("^struct_array:bytes%(%)  returns the size in bytes", help.text(types.one:array(2)))
    assert.matches("\narray:each%(%)  The same loop", help.text "array")
  end)

  it("describes functions of the binding, of tables and of groups", function()
    assert.matches("^cl%.now%(%)\nThe time of a monotonic clock", help.text(cl.now))
    assert.matches("^cl%.cpu_time%(%)\nHow long processors", help.text "cpu_time")
    assert.matches("^array%.float%(elements, %.%.%.%)\nMakes an array", help.text(cl.array.float))
    assert.matches("^queue:read_svm%(memory, data, %[where%]%)\nReads memory into an array", help.text "read_svm")
    assert.matches("^MathMax%(x, y, %.%.%.%)\nThe function", help.text "MathMax")
    assert.matches("\n  or %(number buffer, number buffer_offset, matrix|vector matrix%): boolean\n",
      help.text "CLBufferWrite")
  end)

  it("describes a class's methods", function()
    assert.matches("^COpenCL:BufferCreate%(%w[^)]*%)\n%u", help.text "BufferCreate")
    assert.equal(help.text "BufferCreate", help.text(mql5.COpenCL().BufferCreate))
    assert.matches("^COpenCL:GetLocalMemorySize%(%.%.%.%)\nBytes of", help.text "GetLocalMemorySize")
    assert.matches("^input%.int%(name, default, %[description%], %[low%], %[high%]%)\nA number", help.text "input.int")
  end)

  it("leaves out the object of a method", function()
    local text = help.text(require("objects").context().elementwise)
    assert.matches("^context:elementwise%(arguments, operation, %[options%]%)\nMakes", text)
    assert.is_nil(text:find("\n  context (", 1, true))
    assert.is_nil(help.text("close"):find "self")
    assert.matches("^context:elementwise%(arguments", help.text "elementwise")
    assert.matches("^context:queue%(", help.text "queue")
    assert.matches("\nqueue:record%(commands, %[options%]%)  ", help.text "queue")
  end)

  it("shows the method of what the pages write most of first", function()
    for word, order in pairs {set_arg = "kernel:.*\n\ngraph:", wait = "cl%..*\n\nevent:",
                              copy = "array:.*\n\ndevice_array:", close = "[^\n]*\n.*\n\nbuffer:.*\n\nsampler:"} do
      assert.matches("^" .. order, help.text(word), word)
    end
  end)

  it("lists what begins with a word, below what has it as its name", function()
    assert.matches("^queue:map_buffer%([^\n]+\nqueue:map_image%([^\n]+\nqueue:map_svm%([^\n]+$", help.text "map")
    assert.matches("^device_array:read%(.*\n\n.*queue:read_buffer%(", help.text "read")
  end)

  it("takes a method of whatever the name before it is", function()
    assert.equal(help.text "set_arg", help.text "k:set_arg")
    assert.equal(help.text "random", help.text "a:random")
  end)

  it("suggests the nearest name", function()
    assert.equal("there is no pipe; help lists the topics", help.text "pipe") -- not Size
    assert.equal("there is no write_bufer: is write_buffer meant?", help.text "write_bufer")
    assert.equal("there is no xyzxyzxyz; help lists the topics", help.text "xyzxyzxyz")
    assert.equal("there is no help for nil; help lists the topics", help.text(nil))
    assert.equal("there is no help for 5; help lists the topics", help.text(5))
    assert.matches("^function%(%.%.%.%)$", help.text(print))
  end)

  it("is a text and a function", function()
    local global = help.global()
    assert.equal(help.text(), tostring(global))
    assert.equal(help.text(), tostring(global()))
    assert.equal(help.text "CLExecute", tostring(global "CLExecute"))
  end)
end)
