-- Templates: the text that they make, and the messages of Lua and of the device's compiler for faults in them.
-- suite: quick
-- process: shared
-- drivers: pocl

local cl = require "clue"

local function refusal(...)
  local done, problem = pcall(cl.template, ...)
  assert.is_false(done)
  assert.is_true(cl.error.is(problem), tostring(problem))
  return problem.text
end

-- The text that the template makes, without the directives.
local function made(text, values)
  return (("\n" .. cl.template(text, values)):gsub("\n#line [^\n]*", ""):sub(2))
end

describe("a template", function()
  it("is Lua in its # lines and in $()", function()
    assert.equal("a0 = 0;\na1 = 2;\na2 = 4;\n", made("# for i = 0, n do\na$(i) = $(i * 2);\n# end\n", {n = 2}))
    assert.equal("yes\n", made("# if flag then\nyes\n# else\nno\n# end\n", {flag = true}))
    assert.equal("no\n", made("  # if flag then\nyes\n#\telse\nno\n# end", {flag = false}))
    assert.equal("f(1) + g(2)\n", made("f($(one)) + g($(math.floor(2.5)))\n", {one = 1}))
    assert.equal("x\ny\nz\n", made("$(body)\nz\n", {body = "x\ny"}))
    assert.equal("5\n", made("# local function five()\n#   return 5\n# end\n$(five())"))
  end)

  it("may begin with a byte order mark, as may a part of it", function()
    assert.equal("1\na\n", made("\239\187\191# local n = 1\n$(n)\n\239\187\191# n = 2\na\n"))
  end)

  it("does not change preprocessor lines and other text", function()
    local text = "#define A 1\n  #if A\n#pragma unroll\n#elif B\n#else\n#endif\n#\nif (a[1] $ 2) { \"#\" }\n\n#line 3\n"
    assert.equal((text:gsub("\n#\n", "\n")), (cl.template(text, nil, "t"):gsub('#line %d+ "t"[^\n]*\n', "")))
  end)

  it("writes numbers so that C reads the same numbers", function()
    assert.equal("16 -1 0.5 16777216 18014398509481984 1e+300 0.1 INFINITY -INFINITY NAN\n",
      made("$(16) $(-1) $(0.5) $(2^24) $(2^54) $(1e300) $(0.1) $(1/0) $(-1/0) $(0/0)"))
    assert.equal(1 / 3, tonumber((made("$(1/3)"))))
    assert.equal("4\n", made("$(8 / 2)"))
    assert.equal("5-0\n", made("5-$(-i)", {i = 0})) -- 5--0 would not compile
    assert.equal("2147483648\n", made("$(2147483648)"))
    local to_integer = rawget(math, "tointeger") -- in Lua 5.4
    if to_integer then assert.equal("9007199254740993\n", made("$(n)", {n = to_integer(2 ^ 53) + 1})) end
  end)

  it("numbers its lines, and shows the written line after #line", function()
    assert.equal('#line 1 "t"\na\nb\n#line 4 "t" // $(i)\n1\n#line 4 "t" // $(i)\n2\n#line 6 "t"\nc\n',
      cl.template("a\nb\n# for i = 1, 2 do\n$(i)\n# end\nc\n", nil, "t"))
    assert.equal('#line 1 "t"\na\n', cl.template("a", nil, "t"))
    assert.equal('#line 2 "t"\na\nb\n#line 5 "t"\nc\n', cl.template("# --\na\nb\n# --\nc", nil, "t"))
  end)

  it("puts no directive into comments and continued lines, where it would not work", function()
    assert.equal('#line 1 "t"\n/* a\n1\nb */\n#line 6 "t"\nc\n',
      cl.template("/* a\n# --\n$(1)\nb */\n# --\nc", nil, "t"))
    assert.equal('#line 1 "t"\n#define A \\\n1 \\\n2\n#line 5 "t"\nc\n',
      cl.template("#define A \\\n$(1) \\\n# --\n2\nc", nil, "t"))
    assert.equal('#line 1 "t"\n"/*" // /*\n#line 3 "t"\nc /* */ "\\"/*"\n#line 5 "t"\nd\n',
      cl.template('"/*" // /*\n# --\nc /* */ "\\"/*"\n# --\nd', nil, "t"))
    assert.equal('#line 1 "t"\n1 \\\n2\n', cl.template("$(1) \\\n2", nil, "t"))
  end)

  it("is named after its place in the script if it has no name", function()
    assert.matches('^#line 1 "template_spec.lua@%d+"\n', cl.template("a"))
  end)

  it("names the line of a fault", function()
    assert.matches("^template t, line 2: .*expected near", refusal("a\n# for i = 1 3 do\n# end", nil, "t"))
    assert.equal("template t, line 3: 'n' is not among the template's values", refusal("a\nb\n$(n)\n", {}, "t"))
    assert.equal("template t, line 2: 'n' is not among the template's values",
      refusal("a\n# if n then\n# end", {}, "t"))
    assert.matches("^template t, line 3: attempt to perform arithmetic on .*nil value",
      refusal("# local t = {}\na\n# t.x = t.y + 1\nb", {}, "t"))
    assert.matches("^template t, line 4: attempt to perform arithmetic",
      refusal("a\nb\nc\n$(t.x + 1)", {t = {}}, "t"))
    assert.matches("^template t, line 2: .*unexpected symbol", refusal("a\n$(1 +)\nb", nil, "t"))
    assert.equal("template t, line 2: $(t.x) must be a number or a text, not nothing",
      refusal("a\n$(t.x)", {t = {}}, "t"))
    assert.equal("template t, line 1: $(t) must be a number or a text, not a table",
      refusal("$(t)", {t = {}}, "t"))
    assert.equal("template t, line 2: $( is not closed on this line", refusal("a\n$(f(1)\n)", nil, "t"))
    assert.equal("template t, line 1: '#for' is not a preprocessor directive; a line of Lua has a blank after its #",
      refusal("#for i = 1, 2 do\n#end", nil, "t"))
  end)

  it("passes on the errors of its Lua code", function()
    assert.equal("template t, line 2: wrong", refusal("a\n# error('wrong', 1)", nil, "t"))
    assert.equal("template t: wrong", refusal("a\n# error('wrong', 0)", nil, "t"))
    local problem = {}
    local done, raised = pcall(cl.template, "# error(problem)", {problem = problem}, "t")
    assert.is_false(done)
    assert.equal(problem, raised)
  end)

  it("needs Penlight", function()
    local loaded, loader = package.loaded["pl.template"], package.preload["pl.template"]
    package.loaded["pl.template"] = nil
    package.preload["pl.template"] = function() error("it is not here", 0) end
    local said = refusal("a", nil, "t")
    package.loaded["pl.template"], package.preload["pl.template"] = loaded, loader
    assert.matches("^cl.template needs Penlight, Debian's package lua%-penlight: .*it is not here", said)
  end)

  it("needs a text, a table of values and a name", function()
    assert.equal("cl.template: text must be a text, got nil", refusal())
    assert.equal("cl.template: values must be a table of values by name, got 3", refusal("", 3))
    assert.equal('cl.template: name must be a text without quotation marks, backslashes and colons, got "a:1"',
      refusal("", nil, "a:1"))
  end)

  it("is shown by its own lines in messages of the device's compiler", function()
    require("clue.options").quiet = true -- without the line that names the device
    local context = cl.context()
    local text = "kernel void f(global float *x) {\n# for i = 0, n - 1 do\n  x[$(i)] = $(value);\n# end\n"
      .. "  x[0] += last;\n}\n"
    local good = cl.template(text, {n = 4, value = "7.0f"}, "unrolled")
    local x, read, queue = context:buffer(cl.array.float(4)), cl.array.float(4), context:queue()
    context:program(cl.define {last = 1} .. good):kernel "f"(queue, 1, nil, x)
    queue:read_buffer(x, read)
    assert.same({8, 7, 7, 7}, read:table())
    local bad = cl.template(text, {n = 2, value = "oops"}, "unrolled")
    local done, problem = pcall(context.program, context, bad)
    assert.is_false(done)
    assert.matches("unrolled:3:10: [^\n]*'oops'[^\n]*\n      x%[%$%(i%)%] = %$%(value%);\n"
      .. "  from which this was made[^\n]*\n *x%[0%] = oops;\n *%^", problem.log)
    assert.matches("unrolled:5:11: [^\n]*'last'[^\n]*\n *x%[0%] %+= last;\n *%^", problem.log)
  end)
end)
