/* Programs of one context that share a build: when they do, and that nobody notices.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#define BEFORE allow_sharing
#define AFTER free_everything
#include "kept_context.h"

#include "program/program.h"

static const char source[] = "__kernel void f(__global int *a) { a[0] += 3; }";
static int from_source;

STUB(clCreateProgramWithSource) {
    from_source++;
    return NEXT(clCreateProgramWithSource);
}

/* The cache is on, but can keep no files. */
static int allow_sharing(void **state) {
    (void)state;
    from_source = 0;
    unsetenv("CLUE_NO_CACHE");
    return setenv("CLUE_CACHE_DIR", "/proc/no/such", 1);
}

static int32_t program_with(int32_t in, const char *text, const char *options) {
    int32_t handle = 0;
    assert_works(clue_program_create(&handle, in, text, (int64_t)strlen(text), options));
    return handle;
}

/* a[0] after the program's kernel 'f', if it was 10. */
static int result_of(int32_t in, int32_t p) {
    const int64_t one[] = {1};
    const int32_t b = new_buffer(in, sizeof(int));
    int32_t k = 0;
    int value = 10;
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_buffer_write(b, 0, &value, sizeof value));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_execute(k, 1, NULL, one, NULL));
    assert_works(clue_buffer_read(&value, b, 0, sizeof value));
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    return value;
}

TEST(programs_of_one_text_share_a_build_while_one_is_alive) {
    const int32_t c = new_context(), first = new_program(c, source), second = new_program(c, source);
    const char *log, *other_log, *names;
    int32_t third;
    assert_int_equal(from_source, 1);
    assert_int_equal(cached(first), 0);
    assert_int_equal(cached(second), 1);
    assert_works(clue_program_log(&log, first, first));
    assert_works(clue_program_log(&other_log, second, second));
    assert_string_equal(log, other_log);
    assert_works(clue_handle_free(first, CLUE_PROGRAM));
    assert_works(clue_program_kernels(&names, second));
    assert_string_equal(names, "f");
    assert_int_equal(result_of(c, second), 13);
    third = new_program(c, source);
    assert_int_equal(cached(third), 1);
    assert_works(clue_handle_free(second, CLUE_PROGRAM));
    assert_works(clue_handle_free(third, CLUE_PROGRAM));
    assert_int_equal(from_source, 1);
    assert_int_equal(result_of(c, new_program(c, source)), 13);
    assert_int_equal(from_source, 2);
}

TEST(a_kernel_keeps_the_build_that_later_programs_share) {
    const int32_t c = new_context();
    new_kernel(c, source);
    assert_int_equal(cached(new_program(c, source)), 1);
    assert_int_equal(from_source, 1);
}

TEST(other_texts_options_and_contexts_are_built) {
    const int32_t c = new_context(), other = new_context();
    (void)new_program(c, source);
    assert_int_equal(cached(program_with(c, source, "-D X")), 0);
    assert_int_equal(cached(new_program(c, "__kernel void f(__global int *a) { a[0] += 4; }")), 0);
    assert_int_equal(cached(new_program(other, source)), 0);
    assert_int_equal(cached(program_with(c, source, "-D X")), 1);
    assert_int_equal(cached(new_program(other, source)), 1);
    assert_int_equal(from_source, 4);
}

TEST(nothing_is_shared_with_the_cache_off_or_doubtful_headers) {
    static const char dated[] = "__kernel void f(__global int *a) { a[0] = sizeof(__DATE__); }";
    const int32_t c = new_context();
    assert_int_equal(setenv("CLUE_NO_CACHE", "1", 1), 0);
    (void)new_program(c, source);
    assert_int_equal(cached(new_program(c, source)), 0);
    unsetenv("CLUE_NO_CACHE");
    assert_int_equal(cached(new_program(c, source)), 0);
    (void)new_program(c, dated);
    assert_int_equal(cached(new_program(c, dated)), 0);
    assert_int_equal(from_source, 5);
}

TEST(a_build_that_failed_is_not_shared) {
    int32_t handle = 0;
    const int32_t c = new_context();
    for (int i = 0; i < 2; i++)
        assert_int_equal(clue_program_create(&handle, c, "no text", 7, NULL), CL_BUILD_PROGRAM_FAILURE);
    assert_int_equal(from_source, 2);
}

/* Each build has its own variables. Devices without them do not show what this test asks: PoCL 3.1 gives all builds
 * of a text the same ones. */
TEST(a_program_with_variables_is_not_shared) {
    static const char counter[] = "global int n = 5; kernel void f(global int *a) { a[0] = n++; }";
    int32_t c, first, second;
    if (device_number(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) == 0)
        skip_because("it has no variables at program scope");
    c = new_context();
    first = program_with(c, counter, "-cl-std=CL2.0");
    second = program_with(c, counter, "-cl-std=CL2.0");
    assert_int_equal(cached(second), 0);
    assert_int_equal(result_of(c, first), 5);
    assert_int_equal(result_of(c, first), 6);
    assert_int_equal(result_of(c, second), 5);
}

/* NVIDIA's compiler accepts variables in any language, and its devices claim to have none. */
TEST(a_program_for_nvidia_is_not_shared) {
    const int32_t c = new_context();
    device *on = limits();
    const bool nvidia = on->nvidia;
    on->nvidia = true;
    (void)program_with(c, source, NULL);
    assert_int_equal(cached(program_with(c, source, NULL)), 0);
    on->nvidia = nvidia;
    (void)program_with(c, source, NULL);
}

/* Compilers accept variables in OpenCL C 2.0 even for devices that have none. */
TEST(a_program_in_a_language_with_variables_is_shared_if_the_driver_counts_them) {
    const bool counts = device_number(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) > 0;
    const int32_t c = new_context();
    (void)program_with(c, source, "-cl-std=CL2.0");
    assert_int_equal(cached(program_with(c, source, "-cl-std=CL2.0")), counts);
    (void)program_with(c, source, "-cl-std=CL1.2");
    assert_int_equal(cached(program_with(c, source, "-cl-std=CL1.2")), 1);
}
