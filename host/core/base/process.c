/* process.c - the process in which drivers start, made fit for them and then put back: room on the stacks of their
 * threads, processors of their own, and the signal handlers that were there before; and its limits, which may be
 * why they fail. */
#include "../../sys/system.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

const char *clue_limits_text(void) {
    static char text[256];
    process_limits(text, sizeof text);
    return text;
}

int32_t process_check_threads(const char *call) {
    const int64_t count = process_processors() + 1;
    const int error = threads_try(count);
    if (error == 0) return 0;
    return error_record(CL_OUT_OF_RESOURCES, CLUE_CAUSE_LIMIT, call,
                        "drivers need %lld threads, and pthread_create: %s%s", (long long)count, strerror(error),
                        clue_limits_text());
}

/* ---- PoCL's threads and processors ----
 *
 * Short kernels end before the system has moved PoCL's threads apart, so two of them may share a processor from run
 * to run, and the device is half as fast. PoCL numbers processors from 0, whichever of them the process may use. */

static bool is_ours;

/* With fewer threads than processors, those of several processes would all share the first ones. PoCL 4 and later
 * have a second name for their number. */
static void set_affinity(void) {
    const char *const chosen[] = {"POCL_AFFINITY", "POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT"};
    for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++)
        if (getenv(chosen[i])) return;
    is_ours = process_may_use_all_processors() && process_set_variable("POCL_AFFINITY", "1");
}

void process_prepare(void) {
    set_affinity();
    threads_enlarge_stacks();
    handlers_keep();
}

/* The process's children are not to inherit the affinity: with more threads than processors, PoCL ends the process.
 */
void process_restore(void) {
    handlers_put_back();
    threads_restore_stacks();
    if (is_ours) (void)process_set_variable("POCL_AFFINITY", NULL);
    is_ours = false;
}
