-- Tables that are written as Lua are read, and nothing in them runs.
-- suite: quick
-- process: shared
local plain_table = require "clue.plain_table"

describe("a table that is written as Lua", function()
  it("is read as Lua would make it", function()
    assert.same({}, plain_table "return {}")
    assert.same({a = 1, b = {2, -3, 0x10F1, 1.5e3}, c = true, d = false, e = {{f = "x"}}}, plain_table [[
      -- a comment
      return {a = 1, b = {2, -3, 0x10F1, 1.5e+3}; c = true, d = false, -- another
        e = {{f = "x"},},
      }
    ]])
  end)

  it("may have every byte in a text", function()
    for byte = 0, 255 do
      local text = string.char(byte, 55, byte)
      local written = text:gsub(".", function(each) return ("\\%03d"):format(each:byte()) end)
      assert.same({text}, plain_table('return {"' .. written .. '"}'))
    end
    assert.same({'\\065 "\n"7', "back\\"}, plain_table [[return {"\\065 \"\n\"7", "back\\"}]])
  end)

  it("is refused with the line of what is not data", function()
    local hit = false
    _G.plain_table_hit = function() hit = true end
    for text, why in pairs {
      ['return {\n a = plain_table_hit()}'] = "line 2: a text in double quotes, a number, true, false or a table of "
        .. "these, not 'plain_table_hit'",
      ['plain_table_hit() return {}'] = "line 1: return {, not 'plain_table_hit'",
      ['return {} plain_table_hit()'] = "line 1: nothing after the table, not 'plain_table_hit'",
      ['return ({})'] = "line 1: return {, not '('",
      ['return {("x"):rep(1e9)}'] = "line 1: a text in double quotes, a number, true, false or a table of these, not "
        .. "'('",
      ['return {"x" .. "y"}'] = "line 1: a comma or '}', not '..'",
      ['return {1 + 1}'] = "line 1: a comma or '}', not '+'",
      ['return {5-3}'] = "line 1: a number, not '5'",
      ['return {a = "x\ny"}'] = [[line 1: a text that ends on its line, not '"']],
      ['return {"\\q"}'] = [[line 1: a text with Lua's escapes, not '"']],
      ['return {"\\256"}'] = [[line 1: a text with Lua's escapes, not '"']],
      ['return {function() end}'] = "line 1: a text in double quotes, a number, true, false or a table of these, not "
        .. "'function'",
      ['return {'] = "line 1: a text in double quotes, a number, true, false or a table of these, not the end",
      [''] = "line 1: return {, not the end",
      ['\27LJ\2\10'] = "line 1: return {, not '\27'",
      ['return ' .. ("{"):rep(1e5)] = "line 1: tables in at most 20 others, not '{'",
    } do
      local found, said = plain_table(text)
      assert.is_nil(found)
      assert.equal(why, said)
    end
    _G.plain_table_hit = nil
    assert.is_false(hit)
  end)
end)
