/* Images: the formats and sizes that a device has, transfers, and images as kernel arguments.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "kept_context.h"

static const char call[] = "clCreateImage";
static const char source[] =
    "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;"
    "__kernel void f(__global float *a, read_only image2d_t two, read_only image3d_t three, int n) {"
    "  const int i = get_global_id(0);"
    "  a[i] = read_imagef(two, s, (int2)(i, 1)).y + read_imagef(three, s, (int4)(i, 1, 1, 0)).x; }";

/* 4 pixels wide, 2 high, of 4 floats each. */
static int32_t new_block(int32_t in, int64_t depth) {
    return new_image(in, image_shape(4, 2, depth));
}

static clue_image_shape shape_of_type(cl_mem_object_type type, int64_t width, int64_t height, int64_t array_size) {
    clue_image_shape shape = image_shape(width, height, 0);
    shape.type = type;
    shape.array_size = array_size;
    return shape;
}

TEST(an_image_holds_what_is_written) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), two = new_block(c, 0),
                  three = new_block(c, 2);
    float written[64], read[64] = {0};
    int64_t size = 0;
    for (int i = 0; i < 64; i++)
        written[i] = (float)i;
    assert_works(clue_memory_size(&size, two));
    assert_int_equal(size, 4 * 2 * 16);
    assert_works(clue_queue_write_image(NULL, q, two, written, size, NULL));
    assert_works(clue_queue_read_image(NULL, read, q, two, size, NULL));
    assert_memory_equal(read, written, 128);
    assert_works(clue_memory_size(&size, three));
    assert_int_equal(size, sizeof written);
    assert_works(clue_queue_write_image(NULL, q, three, written, size, NULL));
    assert_works(clue_queue_read_image(NULL, read, q, three, size, NULL));
    assert_memory_equal(read, written, sizeof written);
}

TEST(kernels_take_images_of_their_dimensions) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), two = new_block(c, 0),
                  three = new_block(c, 2);
    const int32_t b = new_buffer(c, 16), k = new_kernel(c, source);
    const int64_t global = 4;
    float numbers[64];
    for (int i = 0; i < 64; i++)
        numbers[i] = (float)i;
    assert_works(clue_queue_write_image(NULL, q, two, numbers, 128, NULL));
    assert_works(clue_queue_write_image(NULL, q, three, numbers, 256, NULL));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_refused(clue_kernel_set_object(k, 1, three, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 1 'two' of kernel 'f' is image2d_t, and image %d is an image3d_t",
                   three);
    assert_refused(clue_kernel_set_object(k, 0, two, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg",
                   "argument 0 'a' of kernel 'f' is a __global pointer, float*: it takes a buffer (in MQL5, "
                   "CLSetKernelArgMem)");
    assert_int_equal(clue_kernel_set_object(k, 3, two, 0), CL_INVALID_ARG_VALUE);
    assert_refused(clue_kernel_set_object(k, 1, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, "clSetKernelArg",
                   "argument 1 'two' of kernel 'f' is image2d_t: it takes an image");
    assert_refused(clue_kernel_set_object(k, 1, two, 4), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, "clSetKernelArg",
                   "offset 4: only shared virtual memory can be given from an offset on, not image %d", two);
    assert_int_equal(clue_kernel_set_object(k, 1, new_block(new_context(), 0), 0), CL_INVALID_CONTEXT);
    assert_works(clue_kernel_set_object(k, 1, two, 0));
    assert_works(clue_kernel_set_object(k, 2, three, 0));
    assert_works(clue_kernel_set_number(k, 3, CLUE_AUTO, 0));
    assert_works(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL));
    assert_works(clue_queue_read(NULL, numbers, q, b, 0, 16));
    for (int i = 0; i < 4; i++)
        assert_true(numbers[i] == (float)((4 + i) * 4 + 1 + (8 + 4 + i) * 4));
    assert_works(clue_handle_free(two, CLUE_IMAGE));
    assert_refused(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueNDRangeKernel", "argument 1 'two' of kernel 'f' is image %d, which was freed", two);
}

static int32_t refused_image(int32_t in, int64_t flags, clue_image_shape shape) {
    int32_t made = 7;
    const int32_t code = clue_image_create(&made, in, flags, &shape);
    assert_int_equal(made, 7);
    return code;
}

TEST(impossible_images_are_refused) {
    const int32_t c = new_context();
    const uint64_t widest = device_number(CL_DEVICE_IMAGE2D_MAX_WIDTH);
    clue_image_shape shape = image_shape(4, 2, 0);
    assert_refused(refused_image(c, 0, image_shape(0, 2, 0)), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "a width of 0 pixels: it must be at least 1");
    assert_refused(refused_image(c, 0, image_shape(1, -2, 0)), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "a height of -2 pixels: it must be at least 1");
    assert_refused(refused_image(c, 0, image_shape(1, 1, -1)), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "a depth of -1 pixels: it must be at least 1");
    assert_refused(refused_image(c, 0, shape_of_type(CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, 0)), CL_INVALID_IMAGE_SIZE,
                   CLUE_CAUSE_SIZE, call, "an array size of 0 layers: it must be at least 1");
    assert_refused(refused_image(c, 0, shape_of_type(CL_MEM_OBJECT_IMAGE1D, 1, 1, 0)), CL_INVALID_IMAGE_DESCRIPTOR,
                   CLUE_CAUSE_SIZE, call, "a height of 1: a 1-D image does not have one");
    assert_refused(refused_image(c, 0, image_shape((int64_t)widest + 1, 1, 0)), CL_INVALID_IMAGE_SIZE,
                   CLUE_CAUSE_LIMIT, call, "a width of %llu pixels: the maximum on %s is %llu",
                   (unsigned long long)widest + 1, device_name(), (unsigned long long)widest);
    assert_refused(refused_image(c, 5, shape), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "CL_MEM_READ_WRITE and CL_MEM_READ_ONLY exclude each other");
    assert_int_equal(refused_image(-1, 0, shape), CL_INVALID_CONTEXT);
    shape.type = 1;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "0x1 is not a type of images: use CL_MEM_OBJECT_IMAGE1D and so on");
    shape = image_shape(4, 2, 0);
    shape.order = 1;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "0x1 is not an order of channels");
    shape = image_shape(4, 2, 0);
    shape.channel = 1;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "0x1 is not a type of channels");
}

TEST(an_image_larger_than_a_buffer_may_be_is_refused) {
    const int32_t c = new_context();
    const uint64_t most = limits()->max_allocation;
    int32_t code;
    limits()->max_allocation = 1000;
    code = refused_image(c, 0, image_shape(8, 8, 0));
    limits()->max_allocation = most;
    assert_refused(code, CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_LIMIT, call,
                   "an image of 1024 bytes: the maximum on %s is 1000", device_name());
}

TEST(the_shape_of_an_image_is_known) {
    const int32_t c = new_context();
    const clue_image_shape shapes[] = {
        shape_of_type(CL_MEM_OBJECT_IMAGE1D, 4, 0, 0),
        shape_of_type(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 3),
        shape_of_type(CL_MEM_OBJECT_IMAGE2D, 4, 2, 0),
        shape_of_type(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 2, 3),
        image_shape(4, 2, 3),
    };
    clue_image_shape found;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        assert_works(clue_image_shape_of(&found, new_image(c, shapes[i])));
        assert_memory_equal(&found, &shapes[i], sizeof found);
    }
    assert_int_equal(clue_image_shape_of(&found, c), CL_INVALID_MEM_OBJECT);
}

/* ---- lines and layers ---- */

static const char lines_source[] =
    "__kernel void f(__global float *a, read_only image1d_t line, read_only image1d_array_t lines,"
    "                read_only image2d_array_t planes, sampler_t s) {"
    "  const int i = get_global_id(0);"
    "  a[i] = read_imagef(line, s, i).x + read_imagef(lines, s, (int2)(i, 2)).x +"
    "         read_imagef(planes, s, (int4)(i, 1, 2, 0)).x; }";

TEST(kernels_take_lines_and_layers) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_buffer(c, 16),
                  k = new_kernel(c, lines_source);
    const int32_t images[] = {
        new_image(c, shape_of_type(CL_MEM_OBJECT_IMAGE1D, 4, 0, 0)),
        new_image(c, shape_of_type(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 3)),
        new_image(c, shape_of_type(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 2, 3)),
    };
    static const int64_t bytes[] = {64, 192, 384};
    const int64_t global = 4;
    int32_t s = 0;
    float numbers[96], sums[4];
    for (int i = 0; i < 96; i++)
        numbers[i] = (float)i;
    assert_works(clue_sampler_create(&s, c, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    for (int32_t i = 0; i < 3; i++) {
        int64_t size = 0;
        assert_works(clue_memory_size(&size, images[i]));
        assert_int_equal(size, bytes[i]);
        assert_works(clue_queue_write_image(NULL, q, images[i], numbers, size, NULL));
        assert_works(clue_kernel_set_object(k, i + 1, images[i], 0));
    }
    assert_refused(clue_kernel_set_object(k, 1, images[1], 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg",
                   "argument 1 'line' of kernel 'f' is image1d_t, and image %d is an image1d_array_t", images[1]);
    assert_works(clue_kernel_set_object(k, 4, s, 0));
    assert_works(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL));
    assert_works(clue_queue_read(NULL, sums, q, b, 0, 16));
    for (int i = 0; i < 4; i++)
        assert_true(sums[i] == (float)(4 * i + (32 + 4 * i) + (64 + 16 + 4 * i)));
}

TEST(an_image_of_one_slice_or_layer_takes_a_slice_pitch) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE);
    const int32_t sliced[] = {new_image(c, image_shape(4, 4, 1)),
                              new_image(c, shape_of_type(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 1))};
    const int32_t flat[] = {new_image(c, image_shape(4, 4, 0)),
                            new_image(c, shape_of_type(CL_MEM_OBJECT_IMAGE1D_ARRAY, 4, 0, 4))};
    static const char *const names[] = {"2-D", "1-D array"};
    clue_image_part part = {.region = {4, 4, 1}, .row_pitch = 80, .slice_pitch = 400};
    float numbers[100], back[100] = {0};
    for (int i = 0; i < 100; i++)
        numbers[i] = (float)i;
    for (int i = 0; i < 2; i++) {
        assert_works(clue_queue_write_image(NULL, q, sliced[i], numbers, sizeof numbers, &part));
        assert_works(clue_queue_read_image(NULL, back, q, sliced[i], sizeof back, &part));
        assert_true(back[0] == 0 && back[15] == 15 && back[16] == 0 && back[20] == 20 && back[75] == 75);
        assert_refused(clue_queue_write_image(NULL, q, flat[i], numbers, sizeof numbers, &part), CL_INVALID_VALUE,
                       CLUE_CAUSE_SIZE, "clEnqueueWriteImage",
                       "a slice pitch of 400 bytes: a %s image has no slices", names[i]);
    }
}

/* ---- images in buffers ---- */

static const char buffer_source[] = "__kernel void f(__global float *a, read_only image1d_buffer_t i) {"
                                    "  a[get_global_id(0)] = read_imagef(i, (int)get_global_id(0)).y; }";

TEST(a_line_lies_in_a_buffer) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), pixels = new_buffer(c, 64),
                  b = new_buffer(c, 16);
    const int32_t k = new_kernel(c, buffer_source);
    const int64_t global = 4;
    clue_image_shape shape = shape_of_type(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 0, 0), found;
    float numbers[16];
    int32_t i;
    for (int n = 0; n < 16; n++)
        numbers[n] = (float)n;
    shape.buffer = pixels;
    i = new_image(c, shape);
    assert_works(clue_image_shape_of(&found, i));
    assert_memory_equal(&found, &shape, sizeof found);
    assert_works(clue_queue_write(NULL, q, pixels, 0, numbers, sizeof numbers));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_object(k, 1, i, 0));
    assert_works(clue_handle_free(pixels, CLUE_BUFFER)); /* the image keeps it */
    assert_works(clue_queue_execute(NULL, q, k, 1, NULL, &global, NULL));
    assert_works(clue_queue_read(NULL, numbers, q, b, 0, 16));
    for (int n = 0; n < 4; n++)
        assert_true(numbers[n] == (float)(4 * n + 1));
}

/* PoCL crashes when it copies or fills such an image, and what rusticl writes to it never reaches the buffer. */
TEST(transfers_of_a_line_in_a_buffer_are_refused) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), b = new_buffer(c, 64);
    clue_image_shape shape = shape_of_type(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 0, 0);
    float numbers[16] = {0};
    int32_t i;
    shape.buffer = b;
    i = new_image(c, shape);
    assert_refused(
        clue_queue_write_image(NULL, q, i, numbers, 64, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
        "clEnqueueWriteImage",
        "the pixels of image %d are in buffer %d: transfer, copy or fill the buffer (drivers crash here, or work "
        "on another copy)",
        i, b);
}

TEST(a_buffer_that_does_not_fit_is_refused) {
    const int32_t c = new_context(), b = new_buffer(c, 64);
    clue_image_shape shape = shape_of_type(CL_MEM_OBJECT_IMAGE1D_BUFFER, 5, 0, 0);
    int32_t read_only = 0;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "a 1-D buffer image needs a buffer, and none was given");
    shape.buffer = b;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "the image has 80 bytes, but its buffer has 64");
    shape.row_pitch = 80;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "a row pitch of 80 bytes: a 1-D buffer image cannot have one");
    shape.row_pitch = 0;
    shape.width = 4;
    assert_works(clue_buffer_create(&read_only, c, 64, CL_MEM_READ_ONLY));
    shape.buffer = read_only;
    assert_refused(refused_image(c, CL_MEM_READ_WRITE, shape), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "the buffer is CL_MEM_READ_ONLY: an object made from it cannot be CL_MEM_READ_WRITE");
    shape.buffer = new_buffer(new_context(), 64);
    assert_refused(refused_image(c, 0, shape), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                   "buffer %d belongs to another context", shape.buffer);
    shape.buffer = c;
    assert_int_equal(refused_image(c, 0, shape), CL_INVALID_MEM_OBJECT);
    shape = image_shape(2, 2, 1);
    shape.buffer = b;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "a 3-D image cannot be in a buffer: only 1-D buffer images and 2-D images can");
    shape = image_shape(2, 2, 0);
    shape.row_pitch = 64;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_PARAMETER, call,
                   "a row pitch of 64 bytes: only a 2-D image in a buffer can have one");
}

/* No driver that runs without a GPU has 2-D images in buffers. So the checks are tested on a device that claims to
 * have them. */
static cl_uint claimed_pitch_alignment;

STUB(clGetDeviceInfo) {
    if (name != CL_DEVICE_IMAGE_PITCH_ALIGNMENT || !value || !claimed_pitch_alignment) return NEXT(clGetDeviceInfo);
    *(cl_uint *)value = claimed_pitch_alignment;
    return CL_SUCCESS;
}

TEST(a_plane_in_a_buffer_has_the_rows_that_the_device_needs) {
    const int32_t c = new_context(), b = new_buffer(c, 1024);
    clue_image_shape shape = image_shape(3, 2, 0);
    shape.buffer = b;
    if (device_number(CL_DEVICE_IMAGE_PITCH_ALIGNMENT) == 0)
        assert_refused(refused_image(c, 0, shape), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                       "%s has no 2-D images in buffers (no cl_khr_image2d_from_buffer): make an image with its "
                       "own memory and copy the buffer there",
                       device_name());
    claimed_pitch_alignment = 4;
    assert_refused(
        refused_image(c, 0, shape), CL_INVALID_IMAGE_DESCRIPTOR, CLUE_CAUSE_SIZE, call,
        "a row pitch of 48 bytes: on %s it must be a multiple of 64, and at least the 48 of a row of pixels",
        device_name());
    shape.row_pitch = 1024;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "the image has 2048 bytes, but its buffer has 1024");
    shape.row_pitch = INT64_C(1) << 62; /* times the height, it has no bits left */
    shape.height = 4;
    assert_refused(refused_image(c, 0, shape), CL_INVALID_IMAGE_SIZE, CLUE_CAUSE_SIZE, call,
                   "the image has 18446744073709551616 bytes, but its buffer has 1024");
    claimed_pitch_alignment = 0;
}

/* ---- formats ---- */

TEST(a_context_lists_its_formats) {
    const int32_t c = new_context();
    static const uint32_t wanted[] = {CL_RGBA, CL_FLOAT};
    uint32_t formats[512];
    int64_t size = 0, again = 0;
    bool found = false;
    assert_works(clue_image_formats(&size, c, CL_MEM_READ_WRITE, CL_MEM_OBJECT_IMAGE2D, NULL, 0));
    assert_true(size >= 8 && size % 8 == 0 && size <= (int64_t)sizeof formats);
    assert_works(clue_image_formats(&again, c, 0, CL_MEM_OBJECT_IMAGE2D, formats, sizeof formats));
    assert_int_equal(again, size);
    for (int64_t i = 0; i < size / 8; i++)
        found = found || memcmp(&formats[2 * i], wanted, 8) == 0;
    assert_true(found);
    assert_refused(clue_image_formats(&again, c, 0, CL_MEM_OBJECT_IMAGE2D, formats, 4), CL_INVALID_VALUE,
                   CLUE_CAUSE_SIZE, "clGetSupportedImageFormats", "a capacity of 4 bytes: the answer has %lld",
                   (long long)size);
    assert_int_equal(clue_image_formats(&again, c, 0, 3, NULL, 0), CL_INVALID_IMAGE_DESCRIPTOR);
    limits()->images = false;
    assert_works(clue_image_formats(&again, c, 0, CL_MEM_OBJECT_IMAGE2D, NULL, 0));
    assert_int_equal(again, 0);
    limits()->images = true;
}

/* Devices have three channels in packed types only. */
TEST(refusing_a_format_lists_those_that_the_device_has) {
    const int32_t c = new_context(), before = clue_handle_count();
    clue_image_shape shape = image_shape(4, 2, 2);
    char expected[160];
    shape.order = CL_RGB;
    snprintf(
        expected, sizeof expected,
        "%s has no 3-D images of order rgb with channels of type float for these flags; with this type it has the "
        "orders: ",
        device_name());
    assert_int_equal(refused_image(c, 0, shape), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    assert_memory_equal(clue_error_detail(), expected, strlen(expected));
    assert_non_null(strstr(clue_error_detail(), "rgba"));
    assert_int_equal(clue_handle_count(), before);
}

TEST(a_device_without_images_is_named) {
    const int32_t c = new_context();
    device *on = limits();
    on->images = false;
    assert_refused(refused_image(c, 0, image_shape(4, 2, 0)), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, call,
                   "%s has no images", device_name());
    on->images = true;
}

TEST(transfers_take_the_whole_image) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE), two = new_block(c, 0),
                  b = new_buffer(c, 4);
    float numbers[64] = {0};
    assert_refused(clue_queue_write_image(NULL, q, two, numbers, 124, NULL), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueWriteImage",
                   "an image of 4 x 2 x 1 pixels of 16 bytes each has 128 bytes, but 124 were given");
    assert_refused(clue_queue_read_image(NULL, NULL, q, two, 128, NULL), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueReadImage",
                   "an image of 4 x 2 x 1 pixels of 16 bytes each has 128 bytes, but 0 were given");
    assert_refused(clue_queue_read_image(NULL, numbers, q, b, 4, NULL), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueReadImage", "%d is a buffer; an image is needed", b);
    assert_refused(clue_queue_read(NULL, numbers, q, two, 0, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueReadBuffer", "%d is an image; a buffer is needed", two);
    assert_int_equal(
        clue_queue_read_image(NULL, numbers, new_queue(new_context(), CL_QUEUE_PROFILING_ENABLE), two, 128, NULL),
        CL_INVALID_CONTEXT);
    assert_null(clue_waiting());
}

TEST(flags_that_keep_the_host_out_are_explained) {
    const int32_t c = new_context(), q = new_queue(c, CL_QUEUE_PROFILING_ENABLE);
    const clue_image_shape shape = image_shape(1, 1, 0);
    float numbers[4];
    int32_t i = 0;
    assert_works(clue_image_create(&i, c, CL_MEM_HOST_NO_ACCESS, &shape));
    assert_refused(clue_queue_read_image(NULL, numbers, q, i, sizeof numbers, NULL), CL_INVALID_OPERATION,
                   CLUE_CAUSE_DRIVER, "clEnqueueReadImage", "the memory's flags do not allow the host to do this");
}
