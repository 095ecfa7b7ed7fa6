/* program_object.c - the object of a program: its life, what the driver says about it, and why its build failed. */
#include "program/cache/cache.h"
#include "program/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void drop_build(program *p) {
    if (p->program) (void)clReleaseProgram(p->program);
    free(p->log);
    free(p->kernels);
    free(p->arguments);
}

void program_destroy(object *self) {
    program *p = (program *)self;
    program_live_end(p);
    if (p->owner)
        object_release(&p->owner->base);
    else
        drop_build(p);
    object_release(&p->context->base);
    free(p->device_log);
    free(p->link_options);
    program_drop_sources(p);
    free(p);
}

static object *parent_of(const object *self) {
    return &((const program *)self)->context->base;
}

static void *pointer_of(const object *self) {
    return ((const program *)self)->program;
}

const object_class program_class = {CLUE_PROGRAM, program_destroy, parent_of, pointer_of};

program *program_new(context *c, const char *call) {
    program *p = calloc(1, sizeof *p);
    if (!p) {
        (void)error_out_of_memory(call);
        return NULL;
    }
    object_retain(&c->base);
    p->context = c;
    return p;
}

/* ---- what the driver says ---- */

static void trim_end(char *text) {
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
}

char *program_read_log_on(const program *p, const device *on) {
    size_t size = 0;
    char *log;
    if (clGetProgramBuildInfo(p->program, on->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) != CL_SUCCESS) size = 0;
    log = calloc(1, size + 1);
    if (!log) return NULL;
    if (clGetProgramBuildInfo(p->program, on->id, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        log[0] = '\0';
    trim_end(log);
    return log;
}

/* The device whose build failed; the first one if none did, or if the driver does not say. */
static const device *failing_device(const program *p) {
    const context *in = p->context;
    for (cl_uint i = 0; i < in->device_count && in->device_count > 1; i++) {
        cl_build_status status = CL_BUILD_SUCCESS;
        if (clGetProgramBuildInfo(p->program, in->ids[i], CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL) ==
                CL_SUCCESS &&
            status == CL_BUILD_ERROR)
            return in->devices[i];
    }
    return in->device;
}

char *program_read_log(const program *p) {
    return program_read_log_on(p, failing_device(p));
}

/* Asks for the number of kernels first: NVIDIA's driver crashes if it is asked for the names of none. */
int32_t program_read_kernels(program *p) {
    size_t count = 0, size = 0;
    int32_t code = CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL);
    if (code == 0 && count > 0)
        code = CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &size);
    if (code) return code;
    p->kernels = calloc(1, size + 1);
    if (!p->kernels) return error_out_of_memory("clGetProgramInfo");
    return size ? CL_CALL(clGetProgramInfo, p->program, CL_PROGRAM_KERNEL_NAMES, size, p->kernels, NULL) : 0;
}

/* ---- why a build failed ---- */

/* True if the text names doubles: double, double4, convert_double; not double_buffer. */
static bool names_double(const char *text) {
    for (const char *at = text; (at = strstr(at, "double"));) {
        at += strlen("double");
        at += strspn(at, "0123456789");
        if (!is_in_name(*at)) return true;
    }
    return false;
}

/* True if the log's errors name doubles, or the source if there is no log. */
static bool fails_for_doubles(const program *p, const char *source) {
    const char *error = p->log ? p->log : "";
    if (*error == '\0') return names_double(source);
    while ((error = strstr(error, "error"))) {
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(error, "\n"), error);
        if (names_double(line)) return true;
        error += strlen("error");
    }
    return false;
}

static void explain_doubles(const device *on) {
    char advice[120];
    advice_doubles(advice, sizeof advice);
    error_explain("%s has no double precision (no cl_khr_fp64), and the source uses it: %s", on->name, advice);
}

void program_explain(const program *p, struct build_text of, int32_t code) {
    const device *on = failing_device(p);
    char *annotated;
    of.counts_all_lines = on->oclgrind || on->nvidia;
    if (p->source_count > 0) of.options = p->sources[p->source_count - 1]->options;
    annotated = p->log && *p->log ? buildlog_annotate(p->log, &of) : NULL;
    if (annotated) error_attach_log(annotated);
    if (!on->doubles && fails_for_doubles(p, of.source))
        explain_doubles(on);
    else if ((code == CL_BUILD_PROGRAM_FAILURE || code == CL_COMPILE_PROGRAM_FAILURE) && !annotated)
        error_explain("the source does not compile, and the driver left no log");
    else
        build_advise(clue_error_log(), &of);
}
