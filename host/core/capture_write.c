/* capture_write.c - the folder of a captured call: kernel.cl, argN.before.npy, argN.after.npy, and call.lua, a
 * table that tells the rest. replay.lua, which reads them, is put beside them by who asked for the capture. */
#define CLUE_UNTRACED
#include "capture.h"
#include "clue.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 4096, TEXT = 256 };

bool capture_fail(const char *format, ...) {
    char text[TEXT * 3];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    (void)fprintf(stderr, "clue: nothing captured of the kernel's call: %s\n", text);
    return false;
}

static FILE *open_file(const char *folder, const char *name) {
    char path[PATH];
    FILE *file;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wbe");
    if (!file) (void)capture_fail("'%s' cannot be written", path);
    return file;
}

static bool close_file(FILE *file, const char *name) {
    const bool well = !ferror(file);
    return (fclose(file) == 0 && well) || capture_fail("'%s' could not be written whole", name);
}

/* As a Lua string in quotes. */
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

static cl_program program_of(cl_kernel of) {
    cl_program found = NULL;
    (void)clGetKernelInfo(of, CL_KERNEL_PROGRAM, sizeof(cl_program), &found, NULL);
    return found;
}

bool capture_has_source(const struct capture_call *call) {
    size_t size = 0;
    (void)clGetProgramInfo(program_of(call->kernel), CL_PROGRAM_SOURCE, 0, NULL, &size);
    return size > 1 || capture_fail("its program was not built from one source, but linked or from a binary; where "
                                    "that came from clue's cache, CLUE_NO_CACHE=1 has it built from its source");
}

/* The texts of its source and options, malloced; NULL: it has none, or there is no memory. */
static char *source_of(cl_program from) {
    size_t size = 0;
    char *source;
    if (clGetProgramInfo(from, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS || size <= 1) return NULL;
    source = calloc(1, size + 1);
    if (source) (void)clGetProgramInfo(from, CL_PROGRAM_SOURCE, size, source, NULL);
    return source;
}

static char *options_of(cl_program from, cl_device_id on) {
    size_t size = 0;
    char *options;
    (void)clGetProgramBuildInfo(from, on, CL_PROGRAM_BUILD_OPTIONS, 0, NULL, &size);
    options = calloc(1, size + 1);
    if (options && size) (void)clGetProgramBuildInfo(from, on, CL_PROGRAM_BUILD_OPTIONS, size, options, NULL);
    return options;
}

/* The source, its headers and, in call.lua, its options. */
static bool write_program(const char *folder, FILE *file, const struct capture_call *call, cl_device_id on) {
    char *source = source_of(program_of(call->kernel)), *options = options_of(program_of(call->kernel), on);
    int headers = -1;
    if (!source || !options)
        (void)capture_fail("there is no memory for its program's source");
    else
        headers = capture_write_source(folder, source, options);
    if (headers >= 0) {
        capture_drop_folders(options);
        (void)fputs("  ", file);
        write_text(file, "options", options);
        (void)fprintf(file, ",\n  headers = %d,\n", headers);
    }
    free(source);
    free(options);
    return headers >= 0;
}

/* ---- arguments ---- */

enum kind { IS_VALUE, IS_BUFFER, IS_LOCAL, IS_UNKNOWN };

static const char *argument_text(cl_kernel of, cl_uint index, cl_kernel_arg_info what, char *text) {
    text[0] = '\0';
    if (clGetKernelArgInfo(of, index, what, TEXT, text, NULL) != CL_SUCCESS) text[0] = '\0';
    return text;
}

static cl_mem memory_of(const struct capture_argument *argument) {
    cl_mem memory = NULL;
    if (argument->size == sizeof(cl_mem)) memcpy(&memory, argument->bytes, sizeof(cl_mem));
    return memory;
}

static enum kind kind_of(const struct capture_call *call, cl_uint index, const struct capture_argument *argument) {
    cl_kernel_arg_address_qualifier address = 0;
    cl_mem_object_type type = 0;
    if (!argument->bytes) return IS_LOCAL;
    if (clGetKernelArgInfo(call->kernel, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL) !=
        CL_SUCCESS)
        return IS_UNKNOWN;
    if (address == CL_KERNEL_ARG_ADDRESS_PRIVATE) return IS_VALUE;
    if (!memory_of(argument)) return IS_UNKNOWN;
    (void)clGetMemObjectInfo(memory_of(argument), CL_MEM_TYPE, sizeof type, &type, NULL);
    return type == CL_MEM_OBJECT_BUFFER ? IS_BUFFER : IS_UNKNOWN;
}

static bool refuse_argument(const struct capture_call *call, cl_uint index) {
    char name[TEXT], type[TEXT];
    return capture_fail("its argument %u '%s' is %s: only buffers, values and local memory are captured", index,
                        argument_text(call->kernel, index, CL_KERNEL_ARG_NAME, name),
                        *argument_text(call->kernel, index, CL_KERNEL_ARG_TYPE_NAME, type)
                            ? type
                            : "of a type that the driver does not tell");
}

/* The first argument that is the same buffer. */
static cl_uint first_of(const struct capture_argument *arguments, cl_uint index) {
    for (cl_uint i = 0; i < index; i++)
        if (arguments[i].bytes && arguments[i].size == sizeof(cl_mem) &&
            memory_of(&arguments[i]) == memory_of(&arguments[index]))
            return i;
    return index;
}

/* ---- buffers ---- */

static cl_int read_straight(const struct capture_call *call, cl_mem memory, size_t size, void *data) {
    return clEnqueueReadBuffer(call->queue, memory, CL_TRUE, 0, size, data, 0, NULL, NULL);
}

/* Of a buffer that the host may not read: through another one. */
static cl_int read_around(const struct capture_call *call, cl_mem memory, size_t size, void *data) {
    cl_context in = NULL;
    cl_int code = CL_SUCCESS;
    cl_mem copy;
    (void)clGetMemObjectInfo(memory, CL_MEM_CONTEXT, sizeof(cl_context), &in, NULL);
    copy = clCreateBuffer(in, CL_MEM_READ_WRITE, size, NULL, &code);
    if (code == CL_SUCCESS) code = clEnqueueCopyBuffer(call->queue, memory, copy, 0, 0, size, 0, NULL, NULL);
    if (code == CL_SUCCESS) code = read_straight(call, copy, size, data);
    if (copy) (void)clReleaseMemObject(copy);
    return code;
}

static bool write_buffer(const char *path, const struct capture_call *call, cl_uint index, cl_mem memory) {
    char type[TEXT];
    size_t size = 0;
    cl_int code = clGetMemObjectInfo(memory, CL_MEM_SIZE, sizeof size, &size, NULL);
    void *data = malloc(size ? size : 1);
    bool well;
    if (!data) return capture_fail("there is no memory for the %zu bytes of its argument %u", size, index);
    if (code == CL_SUCCESS) code = read_straight(call, memory, size, data);
    if (code == CL_INVALID_OPERATION) code = read_around(call, memory, size, data);
    well =
        code == CL_SUCCESS
            ? capture_write_npy(path, argument_text(call->kernel, index, CL_KERNEL_ARG_TYPE_NAME, type), data, size)
            : capture_fail("the buffer of its argument %u cannot be read: %s", index,
                           clue_error_name(code) ? clue_error_name(code) : "unknown error");
    free(data);
    return well;
}

bool capture_write_buffers(const char *folder, const struct capture_call *call,
                           const struct capture_argument *arguments, cl_uint count, const char *moment) {
    for (cl_uint i = 0; i < count; i++) {
        const enum kind kind = kind_of(call, i, &arguments[i]);
        char path[PATH];
        if (kind == IS_UNKNOWN) return refuse_argument(call, i);
        if (kind != IS_BUFFER || first_of(arguments, i) != i) continue;
        (void)snprintf(path, sizeof path, "%s/arg%u.after.npy", folder, i);
        (void)remove(path); /* of an earlier capture; this one may not come to its end */
        (void)snprintf(path, sizeof path, "%s/arg%u.%s.npy", folder, i, moment);
        if (!write_buffer(path, call, i, memory_of(&arguments[i]))) return false;
    }
    return true;
}

/* ---- call.lua ---- */

static void write_argument(FILE *file, const struct capture_call *call, const struct capture_argument *arguments,
                           cl_uint index) {
    const struct capture_argument *argument = &arguments[index];
    const enum kind kind = kind_of(call, index, argument);
    char text[TEXT];
    (void)fputs("    {", file);
    write_text(file, "name", argument_text(call->kernel, index, CL_KERNEL_ARG_NAME, text));
    (void)fputs(", ", file);
    write_text(file, "type", argument_text(call->kernel, index, CL_KERNEL_ARG_TYPE_NAME, text));
    if (kind == IS_LOCAL) {
        (void)fprintf(file, ", kind = \"local\", size = %zu},\n", argument->size);
    } else if (kind == IS_VALUE) {
        (void)fputs(", kind = \"value\", bytes = ", file);
        write_quoted(file, (const char *)argument->bytes, argument->size);
        (void)fputs("},\n", file);
    } else {
        cl_mem_flags flags = 0;
        size_t size = 0;
        (void)clGetMemObjectInfo(memory_of(argument), CL_MEM_FLAGS, sizeof flags, &flags, NULL);
        (void)clGetMemObjectInfo(memory_of(argument), CL_MEM_SIZE, sizeof size, &size, NULL);
        (void)fprintf(file, ", kind = \"buffer\", size = %zu, flags = %llu, contents_of = %u},\n", size,
                      (unsigned long long)flags, first_of(arguments, index));
    }
}

static void write_sizes(FILE *file, const char *name, const size_t *sizes, cl_uint dimensions) {
    if (!sizes) return;
    (void)fprintf(file, "  %s = {", name);
    for (cl_uint i = 0; i < dimensions; i++)
        (void)fprintf(file, "%s%zu", i ? ", " : "", sizes[i]);
    (void)fputs("},\n", file);
}

static void write_device(FILE *file, cl_device_id on) {
    static const struct {
        const char *name;
        cl_device_info what;
    } facts[] = {{"name", CL_DEVICE_NAME},
                 {"vendor", CL_DEVICE_VENDOR},
                 {"version", CL_DEVICE_VERSION},
                 {"driver", CL_DRIVER_VERSION}};
    cl_platform_id platform = NULL;
    char text[TEXT] = "";
    (void)fputs("  device = {", file);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (clGetDeviceInfo(on, facts[i].what, sizeof text, text, NULL) != CL_SUCCESS) text[0] = '\0';
        write_text(file, facts[i].name, text);
        (void)fputs(", ", file);
    }
    (void)clGetDeviceInfo(on, CL_DEVICE_PLATFORM, sizeof(cl_platform_id), &platform, NULL);
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL) != CL_SUCCESS) text[0] = '\0';
    write_text(file, "platform", text);
    (void)fputs("},\n", file);
}

bool capture_write_call(const char *folder, const struct capture_call *call,
                        const struct capture_argument *arguments, cl_uint count, const char *name,
                        long long number) {
    FILE *file = open_file(folder, "call.lua");
    cl_device_id on = NULL;
    if (!file) return false;
    (void)clGetCommandQueueInfo(call->queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), &on, NULL);
    (void)fputs("-- A call of a kernel, captured by clue; replay.lua repeats it.\nreturn {\n  ", file);
    write_text(file, "kernel", name);
    (void)fprintf(file, ",\n  call = %lld,\n", number);
    if (!write_program(folder, file, call, on)) {
        (void)fclose(file);
        return false;
    }
    write_device(file, on);
    write_sizes(file, "global", call->global, call->dimensions);
    write_sizes(file, "local_size", call->local, call->dimensions);
    write_sizes(file, "offset", call->offset, call->dimensions);
    (void)fputs("  arguments = {\n", file);
    for (cl_uint i = 0; i < count; i++)
        write_argument(file, call, arguments, i);
    (void)fputs("  },\n}\n", file);
    return close_file(file, "call.lua");
}
