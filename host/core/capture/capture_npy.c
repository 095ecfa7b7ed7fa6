/* capture_npy.c - writes buffers and images as .npy files (NumPy's format 1.0): a header with type and shape, then
 * the bytes. */
#define CLUE_UNTRACED
#include "capture/capture.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 128 };

/* Indexed by CLUE_CHAR and so on; hosts are little-endian. */
static const char *const descriptions[] = {NULL,  "|i1", "|u1", "<i2", "<u2", "<i4",
                                           "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"};

/* "unsigned int*" and "uint*" are the same. */
static const char *without_unsigned(const char *type, bool *unsigned_out) {
    *unsigned_out = strncmp(type, "unsigned ", 9) == 0;
    return *unsigned_out ? type + 9 : type;
}

struct capture_shape capture_shape_of(const char *type, size_t size) {
    const struct capture_shape bytes = {CLUE_UCHAR, size, 1};
    bool is_unsigned;
    const char *name = without_unsigned(type, &is_unsigned);
    const size_t letters = strcspn(name, "0123456789* ");
    const unsigned long declared = strtoul(name + letters, NULL, 10);
    const size_t width = declared == 3 ? 4 : declared ? declared : 1; /* a vector of 3 is stored like one of 4 */
    for (int32_t i = CLUE_CHAR; i <= CLUE_DOUBLE; i++) {
        const char *known = clue_type_name(i) + (is_unsigned && *clue_type_name(i) == 'u');
        const size_t whole = (size_t)clue_type_size(i) * width;
        if (is_unsigned && *clue_type_name(i) != 'u') continue;
        if (strlen(known) != letters || strncmp(known, name, letters) != 0) continue;
        return size % whole == 0 ? (struct capture_shape){i, size / whole, width} : bytes;
    }
    return bytes;
}

static void make_header(char *header, struct capture_shape shape) {
    const char *description = descriptions[shape.type];
    char *text = header + 10;
    const size_t room = HEADER - 10;
    if (shape.width > 1)
        (void)snprintf(text, room, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }", description,
                       shape.elements, shape.width);
    else
        (void)snprintf(text, room, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", description,
                       shape.elements);
    memset(text + strlen(text), ' ', room - strlen(text));
    header[HEADER - 1] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)room;
    header[9] = 0;
}

bool capture_write_npy(const char *path, struct capture_shape shape, const void *data, size_t size) {
    char header[HEADER];
    make_header(header, shape);
    return capture_write_file(path, header, HEADER, data, size);
}
