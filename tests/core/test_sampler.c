/* Samplers: their modes, and kernels that read an image through them. */
#include "support.h"

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

static void kernels_read_images_through_samplers(void **state) {
    const struct row r = new_row();
    (void)state;
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), 2.5, 30, 40);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST), 3.5, 40, 40);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST), 3.5, 40, 0);
    assert_read(&r, new_sampler(r.context, 0, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR), 1.0, 15, 25);
    assert_read(&r, new_sampler(r.context, 1, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST), 0.375, 20, 20);
}

static void unknown_modes_are_refused(void **state) {
    const int32_t c = new_context();
    int32_t s = 7;
    (void)state;
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

static void a_device_without_images_has_no_samplers(void **state) {
    const int32_t c = new_context();
    device *on = limits();
    int32_t s = 7;
    (void)state;
    on->images = false;
    assert_refused(clue_sampler_create(&s, c, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR), CL_INVALID_OPERATION,
                   CLUE_CAUSE_LIMIT, call, "%s has no images, so it has no samplers", device_name());
    on->images = true;
}

static void only_sampler_arguments_take_samplers(void **state) {
    const struct row r = new_row();
    const int32_t s = new_sampler(r.context, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    const int32_t foreign = new_sampler(new_context(), 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    const int64_t two = 2;
    (void)state;
    assert_refused(clue_kernel_set_object(r.kernel, 1, s, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 1 'i' of kernel 'f' is image2d_t: it takes an image");
    assert_refused(clue_kernel_set_object(r.kernel, 3, s, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArg", "argument 3 'x' of kernel 'f' is float: it takes a value");
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

int main(void) {
    const struct CMUnitTest tests[] = {
        clue_unit_test(kernels_read_images_through_samplers),
        clue_unit_test(unknown_modes_are_refused),
        clue_unit_test(a_device_without_images_has_no_samplers),
        clue_unit_test(only_sampler_arguments_take_samplers),
    };
    return cmocka_run_group_tests_name("sampler", tests, NULL, NULL);
}
