-- `clue walk amd`, the study extensions: each program is right, or skipped with the reason if the device cannot run it,
-- and its check finds faults.
-- suite: whole
local extension = require "clue.walk.extension"
local info = require "clue.device_info"
local support = require "support"
local walks = require "walk_support"

local folder = "scripts/walkthroughs/amd/"
local steps = {"21_extensions", "22_atomics_global", "23_atomics_local", "24_atomics_64", "25_fp64", "26_byte_stores",
               "27_fission_equally", "28_fission_by_counts", "29_fission_by_cache", "30_image_writes", "31_half",
               "32_printf"}

-- The rows of all steps, by name.
local function rows_of(args, env)
  local words = {"amd", "--steps", "21-32", "--repeat", "1"}
  for _, word in ipairs(args) do words[#words + 1] = word end
  local status, out, err, document = walks.walk(words, env)
  assert.equal(0, status, out .. err)
  local by_name = {}
  for _, row in ipairs(walks.rows(document)) do by_name[row.name] = row end
  return by_name
end

local function assert_verified(rows, skipped)
  for _, step in ipairs(steps) do
    local name = step:sub(4)
    local row = assert(rows[name], name)
    if skipped[name] then
      assert.matches(skipped[name], tostring(row.skipped), 1, true)
    else
      assert.is_true(row.check and row.check.verified, name .. ": " .. tostring(row.check and row.check.text))
    end
  end
end

local pocl_cannot = {fission_by_cache = "cannot be divided by affinity domain"}

describe("the extensions of a device", function()
  local device = {extensions = "cl_khr_fp64 cl_khr_3d_image_writes cl_khr_fp64 "}

  it("are found by their whole names", function()
    assert.is_true(info.lists(device.extensions, "cl_khr_fp64"))
    assert.is_false(info.lists(device.extensions, "cl_khr_fp6"))
    assert.is_false(info.lists(device.extensions, "khr_fp64"))
    assert.is_false(info.lists("", "cl_khr_fp64"))
    assert.same({"cl_khr_3d_image_writes", "cl_khr_fp64"}, extension.names(device))
  end)

  it("are enabled by a pragma each", function()
    assert.equal("#pragma OPENCL EXTENSION a : enable\n#pragma OPENCL EXTENSION b : enable\n",
      extension.pragma("a", "b"))
  end)
end)

describe("the extensions of amd", function()
  it("are right at size 5003", function()
    assert_verified(rows_of {"--size", "5003"}, pocl_cannot)
  end)

  it("are right at size 1, and each extension is listed under its kind", function()
    local rows = rows_of {"--size", "1"}
    assert_verified(rows, pocl_cannot)
    assert.matches("of Khronos %(%d+%): .*cl_khr_fp64", table.concat(rows.extensions.notes, "\n"))
  end)

  it("are right on rusticl, or skipped with the reason", function()
    assert_verified(rows_of({"--size", "700"}, support.drivers "rusticl"), {
      atomics_64 = "the device has no cl_khr_int64_base_atomics", fp64 = "the device has no cl_khr_fp64",
      fission_equally = "cannot be divided equally (CL_DEVICE_PARTITION_PROPERTIES: none)",
      fission_by_counts = "cannot be divided by counts (CL_DEVICE_PARTITION_PROPERTIES: none)",
      fission_by_cache = "cannot be divided by affinity domain (CL_DEVICE_PARTITION_PROPERTIES: none)",
    })
  end)

  it("show that the halves of a device work at the same time", function()
    local rows = rows_of({"--size", "262144"}, support.drivers("pocl", {POCL_MAX_PTHREAD_COUNT = "4"}))
    local notes = table.concat(rows.fission_equally.notes, "\n")
    assert.matches("2 sub-devices of 2 of 4 compute units", notes, 1, true)
    local together = notes:match "([%d.e+-]+) ms of it at the same time"
    assert.is_true(tonumber(together) > 0, notes)
    notes = table.concat(rows.fission_by_counts.notes, "\n")
    assert.matches("3 compute units and 1 of 4", notes, 1, true)
    assert.matches("on the part that was kept free", notes, 1, true)
  end)

  it("skip fission on a single compute unit", function()
    local status, out = support.run({folder .. "27_fission_equally.lua"},
      support.drivers("pocl", {POCL_MAX_PTHREAD_COUNT = "1"}))
    assert.equal(1, status, out) -- nothing could run
    assert.matches("(27 skipped: ", out, 1, true)
  end)

  it("refuse wrong sizes", function()
    for _, step in ipairs {"22_atomics_global", "31_half"} do
      local status, out, err = support.run {folder .. step .. ".lua", "--size", "many"}
      assert.equal(2, status)
      assert.equal("", out)
      assert.matches("size 'many' is not a whole number", err, 1, true)
    end
  end)
end)

-- Texts that are replaced in a step, and by what; the check must find each fault.
local faults = {
  ["21_extensions"] = {{"out[0] = 21;", "out[0] = 22;"}},
  ["22_atomics_global"] = {{"i < count; i +=", "i + 1 < count; i +="},
                           {"atomic_inc(&bins[value]);", "bins[value] = 1;"}},
  ["23_atomics_local"] = {{"i < count; i +=", "i + 1 < count; i +="}, {"atomic_add(&bins[k]", "atomic_xchg(&bins[k]"},
                          {"own[k] = 0;", "own[k] = 1;"}},
  ["24_atomics_64"] = {{"atom_add(&results[0], sum);", "atom_add(&results[0], sum & 0xFFFFF);"},
                       {"atom_max(&results[1], largest);", "results[1] = get_local_id(0) == 0 ? largest / 2 : 0;"}},
  ["25_fp64"] = {{"REAL = type_name,", "REAL = \"float\","}, {"* (REAL)(0.5)", "* (REAL)(0.5 + 1e-15)"}},
  ["26_byte_stores"] = {
    {"items * 255 + here;\n    for (uint k = 0; k < 255; k++)",
     "items * 256 + here;\n    for (uint k = 0; k < 256; k++)"},
    {"k < items; k++)\n            sum", "k + 1 < items; k++)\n            sum"},
    {"i < count)", "i + 1 < count)"},
  },
  ["27_fission_equally"] = {{"uint steps = 0;", "uint steps = get_global_id(0) == 4000;"},
                            {"* 3 + 2;\n    while", "* 3;\n    while"}},
  ["28_fission_by_counts"] = {{"x = 5 * x + 1;", "x = 5 * x + 3;"}, {"k < rounds; k++", "k + 1 < rounds; k++"}},
  ["30_image_writes"] = {{"(int4)(x, y, z, 0)", "(int4)(x, y, 0, 0)"},
                         {"x + 1000 * y + 1000000 * z));", "x + 1000 * y));"}},
  ["31_half"] = {{"    vstore_half_rte(", "    vstore_half_rtz("}, {"i, to);", "i + (i == 77), to);"}},
  ["32_printf"] = {{"id * factor, id * factor,", "id * factor, id + factor,"},
                   {"get_global_id(0);", "get_global_id(0) / 2;"}},
}

describe("a fault that is planted in an extension's program", function()
  for _, step in ipairs(steps) do
    for i, fault in ipairs(faults[step] or {}) do
      it(("is found: %s, %d"):format(step, i), function()
        local path = walks.planted(folder .. step .. ".lua", fault[1], fault[2])
        local args, env = {path, "--size", "5003", "--repeat", "1"}, walks.interpreted()
        -- Oclgrind's device cannot be divided, it takes minutes for a chain, and bytes overflow in large groups only.
        if step:find "fission" or step:find "fp64" or step:find "byte" then
          args[3], env = "40003", nil
        end
        local status, out, err = support.run(args, env)
        assert.equal(1, status, out .. err)
        assert.matches("WRONG", out, 1, true)
      end)
    end
  end

  for step, race in pairs {
    ["22_atomics_global"] = {"atomic_inc(&bins[value]);", "bins[value]++;"},
    ["23_atomics_local"] = {"    barrier(CLK_LOCAL_MEM_FENCE);\n    for (uint i", "    for (uint i"},
    ["24_atomics_64"] = {"atom_add(&results[0], sum);", "results[0] += sum;"},
    ["26_byte_stores"] = {"    barrier(CLK_LOCAL_MEM_FENCE);\n", ""},
  } do
    it("is reported by Oclgrind: a race in " .. step, function()
      local path = walks.planted(folder .. step .. ".lua", race[1], race[2])
      local _, out, err = support.run({path, "--size", "300", "--group", "8", "--repeat", "1"}, walks.oclgrind())
      assert.matches("data race", table.concat(walks.complaints(out .. err), "\n"), 1, true)
    end)
  end
end)
