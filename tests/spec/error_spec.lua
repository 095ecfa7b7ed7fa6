-- Error objects, which the object layer raises.
-- suite: quick
-- process: shared

local binding = require "clue.binding"
local clue = require "clue"
local error_object = require "clue.error"
local support = require "support"

describe("a failed call", function()
  local problem

  before_each(function()
    local _
    _, problem = pcall(function() clue.wait(65537) end)
  end)

  it("raises an object with the code, its name, the call and the detail", function()
    assert.is_true(error_object.is(problem))
    assert.equal("CL_INVALID_KERNEL", problem.name)
    assert.equal(-48, problem.code)
    assert.equal("handle", problem.cause)
    assert.is_string(problem.call)
    assert.matches("65537", problem.detail)
  end)

  it("gives the caller's line, then the library's text", function()
    assert.matches("^[^\n]*error_spec%.lua:%d+: [^\n]*CL_INVALID_KERNEL %(%-48%)", tostring(problem))
    assert.equal(problem.where .. ": " .. problem.text, tostring(problem))
    assert.equal(binding.error().text, problem.text)
  end)
end)

describe("an error object", function()
  it("shows a build's log after the text", function()
    local problem = error_object.new {code = -11, name = "CL_BUILD_PROGRAM_FAILURE", text = "it failed",
      log = "line 1"}
    assert.matches(": it failed\nline 1$", tostring(problem))
  end)

  it("builds its text from call, name, code and detail", function()
    local problem = error_object.new {code = -30, name = "CL_INVALID_VALUE", call = "clCreateBuffer",
      detail = "0 bytes"}
    assert.equal("clCreateBuffer: CL_INVALID_VALUE (-30): 0 bytes", problem.text)
  end)

  it("refuses what its text cannot be made of", function()
    for _, field in ipairs {"call", "cause", "detail", "log", "name", "text", "where"} do
      local done, refused = pcall(error_object.new, {[field] = print})
      assert.is_false(done)
      assert.equal(("error.new: record.%s must be a text, got a function"):format(field), refused.text)
    end
    assert.equal("error.new: record.code must be a number, got a table",
      select(2, pcall(error_object.new, {code = {}})).text)
  end)

  it("is caught alone by failure.caught: Ctrl-C and Lua's own errors end a script", function()
    local caught = require("clue.failure").caught
    assert.same({true, 1, nil, 3}, {caught(function() return 1, nil, 3 end)})
    assert.equal("refused", select(2, caught(error, error_object.new {text = "refused"})).text)
    assert.same({false, "interrupted!"}, {pcall(caught, error, "interrupted!", 0)})
  end)

  it("is distinguished from other tables", function()
    assert.is_false(error_object.is({}))
    assert.is_false(error_object.is("text"))
    assert.is_false(error_object.is(nil))
  end)

  it("is raised by check only for nil", function()
    assert.same({1, false}, {error_object.check(1, false)})
    assert.equal(false, error_object.check(false))
    assert.has_error(function() error_object.check(nil) end)
  end)
end)

describe("clue.read_file", function()
  it("gives the bytes as they are", function()
    local path = support.temporary()
    local file = assert(io.open(path, "wb"))
    file:write("a\r\nb\0c")
    file:close()
    assert.equal("a\r\nb\0c", clue.read_file(path))
  end)

  it("names a missing file and the caller's line", function()
    local _, problem = pcall(function() clue.read_file("no/such.cl") end)
    assert.is_true(error_object.is(problem))
    assert.matches("error_spec%.lua:%d+: cannot read no/such%.cl: No such file", tostring(problem))
  end)

  it("refuses a folder", function()
    assert.error_matches(function() clue.read_file("/") end, "cannot read")
  end)
end)
