/* capture_write.c - writes call.lua, a table of everything that the other files of a capture do not hold, and
 * replay.lua, a copy of the script that reads it. */
#define CLUE_UNTRACED
#include "../../sys/system.h"
#include "capture/capture.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, TEXT = 256 };

/* Writes a Lua string in quotes. */
static void write_quoted(FILE *file, const char *bytes, size_t size) {
    (void)fputc('"', file);
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        if (c == '"' || c == '\\')
            (void)fprintf(file, "\\%c", c);
        else if (isprint(c))
            (void)fputc(c, file);
        else
            (void)fprintf(file, "\\%03d", c);
    }
    (void)fputc('"', file);
}

static void write_text(FILE *file, const char *name, const char *text) {
    (void)fprintf(file, "%s = ", name);
    write_quoted(file, text, strlen(text));
}

/* ---- the program ---- */

/* A single text becomes kernel.cl, with its headers in include/; several become kernel1.cl, include1/ and so on. */
static bool write_source(const char *folder, FILE *file, const struct source *from, int number) {
    char name[32], include[32], *options = text_copy(from->options);
    int headers;
    (void)snprintf(name, sizeof name, number ? "kernel%d" : "kernel", number);
    (void)snprintf(include, sizeof include, number ? "include%d" : "include", number);
    headers = options ? capture_write_source(folder, name, include, from) : -1;
    if (headers >= 0) {
        options_drop_folders(options, true); /* they are valid only here */
        (void)fprintf(file, "    {file = \"%s.cl\", headers = %d, ", name, headers);
        if (headers > 0) (void)fprintf(file, "include = \"%s\", ", include);
        write_text(file, "options", options);
        (void)fputs("},\n", file);
    }
    if (!options) return capture_fail("there is no memory for its program's source");
    free(options);
    return headers >= 0;
}

static bool write_program(const char *folder, FILE *file, const program *p) {
    if (p->source_count == 0)
        return capture_fail("its program was made from a binary or an intermediate language: there is no source");
    (void)fputs("  sources = {\n", file);
    for (int32_t i = 0; i < p->source_count; i++)
        if (!write_source(folder, file, p->sources[i], p->source_count > 1 ? i + 1 : 0)) return false;
    (void)fputs("  },\n", file);
    if (!p->link_options) return true;
    (void)fputs("  ", file);
    write_text(file, "link_options", p->link_options);
    (void)fputs(",\n", file);
    return true;
}

/* ---- arguments ---- */

/* Writes the place of an argument in the saved memory. */
static void write_place(FILE *file, const kernel *k, int32_t index) {
    const buffer *b = k->arguments[index].buffer, *kept = capture_memory(k, index);
    (void)fprintf(file, ", flags = %llu, contents_of = %d", (unsigned long long)b->flags,
                  (int)capture_first(k, index));
    if (b == kept) return;
    if (b->base.kind == CLUE_IMAGE) b = b->parent;
    if (b != kept) (void)fprintf(file, ", offset = %lld, part = %lld", (long long)b->offset, (long long)b->size);
}

static void write_image(FILE *file, const image *i) {
    clue_image_shape s;
    if (clue_image_shape_of(&s, i->memory.base.handle)) return;
    (void)fprintf(file,
                  ", kind = \"image\", shape = {type = 0x%X, order = 0x%X, channel = 0x%X, width = %lld, height = "
                  "%lld, depth = %lld, array_size = %lld, row_pitch = %lld}, in_buffer = %s",
                  (unsigned)s.type, (unsigned)s.order, (unsigned)s.channel, (long long)s.width, (long long)s.height,
                  (long long)s.depth, (long long)s.array_size, (long long)s.row_pitch,
                  i->memory.parent ? "true" : "false");
}

static void write_sampler(FILE *file, const sampler *s) {
    (void)fprintf(file, ", kind = \"sampler\", normalized = %d, addressing = 0x%X, filter = 0x%X",
                  s->normalized ? 1 : 0, (unsigned)s->addressing, (unsigned)s->filter);
}

static void write_argument(FILE *file, const kernel *k, int32_t index) {
    const argument *a = &k->arguments[index];
    const enum capture_kind kind = capture_kind_of(a);
    (void)fputs("    {", file);
    write_text(file, "name", a->name);
    (void)fputs(", ", file);
    write_text(file, "type", a->type);
    if (kind == IS_LOCAL) (void)fprintf(file, ", kind = \"local\", size = %lld", (long long)a->local_size);
    if (kind == IS_NULL) (void)fputs(", kind = \"null\"", file);
    if (kind == IS_VALUE) {
        (void)fputs(", kind = \"value\", bytes = ", file);
        write_quoted(file, (const char *)a->bytes, a->size);
    }
    if (kind == IS_BUFFER) (void)fprintf(file, ", kind = \"buffer\", size = %lld", (long long)a->buffer->size);
    if (kind == IS_IMAGE) write_image(file, (const image *)a->buffer);
    if (kind == IS_SAMPLER) write_sampler(file, (const sampler *)a->object);
    if (kind == IS_BUFFER || kind == IS_IMAGE) write_place(file, k, index);
    (void)fputs("},\n", file);
}

/* ---- sizes and device ---- */

static void write_sizes(FILE *file, const char *name, const size_t *sizes, cl_uint dimensions) {
    (void)fprintf(file, "  %s = {", name);
    for (cl_uint i = 0; i < dimensions; i++)
        (void)fprintf(file, "%s%zu", i ? ", " : "", sizes[i]);
    (void)fputs("},\n", file);
}

static void write_range(FILE *file, const range *r) {
    write_sizes(file, "global", r->global, r->dimensions);
    if (r->has_local) write_sizes(file, "local_size", r->local, r->dimensions);
    if (r->offset[0] || r->offset[1] || r->offset[2]) write_sizes(file, "offset", r->offset, r->dimensions);
}

static void write_device(FILE *file, const device *on) {
    static const struct {
        const char *name;
        cl_device_info what;
    } facts[] = {{"name", CL_DEVICE_NAME},
                 {"vendor", CL_DEVICE_VENDOR},
                 {"version", CL_DEVICE_VERSION},
                 {"driver", CL_DRIVER_VERSION}};
    char text[TEXT] = "";
    (void)fputs("  device = {", file);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (clGetDeviceInfo(on->id, facts[i].what, sizeof text, text, NULL) != CL_SUCCESS) text[0] = '\0';
        write_text(file, facts[i].name, text);
        (void)fputs(", ", file);
    }
    if (clGetPlatformInfo(on->platform, CL_PLATFORM_NAME, sizeof text, text, NULL) != CL_SUCCESS) text[0] = '\0';
    write_text(file, "platform", text);
    (void)fputs("},\n", file);
}

bool capture_write_call(const char *folder, const struct kernel_call *call, long long number) {
    const kernel *k = call->kernel;
    FILE *file = capture_open_file(folder, "call.lua");
    if (!file) return false;
    (void)fputs(
        "-- A call of a kernel, captured by clue; replay.lua repeats it. Numbers such as 0x10F1 are OpenCL's.\n"
        "return {\n  ",
        file);
    write_text(file, "kernel", k->name);
    (void)fprintf(file, ",\n  call = %lld,\n", number);
    if (!write_program(folder, file, k->program)) {
        (void)fclose(file);
        return false;
    }
    write_device(file, call->queue->device);
    write_range(file, call->range);
    (void)fputs("  arguments = {\n", file);
    for (int32_t i = 0; i < k->count; i++)
        write_argument(file, k, i);
    (void)fputs("  },\n}\n", file);
    return capture_close_file(file, folder, "call.lua");
}

bool capture_write_script(const char *folder, const char *script) {
    char part[PATH];
    size_t size;
    FILE *from = file_open(script, "rb"), *file;
    bool read;
    if (!from) return capture_fail("'%s' cannot be read: %s", script, strerror(errno));
    file = capture_open_file(folder, "replay.lua");
    while (file && (size = fread(part, 1, sizeof part, from)) > 0)
        (void)fwrite(part, 1, size, file);
    read = !ferror(from);
    (void)fclose(from);
    if (!file) return false;
    return capture_close_file(file, folder, "replay.lua") &&
           (read || capture_fail("'%s' could not be read", script));
}
