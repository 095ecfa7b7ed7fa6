/* fuzz_png.c - pictures that a script reads. The input is the file.
 *
 * What clue_png_size() says is what clue_png_read() writes, and a damaged file is refused with a reason.
 *
 * suite: quick
 * runs: 10000 */
#include "fuzz.h"

static char path[4096];

int LLVMFuzzerInitialize(int *count, char ***arguments) {
    const char *folder;
    (void)count;
    (void)arguments;
    fuzz_require(clue_temporary_folder(&folder) == 0);
    (void)snprintf(path, sizeof path, "%s/picture.png", folder);
    return 0;
}

static void read_pixels(int64_t size) {
    uint8_t *pixels = size > 0 && size < 1 << 20 ? malloc((size_t)size) : NULL;
    if (!pixels) return;
    if (clue_png_read(pixels, size, path) != 0) fuzz_require(*clue_error_text());
    fuzz_require(clue_png_read(pixels, size - 1, path) != 0);
    free(pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int32_t width = 0, height = 0, channels = 0;
    FILE *file = fopen(path, "wb");
    fuzz_require(file);
    fuzz_require(fwrite(data, 1, size, file) == size && fclose(file) == 0);
    if (clue_png_size(&width, &height, &channels, path) != 0) {
        fuzz_require(*clue_error_text());
        return 0;
    }
    fuzz_require(width > 0 && height > 0 && channels >= 1 && channels <= 4);
    read_pixels((int64_t)width * height * channels);
    return 0;
}
