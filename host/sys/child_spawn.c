/* child_spawn.c - starts a child: pipes, environment, posix_spawn.
 *
 * Needs _GNU_SOURCE for pipe2: descriptors must be close-on-exec from the start, since drivers run threads that may
 * start processes of their own at any moment, and a pipe held by a stranger never ends. */
#include "../core/core.h"
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct channel {
    int reader, writer;
} channel;

/* ---- pipes ---- */

static bool channel_open(channel *self) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    self->reader = ends[0];
    self->writer = ends[1];
    return fcntl(self->reader, F_SETFL, O_NONBLOCK) == 0;
}

static void end_close(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

/* ---- environment ---- */

/* Whether one of the additions sets the variable of this entry. */
static bool is_set_in(const char *const *additions, const char *entry) {
    for (; additions != NULL && *additions != NULL; additions++) {
        size_t name = strcspn(*additions, "=") + 1;
        if (strncmp(*additions, entry, name) == 0) return true;
    }
    return false;
}

static size_t count_of(const char *const *list) {
    size_t count = 0;
    while (list != NULL && list[count] != NULL) {
        count++;
    }
    return count;
}

/* Ours, then the additions; of several entries for one variable the last counts. Only the list is to be freed. */
static const char **environment_with(const char *const *additions) {
    const char *const *ours = (const char *const *)environ;
    const char **merged = malloc((count_of(ours) + count_of(additions) + 1) * sizeof *merged);
    if (merged == NULL) return NULL;
    size_t count = 0;
    for (; ours != NULL && *ours != NULL; ours++) {
        if (!is_set_in(additions, *ours)) merged[count++] = *ours;
    }
    for (; additions != NULL && *additions != NULL; additions++) {
        if (!is_set_in(additions + 1, *additions)) merged[count++] = *additions;
    }
    merged[count] = NULL;
    return merged;
}

/* ---- posix_spawn; the functions below give an errno ---- */

/* The order is such that no writing end is overwritten before it is used, even where the host runs with descriptors
 * 0 to 2 closed and the pipes took these numbers: the first one's is 1 or more, the second one's 3 or more, and the
 * input comes after them. */
static int actions_fill(posix_spawn_file_actions_t *actions, const channel *channels, int input,
                        int result_descriptor) {
    int error = input >= 0 ? posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO)
                           : posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, channels[0].writer, STDOUT_FILENO);
    if (error == 0) error = posix_spawn_file_actions_adddup2(actions, channels[1].writer, STDERR_FILENO);
    /* Last: whoever asks for a number may hit one that the others have here. */
    if (error == 0 && result_descriptor > 0)
        error = posix_spawn_file_actions_adddup2(actions, channels[2].writer, result_descriptor);
    return error;
}

/* A group of its own, and signals as a fresh program expects them, whatever the host ignores or blocks. */
static int attributes_fill(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    int error = posix_spawnattr_setpgroup(attributes, 0);
    if (error == 0) error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0)
        error = posix_spawnattr_setflags(attributes,
                                         POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return error;
}

/* Signals wait while the process exists and its number is not yet noted: a handler that kills all children in that
 * moment would miss it. */
static int spawn_noted(child *self, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                       const char *const *arguments, const char *const *environment) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t process;
    int error = posix_spawn(&process, arguments[0], actions, attributes, (char *const *)arguments,
                            (char *const *)environment);
    if (error == 0) atomic_store(&self->group, process);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static int spawn_with(child *self, const channel *channels, int input, const clue_child_options *options) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        const char **environment = environment_with(options->environment);
        error = environment == NULL ? ENOMEM : actions_fill(&actions, channels, input, options->result_descriptor);
        if (error == 0) error = attributes_fill(&attributes);
        if (error == 0) error = spawn_noted(self, &actions, &attributes, options->arguments, environment);
        free(environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* ---- all together ---- */

static int32_t spawn_failed(int error, const char *call, const char *path) {
    const char *hint = "";
    int32_t code = CL_INVALID_VALUE, cause = CLUE_CAUSE_PARAMETER;
    if (error == ENOMEM) {
        code = CL_OUT_OF_HOST_MEMORY;
        cause = CLUE_CAUSE_MEMORY;
    } else if (error == EMFILE || error == ENFILE || error == EAGAIN) {
        code = CL_OUT_OF_RESOURCES;
        cause = CLUE_CAUSE_LIMIT;
        hint = "; raise the limit (ulimit -n for files, ulimit -u for processes) or run fewer at once";
    } else if (error == ENOENT && strchr(path, '/') == NULL) {
        hint = "; PATH is not searched, give the program's path";
    }
    return error_record(code, cause, call, "cannot start '%s': %s%s", path, strerror(error), hint);
}

int32_t child_spawn(child *self, const clue_child_options *options) {
    channel channels[CHILD_STREAMS] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int input[2] = {-1, -1}; /* ours, the child's */
    int streams = options->result_descriptor > 0 ? CHILD_STREAMS : CHILD_STREAMS - 1;
    const char *call = "pipe2";
    int error = 0;
    for (int i = 0; i < streams && error == 0; i++) {
        if (!channel_open(&channels[i])) error = errno;
    }
    if (error == 0 && options->input && !child_input_open(input)) {
        call = "socketpair";
        error = errno;
    }
    if (error == 0) {
        call = "posix_spawn";
        error = spawn_with(self, channels, input[1], options);
    }
    end_close(&input[1]);
    if (error != 0) end_close(&input[0]);
    self->input = input[0];
    for (int i = 0; i < CHILD_STREAMS; i++) {
        end_close(&channels[i].writer);
        if (error != 0) end_close(&channels[i].reader);
        self->streams[i].descriptor = channels[i].reader;
    }
    return error == 0 ? 0 : spawn_failed(error, call, options->arguments[0]);
}
