-- What a step should gain and why, the machine code of its inner loop, and the page that a walkthrough ends with.
-- suite: whole
-- cost: 25
local catalogue = require "clue.run.catalogue"
local expectation = require "clue.result.expectation"
local json = require "dkjson"
local loops = require "clue.build.loops"
local notes = require "clue.show.walk.notes"
local support = require "support"
local terminal = require "clue.show.text"
local walks = require "walk_support"

local unpack = unpack or table.unpack -- luacheck: ignore

-- A row with a gain over step 1. low, high: of its interval; nil: too few runs
local function row(number, word, ratio, low, high)
  return {number = number, name = "step_" .. number, change = "change " .. number,
          expected = word and {word = word, why = "a reason", over = 1} or nil,
          gain = ratio and {over = 1, ratio = ratio, low = low, high = high, pairs = 7} or nil}
end

describe("what a step should gain", function()
  local cpu, gpu = {kind = "cpu", local_mem_size = 32768}, {kind = "gpu", local_mem_size = 49152}
  local expect = {
    cpu = {"slower", "copies cost"},
    gpu = function(on) return "faster", ("%d bytes hold a tile"):format(on.local_mem_size) end,
  }

  it("depends on the kind of the device, and on what it reports", function()
    assert.same({word = "slower", why = "copies cost"}, expectation.of(expect, cpu))
    assert.same({word = "faster", why = "49152 bytes hold a tile"}, expectation.of(expect, gpu))
    assert.is_nil(expectation.of(nil, cpu))
    assert.is_nil(expectation.of({cpu = expect.cpu}, gpu))
  end)

  it("is refused if it says nothing that a gain can show", function()
    for _, wrong in ipairs {{"quicker", "a reason"}, {"faster"}} do
      assert.error_matches(function() expectation.of({cpu = wrong}, cpu) end, "is not faster, slower, same or open")
    end
  end)

  it("is met or not, unless the facts leave it open or the runs are too few", function()
    assert.is_true(expectation.is_met(row(2, "faster", 2, 1.9, 2.1)))
    assert.is_false(expectation.is_met(row(2, "faster", 0.5, 0.4, 0.6)))
    assert.is_false(expectation.is_met(row(2, "faster", 1.02, 0.9, 1.1)))
    assert.is_true(expectation.is_met(row(2, "same", 1.02, 0.9, 1.1)))
    assert.is_true(expectation.is_met(row(2, "slower", 0.5, 0.4, 0.6)))
    assert.is_nil(expectation.is_met(row(2, "open", 2, 1.9, 2.1)))
    assert.is_nil(expectation.is_met(row(2, "faster", 2)))
    assert.is_nil(expectation.is_met(row(2, "same", 1.02, 0.8, 1.2)))
    assert.is_nil(expectation.is_met(row(2, "faster")))
    assert.is_nil(expectation.is_met(row(2, nil, 2, 1.9, 2.1)))
  end)

  it("is not judged by a gain over another step than the one that it is about, which is then named", function()
    local other = row(4, "faster", 0.5, 0.4, 0.6)
    assert.equal("", expectation.about(other))
    other.expected.over = 3
    assert.is_nil(expectation.is_met(other))
    assert.equal(" over step 3", expectation.about(other))
    other.gain = nil
    assert.equal("", expectation.about(other))
  end)

  it("is about the step that it changes in the whole walkthrough, also if that step does not run", function()
    local function changes(walkthrough, number, kind)
      for _, step in ipairs(catalogue.get(walkthrough).steps) do
        if step.number == number then return catalogue.changes(step, kind or "cpu") end
      end
    end
    assert.equal(8, changes("mql5", 9))
    assert.equal(6, changes("mql5", 8))
    assert.equal(19, changes("mql5", 20))
    assert.equal("16b", changes("mql5", 20, "gpu"))
    assert.is_nil(changes("mql5", 1))
    local copy = walks.copied("mql5", "4,9")
    support.write('function OnStart() end', copy .. "/10_own.lua")
    assert.equal(8, changes(copy, 9))
    assert.equal(9, changes(copy, 10)) -- no step of the original's
    for _, words in ipairs {{copy}, {"mql5", "--steps", "4,9"}} do
      os.remove(copy .. "/10_own.lua")
      local row_of_9 = walks.all_verified(2, support.words(words, "--size 33 --repeat 7"))[2]
      assert.same({8, 4}, {row_of_9.expected.over, row_of_9.gain.over})
      assert.is_nil(expectation.is_met(row_of_9))
    end
  end)
end)

describe("the page that a walkthrough ends with", function()
  local rows = {row(1), row(2, "faster", 2, 1.9, 2.1), row(3, "faster", 0.5, 0.4, 0.6), row(4, "same", 1.01, 0.9, 1.1),
                row(5, "open", 4, 3.9, 4.1), row(6, "slower", 3, 2.9, 3.1), row(7, nil, 1.5, 1.4, 1.6)}

  it("has the three greatest gains, what was slower or the same, and what came out other than expected", function()
    assert.same({
      {title = "the greatest gains", lines = {
        "step 5, step_5, 4.00 (3.90-4.10) times step 1: change 5",
        "step 6, step_6, 3.00 (2.90-3.10) times step 1: change 6",
        "step 2, step_2, 2.00 (1.90-2.10) times step 1: change 2"}},
      {title = "slower than the step before, or the one named", lines = {
        "step 3, step_3, 0.50 (0.40-0.60) times step 1: change 3"}},
      {title = "no difference", lines = {"step 4"}},
      {title = "other than expected", lines = {
        "step 3, step_3: slower, 0.50 (0.40-0.60) over step 1; expected was faster: a reason",
        "step 6, step_6: faster, 3.00 (2.90-3.10) over step 1; expected was slower: a reason"}},
    }, notes.seen(rows))
    assert.same({}, notes.seen {row(1)})
  end)

  it("ends with commands, and with where the source can be read", function()
    local function lines_of(entry, runs, width)
      return support.fields(terminal.lines(notes.closing(entry, runs), width), 1)
    end
    local try = {{"clue a", "shows a"}, {"clue walk b", "shows b"}}
    assert.same({"What to keep", "  A lesson.", "", "What to try next", "  clue a       shows a",
                 "  clue walk b  shows b", "", "The source: the article, https://example.org/a", ""},
      lines_of({lessons = {"A lesson."}, try = try, links = {{"the article", "https://example.org/a"}}},
        {{device = "0:0", rows = {row(1)}}}, 80))
    local narrow = lines_of({try = try}, {{rows = rows}}, 20)
    assert.same({"What you have seen", "the greatest gains:"}, {narrow[1], narrow[2]})
    assert.same({"What to try next", "  clue a", "      shows a", "  clue walk b", "      shows b", ""},
      {unpack(narrow, #narrow - 5)})
  end)
end)

describe("the loop that does the most", function()
  local ptx = [[
.visible .entry f(
)
{
	ld.param.u64 %rd1, [f_param_0];
$L__BB0_1:
	add.s32 %r1, %r1, 1;
	setp.lt.s32 %p1, %r1, 4;
	@%p1 bra $L__BB0_1;
$L__BB0_2:
	ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
	fma.rn.f32 %f5, %f1, %f2, %f5;
	fma.rn.f32 %f5, %f3, %f4, %f5;
	@%p2 bra $L__BB0_2;
	ret;
}
]]

  it("is that with the most arithmetic, with its instructions in order", function()
    local found = loops.busiest(ptx, "PTX", "f")
    assert.equal("$L__BB0_2", found.counts.place)
    assert.equal(4, found.counts.float_operations)
    assert.equal("ld.global.v4.f32", found.instructions[1][1])
    assert.equal("{%f1, %f2, %f3, %f4}, [%rd1]", found.instructions[1][2])
    assert.equal(4, #found.instructions)
  end)

  it("is the whole kernel if there is none", function()
    local found = loops.busiest(ptx:gsub("\t@%%p%d bra [^\n]*\n", ""), "PTX", "f")
    assert.is_nil(found.counts.place)
    assert.equal("ld.param.u64", found.instructions[1][1])
    assert.is_nil(loops.busiest(ptx, "PTX", "g"))
  end)

  it("is the whole kernel if its loop only moves what vectors left over", function()
    local copy = ptx:gsub("\tfma[^\n]*\n", ""):gsub("ld.global.v4.f32 {[^}]*}", "ld.global.f32 %%f1")
      :gsub("\tret;", "\tld.global.v4.f32 {%%f1, %%f2, %%f3, %%f4}, [%%rd1];\n%0")
    local found = loops.busiest(copy, "PTX", "f")
    assert.is_nil(found.counts.place)
    assert.equal(128, found.counts.vector_bits)
  end)
end)

describe("clue walk", function()
  local pocl = support.drivers "pocl"

  -- A copy of two steps of mql5, with lessons and commands.
  local function own()
    local folder = support.folder() .. "/own"
    support.ended(0, support.run({"new", "walkthrough", folder, "--from", "mql5", "--steps", "4,5"}, pocl))
    return folder
  end

  it("explains a step with the machine code of its inner loop", function()
    local out = support.ended(0, support.run({"walk", "mql5", "--size", "64", "--repeat", "1", "--explain", "7"}, pocl))
    assert.matches("\nExpected here: [%l ]+: %l", out)
    out = out:gsub("\n", " ")
    assert.matches("Compiled for this device: kernel matr_mul_col_local, for work%-groups of %d+ x 1 x 1, machine "
      .. "code: the inner loop, %d+ instructions: ", out)
    assert.matches(" v%l+ +[^ ]*%%[xyz]mm%d", out) -- which vector instruction comes first depends on the CPU
    assert.matches(" (%d+) +sum [^;]*;.* %1  %l+ +", out) -- the source's line, and code that is of it
  end)

  it("shows the loop that was executed most, with its lines, and not those that copy or store", function()
    local out = support.ended(0, support.run({"walk", "submatrix", "--size", "40", "--repeat", "1", "--explain", "6"},
      pocl))
    local code = out:match "\nCompiled for .*"
    assert.matches("\n +%d+ +sums[^\n]* %+= tile_a", code)
    assert.matches("\n +%d+  v?p?i?mul", code)
    assert.not_matches("\n +%d+ +c%[", code)
  end)

  it("adds it to the rows and the report with --asm, of the fastest variant, and says why there is none", function()
    local file, page = support.temporary ".json", support.temporary ".html"
    support.ended(0, support.run({"walk", "mql5", "--size", "32", "--repeat", "1", "--steps", "1,4,11", "--asm",
      "--json", file, "--report", page}, pocl))
    local rows = json.decode(support.read(file)).walkthroughs[1].runs[1].rows
    assert.is_nil(rows[1].code) -- it runs on the host
    assert.equal("x86-64", rows[2].code.isa)
    assert.equal("matr_mul_sum_local", rows[2].code.kernel)
    assert.is_true(rows[2].code.counts.float_operations > 0)
    assert.is_true(#rows[2].code.lines > 3)
    assert.matches("^for work%-groups of ", rows[3].code.launch)
    local text = support.read(page)
    assert.matches("Compiled for this device: kernel matr_mul_sum_local", (text:gsub("<wbr>", "")), 1, true)
    assert.matches("kernel matr_mul_sum_local, for work-groups of", (text:gsub("<wbr>", "")), 1, true)
    assert.is_nil(text:find "No machine code")
  end)

  it("ends a whole walkthrough with what it showed and what to try, in the terminal and in the report", function()
    local folder, page = own(), support.temporary ".html"
    local text = support.read(folder .. "/walkthrough.lua")
    support.write((text:gsub("}%s*$", "  lessons = {'Count first.'}, try = {{'clue walk', 'what there is'}},\n"
      .. "  links = {{'bad', 'javascript:alert(1)'}, {'good', 'https://example.org/'}},\n}\n")),
      folder .. "/walkthrough.lua")
    local words = {"walk", folder, "--size", "48", "--repeat", "7", "--notes", "--report", page}
    local out = support.ended(0, support.run(words, pocl))
    assert.matches("\nWhat you have seen\n", out, 1, true)
    assert.matches("\nWhat to keep\n  Count first.\n", out, 1, true)
    assert.matches("\nWhat to try next\n  clue walk  what there is\n", out, 1, true)
    local report = support.read(page)
    assert.matches("<h3>What you have seen</h3>", report, 1, true)
    assert.matches("<code>clue walk</code></td><td[^>]*>what there is<", report)
    assert.matches('<a href="https://example.org/">https://example.org/</a>', report, 1, true)
    assert.is_nil(report:find('href="javascript', 1, true))
    out = select(2, support.run(support.words(words, "--steps 4"), pocl))
    assert.is_nil(out:find "What you have seen")
  end)
end)
