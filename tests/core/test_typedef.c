/* Typedefs: the type of numbers that an argument has by another name, if the source says so for certain.
 *
 * suite: quick
 * drivers: oclgrind */
#include "support.h"

#include "program/internal.h"

/* Makes the kernel f(t x) of a program. Returns "float4", or "" if its type is not known. */
static const char *type_with(const char *source, const char *options) {
    static char text[32];
    char all[2048];
    const int32_t c = new_context();
    int32_t p = 0, k = 0, type = 0, width = 0;
    (void)snprintf(all, sizeof all, "%s\n__kernel void f(__global char *out, t x) { out[0] = 1; }", source);
    assert_works(clue_program_create(&p, c, all, (int64_t)strlen(all), options));
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_kernel_argument_value(&type, &width, k, 1));
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    (void)snprintf(text, sizeof text, width > 1 ? "%s%d" : "%s", type ? clue_type_name(type) : "", (int)width);
    return text;
}

#define assert_type(source, options, expected) assert_string_equal(type_with(source, options), expected)

TEST(numbers_and_vectors_are_known) {
    assert_type("typedef float t;", NULL, "float");
    assert_type("typedef float4 t;", NULL, "float4");
    assert_type("typedef\n  const unsigned /* ; */ short\\\n t; // typedef int t;", NULL, "ushort");
    assert_type("typedef unsigned t;", NULL, "uint");
    assert_type("typedef signed char t;", NULL, "char");
    assert_type("typedef uchar3 a; typedef a t;", NULL, "uchar3");
    assert_type("/* typedef int t; */ __constant char s[] = \"typedef int t;\"; typedef float t;", NULL, "float");
}

TEST(macros_are_replaced) {
    assert_type("typedef REAL t;", "-DREAL=float", "float");
    assert_type("typedef REAL t;", "-D REAL=float2", "float2");
    assert_type("#define A B\n#define B unsigned int\ntypedef A t;", NULL, "uint");
    assert_type("#define REAL int\n#undef REAL\n#define REAL float\ntypedef REAL t;\n#undef REAL", NULL, "float");
    assert_type("#define V(n) float##n\ntypedef V(4) t;", NULL, "");
}

TEST(conditions_are_followed) {
    static const char *const wide = "#ifdef WIDE\ntypedef long t;\n#else\ntypedef float t;\n#endif";
    static const char *const preset = "#ifndef REAL\n#define REAL float\n#endif\ntypedef REAL t;";
    static const char *const number = "#if defined(N) && N * 2 >= 4 || !1\ntypedef long t;\n"
                                      "#elif (N - 1) == 0\ntypedef int t;\n#else\ntypedef float t;\n#endif";
    assert_type(wide, NULL, "float");
    assert_type(wide, "-DWIDE", "long");
    assert_type(preset, NULL, "float");
    assert_type(preset, "-DREAL=int", "int");
    assert_type(number, NULL, "float");
    assert_type(number, "-DN=1", "int");
    assert_type(number, "-DN=0x2u", "long");
    assert_type("#if 0\n#if 1\ntypedef int t;\n#endif\n#else\ntypedef float t;\n#endif", NULL, "float");
}

TEST(what_only_the_compiler_knows_is_not_certain) {
    assert_type("#ifdef __OPENCL_VERSION__\ntypedef float t;\n#else\ntypedef int t;\n#endif", NULL, "");
    assert_type(
        "#if __OPENCL_VERSION__ > 100\n#define REAL float\n#else\n#define REAL int\n#endif\ntypedef REAL t;", NULL,
        "");
    assert_type("#define B\n#ifdef A\n#elifdef B\ntypedef int t;\n#else\ntypedef float t;\n#endif", NULL, "");
    assert_type("#ifdef cl_khr_fp64\ntypedef float t;\n#else\ntypedef float t;\n#endif", NULL, "float");
    assert_type("#ifdef __nothing__\ntypedef int a, t;\n#else\ntypedef float t;\n#endif", NULL, "");
    assert_type("#ifdef __nothing__\ntypedef int t[4];\n#else\ntypedef float t;\n#endif", NULL, "");
    assert_type("typedef struct { int a; float b; } t;", NULL, "");
    assert_type("typedef enum { A, B } t;", NULL, "");
    assert_type("typedef float t __attribute__((aligned(4)));", NULL, "");
}

TEST(macros_of_drivers_are_not_certain) {
    static const char *const names[] = {"CHAR_BIT", "INT_MAX",   "ULONG_MAX", "FLT_MAX", "DBL_MAX",
                                        "HALF_MAX", "INFINITY",  "NAN",       "NULL",    "M_PI",
                                        "MAXFLOAT", "HUGE_VALF", "INT64_MAX", "true",    "linux",
                                        "max",      "as_int2",   "LLVM_14_0", "ATOMIC_", "cl_khr_spir"};
    char source[200];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(source, sizeof source, "#ifdef %s\ntypedef int t;\n#else\ntypedef float t;\n#endif",
                       names[i]);
        assert_type(source, NULL, "");
    }
    assert_type("#if CHAR_BIT == 8\ntypedef int t;\n#else\ntypedef float t;\n#endif", NULL, "");
    assert_type("#define WHOLE true\n#if WHOLE\ntypedef int t;\n#else\ntypedef float t;\n#endif", NULL, "");
    assert_type("#if WHOLE\ntypedef int t;\n#else\ntypedef float t;\n#endif", "-DWHOLE=true", "");
    assert_type("#ifndef small\n#define small float\n#endif\ntypedef small t;", "-Dsmall=int", "int");
    assert_type("#ifdef NANO\ntypedef int t;\n#else\ntypedef float t;\n#endif", NULL, "float");
}

static const char *type_if(const char *condition) {
    char source[200];
    (void)snprintf(source, sizeof source, "#if %s\ntypedef int t;\n#else\ntypedef float t;\n#endif", condition);
    return type_with(source, NULL);
}

TEST(conditions_compute_as_c_does) {
    assert_string_equal(type_if("-1 < 0"), "int");
    assert_string_equal(type_if("-1 > 0u"), "int");
    assert_string_equal(type_if("-1 <= 0U"), "float");
    assert_string_equal(type_if("0 - 1u < 0"), "float");
    assert_string_equal(type_if("(0u == 0) - 2 < 0"), "int"); /* a comparison is signed again */
    assert_string_equal(type_if("!0u - 2 < 0"), "int");
    assert_string_equal(type_if("0xFFFFFFFFFFFFFFFF > 0x7FFFFFFFFFFFFFFF"), "int");
    assert_string_equal(type_if("18446744073709551615uLL >= 9223372036854775807"), "int");
    assert_string_equal(type_if("0x1FFFFFFFFFFFFFFFF > 0"), ""); /* too large */
}

TEST(a_typedef_in_the_midst_of_a_declaration_is_not_known) {
    assert_type("long typedef unsigned t;", NULL, "");
    assert_type("unsigned typedef char t;", NULL, "");
    assert_type("long typedef t;", NULL, "");
    assert_type("void g(void);\nvoid g(void) {}\ntypedef float t;", NULL, "float");
    assert_type("struct s { int a; }; typedef float t; typedef int u;", NULL, "float");
}

static void assert_reading_ends(const char *source) {
    const struct build_text of = {.source = source};
    struct includes all;
    struct typedefs *found;
    includes_find(&all, &of, "");
    found = typedefs_read(&all, "");
    assert_non_null(found);
    typedefs_free(found);
    includes_free(&all);
}

/* A compiler takes for ever too, but here the types are only asked for. */
TEST(macros_that_multiply_end) {
    assert_reading_ends("#define A B B\n#define B A A\ntypedef A t;");
    assert_reading_ends("#define A B+B+B\n#define B A+A+A\n#if A\ntypedef float t;\n#endif");
    assert_type("#define A B-B\n#define B 2\n#if A == 0\ntypedef float t;\n#endif", NULL, "float");
}

TEST(deep_conditions_end) {
    char source[1600];
    int length = 0;
    for (int i = 0; i < 70; i++)
        length += snprintf(source + length, sizeof source - (size_t)length, "#if 1\n");
    length += snprintf(source + length, sizeof source - (size_t)length, "typedef float t;\n");
    for (int i = 0; i < 70; i++)
        length += snprintf(source + length, sizeof source - (size_t)length, "#endif\n");
    assert_type(source, NULL, "");
    assert_type(
        "#if ((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))\ntypedef float t;\n#else\n"
        "typedef int t;\n#endif",
        NULL, "");
    assert_type("#define A B\n#define B A\n#if A\ntypedef int t;\n#else\ntypedef float t;\n#endif", NULL, "");
}
