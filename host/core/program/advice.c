/* advice.c - parts of messages that say what to do about a failure, where that must be worked out.
 *
 * These functions run while a failure is being recorded, so they record none themselves. */
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- devices ---- */

static bool has_doubles(int32_t ordinal) {
    cl_device_fp_config doubles = 0;
    const cl_device_id id = device_at(ordinal, "clGetDeviceInfo")->id;
    return clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL) == CL_SUCCESS && doubles;
}

void advice_doubles(char *out, size_t room) {
    int32_t count = 0;
    size_t used = (size_t)snprintf(out, room, "use float");
    (void)clue_device_count(&count);
    for (int32_t i = 0, found = 0; i < count && used + 20 < room; i++) {
        if (!has_doubles(i)) continue;
        used +=
            (size_t)snprintf(out + used, room - used, "%s %d", found ? "," : ", or a device that has it:", (int)i);
        found++;
    }
}

/* ---- names ---- */

enum { LONGEST_NAME = 64 };

static size_t least(size_t a, size_t b, size_t c) {
    const size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* The number of characters to insert, remove or replace to turn one name into the other. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t row[LONGEST_NAME + 1];
    for (size_t i = 0; i <= b_length; i++)
        row[i] = i;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            const size_t above = row[j];
            row[j] = least(row[j - 1] + 1, above + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[b_length];
}

static bool differ_in_case(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    return true;
}

/* The name in "first;second" that differs only in the case of letters; else the one that differs least, by no more
 * than a slip; NULL if there is none. */
static const char *nearest(const char *names, const char *name, size_t *length_out) {
    const size_t length = strlen(name);
    const char *found = NULL;
    size_t best = length < 4 ? 1 : 2;
    for (const char *at = names; *at; at += strcspn(at, ";"), at += *at == ';') {
        const size_t its = strcspn(at, ";");
        size_t apart;
        if (its > LONGEST_NAME || length > LONGEST_NAME) continue;
        apart = its == length && differ_in_case(name, at, its) ? 0 : distance(name, length, at, its);
        if (apart > best || (found && apart == best)) continue;
        best = apart;
        found = at;
        *length_out = its;
    }
    return found;
}

/* What OpenCL C has before a type. */
static const char qualifiers[] =
    "kernel;__kernel;global;__global;local;__local;constant;__constant;private;__private";

void advice_type(char *out, size_t room, const char *what) {
    char name[LONGEST_NAME];
    size_t length = 0;
    int end = 0;
    const char *near;
    *out = '\0';
    if (sscanf(what, "unknown type name '%63[A-Za-z0-9_]'%n", name, &end) != 1 || !end) return;
    near = what[end] && what[end] != '\n' ? NULL : nearest(qualifiers, name, &length);
    if (near) snprintf(out, room, "; is '%.*s' meant?", (int)length, near);
}

/* True if the declaration that ends here contains kernel or __kernel. */
static bool is_kernel(const char *source, const char *end) {
    const char *start = end;
    while (start > source && !strchr(";}", start[-1]))
        start--;
    for (const char *at = start; at + 6 < end; at++)
        if (strncmp(at, "kernel", 6) == 0) return true;
    return false;
}

/* If "name (" is a word of the source: what to do so that it becomes a kernel; otherwise "". */
static const char *advice_on_function(const char *source, const char *name) {
    const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    for (const char *at = source; (at = strstr(at, name)); at++) {
        const char *after = at + strlen(name);
        if ((at > source && strchr(letters, at[-1])) || after[strspn(after, " \t\r\n")] != '(') continue;
        return is_kernel(source, at) ? "; it is in the source, but the preprocessor leaves it out"
                                     : "; the source has a function of that name: write kernel before it";
    }
    return "";
}

static const char *advice_by_source(cl_program of, const char *name) {
    const char *advice = "";
    size_t size = 0;
    char *source;
    if (clGetProgramInfo(of, CL_PROGRAM_SOURCE, 0, NULL, &size) != CL_SUCCESS || size == 0) return "";
    source = calloc(1, size + 1);
    if (source && clGetProgramInfo(of, CL_PROGRAM_SOURCE, size, source, NULL) == CL_SUCCESS)
        advice = advice_on_function(source, name);
    free(source);
    return advice;
}

/* PoCL's headers have macros for the functions of OpenCL C, which also rename what a program calls so itself. */
static const char renaming[] = "_cl_";

/* A name that the source itself has stays. */
void advice_as_written(char *name, const program *of) {
    const size_t length = sizeof renaming - 1;
    if (!of->context->device->pocl || strncmp(name, renaming, length) != 0) return;
    for (int32_t i = 0; i < of->source_count; i++)
        if (strstr(of->sources[i]->text, name)) return;
    memmove(name, name + length, strlen(name) + 1 - length);
}

static bool advise_builtin(char *out, size_t room, const program *p, const char *name) {
    char renamed[LONGEST_NAME + sizeof renaming];
    const int length = snprintf(renamed, sizeof renamed, "%s%s", renaming, name);
    if (length >= (int)sizeof renamed || !text_lists(p->kernels, renamed)) return false;
    snprintf(out, room, "; '%s' is a function of OpenCL C, and the driver renames it: give the kernel another name",
             name);
    return true;
}

void advice_kernel(char *out, size_t room, const program *p, const char *name) {
    size_t length = 0;
    const char *near = nearest(p->kernels, name, &length);
    if (advise_builtin(out, room, p, name)) return;
    snprintf(out, room, "%s", advice_by_source(p->program, name));
    if (!*out && near) snprintf(out, room, "; is '%.*s' meant?", (int)length, near);
}
