/* child_stream.c - reads a child's output from its pipe into memory that grows, without waiting. */
#include "child.h"

#include <stdlib.h>

enum { LEAST_ROOM = 4096 };

static bool buffer_make_room(child_buffer *self) {
    size_t capacity = 2 * (self->capacity > LEAST_ROOM ? self->capacity : LEAST_ROOM);
    char *data;
    if (self->capacity - self->size > LEAST_ROOM) return true;
    data = realloc(self->data, capacity);
    if (data == NULL) return false;
    self->data = data;
    self->capacity = capacity;
    return true;
}

int64_t child_stream_read(child_stream *self) {
    child_buffer *buffer = &self->pending;
    int64_t count;
    if (self->pipe < 0) return 0;
    if (!buffer_make_room(buffer)) return -1;
    count = pipe_read(self->pipe, buffer->data + buffer->size, buffer->capacity - buffer->size - 1);
    if (count > 0) {
        buffer->size += (size_t)count;
        buffer->data[buffer->size] = '\0';
        return count;
    }
    if (count < 0) child_stream_close(self);
    return 0;
}

/* Asks for the number of bytes first: a process that left the group may hold the pipe and write for ever. */
bool child_stream_drain(child_stream *self) {
    int64_t left = self->pipe >= 0 ? pipe_size(self->pipe) : 0, count = 0;
    while (left > 0 && (count = child_stream_read(self)) > 0)
        left -= count;
    child_stream_close(self);
    return count >= 0;
}

size_t child_stream_take(const char **data_out, child_stream *self) {
    child_buffer given = self->pending;
    self->pending = self->taken;
    self->pending.size = 0;
    self->taken = given;
    *data_out = given.size > 0 ? given.data : "";
    return given.size;
}

void child_stream_close(child_stream *self) {
    if (self->pipe >= 0) pipe_close(self->pipe);
    self->pipe = -1;
}

void child_stream_free(child_stream *self) {
    child_stream_close(self);
    free(self->pending.data);
    free(self->taken.data);
    self->pending = self->taken = (child_buffer){0};
}
