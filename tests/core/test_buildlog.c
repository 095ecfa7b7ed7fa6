/* Build logs as drivers write them, and what becomes of them. */
#include "support.h"

static const char *const source = "__kernel void f(__global int *a) {\n"
                                  "\ta[0] = oops;\n"
                                  "}\n";

static void check(const char *log, const char *of, const char *expected) {
    char *annotated = buildlog_annotate(log, of);
    assert_non_null(annotated);
    assert_string_equal(annotated, expected);
    free(annotated);
}

static void a_place_is_shown_with_its_line_and_a_caret(void **state) {
    (void)state;
    check("error: /tmp/pocl/tempfile_Nd5XlJ.cl:2:9: use of undeclared identifier 'oops'\n" /* PoCL */
          "Device pthread failed to build the program",
          source,
          "error: /tmp/pocl/tempfile_Nd5XlJ.cl:2:9: use of undeclared identifier 'oops'\n"
          "    \ta[0] = oops;\n"
          "    \t       ^\n"
          "Device pthread failed to build the program\n");
    check("input.cl:2:9: error: use of undeclared identifier 'oops'\n" /* rusticl */
          "Error executing LLVM compilation action.",
          source,
          "input.cl:2:9: error: use of undeclared identifier 'oops'\n"
          "    \ta[0] = oops;\n"
          "    \t       ^\n"
          "Error executing LLVM compilation action.\n");
    check("1:2:9: error: no", source, "1:2:9: error: no\n    \ta[0] = oops;\n    \t       ^\n");
    check("C:\\x\\y.cl:2:9: no", source, "C:\\x\\y.cl:2:9: no\n    \ta[0] = oops;\n    \t       ^\n");
}

static void what_the_driver_shows_is_not_shown_again(void **state) {
    static const char *const logs[] = {
        "input.cl:2:9: error: use of undeclared identifier 'oops'; did you mean 'cos'?\n" /* Oclgrind */
        "        a[0] = oops;\n"
        "               ^~~~\n"
        "               cos\n",
        "<kernel>:2:9: error: use of undeclared identifier 'oops'\n" /* NVIDIA */
        "        a[0] = oops;\n"
        "               ^\n",
        "input.cl:2:9: error: use of undeclared identifier 'oops'\n" /* clang from 16 on */
        "    2 |         a[0] = oops;\n"
        "      |                ^~~~\n",
        "input.cl:2:9: error: with line ends of another kind\r\n"
        "        a[0] = oops;\r\n"
        "               ^\r\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
}

static void places_in_other_files_are_left_alone(void **state) {
    static const char *const logs[] = {
        "/lib/oclgrind/opencl-c.h:2:22: note: 'cos' declared here\n",
        "<command line>:3:11: note: expanded from here\n",
        "<built-in>:1:11: note: expanded from here\n",
        "<scratch space>:1:1: note: expanded from here\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
    /* the source's own place stands first, that of the macro behind it */
    check("error: t.cl:2:9 <Spelling=/share/_builtin_renames.h:1:19>: no matching function", source,
          "error: t.cl:2:9 <Spelling=/share/_builtin_renames.h:1:19>: no matching function\n"
          "    \ta[0] = oops;\n"
          "    \t       ^\n");
}

static void text_without_a_place_passes_through(void **state) {
    static const char *const logs[] = {
        "Error(s) while linking: \nCannot find symbol g in kernel library\n",
        "(file=input,line=0,column=0,index=0): Unresolved external reference to \"g\".\n\nMissing module.\n",
        "error: unknown argument: '-cl-nonsense'\n",
        "a:b:c :: 3: :4 5:\n",
        "x:0:1: no line 0\n",
        "x:1:0: no column 0\n",
        "\n\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
    check("", source, "");
    check("no end of line", source, "no end of line\n");
}

static void lines_beyond_the_source_are_not_shown(void **state) {
    (void)state;
    check("t.cl:4:1: beyond\n", source, "t.cl:4:1: beyond\n");
    check("t.cl:99999999999999999999:1: far beyond\n", source, "t.cl:99999999999999999999:1: far beyond\n");
    check("t.cl:1:1: empty\n", "", "t.cl:1:1: empty\n");
    check("t.cl:1:1: empty line\n", "\nx\n", "t.cl:1:1: empty line\n");
}

static void a_caret_stays_near_a_short_line(void **state) {
    (void)state;
    check("t.cl:2:5: expected '}'\n", "f() {\n a;", "t.cl:2:5: expected '}'\n     a;\n       ^\n");
    check("t.cl:1:99999999999999999999: far right\n", "abc",
          "t.cl:1:99999999999999999999: far right\n    abc\n       ^\n");
}

static void lines_may_end_in_crlf(void **state) {
    (void)state;
    check("t.cl:2:3: no\n", "first\r\nab c\r\nthird\r\n", "t.cl:2:3: no\n    ab c\n      ^\n");
    check("t.cl:3:1: no\n", "first\r\nab c\r\nthird", "t.cl:3:1: no\n    third\n    ^\n");
}

static void carets_stand_under_characters_of_several_bytes(void **state) {
    (void)state;
    check("t.cl:1:8: no\n", "/*\xc3\xa4*/ x;", "t.cl:1:8: no\n    /*\xc3\xa4*/ x;\n          ^\n");
}

static void several_messages_are_each_shown(void **state) {
    (void)state;
    check("t.cl:1:1: one\nt.cl:2:1: two\nsummary", "a\nb\n",
          "t.cl:1:1: one\n    a\n    ^\nt.cl:2:1: two\n    b\n    ^\nsummary\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        clue_unit_test(a_place_is_shown_with_its_line_and_a_caret),
        clue_unit_test(what_the_driver_shows_is_not_shown_again),
        clue_unit_test(places_in_other_files_are_left_alone),
        clue_unit_test(text_without_a_place_passes_through),
        clue_unit_test(lines_beyond_the_source_are_not_shown),
        clue_unit_test(a_caret_stays_near_a_short_line),
        clue_unit_test(lines_may_end_in_crlf),
        clue_unit_test(carets_stand_under_characters_of_several_bytes),
        clue_unit_test(several_messages_are_each_shown),
    };
    return cmocka_run_group_tests_name("buildlog", tests, NULL, NULL);
}
