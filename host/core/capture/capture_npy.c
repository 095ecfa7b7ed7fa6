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

static void write_header(FILE *file, struct capture_shape shape) {
    const char *description = descriptions[shape.type];
    char text[HEADER];
    const int room = HEADER - 10; /* there are 10 bytes before it */
    const int used =
        shape.width > 1
            ? snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }",
                       description, shape.elements, shape.width)
            : snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", description,
                       shape.elements);
    (void)fwrite("\x93NUMPY\x01\x00", 1, 8, file);
    (void)fputc(room, file);
    (void)fputc(0, file);
    (void)fprintf(file, "%s%*s\n", text, room - used - 1, "");
}

bool capture_write_npy(const char *path, struct capture_shape shape, const void *data, size_t size) {
    FILE *file = fopen(path, "wbe");
    bool well;
    if (!file) return capture_fail("'%s' cannot be written", path);
    write_header(file, shape);
    well = fwrite(data, 1, size, file) == size;
    well = fclose(file) == 0 && well;
    return well || capture_fail("'%s' could not be written completely", path);
}
