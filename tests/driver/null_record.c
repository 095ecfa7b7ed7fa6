/* null_record.c - writes the parameters of a call into the null driver's record: " queue 1 buffer 2 blocking offset
 * 0 size 64".
 *
 * Their types and names come from the text of calls.def. Objects appear by their number; pointers into the host's
 * memory are left out. */
#include "null.h"

#include <string.h>

enum { WORD = 64 };

typedef struct parameter {
    char type[WORD], name[WORD];
} parameter;

static bool is_one_of(const char *word, const char *const *words) {
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static bool ends_with(const char *word, const char *ending) {
    const size_t length = strlen(word), behind = strlen(ending);
    return length >= behind && strcmp(word + length - behind, ending) == 0;
}

static void record_pointer(FILE *to, const parameter *is, const void *value) {
    cl_uint number;
    size_t offset;
    if (!value) return;
    if (strcmp(is->type, "const char *") == 0) {
        (void)fprintf(to, " %s %s", is->name, (const char *)value);
    } else if (ends_with(is->name, "origin") || strcmp(is->name, "region") == 0) {
        const size_t *at = value;
        (void)fprintf(to, " %s %zux%zux%zu", is->name, at[0], at[1], at[2]);
    } else if (strcmp(is->name, "events") == 0) {
        (void)fputs(" waits", to);
    } else if (strcmp(is->name, "event_out") == 0) {
        (void)fputs(" event", to);
    } else if (null_find_svm(&number, &offset, value)) {
        (void)fprintf(to, " %s svm %u offset %zu", is->name, number, offset);
    }
}

static void record_value(FILE *to, const parameter *is, uintptr_t value) {
    static const char *const handles[] = {
        "cl_platform_id", "cl_device_id", "cl_context", "cl_command_queue", "cl_event",
        "cl_program",     "cl_kernel",    "cl_mem",     "cl_sampler",       NULL};
    static const char *const counts[] = {"cl_uint", "size_t", NULL};
    const void *pointer; /* the value, if it is a pointer */
    memcpy(&pointer, &value, sizeof pointer);
    if (strchr(is->type, '*'))
        record_pointer(to, is, pointer);
    else if (strcmp(is->name, "object") == 0) /* in calls whose name gives its kind */
        (void)fprintf(to, " %u", null_number(pointer));
    else if (is_one_of(is->type, handles))
        (void)fprintf(to, " %s %u", is->name, null_number(pointer));
    else if (is_one_of(is->type, counts))
        (void)fprintf(to, " %s %zu", is->name, (size_t)value);
    else if (strcmp(is->type, "cl_int") == 0)
        (void)fprintf(to, " %s %d", is->name, (int)value);
    else if (strcmp(is->type, "cl_bool") == 0)
        (void)fprintf(to, " %s%s", value ? "" : "non-", is->name);
    else if (strncmp(is->type, "cl_", 3) == 0) /* flags and names; callbacks have types of our own */
        (void)fprintf(to, " %s 0x%llx", is->name, (unsigned long long)value);
}

void null_record(FILE *to, const char *parameters, const uintptr_t *values) {
    parameter is;
    for (int used = 0; sscanf(parameters, "(%63[^)]) %63[^,]%n", is.type, is.name, &used) == 2;
         parameters += used) {
        if (parameters[used] == ',') used += 2;
        record_value(to, &is, *values++);
    }
}
