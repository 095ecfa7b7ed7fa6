-- `clue check` notes races whose order makes no difference, and takes each work-item's own fence at a barrier.
-- suite: quick
local support = require "support"

-- What each body of a kernel shows, by its name: the kinds found. held is local, a is 0, 1, 2, ...
local wrong = {
  reads_before = "int v = a[0]; if (i == 1) a[0] = 5;",
  reads_after = "if (i == 0) a[0] = 5; if (i == 1) b[i] = a[0];",
  reads_before_its_own = "if (i < 2) { b[i] = a[1]; a[1] = 5; b[i] = a[1]; }",
  as_it_was = "if (i == 1) a[2] = 2; if (i == 0) b[i] = a[2];",
  another_own = "a[0] = i < 8 ? 5 : 6; b[i] = a[0];",
  unfenced = "int fence = l == 0 ? 0 : CLK_LOCAL_MEM_FENCE; if (l == 0) held[0] = i + 1; barrier(fence); "
    .. "if (l == 1) b[i] = held[0];",
  unfenced_reader = "int fence = l == 0 ? CLK_LOCAL_MEM_FENCE : 0; held[0] = 1; barrier(CLK_LOCAL_MEM_FENCE); "
    .. "int v = held[0]; barrier(fence); if (l == 1) held[0] = 2 + v;",
}

local same = {
  stored = "a[0] = 7;",
  own_value = "a[0] = 7; b[i] = a[0];",
}

local right = {
  fenced = "int fence = l == 0 ? CLK_LOCAL_MEM_FENCE : 0; if (l == 0) held[0] = i + 1; barrier(fence); "
    .. "if (l == 1) b[i] = held[0];",
  fenced_later = "int fence = l == 0 ? 0 : CLK_LOCAL_MEM_FENCE; if (l == 0) held[0] = i + 1; barrier(fence); "
    .. "barrier(CLK_LOCAL_MEM_FENCE); if (l == 1) b[i] = held[0];",
}

local function found_in(bodies)
  local text, found = {}, {}
  for name, body in pairs(bodies) do
    found[name] = {}
    text[#text + 1] = ("kernel void %s(volatile global int *a, global int *b) { volatile local int held[1]; "
      .. "const int i = get_global_id(0), l = get_local_id(0); %s }\n"):format(name, body)
  end
  local _, _, _, document = support.document {"check", "--global", "16", "--local", "8", "--tries", "0",
    support.write(table.concat(text), support.temporary ".cl")}
  for _, finding in ipairs(document.runs[1].findings) do
    found[finding.kernel][finding.kind] = true
  end
  return found
end

describe("clue check of races", function()
  it("tells of those that change what is read", function()
    for name, kinds in pairs(found_in(wrong)) do assert.same({race = true}, kinds, name) end
  end)

  it("notes those in which all store the same value and read no other", function()
    for name, kinds in pairs(found_in(same)) do assert.same({["same value"] = true}, kinds, name) end
  end)

  it("takes for 0 what is read outside memory, so that it is the same for all", function()
    assert.same({outside = {["same value"] = true, ["assumed size"] = true}},
      found_in {outside = "int mine[2] = {i, i}; b[0] = a[70000];"})
  end)

  it("tells of none where the fence of who came before lies between", function()
    for name, kinds in pairs(found_in(right)) do assert.same({}, kinds, name) end
  end)
end)
