/* null_svm.c - the null driver's shared virtual memory: ordinary host memory, which no command touches.
 *
 * Records name an allocation by its number, and an address in it by its offset. */
#include "null.h"

#include <stdlib.h>

typedef struct null_svm {
    char *data;
    size_t size;
    cl_uint number;
    struct null_svm *next;
} null_svm;

static null_svm *all;

/* The allocation that contains the address; NULL if none does. */
static const null_svm *svm_of(const void *data) {
    const null_svm *at = all;
    while (at && ((const char *)data < at->data || (const char *)data >= at->data + at->size))
        at = at->next;
    return at;
}

bool null_find_svm(cl_uint *number_out, size_t *offset_out, const void *data) {
    const null_svm *found = svm_of(data);
    if (!found) return false;
    *number_out = found->number;
    *offset_out = (size_t)((const char *)data - found->data);
    return true;
}

static cl_uint number_of(const void *data) {
    return svm_of(data) ? svm_of(data)->number : 0;
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

/* clSVMAlloc gives no error code: a refusal is NULL. */
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

static cl_int CL_API_CALL set_information(cl_kernel kernel, cl_kernel_exec_info name, size_t size,
                                          const void *value) {
    void *const *pointers = value;
    WATCH(clSetKernelExecInfo, " kernel %u 0x%x %zu bytes, the first svm %u", null_number(kernel), name, size,
          size ? number_of(pointers[0]) : 0);
    return CL_SUCCESS;
}

void null_svm_calls(void) {
    null_table.clSVMAlloc = alloc;
    null_table.clSVMFree = free_it;
    null_table.clSetKernelExecInfo = set_information;
}
