/* program_live.c - the programs that own a build and are alive, by the keys of their builds.
 *
 * Programs of one context with the same key share one build. A program with variables of its own is not shared,
 * because each build has its own set of them. A program is kept in a file when it ends, or when the process does:
 * then nobody waits for a result. Nothing here records a failure. */
#include "program/cache/cache.h"

#include <stdlib.h>
#include <string.h>

static program *newest;

/* True for the language of OpenCL 2.0, and for C++. They have such variables on any device, so compilers accept
 * them even for a device that has none (PoCL, rusticl). */
static bool is_for_opencl_2(const program *p) {
    const char *options = p->sources[0]->options;
    return strstr(options, "-cl-std=CL2") || strstr(options, "-cl-std=CLC++");
}

/* False if the program certainly has no variables at program scope, or static ones in a function. NVIDIA's compiler
 * accepts them in any language, although the device claims to have none. */
static bool may_have_variables(const program *p, const device *on) {
    size_t most = 0, size = 0;
    if (on->nvidia) return true;
    if (clGetDeviceInfo(on->id, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, NULL) != CL_SUCCESS ||
        most == 0)
        return is_for_opencl_2(p);
    return clGetProgramBuildInfo(p->program, on->id, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size,
                                 &size, NULL) != CL_SUCCESS ||
           size > 0;
}

void program_live_add(program *p, const char *key) {
    p->key = text_copy(key);
    if (!p->key) return;
    p->shareable = true;
    for (cl_uint i = 0; i < p->context->device_count; i++)
        if (may_have_variables(p, p->context->devices[i])) p->shareable = false;
    p->older = newest;
    newest = p;
}

program *program_live_find(const context *in, const char *key) {
    program *at = newest;
    while (at && !(at->shareable && at->context == in && strcmp(at->key, key) == 0))
        at = at->older;
    return at;
}

/* ---- the end ---- */

static void keep(program *p) {
    const struct built built = {.program = p->program, .log = p->log, .kernels = p->kernels};
    if (!p->due) return;
    p->due = false;
    program_to_cache(&built, p->key);
}

void program_live_end(program *p) {
    program **at = &newest;
    if (!p->key) return;
    keep(p);
    while (*at != p)
        at = &(*at)->older;
    *at = p->older;
    free(p->key);
}

static void keep_all(void) {
    for (program *at = newest; at; at = at->older)
        keep(at);
}

__attribute__((constructor)) static void keep_at_the_end(void) {
    finish_then(keep_all);
}
