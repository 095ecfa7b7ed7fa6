/* svm.c - shared virtual memory: making it, what the host sees of it, and what queues and kernels do with it. */
#include "capi.h"

static int svm_create(lua_State *L) {
    static const char call[] = "svm_create";
    int32_t context = capi_int(L, 1, call), svm = 0;
    int64_t bytes = capi_long(L, 2, call), flags = capi_long(L, 3, call);
    int32_t code = clue_svm_create(&svm, context, bytes, flags);
    return capi_push_whole_or_nil(L, code, svm);
}

/* (context, array, flags) */
static int svm_create_from(lua_State *L) {
    static const char call[] = "svm_create_from";
    int32_t context = capi_int(L, 1, call), svm = 0;
    const struct capi_array *a = capi_array(L, 2, call);
    int64_t flags = capi_long(L, 3, call);
    int32_t code = clue_svm_create_from(&svm, context, a->data, a->count * capi_array_size(a), flags);
    return capi_push_whole_or_nil(L, code, svm);
}

static int svm_size(lua_State *L) {
    int64_t size = 0;
    int32_t code = clue_svm_size(&size, capi_int(L, 1, "svm_size"));
    return capi_push_whole_or_nil(L, code, size);
}

static int svm_flags(lua_State *L) {
    int64_t flags = 0;
    int32_t code = clue_svm_flags(&flags, capi_int(L, 1, "svm_flags"));
    return capi_push_whole_or_nil(L, code, flags);
}

/* ---- what the host sees of it ---- */

/* (svm, code, offset, count) */
static int svm_view(lua_State *L) {
    static const char call[] = "svm_view";
    int32_t svm = capi_int(L, 1, call);
    const struct capi_elements e = capi_elements(L, 2, call);
    struct capi_array *self = capi_array_push(L, e.code);
    void *data;
    if (clue_svm_view(&data, &self->mapping, svm, e.offset, e.size) != 0) return 0;
    self->data = data;
    self->count = e.count;
    return 1;
}

/* (queue, svm, flags, code, offset, count) */
static int queue_map_svm(lua_State *L) {
    static const char call[] = "queue_map_svm";
    int32_t queue = capi_int(L, 1, call), svm = capi_int(L, 2, call);
    int64_t flags = capi_long(L, 3, call);
    const struct capi_elements e = capi_elements(L, 4, call);
    struct capi_array *self = capi_array_push(L, e.code);
    void *data;
    if (clue_queue_map_svm(&data, &self->mapping, queue, svm, flags, e.offset, e.size) != 0) return 0;
    self->data = data;
    self->count = e.count;
    return 1;
}

/* ---- commands ---- */

/* (queue, svm, offset, array, first, count, blocking) */
static int queue_write_svm(lua_State *L) {
    static const char call[] = "queue_write_svm";
    int32_t queue = capi_int(L, 1, call), event, *event_out = capi_event_out(L, 7, &event);
    struct capi_transfer t = capi_transfer(L, 2, call);
    int32_t code = clue_queue_write_svm(event_out, queue, t.buffer, t.offset, t.data, t.size);
    return capi_push_transferred(L, code, event_out);
}

static int queue_read_svm(lua_State *L) {
    static const char call[] = "queue_read_svm";
    int32_t queue = capi_int(L, 1, call), event, *event_out = capi_event_out(L, 7, &event);
    struct capi_transfer t = capi_transfer(L, 2, call);
    int32_t code = clue_queue_read_svm(event_out, t.data, queue, t.buffer, t.offset, t.size);
    return capi_push_transferred(L, code, event_out);
}

/* (queue, from, from_offset, to, to_offset, size) */
static int queue_copy_svm(lua_State *L) {
    static const char call[] = "queue_copy_svm";
    int32_t queue = capi_int(L, 1, call), from = capi_int(L, 2, call), event = 0;
    int64_t from_offset = capi_long(L, 3, call);
    int32_t to = capi_int(L, 4, call);
    int64_t to_offset = capi_long(L, 5, call), size = capi_long(L, 6, call);
    int32_t code = clue_queue_copy_svm(&event, queue, from, from_offset, to, to_offset, size);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, svm, offset, size, pattern) */
static int queue_fill_svm(lua_State *L) {
    static const char call[] = "queue_fill_svm";
    int32_t queue = capi_int(L, 1, call), svm = capi_int(L, 2, call), event = 0;
    int64_t offset = capi_long(L, 3, call), size = capi_long(L, 4, call);
    size_t length;
    const char *pattern = capi_bytes(L, 5, &length, call);
    int32_t code = clue_queue_fill_svm(&event, queue, svm, offset, size, pattern, (int64_t)length);
    return capi_push_whole_or_nil(L, code, event);
}

/* (queue, svms, flags) */
static int queue_migrate_svm(lua_State *L) {
    static const char call[] = "queue_migrate_svm";
    int32_t queue = capi_int(L, 1, call), count = 0, event = 0;
    lua_settop(L, 3);
    const int32_t *svms = capi_ints(L, 2, &count, call);
    int32_t code = clue_queue_migrate_svm(&event, queue, svms, count, capi_long(L, 3, call));
    return capi_push_whole_or_nil(L, code, event);
}

/* ---- kernels ---- */

/* (kernel, index, svm, offset) */
static int kernel_set_svm(lua_State *L) {
    static const char call[] = "kernel_set_svm";
    int32_t kernel = capi_int(L, 1, call), index = capi_int(L, 2, call), svm = capi_int(L, 3, call);
    return capi_push_done(L, clue_kernel_set_svm(kernel, index, svm, capi_long(L, 4, call)));
}

/* (kernel, svms) */
static int kernel_set_svm_pointers(lua_State *L) {
    static const char call[] = "kernel_set_svm_pointers";
    int32_t kernel = capi_int(L, 1, call), count = 0;
    const int32_t *svms = capi_ints(L, 2, &count, call);
    return capi_push_done(L, clue_kernel_set_svm_pointers(kernel, svms, count));
}

const luaL_Reg capi_svm_functions[] = {
    {"kernel_set_svm", kernel_set_svm},
    {"kernel_set_svm_pointers", kernel_set_svm_pointers},
    {"queue_copy_svm", queue_copy_svm},
    {"queue_fill_svm", queue_fill_svm},
    {"queue_map_svm", queue_map_svm},
    {"queue_migrate_svm", queue_migrate_svm},
    {"queue_read_svm", queue_read_svm},
    {"queue_write_svm", queue_write_svm},
    {"svm_create", svm_create},
    {"svm_create_from", svm_create_from},
    {"svm_flags", svm_flags},
    {"svm_size", svm_size},
    {"svm_view", svm_view},
    {NULL, NULL},
};
