/* Programs that are compiled separately and linked: headers, libraries, and parts that do not fit together.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "kept_context.h"

static bool linker_takes_options = true;
static char linked_with[256];

STUB(clLinkProgram) {
    (void)snprintf(linked_with, sizeof linked_with, "%s", options);
    if (linker_takes_options || !*options) return NEXT(clLinkProgram);
    *error_out = CL_INVALID_LINKER_OPTIONS;
    return NULL;
}

static const char *const headers[] = {"a.h", "#define A 3\ntypedef int number;\n", "dir/b.h",
                                      "#include \"a.h\"\ninline int thrice(int x) { return x * A; }\n"};

static int32_t compile(int32_t *program_out, int32_t in, const char *source, const char *options) {
    return clue_program_compile(program_out, in, source, (int64_t)strlen(source), options, headers, 2);
}

static int32_t compiled(int32_t in, const char *source) {
    int32_t p = 0;
    assert_works(compile(&p, in, source, NULL));
    return p;
}

/* The number that kernel f of the program writes into a[0] if its second argument is 5. */
static int32_t result_of(int32_t in, int32_t p) {
    const int32_t b = new_buffer(in, 4);
    int32_t k = 0, value = 0;
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 5));
    run_1d(k, 1);
    assert_works(clue_buffer_read(&value, b, 0, 4));
    return value;
}

TEST(headers_are_found_by_name) {
    const int32_t c = new_context(),
                  p = compiled(
                      c, "#include \"dir/b.h\"\n__kernel void f(__global int *a, int n) { a[0] = thrice(n); }");
    int32_t linked = 0;
    const char *names, *name, *type;
    int32_t k = 0;
    assert_works(clue_program_link(&linked, c, &p, 1, NULL));
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
    assert_works(clue_program_kernels(&names, linked));
    assert_string_equal(names, "f");
    assert_int_equal(result_of(c, linked), 15);
    assert_works(clue_kernel_create(&k, linked, "f"));
    assert_works(clue_kernel_argument(&name, &type, k, 1));
    assert_string_equal(name, "n");
    assert_string_equal(type, "int");
}

TEST(a_typedef_in_a_header_is_known) {
    const int32_t c = new_context(),
                  p = compiled(c, "#include \"a.h\"\n__kernel void f(__global int *a, number n) { a[0] = n; }");
    int32_t linked = 0, k = 0;
    assert_works(clue_program_link(&linked, c, &p, 1, NULL));
    assert_int_equal(result_of(c, linked), 5);
    assert_works(clue_kernel_create(&k, linked, "f"));
    assert_refused(clue_kernel_set_number(k, 1, CLUE_FLOAT, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 1 'n' of kernel 'f' is number, but float was given");
}

TEST(programs_are_linked_together) {
    const int32_t c = new_context();
    const int32_t inputs[] = {compiled(c, "int next(int x) { return x + 1; }"),
                              compiled(c, "int next(int x);\n"
                                          "__kernel void f(__global int *a, int n) { a[0] = next(n); }")};
    int32_t linked = 7, library = 0, again[2];
    if (is_rusticl()) {
        assert_int_equal(clue_program_link(&linked, c, inputs, 2, NULL), CL_LINK_PROGRAM_FAILURE);
        assert_detail("this version of rusticl cannot link two programs: build one program from all their sources");
        assert_non_null(strstr(clue_error_log(), "Conflicting SPIR-V versions"));
        assert_int_equal(linked, 7);
        return;
    }
    assert_works(clue_program_link(&linked, c, inputs, 2, NULL));
    assert_int_equal(result_of(c, linked), 6);
    assert_works(clue_program_link(&library, c, inputs, 1, "-create-library"));
    again[0] = library;
    again[1] = inputs[1];
    assert_works(clue_program_link(&linked, c, again, 2, NULL));
    assert_int_equal(result_of(c, linked), 6);
}

TEST(an_option_that_the_linker_does_not_know_is_left_out) {
    const int32_t c = new_context(), p = compiled(c, "__kernel void f(__global int *a, int n) { a[0] = n; }");
    int32_t linked = 0;
    assert_works(clue_program_link(&linked, c, &p, 1, NULL));
    assert_string_equal(linked_with, "-cl-kernel-arg-info");
    linker_takes_options = false;
    assert_works(clue_program_link(&linked, c, &p, 1, NULL));
    linker_takes_options = true;
    assert_string_equal(linked_with, "");
    assert_int_equal(result_of(c, linked), 5);
}

TEST(a_program_has_no_kernels_until_it_is_linked) {
    const int32_t c = new_context(), p = compiled(c, "__kernel void f(__global int *a, int n) { a[0] = n; }");
    const char *names;
    int64_t size = 7;
    int32_t k = 7;
    assert_works(clue_program_kernels(&names, p));
    assert_string_equal(names, "");
    assert_refused(clue_kernel_create(&k, p, "f"), CL_INVALID_PROGRAM_EXECUTABLE, CLUE_CAUSE_PARAMETER,
                   "clCreateKernel",
                   "program %d was compiled but not linked: it has kernels only after it is linked", p);
    assert_refused(clue_program_binary(&size, p, p, NULL, 0), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clGetProgramInfo",
                   "program %d was compiled but not linked: it has a binary only after it is linked", p);
}

TEST(an_error_in_a_header_shows_its_line) {
    static const char *const wrong[] = {"wrong.h", "int x(int y) {\n  return y + oops_1;\n}\n"};
    static const char *const source = "#include \"wrong.h\"\n__kernel void f(__global int *a) { a[0] = x(1); }";
    int32_t p = 7, code;
    const char *log, *at;
    code = clue_program_compile(&p, new_context(), source, (int64_t)strlen(source), NULL, wrong, 1);
    assert_true(code == CL_COMPILE_PROGRAM_FAILURE || code == CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(
        strstr(clue_error_detail(), "the source does not compile: see the log; first at line 2 of wrong.h: "));
    log = clue_error_log();
    at = strstr(log, "wrong.h:2:14");
    if (!at) fail_msg("no place in the log:\n%s", log);
    if (at && !strstr(at, "  return y + oops_1;\n")) fail_msg("no line in the log:\n%s", log);
    assert_int_equal(p, 7);
    assert_int_equal(clue_handle_count(), 1); /* the context */
}

TEST(a_missing_header_is_named) {
    int32_t p = 7;
    assert_true(compile(&p, new_context(), "#include \"none.h\"\n__kernel void f(int n) {}", NULL) < 0);
    assert_non_null(
        strstr(clue_error_detail(), "the header 'none.h' is in none of the compiler's include folders"));
}

TEST(wrong_headers_are_refused) {
    static const char *const nameless[] = {"", "text"}, *const textless[] = {"a.h", NULL};
    static const char *const f = "__kernel void f(int n) {}";
    const int32_t c = new_context();
    int32_t p = 7;
    assert_refused(clue_program_compile(&p, c, f, 25, NULL, nameless, 1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCompileProgram", "header 0 has no name");
    assert_refused(clue_program_compile(&p, c, f, 25, NULL, textless, 1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCompileProgram", "header 'a.h' has no text");
    assert_refused(clue_program_compile(&p, c, f, 25, NULL, NULL, 1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCompileProgram", "the list of headers is NULL, but its length is 1");
    assert_refused(clue_program_compile(&p, c, "", 0, NULL, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source is empty");
    assert_int_equal(p, 7);
}

TEST(only_compiled_programs_are_linked) {
    const int32_t c = new_context(), built = new_program(c, "__kernel void f(int n) {}");
    const int32_t elsewhere = compiled(new_context(), "__kernel void f(int n) {}");
    int32_t linked = 7;
    assert_refused(clue_program_link(&linked, c, &built, 1, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clLinkProgram", "program %d is built already: only compiled programs can be linked", built);
    assert_refused(clue_program_link(&linked, c, &elsewhere, 1, NULL), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clLinkProgram", "program %d belongs to another context than the one to link in", elsewhere);
    assert_refused(clue_program_link(&linked, c, &c, 1, NULL), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE,
                   "clLinkProgram", "%d is a context; a program is needed", c);
    assert_refused(clue_program_link(&linked, c, NULL, 0, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clLinkProgram", "0 programs to link: at least 1 is needed");
    assert_int_equal(linked, 7);
}

TEST(a_missing_function_fails_the_link) {
    const int32_t c = new_context(),
                  p = compiled(c, "int nowhere(int x);\n"
                                  "__kernel void f(__global int *a, int n) { a[0] = nowhere(n); }");
    int32_t linked = 7;
    if (is_oclgrind()) skip_because("it looks for functions when the kernel runs");
    assert_int_equal(clue_program_link(&linked, c, &p, 1, NULL), CL_LINK_PROGRAM_FAILURE);
    assert_string_equal(clue_error_call(), "clLinkProgram");
    assert_int_equal(linked, 7);
}

/* rusticl crashes when it compiles with such a word. Whether linking crashes, too, is unknown. */
TEST(words_without_a_dash_do_not_reach_rusticl) {
    static const char *const f = "__kernel void f(__global int *a, int n) { a[0] = n; }";
    const int32_t c = new_context(), p = compiled(c, f);
    int32_t made = 7;
    if (!is_rusticl()) skip_because("only rusticl crashes");
    assert_refused(
        compile(&made, c, f, "-w foo"), CL_INVALID_COMPILER_OPTIONS, CLUE_CAUSE_PARAMETER, "clCompileProgram",
        "%s cannot read the option 'foo', which does not begin with a dash and belongs to no option before it: "
        "-cl-kernel-arg-info -w foo; remove it, and look at CLUE_BUILD_OPTIONS",
        device_name());
    assert_refused(clue_program_link(&made, c, &p, 1, "foo"), CL_INVALID_LINKER_OPTIONS, CLUE_CAUSE_PARAMETER,
                   "clLinkProgram",
                   "%s cannot read the option 'foo', which does not begin with a dash and belongs to no option "
                   "before it: foo; remove it, and look at CLUE_BUILD_OPTIONS",
                   device_name());
    assert_int_equal(made, 7);
}

TEST(too_many_options_are_refused) {
    const int32_t c = new_context(), p = compiled(c, "__kernel void f(__global int *a, int n) { a[0] = n; }");
    char options[402];
    int32_t made = 7;
    memset(options, ' ', 401);
    options[401] = '\0';
    assert_refused(clue_program_link(&made, c, &p, 1, options), CL_INVALID_LINKER_OPTIONS, CLUE_CAUSE_SIZE,
                   "clLinkProgram", "401 characters of options for the linker: the maximum is 400");
    assert_int_equal(made, 7);
}
