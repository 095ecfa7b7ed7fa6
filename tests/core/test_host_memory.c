/* Buffers and images made from host memory: copied from it, or placed in it for as long as anything uses them.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "kept_context.h"

static const char call[] = "clCreateBuffer";

/* 0, 1, 2, 3 */
static int32_t *new_numbers(void) {
    int32_t *numbers = clue_array_allocate(16);
    assert_non_null(numbers);
    for (int32_t i = 0; i < 4; i++)
        numbers[i] = i;
    return numbers;
}

TEST(a_copy_has_the_contents) {
    const int32_t c = new_context();
    const int32_t numbers[] = {5, 6, 7, 8};
    int32_t b = 0, read[4] = {0};
    assert_works(clue_buffer_create_from(&b, c, numbers, 16, CL_MEM_READ_ONLY));
    assert_works(clue_buffer_read(read, b, 0, 16));
    assert_memory_equal(read, numbers, 16);
}

TEST(mapping_a_buffer_shows_what_kernels_wrote) {
    const int32_t c = new_context(), k = new_kernel(c, kernel_hundred);
    int32_t *numbers = new_numbers(), b = 0, memory = 0, q = 0, mapping = 0;
    void *data = NULL;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_buffer_create_in(&b, &memory, c, numbers, 16, CL_MEM_READ_WRITE));
    assert_int_equal(clue_handle_kind(memory), CLUE_HOST_MEMORY);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    run_and_wait(k, 4);
    assert_works(clue_queue_map(&data, &mapping, q, b, CL_MAP_READ, 0, 16));
    assert_ptr_equal(data, numbers);
    for (int32_t i = 0; i < 4; i++)
        assert_int_equal(numbers[i], 100 + i);
    assert_works(clue_queue_unmap(q, mapping));
    assert_works(clue_queue_finish(q));
}

/* Buffer and memory are freed in both orders, while the device works on them. The sanitizer's leak check shows
 * whether the memory is freed in the end. */
TEST(memory_lives_as_long_as_its_buffers) {
    const int64_t many = 1 << 16;
    for (int order = 0; order < 2; order++) {
        const int32_t c = new_context(), k = new_kernel(c, kernel_hundred);
        int32_t b = 0, memory = 0;
        void *data = clue_array_allocate(4 * many);
        assert_non_null(data);
        assert_works(clue_buffer_create_in(&b, &memory, c, data, 4 * many, 0));
        assert_works(clue_kernel_set_object(k, 0, b, 0));
        run_1d(k, many);
        assert_works(clue_handle_free(order ? memory : b, CLUE_NONE));
        assert_works(clue_handle_free(k, CLUE_KERNEL));
        assert_works(clue_handle_free(order ? b : memory, CLUE_NONE));
        assert_works(clue_context_finish(c));
    }
}

TEST(several_buffers_share_one_memory) {
    const int32_t c = new_context(), other = new_context();
    int32_t *numbers = new_numbers(), *foreign = new_numbers(), first = 0, second = 0, memory = 0, again;
    assert_works(clue_buffer_create_in(&first, &memory, c, numbers, 16, 0));
    again = memory;
    assert_works(clue_buffer_create_in(&second, &again, other, numbers, 16, 0));
    assert_int_equal(again, memory);
    assert_refused(clue_buffer_create_in(&second, &again, c, foreign, 16, 0), CL_INVALID_HOST_PTR,
                   CLUE_CAUSE_PARAMETER, call, "host memory %d is not the memory that was given", memory);
    assert_refused(clue_buffer_create_in(&second, &first, c, numbers, 16, 0), CL_INVALID_HOST_PTR,
                   CLUE_CAUSE_HANDLE, call, "%d is a buffer; host memory is needed", first);
    clue_array_free(foreign);
}

TEST(refused_memory_remains_the_callers) {
    const int32_t c = new_context(), before = clue_handle_count();
    int32_t *numbers = new_numbers(), b = 7, memory = 0, ordinal = 0;
    assert_refused(clue_buffer_create_in(&b, &memory, c, numbers, 0, 0), CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE,
                   call, "a buffer of 0 bytes: it needs at least 1");
    assert_refused(clue_buffer_create_in(&b, &memory, c, NULL, 16, 0), CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER,
                   call, "there is no memory to make a buffer of");
    assert_refused(clue_buffer_create_from(&b, c, NULL, 16, 0), CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, call,
                   "there is no memory to make a buffer of");
    assert_int_equal(clue_buffer_create_in(&b, &memory, c, numbers, 16, 5), CL_INVALID_VALUE);
    assert_refused(clue_buffer_create_in(&b, &memory, c, numbers, 16, CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, call,
                   "CL_MEM_USE_HOST_PTR gives the driver memory, and CL_MEM_ALLOC_HOST_PTR asks it to find some");
    assert_int_equal(clue_buffer_create_in(&b, &memory, -1, numbers, 16, 0), CL_INVALID_CONTEXT);
    assert_int_equal(memory, 0);
    assert_int_equal(b, 7);
    assert_int_equal(clue_handle_count(), before);
    clue_array_free(numbers);
    numbers = new_numbers();
    assert_works(clue_buffer_create_in(&b, &memory, c, numbers, 16, 0));
    assert_refused(clue_device_of(&ordinal, memory), CL_INVALID_DEVICE, CLUE_CAUSE_HANDLE, "clGetDeviceInfo",
                   "host_memory %d belongs to no device", memory);
    assert_works(clue_context_finish(memory));
}

/* ---- images ---- */

static const char image_call[] = "clCreateImage";
static const char pixels_source[] = "__kernel void f(write_only image2d_t i, __global const float *by) {"
                                    "  const int2 at = (int2)(get_global_id(0), get_global_id(1));"
                                    "  write_imagef(i, at, (float4)(by[0] * at.x, by[0] * at.y, 1, 2));"
                                    "}";
enum { PIXELS = 3 * 2 * 4, BYTES = PIXELS * sizeof(float) }; /* of an image of 3 x 2 floats in rgba */

/* 0, 1, 2, ... */
static float *new_pixels(void) {
    float *pixels = clue_array_allocate(BYTES);
    assert_non_null(pixels);
    for (int i = 0; i < PIXELS; i++)
        pixels[i] = (float)i;
    return pixels;
}

static int32_t image_context(void) {
    if (!limits()->images) skip_because("no images");
    return new_context();
}

TEST(an_image_has_the_pixels) {
    const int32_t c = image_context(), q = new_queue(c, 0);
    const clue_image_shape shape = image_shape(3, 2, 0);
    float *pixels = new_pixels(), read[PIXELS] = {0};
    int32_t i = 0;
    assert_works(clue_image_create_from(&i, c, pixels, sizeof read, CL_MEM_READ_ONLY, &shape));
    assert_int_equal(clue_handle_kind(i), CLUE_IMAGE);
    pixels[0] = 77; /* the image has a copy */
    assert_works(clue_queue_read_image(NULL, read, q, i, sizeof read, NULL));
    assert_true(read[0] == 0 && read[PIXELS - 1] == PIXELS - 1);
    clue_array_free(pixels);
}

TEST(mapping_an_image_shows_what_kernels_wrote) {
    const int32_t c = image_context(), q = new_queue(c, 0), k = new_kernel(c, pixels_source), by = new_buffer(c, 4);
    const clue_image_shape shape = image_shape(3, 2, 0);
    const int64_t global[] = {3, 2};
    const float ten = 10;
    float *pixels = new_pixels();
    clue_image_part part = {.region = {3, 2, 1}};
    int32_t i = 0, memory = 0, mapping = 0;
    int64_t size = 0;
    void *data = NULL;
    assert_works(clue_image_create_in(&i, &memory, c, pixels, BYTES, CL_MEM_READ_WRITE, &shape));
    assert_int_equal(clue_handle_kind(memory), CLUE_HOST_MEMORY);
    assert_works(clue_buffer_write(by, 0, &ten, 4));
    assert_works(clue_kernel_set_object(k, 0, i, 0));
    assert_works(clue_kernel_set_object(k, 1, by, 0));
    assert_works(clue_kernel_execute(k, 2, NULL, global, NULL));
    assert_works(clue_kernel_wait(k));
    assert_works(clue_queue_map_image(&data, &size, &mapping, q, i, CL_MAP_READ, &part));
    assert_ptr_equal(data, pixels);
    assert_int_equal(part.row_pitch, 3 * 4 * 4);
    assert_true(pixels[PIXELS - 4] == 20 && pixels[PIXELS - 3] == 10 && pixels[PIXELS - 1] == 2);
    assert_works(clue_queue_unmap(q, mapping));
    assert_works(clue_queue_finish(q));
}

TEST(memory_lives_as_long_as_its_images) {
    const int32_t c = image_context(), q = new_queue(c, 0);
    const clue_image_shape shape = image_shape(3, 2, 0);
    float read[PIXELS] = {0};
    int32_t i = 0, memory = 0;
    assert_works(clue_image_create_in(&i, &memory, c, new_pixels(), sizeof read, 0, &shape));
    assert_works(clue_handle_free(memory, CLUE_HOST_MEMORY));
    assert_works(clue_queue_read_image(NULL, read, q, i, sizeof read, NULL));
    assert_true(read[PIXELS - 1] == PIXELS - 1);
}

TEST(pixels_that_do_not_fit_are_refused) {
    const int32_t c = image_context(), before = clue_handle_count(), b = new_buffer(c, 64);
    clue_image_shape shape = image_shape(3, 2, 0), line = {.type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                                           .order = CL_RGBA,
                                                           .channel = CL_FLOAT,
                                                           .buffer = b,
                                                           .width = 4};
    float *pixels = new_pixels();
    int32_t i = 7, memory = 0;
    assert_refused(clue_image_create_from(&i, c, pixels, 92, 0, &shape), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   image_call, "the image has 96 bytes, but the host's memory has 92: both must be the same");
    assert_refused(clue_image_create_in(&i, &memory, c, pixels, 100, 0, &shape), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   image_call, "the image has 96 bytes, but the host's memory has 100: both must be the same");
    assert_refused(clue_image_create_from(&i, c, NULL, 96, 0, &shape), CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER,
                   image_call, "there is no memory to make an image of");
    assert_refused(clue_image_create_in(&i, &memory, c, pixels, 96, CL_MEM_ALLOC_HOST_PTR, &shape),
                   CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, image_call,
                   "CL_MEM_USE_HOST_PTR gives the driver memory, and CL_MEM_ALLOC_HOST_PTR asks it to find some");
    assert_refused(clue_image_create_in(&i, &memory, c, pixels, 64, 0, &line), CL_INVALID_IMAGE_DESCRIPTOR,
                   CLUE_CAUSE_PARAMETER, image_call,
                   "the pixels are in buffer %d, so memory of the host cannot be given", b);
    assert_int_equal(clue_image_create_from(&i, -1, pixels, 96, 0, &shape), CL_INVALID_CONTEXT);
    shape.order = 1;
    assert_int_equal(clue_image_create_in(&i, &memory, c, pixels, 96, 0, &shape),
                     CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    assert_int_equal(i, 7);
    assert_int_equal(memory, 0);
    assert_int_equal(clue_handle_count(), before + 1);
    clue_array_free(pixels);
}
