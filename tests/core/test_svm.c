/* Shared virtual memory (svm): it is made, used by kernels and commands, seen by the host, and freed when nothing
 * uses it any more.
 *
 * suite: quick */
#define AFTER back_to_normal
#include "kept_context.h"

static int freed;
static bool exhausted; /* the driver has no more of it */

STUB(clSVMAlloc) {
    return exhausted ? NULL : NEXT(clSVMAlloc);
}

STUB(clSVMFree) {
    freed++;
    NEXT(clSVMFree);
}

static int back_to_normal(void **state) {
    const int code = free_everything(state);
    freed = 0;
    exhausted = false;
    return code;
}

/* A context on a device with these capabilities; ends the test if the device lacks them. */
static int32_t svm_context(cl_device_svm_capabilities needed) {
    if ((limits()->svm & needed) != needed) skip_because("CL_DEVICE_SVM_CAPABILITIES lacks what the test needs");
    return new_context();
}

static int32_t new_svm(int32_t in, int64_t size, int64_t flags) {
    int32_t handle = 0;
    assert_works(clue_svm_create(&handle, in, size, flags));
    assert_int_equal(clue_handle_kind(handle), CLUE_SVM);
    return handle;
}

/* 16 ints, 0 to 15. */
static int32_t new_numbers(int32_t in) {
    int32_t handle = 0, numbers[16];
    for (int i = 0; i < 16; i++)
        numbers[i] = i;
    assert_works(clue_svm_create_from(&handle, in, numbers, sizeof numbers, CL_MEM_READ_WRITE));
    return handle;
}

/* ---- refusals ---- */

TEST(a_device_without_svm_is_named) {
    const int32_t c = new_context();
    const cl_device_svm_capabilities had = limits()->svm;
    int32_t s = 7;
    limits()->svm = 0;
    assert_refused(clue_svm_create(&s, c, 64, 0), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clSVMAlloc",
                   "%s has no shared virtual memory (CL_DEVICE_SVM_CAPABILITIES is 0x0): use buffers",
                   device_name());
    limits()->svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    assert_refused(clue_svm_create(&s, c, 64, CL_MEM_SVM_FINE_GRAIN_BUFFER), CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT,
                   "clSVMAlloc", "%s has no fine-grained shared virtual memory (CL_DEVICE_SVM_CAPABILITIES is 0x1)",
                   device_name());
    limits()->svm |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
    assert_refused(clue_svm_create(&s, c, 64, CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS),
                   CL_INVALID_OPERATION, CLUE_CAUSE_LIMIT, "clSVMAlloc",
                   "%s has no atomics in shared virtual memory (CL_DEVICE_SVM_CAPABILITIES is 0x3)", device_name());
    limits()->svm = had;
    assert_int_equal(s, 7);
}

TEST(impossible_svm_is_refused) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), before = clue_handle_count();
    int32_t s = 7;
    assert_refused(clue_svm_create(&s, c, 0, 0), CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, "clSVMAlloc",
                   "shared virtual memory of 0 bytes: it needs at least 1");
    assert_refused(clue_svm_create(&s, c, (int64_t)limits()->max_allocation + 1, 0), CL_INVALID_BUFFER_SIZE,
                   CLUE_CAUSE_LIMIT, "clSVMAlloc", "shared virtual memory of %llu bytes: the maximum on %s is %llu",
                   (unsigned long long)limits()->max_allocation + 1, device_name(),
                   (unsigned long long)limits()->max_allocation);
    assert_refused(clue_svm_create(&s, c, 64, CL_MEM_USE_HOST_PTR), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSVMAlloc", "0x8 are not flags of shared virtual memory");
    assert_refused(clue_svm_create(&s, c, 64, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY), CL_INVALID_VALUE,
                   CLUE_CAUSE_PARAMETER, "clSVMAlloc", "CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY exclude each other");
    assert_refused(clue_svm_create(&s, c, 64, CL_MEM_SVM_ATOMICS), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSVMAlloc", "CL_MEM_SVM_ATOMICS also needs CL_MEM_SVM_FINE_GRAIN_BUFFER");
    assert_refused(clue_svm_create_from(&s, c, NULL, 64, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clEnqueueSVMMemcpy", "there is no memory to copy");
    exhausted = true;
    assert_int_equal(clue_svm_create(&s, c, 64, 0), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_string_equal(clue_error_call(), "clSVMAlloc");
    assert_int_equal(clue_error_cause(), CLUE_CAUSE_DRIVER);
    assert_int_equal(s, 7);
    assert_int_equal(clue_handle_count(), before);
}

/* ---- commands ---- */

TEST(a_kernel_takes_svm) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_numbers(c);
    const int32_t k = new_kernel(c, kernel_hundred);
    int64_t size = 0, flags = 0;
    void *pointer = NULL;
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    run_1d(k, 16);
    assert_works(clue_kernel_set_object(k, 0, s, 8)); /* from the third number on */
    run_and_wait(k, 4);
    assert_int_equal(number_at(q, s, 1), 101);
    assert_int_equal(number_at(q, s, 2), 202);
    assert_int_equal(number_at(q, s, 5), 205);
    assert_int_equal(number_at(q, s, 6), 106);
    assert_works(clue_memory_size(&size, s));
    assert_works(clue_svm_flags(&flags, s));
    assert_works(clue_handle_pointer(&pointer, s, CLUE_NONE));
    assert_int_equal(size, 64);
    assert_int_equal(flags, CL_MEM_READ_WRITE);
    assert_non_null(pointer);
}

TEST(impossible_svm_arguments_are_refused) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), s = new_numbers(c);
    const int32_t k = new_kernel(c, "__kernel void f(__global int *a, int b, __local int *l) { a[0] = b + l[0]; }");
    const int32_t b = new_buffer(c, 64), foreign = new_numbers(new_context());
    const int64_t one = 1;
    assert_refused(clue_kernel_set_object(k, 1, s, 0), CL_INVALID_ARG_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArgSVMPointer",
                   "argument 1 'b' of kernel 'f' is int: it takes a value (in MQL5, CLSetKernelArg)");
    assert_int_equal(clue_kernel_set_object(k, 2, s, 0), CL_INVALID_ARG_VALUE);
    assert_refused(clue_kernel_set_object(k, 0, s, 64), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET,
                   "clSetKernelArgSVMPointer", "offset 64 is outside the svm of 64 bytes");
    assert_int_equal(clue_kernel_set_object(k, 0, s, -1), CL_INVALID_VALUE);
    assert_refused(clue_kernel_set_object(k, 0, foreign, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER,
                   "clSetKernelArgSVMPointer", "svm %d belongs to another context than kernel 'f'", foreign);
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    assert_works(clue_kernel_set_number(k, 1, CLUE_INT, 1));
    assert_works(clue_kernel_set_local(k, 2, 4));
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_int_equal(freed, 0); /* the kernel keeps it */
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE,
                   "clEnqueueNDRangeKernel",
                   "argument 0 'a' of kernel 'f' is svm %d, which was freed: free it after the kernel's last "
                   "execution",
                   s);
    assert_works(clue_kernel_set_object(k, 0, b, 0));
    assert_int_equal(freed, 1);
}

TEST(bytes_are_copied_and_filled) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0);
    const int32_t s = new_numbers(c), t = new_svm(c, 64, 0), seven = 7, given[2] = {50, 51};
    int32_t event = 0;
    assert_works(clue_queue_copy(&event, q, s, 0, t, 0, 64));
    assert_int_equal(clue_handle_kind(event), CLUE_EVENT);
    assert_works(clue_queue_copy(NULL, q, s, 4, t, 60, 4));
    assert_works(clue_queue_copy(NULL, q, t, 8, t, 0, 8)); /* within it, to the bytes right before */
    assert_works(clue_queue_fill(NULL, q, t, 16, 8, &seven, sizeof seven));
    assert_works(clue_queue_write(NULL, q, t, 24, given, sizeof given));
    assert_int_equal(number_at(q, t, 0), 2);
    assert_int_equal(number_at(q, t, 15), 1);
    assert_int_equal(number_at(q, t, 5), 7);
    assert_int_equal(number_at(q, t, 6), 50);
    assert_int_equal(number_at(q, t, 7), 51);
    assert_int_equal(number_at(q, t, 8), 8);
}

TEST(transfers_need_not_be_waited_for) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_svm(c, 64, 0);
    int32_t *numbers = clue_array_allocate(64), written = 0, read = 0, back[16] = {0};
    for (int i = 0; i < 16; i++)
        numbers[i] = 3 * i;
    assert_works(clue_queue_write(&written, q, s, 0, numbers, 64));
    assert_works(clue_queue_read(&read, back, q, s, 0, 64));
    assert_works(clue_array_settle(numbers, 64)); /* before the memory is freed */
    clue_array_free(numbers);
    assert_works(clue_event_wait(read));
    assert_int_equal(back[15], 45);
}

TEST(impossible_commands_are_refused) {
    static const char copy[] = "clEnqueueSVMMemcpy", fill[] = "clEnqueueSVMMemFill";
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_numbers(c);
    const int32_t foreign = new_numbers(new_context()), b = new_buffer(c, 64), seven = 7;
    const int32_t mixed[] = {s, b};
    int32_t event = 7;
    assert_refused(clue_queue_copy(&event, q, s, 0, b, 0, 8), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, copy,
                   "%d is a buffer; shared virtual memory is needed", b);
    assert_refused(clue_queue_copy(&event, q, b, 0, s, 0, 8), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE,
                   "clEnqueueCopyBuffer", "%d is shared virtual memory; a buffer is needed", s);
    assert_refused(clue_queue_migrate(&event, q, mixed, 2, 0), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE,
                   "clEnqueueSVMMigrateMem", "%d is a buffer; shared virtual memory is needed", b);
    assert_refused(clue_queue_copy(&event, q, s, 0, s, 4, 8), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER, copy,
                   "the ranges of 8 bytes overlap");
    assert_refused(clue_queue_copy(&event, q, s, 60, s, 0, 8), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, copy,
                   "8 bytes from offset 60 is too much for the svm of 64 bytes");
    assert_refused(clue_queue_copy(&event, q, s, 0, s, 32, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, copy,
                   "0 bytes: there is nothing to do");
    assert_refused(clue_queue_copy(&event, q, s, 0, foreign, 0, 8), CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, copy,
                   "the svm belongs to another context than queue %d", q);
    assert_refused(clue_queue_fill(&event, q, s, 2, 4, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_OFFSET, fill,
                   "size 4 and offset 2: both must be multiples of the pattern's 4 bytes");
    assert_int_equal(clue_queue_fill(&event, q, s, 0, 0, &seven, 4), CL_INVALID_VALUE);
    assert_int_equal(clue_queue_write(&event, q, s, 64, &seven, 4), CL_INVALID_VALUE);
    assert_int_equal(clue_queue_write(&event, q, s, 0, NULL, 4), CL_INVALID_VALUE);
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_refused(clue_queue_write(&event, q, s, 0, &seven, 4), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, copy,
                   "svm %d was freed", s);
    assert_int_equal(event, 7);
}

TEST(svm_is_migrated_to_the_device) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0);
    const int32_t both[] = {new_numbers(c), new_numbers(c)};
    int32_t event = 0;
    assert_true(device_has_version(limits(), 2, 0));
    assert_false(device_has_version(limits(), 9, 0));
    assert_works(clue_queue_migrate(&event, q, both, 2, 0));
    assert_works(clue_event_wait(event));
    assert_works(clue_queue_migrate(NULL, q, both, 1, CL_MIGRATE_MEM_OBJECT_HOST));
    assert_int_equal(number_at(q, both[0], 3), 3);
    assert_refused(clue_queue_migrate(NULL, q, both, 1, 64), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clEnqueueSVMMigrateMem", "0x40 are not migration flags");
}

/* ---- the host's view ---- */

TEST(the_host_sees_svm_while_it_is_mapped) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_numbers(c);
    const int32_t k = new_kernel(c, kernel_hundred);
    const int64_t one = 1;
    int32_t m = 0, *numbers;
    void *data = NULL;
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    assert_works(clue_queue_map(&data, &m, q, s, CL_MAP_READ | CL_MAP_WRITE, 8, 8));
    numbers = data;
    assert_int_equal(numbers[1], 3);
    numbers[1] = 33;
    assert_refused(
        clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
        "clEnqueueNDRangeKernel",
        "argument 0 'a' of kernel 'f' is svm %d, which is mapped for writing by the host: unmap it first", s);
    assert_refused(clue_queue_fill(NULL, q, s, 0, 4, &one, 4), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clEnqueueSVMMemFill", "the svm is mapped for writing by the host: unmap it first");
    assert_works(clue_queue_unmap(q, m));
    assert_int_equal(number_at(q, s, 3), 33);
    assert_works(clue_queue_map(&data, &m, q, s, CL_MAP_WRITE, 0, 64));
    *(int32_t *)data = 11;
    assert_works(clue_handle_free(s, CLUE_SVM)); /* the mapping keeps it */
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_int_equal(freed, 0);
    assert_works(clue_handle_free(m, CLUE_MAPPING)); /* which unmaps it */
    assert_works(clue_queue_finish(q));
    assert_int_equal(freed, 1);
}

TEST(a_view_of_coarse_grained_memory_is_refused) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_numbers(c);
    int32_t m = 7;
    void *data = NULL;
    assert_refused(clue_svm_view(&data, &m, s, 0, 64), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clEnqueueSVMMap", "svm %d is coarse-grained, so the host may touch it only while it is mapped",
                   s);
    assert_refused(clue_queue_map(&data, &m, q, s, CL_MAP_READ, 0, 0), CL_INVALID_VALUE, CLUE_CAUSE_SIZE,
                   "clEnqueueSVMMap", "0 bytes: there is nothing to map");
    assert_int_equal(clue_queue_map(&data, &m, q, s, 0, 0, 4), CL_INVALID_VALUE);
    assert_int_equal(m, 7);
}

TEST(fine_grained_memory_is_seen_at_any_time) {
    const int32_t c = svm_context(CL_DEVICE_SVM_FINE_GRAIN_BUFFER), q = new_queue(c, 0);
    const int32_t s = new_svm(c, 64, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER),
                  k = new_kernel(c, kernel_hundred);
    int32_t view = 0, m = 0, *numbers;
    void *data = NULL;
    assert_works(clue_svm_view(&data, &view, s, 0, 64));
    numbers = data;
    memset(numbers, 0, 64);
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    run_and_wait(k, 16);
    assert_int_equal(numbers[15], 100);
    assert_works(
        clue_queue_map(&data, &m, q, s, CL_MAP_READ | CL_MAP_WRITE, 0, 64)); /* mapping it is allowed, too */
    run_and_wait(k, 16);
    assert_int_equal(numbers[0], 200);
    assert_works(clue_queue_unmap(q, m));
    assert_works(clue_queue_unmap(q, view));
    assert_int_equal(clue_handle_kind(view), CLUE_NONE);
    assert_refused(clue_svm_view(&data, &view, s, 60, 8), CL_INVALID_VALUE, CLUE_CAUSE_SIZE, "clEnqueueSVMMap",
                   "8 bytes from offset 60 is too much for the svm of 64 bytes");
}

TEST(a_view_keeps_its_svm) {
    const int32_t c = svm_context(CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
    const int32_t s = new_svm(c, 64, CL_MEM_SVM_FINE_GRAIN_BUFFER);
    int32_t view = 0;
    void *data = NULL;
    assert_works(clue_svm_view(&data, &view, s, 0, 64));
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    assert_int_equal(freed, 0);
    memset(data, 1, 64);
    assert_works(clue_handle_free(view, CLUE_MAPPING));
    assert_int_equal(freed, 1);
}

/* ---- pointers in it ---- */

static const char follow[] = "typedef struct node { int number; __global struct node *next; } node;\n"
                             "__kernel void f(__global node *from, __global int *sum) {\n"
                             "  int found = 0;\n"
                             "  for (__global node *at = from; at; at = at->next) found += at->number;\n"
                             "  *sum = found;\n"
                             "}";
struct node {
    int32_t number;
    struct node *next;
};

TEST(a_kernel_follows_pointers) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0),
                  k = new_kernel(c, follow);
    const int32_t first = new_svm(c, sizeof(struct node), 0), second = new_svm(c, sizeof(struct node), 0);
    const int32_t sum = new_buffer(c, 4), none = 0;
    struct node nodes[] = {{20, NULL}, {3, NULL}};
    const int64_t one = 1;
    void *next = NULL;
    int32_t m = 0, found = 0;
    assert_works(clue_handle_pointer(&next, second, CLUE_SVM));
    nodes[0].next = next;
    assert_works(clue_queue_write(NULL, q, first, 0, &nodes[0], sizeof nodes[0]));
    assert_works(clue_queue_write(NULL, q, second, 0, &nodes[1], sizeof nodes[1]));
    assert_works(clue_kernel_set_object(k, 0, first, 0));
    assert_works(clue_kernel_set_object(k, 1, sum, 0));
    assert_works(clue_kernel_set_svm_pointers(k, &second, 1));
    run_1d(k, 1);
    assert_works(clue_buffer_read(&found, sum, 0, 4));
    assert_int_equal(found, 23);
    assert_works(clue_queue_map(&next, &m, q, second, CL_MAP_WRITE, 0, 4));
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER,
                   "clEnqueueNDRangeKernel",
                   "kernel 'f' reaches svm %d, which is mapped for writing by the host: unmap it first", second);
    assert_works(clue_queue_unmap(q, m));
    assert_refused(clue_kernel_set_svm_pointers(k, &none, 0), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER,
                   "clSetKernelExecInfo",
                   "a list of 0: OpenCL can replace the list of what kernel 'f' reaches, but cannot empty it");
    assert_int_equal(clue_kernel_set_svm_pointers(k, &sum, 1), CL_INVALID_VALUE);
    assert_works(clue_handle_free(second, CLUE_SVM));
    assert_int_equal(freed, 0);
    assert_refused(clue_kernel_execute(k, 1, NULL, &one, NULL), CL_INVALID_VALUE, CLUE_CAUSE_HANDLE,
                   "clEnqueueNDRangeKernel", "kernel 'f' reaches shared virtual memory of 16 bytes that was freed");
    assert_works(clue_kernel_set_svm_pointers(k, &first, 1));
    assert_works(clue_queue_finish(q));
    assert_int_equal(freed, 1);
}

/* ---- freeing ---- */

/* Enqueues a kernel that waits for a user event. Returns the user event. */
static int32_t run_behind_event(int32_t c, int32_t q, int32_t s, bool reached) {
    const int32_t k = new_kernel(c, kernel_hundred), other = new_numbers(c);
    const int64_t global = 16;
    int32_t start = 0, done = 0;
    assert_works(clue_user_event_create(&start, c));
    assert_works(clue_kernel_set_object(k, 0, reached ? other : s, 0));
    if (reached) assert_works(clue_kernel_set_svm_pointers(k, &s, 1));
    assert_works(clue_queue_wait_for(q, &start, 1));
    assert_works(clue_queue_execute(&done, q, k, 1, NULL, &global, NULL));
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_works(clue_handle_free(done, CLUE_EVENT));
    assert_works(clue_handle_free(other, CLUE_SVM));
    return start;
}

TEST(svm_lives_as_long_as_a_command_uses_it) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
    if (limits()->synchronous) skip_because("commands run in the calling thread");
    for (int order = 0; order < 4; order++) {
        const bool unordered = (order & 2) != 0;
        int32_t q = 0, soon_done = new_queue(c, 0), start, s = new_numbers(c);
        if (unordered && !limits()->out_of_order) continue;
        assert_works(clue_queue_create(&q, c, c, unordered ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0));
        start = run_behind_event(c, q, s, order & 1);
        assert_works(clue_queue_fill(NULL, soon_done, s, 0, 4, "abcd", 4));
        assert_works(clue_queue_finish(soon_done));
        freed = 0;
        assert_works(clue_handle_free(s, CLUE_SVM));
        assert_works(clue_handle_free(new_svm(c, 64, 0), CLUE_SVM)); /* frees what is unused, too */
        assert_int_equal(freed, 1);
        assert_works(clue_user_event_set(start, 0));
        assert_works(clue_queue_finish(q));
        assert_int_equal(freed, order & 1 ? 3 : 2);
    }
}

/* A transfer of a buffer may read or write the svm through the host's view of it. */
TEST(svm_lives_as_long_as_a_transfer_goes_there) {
    const int32_t c = svm_context(CL_DEVICE_SVM_FINE_GRAIN_BUFFER), q = new_queue(c, 0), b = new_buffer(c, 64);
    const int32_t s = new_svm(c, 64, CL_MEM_SVM_FINE_GRAIN_BUFFER);
    int32_t start = 0, read = 0, view = 0;
    void *data = NULL;
    if (limits()->synchronous) skip_because("commands run in the calling thread");
    assert_works(clue_user_event_create(&start, c));
    assert_works(clue_svm_view(&data, &view, s, 0, 64));
    assert_works(clue_queue_wait_for(q, &start, 1));
    assert_works(clue_queue_read(&read, (char *)data + 32, q, b, 0, 16));
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_works(clue_queue_unmap(new_queue(c, 0), view));
    assert_int_equal(freed, 0);
    assert_works(clue_user_event_set(start, 0));
    assert_works(clue_queue_finish(q));
    assert_int_equal(freed, 1);
}

/* The newest command that uses the svm has ended, but the one before has not begun. */
TEST(a_failed_command_does_not_free_svm_that_another_needs) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0), s = new_numbers(c);
    const int64_t global = 16;
    int32_t events[2], k, newest = 0;
    k = new_kernel(c, kernel_hundred);
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    for (int i = 0; i < 2; i++) {
        assert_works(clue_user_event_create(&events[i], c));
        assert_works(clue_queue_wait_for(q, &events[i], 1));
        assert_works(clue_queue_execute(&newest, q, k, 1, NULL, &global, NULL));
    }
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_works(clue_user_event_set(events[1], -1));
    assert_int_equal(clue_event_wait(newest), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_int_equal(freed, 0);
    assert_works(clue_user_event_set(events[0], CL_COMPLETE));
    assert_int_equal(clue_queue_finish(q), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_int_equal(freed, 1);
}

TEST(a_context_frees_the_remaining_svm) {
    const int32_t c = svm_context(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), q = new_queue(c, 0),
                  s = new_svm(c, 1 << 22, 0);
    const int32_t k = new_kernel(c, kernel_hundred);
    assert_works(clue_kernel_set_object(k, 0, s, 0));
    for (int i = 0; i < 4; i++)
        run_1d(k, 1 << 20);
    assert_works(clue_handle_free(s, CLUE_SVM));
    assert_works(clue_handle_free(k, CLUE_KERNEL));
    assert_works(clue_handle_free(q, CLUE_QUEUE));
    assert_works(clue_handle_free(c, CLUE_CONTEXT));
    assert_int_equal(freed, 1);
}
