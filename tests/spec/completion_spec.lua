-- `clue completion`: what fits at the end of a command line, and the script that bash asks with. tests/spec/
-- shells_spec.lua presses Tab in both shells.
-- suite: quick
local support = require "support"

-- What fits: the words, and after them what it says about files. texts are the words' descriptions.
local function fitting(...)
  local out = support.ended(0, support.run {"completion", "--words", ...})
  local words, texts = {}, {}
  for line in out:gmatch "([^\n]*)\n" do
    local word, text = line:match "^([^\t]*)\t?(.*)$"
    words[#words + 1], texts[word] = word, text
  end
  return words, texts
end

local function has(list, wanted)
  for _, word in ipairs(list) do
    if word == wanted then return true end
  end
  return false
end

-- The values that bash would insert.
local function in_bash(words, at)
  local quoted = {}
  for i, word in ipairs(words) do quoted[i] = support.quote(word) end
  local script = [[
    compopt() { :; }
    source <("$CLUE" completion bash)
    COMP_WORDS=(%s) COMP_CWORD=%d COMP_TYPE=9
    _clue
    printf '%%s\n' "${COMPREPLY[@]}"]]
  local status, out, err = support.execute({"bash", "--norc", "-c", script:format(table.concat(quoted, " "), at)},
    {CLUE = support.clue})
  assert.equal("", err)
  assert.equal(0, status)
  return out
end

describe("completion", function()
  it("offers subcommands with what they do, and scripts", function()
    local words, texts = fitting ""
    for _, name in ipairs {"walk", "devices", "completion", "man"} do assert.is_true(has(words, name), name) end
    assert.matches("^replay a published", texts.walk)
    assert.equal(":files .lua", words[#words])
    assert.same({"walk", "watch", ":files .lua"}, (fitting "wa"))
  end)

  it("offers clue's own options before the subcommand, and the subcommand's after it", function()
    assert.same({"--device"}, (fitting "--dev"))
    local own = fitting "-"
    for _, name in ipairs {"-e", "-O", "--strict", "--help", "-h", "--"} do assert.is_true(has(own, name), name) end
    assert.is_false(has(own, "--steps"))
    assert.same({"--repeat", "--resume", "--report"}, (fitting("--quiet", "walk", "mql5", "--re")))
    assert.same({"--json"}, (fitting("-l", "walk", "devices", "--js")))
  end)

  it("offers an option for each of the parser's, in every subcommand", function()
    local _, help = support.run {"walk", "--help"}
    local words = fitting("walk", "-")
    for option in help:gmatch "\n   %-?%-?%w?,? ?(%-%-[%w-]+)" do assert.is_true(has(words, option), option) end
    for _, name in ipairs((fitting "")) do
      if name:sub(1, 1) ~= ":" then assert.is_true(has((fitting(name, "-")), "--help"), name) end
    end
  end)

  it("offers devices by number and by class, in both spellings", function()
    local words, texts = fitting("--device", "")
    assert.same({"0", "cpu", "gpu", "accelerator"}, words)
    assert.is_true(#texts["0"] > 3)
    assert.same({"cpu"}, (fitting("walk", "--device", "c")))
    assert.same({"--device=cpu"}, (fitting "--device=c"))
    assert.same({"cpu"}, (fitting("--device", "=", "c")))
  end)

  it("offers walkthroughs, words and files where they fit", function()
    assert.same({"mql5", ":folders"}, (fitting("walk", "m")))
    assert.is_true(has((fitting("count", "")), "submatrix"))
    assert.is_true(has((fitting("new", "walkthrough", "x", "--from", "h")), "hello"))
    assert.same({"genetic"}, (fitting("tune", "--strategy", "ge")))
    assert.same({":files"}, (fitting("walk", "--json", "")))
    local of_build = fitting("build", "")
    assert.is_true(has(of_build, "mql5"))
    assert.equal(":files .cl .lua", of_build[#of_build])
    assert.same({"bash", "zsh"}, (fitting("completion", "")))
    assert.is_true(has((fitting("man", "w")), "walk"))
  end)

  it("leaves what follows a script to the script", function()
    assert.same({":files"}, (fitting("script.lua", "--dev")))
    assert.same({":files"}, (fitting("count", "script.lua", "--si")))
    assert.same({":files"}, (fitting("-e", "print(1)", "script.lua", "")))
    assert.same({"mql5", ":folders"}, (fitting("watch", "walk", "m")))
  end)

  it("refuses a shell that it does not know", function()
    for _, words in ipairs {{"completion"}, {"completion", "fish"}} do
      local err = support.refused(2, support.run(words))
      assert.matches("bash.*zsh", err)
    end
  end)

  it("works in bash: words, files with an ending, and a value after =", function()
    local folder = support.folder()
    for _, name in ipairs {"/one.lua", "/two.cl", "/three.txt"} do support.write("", folder .. name) end
    assert.equal("walk\nwatch\n", in_bash({support.clue, "wa"}, 1))
    assert.equal("mql5\n", in_bash({support.clue, "walk", "m"}, 2))
    assert.equal("cpu\n", in_bash({support.clue, "--device", "=", "c"}, 3))
    local found = in_bash({support.clue, "build", folder .. "/"}, 2)
    assert.matches("one.lua", found, 1, true)
    assert.matches("two.cl", found, 1, true)
    assert.not_matches("three.txt", found, 1, true)
  end)
end)
