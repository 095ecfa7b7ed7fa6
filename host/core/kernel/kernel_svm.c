/* kernel_svm.c - shared virtual memory of kernels: arguments, and memory that they reach through pointers.
 *
 * A kernel holds both kinds. Each execution is added as a user, before they may be freed. */
#include "kernel/internal.h"

#include <stdlib.h>

static const char set[] = "clSetKernelArgSVMPointer";
static const char set_information[] = "clSetKernelExecInfo";
static const char enqueue[] = "clEnqueueNDRangeKernel";

/* ---- as an argument ---- */

static int32_t pass(kernel *k, int32_t index, svm *given, int64_t offset) {
    argument *a = &k->arguments[index];
    int32_t code = CL_CALL(clSetKernelArgSVMPointer, k->kernel, (cl_uint)index, (const char *)given->data + offset);
    if (code) return code;
    argument_passed(k, index);
    argument_hold(a, &given->memory.base);
    a->shared = true;
    a->offset = offset;
    a->buffer = &given->memory;
    return 0;
}

int32_t kernel_set_svm(kernel *self, int32_t index, svm *given, int64_t offset) {
    int32_t code;
    if (!argument_accepts(&self->arguments[index], TAKES_BUFFER)) return argument_refuse(self, index, set);
    code = buffer_check_range(&given->memory, offset, 1, set);
    return code ? code : pass(self, index, given, offset);
}

/* ---- reached through pointers ---- */

static void let_go(svm **list, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        object_release(&list[i]->memory.base);
    free((void *)list);
}

void kernel_svm_release(kernel *self) {
    let_go(self->reached, self->reached_count);
}

/* Finds and holds the memory behind the handles. Returns their number; a smaller one and a recorded failure if a
 * handle is wrong. */
static int32_t find_all(svm **list_out, const kernel *k, const int32_t *svms, int32_t count) {
    int32_t found = 0;
    for (; found < count; found++) {
        svm *one = (svm *)handle_find(svms[found], CLUE_SVM, set_information);
        if (!one || kernel_check_context(k, &one->memory.base, set_information)) break;
        object_retain(&one->memory.base);
        list_out[found] = one;
    }
    return found;
}

static int32_t pass_to_driver(const kernel *k, svm *const *list, int32_t count) {
    void **pointers = calloc((size_t)count, sizeof(void *));
    int32_t code;
    if (!pointers) return error_out_of_memory(set_information);
    for (int32_t i = 0; i < count; i++)
        pointers[i] = list[i]->data;
    code = CL_CALL(clSetKernelExecInfo, k->kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, (size_t)count * sizeof(void *),
                   pointers);
    free((void *)pointers);
    return code;
}

int32_t clue_kernel_set_svm_pointers(int32_t handle, const int32_t *svms, int32_t count) {
    kernel *k = (kernel *)handle_find(handle, CLUE_KERNEL, set_information);
    svm **list;
    int32_t found, code;
    if (!k) return clue_error_code();
    if (count < 1 || !svms)
        return error_record(
            CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, set_information,
            "a list of %d: OpenCL can replace the list of what kernel '%s' reaches, but cannot empty it",
            (int)count, k->name);
    list = calloc((size_t)count, sizeof(svm *));
    if (!list) return error_out_of_memory(set_information);
    found = find_all(list, k, svms, count);
    code = found == count ? pass_to_driver(k, list, count) : clue_error_code();
    if (code) {
        let_go(list, found);
        return code;
    }
    kernel_svm_release(k);
    k->reached = list;
    k->reached_count = count;
    k->changes++;
    return 0;
}

int32_t kernel_svm_copy(kernel *to, const kernel *from) {
    if (from->reached_count == 0) return 0;
    to->reached = calloc((size_t)from->reached_count, sizeof(svm *));
    if (!to->reached) return error_out_of_memory(set_information);
    for (int32_t i = 0; i < from->reached_count; i++) {
        to->reached[i] = from->reached[i];
        object_retain(&from->reached[i]->memory.base);
    }
    to->reached_count = from->reached_count;
    return pass_to_driver(to, to->reached, to->reached_count);
}

/* ---- executions ---- */

static int32_t reached_ready(const kernel *self, const svm *one) {
    if (one->memory.base.handle == 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_HANDLE, enqueue,
                            "kernel '%s' reaches shared virtual memory of %lld bytes that was freed: set what it "
                            "reaches now, or free the memory after the kernel's last execution",
                            self->name, (long long)one->memory.size);
    if (!buffer_is_mapped(&one->memory, true)) return 0;
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, enqueue,
                        "kernel '%s' reaches svm %d, which is mapped for writing by the host: unmap it first",
                        self->name, (int)one->memory.base.handle);
}

int32_t kernel_svm_ready(const kernel *self) {
    int32_t code = 0;
    for (int32_t i = 0; i < self->reached_count && code == 0; i++)
        code = reached_ready(self, self->reached[i]);
    return code;
}

static svm *argument_svm(const kernel *self, int32_t index) {
    object *given = self->arguments[index].object;
    return given && given->kind == CLUE_SVM ? (svm *)given : NULL;
}

int32_t kernel_svm_reserve(const kernel *self) {
    int32_t code = 0;
    for (int32_t i = 0; i < self->count && code == 0; i++)
        if (argument_svm(self, i)) code = svm_reserve(argument_svm(self, i), enqueue);
    for (int32_t i = 0; i < self->reached_count && code == 0; i++)
        code = svm_reserve(self->reached[i], enqueue);
    return code;
}

void kernel_svm_use(const kernel *self, execution *made) {
    for (int32_t i = 0; i < self->count; i++)
        if (argument_svm(self, i)) svm_use(argument_svm(self, i), made);
    for (int32_t i = 0; i < self->reached_count; i++)
        svm_use(self->reached[i], made);
}
