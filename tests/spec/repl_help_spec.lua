-- help at the prompt: signatures and descriptions from the comments of clue's own functions.
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
    assert.matches("^queue:fill_buffer%(memory, with, where%)\nFills memory with one value%.", help.text "fill_buffer")
  end)

  it("lists the functions of objects, arrays and tables with what they do", function()
    assert.matches("array:sum%(", help.text(cl.array.float(1)))
    assert.matches("array:fill%(value, first, count%)  Sets elements to one value%.", help.text "array")
    assert.matches("^cl%.", help.text(cl))
    assert.matches("queue:finish%(%)  ", help.text "queue")
    local methods = help.text(mql5.matrix(1, 1))
    assert.matches("matrix.Init%(rows, cols, value%)  Gives it a new size", methods)
    assert.equal("matrix(rows, columns, value)\n\n" .. methods, help.text "matrix")
  end)

  it("suggests the nearest name", function()
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
