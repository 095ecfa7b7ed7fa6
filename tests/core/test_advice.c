/* Advice in messages that depends on the failure: what the user can do about it.
 *
 * suite: quick
 * drivers: oclgrind rusticl */
#include "support.h"

#include "kernel/internal.h"
#include "program/internal.h"

TEST(a_divisor_is_the_largest_that_fits) {
    assert_int_equal(range_divisor(1000, 24), 20);
    assert_int_equal(range_divisor(1000, 1000), 1000);
    assert_int_equal(range_divisor(7, 64), 7);
    assert_int_equal(range_divisor(1009, 1008), 1);
    assert_int_equal(range_divisor(SIZE_MAX, SIZE_MAX), 65535); /* for 2^64 - 1, the search begins at 2^16 */
}

/* ---- builds ---- */

static const char *advice_for(const char *log) {
    (void)error_record(CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram", "as it was");
    build_advise(log, &(struct build_text){.source = ""});
    return clue_error_detail();
}

TEST(a_log_becomes_one_sentence) {
    static const char *const pairs[][2] = {
        {"input.cl:2:10: error: use of undeclared identifier 'x'\n  x;\n",
         "the source does not compile: see the log; first at line 2: use of undeclared identifier 'x'"},
        {"input.cl:1:3: warning: odd\ninput.cl:12:1: error: second\ninput.cl:13:1: error: third\n",
         "the source does not compile: see the log; first at line 12: second"},
        {"error: /tmp/a b/tempfile_NE:1:40: expected ';'\n", /* PoCL */
         "the source does not compile: see the log; first at line 1: expected ';'"},
        {"<kernel>:3:10: fatal error: 'common.h' file not found\n#include \"common.h\"\n",
         "the header 'common.h' is in none of the compiler's include folders: add its folder to the build options, "
         "-I "
         "FOLDER"},
        {"Invalid build option: -bogus\n",
         "the compiler does not accept the option -bogus: look at the build options, and at CLUE_BUILD_OPTIONS"},
        {"error: unknown argument: '-bogus'\n",
         "the compiler does not accept the option -bogus: look at the build options, and at CLUE_BUILD_OPTIONS"},
        {"error: invalid value 'CL9.9' in '-cl-std=CL9.9'\n",
         "the compiler does not accept the option -cl-std=CL9.9: look at the build options, and at "
         "CLUE_BUILD_OPTIONS"},
        {"Couldn't create Clang invocation.\n",
         "the compiler does not accept one of the options: look at the build options, and at CLUE_BUILD_OPTIONS"},
        {"Error(s) while linking: \nCannot find symbol g in kernel library\n",
         "the function 'g' is called, but defined nowhere"},
        {"(file=input,line=0,column=0,index=0): Unresolved external reference to \"g\".\n",
         "the function 'g' is called, but defined nowhere"},
        {"ptxas fatal   : Unresolved extern function 'g'\n", "the function 'g' is called, but defined nowhere"},
        {"Cannot find symbol _Z21work_group_reduce_addi in kernel library\n",
         "the function 'work_group_reduce_add' is called, but is of OpenCL C 2.0 or later, and this driver seems "
         "to lack it"},
        {"Cannot find symbol _Z3add in kernel library\n", "the function 'add' is called, but defined nowhere"},
        {"Cannot find symbol _Z99add in kernel library\n", "the function '_Z99add' is called, but defined nowhere"},
        {"error: error\nerror: 7 things, at 1:2\n' file not found", "as it was"},
        {"", "as it was"},
        {":2:1: error: unknown type name '__kernal'\n__kernal void f() {}\n",
         "the source does not compile: see the log; first at line 2: unknown type name '__kernal'; is '__kernel' "
         "meant?"},
        {":2:1: error: unknown type name 'Global'\n", "the source does not compile: see the log; first at line 2: "
                                                      "unknown type name 'Global'; is 'global' meant?"},
        {":2:1: error: unknown type name 'real'\n",
         "the source does not compile: see the log; first at line 2: unknown type name 'real'"},
        {":2:1: error: unknown type name 'kernal'; did you mean 'kernel'?\n",
         "the source does not compile: see the log; first at line 2: unknown type name 'kernal'; did you mean "
         "'kernel'?"},
        {":3:7: error: non-kernel function variable cannot be declared in local address space\n",
         "the source does not compile: see the log; first at line 3: a __local variable can be declared only in a "
         "kernel: declare it there, and pass its address to the "
         "function, whose parameter is a __local pointer"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_string_equal(advice_for(pairs[i][0]), pairs[i][1]);
}

TEST(a_local_variable_in_an_inner_scope_is_moved) {
    static const char log[] = ":5:21: error: variables in the local address space can only be declared in the "
                              "outermost scope of a kernel function\n";
    static const char *const sources[] = {
        /* plain; braces in comments, literals and another kernel; named by #line; on one line; not in a function */
        "kernel void f(global int *x)\n{\n  if (x[0])\n  {\n    __local float4 tile[16], b; x[1] = 2;\n  }\n}\n",
        "kernel void g() { if (1) { } }\nkernel void f(global int *x) { // {\n  char c = '{'; /* } */\n  {\n"
        "   local  int _local[2];\n  }\n}\n",
        "int z;\n#line 1 \"scan\"\nkernel\nvoid f(global int *x)\n  {\n  do {\n    LOCAL int a\n[4]; } while (0); "
        "}\n",
        "\n\n\n\nkernel void f(global int *x) { { local int a; } }\n",
        "\n\n\n\nlocal int a;\n",
    };
    static const char *const expected[] = {
        "5: a __local variable can be declared only in the outermost scope of a kernel: move '__local float4 "
        "tile[16], "
        "b;' to just below the kernel's '{' in line 2",
        "5: a __local variable can be declared only in the outermost scope of a kernel: move 'local  int "
        "_local[2];' to "
        "just below the kernel's '{' in line 2",
        "5 of scan: a __local variable can be declared only in the outermost scope of a kernel: move 'LOCAL int a' "
        "to "
        "just below the kernel's '{' in line 3",
        "5: variables in the local address space can only be declared in the outermost scope of a kernel function",
        "5: variables in the local address space can only be declared in the outermost scope of a kernel function",
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        char whole[300], named[200];
        (void)snprintf(named, sizeof named, "%s%s", i == 2 ? "scan" : "input.cl", log);
        (void)snprintf(whole, sizeof whole, "the source does not compile: see the log; first at line %s",
                       expected[i]);
        (void)error_record(CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram", "as it was");
        build_advise(named, &(struct build_text){.source = sources[i]});
        assert_string_equal(clue_error_detail(), whole);
    }
    build_advise("input.cl:5:21: error: variables in the local address space can only be declared in the outermost "
                 "scope of a kernel function\n",
                 &(struct build_text){.source = sources[0]});
    clue_error_source("a.lua", 11);
    assert_non_null(strstr(clue_error_detail(), "first at line 15 of a.lua: "));
    assert_non_null(strstr(clue_error_detail(), "'{' in line 12"));
}

/* ---- kernels ---- */

static void assert_kernel_advice(int32_t in, const char *source, const char *name, const char *expected) {
    const int32_t built = new_program(in, source);
    char advice[120];
    advice_kernel(advice, sizeof advice, (program *)handle_find(built, CLUE_PROGRAM, "clFoo"), name);
    assert_string_equal(advice, expected);
    assert_works(clue_handle_free(built, CLUE_PROGRAM));
}

TEST(a_misspelt_kernel_name_is_found) {
    static const char source[] = "kernel void scale(global int *x) { x[0] = 1; }\n"
                                 "kernel void shift(global int *x) { x[0] = 2; }\n";
    const int32_t c = new_context();
    assert_kernel_advice(c, source, "scal", "; is 'scale' meant?");
    assert_kernel_advice(c, source, "Shift", "; is 'shift' meant?");
    assert_kernel_advice(c, source, "sclae", "; is 'scale' meant?");
    assert_kernel_advice(c, source, "SCALE", "; is 'scale' meant?");
    assert_kernel_advice(c, source, "add", "");
    assert_kernel_advice(c, source, "a_name_of_more_than_sixty_four_characters_is_compared_with_nothing_at_all",
                         "");
}

TEST(a_function_that_is_not_a_kernel_is_found) {
    static const char source[] = "void twice(global int *x) { x[0] *= 2; }\n"
                                 "#ifdef NEVER\nkernel void hidden(global int *x) { x[0] = 1; }\n#endif\n"
                                 "kernel void f(global int *x) { twice(x); }\n";
    const int32_t c = new_context();
    assert_kernel_advice(c, source, "twice", "; the source has a function of that name: write kernel before it");
    assert_kernel_advice(c, source, "hidden", "; it is in the source, but the preprocessor leaves it out");
    assert_kernel_advice(c, source, "wice", "");
}

TEST(a_kernel_that_the_driver_renamed_is_found) {
    char names[] = "f;_cl_all", advice[120];
    const program p = {.kernels = names};
    advice_kernel(advice, sizeof advice, &p, "all");
    assert_string_equal(
        advice, "; 'all' is a function of OpenCL C, and the driver renames it: give the kernel another name");
}

/* ---- memory, devices ---- */

TEST(a_lack_of_memory_counts_what_is_in_use) {
    const char *hint = error_hint(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    const int32_t c = new_context();
    char expected[300];
    (void)new_buffer(c, 1000);
    (void)snprintf(expected, sizeof expected, "%s; in use: 1 buffer with 1000 bytes", hint);
    (void)error_check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreateBuffer");
    assert_string_equal(clue_error_detail(), expected);
    (void)new_buffer(c, 24);
    (void)snprintf(expected, sizeof expected, "%s; in use: 2 buffers with 1024 bytes", hint);
    (void)error_check(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clEnqueueNDRangeKernel");
    assert_string_equal(clue_error_detail(), expected);
}

TEST(devices_with_doubles_are_listed) {
    char advice[120];
    advice_doubles(advice, sizeof advice);
    assert_string_equal(advice, is_rusticl() ? "use float" : "use float, or a device that has it: 0");
}
