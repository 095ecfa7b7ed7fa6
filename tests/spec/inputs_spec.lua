-- Inputs: typed parameters of scripts, as declarations, options, globals and in --help.
-- suite: quick
-- builds: luajit lua54

local support = require "support"

local none, pocl, both = support.drivers("none"), support.drivers("pocl"), support.drivers("both")

-- Runs declarations, then an OnStart() that prints values.
local function run(declarations, args, env, shown)
  local script = declarations .. "\nfunction OnStart() " .. (shown or "Print(_x)") .. " end"
  return support.run_script(script, args, env or none)
end

local function value_of(declaration, ...)
  local out = support.ended(0, run(declaration, {...}))
  return (out:gsub("\n$", ""))
end

-- The usage error that these declarations and arguments give, without what comes after it: how to get help.
local function problem_of(declaration, ...)
  local err = support.refused(2, run(declaration, {...}))
  local problem, script = err:match "^(.*)[;?] `clue ([^`]*) %-%-help` lists the options\n$"
  assert.truthy(problem, err)
  assert.equal(script, err:match "^clue: ([^:]*): ")
  return (problem:gsub("clue: [^:]*: ", ""))
end

-- The error that a wrong declaration raises.
local function error_of(declaration)
  local _, err = support.ended(1, run(declaration, {}))
  local message = err:match("^clue: [^:]*:%d+: ([^\n]*)\n")
  assert.truthy(message, err)
  return message
end

describe("an input", function()
  it("sets the global of its name, and returns the value", function()
    local shown = value_of "local y = input.int('_x', 5, 'a number') Print(y, ' ', y == _x, ' ', _x)"
    assert.equal("5 true 5", shown:match("^[^\n]*"))
  end)

  it("has its default value if there is no option", function()
    assert.equal("5", value_of "input.int('_x', 5)")
    assert.equal("a b", value_of "input.string('_x', 'a b')")
    assert.equal("0.25", value_of "input.double('_x', 0.25)")
    assert.equal("true", value_of "input.bool('_x', true)")
    assert.equal("float", value_of "input.choice('_x', {'float', 'double'}, 'float')")
  end)

  it("is an option named without leading underscores, with - for _", function()
    local declaration = "input.int('__block_size', 8) _x = __block_size"
    assert.equal("9", value_of(declaration, "--block-size", "9"))
    assert.equal("9", value_of(declaration, "--block-size=9"))
    assert.equal("unknown option --block_size: did you mean --block-size", problem_of(declaration, "--block_size=9"))
  end)

  it("of one letter also takes one dash", function()
    assert.equal("9", value_of("_x = input.int('_t', 8)", "-t", "9"))
    assert.equal("9", value_of("_x = input.int('_t', 8)", "--t=9"))
    assert.equal("option -t: 'a' is not a whole number from 0 to 9",
      problem_of("input.int('_t', 8, '', 0, 9)", "-t", "a"))
    assert.equal("option -t needs a value", problem_of("input.int('_t', 8)", "-t"))
    assert.equal("option -t needs a value", problem_of("input.int('_t', 8) input.int('_u', 8)", "-t", "-u", "1"))
  end)

  it("takes the last value if there are several, and options in any order", function()
    local declarations = "input.int('_x', 1) input.string('_y', '') input.bool('_z', false)"
    local _, out = run(declarations, {"--z", "--y", "a", "--x", "2", "--x=3", "--no-z"}, none,
      "Print(_x, _y, _z)")
    assert.equal("3afalse\n", out)
  end)

  it("reads whole numbers in any of Lua's forms, within its type and the script's limits", function()
    for text, wanted in pairs {["-5"] = "-5", ["+7"] = "7", ["0x1F"] = "31", ["1e3"] = "1000", ["2147483647"] =
      "2147483647"} do
      assert.equal(wanted, value_of("input.int('_x', 0)", "--x", text))
    end
    assert.equal("9007199254740992", value_of("input.long('_x', 0)", "--x", "9007199254740992"))
    assert.equal("4294967295", value_of("input.uint('_x', 0)", "--x=4294967295"))
    for _, text in ipairs {"abc", "", "1.5", "2147483648", "-2147483649", "1x", "nan", "inf", "1e", "0x", "3 4"}
    do
      assert.equal(("option --x: '%s' is not a whole number from -2147483648 to 2147483647"):format(text),
        problem_of("input.int('_x', 0)", "--x=" .. text))
    end
    assert.equal("option --x: '-1' is not a whole number from 0 to 255",
      problem_of("input.uchar('_x', 0)", "--x", "-1"))
    assert.equal("option --x: '0' is not a whole number from 1 to 64",
      problem_of("input.int('_x', 8, 'size', 1, 64)", "--x", "0"))
    assert.equal("option --x: '9007199254740993' is not a whole number from -9007199254740991 to 9007199254740992",
      problem_of("input.long('_x', 0, '', -2 ^ 53 + 1)", "--x", "9007199254740993"))
    assert.equal("9007199254740992", value_of("input.ulong('_x', 0)", "--x", "0x20000000000000"))
    for _, text in ipairs {"9007199254740993", "0x20000000000001", "9007199254740992.5"} do
      assert.equal(("option --x: '%s' is not a whole number from 0 to 9007199254740992"):format(text),
        problem_of("input.ulong('_x', 0)", "--x", text))
    end
  end)

  it("reads fractions for float and double", function()
    assert.equal("-0.5", value_of("input.double('_x', 0)", "--x", "-.5"))
    assert.equal("1e-300", value_of("input.double('_x', 0)", "--x", "1e-300"))
    assert.equal("1e+38", value_of("input.float('_x', 0)", "--x", "1e38"))
    local problem = problem_of("input.float('_x', 0)", "--x", "1e39")
    assert.truthy(problem:find("is not a number from -3.40282347e+38", 1, true), problem)
    assert.truthy(problem_of("input.double('_x', 0)", "--x", "1e999"):find("'1e999' is not a number", 1, true))
  end)

  it("reads flags with and without no-, and true or false after =", function()
    local declaration = "input.bool('_x', false)"
    for _, text in ipairs {"--x", "--x=yes", "--x=true"} do assert.equal("true", value_of(declaration, text)) end
    for _, text in ipairs {"--no-x", "--x=0", "--x=off"} do assert.equal("false", value_of(declaration, text)) end
    assert.equal("option --x is true or false, not 'maybe'", problem_of(declaration, "--x=maybe"))
    assert.equal("option --no-x takes no value", problem_of(declaration, "--no-x=1"))
    assert.equal("'true' does not belong to an option", problem_of(declaration, "--x", "true"))
  end)

  it("reads words of a list", function()
    local declaration = "input.choice('_x', {'float', 'double'}, 'float')"
    assert.equal("double", value_of(declaration, "--x", "double"))
    assert.equal("option --x: 'half' is not one of float|double", problem_of(declaration, "--x", "half"))
  end)

  it("takes a value that starts with -- only after =", function()
    assert.equal("--y", value_of("input.string('_x', '')", "--x=--y"))
    assert.equal("", value_of("input.string('_x', 'a')", "--x="))
    local declarations = "input.string('_x', '') input.bool('_y', false)"
    assert.equal("option --x needs a value", problem_of(declarations, "--x", "--y"))
    assert.equal("option --x needs a value", problem_of("input.string('_x', '')", "--x"))
  end)

  it("refuses unknown options and stray words, all of them in one message, before OnStart() runs", function()
    assert.equal("option --x: 'a' is not a whole number from 0 to 255\nunknown option --y\nunknown option -q\n"
      .. "'stray' does not belong to an option", problem_of("input.uchar('_x', 0)", "--y=3", "--x=a", "-q", "4",
      "--x=5", "--x=a", "stray"))
  end)

  it("guesses which option was meant", function()
    local declarations = "input.int('_size', 8) input.bool('_verify', true) input.int('_n', 1)"
    for typed, meant in pairs {["--sise"] = "--size", ["--sise=3"] = "--size", ["--noverify"] = "--no-verify",
                               ["--devcie"] = "--device", ["--rep"] = "--repeat", ["-size"] = "--size"} do
      assert.equal(("unknown option %s: did you mean %s"):format(typed:match "^[^=]+", meant),
        problem_of(declarations, typed))
    end
    for _, typed in ipairs {"--height", "-q", "--m"} do
      assert.equal("unknown option " .. typed, problem_of(declarations, typed))
    end
  end)

  it("takes stray words if the script declares them", function()
    local status, out = run("input.words('files') input.int('_x', 0)", {"a", "--x", "3", "b", "-5"}, none,
      "Print(_x, ' ', table.concat(files, ','))")
    assert.equal("3 a,b,-5\n", out)
    assert.equal(0, status)
  end)
end)

describe("a wrong declaration", function()
  it("raises at the script's line", function()
    assert.equal('input.int: default must be a number, got "5"', error_of "input.int('_x', '5')")
    assert.equal("input.int: name must be a name, got nil", error_of "input.int(nil, 5)")
    assert.equal("input.bool: default must be a boolean, got 1", error_of "input.bool('_x', 1)")
    assert.equal("input.int: description must be a description, got 2",
      error_of "input.int('_x', 1, 2)")
    assert.equal("input.words: description must be a description, got a table", error_of "input.words('_x', {})")
    assert.equal("input.int: the default 1.5 is not a whole number from -2147483648 to 2147483647",
      error_of "input.int('_x', 1.5)")
    assert.equal("input.uchar: the default 0 is not a whole number from 1 to 255",
      error_of "input.uchar('_x', 0, '', 1)")
    assert.equal("input.choice: the default c is not one of a|b", error_of "input.choice('_x', {'a', 'b'}, 'c')")
    assert.equal("input.choice: list must be a list of words, got \"a\"", error_of "input.choice('_x', 'a', 'a')")
    assert.equal("input.choice: list must be a list of words, got a table", error_of "input.choice('_x', {}, 'a')")
    assert.equal("input.choice: list[2] must be a word, got a table", error_of "input.choice('_x', {'a', {}}, 'a')")
    assert.equal("input.string: default must be a string, got 5", error_of "input.string('_x', 5)")
    assert.equal("input.words: declared twice", error_of "input.words('a') input.words('b')")
    assert.equal("input.int: '2x' cannot be the name of a global", error_of "input.int('2x', 5)")
    assert.equal("input.int: '__' has no letter to name the option", error_of "input.int('__', 5)")
    assert.equal("input.int: option --x exists already", error_of "input.int('_x', 5) input.int('__x', 5)")
    assert.equal("input.bool: option --no-x exists already", error_of "input.int('no_x', 5) input.bool('x', true)")
    assert.equal("input.int: option --help exists already", error_of "input.int('_help', 5)")
  end)

  it("does not replace an existing global, and suggests another name", function()
    local message = "input.string: the global '%s' exists already: name the input '_%s', which leaves "
      .. "the option's name as it is"
    assert.equal(message:format("type", "type"), error_of "input.string('type', 'float')")
    assert.equal(message:format("Print", "Print"), error_of "input.string('Print', '')")
  end)

  it("is too late in OnStart()", function()
    local _, err = support.ended(1, support.run_script("function OnStart() input.int('_x', 1) end", {}, none))
    assert.truthy(err:find("inputs must be declared before OnStart() runs", 1, true), err)
  end)
end)

describe("--help", function()
  local declarations = [[
    input.int("_device", CL_USE_ANY, "device ordinal")
    input.uint("_size", 1000, "matrix size", 1, 4096)
    input.bool("_verify", true, "check the result")
    input.choice("_type", {"float", "double"}, "float", "element type")
    input.string("_label", "a b")
    Print("declared")]]

  it("shows every option with its type, default and description, and runs no OnStart()", function()
    local out = support.clean(run(declarations, {"--help"}, none, "Print('ran')"))
    local usage = out:match("^declared\n(.*)$"):gsub("usage: clue %S+", "usage: clue SCRIPT")
    assert.equal([[
usage: clue SCRIPT [options]
  --device SPEC          device ordinal (int, default CL_USE_ANY)
  --size N               matrix size (uint 1 to 4096, default 1000)
  --verify, --no-verify  check the result (bool, default true)
  --type float|double    element type (choice, default float)
  --label TEXT           (string, default "a b")
  --repeat N             how many times OnStart() runs (default 1)
  --help                 show this help
]], usage)
  end)

  it("wins over mistakes, also as -h", function()
    for _, help in ipairs {"--help", "-h"} do
      local out = support.ended(0, run(declarations, {"--size=x", help, "--foo"}, none, "Print('it has run')"))
      assert.truthy(out:find("\nusage: clue ", 1, true))
      assert.is_nil(out:find("it has run", 1, true))
    end
  end)

  it("exists even if the script has only OnStart() and no inputs", function()
    local out = support.ended(0, run("", {"--help"}))
    assert.truthy(out:find("--device SPEC", 1, true))
    assert.equal("unknown option --x", problem_of("", "--x"))
  end)
end)

describe("--repeat", function()
  it("runs OnStart() that many times in every script", function()
    local _, out = run("_x = 0", {"--repeat", "3"}, none, "_x = _x + 1 Print(_x)")
    assert.equal("1\n2\n3\n", out)
    assert.equal("option --repeat: '0' is not a whole number from 1 to 2147483647", problem_of("", "--repeat=0"))
  end)

  it("belongs to the script if the script declares it", function()
    assert.equal("7", value_of("_x = input.int('repeat_', 1) ", "--repeat-=7"))
    local _, out = run("_x = input.int('_repeat', 1)", {"--repeat", "7"})
    assert.equal("7\n", out)
  end)
end)

describe("--device", function()
  local shown = [[
    local context = CLContextCreate(_device or CL_USE_ANY)
    Print(_device, " ", require("clue").device.get(context).platform.name)
    CLContextFree(context)]]

  it("sets the device of CL_USE_ANY if the script has no device input", function()
    local _, out, err = run("", {"--device", "oclgrind"}, both, shown)
    assert.equal("nil Oclgrind\n", out)
    assert.truthy(err:find("named by --device", 1, true), err)
    _, out = run("", {"--device=portable"}, support.drivers("both", {CLUE_DEVICE = "oclgrind"}), shown)
    assert.equal("nil Portable Computing Language\n", out)
  end)

  it("sets a device input to the ordinal, and gives the announcement its reason", function()
    local declaration = "input.int('_device', 0, 'device ordinal')"
    for _, spec in ipairs {"oclgrind", "0", "1", "portable:0"} do
      local _, out, err = run(declaration, {"--device", spec}, both, shown)
      local ordinal, platform = out:match("^(%d) (.*)\n$")
      assert.equal(spec:match("^%d$") or ordinal, ordinal)
      assert.equal(spec == "oclgrind" and "Oclgrind" or platform, platform)
      assert.truthy(err:find(("clue: device %s (%s:0)"):format(ordinal, ordinal), 1, true), err)
      assert.truthy(err:find("named by --device", 1, true), err)
    end
  end)

  it("reaches a device input also from before the script's name, and from CLUE_DEVICE", function()
    local path = support.write("input.int('_device', 0)\nfunction OnStart()" .. shown .. "end")
    local _, out = support.run({"--device", "oclgrind", path}, both)
    assert.truthy(out:find("^%d Oclgrind\n"), out)
    _, out = support.run({path}, support.drivers("both", {CLUE_DEVICE = "oclgrind"}))
    assert.truthy(out:find("^%d Oclgrind\n"), out)
    _, out = support.run({"--device", "portable", path, "--device", "oclgrind"}, both)
    assert.truthy(out:find("^%d Oclgrind\n"), out)
    _, out = support.run({path}, both)
    assert.truthy(out:find("^0 "), out)
  end)

  it("ends the run with the list of devices if it matches none", function()
    for _, declaration in ipairs {"", "input.int('_device', 0)"} do
      for _, spec in ipairs {"nonesuch", "7", "-1", "gpu"} do
        local err = support.refused(2, run(declaration, {"--device", spec}, pocl, shown))
        assert.truthy(err:find(spec .. ":[^\n]*there is:\n  0 %(0:0%) "), err)
      end
    end
  end)

  it("is not resolved for --help", function()
    support.clean(run("input.int('_device', 0)", {"--device", "nonesuch", "--help"}, pocl))
  end)
end)
