-- What `clue asm --counts` reads in machine code and assembly.
-- suite: quick
-- process: shared
local loops = require "clue.build.loops"

local x86 = [[
x.so:     file format elf64-x86-64

Disassembly of section .text:

0000000000001000 <_pocl_kernel_sum@plt>:
    1000:	jmp    *0x2fe2(%rip)        # 3fe8 <_pocl_kernel_sum+0x2fc8>

0000000000001020 <_pocl_kernel_sum>:
    1020:	push   %rbp
    1021:	mov    %rsp,%rbp
    1024:	xor    %eax,%eax
    1026:	nopl   0x0(%rax,%rax,1)
    1030:	xor    %ebx,%ebx
    1032:	mov    -0x8(%rbp),%rcx
    1040:	vmovups (%rdi,%rbx,4),%zmm2
    1045:	vfmadd231ps (%rsi,%rbx,4){1to16},%zmm1,%zmm2
    104a:	vaddps %zmm2,%zmm1,%zmm1
    104b:	vmovups %zmm2,(%rdi,%rbx,4)
    104c:	prefetcht0 0x100(%rdi)
    104d:	mov    %rcx,-0x8(%rbp)
    104f:	add    $0x8,%rbx
    1053:	cmp    $0x3e8,%rbx
    1059:	jne    1040 <_pocl_kernel_sum+0x20>
    1060:	vmulsd 0xfcd(%rip),%xmm0,%xmm0        # 2000 <_pocl_kernel_sum_workgroup+0xea0>
    1068:	inc    %rax
    106e:	jne    1030 <_pocl_kernel_sum+0x10>
    1070:	pop    %rbp
    1071:	ret

0000000000001120 <_pocl_kernel_sum_workgroup>:
    1120:	mov    (%rdi),%rax
    1123:	jmp    1000 <_pocl_kernel_sum@plt>
]]

-- A product, then two loops that store.
local apart = [[
0000000000001000 <_pocl_kernel_product>:
_pocl_kernel_product():
/tmp/tempfile_a.cl:3
    1000:	xor    %eax,%eax
/tmp/tempfile_a.cl:4
    1010:	imul   %ecx,%edx
    1014:	add    (%rdi,%rax,4),%edx
    1018:	inc    %rax
    101c:	cmp    $0x8,%rax
    1020:	jne    1010 <_pocl_kernel_product+0x10>
/tmp/tempfile_a.cl:6 (discriminator 1)
    1022:	jmp    1030 <_pocl_kernel_product+0x30>
    1024:	nopl   0x0(%rax)
    1028:	inc    %rbx
    1030:	cmp    %r8,%rbx
    1034:	jl     1070 <_pocl_kernel_product+0x70>
/tmp/tempfile_a.cl:8
    1048:	cmp    %r9,%rbp
    104c:	jl     1060 <_pocl_kernel_product+0x60>
    1050:	ret
    1060:	mov    %edx,(%rsi,%rbp,4)
    1064:	inc    %rbp
    1068:	jmp    1048 <_pocl_kernel_product+0x48>
/tmp/tempfile_a.cl:6
    1070:	mov    %edx,(%rsi,%rbx,4)
    1074:	jmp    1028 <_pocl_kernel_product+0x28>
]]

local ptx = [[
.version 7.5
.target sm_80

.visible .entry twice(
	.param .u64 twice_param_0
)
{
	.reg .b64 %rd<3>;
	ret;
}

.visible .entry sums(
	.param .u64 sums_param_0
)
{
	.reg .pred 	%p<2>;
	.shared .align 16 .b8 tile[1024];

	ld.param.u64 	%rd1, [sums_param_0];
	mul.wide.u32 	%rd2, %r2, 16;
$L__BB0_1:
	ld.global.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd3];
	st.shared.f32 	[%r5], %f1;
	bar.sync 	0;
	ld.shared.f32 	%f5, [%r5+4];
	ld.local.f32 	%f7, [%r6];
	fma.rn.f32 	%f9, %f2, %f3, %f9;
	mul.f32 	%f6, %f4, %f5;
	mov.f32 	%f8, %f6;
	add.s32 	%r3, %r3, 1;
	setp.lt.s32 	%p1, %r3, %r1;
	@%p1 bra 	$L__BB0_1;
	st.global.f32 	[%rd1], %f9;
	ret;
}
]]

local sass = [[
	.target	sm_80

//--------------------- .text.sums                --------------------------
	.section	.text.sums,"ax",@progbits
sums:
.text.sums:
        /*0000*/                   MOV R1, c[0x0][0x28] ;
        /*0010*/                   IMAD.MOV.U32 R20, RZ, RZ, 0x10 ;
        /*00a0*/              @!P1 BRA `(.L_x_0) ;
.L_x_1:
        /*00d0*/                   LDG.E.128 R4, [R20.64] ;
        /*00e0*/                   STS [R3.X4], R4 ;
        /*00e8*/                   LDGSTS.E.BYPASS.128 [R3.X4], [R20.64] ;
        /*00f0*/                   BAR.SYNC.DEFER_BLOCKING 0x0 ;
        /*0110*/                   LDS R22, [R3.X4+0x4] ;
        /*0180*/                   LDL R16, [R1] ;
        /*0190*/                   FFMA R5, R6, R5, R2 ;
        /*0198*/                   HFMA2 R7, R8, R5, R2 ;
        /*01a0*/                   IADD3 R0, R0, 0x4, RZ ;
        /*01a8*/                   HFMA2.MMA R0, -RZ, RZ, 0, 0 ;
        /*0290*/              @!P1 BRA `(.L_x_1) ;
.L_x_0:
        /*0490*/                   STG.E [R4.64], R2 ;
        /*04a0*/                   EXIT ;
.L_x_4:
        /*04b0*/                   BRA `(.L_x_4);
        /*04c0*/                   NOP;

//--------------------- .text.twice               --------------------------
.text.twice:
        /*0010*/                   EXIT ;
.L_x_5:
        /*0020*/                   BRA `(.L_x_5);
]]

-- Only what was counted at all.
local function shown(counts)
  local left = {}
  for name, count in pairs(counts) do
    if count ~= 0 then left[name] = count end
  end
  return left
end

describe("loops", function()
  it("of x86-64 are the innermost of the function that runs a work-group", function()
    local found = loops.of(x86, "x86-64", "sum")
    assert.equal(1, #found.innermost)
    assert.same({place = "1040", depth = 2, instructions = 9, fma = 1, float = 1, integer = 2, loads = 2, stores = 1,
                 stack_stores = 1, jumps = 1, vector_bits = 512, float_operations = 48}, shown(found.innermost[1]))
    assert.same({instructions = 20, fma = 1, float = 2, integer = 5, loads = 3, stores = 1, stack_loads = 2,
                 stack_stores = 2, jumps = 3, vector_bits = 512, float_operations = 49}, shown(found.whole))
  end)

  it("of PTX count what a work-item does", function()
    local found = loops.of(ptx, "PTX", "sums")
    assert.equal(1, #found.innermost)
    assert.same({place = "$L__BB0_1", depth = 1, instructions = 11, fma = 1, float = 1, integer = 2, loads = 1,
                 local_loads = 1, local_stores = 1, stack_loads = 1, barriers = 1, jumps = 1, vector_bits = 128,
                 float_operations = 3}, shown(found.innermost[1]))
    assert.same({instructions = 1, jumps = 1}, shown(loops.of(ptx, "PTX", "twice").whole))
  end)

  it("of SASS are without the jump that ends each program and without moves by arithmetic", function()
    local found = loops.of(sass, "SASS", "sums")
    assert.equal(1, #found.innermost)
    assert.same({place = ".L_x_1", depth = 1, instructions = 11, fma = 2, integer = 1, loads = 2, local_loads = 1,
                 local_stores = 2, stack_loads = 1, barriers = 1, jumps = 1, vector_bits = 128, float_operations = 6},
      shown(found.innermost[1]))
    assert.same({}, loops.of(sass, "SASS", "twice").innermost)
  end)

  it("are by jumps, not by where a compiler lays their blocks: here those that store have theirs at the end", function()
    local found = loops.of(apart, "x86-64", "product")
    local shapes = {}
    for i, each in ipairs(found.innermost) do shapes[i] = ("%s, %d deep, %d"):format(each.place, each.depth,
      each.instructions) end
    assert.same({"1010, 1 deep, 5", "1030, 1 deep, 5", "1048, 1 deep, 5"}, shapes)
    assert.equal("1010", loops.busiest(apart, "x86-64", "product").counts.place)
  end)

  it("take the most time if the lines of their source ran most", function()
    local function at(lines)
      return loops.busiest(apart, "x86-64", "product", function(each)
        assert.equal("/tmp/tempfile_a.cl", each.file)
        return lines[each.line]
      end)
    end
    assert.equal("1048", at {[4] = 10, [6] = 10, [8] = 100}.counts.place)
    assert.equal("1010", at {[4] = 90, [6] = 10, [8] = 100}.counts.place) -- about as often, with more work
    assert.equal("1010", at({}).counts.place)
    assert.equal(8, at {[8] = 100}.instructions[1].line)
  end)

  it("have the lines of PTX with .loc", function()
    local text = ptx:gsub("%.target sm_80", '%0\n.file 1 "<kernel>"'):gsub("\tbar%.sync", "\t.loc 1 7 3\n%0")
    local found = loops.busiest(text, "PTX", "sums")
    assert.same({nil, "<kernel>", 7}, {found.instructions[1].line, found.instructions[3].file,
                                       found.instructions[4].line})
  end)

  it("are nil for a kernel that the text does not have, and for other instruction sets", function()
    assert.is_nil(loops.of(x86, "x86-64", "su"))
    assert.is_nil(loops.of(ptx, "PTX", "sum"))
    assert.is_nil(loops.of(sass, "SASS", "sum"))
    assert.is_nil(loops.of(sass, "PTX", "sums"))
    assert.is_nil(loops.of(x86, "RISC-V", "sum"))
  end)
end)
