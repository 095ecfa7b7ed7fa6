/* program.c - builds programs from source, and keeps the driver's log whether the build succeeds or not.
 *
 * program_options.c makes the options of a build. */
#include "../../sys/system.h"
#include "program/cache/cache.h"
#include "program/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

/* The first name that is too long for the driver; NULL if there is none. PoCL names files after kernels, twice in a
 * path, and ends the process if a path is too long for it. */
static const char *find_long_name(const program *p, const char *names) {
    for (const char *at = names; p->context->device->pocl && *at; at += strcspn(at, ";"), at += *at == ';')
        if (strcspn(at, ";") > LONGEST_NAME) return at;
    return NULL;
}

int32_t program_check_names(const program *p, const char *names, const char *call) {
    const char *name = find_long_name(p, names);
    if (!name) return 0;
    return error_record(CL_INVALID_KERNEL_NAME, CLUE_CAUSE_LIMIT, call,
                        "the name of kernel '%.20s...' has %zu characters: PoCL, which names files after kernels, "
                        "ends the process at long names, so the maximum there is %d",
                        name, strcspn(name, ";"), LONGEST_NAME);
}

static cl_int compile(program *p, const char *options) {
    char *all = program_driver_options(p->context->device, options);
    cl_int code;
    if (!all) return CL_OUT_OF_HOST_MEMORY;
    waiting_for("the build of a program");
    handlers_keep();
    code = clBuildProgram(p->program, p->context->device_count, p->context->ids, all, NULL, NULL);
    handlers_put_back();
    waiting_is_over();
    free(all);
    free(p->log);
    p->log = program_read_log(p);
    return code;
}

/* NVIDIA's assembler cannot handle the argument information of a kernel without arguments. */
static bool information_failed(const program *p) {
    return p->context->device->nvidia && p->log && strstr(p->log, "ptxas") && strstr(p->log, "Parsing error");
}

static int32_t build(program *p, const char *source, const char *options) {
    const char *const others = options + strlen(ARGUMENT_INFORMATION);
    int32_t code = compile(p, options);
    if (code && information_failed(p)) code = compile(p, others + strspn(others, " "));
    if (error_check(code, "clBuildProgram")) {
        program_explain(p, (struct build_text){.source = source}, code);
        return code;
    }
    return p->log ? program_read_kernels(p) : error_out_of_memory("clGetProgramBuildInfo");
}

int32_t program_build_made(program *p, const char *options) {
    int32_t code = compile(p, options);
    if (error_check(code, "clBuildProgram")) {
        if (p->log && *p->log) error_attach_log(text_copy(p->log));
        return code;
    }
    return p->log ? program_read_kernels(p) : error_out_of_memory("clGetProgramBuildInfo");
}

/* Takes the build of a program that is alive. */
static bool share(program *p, const char *key) {
    program *owner = program_live_find(p->context, key);
    if (!owner) return false;
    object_retain(&owner->base);
    p->owner = owner;
    p->program = owner->program;
    p->log = owner->log;
    p->kernels = owner->kernels;
    p->arguments = owner->arguments;
    return true;
}

/* Files are for programs of one device, as a binary is. */
static bool take_kept(program *p, const char *key) {
    struct built kept;
    if (p->context->device_count > 1 || !program_from_cache(&kept, p->context->context, p->context->device, key))
        return false;
    p->program = kept.program;
    p->log = kept.log;
    p->kernels = kept.kernels;
    p->arguments = kept.arguments;
    return true;
}

static void count_build(program *p, const char *key, double seconds) {
    const struct built built = {.program = p->program, .log = p->log, .kernels = p->kernels};
    p->due = p->context->device_count == 1 && !find_long_name(p, p->kernels) &&
             program_is_due(&built, p->context->device, key, seconds);
}

/* key: the cache's; NULL if the program must not be shared or kept. */
static int32_t open_program(int32_t *program_out, program *p, const struct includes *with, const char *options,
                            const char *key) {
    const double started = clue_clock_now();
    const char *source = with->of->source;
    const bool texts = includes_need_texts(with, p->context->device);
    int32_t code = CL_MAKE(&p->program, clCreateProgramWithSource, p->context->context, 1, &source, NULL);
    if (code == 0) code = texts ? program_build_with_texts(p, with, options) : build(p, source, options);
    if (code == 0 && key) count_build(p, key, clue_clock_now() - started);
    if (code == 0) code = handle_open(program_out, &p->base, &program_class, "clCreateProgramWithSource");
    return code;
}

/* Takes the program from the cache, or builds it with the options and the mark of the included files. */
static int32_t make(int32_t *program_out, program *p, const struct includes *with, const char *options) {
    const context *c = p->context;
    char *key = program_key(c->device, with, options);
    char *marked = includes_mark(with, c->device, options);
    int32_t code;
    if (key && (share(p, key) || take_kept(p, key)))
        code = handle_open(program_out, &p->base, &program_class, "clCreateProgramWithSource");
    else if (marked)
        code = open_program(program_out, p, with, marked, key);
    else
        code = error_out_of_memory("clCreateProgramWithSource");
    if (code == 0 && key && !p->owner) program_live_add(p, key);
    free(key);
    free(marked);
    return code;
}

static int32_t create(int32_t *program_out, context *c, const char *source, const char *options) {
    static const char call[] = "clCreateProgramWithSource";
    const struct build_text of = {.source = source};
    program *p = program_new(c, call);
    struct includes with;
    int32_t code;
    if (!p) return clue_error_code();
    includes_find(&with, &of, options);
    code = program_check_options(c->device, options, CL_INVALID_BUILD_OPTIONS, "clBuildProgram");
    if (code == 0) code = includes_check(&with, call);
    if (code == 0 && !program_add_source(p, &of, options)) code = error_out_of_memory(call);
    if (code == 0) program_learn_typedefs(p, &with, options);
    if (code == 0) code = make(program_out, p, &with, options);
    includes_free(&with);
    if (code) program_destroy(&p->base);
    return code;
}

int32_t clue_program_create(int32_t *program_out, int32_t handle, const char *source, int64_t length,
                            const char *options) {
    static const char call[] = "clCreateProgramWithSource";
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, call);
    char *text, *all;
    int32_t code;
    if (!c) return clue_error_code();
    if ((code = program_check_source(source, length))) return code;
    text = program_copy_source(source, length);
    all = text ? program_options(c->device, options, CL_INVALID_BUILD_OPTIONS, "clBuildProgram") : NULL;
    if (all)
        code = create(program_out, c, text, all);
    else
        code = text ? clue_error_code() : error_out_of_memory(call);
    free(text);
    free(all);
    return code;
}

/* ---- logs and kernels ---- */

int32_t clue_program_log(const char **log_out, int32_t handle, int32_t device_id) {
    static const char call[] = "clGetProgramBuildInfo";
    program *p = (program *)handle_find(handle, CLUE_PROGRAM, call);
    const device *on = p ? context_device(p->context, device_id, handle, call) : NULL;
    char *log;
    if (!on) return clue_error_code();
    if (device_id == handle) {
        *log_out = p->log;
        return 0;
    }
    if (!(log = program_read_log_on(p, on))) return error_out_of_memory(call);
    free(p->device_log);
    *log_out = p->device_log = log;
    return 0;
}

int32_t clue_program_kernels(const char **names_out, int32_t handle) {
    const program *p = (program *)handle_find(handle, CLUE_PROGRAM, "clGetProgramInfo");
    if (!p) return clue_error_code();
    *names_out = p->kernels;
    return 0;
}

int32_t clue_program_cached(int32_t *cached_out, int32_t handle) {
    const program *p = (program *)handle_find(handle, CLUE_PROGRAM, "clGetProgramInfo");
    if (!p) return clue_error_code();
    *cached_out = p->owner || p->arguments;
    return 0;
}
