/* memory.c - the size of buffers and shared virtual memory, and the commands for both: write, read, copy, fill,
 * migrate. The handle's kind decides which OpenCL call is made. */
#include "memory/internal.h"

int32_t clue_memory_size(int64_t *size_out, int32_t handle) {
    const int32_t kind = handle_kind(handle);
    const bool memory = kind == CLUE_IMAGE || kind == CLUE_SVM;
    const buffer *b = (buffer *)handle_find(handle, memory ? kind : CLUE_BUFFER, "clGetMemObjectInfo");
    if (!b) return clue_error_code();
    *size_out = b->size;
    return 0;
}

int32_t clue_queue_write(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, const void *data,
                         int64_t size) {
    return handle_kind(handle) == CLUE_SVM ? svm_write(event_out, queue_handle, handle, offset, data, size)
                                           : buffer_write(event_out, queue_handle, handle, offset, data, size);
}

int32_t clue_queue_read(int32_t *event_out, void *data_out, int32_t queue_handle, int32_t handle, int64_t offset,
                        int64_t size) {
    return handle_kind(handle) == CLUE_SVM ? svm_read(event_out, data_out, queue_handle, handle, offset, size)
                                           : buffer_read(event_out, data_out, queue_handle, handle, offset, size);
}

int32_t clue_queue_copy(int32_t *event_out, int32_t queue_handle, int32_t from, int64_t from_offset, int32_t to,
                        int64_t to_offset, int64_t size) {
    return handle_kind(from) == CLUE_SVM
               ? svm_copy(event_out, queue_handle, from, from_offset, to, to_offset, size)
               : buffer_copy(event_out, queue_handle, from, from_offset, to, to_offset, size);
}

int32_t clue_queue_fill(int32_t *event_out, int32_t queue_handle, int32_t handle, int64_t offset, int64_t size,
                        const void *pattern, int64_t pattern_size) {
    return handle_kind(handle) == CLUE_SVM
               ? svm_fill(event_out, queue_handle, handle, offset, size, pattern, pattern_size)
               : buffer_fill(event_out, queue_handle, handle, offset, size, pattern, pattern_size);
}

/* The kind of the first object decides for all. */
int32_t clue_queue_migrate(int32_t *event_out, int32_t queue_handle, const int32_t *objects, int32_t count,
                           int64_t flags) {
    const bool shared = objects && count > 0 && handle_kind(objects[0]) == CLUE_SVM;
    return shared ? svm_migrate(event_out, queue_handle, objects, count, flags)
                  : buffer_migrate(event_out, queue_handle, objects, count, flags);
}
