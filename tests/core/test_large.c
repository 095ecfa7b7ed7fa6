/* Offsets, sizes and ranges beyond 4 GiB reach the driver as they were given. It is the null driver, which records
 * them and needs no such memory.
 *
 * suite: quick
 * drivers: null */
#include "support.h"

#include <unistd.h>

static const int64_t GIB = INT64_C(1) << 30;
#define WHOLE (100 * GIB)
#define AT (5 * GIB + 1024)
#define TO (17 * GIB + 2048)
#define SIZE (6 * GIB + 128)

static char record[256], line[512];
static char host[8]; /* nothing is ever read or written there */

/* The last line of the record that begins with a call's name. */
static const char *recorded(const char *call) {
    char read[sizeof line];
    FILE *file = fopen(record, "r");
    assert_non_null(file);
    line[0] = '\0';
    while (fgets(read, sizeof read, file))
        if (strncmp(read, call, strlen(call)) == 0 && read[strlen(call)] == ' ')
            memcpy(line, read, strlen(read) + 1);
    (void)fclose(file);
    line[strcspn(line, "\n")] = '\0';
    return line;
}

#define assert_recorded(call, ...)                                                                                 \
    do {                                                                                                           \
        char expected[sizeof line];                                                                                \
        (void)snprintf(expected, sizeof expected, __VA_ARGS__);                                                    \
        if (!strstr(recorded(call), expected)) assert_string_equal(line, expected);                                \
    } while (0)

TEST(transfers) {
    const int32_t c = new_context(), b = new_buffer(c, WHOLE), q = new_queue(c, 0);
    int32_t event = 0;
    assert_recorded("clCreateBuffer", " size %lld", (long long)WHOLE);
    assert_works(clue_buffer_write(b, AT, host, SIZE));
    assert_recorded("clEnqueueWriteBuffer", " blocking offset %lld size %lld", (long long)AT, (long long)SIZE);
    assert_works(clue_buffer_read(host, b, TO, SIZE));
    assert_recorded("clEnqueueReadBuffer", " blocking offset %lld size %lld", (long long)TO, (long long)SIZE);
    assert_works(clue_queue_write(&event, q, b, TO, host, SIZE));
    assert_recorded("clEnqueueWriteBuffer", " non-blocking offset %lld size %lld", (long long)TO, (long long)SIZE);
    assert_works(clue_queue_read(&event, host, q, b, AT, SIZE));
    assert_recorded("clEnqueueReadBuffer", " non-blocking offset %lld size %lld", (long long)AT, (long long)SIZE);
}

TEST(commands_of_the_device) {
    const int32_t c = new_context(), b = new_buffer(c, WHOLE), other = new_buffer(c, WHOLE), q = new_queue(c, 0);
    int32_t event = 0;
    assert_works(clue_queue_copy(&event, q, b, AT, other, TO, SIZE));
    assert_recorded("clEnqueueCopyBuffer", "offset %lld", (long long)AT);
    assert_recorded("clEnqueueCopyBuffer", "offset %lld", (long long)TO);
    assert_recorded("clEnqueueCopyBuffer", " size %lld", (long long)SIZE);
    assert_works(clue_queue_fill(&event, q, b, AT, SIZE, host, 8));
    assert_recorded("clEnqueueFillBuffer", " offset %lld size %lld", (long long)AT, (long long)SIZE);
}

TEST(mappings_and_parts) {
    const int32_t c = new_context(), b = new_buffer(c, WHOLE), q = new_queue(c, 0);
    int32_t part = 0, mapping = 0;
    int64_t offset = 0;
    void *data = NULL;
    assert_works(clue_buffer_create_sub(&part, b, CL_MEM_READ_WRITE, AT, SIZE));
    assert_recorded("clCreateSubBuffer", " offset %lld size %lld", (long long)AT, (long long)SIZE);
    assert_works(clue_buffer_offset(&offset, part));
    assert_int_equal(offset, AT);
    (void)clue_queue_map(&data, &mapping, q, b, CL_MAP_READ, AT, SIZE); /* the host may lack memory for it */
    assert_recorded("clEnqueueMapBuffer", " offset %lld size %lld", (long long)AT, (long long)SIZE);
}

/* Rows of a MiB that are 5 GiB apart, and slices that are 20 GiB apart. */
TEST(boxes) {
    const int64_t row = 5 * GIB, slice = 20 * GIB;
    clue_rect rect = {.region = {1 << 20, 2, 2},
                      .from_row_pitch = row,
                      .from_slice_pitch = slice,
                      .to_origin = {1 << 20, 1, 1},
                      .to_row_pitch = row,
                      .to_slice_pitch = slice};
    const int32_t c = new_context(), b = new_buffer(c, WHOLE), q = new_queue(c, 0);
    assert_works(clue_queue_write_rect(NULL, q, b, host, WHOLE, &rect));
    assert_recorded("clEnqueueWriteBufferRect", "origin %lldx1x1", (long long)rect.to_origin[0]);
    assert_recorded("clEnqueueWriteBufferRect", " %lld", (long long)row);
    assert_recorded("clEnqueueWriteBufferRect", " %lld", (long long)slice);
    assert_works(clue_queue_copy_rect(NULL, q, b, b, &rect));
    rect.to_origin[0]--; /* then the last row of the first box reaches into the other's first one */
    assert_refused(clue_queue_copy_rect(NULL, q, b, b, &rect), CL_MEM_COPY_OVERLAP, CLUE_CAUSE_PARAMETER,
                   "clEnqueueCopyBufferRect", "the boxes overlap in the same buffer");
}

TEST(ranges) {
    const int32_t c = new_context(), k = new_kernel(c, "kernel void f(int n) { }"), q = new_queue(c, 0);
    const int64_t offset[] = {AT, 7}, global[] = {SIZE, 3};
    assert_works(clue_kernel_set_number(k, 0, CLUE_AUTO, 1));
    assert_works(clue_queue_execute(NULL, q, k, 2, offset, global, NULL));
    assert_recorded("clEnqueueNDRangeKernel", " offset %lldx7 global %lldx3 local -", (long long)AT,
                    (long long)SIZE);
}

TEST(replays) {
    const int32_t c = new_context(), b = new_buffer(c, WHOLE), q = new_queue(c, 0);
    int32_t graph = 0, commands = 0, event = 0;
    assert_works(clue_graph_create(&graph, &commands, q));
    assert_works(clue_queue_fill(&event, commands, b, AT, SIZE, host, 8));
    assert_works(clue_graph_end(graph, 0));
    assert_works(clue_graph_replay(NULL, graph, q));
    assert_recorded("clEnqueueFillBuffer", " offset %lld size %lld", (long long)AT, (long long)SIZE);
}

int main(void) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(record, sizeof record, "%s/clue-large-%ld", folder ? folder : "/tmp", (long)getpid());
    (void)setenv("CLUE_NULL_RECORD", record, 1); /* the driver reads it when it is loaded */
    return unit_run() + remove(record);
}
