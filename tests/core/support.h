/* support.h - shared by the tests of host/core: it makes objects in one line, compares refusals with the exact text
 * of their cause, and knows the driver under test.
 *
 * All tests run on the first device that the loader finds (OCL_ICD_VENDORS chooses the driver), and leave no handle
 * behind. stub.h replaces OpenCL functions. */
#ifndef CLUE_TEST_SUPPORT_H
#define CLUE_TEST_SUPPORT_H

#ifndef AFTER
#define AFTER free_everything
#endif

#include "unit.h"

#include "device/device.h"
#include "kernels.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusals ---- */

/* The detail of the record is the expected text, or the list's hint for the code if that text is empty. After ':'
 * or ';', advice may follow it, which tests/core/test_advice.c and tests/spec/errors_best_spec.lua check. */
static inline void assert_detail(const char *expected) {
    const char *detail = clue_error_detail();
    size_t length;
    if (!*expected) expected = error_hint(clue_error_code());
    length = strlen(expected);
    if (strncmp(detail, expected, length) != 0 ||
        (detail[length] && (length == 0 || !strchr(":;", detail[length]))))
        assert_string_equal(detail, expected);
}

/* The call returned this code, and the record has the cause. */
#define assert_refused(result, code, cause, call, ...)                                                             \
    do {                                                                                                           \
        char expected_detail[1024];                                                                                \
        (void)snprintf(expected_detail, sizeof expected_detail, __VA_ARGS__);                                      \
        assert_int_equal(result, code);                                                                            \
        assert_detail(expected_detail);                                                                            \
        assert_string_equal(clue_error_call(), call);                                                              \
        assert_int_equal(clue_error_code(), code);                                                                 \
        assert_int_equal(clue_error_cause(), cause);                                                               \
    } while (0)

/* The call succeeded; if not, the test fails with the text of the error. */
#define assert_works(result)                                                                                       \
    do {                                                                                                           \
        if ((result) != 0) fail_msg("%s\n%s", clue_error_text(), clue_error_log());                                \
    } while (0)

/* ---- the driver under test ---- */

static inline const char *device_text_of(cl_device_info property) {
    static char texts[4][256];
    static int turn;
    char *text = texts[turn = (turn + 1) % 4];
    int64_t size;
    assert_works(clue_device_info(&size, 0, property, text, sizeof texts[0]));
    return text;
}

static inline const char *device_name(void) {
    return device_text_of(CL_DEVICE_NAME);
}

static inline uint64_t device_number(cl_device_info property) {
    uint64_t number = 0; /* on a little-endian host, this takes a number of any width */
    int64_t size;
    assert_works(clue_device_info(&size, 0, property, &number, sizeof number));
    return number;
}

static inline bool driver_is(const char *name) {
    char platform[256];
    int64_t size;
    assert_works(clue_platform_info(&size, 0, CL_PLATFORM_NAME, platform, sizeof platform));
    return strcmp(platform, name) == 0;
}

static inline bool is_pocl(void) {
    return driver_is("Portable Computing Language");
}

static inline bool is_oclgrind(void) {
    return driver_is("Oclgrind");
}

static inline bool is_rusticl(void) {
    return driver_is("rusticl");
}

static inline bool is_nvidia(void) {
    return driver_is("NVIDIA CUDA");
}

/* The driver's limits as the core knows them. A test may change them, and must then restore them. */
static inline device *limits(void) {
    device *on = device_at(0, "clFoo");
    assert_non_null(on);
    assert_works(device_learn_limits(on));
    return on;
}

/* Ends a test that cannot run on this driver, and prints the reason. */
#define skip_because(reason)                                                                                       \
    do {                                                                                                           \
        print_message("skipped on %s: %s\n", device_name(), reason);                                               \
        skip();                                                                                                    \
    } while (0)

/* The function of this name that a test has replaced by its own. */
static inline void (*loaders_function(const char *name))(void) {
    static void *loader;
    void (*function)(void);
    void *symbol;
    if (!loader) loader = dlopen("libOpenCL.so.1", RTLD_LAZY);
    assert_non_null(loader);
    symbol = dlsym(loader, name);
    assert_non_null(symbol);
    memcpy(&function, &symbol, sizeof function);
    return function;
}

/* ---- objects ---- */

static inline int32_t new_context(void) {
    int32_t handle = 0;
    assert_works(clue_context_create(&handle, &(int32_t){0}, 1));
    return handle;
}

static inline int32_t new_program(int32_t in, const char *source) {
    int32_t handle = 0;
    assert_works(clue_program_create(&handle, in, source, (int64_t)strlen(source), NULL));
    return handle;
}

/* The kernel 'f' of a source. The program's handle is freed at once, since the kernel keeps the program. */
static inline int32_t new_kernel(int32_t in, const char *source) {
    const int32_t built = new_program(in, source);
    int32_t handle = 0;
    assert_works(clue_kernel_create(&handle, built, "f"));
    assert_works(clue_handle_free(built, CLUE_PROGRAM));
    return handle;
}

static inline int32_t new_buffer(int32_t in, int64_t size) {
    int32_t handle = 0;
    assert_works(clue_buffer_create(&handle, in, size, CL_MEM_READ_WRITE));
    return handle;
}

static inline int32_t new_queue(int32_t in, int64_t properties) {
    int32_t handle = 0;
    assert_works(clue_queue_create(&handle, in, in, properties));
    assert_int_equal(clue_handle_kind(handle), CLUE_QUEUE);
    return handle;
}

/* The int of that index in a buffer or shared virtual memory. */
static inline int number_at(int32_t on, int32_t memory, int index) {
    int number = -1;
    assert_works(clue_queue_read(NULL, &number, on, memory, (int64_t)sizeof number * index, sizeof number));
    return number;
}

/* Whether a program came from the cache. */
static inline int32_t cached(int32_t p) {
    int32_t from_cache = -1;
    assert_works(clue_program_cached(&from_cache, p));
    return from_cache;
}

/* The shape of an image of floats in rgba; depth 0: in two dimensions. */
static inline clue_image_shape image_shape(int64_t width, int64_t height, int64_t depth) {
    return (clue_image_shape){.type = depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
                              .order = CL_RGBA,
                              .channel = CL_FLOAT,
                              .width = width,
                              .height = height,
                              .depth = depth};
}

static inline int32_t new_image(int32_t in, clue_image_shape shape) {
    int32_t handle = 0;
    assert_works(clue_image_create(&handle, in, CL_MEM_READ_WRITE, &shape));
    assert_int_equal(clue_handle_kind(handle), CLUE_IMAGE);
    return handle;
}

static inline void run_1d(int32_t handle, int64_t global) {
    assert_works(clue_kernel_execute(handle, 1, NULL, &global, NULL));
}

static inline void run_and_wait(int32_t handle, int64_t global) {
    run_1d(handle, global);
    assert_works(clue_kernel_wait(handle));
}

/* ---- teardown ---- */

static inline int free_everything(void **state) {
    (void)state;
    for (int32_t handle; (handle = clue_handle_next(0));)
        assert_works(clue_handle_free(handle, CLUE_NONE));
    assert_int_equal(clue_handle_count(), 0);
    assert_null(clue_waiting());
    clue_error_clear();
    return 0;
}

#endif
