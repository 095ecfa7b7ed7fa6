/* temporary.c - folders that are removed when the process ends, however it ends except by SIGKILL.
 *
 * They are in a table that a signal handler can read at any moment. */
#include "../core/base/base.h"
#include "system.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, TRIES = 200 };

static char *_Atomic folders[MOST];
static int held[MOST];        /* see folder_make_temporary() */
static _Atomic int64_t owner; /* the process that made them */

/* ---- removing ---- */

/* Tries several times, because a child that was just killed may still make a file. */
static void remove_held(int i) {
    const char *path = atomic_load(&folders[i]);
    for (int try = 0; try < TRIES && !folder_remove_held(held[i], path); try++)
        clue_clock_sleep(0.005);
}

void clue_temporary_remove_all(void) {
    int error = errno;
    file_remove_last();
    for (int i = 0; i < MOST && process_id() == atomic_load(&owner); i++)
        if (atomic_load(&folders[i]) != NULL) remove_held(i);
    errno = error;
}

void clue_temporary_remove(const char *path) {
    for (int i = 0; i < MOST; i++) {
        char *known = atomic_load(&folders[i]);
        if (known == NULL || strcmp(known, path) != 0) continue;
        remove_held(i);
        atomic_store(&folders[i], NULL);
        folder_let_go(held[i]);
        free(known);
        return;
    }
}

/* ---- making ---- */

static int32_t failed(const char *path, const char *why) {
    return error_record(CL_INVALID_VALUE, CLUE_CAUSE_PARAMETER, "clue_temporary_folder",
                        "cannot make a temporary folder: %s: %s", path, why);
}

/* The folders are removed when the process ends by itself; a signal handler removes them too. */
static void own(void) {
    static bool registered;
    if (!registered) registered = atexit(clue_temporary_remove_all) == 0;
    atomic_store(&owner, process_id());
}

int32_t clue_temporary_folder(const char **path_out) {
    const char *above = getenv("TMPDIR");
    char path[PATH_ROOM], wanted[PATH_ROOM], *kept;
    int free_slot = 0;
    while (free_slot < MOST && atomic_load(&folders[free_slot]) != NULL)
        free_slot++;
    (void)snprintf(wanted, sizeof wanted - 1, "%s/clue-XXXXXX", above != NULL && *above != '\0' ? above : "/tmp");
    if (free_slot == MOST) return failed(wanted, "this process already has 16 of them");
    (void)snprintf(path, sizeof path, "%s", wanted);
    own();
    kept = folder_make_temporary(&held[free_slot], path); /* the working folder may change */
    if (kept == NULL && errno == ENOMEM) return error_out_of_memory("clue_temporary_folder");
    if (kept == NULL) return failed(wanted, strerror(errno));
    atomic_store(&folders[free_slot], kept);
    *path_out = kept;
    return 0;
}
