-- The child processes of specs.
-- suite: quick

local support = require "support"

describe("support.execute", function()
  it("gives the exit status and both outputs", function()
    local out, err = support.ended(3, support.execute {"/bin/sh", "-c", "echo out; echo err >&2; exit 3"})
    assert.equal("out\n", out)
    assert.equal("err\n", err)
  end)

  it("passes arguments with blanks, quotes and dollars as they are", function()
    local words = {"a b", "it's", "$HOME", "", "*", 'say "x"'}
    local _, out = support.execute {"printf", "%s|", words[1], words[2], words[3], words[4], words[5], words[6]}
    assert.equal(table.concat(words, "|") .. "|", out)
  end)

  it("sets and removes variables", function()
    local _, out = support.execute({"/bin/sh", "-c", 'echo "$CLUE_ONE ${CLUE-none}"'},
      {CLUE_ONE = "1 $x", CLUE = false})
    assert.equal("1 $x none\n", out)
  end)

  it("feeds standard input", function()
    local _, out = support.execute({"cat"}, nil, "two\nlines\n")
    assert.equal("two\nlines\n", out)
  end)

  it("reports the signal that killed the program", function()
    assert.equal(128 + 9, (support.execute {"/bin/sh", "-c", "kill -9 $$"}))
  end)
end)

it("support.cells reads a row by its headings, whatever else stands between them", function()
  local out = "B\n\n          A            B\n#  step  ms     what  ms\n1  one…  1 GB/s  x y   20\n\n2  other\n"
  assert.equal("1 GB/s | 20 | x y | 20", support.cells(out, "1  one", "ms", "ms", "what", "B"))
  assert.matches("no row '?\"3", support.text_of_error(support.cells, out, "3", "ms"))
  assert.matches("no heading \"s\"", support.text_of_error(support.cells, out, "1", "s"))
end)

it("support.drivers gives folders that the build has made", function()
  for _, name in ipairs {"pocl", "oclgrind", "rusticl", "both", "none"} do
    assert.equal(0, (support.execute {"test", "-d", support.drivers(name).OCL_ICD_VENDORS}), name)
  end
end)
