/* Programs: building, the log of a failed build, options, and information about a program.
 *
 * suite: quick
 * drivers: pocl oclgrind rusticl */
#include "kept_context.h"

#include <signal.h>

static char options_seen[1024]; /* those that the driver got for the last build */
static bool keep_log_back;      /* as in a driver without logs */
static bool information_breaks; /* as in a driver that fails with -cl-kernel-arg-info; NVIDIA's may */
static bool takes_signals;      /* as in a driver that installs its own signal handlers; LLVM does */

static void of_driver(int number) {
    (void)number;
}

static void of_program(int number) {
    (void)number;
}

STUB(clBuildProgram) {
    (void)snprintf(options_seen, sizeof options_seen, "%s", options);
    if (takes_signals) (void)signal(SIGTERM, of_driver);
    if (takes_signals) (void)signal(SIGHUP, of_driver);
    if (information_breaks && strstr(options, "-cl-kernel-arg-info")) return CL_BUILD_PROGRAM_FAILURE;
    return NEXT(clBuildProgram);
}

STUB(clGetProgramBuildInfo) {
    static const char broken[] =
        "ptxas application ptx input, line 27; fatal   : Parsing error near '}': syntax error";
    if (keep_log_back) return CL_INVALID_VALUE;
    if (!information_breaks || !strstr(options_seen, "-cl-kernel-arg-info")) return NEXT(clGetProgramBuildInfo);
    return answer(size, value, size_out, broken, sizeof broken);
}

/* Whether the driver itself shows the line and a caret. clue then leaves them as they are, without an indent. */
static bool driver_shows_lines(void) {
    return is_oclgrind() || is_nvidia();
}

static const char *const tiny = "__kernel void f(int n) {}";

static int32_t build(const char *source, const char *options) {
    int32_t p = 7;
    const int32_t code = clue_program_create(&p, new_context(), source, (int64_t)strlen(source), options);
    assert_int_equal(p == 7, code != 0);
    return code;
}

/* After the line of the log that contains `word`, exactly these two lines follow. */
static void assert_annotated(const char *word, const char *line, const char *carets) {
    char follows[512];
    const char *log = clue_error_log(), *message = strstr(log, word);
    if (!message) {
        fail_msg("'%s' is not in the log:\n%s", word, log);
        return;
    }
    (void)snprintf(follows, sizeof follows, "\n%s\n%s", line, carets);
    if (!strstr(message, follows)) fail_msg("the log does not show '%s':\n%s", follows, log);
}

/* Ignores options that clue adds for one driver only. */
static void assert_options_seen(const char *wanted) {
    char *own = strstr(options_seen, is_oclgrind() ? " -fno-caret-diagnostics" : " -DCLUE_NO_COUNT\t");
    assert_int_equal(own != NULL, limits()->counts_aloud);
    if (own) *own = '\0';
    assert_string_equal(options_seen, wanted);
}

TEST(a_good_build_has_an_empty_log) {
    const int32_t p = new_program(new_context(), "__kernel void f(__global int *a) { a[0] = 1; }\n"
                                                 "__kernel void g(__global int *a) { a[0] = 2; }\n");
    const char *log = NULL, *names = NULL;
    assert_works(clue_program_log(&log, p, p));
    if (!is_nvidia()) assert_string_equal(log, ""); /* NVIDIA's log mentions every kernel */
    assert_works(clue_program_kernels(&names, p));
    assert_true(strcmp(names, "f;g") == 0 || strcmp(names, "g;f") == 0);
    assert_options_seen("-cl-kernel-arg-info");
}

TEST(a_warning_is_in_the_log) {
    const int32_t p = new_program(new_context(), "__kernel void f(__global int *a) { a[0] = 1 / 0; }");
    const char *log = NULL;
    assert_works(clue_program_log(&log, p, p));
    if (is_rusticl()) skip_because("it drops warnings");
    assert_non_null(strstr(log, "division by zero"));
    assert_true(log[strlen(log) - 1] != '\n');
}

TEST(a_failed_build_shows_line_and_caret) {
    assert_refused(build("__kernel void f(__global int *a) {\n  a[0] = oops_1;\n}\n", NULL),
                   CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram",
                   "the source does not compile: see the log");
    assert_annotated("oops_1", driver_shows_lines() ? "  a[0] = oops_1;" : "      a[0] = oops_1;",
                     driver_shows_lines() ? "         ^" : "             ^");
    assert_int_equal(clue_handle_count(), 1); /* the context */
}

TEST(tabs_and_crlf_keep_the_caret_in_place) {
    assert_int_equal(build("__kernel void f(__global int *a) {\r\n\ta[0] = 1; oops_2;\r\n}\r\n", NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_annotated("oops_2", driver_shows_lines() ? "        a[0] = 1; oops_2;" : "    \ta[0] = 1; oops_2;",
                     driver_shows_lines() ? "                  ^" : "    \t          ^");
    assert_null(strchr(clue_error_log(), '\r'));
}

TEST(an_error_in_a_last_line_without_end_is_shown) {
    assert_int_equal(build("__kernel void f(__global int *a) {\n  a[0] = 1;", NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_annotated("expected '}'", driver_shows_lines() ? "  a[0] = 1;" : "      a[0] = 1;",
                     driver_shows_lines() ? "           ^" : "               ^");
}

TEST(crlf_sources_build) {
    assert_works(build("#define A 1\r\n__kernel void f(__global int *a) {\r\n  a[0] = \\\r\n A;\r\n}\r\n", NULL));
}

TEST(options_are_appended_in_order) {
    static const char *const source = "__kernel void f(__global int *a) { a[0] = ONE + TWO; }";
    setenv("CLUE_BUILD_OPTIONS", "-DTWO=2", 1);
    assert_works(build(source, "-DONE=1"));
    assert_options_seen("-cl-kernel-arg-info -DONE=1 -DTWO=2");
    assert_int_equal(build(source, NULL), CL_BUILD_PROGRAM_FAILURE); /* ONE is missing */
    assert_options_seen("-cl-kernel-arg-info -DTWO=2");
    setenv("CLUE_BUILD_OPTIONS", "", 1);
    assert_works(build(source, "-DONE=1 -DTWO=1"));
    assert_options_seen("-cl-kernel-arg-info -DONE=1 -DTWO=1");
    unsetenv("CLUE_BUILD_OPTIONS");
    assert_works(build(source, "-DONE=1 -DTWO=1"));
    assert_works(build(tiny, ""));
    assert_options_seen("-cl-kernel-arg-info");
}

/* Drivers end words at different places, and read different marks. */
TEST(options_have_one_form) {
    assert_works(build(tiny, "\n\t-D AA=1\r\n\v\f -DB=2\t-D\tCC=3  -D\nDD\n"
                             "-I \"/tmp\" -I '/tmp' -I\"/tmp\" -I'/tmp' -D KK=o'x -D LL=o'y "
                             "\"-DE=1\" '-DF=2' -D 'GG=3' -D HH=\"x\" -D II=\"\" -D JJ=','"));
    assert_options_seen("-cl-kernel-arg-info -D AA=1 -DB=2 -D CC=3 -D DD "
                        "-I /tmp -I /tmp -I/tmp -I/tmp -D KK=o'x -D LL=o'y "
                        "-DE=1 -DF=2 -D GG=3 -D HH=x -D II= -D JJ=','");
}

TEST(marks_stay_around_blanks) {
    if (is_rusticl()) skip_because("it reads no marks");
    assert_works(build(tiny, "-D \"A=x y\" -DB=\"x\ny\" -D C=' ' -D \"D='\""));
    assert_options_seen("-cl-kernel-arg-info -D A=\"x y\" -DB=\"x y\" -D C=\"' '\" -D D=\"'\"");
}

TEST(what_the_environment_adds_has_that_form_too) {
    setenv("CLUE_BUILD_OPTIONS", "-DTWO=2\n-DTHREE=3\n", 1);
    assert_works(build("__kernel void f(__global int *a) { a[0] = ONE + TWO + THREE; }", "-DONE=1\n"));
    unsetenv("CLUE_BUILD_OPTIONS");
    assert_options_seen("-cl-kernel-arg-info -DONE=1 -DTWO=2 -DTHREE=3");
}

TEST(wrong_quotation_marks_are_refused) {
    static const char *const options[] = {"-D A=\"", "-D A=\"x -D B=1", "-I '/tmp",
                                          "-D A='x", "-D A=\\\"x\\\"",  "-D A='\"'"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_refused(
            build(tiny, options[i]), CL_INVALID_BUILD_OPTIONS, CLUE_CAUSE_PARAMETER, "clBuildProgram",
            "a quotation mark is not closed, or is a part of a value, in the options %s: put such macros "
            "before the source, as cl.define does",
            options[i]);
    setenv("CLUE_BUILD_OPTIONS", "-D B=\"y", 1);
    assert_int_equal(build(tiny, "-D A=\"x"), CL_INVALID_BUILD_OPTIONS);
    unsetenv("CLUE_BUILD_OPTIONS");
}

TEST(an_unknown_option_is_refused) {
    int32_t code;
    code = build(tiny, "-cl-nonsense");
    assert_true(code == CL_INVALID_BUILD_OPTIONS || code == CL_BUILD_PROGRAM_FAILURE);
    assert_string_equal(clue_error_call(), "clBuildProgram");
    if (is_rusticl()) /* its log does not name the option */
        assert_detail("the compiler does not accept one of the options");
    else
        assert_detail("the compiler does not accept the option -cl-nonsense");
}

TEST(options_in_quotation_marks_do_not_reach_rusticl) {
    int32_t code;
    if (!is_rusticl()) skip_because("only rusticl crashes");
    code = build(tiny, "-D X=\"a b\"");
    assert_refused(code, CL_INVALID_BUILD_OPTIONS, CLUE_CAUSE_PARAMETER, "clBuildProgram",
                   "%s cannot read options with quotation marks: -cl-kernel-arg-info -D X=\"a b\"; put macros with "
                   "blanks before the source, as cl.define does",
                   device_name());
}

/* rusticl ends the process if one of the words has only one character. */
TEST(short_words_do_not_reach_rusticl) {
    if (!is_rusticl()) skip_because("only rusticl crashes");
    assert_works(build("__kernel void f(__global int *a) { a[0] = A; }", "-D A  -I . -D B=1 -U  C -D D"));
    assert_options_seen("-cl-kernel-arg-info -DA -I. -D B=1 -UC -DD");
    assert_refused(build(tiny, "-w x"), CL_INVALID_BUILD_OPTIONS, CLUE_CAUSE_PARAMETER, "clBuildProgram",
                   "%s cannot read the option 'x', a word of one character: -cl-kernel-arg-info -w x; remove it, "
                   "and look at CLUE_BUILD_OPTIONS",
                   device_name());
}

/* The Clang in rusticl takes such a word for a second file to compile, and crashes. */
TEST(words_without_a_dash_do_not_reach_rusticl) {
    static const char *const options[] = {"foo",     "-DA foo",      "-D A=1 -I /tmp foo",
                                          "-w /foo", "-D AB CD foo", "\tfoo"};
    if (!is_rusticl()) skip_because("only rusticl crashes");
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        assert_int_equal(build(tiny, options[i]), CL_INVALID_BUILD_OPTIONS);
        assert_non_null(
            strstr(clue_error_detail(), "which does not begin with a dash and belongs to no option before it"));
    }
    assert_int_equal(setenv("CLUE_BUILD_OPTIONS", "-w foo", 1), 0);
    assert_refused(
        build(tiny, "-DA"), CL_INVALID_BUILD_OPTIONS, CLUE_CAUSE_PARAMETER, "clBuildProgram",
        "%s cannot read the option 'foo', which does not begin with a dash and belongs to no option before it: "
        "-cl-kernel-arg-info -DA -w foo; remove it, and look at CLUE_BUILD_OPTIONS",
        device_name());
    unsetenv("CLUE_BUILD_OPTIONS");
    assert_works(build(tiny, "-D AB=3 -I /tmp -Ifoo -U AB -x cl -isystem /tmp"));
}

/* So does the Clang in Oclgrind. */
TEST(stray_words_do_not_reach_oclgrind) {
    static const char *const options[] = {"foo", "-D AB CD foo", "-w -", "-Dx foo", "-DA=\"a b\" foo", "\"\" foo"};
    if (!is_oclgrind()) skip_because("only Oclgrind crashes");
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        assert_int_equal(build(tiny, options[i]), CL_INVALID_BUILD_OPTIONS);
        assert_non_null(
            strstr(clue_error_detail(), "which does not begin with a dash and belongs to no option before it"));
    }
    assert_works(build(tiny, "-D A -D B=\"a b\" -I /tmp -I \"/no such\" -U A -o x -x cl -isystem /tmp"));
}

TEST(the_lack_of_doubles_is_explained) {
    static const char *const sources[] = {
        "__kernel void f(__global double *a) { a[0] = 1; }",
        "__kernel void f(__global double4 *a) { a[0] = 1; }",
        "__kernel void f(__global float *a) { a[0] = (double)a[0]; }",
        "__kernel void f(__global float *a) { a[0] = convert_double(a[0]); }",
    };
    if (device_number(CL_DEVICE_DOUBLE_FP_CONFIG)) skip_because("it has double precision");
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        assert_refused(build(sources[i], NULL), CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram",
                       "%s has no double precision (no cl_khr_fp64), and the source uses it", device_name());
        assert_non_null(strstr(clue_error_log(), "double"));
    }
    keep_log_back = true;
    assert_int_equal(build(sources[0], NULL), CL_BUILD_PROGRAM_FAILURE);
    keep_log_back = false;
    assert_non_null(strstr(clue_error_detail(), "has no double precision"));
}

TEST(doubles_are_not_blamed_for_another_error) {
    static const char *const sources[] = {
        "/* double buffering */ __kernel void f(__global float *a) { a[0] = oops; }",
        "__kernel void f(__global float *a) { a[0] = 1.5 * oops; }", /* the constant gives a warning */
        "__kernel void f(__global float *a) { a[0] = double_buffer; }",
    };
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++)
        assert_refused(build(sources[i], NULL), CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram",
                       "the source does not compile: see the log");
}

TEST(a_driver_without_logs_is_named_as_the_reason) {
    int32_t p = 0, code;
    const char *log = NULL;
    keep_log_back = true;
    code = build("__kernel void f( {}", NULL);
    p = new_program(new_context(), tiny);
    keep_log_back = false;
    assert_refused(code, CL_BUILD_PROGRAM_FAILURE, CLUE_CAUSE_DRIVER, "clBuildProgram",
                   "the source does not compile, and the driver left no log");
    assert_string_equal(clue_error_log(), "");
    assert_works(clue_program_log(&log, p, p));
    assert_string_equal(log, "");
}

TEST(impossible_sources_are_refused) {
    const int32_t c = new_context(), b = new_buffer(c, 4);
    int32_t p = 7;
    assert_refused(clue_program_create(&p, c, "", 0, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source is empty");
    assert_refused(clue_program_create(&p, c, "x", -1, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source is empty");
    assert_refused(clue_program_create(&p, c, NULL, 5, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source is empty");
    assert_refused(clue_program_create(&p, c, "a\0b", 3, NULL), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source contains a zero byte");
    assert_refused(clue_program_create(&p, b, "x", 1, NULL), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE,
                   "clCreateProgramWithSource", "%d is a buffer; a context is needed", b);
    assert_int_equal(p, 7);
}

TEST(marks_of_files_joined_are_left_out) {
    assert_works(build("\xef\xbb\xbf__kernel void f(int n) {}\n\xef\xbb\xbfint g(void);\n\xef\xbb\xbf", NULL));
}

TEST(only_the_given_length_is_compiled) {
    static const char source[] = "__kernel void f(int n) {} and this is no longer the source";
    int32_t p = 0;
    assert_works(clue_program_create(&p, new_context(), source, (int64_t)strlen(tiny), NULL));
}

TEST(a_program_may_have_no_kernel) {
    const int32_t p = new_program(new_context(), "int g(int x) { return x; }\n");
    const char *names = NULL;
    int32_t k = 7;
    assert_works(clue_program_kernels(&names, p));
    assert_string_equal(names, "");
    assert_refused(clue_kernel_create(&k, p, "g"), CL_INVALID_KERNEL_NAME, CLUE_CAUSE_PARAMETER, "clCreateKernel",
                   "the program has no kernel 'g'; it has: none");
    assert_int_equal(k, 7);
}

TEST(a_kernel_may_have_no_arguments) {
    const int32_t k = new_kernel(new_context(), "__kernel void f() {}\n__kernel void g(int n) {}\n");
    run_and_wait(k, 1);
}

TEST(without_argument_information_the_build_is_tried_again) {
    device *on = limits();
    const bool nvidia = on->nvidia;
    int32_t code, other;
    information_breaks = true;
    other = build(tiny, "-DX=1");
    on->nvidia = true;
    code = build(tiny, "-DX=1");
    on->nvidia = nvidia;
    information_breaks = false;
    assert_int_equal(other, nvidia ? 0 : CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(code, 0);
    assert_options_seen("-DX=1");
}

TEST(the_signal_handlers_of_the_process_stay) {
    const int32_t c = new_context();
    (void)signal(SIGTERM, of_program);
    (void)signal(SIGHUP, SIG_DFL);
    takes_signals = true;
    (void)new_program(c, "__kernel void f(__global int *a) { a[0] = 1; }");
    takes_signals = false;
    assert_true(signal(SIGTERM, SIG_DFL) == of_program);
    assert_true(signal(SIGHUP, SIG_DFL) == of_driver); /* none was installed before */
}

TEST(only_a_program_has_a_log) {
    const char *text = NULL;
    assert_refused(clue_program_log(&text, 5, 5), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE, "clGetProgramBuildInfo",
                   "5 is not a program: handles are 65536 or more");
    assert_refused(clue_program_kernels(&text, 5), CL_INVALID_PROGRAM, CLUE_CAUSE_HANDLE, "clGetProgramInfo",
                   "5 is not a program: handles are 65536 or more");
    assert_null(text);
}
