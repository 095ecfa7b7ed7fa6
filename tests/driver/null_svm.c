/* null_svm.c - the null driver's shared virtual memory: real memory of the host's, which no command touches.
 *
 * Records tell it by number and offset. */
#include "null.h"

#include <stdlib.h>

typedef struct null_svm {
    char *data;
    size_t size;
    cl_uint number;
    struct null_svm *next;
} null_svm;

static null_svm *all;

/* NULL for what is none. */
static const null_svm *svm_of(const void *data) {
    const null_svm *at = all;
    while (at && ((const char *)data < at->data || (const char *)data >= at->data + at->size))
        at = at->next;
    return at;
}

static cl_uint number_of(const void *data) {
    return svm_of(data) ? svm_of(data)->number : 0;
}

static size_t offset_of(const void *data) {
    return svm_of(data) ? (size_t)((const char *)data - svm_of(data)->data) : 0;
}

static null_svm *make(size_t size, cl_uint number) {
    null_svm *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    *made = (null_svm){.data = calloc(1, size), .size = size, .number = number, .next = all};
    if (!made->data) {
        free(made);
        return NULL;
    }
    all = made;
    return made;
}

/* A refusal has no code here. */
static void *CL_API_CALL alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
    static cl_uint made;
    const null_svm *self;
    (void)alignment;
    if (null_watched && null_watch("clSVMAlloc", " context %u flags 0x%llx size %zu", null_number(context),
                                   (unsigned long long)flags, size))
        return NULL;
    self = make(size, ++made);
    return self ? self->data : NULL;
}

static void CL_API_CALL free_it(cl_context context, void *data) {
    null_svm **at = &all, *found;
    if (null_watched) (void)null_watch("clSVMFree", " context %u svm %u", null_number(context), number_of(data));
    while (*at && (*at)->data != data)
        at = &(*at)->next;
    if (!(found = *at)) return;
    *at = found->next;
    free(found->data);
    free(found);
}

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, const void *data) {
    WATCH(clSetKernelArgSVMPointer, " kernel %u argument %u svm %u offset %zu", null_number(kernel), index,
          number_of(data), offset_of(data));
    return CL_SUCCESS;
}

static cl_int CL_API_CALL set_information(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                          const void *value) {
    void *const *pointers = value;
    WATCH(clSetKernelExecInfo, " kernel %u 0x%x %zu bytes, the first svm %u", null_number(kernel), name, size,
          size ? number_of(pointers[0]) : 0);
    return CL_SUCCESS;
}

static cl_int CL_API_CALL enqueue_copy(cl_command_queue queue, cl_bool blocking, void *to, const void *from,
                                       size_t size, cl_uint count, const cl_event *events, cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueSVMMemcpy, " queue %u %s to svm %u offset %zu from svm %u offset %zu size %zu%s%s",
          null_number(queue), blocking ? "blocking" : "non-blocking", number_of(to), offset_of(to), number_of(from),
          offset_of(from), size, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_fill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size,
                                       size_t size, cl_uint count, const cl_event *events, cl_event *event_out) {
    (void)events, (void)pattern;
    WATCH(clEnqueueSVMMemFill, " queue %u svm %u offset %zu pattern of %zu size %zu%s%s", null_number(queue),
          number_of(to), offset_of(to), pattern_size, size, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void *data,
                                      size_t size, cl_uint count, const cl_event *events, cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueSVMMap, " queue %u %s flags 0x%llx svm %u offset %zu size %zu%s%s", null_number(queue),
          blocking ? "blocking" : "non-blocking", (unsigned long long)flags, number_of(data), offset_of(data), size,
          TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_unmap(cl_command_queue queue, void *data, cl_uint count, const cl_event *events,
                                        cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueSVMUnmap, " queue %u svm %u offset %zu%s%s", null_number(queue), number_of(data),
          offset_of(data), TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

static cl_int CL_API_CALL enqueue_migration(cl_command_queue queue, cl_uint number, const void **data,
                                            const size_t *sizes, cl_mem_migration_flags flags, cl_uint count,
                                            const cl_event *events, cl_event *event_out) {
    (void)events;
    WATCH(clEnqueueSVMMigrateMem, " queue %u %u pieces, the first svm %u size %zu flags 0x%llx%s%s",
          null_number(queue), number, number ? number_of(data[0]) : 0, number && sizes ? sizes[0] : 0,
          (unsigned long long)flags, TOLD_EVENT(count, event_out));
    return null_give_event(event_out);
}

void null_svm_calls(void) {
    null_table.clSVMAlloc = alloc;
    null_table.clSVMFree = free_it;
    null_table.clSetKernelArgSVMPointer = set_argument;
    null_table.clSetKernelExecInfo = set_information;
    null_table.clEnqueueSVMMemcpy = enqueue_copy;
    null_table.clEnqueueSVMMemFill = enqueue_fill;
    null_table.clEnqueueSVMMap = enqueue_map;
    null_table.clEnqueueSVMUnmap = enqueue_unmap;
    null_table.clEnqueueSVMMigrateMem = enqueue_migration;
}
