-- clue.repl.completion: the text that Tab inserts at the prompt, and the names that it shows.
-- suite: quick
-- process: shared
local completion = require "clue.repl.completion"

local function inserted(before)
  return (completion.complete(before, 80))
end

local function shown(before)
  return (select(2, completion.complete(before, 80)))
end

describe("completion", function()
  it("inserts the common beginning of the names that fit", function()
    rawset(_G, "spec_variable", 1)
    assert.equal("riable", inserted "x = spec_va")
    rawset(_G, "spec_variable", nil)
    assert.equal("ntext", inserted "CLCo")
    assert.equal("ction", inserted "fun")
    assert.equal("erse", inserted "io.stdout, package.loaded.string.rev")
  end)

  it("shows the names in columns if nothing can be inserted", function()
    assert.is_nil(inserted "string.re")
    assert.equal("rep  reverse", shown "string.re")
    rawset(_G, "spec_table", {alpha = 1, beta = 2, gamma_ray = 3, delta = 4, epsilon = 5})
    assert.equal("alpha  delta    gamma_ray\nbeta   epsilon", (select(2, completion.complete("f(spec_table.", 25))))
    rawset(_G, "spec_table", nil)
    local narrow = select(2, completion.complete("string.", 20))
    for line in narrow:gmatch "[^\n]+" do assert.is_true(#line <= 20, line) end
  end)

  it("knows the methods of texts, after names and quotes", function()
    assert.equal("ub", inserted "package.path:gs")
    assert.equal("ub", inserted "'x':gs")
    assert.equal("ub", inserted '"x":gs')
  end)

  it("offers functions only after a colon", function()
    rawset(_G, "spec_table", {alpha = 1, alphabet = function() end})
    assert.equal("bet", inserted "spec_table:alpha")
    assert.equal("alpha  alphabet", shown "spec_table.alpha")
    rawset(_G, "spec_table", nil)
  end)

  it("knows clue's modules and arrays", function()
    rawset(_G, "spec_clue", require "clue")
    rawset(_G, "spec_array", require("clue.array").float(3))
    assert.equal("ernel_time", inserted "spec_clue.k")
    assert.equal("oat", inserted "spec_clue.array.fl")
    assert.equal("treme_indices", inserted "spec_array:ex")
    rawset(_G, "spec_clue", nil)
    rawset(_G, "spec_array", nil)
  end)

  it("asks a metatable's __completions", function()
    rawset(_G, "spec_offering", setmetatable({}, {methods = {go = print}, __completions = function(self)
      return {[self.prefix .. "_field"] = true}
    end, __index = {prefix = "given"}}))
    assert.equal("n_field", inserted "spec_offering.give")
    assert.equal("go", inserted "spec_offering:")
    rawset(_G, "spec_offering", nil)
  end)

  it("calls no function of the user's", function()
    local called = false
    rawset(_G, "spec_guarded", setmetatable({}, {__index = function() called = true end}))
    assert.is_nil(inserted "spec_guarded.field.x")
    assert.is_nil(inserted "spec_guarded.x")
    rawset(_G, "spec_guarded", nil)
    assert.is_false(called)
  end)

  it("offers nothing if it cannot know the value", function()
    for _, before in ipairs {"f().x", "f(1):x", "t[1].x", "no_such_name_anywhere", "no_such_name.x", "12", "1.5",
                             "x = "} do
      assert.same({nil, nil}, {completion.complete(before, 80)}, before)
    end
  end)

  it("indents at the beginning of a line", function()
    assert.equal("  ", inserted "")
    assert.equal("  ", inserted "   ")
  end)
end)
