/* The OpenCL objects of handles: the driver knows each of them, and handles without one are refused.
 *
 * suite: quick
 * drivers: pocl oclgrind */
#include "support.h"

static const char call[] = "clRetain";

static void *pointer_of(int32_t id, int32_t kind) {
    void *pointer = NULL;
    assert_works(clue_handle_pointer(&pointer, id, kind));
    assert_non_null(pointer);
    return pointer;
}

/* The driver finds the expected context of the object. */
#define assert_in_context(function, object, property, expected)                                                    \
    do {                                                                                                           \
        cl_context found = NULL;                                                                                   \
        assert_int_equal(function(object, property, sizeof found, &found, NULL), CL_SUCCESS);                      \
        assert_ptr_equal(found, expected);                                                                         \
    } while (0)

TEST(each_kind_gives_its_opencl_object) {
    const int32_t c = new_context(), b = new_buffer(c, 64);
    const int32_t p = new_program(c, kernel_increment);
    int32_t k = 0, q = 0, e = 0;
    const int64_t one = 1;
    cl_context in = pointer_of(c, CLUE_NONE);
    assert_works(clue_kernel_create(&k, p, "f"));
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_works(clue_queue_execute(&e, q, k, 1, NULL, &one, NULL));
    assert_in_context(clGetMemObjectInfo, pointer_of(b, CLUE_NONE), CL_MEM_CONTEXT, in);
    assert_in_context(clGetProgramInfo, pointer_of(p, CLUE_NONE), CL_PROGRAM_CONTEXT, in);
    assert_in_context(clGetKernelInfo, pointer_of(k, CLUE_NONE), CL_KERNEL_CONTEXT, in);
    assert_in_context(clGetCommandQueueInfo, pointer_of(q, CLUE_NONE), CL_QUEUE_CONTEXT, in);
    assert_in_context(clGetEventInfo, pointer_of(e, CLUE_NONE), CL_EVENT_CONTEXT, in);
    assert_ptr_equal(pointer_of(b, CLUE_BUFFER), pointer_of(b, CLUE_NONE));
    assert_works(clue_queue_finish(q));
}

TEST(an_image_is_a_memory_object) {
    const int32_t c = new_context();
    int32_t i;
    cl_mem_object_type type = 0;
    if (!limits()->images) skip_because("no images");
    i = new_image(c, image_shape(4, 4, 0));
    assert_int_equal(clGetMemObjectInfo(pointer_of(i, CLUE_IMAGE), CL_MEM_TYPE, sizeof type, &type, NULL), 0);
    assert_int_equal(type, CL_MEM_OBJECT_IMAGE2D);
}

TEST(a_sampler_gives_its_opencl_object) {
    const int32_t c = new_context();
    int32_t s = 0;
    cl_filter_mode filter = 0;
    if (!limits()->images) skip_because("no images, and so no samplers");
    assert_works(clue_sampler_create(&s, c, 0, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR));
    assert_int_equal(
        clGetSamplerInfo(pointer_of(s, CLUE_SAMPLER), CL_SAMPLER_FILTER_MODE, sizeof filter, &filter, NULL), 0);
    assert_int_equal(filter, CL_FILTER_LINEAR);
    assert_in_context(clGetSamplerInfo, pointer_of(s, CLUE_NONE), CL_SAMPLER_CONTEXT, pointer_of(s, CLUE_CONTEXT));
}

TEST(a_handle_gives_its_context_and_device) {
    const int32_t c = new_context(), b = new_buffer(c, 64);
    cl_context in = pointer_of(c, CLUE_CONTEXT);
    cl_device_id on = NULL;
    assert_ptr_equal(pointer_of(b, CLUE_CONTEXT), in);
    assert_int_equal(clGetContextInfo(in, CL_CONTEXT_DEVICES, sizeof on, &on, NULL), CL_SUCCESS);
    assert_ptr_equal(pointer_of(b, CLUE_DEVICE), on);
    assert_ptr_equal(pointer_of(c, CLUE_DEVICE), on);
    assert_ptr_equal(pointer_of(0, CLUE_DEVICE), on);
    assert_ptr_equal(pointer_of(0, CLUE_NONE), on);
    assert_in_context(clGetCommandQueueInfo, pointer_of(c, CLUE_QUEUE), CL_QUEUE_CONTEXT, in);
}

TEST(handles_without_an_opencl_object_are_refused) {
    const int32_t c = new_context(), b = new_buffer(c, 64);
    void *data, *pointer = (void *)7;
    int32_t m = 0, q = 0;
    assert_works(clue_queue_create(&q, c, c, 0));
    assert_works(clue_queue_map(&data, &m, q, b, CL_MAP_READ, 0, 64));
    assert_refused(clue_handle_pointer(&pointer, m, CLUE_NONE), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                   "there is no OpenCL object behind handle %d", (int)m);
    assert_refused(clue_handle_pointer(&pointer, b, CLUE_QUEUE), CL_INVALID_COMMAND_QUEUE, CLUE_CAUSE_HANDLE, call,
                   "%d is a buffer; a queue is needed", (int)b);
    assert_refused(clue_handle_pointer(&pointer, -1, CLUE_NONE), CL_INVALID_VALUE, CLUE_CAUSE_FAILED, call,
                   "-1 is not a handle");
    assert_refused(clue_handle_pointer(&pointer, 65535, CLUE_CONTEXT), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                   "65535 is not a handle: handles are 65536 or more");
    assert_refused(clue_handle_pointer(&pointer, c, -1), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "-1 is not a kind of handle");
    assert_refused(clue_handle_pointer(&pointer, c, 1000), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                   "1000 is not a kind of handle");
    assert_works(clue_handle_free(m, CLUE_MAPPING));
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_refused(clue_handle_pointer(&pointer, b, CLUE_NONE), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                   "buffer %d was freed", (int)b);
    assert_ptr_equal(pointer, (void *)7);
}

/* Some drivers divide no devices, and Debian's divide none with a single compute unit. */
TEST(a_part_of_a_device_has_no_context) {
    int32_t part[2] = {0, 0}, count = 0;
    const int64_t one = 1;
    void *pointer = NULL;
    if (clue_device_partition(NULL, &count, 0, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1) || count > 2)
        skip_because("it does not divide into one or two parts");
    assert_works(clue_device_partition(part, &count, 2, 0, CL_DEVICE_PARTITION_EQUALLY, &one, 1));
    assert_ptr_equal(pointer_of(part[0], CLUE_NONE), pointer_of(part[0], CLUE_DEVICE));
    assert_true(pointer_of(part[0], CLUE_NONE) != pointer_of(0, CLUE_NONE));
    assert_refused(clue_handle_pointer(&pointer, part[0], CLUE_CONTEXT), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, call,
                   "there is no OpenCL object behind handle %d: it belongs to no context", (int)part[0]);
}
