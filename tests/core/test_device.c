/* Platforms and devices: their numbers, their properties, and drivers that refuse to list them.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "stub.h"

#include <sys/wait.h>
#include <unistd.h>

static int refusals;         /* how many of the next clGetDeviceIDs count the devices but refuse to list them */
static cl_int count_refusal; /* the error code when clGetDeviceIDs is to count; 0: none */

STUB(clGetDeviceIDs) {
    if (!devices && count_refusal) return count_refusal;
    if (devices && refusals > 0) return refusals--, CL_OUT_OF_HOST_MEMORY;
    return NEXT(clGetDeviceIDs);
}

/* ---- without drivers, in a process of its own: the list is made once ---- */

static void without_drivers_there_is_no_device(void **state) {
    int32_t count = 7, platform = 7, index = 7;
    (void)state;
    setenv("OCL_ICD_VENDORS", "/nonexistent", 1);
    assert_works(clue_platform_count(&count));
    assert_int_equal(count, 0);
    assert_works(clue_device_count(&count));
    assert_int_equal(count, 0);
    assert_int_equal(clue_error_code(), 0);
    assert_refused(clue_device_locate(&platform, &index, 0), CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE,
                   "clGetDeviceIDs", "there is no OpenCL device (0 platforms)");
    assert_refused(clue_context_create(&count, &(int32_t){0}, 1), CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE,
                   "clCreateContext", "there is no OpenCL device (0 platforms)");
    assert_int_equal(platform, 7);
    assert_int_equal(index, 7);
    assert_int_equal(count, 0);
}

/* ---- with a driver that gives no device: also in a process of its own ---- */

static void the_drivers_refusal_is_the_reason_for_no_devices(void **state) {
    int32_t count = 7, platform = 7, index = 7;
    (void)state;
    count_refusal = CL_OUT_OF_HOST_MEMORY;
    assert_works(clue_device_count(&count));
    assert_int_equal(count, 0);
    assert_refused(clue_device_locate(&platform, &index, 0), CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE,
                   "clGetDeviceIDs",
                   "there is no OpenCL device (1 platform): clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY (-6) for "
                   "platform 0");
    assert_refused(clue_context_create(&count, &(int32_t){0}, 1), CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE,
                   "clCreateContext",
                   "there is no OpenCL device (1 platform): clGetDeviceIDs gave CL_OUT_OF_HOST_MEMORY (-6) for "
                   "platform 0");
}

static void finding_no_device_is_not_a_refusal(void **state) {
    int32_t platform = 7, index = 7;
    (void)state;
    count_refusal = CL_DEVICE_NOT_FOUND;
    assert_refused(clue_device_locate(&platform, &index, 0), CL_DEVICE_NOT_FOUND, CLUE_CAUSE_DEVICE,
                   "clGetDeviceIDs", "there is no OpenCL device (1 platform)");
}

/* Runs a test in a child process: 0, or 1 for a failure. Must be called before any OpenCL call. */
static int apart(CMUnitTestFunction test) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(test, free_everything)};
    int status = 0;
    const pid_t child = fork();
    if (child == 0) exit(cmocka_run_group_tests_name("device apart", tests, NULL, NULL));
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

/* ---- with the driver under test ---- */

TEST(a_failed_listing_is_repeated) {
    int32_t count = 0;
    refusals = 1;
    assert_refused(clue_device_count(&count), CL_OUT_OF_HOST_MEMORY, CLUE_CAUSE_MEMORY, "clGetDeviceIDs",
                   "the host has no memory left");
    assert_int_equal(count, 0);
    assert_works(clue_device_count(&count));
    assert_int_equal(count, 1);
    assert_works(clue_platform_count(&count));
    assert_int_equal(count, 1);
}

TEST(devices_are_numbered_over_all_platforms) {
    int32_t devices = 0, platforms = 0, before = -1, platform = -1, index = -1;
    assert_works(clue_device_count(&devices));
    assert_works(clue_platform_count(&platforms));
    assert_true(devices >= 1 && platforms >= 1);
    for (int32_t i = 0; i < devices; i++) {
        int32_t again = -1;
        assert_works(clue_device_locate(&platform, &index, i));
        assert_true(platform >= before && platform < platforms && index >= 0);
        assert_works(clue_device_of(&again, i));
        assert_int_equal(again, i);
        before = platform;
    }
}

TEST(ordinals_out_of_range_are_refused) {
    const int32_t wrong[] = {-2, 1, 65535, INT32_MIN};
    int32_t ordinal = 7, platform = 7;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_refused(clue_device_of(&ordinal, wrong[i]), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE, "clGetDeviceInfo",
                       "there is no device %d: the only one is 0", wrong[i]);
        assert_refused(clue_device_locate(&platform, &ordinal, wrong[i]), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE,
                       "clGetDeviceIDs", "there is no device %d: the only one is 0", wrong[i]);
    }
    assert_refused(clue_device_of(&ordinal, -1), CL_INVALID_VALUE, CLUE_CAUSE_FAILED, "clGetDeviceInfo",
                   "-1 is not a handle");
    assert_int_equal(ordinal, 7);
}

TEST(any_handle_stands_for_the_device_of_its_context) {
    const int32_t c = new_context(), b = new_buffer(c, 4), p = new_program(c, kernel_empty);
    int32_t handles[] = {c, b, p, 0}, ordinal;
    assert_works(clue_kernel_create(&handles[3], p, "f"));
    for (size_t i = 0; i < 4; i++) {
        ordinal = -1;
        assert_works(clue_device_of(&ordinal, handles[i]));
        assert_int_equal(ordinal, 0);
    }
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_refused(clue_device_of(&ordinal, b), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, "clGetDeviceInfo",
                   "buffer %d was freed", b);
}

TEST(properties_come_as_raw_bytes) {
    int64_t size = 0, again = 0;
    char name[512];
    cl_uint units = 0;
    assert_works(clue_device_info(&size, 0, CL_DEVICE_NAME, NULL, 0));
    assert_true(size > 1 && size < (int64_t)sizeof name);
    assert_works(clue_device_info(&again, 0, CL_DEVICE_NAME, name, sizeof name));
    assert_int_equal(again, size);
    assert_int_equal(strlen(name), size - 1);
    assert_works(clue_device_info(&size, 0, CL_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof units));
    assert_int_equal(size, sizeof units);
    assert_true(units >= 1);
    assert_works(clue_platform_info(&size, 0, CL_PLATFORM_VERSION, name, sizeof name));
    assert_memory_equal(name, "OpenCL ", 7);
}

TEST(bad_questions_are_refused) {
    int64_t size = 7;
    char name[512];
    assert_refused(clue_device_info(&size, 0, CL_DEVICE_NAME, name, -1), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clGetDeviceInfo", "a capacity of -1 bytes");
    assert_refused(clue_device_info(&size, 0, CL_DEVICE_NAME, name, 1), CL_INVALID_VALUE, CLUE_CAUSE_DRIVER,
                   "clGetDeviceInfo", "%s", "");
    for (int64_t room = 0; room <= (int64_t)sizeof name; room += (int64_t)sizeof name)
        assert_refused(clue_device_info(&size, 0, 0x7777, room ? name : NULL, room), CL_INVALID_VALUE,
                       CLUE_CAUSE_DRIVER, "clGetDeviceInfo", "the driver of %s does not know the property 0x7777",
                       device_name());
    assert_refused(clue_device_info(&size, 1, CL_DEVICE_NAME, NULL, 0), CL_INVALID_DEVICE, CLUE_CAUSE_DEVICE,
                   "clGetDeviceInfo", "there is no device 1: the only one is 0");
    assert_refused(clue_platform_info(&size, 0, CL_PLATFORM_NAME, name, -1), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clGetPlatformInfo", "a capacity of -1 bytes");
    assert_refused(clue_platform_info(&size, 1, CL_PLATFORM_NAME, NULL, 0), CL_INVALID_PLATFORM, CLUE_CAUSE_DEVICE,
                   "clGetPlatformInfo", "there is no platform 1: the number of platforms is 1");
    assert_refused(clue_platform_info(&size, -1, CL_PLATFORM_NAME, NULL, 0), CL_INVALID_PLATFORM, CLUE_CAUSE_DEVICE,
                   "clGetPlatformInfo", "there is no platform -1: the number of platforms is 1");
    assert_refused(clue_platform_info(&size, 0, 0x7777, NULL, 0), CL_INVALID_VALUE, CLUE_CAUSE_DRIVER,
                   "clGetPlatformInfo", "%s", "");
    assert_int_equal(size, 7);
}

TEST(a_version_has_those_before_it) {
    const device *on = limits();
    int major = 0, minor = 0;
    assert_int_equal(sscanf(device_text_of(CL_DEVICE_VERSION), "OpenCL %d.%d", &major, &minor), 2);
    assert_true(device_has_version(on, major, minor));
    assert_true(device_has_version(on, major, 0));
    assert_true(device_has_version(on, major - 1, minor + 1));
    assert_false(device_has_version(on, major, minor + 1));
    assert_false(device_has_version(on, major + 1, 0));
}

int main(void) {
    const int failed = apart(without_drivers_there_is_no_device) +
                       apart(the_drivers_refusal_is_the_reason_for_no_devices) +
                       apart(finding_no_device_is_not_a_refusal);
    return unit_run() + failed;
}
