/* Buffers: making them, and transfers with ranges of all kinds.
 *
 * suite: quick */
#include "support.h"

#include <inttypes.h>

static const char *const make = "clCreateBuffer", *const writing = "clEnqueueWriteBuffer",
                         *const reading = "clEnqueueReadBuffer";

TEST(a_read_gives_what_was_written) {
    const int32_t b = new_buffer(new_context(), 16);
    const char bytes[16] = "0123456789abcde";
    char found[16] = "";
    int64_t size = 0;
    assert_works(clue_memory_size(&size, b));
    assert_int_equal(size, 16);
    assert_works(clue_buffer_write(b, 0, bytes, 16));
    assert_works(clue_buffer_write(b, 3, "xyz", 3));
    assert_works(clue_buffer_read(found, b, 2, 14));
    assert_string_equal(found, "2xyz6789abcde");
}

TEST(a_write_is_done_when_it_returns) {
    enum { SIZE = 1 << 22 };
    const int32_t b = new_buffer(new_context(), SIZE);
    char *bytes = malloc(SIZE);
    memset(bytes, 'a', SIZE);
    assert_works(clue_buffer_write(b, 0, bytes, SIZE));
    memset(bytes, 'b', SIZE);
    assert_works(clue_buffer_read(bytes, b, 0, SIZE));
    assert_int_equal(bytes[0], 'a');
    assert_int_equal(bytes[SIZE - 1], 'a');
    free(bytes);
}

TEST(impossible_sizes_are_refused) {
    const int32_t c = new_context();
    const int64_t wrong[] = {0, -1, INT64_MIN};
    const uint64_t most = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const int64_t large[] = {(int64_t)most + 1, (int64_t)most + 4096, INT64_C(1) << 60, INT64_MAX};
    int32_t b = 7;
    for (size_t i = 0; i < 3; i++)
        assert_refused(clue_buffer_create(&b, c, wrong[i], 0), CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_SIZE, make,
                       "a buffer of %" PRId64 " bytes: it needs at least 1", wrong[i]);
    for (size_t i = 0; i < 4; i++)
        assert_refused(clue_buffer_create(&b, c, large[i], 0), CL_INVALID_BUFFER_SIZE, CLUE_CAUSE_LIMIT, make,
                       "a buffer of %" PRId64 " bytes: the maximum on %s is %" PRIu64, large[i], device_name(),
                       most);
    assert_int_equal(b, 7);
    assert_int_equal(clue_handle_count(), 1);
}

TEST(only_flags_of_buffers_are_accepted) {
    const int64_t good[] = {0,
                            CL_MEM_READ_WRITE,
                            CL_MEM_WRITE_ONLY,
                            CL_MEM_READ_ONLY,
                            CL_MEM_ALLOC_HOST_PTR,
                            CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR,
                            CL_MEM_READ_WRITE | CL_MEM_HOST_READ_ONLY};
    const struct {
        int64_t flags;
        const char *names;
    } both[] = {{CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, "CL_MEM_READ_WRITE and CL_MEM_READ_ONLY"},
                {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, "CL_MEM_WRITE_ONLY and CL_MEM_READ_ONLY"},
                {CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, "CL_MEM_HOST_READ_ONLY and CL_MEM_HOST_NO_ACCESS"}};
    const int64_t none[] = {1 << 6, 1 << 20, INT64_MIN,
                            -1 & ~(int64_t)(CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)};
    const int64_t host[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, -1};
    const int64_t known = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR |
                          CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
    const int32_t c = new_context();
    int32_t b = 7;
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
        assert_refused(clue_buffer_create(&b, c, 4, both[i].flags), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, make,
                       "%s exclude each other: give one of them", both[i].names);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_refused(clue_buffer_create(&b, c, 4, none[i]), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, make,
                       "0x%" PRIx64 " is no flag of a buffer", (uint64_t)(none[i] & ~known));
    for (size_t i = 0; i < sizeof host / sizeof host[0]; i++)
        assert_refused(
            clue_buffer_create(&b, c, 4, host[i]), CL_INVALID_HOST_PTR, CLUE_CAUSE_PARAMETER, make,
            "CL_MEM_USE_HOST_PTR and CL_MEM_COPY_HOST_PTR need memory of the host, which this call cannot take");
    assert_int_equal(b, 7);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_works(clue_buffer_create(&b, c, 4, good[i]));
    assert_refused(clue_buffer_create(&b, b, 4, 0), CL_INVALID_CONTEXT, CLUE_CAUSE_HANDLE, make,
                   "%d is a buffer; a context is needed", b);
}

TEST(ranges_outside_the_buffer_are_refused) {
    static const struct {
        int64_t offset, size;
        int32_t cause;
        const char *text;
    } wrong[] = {
        {-1, 1, CLUE_CAUSE_OFFSET, "offset -1 is outside the buffer of 16 bytes"},
        {17, 0, CLUE_CAUSE_OFFSET, "offset 17 is outside the buffer of 16 bytes"},
        {INT64_MAX, 1, CLUE_CAUSE_OFFSET, "offset 9223372036854775807 is outside the buffer of 16 bytes"},
        {INT64_MIN, 1, CLUE_CAUSE_OFFSET, "offset -9223372036854775808 is outside the buffer of 16 bytes"},
        {16, 1, CLUE_CAUSE_OFFSET, "offset 16 is outside the buffer of 16 bytes"},
        {15, 2, CLUE_CAUSE_SIZE,
         "2 bytes from offset 15 is too much for the buffer of 16 bytes: only 1 left there"},
        {0, 17, CLUE_CAUSE_SIZE, "17 bytes from offset 0 is too much for the buffer of 16 bytes"},
        {1, INT64_MAX, CLUE_CAUSE_SIZE,
         "9223372036854775807 bytes from offset 1 is too much for the buffer of 16 bytes"},
        {16, INT64_MAX, CLUE_CAUSE_OFFSET, "offset 16 is outside the buffer of 16 bytes"},
        {0, -1, CLUE_CAUSE_SIZE, "-1 bytes from offset 0 is too much for the buffer of 16 bytes"},
        {16, INT64_MIN, CLUE_CAUSE_SIZE,
         "-9223372036854775808 bytes from offset 16 is too much for the buffer of 16 bytes"},
    };
    const int32_t b = new_buffer(new_context(), 16);
    char bytes[32] = "";
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_refused(clue_buffer_write(b, wrong[i].offset, bytes, wrong[i].size), CL_INVALID_VALUE,
                       wrong[i].cause, writing, "%s", wrong[i].text);
        assert_refused(clue_buffer_read(bytes, b, wrong[i].offset, wrong[i].size), CL_INVALID_VALUE, wrong[i].cause,
                       reading, "%s", wrong[i].text);
    }
}

TEST(a_transfer_may_have_no_bytes) {
    const int32_t b = new_buffer(new_context(), 16);
    assert_works(clue_buffer_write(b, 0, NULL, 0));
    assert_works(clue_buffer_write(b, 16, "", 0));
    assert_works(clue_buffer_read(NULL, b, 7, 0));
}

TEST(transfers_need_memory_and_a_buffer) {
    const int32_t c = new_context(), b = new_buffer(c, 16);
    char bytes[16];
    int64_t size = 7;
    assert_refused(clue_buffer_write(b, 0, NULL, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, writing,
                   "there is no memory to copy");
    assert_refused(clue_buffer_read(NULL, b, 0, 4), CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, reading,
                   "there is no memory to copy");
    assert_refused(clue_buffer_write(c, 0, bytes, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, writing,
                   "%d is a context; a buffer is needed", c);
    assert_works(clue_handle_free(b, CLUE_BUFFER));
    assert_refused(clue_buffer_read(bytes, b, 0, 4), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, reading,
                   "buffer %d was freed", b);
    assert_refused(clue_memory_size(&size, b), CL_INVALID_MEM_OBJECT, CLUE_CAUSE_HANDLE, "clGetMemObjectInfo",
                   "buffer %d was freed", b);
    assert_int_equal(size, 7);
}

TEST(flags_that_keep_the_host_out_are_explained) {
    int32_t b = 0;
    char byte = 0;
    assert_works(clue_buffer_create(&b, new_context(), 16, CL_MEM_HOST_NO_ACCESS));
    assert_refused(clue_buffer_read(&byte, b, 0, 1), CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER, reading,
                   "the memory's flags do not allow the host to do this");
    assert_refused(clue_buffer_write(b, 0, &byte, 1), CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER, writing,
                   "the memory's flags do not allow the host to do this");
}

TEST(many_buffers_come_and_go) {
    const int32_t c = new_context();
    for (int i = 0; i < 20000; i++)
        assert_works(clue_handle_free(new_buffer(c, 64), CLUE_BUFFER));
    assert_int_equal(clue_handle_count(), 1);
}
