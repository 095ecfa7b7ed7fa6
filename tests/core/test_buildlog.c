/* Build logs as drivers write them, and as clue shows them.
 *
 * suite: quick */
#include "support.h"

#include "program/internal.h"

#include <unistd.h>

static const char *const source = "__kernel void f(__global int *a) {\n"
                                  "\ta[0] = oops;\n"
                                  "}\n";

static void check_text(const char *log, const struct build_text *of, const char *expected) {
    char *annotated = buildlog_annotate(log, of);
    assert_non_null(annotated);
    assert_string_equal(annotated, expected);
    free(annotated);
}

static void check(const char *log, const char *of, const char *expected) {
    check_text(log, &(struct build_text){.source = of}, expected);
}

TEST(an_error_is_shown_with_its_line_and_a_caret) {
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

TEST(lines_that_the_driver_shows_are_not_shown_again) {
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
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
}

TEST(places_in_other_files_are_left_alone) {
    static const char *const logs[] = {
        "/lib/oclgrind/opencl-c.h:2:22: note: 'cos' declared here\n",
        "<command line>:3:11: note: expanded from here\n",
        "<built-in>:1:11: note: expanded from here\n",
        "<scratch space>:1:1: note: expanded from here\n",
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
    /* the place in the source comes first, then the place of the macro */
    check("error: t.cl:2:9 <Spelling=/share/_builtin_renames.h:1:19>: no matching function", source,
          "error: t.cl:2:9 <Spelling=/share/_builtin_renames.h:1:19>: no matching function\n"
          "    \ta[0] = oops;\n"
          "    \t       ^\n");
}

TEST(text_without_a_place_passes_through) {
    static const char *const logs[] = {
        "Error(s) while linking: \nCannot find symbol g in kernel library\n",
        "(file=input,line=0,column=0,index=0): Unresolved external reference to \"g\".\n\nMissing module.\n",
        "error: unknown argument: '-cl-nonsense'\n",
        "a:b:c :: 3: :4 5:\n",
        "x:0:1: no line 0\n",
        "x:1:0: no column 0\n",
        "\n\n",
    };
    for (size_t i = 0; i < sizeof logs / sizeof logs[0]; i++)
        check(logs[i], source, logs[i]);
    check("", source, "");
    check("no end of line", source, "no end of line\n");
}

TEST(lines_beyond_the_source_are_not_shown) {
    check("t.cl:4:1: beyond\n", source, "t.cl:4:1: beyond\n");
    check("t.cl:99999999999999999999:1: far beyond\n", source, "t.cl:99999999999999999999:1: far beyond\n");
    check("t.cl:1:1: empty\n", "", "t.cl:1:1: empty\n");
    check("t.cl:1:1: empty line\n", "\nx\n", "t.cl:1:1: empty line\n");
}

TEST(a_caret_stays_near_a_short_line) {
    check("t.cl:2:5: expected '}'\n", "f() {\n a;", "t.cl:2:5: expected '}'\n     a;\n       ^\n");
    check("t.cl:1:99999999999999999999: far right\n", "abc",
          "t.cl:1:99999999999999999999: far right\n    abc\n       ^\n");
}

TEST(lines_may_end_in_crlf) {
    check("t.cl:2:3: no\n", "first\r\nab c\r\nthird\r\n", "t.cl:2:3: no\n    ab c\n      ^\n");
    check("t.cl:3:1: no\n", "first\r\nab c\r\nthird", "t.cl:3:1: no\n    third\n    ^\n");
}

TEST(carets_are_right_after_characters_of_several_bytes) {
    check("t.cl:1:8: no\n", "/*\xc3\xa4*/ x;", "t.cl:1:8: no\n    /*\xc3\xa4*/ x;\n          ^\n");
}

TEST(several_messages_are_each_shown) {
    check("t.cl:1:1: one\nt.cl:2:1: two\nsummary", "a\nb\n",
          "t.cl:1:1: one\n    a\n    ^\nt.cl:2:1: two\n    b\n    ^\nsummary\n");
}

TEST(line_directives_give_names_and_numbers) {
    static const char *const lines = "first;\n"
                                     "#line 7 \"scan it\"\n"
                                     "seven;\n"
                                     "  # line 1\t\"next\"\r\n"
                                     "one;\r\n"
                                     "#12\n"
                                     "twelve;\n";
    check("error: scan it:7:1: no", lines, "error: scan it:7:1: no\n    seven;\n    ^\n");
    check("next:1:3: error: no", lines, "next:1:3: error: no\n    one;\n      ^\n");
    check("next:12:1: error: no", lines, "next:12:1: error: no\n    twelve;\n    ^\n");
    check("next:2:1: error: no", lines, "next:2:1: error: no\n");
    check("/nowhere/x.cl:1:1: no", lines, "/nowhere/x.cl:1:1: no\n    first;\n    ^\n");
    check("/nowhere/x.cl:3:1: no", lines, "/nowhere/x.cl:3:1: no\n");
}

TEST(defines_before_the_source_do_not_change_its_numbers) {
    check("x.cl:1:1: no", "#define A 1\n#define B 2\n#line 1\nfirst\nsecond\n", "x.cl:1:1: no\n    first\n    ^\n");
}

TEST(the_numbers_of_a_driver_that_counts_all_lines_are_corrected) {
    const struct build_text of = {.source = "zero;\n#line 7 \"scan\"\nseven;\n#line 20\ntwenty;\n",
                                  .counts_all_lines = true};
    check_text("input.cl:3:2: error: no\nseven;\n ^\n", &of, "scan:7:2: error: no\nseven;\n ^\n");
    check_text("input.cl:5:2: error: no\n", &of, "scan:20:2: error: no\n    twenty;\n     ^\n");
    check_text("input.cl:1:2: error: no\n", &of, "input.cl:1:2: error: no\n    zero;\n     ^\n");
}

TEST(a_line_may_have_the_greatest_number) {
    check("x.cl:9223372036854775807:1: no\n", "#line 9223372036854775807\na\nb\n",
          "x.cl:9223372036854775807:1: no\n    b\n    ^\n");
}

TEST(a_template_shows_the_line_that_was_written) {
    struct build_text of = {.source = "#line 3 \"t\" // x[$(i)] = oops;\nx[0] = oops;\n"
                                      "#line 3 \"t\" // x[$(i)] = oops;\nx[1] = oops;\n"
                                      "last;\n"};
    check_text("t:3:8: no", &of,
               "t:3:8: no\n    x[$(i)] = oops;\n  from which this was made (the first of 2):\n"
               "    x[0] = oops;\n           ^\n");
    check_text("t:4:1: no", &of, "t:4:1: no\n    last;\n    ^\n");
    check_text("t:3:8: no\n    x[0] = oops;\n           ^\n", &of,
               "t:3:8: no\n    x[$(i)] = oops;\n  from which this was made (the first of 2):\n"
               "    x[0] = oops;\n           ^\n");
    of.counts_all_lines = true;
    check_text("input.cl:4:8: no\nx[1] = oops;\n       ^\n", &of,
               "t:3:8: no\n    x[$(i)] = oops;\n  from which this was made:\nx[1] = oops;\n       ^\n");
}

TEST(a_header_shows_its_own_line) {
    static const char *const headers[] = {"dir/b.h", "int b;\nint wrong b;\n", "c.cl", "c1\nc2\nc3\n"};
    const struct build_text of = {.source = source, .headers = headers, .header_count = 2};
    check_text("error: /tmp/pocl/tempdir_X/dir/b.h:2:5: no", &of,
               "error: /tmp/pocl/tempdir_X/dir/b.h:2:5: no\n    int wrong b;\n        ^\n");
    check_text("c.cl:3:1: no", &of, "c.cl:3:1: no\n    c3\n    ^\n");
    check_text("notc.cl:3:1: no", &of, "notc.cl:3:1: no\n    }\n    ^\n");
    check_text("dir/b.h:2:5: no\nint wrong b;\n    ^\n", &of, "dir/b.h:2:5: no\nint wrong b;\n    ^\n");
}

TEST(a_file_of_an_include_folder_shows_its_own_line) {
    char name[] = "/tmp/clue-buildlog-XXXXXX", log[128], expected[256];
    const int descriptor = mkstemp(name);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "one\ntwo\n", 8), 8);
    (void)snprintf(log, sizeof log, "error: %s:2:2: no", name);
    (void)snprintf(expected, sizeof expected, "%s\n    two\n     ^\n", log);
    check(log, source, expected);
    assert_int_equal(pwrite(descriptor, source, strlen(source), 0), strlen(source)); /* a driver's copy of it */
    (void)snprintf(expected, sizeof expected, "%s\n    \ta[0] = oops;\n    \t^\n", log);
    check(log, source, expected);
    assert_int_equal(close(descriptor), 0);
    assert_int_equal(unlink(name), 0);
}
