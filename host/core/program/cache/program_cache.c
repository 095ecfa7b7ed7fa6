/* program_cache.c - keeps built programs in files, so that later runs need not compile them.
 *
 * An entry has the driver's binary, and what a driver does not say about a program made from it: log, kernels,
 * arguments. Its checksum is compared before the driver sees the binary, because a damaged one crashes PoCL.
 *
 * The time of the builds decides what is kept. If a driver has a good cache of its own, the second build takes no
 * time, and an entry would gain nothing. Where the driver must work to make the binary, that waits until as much
 * time has been lost as it takes. So an entry never costs more than it could have saved, and programs that change
 * all the time cost nothing: until then they leave only a file with the number of their builds. */
#include "../../../sys/system.h"
#include "program/cache/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "clue program 1\n", kept[] = ".program", builds[] = ".builds";

enum { SUM = 16 }; /* hexadecimal digits of the checksum, at the end */

/* Seconds. WORTH: a build that takes less is not kept. POCL_KERNEL: for its binary, PoCL compiles every kernel
 * again, for most in 0.04 to 0.1 s. MOST_PAUSE: what users may have to wait for an entry to be made. */
static const double WORTH = 0.010, POCL_KERNEL = 0.1, MOST_PAUSE = 0.2;

/* ---- entries ---- */

struct part {
    const char *start;
    size_t length;
};

struct entry {
    struct part key, log, kernels, arguments, binary;
};

static void put(FILE *to, const char *name, const char *bytes, size_t size) {
    fprintf(to, "%s %zu\n", name, size);
    fwrite(bytes, 1, size, to);
    fputc('\n', to);
}

/* "NAME SIZE\nBYTES\n" */
static bool take(struct part *part_out, const char **at, const char *end, const char *name) {
    const size_t length = strlen(name);
    char *stop;
    unsigned long long size;
    if ((size_t)(end - *at) < length + 4 || memcmp(*at, name, length) != 0 || (*at)[length] != ' ') return false;
    size = strtoull(*at + length + 1, &stop, 10);
    if (end - stop < 2 || *stop != '\n' || size > (size_t)(end - stop) - 2) return false;
    *part_out = (struct part){stop + 1, (size_t)size};
    *at = stop + 2 + size;
    return true;
}

static bool has_checksum(const char *bytes, size_t size) {
    char sum[SUM + 1];
    if (size < sizeof magic - 1 + SUM || memcmp(bytes, magic, sizeof magic - 1) != 0) return false;
    snprintf(sum, sizeof sum, "%016llx", (unsigned long long)cache_checksum(CACHE_CHECKSUM, bytes, size - SUM));
    return memcmp(bytes + size - SUM, sum, SUM) == 0;
}

static bool read_entry(struct entry *entry_out, const char *bytes, size_t size, const char *key) {
    const char *at = bytes + sizeof magic - 1, *end = bytes + size - SUM;
    return has_checksum(bytes, size) && take(&entry_out->key, &at, end, "key") &&
           take(&entry_out->log, &at, end, "log") && take(&entry_out->kernels, &at, end, "kernels") &&
           take(&entry_out->arguments, &at, end, "arguments") && take(&entry_out->binary, &at, end, "binary") &&
           at == end && entry_out->key.length == strlen(key) && memcmp(entry_out->key.start, key, strlen(key)) == 0;
}

static char *copy(struct part of) {
    char *text = calloc(1, of.length + 1);
    if (text) memcpy(text, of.start, of.length);
    return text;
}

/* ---- arguments: a line for each kernel, "NAME COUNT ATTRIBUTES", and for each of its arguments ---- */

static void put_argument(FILE *to, cl_kernel of, cl_uint index) {
    cl_uint address = 0, access = 0;
    cl_kernel_arg_type_qualifier qualifier = 0;
    char name[1024] = "", type[1024] = "";
    (void)clGetKernelArgInfo(of, index, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address, NULL);
    (void)clGetKernelArgInfo(of, index, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL);
    (void)clGetKernelArgInfo(of, index, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL);
    (void)clGetKernelArgInfo(of, index, CL_KERNEL_ARG_NAME, sizeof name - 1, name, NULL);
    (void)clGetKernelArgInfo(of, index, CL_KERNEL_ARG_TYPE_NAME, sizeof type - 1, type, NULL);
    fprintf(to, "%u %u %llu %s\t%s\n", address, access, (unsigned long long)qualifier, name, type);
}

static bool put_kernel(FILE *to, const struct built *p, const char *name) {
    char attributes[4096] = "";
    cl_int code = CL_SUCCESS;
    cl_uint count = 0;
    cl_kernel made = clCreateKernel(p->program, name, &code);
    if (!made || code != CL_SUCCESS) return false;
    code = clGetKernelInfo(made, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    (void)clGetKernelInfo(made, CL_KERNEL_ATTRIBUTES, sizeof attributes - 1, attributes, NULL);
    fprintf(to, "%s %u %.*s\n", name, count, (int)strcspn(attributes, "\n"), attributes);
    for (cl_uint i = 0; i < count && code == CL_SUCCESS; i++)
        put_argument(to, made, i);
    (void)clReleaseKernel(made);
    return code == CL_SUCCESS;
}

/* The text for all kernels; NULL if it cannot be made. */
static char *arguments_text(const struct built *p) {
    char *names = text_copy(p->kernels);
    memory_file text = {0};
    bool known = names && memory_file_open(&text);
    for (char *name = names, *end; known && *name; name = end) {
        end = name + strcspn(name, ";");
        if (*end) *end++ = '\0';
        known = put_kernel(text.to, p, name);
    }
    free(names);
    if (memory_file_close(&text) && known) return text.bytes;
    free(text.bytes);
    return NULL;
}

static const char *line_after(const char *at) {
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* The line of a kernel, and the number of arguments that follow; NULL if the text has none. The text may be
 * damaged: a count may be greater than the number of lines. */
static const char *find_kernel(const char *text, const char *name, unsigned long *count_out) {
    const size_t length = strlen(name);
    while (*text) {
        const char *start = text;
        *count_out = strtoul(text + strcspn(text, " \n"), NULL, 10);
        if (strncmp(text, name, length) == 0 && text[length] == ' ') return start;
        for (unsigned long i = 0; i <= *count_out && *text; i++)
            text = line_after(text);
    }
    return NULL;
}

/* The line of an argument; NULL if the text has none. */
static const char *find_argument(const char *text, const char *of, cl_uint index) {
    unsigned long count = 0;
    const char *line = find_kernel(text, of, &count);
    if (!line || index >= count) return NULL;
    for (cl_uint i = 0; i <= index && *line; i++)
        line = line_after(line);
    return *line ? line : NULL;
}

static cl_int give(const void *from, size_t length, size_t size, void *value, size_t *size_out) {
    if (value && size < length) return CL_INVALID_VALUE;
    if (value) memcpy(value, from, length);
    if (size_out) *size_out = length;
    return CL_SUCCESS;
}

static cl_int give_text(const char *from, size_t length, size_t size, void *value, size_t *size_out) {
    if (value && size < length + 1) return CL_INVALID_VALUE;
    if (value) memcpy(value, from, length);
    if (value) ((char *)value)[length] = '\0';
    if (size_out) *size_out = length + 1;
    return CL_SUCCESS;
}

static cl_int argument_info(const char *line, cl_kernel_arg_info property, size_t size, void *value,
                            size_t *size_out) {
    char *at;
    const cl_uint address = (cl_uint)strtoul(line, &at, 10), access = (cl_uint)strtoul(at, &at, 10);
    const cl_kernel_arg_type_qualifier qualifier = strtoull(at, &at, 10);
    const char *name = at + (*at == ' '), *type = name + strcspn(name, "\t\n");
    type += *type == '\t';
    switch (property) {
    case CL_KERNEL_ARG_NAME:
        return give_text(name, strcspn(name, "\t\n"), size, value, size_out);
    case CL_KERNEL_ARG_TYPE_NAME:
        return give_text(type, strcspn(type, "\n"), size, value, size_out);
    default:
        break;
    }
    if (address == 0) return CL_KERNEL_ARG_INFO_NOT_AVAILABLE; /* the driver did not know it */
    switch (property) {
    case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
        return give(&address, sizeof address, size, value, size_out);
    case CL_KERNEL_ARG_ACCESS_QUALIFIER:
        return give(&access, sizeof access, size, value, size_out);
    case CL_KERNEL_ARG_TYPE_QUALIFIER:
        return give(&qualifier, sizeof qualifier, size, value, size_out);
    default:
        return CL_INVALID_VALUE;
    }
}

cl_int kept_argument_info(const char *arguments, const char *name, cl_uint index, cl_kernel_arg_info property,
                          size_t size, void *value, size_t *size_out) {
    const char *line = find_argument(arguments, name, index);
    return line ? argument_info(line, property, size, value, size_out) : CL_INVALID_ARG_INDEX;
}

const char *kept_attributes(size_t *length_out, const char *arguments, const char *name) {
    unsigned long count = 0;
    const char *line = find_kernel(arguments, name, &count);
    const char *attributes = line ? line + strlen(name) + 1 : "";
    attributes += strcspn(attributes, " \n");
    attributes += *attributes == ' ';
    *length_out = strcspn(attributes, "\n");
    return attributes;
}

/* ---- programs from entries ---- */

/* True if programs can be kept for the device: not a part of a device, not a driver that cannot build from binaries
 * (rusticl), and not one that needs the source to name the line of a fault (Oclgrind). */
static bool serves(const device *on) {
    return !on->part && !on->rusticl && !on->oclgrind;
}

static void forget(struct built *p) {
    if (p->program) (void)clReleaseProgram(p->program);
    free(p->log);
    free(p->kernels);
    free(p->arguments);
    *p = (struct built){0};
}

/* These calls record no failure: if one fails, the program is built from its source. */
static bool load(struct built *p, cl_context in, const device *on, const struct entry *entry) {
    const unsigned char *binary = (const unsigned char *)entry->binary.start;
    cl_int status = CL_SUCCESS, code = CL_SUCCESS;
    p->program = clCreateProgramWithBinary(in, 1, &on->id, &entry->binary.length, &binary, &status, &code);
    if (!p->program || code != CL_SUCCESS || status != CL_SUCCESS) return false;
    waiting_for("the build of a program");
    handlers_keep();
    code = clBuildProgram(p->program, 1, &on->id, "", NULL, NULL);
    handlers_put_back();
    waiting_is_over();
    return code == CL_SUCCESS;
}

bool program_from_cache(struct built *p, cl_context in, const device *on, const char *key) {
    struct entry entry;
    size_t size = 0;
    char *bytes = serves(on) ? cache_read(&size, key, kept) : NULL;
    bool loaded;
    *p = (struct built){0};
    if (!bytes) return false;
    loaded = read_entry(&entry, bytes, size, key) && (p->log = copy(entry.log)) &&
             (p->kernels = copy(entry.kernels)) && (p->arguments = copy(entry.arguments)) &&
             load(p, in, on, &entry);
    if (!loaded) {
        forget(p);
        cache_remove(key, kept);
    }
    free(bytes);
    return loaded;
}

/* The size, for which PoCL makes the binary; 0 if there is none. */
static size_t binary_size(const struct built *p) {
    size_t size = 0;
    cl_int code;
    waiting_for("the binary of a program");
    handlers_keep();
    code = clGetProgramInfo(p->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    handlers_put_back();
    waiting_is_over();
    return code == CL_SUCCESS ? size : 0;
}

/* The driver's binary, on the heap; NULL if it gives none. */
static char *driver_binary(const struct built *p, size_t *size_out) {
    char *bytes;
    *size_out = binary_size(p);
    bytes = *size_out > 0 ? malloc(*size_out) : NULL;
    if (bytes && clGetProgramInfo(p->program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS)
        return bytes;
    free(bytes);
    return NULL;
}

static void write_entry(const struct built *p, const char *key, const char *arguments, const char *binary,
                        size_t length) {
    memory_file made;
    char *whole;
    if (!memory_file_open(&made)) return;
    fputs(magic, made.to);
    put(made.to, "key", key, strlen(key));
    put(made.to, "log", p->log, strlen(p->log));
    put(made.to, "kernels", p->kernels, strlen(p->kernels));
    put(made.to, "arguments", arguments, strlen(arguments));
    put(made.to, "binary", binary, length);
    if (memory_file_close(&made) && (whole = realloc(made.bytes, made.size + SUM + 1))) {
        made.bytes = whole;
        snprintf(whole + made.size, SUM + 1, "%016llx",
                 (unsigned long long)cache_checksum(CACHE_CHECKSUM, whole, made.size));
        cache_write(key, kept, whole, made.size + SUM);
    }
    free(made.bytes);
}

static int count_kernels(const char *names) {
    int count = *names != '\0';
    while ((names = strchr(names, ';')))
        names++, count++;
    return count;
}

/* The seconds that the driver takes to make the binary. */
static double cost(const struct built *p, const device *on) {
    return on->pocl ? count_kernels(p->kernels) * POCL_KERNEL : 0;
}

/* How often the program was built, as the cache knows. */
static long builds_before(const char *key) {
    size_t size = 0;
    char *text = cache_read(&size, key, builds);
    const long count = text ? strtol(text, NULL, 10) : 0;
    free(text);
    return count;
}

bool program_is_due(const struct built *p, const device *on, const char *key, double seconds) {
    const double pause = cost(p, on);
    char count[24];
    long before;
    if (!serves(on) || *p->kernels == '\0' || seconds < WORTH || pause > MOST_PAUSE) return false;
    before = builds_before(key);
    if (before > 0 && (double)before * seconds >= pause) return true;
    snprintf(count, sizeof count, "%ld\n", before + 1);
    cache_write(key, builds, count, strlen(count));
    return false;
}

void program_to_cache(const struct built *p, const char *key) {
    size_t size = 0;
    char *arguments = arguments_text(p), *binary = arguments ? driver_binary(p, &size) : NULL;
    if (binary) write_entry(p, key, arguments, binary, size);
    if (binary) cache_remove(key, builds);
    free(arguments);
    free(binary);
}
