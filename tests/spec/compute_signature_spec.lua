-- The text of C parameters that context:elementwise and the like take.
-- suite: quick
-- process: shared

local signature = require "clue.compute.signature"
local refusal = require("objects").refusal

-- "name:type" of each parameter, with * for pointers, and ! if an algorithm may write there.
local function read(text)
  local words = {}
  for i, one in ipairs(signature.parse(text)) do
    words[i] = ("%s%s:%s%s"):format(one.pointer and "*" or "", one.name, one.type, one.writable and "!" or "")
  end
  return table.concat(words, " ")
end

describe("a list of C parameters", function()
  it("has the name and the type of each", function()
    assert.equal("a:float *x:float *y:uint4!", read "float a, const float *x, uint4 *y")
    assert.equal("", read " \n ")
  end)

  it("spells each type in one way", function()
    assert.equal("a:uint b:uint *c:ulong! d:char *e:long!", read(
      "unsigned a, unsigned int b, unsigned long *c, signed char d, long int *e"))
    assert.equal("p:struct point *q:point!", read "struct point p, point *q")
  end)

  it("takes qualifiers wherever C does", function()
    assert.equal("*x:float *y:float! *t:int", read
      "float const *restrict x, volatile __global float *const y, __constant int* t")
    local list = signature.parse "float a, float const *restrict x, constant int *t"
    assert.equal("float a, __global const float *restrict x, __constant int *t", list.kernel)
    assert.equal("a, x, t", list.names)
  end)

  it("knows the bytes of an element", function()
    local list = signature.parse "const float3 *x, uchar *y, point *z, double16 *w"
    assert.same({16, 1, 128}, {list[1].bytes, list[2].bytes, list[4].bytes})
    assert.is_nil(list[3].bytes)
  end)

  local wrong = {
    {"float a, const float *, float *y", "expected the name of a parameter after '*'", 23},
    {"float a,", "expected a parameter, as in 'const float *x'", 9},
    {"float", "expected the name of a parameter after 'float'", 6},
    {"x", "expected a type and a name, as in 'const float *x'", 1},
    {"struct", "expected a type and a name, as in 'const float *x'", 1},
    {"local float *x", "'local': an algorithm takes memory of the device, global or constant", 1},
    {"float **x", "a pointer to a pointer cannot be an argument of a kernel", 8},
    {"float x[4]", "'[' does not belong into a list of C parameters", 8},
    {"float a, int a", "there are two parameters 'a'", 14},
    {"global float x", "'x' is global, but no pointer: write '*x'", 1},
    {"float *x float *y", "expected a comma or the name of a parameter, not 'x float'", 8},
    {"float *i", "'i' is the index: choose another name", 8},
    {"float clue_x", "'clue_x' is a name of clue's: choose another name", 7},
  }
  for _, case in ipairs(wrong) do
    it("is refused with a caret: " .. case[1], function()
      local message = refusal(signature.parse, case[1], {i = "the index"})
      assert.equal(("arguments: %s\n    %s\n    %s^"):format(case[2], case[1], (" "):rep(case[3] - 1)), message)
    end)
  end

  it("shows the line that is wrong, and keeps its tabs", function()
    assert.equal("arguments: '+' does not belong into a list of C parameters\n    \tint +\n    \t    ^",
      refusal(signature.parse, "float *x,\n\tint +"))
  end)

  it("must be a text", function()
    assert.equal('arguments must be a text of C parameters, as in "float a, const float *x", got nil',
      refusal(signature.parse, nil))
  end)
end)
