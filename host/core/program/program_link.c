/* program_link.c - compiles programs separately, with headers that are not files, and links them.
 *
 * The linker also gets -cl-kernel-arg-info, because without it PoCL has no information about arguments. If a driver
 * refuses it there, the program has none. */
#include "../../sys/system.h"
#include "program/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char make_source[] = "clCreateProgramWithSource";

/* ---- compiling ---- */

static void release_headers(cl_program *headers, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (headers[i]) (void)clReleaseProgram(headers[i]);
}

static int32_t compile_with(program *p, const struct build_text *of, const char *options, cl_program *headers,
                            const char **names) {
    int32_t code = 0;
    char *all;
    for (size_t i = 0; i < (size_t)of->header_count && code == 0; i++) {
        const char *text = program_after_mark(of->headers[2 * i + 1]);
        names[i] = of->headers[2 * i];
        code = CL_MAKE(&headers[i], clCreateProgramWithSource, p->context->context, 1, &text, NULL);
    }
    if (code) return code;
    all = program_driver_options(p->context->device, options);
    if (!all) return error_out_of_memory("clCompileProgram");
    waiting_for("the compilation of a program");
    handlers_keep();
    code = clCompileProgram(p->program, p->context->device_count, p->context->ids, all, (cl_uint)of->header_count,
                            of->header_count ? headers : NULL, of->header_count ? names : NULL, NULL, NULL);
    handlers_put_back();
    waiting_is_over();
    free(all);
    p->log = program_read_log(p);
    if (error_check(code, "clCompileProgram")) program_explain(p, *of, code);
    return code;
}

static int32_t compile(program *p, const struct build_text *of, const char *options) {
    const size_t room = (size_t)of->header_count + 1;
    cl_program *headers = calloc(room, sizeof(cl_program));
    const char **names = calloc(room, sizeof(char *));
    int32_t code = error_out_of_memory(make_source);
    if (headers && names) {
        code = compile_with(p, of, options, headers, names);
        release_headers(headers, of->header_count);
    }
    free(headers);
    free(names);
    if (code == 0 && !p->log) code = error_out_of_memory("clGetProgramBuildInfo");
    return code;
}

static int32_t compile_texts(program *p, const struct includes *with, const char *options) {
    struct build_text of;
    int32_t code = includes_as_texts(&of, with, p->context->device) ? 0 : error_out_of_memory(make_source);
    if (code == 0) code = compile(p, &of, options);
    free((void *)of.headers);
    return code;
}

/* Compiles with the mark of the included files. */
static int32_t compile_marked(program *p, const struct build_text *of, const char *options) {
    struct includes with;
    char *marked = NULL;
    int32_t code;
    includes_find(&with, of, options);
    program_learn_typedefs(p, &with, options);
    code = includes_check(&with, make_source);
    if (code == 0 && !(marked = includes_mark(&with, p->context->device, options)))
        code = error_out_of_memory(make_source);
    if (code == 0) code = compile_texts(p, &with, marked);
    free(marked);
    includes_free(&with);
    return code;
}

static int32_t open_compiled(int32_t *program_out, program *p, const struct build_text *of, const char *options) {
    int32_t code;
    p->compiled = true;
    p->kernels = text_copy("");
    if (!p->kernels || !program_add_source(p, of, options)) return error_out_of_memory(make_source);
    code =
        CL_MAKE(&p->program, clCreateProgramWithSource, p->context->context, 1, (const char *[]){of->source}, NULL);
    if (code == 0)
        code = program_check_options(p->context->device, options, CL_INVALID_COMPILER_OPTIONS, "clCompileProgram");
    if (code == 0) code = compile_marked(p, of, options);
    if (code == 0) code = handle_open(program_out, &p->base, &program_class, make_source);
    return code;
}

static int32_t create_compiled(int32_t *program_out, context *c, const struct build_text *of, const char *options) {
    program *p = program_new(c, make_source);
    int32_t code;
    if (!p) return clue_error_code();
    code = open_compiled(program_out, p, of, options);
    if (code) program_destroy(&p->base);
    return code;
}

int32_t clue_program_compile(int32_t *program_out, int32_t handle, const char *source, int64_t length,
                             const char *options, const char *const *headers, int32_t header_count) {
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, make_source);
    struct build_text of = {.headers = headers, .header_count = header_count};
    char *text, *all;
    int32_t code;
    if (!c) return clue_error_code();
    if ((code = program_check_source(source, length)) || (code = program_check_headers(&of))) return code;
    of.source = text = program_copy_source(source, length);
    all = text ? program_options(c->device, options, CL_INVALID_COMPILER_OPTIONS, "clCompileProgram") : NULL;
    if (all)
        code = create_compiled(program_out, c, &of, all);
    else
        code = text ? clue_error_code() : error_out_of_memory(make_source);
    free(text);
    free(all);
    return code;
}

/* ---- linking ---- */

static bool makes_library(const char *options) {
    return strstr(options, "-create-library") != NULL;
}

static int32_t check_input(const program *input, const context *c, int32_t handle) {
    static const char call[] = "clLinkProgram";
    if (input->context != c)
        return error_record(CL_INVALID_CONTEXT, CLUE_CAUSE_PARAMETER, call,
                            "program %d belongs to another context than the one to link in", (int)handle);
    if (!input->compiled)
        return error_record(CL_INVALID_OPERATION, CLUE_CAUSE_PARAMETER, call,
                            "program %d is built already: only compiled programs can be linked", (int)handle);
    return 0;
}

/* Collects the driver's programs and their sources, in the caller's memory. */
static int32_t take_inputs(cl_program *inputs, program *p, const int32_t *handles, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const program *input = (program *)handle_find(handles[i], CLUE_PROGRAM, "clLinkProgram");
        if (!input || check_input(input, p->context, handles[i])) return clue_error_code();
        if (!program_add_sources_of(p, input)) return error_out_of_memory("clLinkProgram");
        inputs[i] = input->program;
    }
    return 0;
}

/* If the link fails, the driver gives NULL, or nevertheless a program, whose log has the reason. */
static cl_int call_linker(program *p, const cl_program *inputs, int32_t count, const char *options) {
    cl_int status = CL_SUCCESS;
    waiting_for("the link of a program");
    handlers_keep();
    p->program = clLinkProgram(p->context->context, p->context->device_count, p->context->ids, options,
                               (cl_uint)count, inputs, NULL, NULL, &status);
    handlers_put_back();
    waiting_is_over();
    return status;
}

static void explain_link(const program *p) {
    const device *on = p->context->device;
    if (*p->log) error_attach_log(text_copy(p->log));
    build_advise(p->log, &(struct build_text){.source = ""});
    if (on->nvidia && strstr(p->log, "ptxas") && strstr(p->log, "Parsing error"))
        error_explain("NVIDIA's assembler cannot handle the argument information of a kernel without arguments: "
                      "give every kernel an argument");
    if (on->rusticl && strstr(p->log, "Conflicting SPIR-V versions"))
        error_explain("this version of rusticl cannot link two programs: build one program from all their sources");
}

static int32_t link_inputs(program *p, const cl_program *inputs, int32_t count, const char *options) {
    char with[512];
    cl_int code;
    (void)snprintf(with, sizeof with, "%s%s%s", ARGUMENT_INFORMATION, *options ? " " : "", options);
    code = call_linker(p, inputs, count, with);
    if (code == CL_INVALID_LINKER_OPTIONS && !p->program) code = call_linker(p, inputs, count, options);
    p->log = p->program ? program_read_log(p) : text_copy("");
    if (!p->log) return error_out_of_memory("clGetProgramBuildInfo");
    if (error_check(code, "clLinkProgram")) {
        explain_link(p);
        return code;
    }
    if (p->compiled) p->kernels = text_copy("");
    if (p->compiled) return p->kernels ? 0 : error_out_of_memory("clLinkProgram");
    return program_read_kernels(p);
}

static int32_t link_programs(int32_t *program_out, program *p, const int32_t *handles, int32_t count,
                             const char *options) {
    cl_program *inputs = calloc((size_t)count, sizeof(cl_program));
    int32_t code;
    p->link_options = text_copy(options);
    code =
        inputs && p->link_options ? take_inputs(inputs, p, handles, count) : error_out_of_memory("clLinkProgram");
    if (code == 0) code = link_inputs(p, inputs, count, options);
    if (code == 0) code = handle_open(program_out, &p->base, &program_class, "clLinkProgram");
    free(inputs);
    return code;
}

int32_t program_build_with_texts(program *p, const struct includes *with, const char *options) {
    int32_t code = compile_texts(p, with, options);
    const cl_program compiled = p->program;
    char *log = p->log;
    if (code) return code;
    p->log = NULL;
    code = link_inputs(p, &compiled, 1, "");
    (void)clReleaseProgram(compiled);
    if (code == 0 && !*p->log) { /* the compiler's log says more than the linker's */
        free(p->log);
        p->log = log;
    } else
        free(log);
    return code;
}

int32_t clue_program_link(int32_t *program_out, int32_t handle, const int32_t *programs, int32_t count,
                          const char *options) {
    static const char call[] = "clLinkProgram";
    context *c = (context *)handle_find(handle, CLUE_CONTEXT, call);
    program *p;
    char *all;
    int32_t code;
    if (!c) return clue_error_code();
    if (!programs || count <= 0)
        return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, call,
                            "%d programs to link: at least 1 is needed", (int)count);
    if (options && strlen(options) > 400)
        return error_record(CL_INVALID_LINKER_OPTIONS, CLUE_CAUSE_SIZE, call,
                            "%zu characters of options for the linker: the maximum is 400", strlen(options));
    all = program_link_options(options);
    p = all && program_check_options(c->device, all, CL_INVALID_LINKER_OPTIONS, call) == 0 ? program_new(c, call)
                                                                                           : NULL;
    if (p) p->compiled = makes_library(all);
    code = p ? link_programs(program_out, p, programs, count, all) : clue_error_code();
    if (code && p) program_destroy(&p->base);
    free(all);
    return code;
}
