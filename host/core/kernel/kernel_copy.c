/* kernel_copy.c - copies a kernel with its arguments, for graphs: setting an argument of the one does not change
 * the other. */
#include "kernel/internal.h"

static int32_t copy_argument(kernel *to, int32_t index, const argument *from) {
    argument *a = &to->arguments[index];
    object *held = from->object;
    int32_t code;
    if (!from->set) return 0;
    if (held && held->kind == CLUE_SVM) return kernel_set_svm(to, index, (svm *)held, from->offset);
    code = from->local_size ? argument_pass(to, index, NULL, (size_t)from->local_size)
                            : argument_pass(to, index, from->bytes, from->size);
    if (code) return code;
    a->local_size = from->local_size;
    if (held) argument_hold(a, held);
    a->buffer = from->buffer;
    return 0;
}

kernel *kernel_copy(const kernel *of) {
    kernel *copy = kernel_make(of->program, of->name);
    int32_t code = copy ? kernel_svm_copy(copy, of) : 0;
    for (int32_t i = 0; copy && i < of->count && code == 0; i++)
        code = copy_argument(copy, i, &of->arguments[i]);
    if (code == 0) return copy;
    object_release(&copy->base);
    return NULL;
}
