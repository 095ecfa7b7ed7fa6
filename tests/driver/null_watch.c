/* null_watch.c - the null driver's settings, which are environment variables.
 *
 *   CLUE_NULL_RECORD=FILE        a line for each call, with those arguments that matter, added to FILE
 *   CLUE_NULL_FAIL=CALL:CODE     each call of that name fails with the code: clEnqueueNDRangeKernel:-5
 *   CLUE_NULL_FAIL=CALL:CODE:N   only the N-th such call fails; N counts from 1
 *   CLUE_NULL_SVM=3              CL_DEVICE_SVM_CAPABILITIES of the device; by default none
 *   CLUE_NULL_IL=SPIR-V_1.2      the intermediate languages that the device accepts; by default none
 *   CLUE_NULL_PLATFORM=NAME      the platform's name ("null"), to test what the core does for one driver only
 *   CLUE_NULL_DEVICES, CLUE_NULL_UNITS   the number of devices (1), and of compute units in each (1)
 *
 * A wrong setting ends the process, so that no test passes because of a typing mistake. */
#include "null.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool null_watched;

static FILE *record;
static char failing[64]; /* the call, "" for none */
static cl_int failing_code;
static long failing_turn, turns; /* 0: every time */

_Noreturn static void refuse(const char *name, const char *value) {
    (void)fprintf(stderr, "null driver: %s=%s cannot be used\n", name, value);
    exit(70);
}

static void open_record(const char *path) {
    record = fopen(path, "a");
    if (!record) refuse("CLUE_NULL_RECORD", path);
    (void)setvbuf(record, NULL, _IOLBF, 0); /* a crash must not lose lines */
}

static void read_failure(const char *text) {
    const size_t length = strcspn(text, ":");
    char *end;
    if (length == 0 || length >= sizeof failing || text[length] != ':') refuse("CLUE_NULL_FAIL", text);
    memcpy(failing, text, length);
    failing_code = (cl_int)strtol(text + length + 1, &end, 10);
    if (*end == ':') failing_turn = strtol(end + 1, &end, 10);
    if (*end != '\0' || failing_code >= 0 || failing_turn < 0) refuse("CLUE_NULL_FAIL", text);
}

void null_watch_begin(void) {
    const char *path = getenv("CLUE_NULL_RECORD"), *failure = getenv("CLUE_NULL_FAIL");
    if (path && *path) open_record(path);
    if (failure && *failure) read_failure(failure);
    null_watched = record || *failing;
}

static bool fails(const char *call) {
    if (strcmp(call, failing) != 0) return false;
    turns++;
    return failing_turn == 0 || turns == failing_turn;
}

static cl_int end_line(bool failed) {
    if (record) (void)fputs(failed ? " FAILS\n" : "\n", record);
    return failed ? failing_code : CL_SUCCESS;
}

cl_int null_watch(const char *call, const char *format, ...) {
    if (record) {
        va_list values;
        (void)fputs(call, record);
        va_start(values, format);
        (void)vfprintf(record, format, values);
        va_end(values);
    }
    return end_line(fails(call));
}

cl_int null_watch_call(const char *call, const char *parameters, const uintptr_t *values) {
    if (record) {
        (void)fputs(call, record);
        null_record(record, parameters, values);
    }
    return end_line(fails(call));
}

cl_uint null_setting(const char *name, cl_uint usual, cl_uint most) {
    const char *text = getenv(name);
    char *end;
    long number;
    if (!text || !*text) return usual;
    number = strtol(text, &end, 10);
    if (*end != '\0' || number < 1 || number > (long)most) refuse(name, text);
    return (cl_uint)number;
}
