/* libpng is loaded when it is first needed: what happens where it is missing, or is another library. The format is
 * in tests/spec/image_file_spec.lua.
 *
 * suite: quick */
#include "../core/support.h"

enum kind { REAL, MISSING, ANOTHER };
static enum kind libpng;

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags) {
    static void *(*next)(const char *, int);
    if (!next) {
        void *symbol = dlsym(RTLD_NEXT, "dlopen");
        memcpy(&next, &symbol, sizeof next);
    }
    if (name && strstr(name, "libpng")) {
        if (libpng == MISSING) return next("/nowhere/libpng16.so.16", flags);
        if (libpng == ANOTHER) return next("libm.so.6", flags);
    }
    return next(name, flags);
}

static const unsigned char pixel[3] = {1, 2, 3};

TEST(without_the_library_the_package_is_named) {
    libpng = MISSING;
    assert_int_equal(clue_png_write("/tmp/never.png", pixel, 3, 1, 1), CL_INVALID_OPERATION);
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_PARAMETER);
    assert_non_null(strstr(clue_error_detail(), "PNG files need libpng16.so.16, which does not load (Debian: apt "
                                                "install libpng16-16): "));
    assert_non_null(strstr(clue_error_detail(), "/nowhere/libpng16.so.16"));
}

TEST(a_library_without_the_functions_is_refused) {
    libpng = ANOTHER;
    assert_refused(clue_png_write("/tmp/never.png", pixel, 3, 1, 1), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   clue_error_call(), "libpng16.so.16 lacks functions of libpng 1.6");
}

/* After it has been installed, the next call finds it. */
TEST(it_is_looked_for_again) {
    unsigned char read[3] = {0};
    char path[] = "/tmp/clue-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    libpng = REAL;
    assert_works(clue_png_write(path, pixel, 3, 1, 1));
    assert_works(clue_png_read(read, sizeof read, path));
    assert_memory_equal(read, pixel, sizeof pixel);
    (void)remove(path);
}
