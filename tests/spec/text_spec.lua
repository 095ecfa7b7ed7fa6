-- Foreign texts: trimming, the escapes in which they are shown, and the time that long ones take.
-- suite: quick
-- process: shared
local binding = require "clue.binding"
local build_log = require "clue.build_log"
local json = require "clue.json"
local messages = require "clue.build.messages"
local source = require "clue.show.page.source"
local tables = require "clue.table"
local expand = require("clue.template").expand
local support = require "support"
local text = require "clue.text"

local LONG = 2 ^ 19 -- an algorithm with quadratic time takes many minutes for it

it("the blanks around a text are removed from both ends, or from one", function()
  for given, wanted in pairs {[""] = "", [" \t\n"] = "", ["a"] = "a", [" a  b\r\n"] = "a  b", ["\n\na\v\f"] = "a"} do
    assert.equal(wanted, text.trim(given))
    assert.equal(wanted, text.trim_end(given:gsub("^%s+", "")))
  end
  assert.equal("  a", text.trim_end "  a \n")
  assert.equal("", text.trim_end "  ")
end)

it("text from a pipe is taken in whole lines, and the rest is returned", function()
  local lines = {}
  local function add(line) lines[#lines + 1] = line end
  assert.equal("c", text.take_lines("a\n\nb\nc", add))
  assert.equal("", text.take_lines("d\n", add))
  assert.equal("", text.take_lines("", add))
  assert.same({"a", "", "b", "d"}, lines)
end)

describe("a document's times", function()
  it("are apart by what passed, where clocks are put forward as well", function()
    local out = support.clean(support.run_script([[
      local seconds = require("clue.result.document").seconds
      print(seconds "2026-03-29T03:30:00Z" - seconds "2026-03-29T01:30:00Z", seconds "yesterday")
    ]], {}, {TZ = "CET-1CEST,M3.5.0,M10.5.0/3"}))
    assert.equal("7200\tnil\n", out)
  end)
end)

it("a number of things has the plural of their name", function()
  for wanted, given in pairs {
    ["1 launch"] = {1, "launch"}, ["2 launches"] = {2, "launch"}, ["0 steps"] = {0, "step"}
  } do
    assert.equal(wanted, text.count(given[1], given[2]))
  end
end)

it("a duration is shown with three digits and a unit", function()
  for seconds, shown in pairs {[2] = "2.00 s", [0.0123] = "12.3 ms", [0.00045678] = "457 us", [3e-9] = "3.00 ns",
                               [0] = "0.00 ns", [120] = "120 s", [0.0099996] = "10.0 ms", [0.00099999] = "1.00 ms"} do
    assert.equal(shown, text.duration(seconds))
  end
end)

describe("a text that is shown", function()
  it("has escapes for its control characters, except ends of lines and tabulators", function()
    assert.equal("a\\x1b[31mb\\x07\\x00\\x7f", text.visible "a\27[31mb\7\0\127")
    assert.equal("a\tb\r\nc\n", text.visible "a\tb\r\nc\n")
    assert.equal("over\\x0dwritten\\x0d", text.visible "over\rwritten\r")
    assert.equal("", text.visible "")
  end)

  it("keeps UTF-8, except control characters and those that change the direction of text", function()
    local kept = "\195\164 \226\130\172 \240\159\152\128 \239\191\191 \244\143\191\191 \194\160"
    assert.equal(kept, text.visible(kept))
    assert.equal("\\xc2\\x9b31m", text.visible "\194\15531m")
    assert.equal("a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6", text.visible "a\226\128\174b\226\129\166")
  end)

  it("has escapes for every byte that is not UTF-8", function()
    for given, wanted in pairs {
      ["\228"] = "\\xe4", ["\195("] = "\\xc3(", ["\128a"] = "\\x80a", -- Latin-1, cut short, out of place
      ["\192\128"] = "\\xc0\\x80", ["\224\128\128"] = "\\xe0\\x80\\x80", -- longer than needed
      ["\237\160\128"] = "\\xed\\xa0\\x80", ["\244\144\128\128"] = "\\xf4\\x90\\x80\\x80", -- surrogate, beyond the last
      ["\248\136\128\128\128"] = "\\xf8\\x88\\x80\\x80\\x80", ["\226\130"] = "\\xe2\\x82",
    } do
      assert.equal(wanted, text.visible(given))
    end
  end)

  it("does not change if it was made visible before", function()
    local shown = text.visible "\27]0;x\7\228"
    assert.equal(shown, text.visible(shown))
  end)

  it("must be a text", function()
    assert.error_matches(function() binding.text_visible(5) end, "string expected, got number")
  end)
end)

describe("a text of one long line", function()
  local function each(of, run)
    for _, part in ipairs(of) do run(part:rep(math.floor(LONG / #part))) end
  end

  it("is trimmed and shown in time #once", function()
    each({" ", "a ", "\27"}, function(long)
      assert.equal("b" .. long .. "b", text.trim(" b" .. long .. "b "))
      assert.is_true(#text.visible(long) >= LONG)
      assert.equal(long, text.take_lines("a\n" .. long, function() end))
      assert.equal(1, #tables.lines({{title = ""}}, {{long .. "a"}}) - 1)
    end)
  end)

  it("is quoted beside a compiler's message in time #once #later", function()
    each({" ", "x = 1; ", ":1", "<", "\226\130\172", "^"}, function(long)
      local line = "a" .. long .. "a"
      local log = ("source:1:%d: error: text\n%s\n%s^\n"):format(#line, line, (" "):rep(#line - 1))
      local read = messages.read(log, "a.cl", line)
      assert.equal("text", read[1].text)
      assert.equal(line, read[1].source)
      assert.is_string(build_log.rewrite(log .. line .. "\n", build_log.place(nil)))
    end)
  end)

  it("is divided into lines only once, however many messages refer to it", function()
    local line, said = "int a;\n", {}
    for i = 1, 4000 do said[i] = ("source:%d:1: warning: w%d"):format(i * 8, i) end
    assert.equal(4000, #messages.read(table.concat(said, "\n"), "a.cl", line:rep(32000)))
  end)

  it("is marked up for the report in time #once #later", function()
    each({"/*", '"', "a", " ", "# "}, function(long)
      assert.is_table(source.show(long))
    end)
  end)

  it("is expanded as a template, or refused, in time #once #later", function()
    each({"(", ") ", '"\\"" ', "$", " "}, function(long)
      assert.is_string(expand("a" .. long .. "\n"))
    end)
    assert.is_false(pcall(expand, ("$("):rep(math.floor(LONG / 2))))
    assert.is_false(pcall(expand, ("$(1)"):rep(1000) .. ("$(("):rep(math.floor(LONG / 3))))
  end)

  it("is read and written as JSON, or refused, in time #once #later", function()
    each({" ", "a", "\\u001b", "\27"}, function(long)
      assert.equal(1, json.decode(long:gsub("[^ ]", " ") .. "1"))
      pcall(json.decode, '"' .. long)
      assert.equal(long, json.decode(json.encode(long)))
    end)
  end)
end)

describe("JSON of deeply nested tables", function()
  local function list(depth) return ("["):rep(depth) .. ("]"):rep(depth) end
  local function said(...) return tostring(select(2, pcall(...))) end

  it("is read and written to a limit, which the message for deeper ones names", function()
    assert.equal(list(1000), json.encode(json.decode(list(1000))))
    assert.equal(list(1000), (json.encode(json.decode('["[[", "\\"[",' .. list(999) .. "]")):gsub('"[^,]*",', "")))
    local message = "json.decode: at byte %d+, lists and objects are nested more than 1000 deep"
    for _, deeper in ipairs {list(1001), ("["):rep(10 ^ 6), ('{"a":'):rep(10 ^ 5), ("[{}, "):rep(2000)} do
      assert.matches(message, said(json.decode, deeper))
    end
    local deep = {}
    for _ = 1, 1000 do deep = {a = deep} end
    assert.matches("json.encode: the value%.a%.[a.]*%.%.%. is nested in more than 1000 tables", said(json.encode, deep))
  end)

  it("is refused by `clue compare` and `clue walk --resume`", function()
    local path = support.temporary()
    local file = assert(io.open(path, "w"))
    file:write(list(2000))
    file:close()
    local documents = require "clue.result.document"
    for _, read in ipairs {documents.read, documents.load} do
      assert.matches("nested more than 1000 deep", select(2, read(path)))
    end
  end)
end)

describe("clue's Lua", function()
  -- Some patterns read a run of blanks to its end from each of its bytes, which costs the square of its length.
  local function slow_patterns(path)
    local found, number = {}, 0
    for line in io.lines(path) do
      number = number + 1
      if not line:find "^%s*%-%-" and (line:find('["\'][^"^]*%%s[*+]%$["\']') or line:find "%.%-%)%%s[*+]%$") then
        found[#found + 1] = ("%s:%d: %s"):format(path, number, line)
      end
    end
    return found
  end

  it("trims in one place", function()
    local files = io.popen "find bindings/clue bindings/ffi host scripts -name '*.lua'"
    local looked, found = 0, {}
    for path in files:lines() do
      looked = looked + 1
      for _, each in ipairs(slow_patterns(path)) do found[#found + 1] = each end
    end
    files:close()
    assert.is_true(looked > 100)
    assert.same({}, found)
  end)
end)
