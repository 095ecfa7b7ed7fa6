-- `clue asm`, as users run it.
-- suite: quick
-- builds: luajit lua54
local assembly = require "clue.build.assembly"
local json = require "dkjson"
local support = require "support"

local source = [[
kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }
kernel __attribute__((reqd_work_group_size(16, 4, 1))) void other(global int *y) { y[get_local_id(0)] = 7; }
]]

local function asm(text, args, env)
  return support.run(support.words({"asm", support.write(text, support.temporary ".cl")}, args), env)
end

describe("clue asm", function()
  it("prints the machine code of every kernel on PoCL #once", function()
    local out, err = support.ended(0, asm(source))
    assert.matches("kernel other, for any work%-group: file format elf64", out)
    assert.matches("kernel twice, for any work%-group: file format elf64", out)
    assert.matches("<_pocl_kernel_twice_workgroup>:\n +%x+:\t%l+", out)
    assert.matches("^clue asm: device 0 %(0:0%) pthread[^\n]*: machine code\n$", err)
  end)

  it("prints only the kernel that --kernel names #once", function()
    local out = support.ended(0, asm(source, {"--kernel", "twice"}))
    assert.matches("_pocl_kernel_twice", out)
    assert.is_nil(out:find "_pocl_kernel_other")
    local failed, nothing, err = asm(source, {"--kernel", "thrice"})
    assert.equal(1, failed)
    assert.equal("", nothing)
    assert.matches("clue asm: %-%-kernel: there is no kernel 'thrice'; there are: %l+, %l+\n$", err)
  end)

  it("prints LLVM's form on Oclgrind", function()
    local found = os.execute "command -v llvm-dis >/dev/null 2>&1"
    if found ~= 0 and found ~= true then
      pending "llvm-dis is not there"
      return
    end
    local out, err = support.ended(0, asm(source, {"--kernel", "twice"}, support.drivers "oclgrind"))
    assert.matches("define [^\n]*@twice", out)
    assert.is_nil(out:find "ModuleID")
    assert.matches(", of all kernels together\n$", err)
  end)

  it("names the package of a missing disassembler", function()
    local folder = support.folder()
    assert(require("lfs").link("/usr/bin/timeout", folder .. "/timeout", true))
    local err = support.refused(1, asm(source, {}, support.drivers("oclgrind", {PATH = folder})))
    assert.matches("llvm%-dis is not installed; on Debian and Ubuntu: apt install llvm\n$", err)
  end)

  it("fails clearly if the driver gives neither machine code nor assembly", function()
    local err = support.refused(1, asm(source, {}, support.drivers "rusticl"))
    assert.matches("clue asm: device [^\n]*llvmpipe[^\n]*: the driver gives neither machine code nor assembly, but "
      .. "a binary %(%d+ bytes%) of an unknown form\n$", err)
  end)

  it("refuses --sass where the device has none, instead of printing something else", function()
    local err = support.refused(1, asm(source, {"--sass"}))
    assert.matches(": %-%-sass is for NVIDIA's devices, whose drivers give PTX\n$", err)
  end)

  it("refuses a wrong command line", function()
    local refused, _, err = support.run {"asm"}
    assert.equal(2, refused)
    assert.matches("^clue asm: missing file: the OpenCL C to compile; [^\n]+; `clue asm %-%-help` lists the options\n$",
      err)
  end)

  it("refuses a file without kernels, and says what to write", function()
    local err = support.refused(1, asm "float f(float a) { return a; }\n")
    assert.matches("^clue asm: [^\n]*%.cl: it has no kernel: write 'kernel' before a function that shall be one, or "
      .. "give the %-D that its #if asks for\n$", err)
  end)

  it("shows the compiler's error #once", function()
    local err = support.refused(1, asm("kernel void f() { missing(); }\n"))
    assert.matches("%.cl:1:19: [^\n]*missing", err)
    assert.matches("clue asm: device [^\n]*: clBuildProgram: CL_BUILD_PROGRAM_FAILURE", err)
  end)
end)

describe("clue asm --counts", function()
  it("counts the instructions of innermost loops #once", function()
    local status, out, err = asm("kernel void sum(global float *x, int n) { float s = 0; for (int i = 0; i < n; i++) "
      .. "s += x[i] * x[i]; x[n] = s; }\n", {"--counts"})
    assert.equal(0, status, err)
    assert.matches("^kernel sum, for any work%-group, x86%-64: innermost loops\n", out)
    assert.matches("\n  where +tions +mul%-add +", out)
    assert.matches("\n  whole kernel +%d+ +%d+ ", out)
  end)

  it("gives them as JSON #once", function()
    local out = support.ended(0, asm(source, {"--counts", "--json", "--kernel", "twice"}))
    local told = json.decode(out)
    assert.equal("clue asm 1", told.format)
    assert.equal(1, #told.kernels)
    assert.equal("twice", told.kernels[1].kernel)
    assert.is_true(told.kernels[1].whole.instructions >= told.kernels[1].whole.float)
  end)

  it("is refused for a form that clue cannot read", function()
    local err = support.refused(2, asm(source, {"--json"}))
    assert.matches("clue asm: %-%-json needs %-%-counts", err)
    if os.execute "command -v llvm-dis >/dev/null 2>&1" ~= 0 then return end
    local refused, _, why = asm(source, {"--counts"}, support.drivers "oclgrind")
    assert.equal(1, refused)
    assert.matches("%-%-counts: clue cannot read the instructions of LLVM's intermediate form", why)
  end)
end)

describe("assembly", function()
  local head = "//\n// Generated by NVIDIA NVVM Compiler\n//\n.version 8.8\n.target sm_90, texmode_independent\n"
    .. ".address_size 64\n\n"
  local first = ".visible .entry twice(\n\t.param .u64 .ptr .global twice_param_0\n)\n{\n\tret;\n}\n"
  local second = ".visible .entry twice_more(\n\t.param .u64 twice_more_param_0\n)\n{\n\tbar.sync 0;\n}\n"

  -- Its parts' texts and the form's name, of such a binary.
  local function texts(job)
    job.result = {options = job.options or "",
                  binary = support.write(head .. "\t// .globl\n" .. first .. "\n" .. second .. "\n\0")}
    local parts, form = assembly.of(job)
    if not parts then return nil, form end
    return support.fields(parts, "text"), form.name
  end

  it("splits NVIDIA's PTX by kernel", function()
    assert.same({{head .. "\t// .globl\n" .. first .. "\n" .. second .. "\n"}, "PTX"}, {texts {}})
    assert.same({{head .. "\t// .globl\n" .. first}, "PTX"}, {texts {kernel = "twice"}})
    assert.same({{head .. "\t// .globl\n" .. second}, "PTX"}, {texts {kernel = "twice_more"}})
    assert.same({nil, "the PTX has no kernel 'twic'"}, {texts {kernel = "twic"}})
  end)

  -- Scripts in place of CUDA's tools: where these are installed, they assemble for real.
  it("of NVIDIA's machine code comes from ptxas and nvdisasm, with the program's limit on registers", function()
    local folder = support.folder()
    local function tool(name, text)
      os.execute("chmod +x " .. support.write("#!/bin/sh\n" .. text, folder .. "/" .. name))
    end
    tool("ptxas", ('echo "$@" >> %s/words\n'):format(folder))
    tool("nvdisasm", "echo; echo '//----- .text.twice ----'; echo .text.twice:; echo ' /*0*/ EXIT ;'\n"
      .. "echo '//----- .text.two ----'\n")
    local binary = support.write(head .. first .. "\0\0")
    local out = support.ended(0, support.run({"-e", ([[
      local of = require("clue.build.assembly").of
      local limited = {options = "-cl-nv-maxrregcount=128", binary = %q}
      local parts, form = of {kernel = "twice", sass = true, result = limited}
      io.write(form.name, "\n", parts[1].text)
      of {sass = true, result = {options = "", binary = %q}}
    ]]):format(binary, binary)}, {PATH = folder .. ":" .. os.getenv "PATH"}))
    assert.equal("SASS\n//----- .text.twice ----\n.text.twice:\n /*0*/ EXIT ;", out)
    assert.equal(("-arch=sm_90 --maxrregcount=128 -o B.cubin B.ptx\n-arch=sm_90 -o B.cubin B.ptx\n"),
      (support.read(folder .. "/words"):gsub(binary:gsub("%p", "%%%0"), "B")))
    assert.equal(head .. first, support.read(binary .. ".ptx"))
  end)
end)
