/* The files that a source includes: none that a compiler would read is missed, however the directive is written.
 *
 * suite: quick */
#define BEFORE make_folder
#define AFTER remove_folder
#include "support.h"

#include "program/internal.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64], options[128];

static const char *path_of(const char *name) {
    static char paths[4][256];
    static int turn;
    char *path = paths[turn = (turn + 1) % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/clue-include-XXXXXX");
    if (!mkdtemp(folder) || mkdir(path_of("deep"), 0700) != 0) return -1;
    snprintf(options, sizeof options, "-w -I %s", folder);
    write_file("h.h", "#define H 1\n");
    return 0;
}

static int remove_folder(void **state) {
    static const char *const names[] = {"h.h", "a.h", "deep/a.h", "deep/b.h", "fifo", "zeros", "deep"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)remove(path_of(names[i]));
    return rmdir(folder);
}

static struct includes found_in(const char *source, const char *with) {
    static struct build_text of;
    struct includes all;
    of = (struct build_text){.source = source};
    includes_find(&all, &of, with);
    return all;
}

static void assert_finds_header(const char *source) {
    struct includes all = found_in(source, options);
    if (!all.certain || all.count != 1 || strcmp(all.files[0].path, path_of("h.h")) != 0)
        fail_msg("%d files, %s: %s", (int)all.count, all.certain ? "certain" : "uncertain", source);
    includes_free(&all);
}

static void assert_certain(bool certain, const char *source, const char *with) {
    struct includes all = found_in(source, with);
    if (all.certain != certain) fail_msg("%s, '%s': %s", certain ? "uncertain" : "certain", with, source);
    includes_free(&all);
}

TEST(every_spelling_is_found) {
    static const char *const spellings[] = {
        "#include \"h.h\"",
        "#include <h.h>\n",
        "  # \t include\"h.h\"\n",
        "#import \"h.h\"\n",
        "#import <h.h>\n",
        "%:include \"h.h\"\n",
        "%:import \"h.h\"\n",
        "#inc\\\nlude \"h.h\"\n",
        "#inc\\\r\nlude \"h.h\"\n",
        "#\\\n\\\ninclude \"h.h\"\n",
        "#include \"h\\\n.h\"\n",
        "%\\\n: include \"h.h\"\n",
        "#/**/include/* // */\"h.h\"\n",
        "#/* of\nseveral lines */ include /\\\n* */ \"h.h\"\n",
        "/* */ #include \"h.h\"\n",
        "\"/*\" ;\n#include \"h.h\"\n/* */",
        "\xEF\xBB\xBF#include \"h.h\"\n",
        "int x;\r#include \"h.h\"\rint y;",
        "\f\v#\finclude\v\"h.h\"\n",
        "#include \"h.h\" // and more\n",
        "#if 0\n#include \"h.h\"\n#endif\n",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        assert_finds_header(spellings[i]);
}

TEST(files_that_cannot_be_known_make_it_uncertain) {
    static const char *const uncertain[] = {
        "#include \"missing.h\"\n",
        "#include <opencl-c.h>\n",
        "#include \"h.h\n",
        "#include \"\"\n",
        "#include\n",
        "#include",
        "#define H \"h.h\"\n#include H\n",
        "#import H\n",
        "#include_next \"h.h\"\n",
        "#include_alias(\"h.h\", \"x.h\")\n",
        "#pragma include_alias(\"h.h\", \"x.h\")\n",
        "_Pragma(\"include_alias(<h.h>, <x.h>)\")\n",
        "#__include_macros \"h.h\"\n",
        "#embed \"h.h\"\n",
        "# /* */ embed \"h.h\"\n",
        "?\?=include \"h.h\"\n",
        "#inc?\?/\nlude \"h.h\"\n",
        "#inc\\ \nlude \"h.h\"\n",
        "#inc\\\t\r\nlude \"h.h\"\n",
        "#\xC2\xA0include \"h.h\"\n",
        "#include\xC2\xA0\"h.h\"\n",
        "#if __has_include(\"h.h\")\n#endif\n",
        "#if __has_include_next(\"h.h\")\n#endif\n",
        "#if __has_em\\\nbed(\"h.h\")\n#endif\n",
        "#define ASK(what) __has_##what\n#if ASK(include)(\"h.h\")\n#endif\n",
        "char x[] = __DATE__;",
        "char x[] = __TI\\\nME__;",
        "char x[] = __TIMESTAMP__;",
        "__asm__(\".incbin \\\"h.h\\\"\");",
    };
    for (size_t i = 0; i < sizeof uncertain / sizeof *uncertain; i++)
        assert_certain(false, uncertain[i], options);
}

TEST(a_source_without_includes_is_certain) {
    static const char *const certain[] = {
        "kernel void f() {}",
        "// includes what it needs: #define only\n",
        "#if __has_builtin(x) && __has_attribute(y) && __has_extension(z) && __has_feature(q)\n#endif\n",
        "#define JOIN(a, b) a ## b\n#pragma unroll\n#\n",
        "#define f(x) \\\n  g(x)\nint included = 1, important = 2; // # of includes\n",
    };
    for (size_t i = 0; i < sizeof certain / sizeof *certain; i++) {
        struct includes all = found_in(certain[i], options);
        if (!all.certain || all.any) fail_msg("%s", certain[i]);
        includes_free(&all);
    }
}

TEST(options_that_read_files_are_uncertain) {
    static const char *const reading[] = {
        "-include x.h",
        "-w -include x.h",
        "-imacros x.h",
        "--include=x.h",
        "-iquote folder",
        "-isystem folder",
        "-Wp,-Ifolder",
        "-Xclang -include",
        "@file",
        "x.h",
        "-D A -include x.h",
        "-I 'a b'",
        "-I a\\ b",
        "-Ia'b'",
        "-DA=__DATE__",
        "-D \"A=1 -include x.h\"",
        "-DA='1 -include x.h'",
        "-fmodule-map-file=x",
        "-DA=__has_include(\"x.h\")",
    };
    static const char *const harmless[] = {
        "",
        "-w",
        "-cl-kernel-arg-info -cl-std=CL1.2 -Werror",
        "-D A=1 -DB -U C",
        "-DA=\"text\" -O0 -g",
        "-cl-nv-verbose -fno-builtin -mcpu=x",
        "-D \"A=a b\"",
    };
    for (size_t i = 0; i < sizeof reading / sizeof *reading; i++)
        assert_certain(false, "kernel void f() {}", reading[i]);
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        assert_certain(true, "kernel void f() {}", harmless[i]);
}

TEST(folders_in_quotation_marks_are_searched) {
    char quoted[160];
    write_file("deep/b.h", "");
    snprintf(quoted, sizeof quoted, "-w -I \"%s/deep\" -I\"%s\"", folder, folder);
    assert_certain(true, "#include <b.h>\n#include <h.h>\n", quoted);
}

TEST(files_are_listed_in_order_and_given_headers_come_first) {
    const char *headers[] = {"given.h", "#include <a.h>\n"}, *files;
    char expected[512];
    int32_t any = -1;
    write_file("a.h", "#include \"deep/b.h\"\n#import \"a.h\"\n");
    write_file("deep/b.h", "#include \"a.h\"\n");
    write_file("deep/a.h", "");
    assert_works(clue_source_files(&files, &any, "#include \"given.h\"", 18, options, headers, 1));
    snprintf(expected, sizeof expected, "%s/a.h\n%s/deep/b.h\n%s/deep/a.h\n", folder, folder, folder);
    assert_string_equal(files, expected);
    assert_int_equal(any, 1);
    assert_works(clue_source_files(&files, &any, "int x;", 6, NULL, NULL, 0));
    assert_string_equal(files, "");
    assert_int_equal(any, 0);
    assert_refused(clue_source_files(&files, &any, "", 0, NULL, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clCreateProgramWithSource", "the source is empty");
    assert_refused(clue_source_files(&files, &any, "x", 1, NULL, headers, -1), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, "clCompileProgram", "-1 headers: the number must be at least 0");
}

TEST(a_file_that_is_not_text_makes_it_uncertain) {
    const int32_t c = new_context();
    char source[256];
    FILE *zeros = fopen(path_of("zeros"), "wb");
    int32_t p;
    assert_int_equal(fwrite("a\0b", 1, 3, zeros), 3);
    assert_int_equal(fclose(zeros), 0);
    assert_certain(false, "#include \"zeros\"\n", options);
    assert_certain(false, "#include \"deep\"\n", options); /* a compiler that finds a folder searches on */
    assert_int_equal(mkfifo(path_of("fifo"), 0600), 0);
    assert_certain(false, "#include \"fifo\"\n", options);
    assert_refused(clue_program_create(&p, c, "#import <fifo>\n", 15, options), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, "clCreateProgramWithSource",
                   "the source includes '%s', which is not a file: a compiler might wait for it for ever",
                   path_of("fifo"));
    snprintf(source, sizeof source, "#include \"%s\"\n", path_of("fifo"));
    assert_refused(clue_program_compile(&p, c, source, (int64_t)strlen(source), "", NULL, 0), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, "clCreateProgramWithSource",
                   "the source includes '%s', which is not a file: a compiler might wait for it for ever",
                   path_of("fifo"));
    assert_int_equal(free_everything(state), 0);
}

/* Drivers have caches, and some compare only source and options. So clue adds a macro to the options, which changes
 * with the included files. If those are uncertain it always changes, except on PoCL, which compares the
 * preprocessed source: its cache would only grow. */
TEST(the_mark_follows_what_is_included) {
    const device *on = limits();
    struct includes all = found_in("#import \"h.h\"\n", options);
    char *one = includes_mark(&all, on, options), *same, *other, *again;
    includes_free(&all);
    all = found_in("%:include \"h.h\"\n", options);
    same = includes_mark(&all, on, options);
    includes_free(&all);
    write_file("h.h", "#define H 2\n");
    all = found_in("#import \"h.h\"\n", options);
    other = includes_mark(&all, on, options);
    includes_free(&all);
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
    free(one), free(same), free(other);
    all = found_in("int x;", options);
    one = includes_mark(&all, on, options);
    assert_string_equal(one, options);
    free(one);
    includes_free(&all);
    all = found_in("#include H\n", options);
    one = includes_mark(&all, on, options);
    again = includes_mark(&all, on, options);
    if (on->pocl)
        assert_string_equal(one, again);
    else
        assert_string_not_equal(one, again);
    free(one), free(again);
    includes_free(&all);
}
