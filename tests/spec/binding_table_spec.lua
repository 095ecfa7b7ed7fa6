-- The table from which both bindings are made, and its reader.
-- suite: quick
-- process: shared
local binding = require "clue.binding"
local support = require "support"

local definition = dofile "bindings/definition.lua"

local function read(...)
  local path = support.write(table.concat({...}, "\n") .. "\n")
  local lists, functions = definition.read(path)
  return lists, functions, path
end

-- The reader's error for a table, without the table's path.
local function refusal(...)
  local path = support.write(table.concat({...}, "\n") .. "\n")
  local read_it, message = pcall(definition.read, path)
  assert.is_false(read_it)
  assert.equal(path, message:sub(1, #path))
  return message:sub(#path + 1)
end

describe("the table of the bindings", function()
  local _, functions = definition.read "bindings/binding.def"

  it("lists only functions of the binding, each once", function()
    local seen = {}
    for _, made in ipairs(functions) do
      assert.equal("function", type(binding[made.name]), made.name)
      assert.is_nil(seen[made.name], made.name)
      seen[made.name] = true
    end
  end)

  it("lists no function that is also written by hand", function()
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
  it("counts the Lua arguments of a parameter", function()
    local _, functions = read "write(int buffer, part data, blocking): event = enqueue"
    local made = functions[1]
    assert.equal("clue_enqueue", made.call)
    assert.equal(5, made.arguments)
    assert.same({1, 2, 5}, {made.parameters[1].first, made.parameters[2].first, made.parameters[3].first})
    assert.same({"data", "first", "count"}, made.parameters[2].arguments)
  end)

  it("reads lists of words as kinds, and defaults in place of nil", function()
    local lists, functions = read("words kind_of_thing CLUE_: big small",
      "f(kind_of_thing kind or 0, text? name): returns kind_of_thing")
    assert.same({word = "small", code = "CLUE_SMALL"}, lists.kind_of_thing[2])
    assert.equal("kind of thing", lists.kind_of_thing.what)
    local kind, name = functions[1].parameters[1], functions[1].parameters[2]
    assert.same({"word", "0", true}, {kind.kind, kind.default, kind.optional})
    assert.same({"text", true}, {name.kind, name.optional})
    assert.is_true(functions[1].returns)
  end)

  it("passes parameters on in C's order, with output memory first", function()
    local _, functions = read "f(int a, part data_out, int b): done = (b, data, a)"
    local kinds = {int = {}, part = {data = "$name.data", size = "$name.size"}}
    assert.equal("clue_f(out, data.data, b, data.size, a)", definition.call(functions[1], kinds, {"out"}))
  end)

  it("refuses unknown words, and names the line", function()
    assert.equal(":2: there is no kind of parameter 'itn a'", refusal("# a comment", "f(itn a): done"))
    assert.equal(":1: there is no kind of result 'dnoe'", refusal "f(int a): dnoe")
    assert.equal(":1: there is no parameter 'b'", refusal "f(int a): done = (b)")
    assert.equal(":1: only 1 of 2 parameters are passed on", refusal "f(int a, int b): done = (b)")
    assert.equal(":1: parameter 'a' is passed on twice", refusal "f(int a, int b): done = (a, a)")
    assert.equal(":1: two parameters are called 'a'", refusal "f(int a, long a): done")
    assert.equal(":1: there is no kind of parameter 'int a = 3'", refusal "f(int a = 3): done")
    assert.equal(":1: this is not the name of a call:  bar", refusal "f(int a): done = foo bar")
    assert.matches("^:1: this is neither a function nor a list of words", refusal "f int")
    assert.matches("^:1: a list of words must be", refusal "words of wisdom")
  end)
end)
