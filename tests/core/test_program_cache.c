/* The cache of built programs: what a key is made of, what its files must be like, and that only complete,
 * unchanged entries reach the driver.
 *
 * suite: quick */
#define BEFORE make_folder
#define AFTER remove_folder
#include "kept_context.h"
#include "program/cache/cache.h"
#include "program/internal.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char source[] =
    "typedef uint index;\n"
    "__kernel __attribute__((reqd_work_group_size(4, 1, 1)))\n"
    "void f(__global int *a, const index by, __local float4 *l, __constant int *c) {\n"
    "    __local int room[8]; room[get_local_id(0)] = by; a[get_global_id(0)] += room[0];\n"
    "}\n"
    "__kernel void g() {}\n";
static const char ending[] = ".program";
static char folder[64];
static int from_binary, from_source;
static cl_int refusal; /* the driver's error code for binaries; 0: its own */

STUB(clCreateProgramWithBinary) {
    from_binary++;
    if (!refusal) return NEXT(clCreateProgramWithBinary);
    *error_out = refusal;
    return NULL;
}

STUB(clCreateProgramWithSource) {
    from_source++;
    return NEXT(clCreateProgramWithSource);
}

/* Takes longer than the least that counts, as most programs do. */
STUB(clBuildProgram) {
    clue_clock_sleep(0.011);
    return NEXT(clBuildProgram);
}

static cl_uint altered; /* the property of device or platform whose text has another first letter; 0: none */

static void alter(cl_uint property, void *value) {
    if (altered && property == altered && value) *(char *)value ^= 1;
}

STUB(clGetDeviceInfo) {
    const cl_int code = NEXT(clGetDeviceInfo);
    alter(name, value);
    return code;
}

STUB(clGetPlatformInfo) {
    const cl_int code = NEXT(clGetPlatformInfo);
    alter(name, value);
    return code;
}

/* ---- files ---- */

static const char *path_of(const char *name) {
    static char paths[2][512];
    static int turn;
    char *path = paths[turn ^= 1];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(path_of(name), "wb");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

/* Counts the files in the cache with this ending, and gives the path of the last one found. */
static int count_files(const char *with, char *path_out) {
    DIR *of = opendir(path_of("programs"));
    int count = 0;
    if (!of) return 0;
    for (const struct dirent *next; (next = readdir(of));) {
        const size_t length = strlen(next->d_name), end = strlen(with);
        if (next->d_name[0] == '.' || length < end || strcmp(next->d_name + length - end, with) != 0) continue;
        if (path_out) snprintf(path_out, 512, "%s/programs/%.200s", folder, next->d_name);
        count++;
    }
    (void)closedir(of);
    return count;
}

static void empty(const char *path) {
    DIR *of = opendir(path);
    if (!of) return;
    for (const struct dirent *next; (next = readdir(of));)
        if (strcmp(next->d_name, ".") != 0 && strcmp(next->d_name, "..") != 0)
            (void)unlinkat(dirfd(of), next->d_name, 0);
    (void)closedir(of);
}

static int make_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/clue-cache-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    from_binary = from_source = 0;
    refusal = 0;
    unsetenv("CLUE_NO_CACHE");
    return setenv("CLUE_CACHE_DIR", folder, 1);
}

static int remove_folder(void **state) {
    empty(path_of("programs"));
    (void)rmdir(path_of("programs"));
    empty(folder);
    if (rmdir(folder) != 0) return -1;
    return free_everything(state);
}

/* ---- keys ---- */

static char *key_of(const char *text, const char *options) {
    const struct build_text of = {.source = text};
    struct includes with;
    char *key;
    includes_find(&with, &of, options);
    key = program_key(limits(), &with, options);
    includes_free(&with);
    return key;
}

static bool same_key(const char *one, const char *one_options, const char *other, const char *other_options) {
    char *left = key_of(one, one_options), *right = key_of(other, other_options);
    bool same;
    assert_non_null(left);
    assert_non_null(right);
    same = strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static void assert_kept(bool kept, const char *text, const char *options) {
    char *key = key_of(text, options);
    if ((key != NULL) != kept) fail_msg("%s, '%s': %s", kept ? "not kept" : "kept", options, text);
    free(key);
}

TEST(the_key_depends_on_source_options_and_settings) {
    assert_true(same_key("a", "-w", "a", "-w"));
    assert_false(same_key("a", "-w", "b", "-w"));
    assert_false(same_key("a", "-w", "a", "-w -w"));
    assert_false(same_key("a", "-w -w", "a-w ", "-w"));
    {
        char *without = key_of("a", ""), *with;
        assert_int_equal(setenv("POCL_WORK_GROUP_METHOD", "cbs", 1), 0);
        with = key_of("a", "");
        unsetenv("POCL_WORK_GROUP_METHOD");
        assert_string_not_equal(without, with);
        free(without);
        free(with);
    }
    assert_int_equal(setenv("CLUE_NO_CACHE", "1", 1), 0);
    assert_kept(false, "a", "");
    assert_int_equal(setenv("CLUE_NO_CACHE", "0", 1), 0);
    assert_kept(true, "a", "");
}

TEST(the_key_depends_on_device_driver_and_platform) {
    static const cl_uint texts[] = {CL_DEVICE_NAME,       CL_DEVICE_VENDOR, CL_DEVICE_VERSION,  CL_DRIVER_VERSION,
                                    CL_DEVICE_EXTENSIONS, CL_PLATFORM_NAME, CL_PLATFORM_VERSION};
    char *key = key_of("a", "");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *other;
        altered = texts[i];
        other = key_of("a", "");
        altered = 0;
        assert_non_null(other);
        assert_string_not_equal(key, other);
        free(other);
    }
    free(key);
}

TEST(programs_with_uncertain_includes_are_not_kept) {
    assert_kept(false, "#include \"missing.h\"\n", "");
    assert_kept(false, "int x = __DATE__;", "");
    assert_kept(false, "kernel void f() {}", "-include x.h");
    assert_kept(true, "// includes what it needs: #define only\nkernel void f() {}", "");
}

static char *key_with_folder(const char *text) {
    char options[128];
    snprintf(options, sizeof options, "-cl-kernel-arg-info -w -I %s", folder);
    return key_of(text, options);
}

TEST(the_key_depends_on_headers_and_their_headers) {
    static const char text[] = "# include \"outer.h\"\nkernel void f() {}";
    char *first, *again, *changed;
    write_file("inner.h", "#define N 1\n");
    write_file("outer.h", "#include <inner.h>\n#include \"outer.h\"\n");
    first = key_with_folder(text);
    again = key_with_folder(text);
    write_file("inner.h", "#define N 2\n");
    changed = key_with_folder(text);
    assert_non_null(first);
    assert_string_equal(first, again);
    assert_non_null(changed);
    assert_string_not_equal(first, changed);
    free(first);
    free(again);
    free(changed);
    write_file("inner.h", "#include MACRO\n");
    assert_null(key_with_folder(text));
}

/* ---- files ---- */

static void assert_file(const char *key, const char *expected) {
    size_t size = 0;
    char *bytes = cache_read(&size, key, ending);
    assert_int_equal(bytes != NULL, expected != NULL);
    if (expected) assert_string_equal(bytes, expected);
    if (expected) assert_int_equal(size, strlen(expected));
    free(bytes);
}

TEST(files_come_back_and_are_the_users_own) {
    char path[512], moved[600];
    struct stat about;
    assert_file("key", NULL);
    cache_write("key", ending, "text", 4);
    assert_file("key", "text");
    assert_file("kez", NULL);
    cache_write("key", ending, "other", 5);
    assert_file("key", "other");
    assert_int_equal(count_files("", NULL), 2); /* the other is CACHEDIR.TAG, which marks the folder as clue's */
    assert_int_equal(count_files(ending, path), 1);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    for (mode_t others = 0020; others; others = others == 0020 ? 0002 : 0) {
        assert_int_equal(chmod(path, 0600 | others), 0);
        assert_file("key", NULL);
    }
    assert_int_equal(chmod(path, 0644), 0);
    assert_file("key", "other");
    snprintf(moved, sizeof moved, "%s/elsewhere", folder);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_file("key", NULL);
    cache_remove("key", ending);
    assert_int_equal(count_files(ending, NULL), 0);
}

TEST(a_folder_that_others_may_write_is_not_used) {
    const char *programs = path_of("programs");
    char path[512];
    cache_write("key", ending, "text", 4);
    assert_int_equal(count_files(ending, path), 1);
    for (mode_t others = 0020; others; others = others == 0020 ? 0002 : 0) {
        assert_int_equal(chmod(programs, 0700 | others), 0);
        assert_file("key", NULL);
        cache_write("kez", ending, "text", 4);
        cache_remove("key", ending);
        assert_int_equal(count_files(ending, NULL), 1);
    }
    assert_int_equal(chmod(programs, 0700), 0);
    assert_string_equal(clue_cache_folder(), folder);
    assert_int_equal(chmod(folder, 0702), 0);
    assert_null(clue_cache_folder());
    assert_file("key", NULL);
    assert_int_equal(chmod(folder, 0700), 0);
    assert_file("key", "text");
}

/* Only root may give folders away; for others, a folder of root's serves as well. */
TEST(a_folder_of_somebody_else_is_not_used) {
    if (geteuid() != 0) {
        assert_int_equal(setenv("CLUE_CACHE_DIR", "/", 1), 0);
        assert_null(clue_cache_folder());
        return;
    }
    cache_write("key", ending, "text", 4);
    assert_int_equal(chown(path_of("programs"), 12345, 12345), 0);
    assert_file("key", NULL);
    cache_write("kez", ending, "text", 4);
    assert_int_equal(count_files(ending, NULL), 1);
    assert_int_equal(chown(folder, 12345, 12345), 0);
    assert_null(clue_cache_folder());
}

TEST(a_fifo_in_place_of_a_file_is_not_waited_for) {
    char path[512];
    cache_write("key", ending, "text", 4);
    assert_int_equal(count_files(ending, path), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_file("key", NULL);
    cache_write("key", ending, "other", 5);
    assert_file("key", "other");
}

TEST(an_impossible_folder_does_no_harm) {
    assert_int_equal(setenv("CLUE_CACHE_DIR", "/proc/no/such", 1), 0);
    cache_write("key", ending, "text", 4);
    assert_file("key", NULL);
    assert_int_equal(setenv("CLUE_CACHE_DIR", "", 1), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", folder, 1), 0);
    cache_write("key", ending, "text", 4);
    assert_file("key", "text");
    cache_remove("key", ending);
    assert_int_equal(setenv("CLUE_CACHE_DIR", folder, 1), 0);
    unsetenv("XDG_CACHE_HOME");
    snprintf(folder + strlen(folder), 8, "/clue"); /* for rmdir */
    empty(path_of("programs"));
    assert_int_equal(rmdir(path_of("programs")), 0);
    assert_int_equal(rmdir(folder), 0);
    *strrchr(folder, '/') = '\0';
}

static void put_old_files(const char *format, int count) {
    const struct timespec long_ago[2] = {{1, 0}, {1, 0}};
    char name[96];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, format, i);
        write_file(name, "");
        assert_int_equal(utimensat(AT_FDCWD, path_of(name), long_ago, 0), 0);
    }
}

TEST(the_folder_has_its_limits) {
    cache_write("first", ending, "1", 1);
    put_old_files("programs/%032x.builds", 600);
    put_old_files("programs/.clue-%d-1", 500); /* left by processes that were killed */
    cache_write("last", ending, "2", 1);
    assert_in_range(count_files(".builds", NULL) + count_files(ending, NULL), 400, 1000);
    assert_file("first", "1");
    assert_file("last", "2");
}

TEST(other_peoples_files_are_never_removed) {
    cache_write("first", ending, "1", 1);
    put_old_files("programs/%032x.once", 1100);
    put_old_files("programs/%d.old", 20);
    put_old_files("programs/%032x", 20);
    put_old_files("programs/%032x.program.bak", 20);
    put_old_files("programs/%031x.once", 20);
    put_old_files("programs/.clue-%dx", 20);
    cache_write("last", ending, "2", 1);
    assert_in_range(count_files("once", NULL), 500, 1000);
    assert_int_equal(count_files(".old", NULL) + count_files(".bak", NULL), 40);
    for (int i = 0; i < 20; i++) {
        char name[96];
        snprintf(name, sizeof name, "programs/%032x", i);
        assert_int_equal(access(path_of(name), F_OK), 0);
        snprintf(name, sizeof name, "programs/%031x.once", i);
        assert_int_equal(access(path_of(name), F_OK), 0);
        snprintf(name, sizeof name, "programs/.clue-%dx", i);
        assert_int_equal(unlink(path_of(name)), 0);
    }
}

TEST(a_folder_that_clue_did_not_make_is_left_alone) {
    assert_int_equal(mkdir(path_of("programs"), 0755), 0);
    put_old_files("programs/thesis%d.tex", 1);
    cache_write("key", ending, "text", 4);
    assert_file("key", NULL);
    assert_int_equal(count_files("", NULL), 1);
    assert_int_equal(unlink(path_of("programs/thesis0.tex")), 0);
    put_old_files("programs/%032x.once", 1); /* from a version of clue that made no tag */
    cache_write("key", ending, "text", 4);
    assert_file("key", "text");
    write_file("programs/thesis0.tex", "");
    cache_write("key", ending, "other", 5); /* now the tag is there */
    assert_file("key", "other");
    assert_int_equal(access(path_of("programs/thesis0.tex"), F_OK), 0);
}

/* ---- programs ---- */

/* For the reasons see serves() in program_cache.c. */
#define NONE_KEPT "its programs are never kept"

static bool keeps_none(void) {
    return is_rusticl() || is_oclgrind();
}

static int32_t kernel_of(int32_t p, const char *name) {
    int32_t handle = 0;
    assert_works(clue_kernel_create(&handle, p, name));
    return handle;
}

/* Makes a program of the text and frees it, so that the next one cannot share its build. Returns whether it came
 * from the cache. */
static int32_t build(int32_t c, const char *text) {
    const int32_t p = new_program(c, text), from_cache = cached(p);
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
    return from_cache;
}

/* Until a program of two kernels is kept, if each build takes the least that counts. */
enum { MOST_BUILDS = 21 };

/* Builds the same program until the cache has an entry for it, and gives the path of the entry. */
static int32_t build_until_kept(char *path_out) {
    const int32_t c = new_context();
    int builds = 0;
    for (; builds < MOST_BUILDS && count_files(ending, path_out) == 0; builds++) {
        assert_int_equal(build(c, source), 0);
        if (builds == 0) assert_int_equal(count_files(ending, NULL), 0);
    }
    assert_int_equal(count_files(ending, NULL), 1);
    assert_int_equal(count_files(".builds", NULL), 0);
    return c;
}

static void assert_same_qualifiers(int32_t left, int32_t right, int32_t index) {
    int32_t from_cache[3] = {0}, other[3] = {0};
    assert_works(clue_kernel_argument_qualifiers(&from_cache[0], &from_cache[1], &from_cache[2], left, index));
    assert_works(clue_kernel_argument_qualifiers(&other[0], &other[1], &other[2], right, index));
    assert_memory_equal(from_cache, other, sizeof from_cache);
}

static void assert_same_attributes(int32_t left, int32_t right) {
    char from_cache[256] = "", other[256] = "";
    int64_t size = 0, other_size = 0;
    assert_works(clue_kernel_info(&size, left, CL_KERNEL_ATTRIBUTES, from_cache, sizeof from_cache));
    assert_works(clue_kernel_info(&other_size, right, CL_KERNEL_ATTRIBUTES, other, sizeof other));
    assert_string_equal(from_cache, other);
    assert_int_equal(size, other_size);
}

static void assert_same_kernel(int32_t left, int32_t right) {
    static const uint32_t properties[] = {CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                          CL_KERNEL_LOCAL_MEM_SIZE};
    int32_t count = 0, other = 0;
    assert_works(clue_kernel_argument_count(&count, left));
    assert_works(clue_kernel_argument_count(&other, right));
    assert_int_equal(count, other);
    for (int32_t i = 0; i < count; i++) {
        const char *name, *type, *other_name, *other_type;
        assert_works(clue_kernel_argument(&name, &type, left, i));
        assert_works(clue_kernel_argument(&other_name, &other_type, right, i));
        assert_string_equal(name, other_name);
        assert_string_equal(type, other_type);
        assert_same_qualifiers(left, right, i);
    }
    assert_same_attributes(left, right);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        size_t values[3] = {0}, others[3] = {0};
        int64_t size = 0;
        assert_works(clue_kernel_group_info(&size, left, left, properties[i], values, sizeof values));
        assert_works(clue_kernel_group_info(&size, right, right, properties[i], others, sizeof others));
        assert_memory_equal(values, others, sizeof values);
    }
}

static void run(int32_t c, int32_t k, int expected) {
    const int64_t four[] = {4};
    const int32_t b = new_buffer(c, 64), constant = new_buffer(c, 64);
    int values[16] = {0};
    assert_works(clue_buffer_write(b, 0, values, sizeof values));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_UINT, 7));
    assert_works(clue_kernel_set_local(k, 2, 64));
    assert_works(clue_kernel_set_object(k, 3, constant, 0));
    assert_works(clue_kernel_execute(k, 1, NULL, four, four));
    assert_works(clue_buffer_read(values, b, 0, sizeof values));
    assert_int_equal(values[3], expected);
}

TEST(a_program_from_the_cache_is_complete) {
    const char *log, *names, *built_log;
    int32_t c, built, p, k;
    if (keeps_none()) {
        c = new_context();
        for (int i = 0; i < 3; i++)
            assert_int_equal(build(c, source), 0);
        assert_int_equal(count_files("", NULL), 0);
        return;
    }
    c = build_until_kept(NULL);
    built = new_program(c, "__kernel void h() {}");
    assert_int_equal(cached(built), 0);
    assert_int_equal(setenv("CLUE_NO_CACHE", "1", 1), 0);
    built = new_program(c, source);
    unsetenv("CLUE_NO_CACHE");
    from_source = from_binary = 0;
    p = new_program(c, source);
    assert_int_equal(cached(p), 1);
    assert_int_equal(from_source, 0);
    assert_int_equal(from_binary, 1);
    assert_works(clue_program_kernels(&names, p));
    assert_non_null(strstr(names, "f"));
    assert_works(clue_program_log(&log, p, p));
    assert_works(clue_program_log(&built_log, built, built));
    assert_string_equal(log, built_log);
    k = kernel_of(p, "f");
    assert_same_kernel(kernel_of(built, "f"), k);
    assert_same_kernel(kernel_of(built, "g"), kernel_of(p, "g"));
    assert_refused(clue_kernel_set_number(k, 1, CLUE_FLOAT, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 1 'by' of kernel 'f' is index, but float was given: use uint");
    run(c, k, 7);
}

/* The program works, and was built from its source again. */
static void assert_rebuilt(int32_t c, int binaries) {
    int32_t p, k;
    from_binary = from_source = 0;
    clue_error_clear();
    p = new_program(c, source);
    assert_int_equal(cached(p), 0);
    assert_int_equal(from_binary, binaries);
    assert_int_equal(from_source, 1);
    assert_int_equal(clue_error_code(), 0);
    k = kernel_of(p, "f");
    run(c, k, 7);
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_works(clue_handle_free(p, CLUE_PROGRAM));
}

TEST(an_entry_that_was_cut_or_changed_never_reaches_the_driver) {
    char path[512], *whole, *key;
    size_t size = 0;
    int32_t c;
    if (keeps_none()) skip_because(NONE_KEPT);
    c = build_until_kept(path);
    key = key_of(source, "-cl-kernel-arg-info");
    assert_non_null(key);
    whole = cache_read(&size, key, ending);
    assert_non_null(whole);
    for (size_t at = 0; at < size; at += size / 16 + 1) {
        whole[at] ^= 1;
        cache_write(key, ending, whole, size);
        whole[at] ^= 1;
        assert_rebuilt(c, 0);
        assert_int_equal(count_files(ending, NULL), 0);
        cache_write(key, ending, whole, at);
        assert_rebuilt(c, 0);
        cache_remove(key, ".builds");
    }
    cache_write(key, ending, whole, size);
    assert_int_equal(cached(new_program(c, source)), 1);
    {
        char *other = key_of("__kernel void h() {}", "-cl-kernel-arg-info");
        cache_write(other, ending, whole, size); /* another program's entry */
        assert_int_equal(cached(new_program(c, "__kernel void h() {}")), 0);
        free(other);
    }
    free(whole);
    free(key);
}

/* Its checksum is right, so clue wrote it: but perhaps another clue, with another fault. */
TEST(damaged_facts_about_arguments_are_no_answer) {
    static const char *const texts[] = {"", "f", "f ", "f 1", "f 1 \n", "g 18446744073709551615 \n", "f 1 \n\n"};
    char value[8] = "";
    size_t size = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (kept_argument_info(texts[i], "f", 0, CL_KERNEL_ARG_TYPE_NAME, sizeof value, value, &size) == CL_SUCCESS)
            assert_string_equal(value, "");
        (void)kept_attributes(&size, texts[i], "f");
        assert_int_equal(size, 0);
    }
}

TEST(a_program_whose_binary_is_refused_is_built_again) {
    int32_t c;
    if (keeps_none()) skip_because(NONE_KEPT);
    c = build_until_kept(NULL);
    refusal = CL_INVALID_BINARY;
    assert_rebuilt(c, 1);
    assert_int_equal(count_files(ending, NULL), 0);
}

static void keep(int32_t handle, double seconds) {
    const program *p = (program *)handle_find(handle, CLUE_PROGRAM, "test");
    const struct built built = {.program = p->program, .log = p->log, .kernels = p->kernels};
    if (program_is_due(&built, p->context->device, "key", seconds)) program_to_cache(&built, "key");
}

TEST(a_program_that_builds_in_a_moment_is_not_kept) {
    const int32_t c = new_context(), p = new_program(c, "__kernel void h() {}");
    empty(path_of("programs"));
    for (int i = 0; i < 3; i++)
        keep(p, 0.009);
    assert_int_equal(count_files("", NULL), 0);
    keep(p, 0.011);
    assert_int_equal(count_files(".builds", NULL), keeps_none() ? 0 : 1);
}

/* PoCL takes about 0.1 s for the binary of a kernel. */
TEST(an_entry_is_made_when_the_builds_took_as_long_as_that) {
    const int32_t c = new_context(), p = new_program(c, "__kernel void h() {}");
    if (keeps_none()) skip_because(NONE_KEPT);
    empty(path_of("programs"));
    keep(p, 1); /* the first build, which no cache can spare */
    assert_int_equal(count_files(ending, NULL), 0);
    for (int i = 1; i < 4 && is_pocl(); i++) {
        keep(p, 0.03);
        assert_int_equal(count_files(ending, NULL), 0);
        assert_int_equal(count_files(".builds", NULL), 1);
    }
    keep(p, 0.03);
    assert_int_equal(count_files(ending, NULL), 1);
    assert_int_equal(count_files(".builds", NULL), 0);
}

TEST(an_entry_waits_until_the_process_ends) {
    const int32_t c = new_context();
    bool due = false;
    if (keeps_none()) skip_because(NONE_KEPT);
    for (int i = 0; i < MOST_BUILDS && !due; i++) {
        const int32_t p = new_program(c, source);
        due = ((program *)handle_find(p, CLUE_PROGRAM, "test"))->due;
        assert_int_equal(count_files(ending, NULL), 0);
        if (!due) assert_works(clue_handle_free(p, CLUE_PROGRAM));
    }
    clue_finish();
    assert_int_equal(count_files(ending, NULL), 1);
    empty(path_of("programs"));
    clue_finish();
    assert_int_equal(count_files(ending, NULL), 0);
}

TEST(programs_with_many_kernels_are_not_kept_on_pocl) {
    const int32_t c = new_context(), p = new_program(c, "kernel void a() {} kernel void b() {} kernel void d() {}");
    if (keeps_none()) skip_because(NONE_KEPT);
    empty(path_of("programs"));
    keep(p, 1);
    assert_int_equal(count_files(".builds", NULL), is_pocl() ? 0 : 1);
}

static void stay(object *self) {
    (void)self;
}

TEST(a_kept_program_for_which_there_is_no_handle_names_the_call_that_was_made) {
    enum { MOST = 131072 };
    static const object_class class = {.kind = CLUE_BUFFER, .destroy = stay};
    const int32_t c = new_context(), program = new_program(c, source), live = clue_handle_count();
    object *fakes = calloc(MOST, sizeof *fakes);
    int32_t handle = 0, again = 0;
    for (int32_t i = live; i < MOST; i++)
        assert_works(handle_open(&handle, &fakes[i], &class, "clCreateBuffer"));
    assert_refused(clue_program_create(&again, c, source, (int64_t)strlen(source), ""), CL_OUT_OF_HOST_MEMORY,
                   CLUE_CAUSE_FULL, "clCreateProgramWithSource",
                   "131072 handles are live, which is the limit: free handles that are no longer needed");
    for (int32_t i = live; i < MOST; i++)
        assert_works(clue_handle_free(fakes[i].handle, CLUE_BUFFER));
    free(fakes);
    assert_works(clue_handle_free(program, CLUE_PROGRAM));
}
