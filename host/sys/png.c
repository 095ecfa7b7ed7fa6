/* png.c - PNG files with 8 bits a sample, through libpng's simplified interface.
 *
 * libpng is loaded by the first call and not linked, because most runs do not need it, and it would slow down every
 * start. Samples are passed unchanged; palettes and fewer bits become 8 bits a sample. */
#include "../core/base/base.h"
#include "system.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define LIBRARY_NAME(number) "png" TEXT_OF(number) /* as in its headers */

static struct {
    __typeof__(&png_image_begin_read_from_file) begin_read;
    __typeof__(&png_image_finish_read) finish_read;
    __typeof__(&png_image_write_to_stdio) write;
    __typeof__(&png_image_free) release;
} library;

static int32_t load(const char *call) {
    library_words words;
    void *opened;
    if (library.release) return 0;
    library_describe(&words, LIBRARY_NAME(PNG_LIBPNG_VER_SONUM), PNG_LIBPNG_VER_SONUM);
    opened = library_open(words.file);
    if (!opened)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                            "PNG files need %s, which does not load (%s): %s", words.file, words.remedy,
                            library_failure());
    if (library_find(opened, &library.begin_read, "png_image_begin_read_from_file") &&
        library_find(opened, &library.finish_read, "png_image_finish_read") &&
        library_find(opened, &library.write, "png_image_write_to_stdio") &&
        library_find(opened, &library.release, "png_image_free"))
        return 0;
    library_close(opened);
    memset(&library, 0, sizeof library);
    return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call, "%s lacks functions of libpng 1.6",
                        words.file);
}

/* Records libpng's message about a file, and frees its memory. */
static int32_t refuse(png_image *image, const char *path, const char *call) {
    const int32_t code = error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "%s: %s", path, image->message);
    library.release(image);
    return code;
}

/* Opens a file and chooses a format of 8 bits a sample in which nothing is changed or lost. */
static int32_t begin(png_image *image, const char *path, const char *call) {
    const int32_t code = load(call);
    if (code) return code;
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    if (!library.begin_read(image, path)) return refuse(image, path, call);
    if (image->format & PNG_FORMAT_FLAG_LINEAR) {
        library.release(image);
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_LIMIT, call,
                            "%s: it has 16 bits a sample, and only 8 can be read", path);
    }
    image->format &= PNG_FORMAT_FLAG_ALPHA | PNG_FORMAT_FLAG_COLOR;
    return 0;
}

int32_t clue_png_size(int32_t *width_out, int32_t *height_out, int32_t *channels_out, const char *path) {
    png_image image;
    const int32_t code = begin(&image, path, "png_image_begin_read_from_file");
    if (code) return code;
    *width_out = (int32_t)image.width;
    *height_out = (int32_t)image.height;
    *channels_out = (int32_t)PNG_IMAGE_SAMPLE_CHANNELS(image.format);
    library.release(&image);
    return 0;
}

int32_t clue_png_read(void *pixels_out, int64_t size, const char *path) {
    static const char call[] = "png_image_finish_read";
    png_image image;
    int32_t code = begin(&image, path, call);
    int64_t needed;
    if (code) return code;
    needed = (int64_t)image.width * image.height * PNG_IMAGE_SAMPLE_CHANNELS(image.format);
    if (size != needed) {
        library.release(&image);
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%s has %lld samples, but there is room for %lld", path, (long long)needed,
                            (long long)size);
    }
    if (!library.finish_read(&image, NULL, pixels_out, 0, NULL)) return refuse(&image, path, call);
    return 0;
}

/* Does not use png_image_write_to_file(): after a failure, that removes what is at the path, even a FIFO or a
 * device. */
static int32_t write_image(png_image *image, const char *path, const void *pixels, const char *call) {
    FILE *file = file_open(path, "wb");
    const bool well = file && library.write(image, file, 0, pixels, 0, NULL);
    const int why = errno;
    if (file && fclose(file) != 0 && well)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call, "%s: %s", path, strerror(errno));
    if (well) return 0;
    if (!*image->message) (void)snprintf(image->message, sizeof image->message, "%s", strerror(why));
    return refuse(image, path, call);
}

int32_t clue_png_write(const char *path, const void *pixels, int32_t channels, int32_t width, int32_t height) {
    static const char call[] = "png_image_write_to_stdio";
    static const png_uint_32 formats[] = {0, PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
    png_image image;
    int32_t code;
    if (channels < 1 || channels > 4 || width < 1 || height < 1)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call,
                            "%d x %d pixels of %d samples: sizes must be at least 1, samples 1 to 4", (int)width,
                            (int)height, (int)channels);
    if ((code = load(call))) return code;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = formats[channels];
    return write_image(&image, path, pixels, call);
}
