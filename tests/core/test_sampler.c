/* Samplers: their modes, and kernels that read an image through them.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "kept_context.h"

static const char call[] = "clCreateSampler";
static const char source[] = "__kernel void f(__global float *a, read_only image2d_t i, sampler_t s, float x) {"
                             "  a[get_global_id(0)] = read_imagef(i, s, (float2)(x + get_global_id(0), 0.5f)).x; }";

static int32_t new_sampler(int32_t in, int32_t normalized, uint32_t addressing, uint32_t filter) {
    int32_t handle = 0;
    assert_works(clue_sampler_create(&handle, in, normalized, addressing, filter));
    assert_int_equal(clue_handle_kind(handle), CLUE_SAMPLER);
    return handle;
}

/* A row of 10, 20, 30, 40, read at x and at x + 1 by kernel k. */
struct row {
    int32_t context, queue, image, buffer, kernel;
};

static struct row new_row(void) {
    const float pixels[16] = {10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40, 0, 0, 0};
    struct row r = {.context = new_context()};
    assert_works(clue_queue_create(&r.queue, r.context, r.context, 0));
    r.image = new_image(r.context, image_shape(4, 1, 0));
    assert_works(clue_queue_write_image(NULL, r.queue, r.image, pixels, sizeof pixels, NULL));
    r.buffer = new_buffer(r.context, 8);
    r.kernel = new_kernel(r.context, source);
    assert_works(clue_kernel_set_object(r.kernel, 0, r.buffer, 0));
    assert_works(clue_kernel_set_object(r.kernel, 1, r.image, 0));
    return r;
}

static void assert_read(const struct row *r, int32_t sampler_handle, double x, float first, float second) {
    const int64_t two = 2;
    float read[2];
    assert_works(clue_kernel_set_object(r->kernel, 2, sampler_handle, 0));
    assert_works(clue_kernel_set_number(r->kernel, 3, CLUE_FLOAT, x));
    assert_works(clue_queue_execute(NULL, r->queue, r->kernel, 1, NULL, &two, NULL));
    assert_works(clue_queue_read(NULL, read, r->queue, r->buffer, 0, 8));
    assert_true(read[0] == first);
    assert_true(read[1] == second);
}

TEST(kernels_read_images_through_samplers) {
    const struct row r = new_row();
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), 2.5, 30, 40);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), 3.5, 40, 40);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), 3.5, 40, 0);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR), 1.0, 15, 25);
    assert_read(&r, new_sampler(r.context, 1, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST), 0.375, 20, 20);
}

TEST(unknown_modes_are_refused) {
    const int32_t c = new_context();
    int32_t s = 7;
    assert_refused(clue_sampler_create(&s, c, 1, 1, CL_FILTER_NEAREST), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   call, "0x1 is not an addressing mode: use CL_ADDRESS_NONE to CL_ADDRESS_MIRRORED_REPEAT");
    assert_refused(clue_sampler_create(&s, c, 1, CL_ADDRESS_CLAMP, 2), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "0x2 is not a filter mode: use CL_FILTER_NEAREST or CL_FILTER_LINEAR");
    assert_refused(clue_sampler_create(&s, c, 0, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, call, "CL_ADDRESS_REPEAT needs normalized coordinates, from 0 to 1");
    assert_refused(clue_sampler_create(&s, c, 0, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, call,
                   "CL_ADDRESS_MIRRORED_REPEAT needs normalized coordinates, from 0 to 1");
    assert_int_equal(clue_sampler_create(&s, -1, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR), CL_INVALID_CONTEXT);
    assert_int_equal(s, 7);
}

TEST(a_device_without_images_has_no_samplers) {
    const int32_t c = new_context();
    device *on = limits();
    int32_t s = 7;
    on->images = false;
    assert_refused(clue_sampler_create(&s, c, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR), CL_INVALID_OPERATION,
                   CLUE_CAUSE_LIMIT, call, "%s has no images, so it has no samplers", device_name());
    on->images = true;
}

TEST(only_sampler_arguments_take_samplers) {
    const struct row r = new_row();
    const int32_t s = new_sampler(r.context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    const int32_t foreign = new_sampler(new_context(), 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    const int64_t two = 2;
    assert_refused(clue_kernel_set_object(r.kernel, 1, s, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 1 'i' of kernel 'f' is image2d_t: it takes an image");
    assert_refused(clue_kernel_set_object(r.kernel, 3, s, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg",
                   "argument 3 'x' of kernel 'f' is float: it takes a value (in MQL5, CLSetKernelArg)");
    assert_refused(clue_kernel_set_object(r.kernel, 2, r.image, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 2 's' of kernel 'f' is sampler_t: it takes a sampler");
    assert_refused(clue_kernel_set_object(r.kernel, 2, foreign, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "sampler %d belongs to another context than kernel 'f'", foreign);
    assert_works(clue_kernel_set_number(r.kernel, 3, CLUE_FLOAT, 0.5));
    assert_works(clue_kernel_set_object(r.kernel, 2, s, 0));
    assert_works(clue_handle_free(s, CLUE_SAMPLER));
    assert_refused(clue_queue_execute(NULL, r.queue, r.kernel, 1, NULL, &two, NULL), CL_INVALID_SAMPLER,
                   CLUE_CAUSE_HANDLE, "clEnqueueNDRangeKernel",
                   "argument 2 's' of kernel 'f' is sampler %d, which was freed", s);
}

/* ---- typedefs ---- */

/* The type of `flat` is certain for the compiler alone. */
static const char typedefs[] =
    "typedef read_only image2d_t tex; typedef image3d_t solid; typedef sampler_t point; typedef point nearest;\n"
    "#ifdef cl_khr_nothing\ntypedef image3d_t flat;\n#else\ntypedef image2d_t flat;\n#endif\n"
    "__kernel void f(__global float *a, tex two, read_only solid three, read_only flat other, nearest s) {"
    "  const int i = (int)get_global_id(0);"
    "  a[i] = read_imagef(two, s, (int2)(i, 0)).x + 100 * read_imagef(three, s, (int4)(i, 1, 1, 0)).x"
    "         + 10000 * read_imagef(other, s, (int2)(3 - i, 0)).x; }";

TEST(typedefs_for_images_and_samplers_take_nothing_else) {
    static const char set[] = "clSetKernelArg";
    const int32_t c = new_context(), k = new_kernel(c, typedefs), b = new_buffer(c, 16);
    const int32_t three = new_image(c, image_shape(4, 2, 2));
    assert_refused(clue_kernel_set_object(k, 1, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 1 'two' of kernel 'f' is tex: it takes an image");
    assert_refused(clue_kernel_set_object(k, 3, b, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 3 'other' of kernel 'f' is flat: it takes an image");
    assert_refused(clue_kernel_set_number(k, 4, CLUE_LONG, 1), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 4 's' of kernel 'f' is nearest: it takes a sampler");
    if (device_find(0, "")->pocl) return;
    assert_refused(clue_kernel_set_object(k, 1, three, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER, set,
                   "argument 1 'two' of kernel 'f' is image2d_t, and image %d is an image3d_t", three);
}

TEST(pocl_takes_no_typedefs_for_images_and_samplers) {
    static const char why[] = "and PoCL passes images and samplers wrongly if the kernel has a typedef for them";
    const int32_t c = new_context(), k = new_kernel(c, typedefs), two = new_image(c, image_shape(4, 1, 0));
    const int32_t s = new_sampler(c, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST);
    if (!device_find(0, "")->pocl) skip_because("only PoCL does so");
    assert_refused(clue_kernel_set_object(k, 1, two, 0), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clSetKernelArg",
                   "argument 1 'two' of kernel 'f' is tex, %s: write image2d_t, or make tex a macro", why);
    assert_refused(clue_kernel_set_object(k, 3, two, 0), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clSetKernelArg",
                   "argument 3 'other' of kernel 'f' is flat, %s: write the image's type, or make flat a macro",
                   why);
    assert_refused(clue_kernel_set_object(k, 4, s, 0), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clSetKernelArg",
                   "argument 4 's' of kernel 'f' is nearest, %s: write sampler_t, or make nearest a macro", why);
}

TEST(kernels_take_images_and_samplers_by_typedefs) {
    const float row[16] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4},
                block[64] = {[48] = 5, [52] = 6, [56] = 7, [60] = 8};
    const struct row r = new_row();
    const int32_t k = new_kernel(r.context, typedefs), b = new_buffer(r.context, 16);
    const int32_t three = new_image(r.context, image_shape(4, 2, 2));
    const int64_t global = 4;
    float read[4];
    if (device_find(0, "")->pocl) skip_because("it passes them wrongly");
    assert_works(clue_queue_write_image(NULL, r.queue, r.image, row, sizeof row, NULL));
    assert_works(clue_queue_write_image(NULL, r.queue, three, block, sizeof block, NULL));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_kernel_set_object(k, 1, r.image, 0));
    assert_works(clue_kernel_set_object(k, 2, three, 0));
    assert_works(clue_kernel_set_object(k, 3, r.image, 0));
    assert_refused(clue_queue_execute(NULL, r.queue, k, 1, NULL, &global, NULL), CL_INVALID_KERNEL_ARGS,
                   CLUE_CAUSE_PARAMETER, "clEnqueueNDRangeKernel",
                   "argument 4 's' of kernel 'f' was never set: it takes a sampler (nearest)");
    assert_works(
        clue_kernel_set_object(k, 4, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), 0));
    assert_works(clue_queue_execute(NULL, r.queue, k, 1, NULL, &global, NULL));
    assert_works(clue_queue_read(NULL, read, r.queue, b, 0, sizeof read));
    for (int i = 0; i < 4; i++)
        assert_true(read[i] == (float)(i + 1 + 100 * (i + 5) + 10000 * (4 - i)));
}
