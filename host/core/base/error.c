/* error.c - the record of the last failure, and the one list of OpenCL's codes.
 *
 * Everything in libclue that can fail writes it; the bindings read it. Its texts are in fixed buffers, so that
 * reporting a lack of memory needs no memory. */
#include "../../sys/system.h"
#include "base/base.h"
#include "base/error_codes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
    int32_t code, cause;
    const char *call;
    char detail[1024], text[1280];
    char *log;
    int32_t line; /* of the first error in a source whose file is not known; 0: the detail gives no such line */
    char reason[256];
    int32_t above; /* how far above it the line is that the reason also names; 0: it names none */
} last = {.call = ""};

cl_int error_status;

int32_t clue_abi(void) {
    return CLUE_ABI;
}

const char *clue_error_name(int32_t code) {
    switch (code) {
#define NAME(number, name, hint)                                                                                   \
    case number:                                                                                                   \
        return #name;
        ERROR_CODES(NAME)
#undef NAME
    case CL_SUCCESS:
        return "CL_SUCCESS";
    default:
        return NULL;
    }
}

const char *error_hint(int32_t code) {
    switch (code) {
#define HINT(number, name, hint)                                                                                   \
    case number:                                                                                                   \
        return hint;
        ERROR_CODES(HINT)
#undef HINT
    default:
        return "";
    }
}

static void keep(int32_t code, int32_t cause, const char *call) {
    free(last.log);
    last.log = NULL;
    last.code = code;
    last.cause = cause;
    last.call = call;
    last.line = 0;
}

static void print_detail(const char *format, va_list values) {
    void *const before = numbers_plain();
    vsnprintf(last.detail, sizeof last.detail, format, values);
    numbers_back(before);
}

int32_t error_record(int32_t code, int32_t cause, const char *call, const char *format, ...) {
    va_list values;
    keep(code, cause, call);
    va_start(values, format);
    print_detail(format, values);
    va_end(values);
    return code;
}

void error_explain(const char *format, ...) {
    va_list values;
    va_start(values, format);
    print_detail(format, values);
    va_end(values);
    last.line = 0;
}

static void explain_line(const char *file, int32_t line) {
    char other[32] = "";
    if (last.above) snprintf(other, sizeof other, " in line %d", (int)(line - last.above));
    snprintf(last.detail, sizeof last.detail,
             "the source does not compile: see the log; first at line %d%s%s: %s%s", (int)line, *file ? " of " : "",
             file, last.reason, other);
    last.line = *file ? 0 : line;
}

void error_explain_lines(const char *file, int32_t line, const char *reason, int32_t above) {
    snprintf(last.reason, sizeof last.reason, "%s", reason);
    last.above = above;
    explain_line(file, line);
}

void error_explain_line(const char *file, int32_t line, const char *reason) {
    error_explain_lines(file, line, reason, 0);
}

void clue_error_source(const char *file, int32_t first_line) {
    if (last.line) explain_line(file, last.line + first_line - 1);
}

void error_mark_partly(void) {
    last.cause = CLUE_CAUSE_PARTLY;
}

void error_attach_log(char *log) {
    free(last.log);
    last.log = log;
}

static error_explainer *explainers[2];
static int explainer_count;

void error_add_explainer(error_explainer *one) {
    explainers[explainer_count++] = one;
}

int32_t error_forked(const char *call) {
    if (!trace_forked()) return 0;
    return error_record(
        CL_INVALID_OPERATION, CLUE_CAUSE_DRIVER, call,
        "this process was forked after OpenCL was used, which drivers do not survive: fork before the "
        "first call of OpenCL, or start a new process");
}

int32_t error_check(cl_int status, const char *call) {
    if (status == CL_SUCCESS) return 0;
    if (trace_forked()) return error_forked(call);
    (void)error_record(status, status == CL_OUT_OF_HOST_MEMORY ? CLUE_CAUSE_MEMORY : CLUE_CAUSE_DRIVER, call, "%s",
                       error_hint(status));
    for (int i = 0; i < explainer_count; i++)
        explainers[i](status);
    return status;
}

int32_t error_out_of_memory(const char *call) {
    return error_check(CL_OUT_OF_HOST_MEMORY, call);
}

int32_t error_check_capacity(int64_t capacity, const char *call) {
    if (capacity >= 0) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "a capacity of %lld bytes: it cannot be negative",
                        (long long)capacity);
}

int32_t error_check_answer(int64_t capacity, int64_t size, const char *call) {
    if (capacity >= size) return 0;
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_SIZE, call, "a capacity of %s: the answer has %lld",
                        text_count(capacity, "byte"), (long long)size);
}

int32_t clue_error_code(void) {
    return last.code;
}

int32_t clue_error_cause(void) {
    return last.cause;
}

const char *clue_error_call(void) {
    return last.call;
}

const char *clue_error_detail(void) {
    return last.detail;
}

const char *clue_error_log(void) {
    return last.log ? last.log : "";
}

const char *clue_error_text(void) {
    const char *name = clue_error_name(last.code);
    snprintf(last.text, sizeof last.text, "%s%s%s (%d)%s%s", last.call, *last.call ? ": " : "",
             name ? name : "unknown OpenCL error", (int)last.code, *last.detail ? ": " : "", last.detail);
    return last.text;
}

void clue_error_clear(void) {
    keep(0, CLUE_CAUSE_DRIVER, "");
    last.detail[0] = '\0';
}
