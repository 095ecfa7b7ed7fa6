/* memory_command.c - copies, fills, writes and reads of buffers that were checked: enqueues them, or has a graph
 * record them. */
#include "memory/internal.h"

int32_t buffer_explain(int32_t code) {
    if (code == CL_INVALID_OPERATION) error_explain("the memory's flags do not allow the host to do this");
    return code;
}

static cl_mem memory_of(const object *of) {
    return ((const buffer *)of)->memory;
}

static int32_t enqueue_transfer(const prepared *command, const queue *q, const wait_list *waits, cl_bool blocking,
                                cl_event *event_at) {
    const cl_mem memory = memory_of(command->object);
    const size_t offset = (size_t)command->offset, size = (size_t)command->size;
    if (command->kind == A_WRITE)
        return CL_CALL(clEnqueueWriteBuffer, q->queue, memory, blocking, offset, size, command->data, waits->count,
                       waits->events, event_at);
    return CL_CALL(clEnqueueReadBuffer, q->queue, memory, blocking, offset, size, command->data, waits->count,
                   waits->events, event_at);
}

int32_t memory_enqueue(const prepared *command, const queue *q, const wait_list *waits, cl_bool blocking,
                       cl_event *event_at) {
    const cl_mem memory = memory_of(command->object);
    const size_t offset = (size_t)command->offset, size = (size_t)command->size;
    switch (command->kind) {
    case A_COPY:
        return CL_CALL(clEnqueueCopyBuffer, q->queue, memory, memory_of(command->target), offset,
                       (size_t)command->target_offset, size, waits->count, waits->events, event_at);
    case A_FILL:
        return CL_CALL(clEnqueueFillBuffer, q->queue, memory, command->data, (size_t)command->pattern_size, offset,
                       size, waits->count, waits->events, event_at);
    default:
        return buffer_explain(enqueue_transfer(command, q, waits, blocking, event_at));
    }
}

int32_t memory_command(int32_t *event_out, queue *q, const prepared *command) {
    const bool transfers = command->kind == A_WRITE || command->kind == A_READ;
    const int32_t way = command->blocking ? BLOCKING : event_out ? WITH_EVENT : NO_EVENT;
    struct command c;
    int32_t code;
    if (q->record) return queue_record(event_out, q, command);
    if ((code = command_begin(&c, q, command->what, command->call, way))) return code;
    if (transfers) code = command_flies(&c, command->data, command->size, command->call);
    if (code == 0) code = memory_enqueue(command, q, &q->waits, c.blocking, c.event_at);
    return command_end(&c, event_out, q, code);
}
