/* Images: formats and sizes that a device has, transfers, and kernels that take them. */
#include "support.h"

static const char call[] = "clCreateImage";
static const char source[] =
    "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
    "__kernel void f(__global float *a, read_only image2d_t two, read_only image3d_t three, int n) {"
    "  const int i = get_global_id(0);"
    "  a[i] = read_imagef(two, s, (int2)(i, 1)).y + read_imagef(three, s, (int4)(i, 1, 1, 0)).x; }";

static int32_t new_queue(int32_t in) {
    int32_t handle = 0;
    assert_works(clue_queue_create(&handle, in, CL_QUEUE_PROFILING_ENABLE));
    return handle;
}

/* 4 pixels wide, 2 high, of 4 floats each. */
static int32_t new_image(int32_t in, int64_t depth) {
    int32_t handle = 0;
    assert_works(clue_image_create(&handle, in, CL_MEM_READ_WRITE, CL_RGBA, CL_FLOAT, 4, 2, depth));
    assert_int_equal(clue_handle_kind(handle), CLUE_IMAGE);
    return handle;
}

static void an_image_holds_what_is_written(void **state) {
    const int32_t c = new_context(), q = new_queue(c), two = new_image(c, 0), three = new_image(c, 2);
    float written[64], read[64] = {0};
    int64_t size = 0;
    (void)state;
    for (int i = 0; i < 64; i++)
        written[i] = (float)i;
    assert_works(clue_image_size(&size, two));
    assert_int_equal(size, 4 * 2 * 16);
    assert_works(clue_queue_write_image(q, two, written, size));
    assert_works(clue_queue_read_image(read, q, two, size));
    assert_memory_equal(read, written, 128);
    assert_works(clue_image_size(&size, three));
    assert_int_equal(size, sizeof written);
    assert_works(clue_queue_write_image(q, three, written, size));
    assert_works(clue_queue_read_image(read, q, three, size));
    assert_memory_equal(read, written, sizeof written);
}

static void kernels_take_images_of_their_dimensions(void **state) {
    const int32_t c = new_context(), q = new_queue(c), two = new_image(c, 0), three = new_image(c, 2);
    const int32_t b = new_buffer(c, 16), k = new_kernel(c, source);
    const int64_t global = 4;
    float numbers[64];
    (void)state;
    for (int i = 0; i < 64; i++)
        numbers[i] = (float)i;
    assert_works(clue_queue_write_image(q, two, numbers, 128));
    assert_works(clue_queue_write_image(q, three, numbers, 256));
    assert_works(clue_kernel_set_buffer(k, 0, b));
    assert_refused(clue_kernel_set_image(k, 1, three), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, "clSetKernelArg",
                   "argument 1 'two' of kernel 'f' is image2d_t, and image %d is in 3 dimensions", three);
    assert_refused(clue_kernel_set_image(k, 0, two), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, "clSetKernelArg",
                   "argument 0 'a' of kernel 'f' is a __global pointer, float*: it takes a buffer");
    assert_int_equal(clue_kernel_set_image(k, 3, two), CL_INVALID_ARG_VALUE);
    assert_refused(clue_kernel_set_image(k, 1, b), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, "clSetKernelArg",
                   "%d is a buffer, an image is needed", b);
    assert_int_equal(clue_kernel_set_image(k, 1, new_image(new_context(), 0)), CL_INVALID_CONTEXT);
    assert_works(clue_kernel_set_image(k, 1, two));
    assert_works(clue_kernel_set_image(k, 2, three));
    assert_works(clue_kernel_set_number(k, 3, CLUE_AUTO, 0));
    assert_works(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL));
    assert_works(clue_queue_read(numbers, q, b, 0, 16));
    for (int i = 0; i < 4; i++)
        assert_true(numbers[i] == (float)((4 + i) * 4 + 1 + (8 + 4 + i) * 4));
    assert_works(clue_handle_free(two, CLUE_IMAGE));
    assert_refused(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueNDRangeKernel", "argument 1 'two' of kernel 'f' is image %d, which was freed", two);
}

static void impossible_images_are_refused(void **state) {
    const int32_t c = new_context();
    const uint64_t widest = device_number(CL_DEVICE_IMAGE2D_MAX_WIDTH);
    int32_t i = 7;
    (void)state;
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, CL_FLOAT, 0, 2, 0), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE,
                   call, "a width of 0 pixels: 1 is the least");
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, CL_FLOAT, 1, -2, 0), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE,
                   call, "a height of -2 pixels: 1 is the least");
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, CL_FLOAT, 1, 1, -1), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE,
                   call, "a depth of -1 pixels: 1 is the least");
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, CL_FLOAT, (int64_t)widest + 1, 1, 0), CL_INVALID_IMAGE_SIZE,
                   CLUE_CAUSE_LIMIT, call, "a width of %llu pixels is more than %s allows: %llu",
                   (unsigned long long)widest + 1, device_name(), (unsigned long long)widest);
    assert_refused(clue_image_create(&i, c, 0, 1, CL_FLOAT, 4, 2, 0), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                   CLUE_CAUSE_PARAMETER, call, "0x1 is no order of channels");
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, 1, 4, 2, 0), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                   CLUE_CAUSE_PARAMETER, call, "0x1 is no type of channels");
    assert_refused(clue_image_create(&i, c, 5, CL_RGBA, CL_FLOAT, 4, 2, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   call, "flags 0x5 contradict each other");
    assert_int_equal(clue_image_create(&i, -1, 0, CL_RGBA, CL_FLOAT, 4, 2, 0), CL_INVALID_CONTEXT);
    assert_int_equal(i, 7);
}

/* No device has colours of three channels but in packed types. */
static void a_format_that_is_not_there_lists_those_that_are(void **state) {
    const int32_t c = new_context(), before = clue_handle_count();
    char expected[160];
    int32_t i = 7;
    (void)state;
    snprintf(
        expected, sizeof expected,
        "%s has no 3-D images of order rgb with channels of type float for these flags; with that type it has the "
        "orders: ",
        device_name());
    assert_int_equal(clue_image_create(&i, c, 0, CL_RGB, CL_FLOAT, 4, 2, 2), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    assert_memory_equal(clue_error_detail(), expected, strlen(expected));
    assert_non_null(strstr(clue_error_detail(), "rgba"));
    assert_int_equal(i, 7);
    assert_int_equal(clue_handle_count(), before);
}

static void a_device_without_images_is_told(void **state) {
    const int32_t c = new_context();
    device *on = limits();
    int32_t i = 7;
    (void)state;
    on->images = false;
    assert_refused(clue_image_create(&i, c, 0, CL_RGBA, CL_FLOAT, 4, 2, 0), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT,
                   call, "%s has no images", device_name());
    on->images = true;
}

static void transfers_take_the_whole_image(void **state) {
    const int32_t c = new_context(), q = new_queue(c), two = new_image(c, 0), b = new_buffer(c, 4);
    float numbers[64] = {0};
    int64_t size = 7;
    (void)state;
    assert_refused(clue_queue_write_image(q, two, numbers, 124), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage", "an image of 4 x 2 x 1 pixels has 128 bytes, 124 were given");
    assert_refused(clue_queue_read_image(NULL, q, two, 128), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueReadImage", "an image of 4 x 2 x 1 pixels has 128 bytes, 0 were given");
    assert_refused(clue_queue_read_image(numbers, q, b, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueReadImage", "%d is a buffer, an image is needed", b);
    assert_refused(clue_queue_read(numbers, q, two, 0, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueReadBuffer", "%d is an image, a buffer is needed", two);
    assert_int_equal(clue_queue_read_image(numbers, new_queue(new_context()), two, 128), CL_INVALID_CONTEXT);
    assert_int_equal(clue_image_size(&size, b), CL_INVALID_MEM_OBJECT);
    assert_int_equal(size, 7);
    assert_null(clue_waiting());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        clue_unit_test(an_image_holds_what_is_written),
        clue_unit_test(kernels_take_images_of_their_dimensions),
        clue_unit_test(impossible_images_are_refused),
        clue_unit_test(a_format_that_is_not_there_lists_those_that_are),
        clue_unit_test(a_device_without_images_is_told),
        clue_unit_test(transfers_take_the_whole_image),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
