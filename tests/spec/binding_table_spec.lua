-- The table from which both bindings are made: what its reader gives and refuses, and that nothing in it is written by
-- hand as well.
local binding = require "clue.binding"
local support = require "support"

local definition = dofile "bindings/definition.lua"

local function read(...)
  local path = support.write(table.concat({...}, "\n") .. "\n")
  local lists, functions = definition.read(path)
  return lists, functions, path
end

-- What the reader says of a table, without the path of the table.
local function refusal(...)
  local path = support.write(table.concat({...}, "\n") .. "\n")
  local read_it, message = pcall(definition.read, path)
  assert.is_false(read_it)
  assert.equal(path, message:sub(1, #path))
  return message:sub(#path + 1)
end

describe("the table of the bindings", function()
  local _, functions = definition.read "bindings/binding.def"

  it("has functions of the binding only, each once", function()
    local seen = {}
    for _, made in ipairs(functions) do
      assert.equal("function", type(binding[made.name]), made.name)
      assert.is_nil(seen[made.name], made.name)
      seen[made.name] = true
    end
  end)

  it("has what is not written by hand", function()
    local definitions = {["bindings/ffi/*.lua"] = "function binding.%s(", ["bindings/capi/*.c"] = '{"%s",'}
    for files, definition_of in pairs(definitions) do
      local text = io.popen("cat " .. files):read "*a"
      for _, made in ipairs(functions) do
        assert.is_nil(text:find(definition_of:format(made.name), 1, true), made.name)
      end
    end
  end)
end)

describe("the reader of the table", function()
  it("counts the arguments that a parameter takes in Lua", function()
    local _, functions = read "write(int buffer, part data, blocking): event = enqueue"
    local made = functions[1]
    assert.equal("clue_enqueue", made.call)
    assert.equal(5, made.arguments)
    assert.same({1, 2, 5}, {made.parameters[1].first, made.parameters[2].first, made.parameters[3].first})
    assert.same({"data", "first", "count"}, made.parameters[2].arguments)
  end)

  it("takes words of a list as kinds, and what nil stands for", function()
    local lists, functions = read("words kind_of_thing CLUE_: big small",
      "f(kind_of_thing kind or 0, text? name): returns kind_of_thing")
    assert.same({word = "small", code = "CLUE_SMALL"}, lists.kind_of_thing[2])
    assert.equal("kind of thing", lists.kind_of_thing.what)
    local kind, name = functions[1].parameters[1], functions[1].parameters[2]
    assert.same({"word", "0", true}, {kind.kind, kind.default, kind.optional})
    assert.same({"text", true}, {name.kind, name.optional})
    assert.is_true(functions[1].returns)
  end)

  it("hands parameters on in C's order, memory that C writes to first", function()
    local _, functions = read "f(int a, part data_out, int b): done = (b, data, a)"
    local kinds = {int = {}, part = {data = "$name.data", size = "$name.size"}}
    assert.equal("clue_f(out, data.data, b, data.size, a)", definition.call(functions[1], kinds, {"out"}))
  end)

  it("refuses what it does not know, and says in which line", function()
    assert.equal(":2: there is no kind of parameter 'itn a'", refusal("# a comment", "f(itn a): done"))
    assert.equal(":1: there is no kind of result 'dnoe'", refusal "f(int a): dnoe")
    assert.equal(":1: there is no parameter 'b'", refusal "f(int a): done = (b)")
    assert.equal(":1: only 1 of 2 parameters are passed on", refusal "f(int a, int b): done = (b)")
    assert.matches("^:1: this is neither a function nor a list of words", refusal "f int")
    assert.matches("^:1: a list of words must be", refusal "words of wisdom")
  end)
end)
