/* spawn.c - starts a child: pipes, environment, signals; and makes sure that it does not outlive its host.
 *
 * Descriptors must be close-on-exec from the start, because drivers' threads may start processes at any moment, and
 * a pipe that such a process inherits never ends. */
#include "../system.h"
#include "clue.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#ifdef __linux__
#include <linux/close_range.h>
#endif
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/socket.h>
#include <sys/wait.h>
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

/* True if one of the additions sets the variable of this entry. */
static bool is_set_in(const char *const *additions, const char *entry) {
    for (; additions != NULL && *additions != NULL; additions++) {
        size_t name = strcspn(*additions, "=") + 1;
        if (strncmp(*additions, entry, name) == 0) return true;
    }
    return false;
}

static size_t count_of(const char *const *list) {
    size_t count = 0;
    while (list != NULL && list[count] != NULL)
        count++;
    return count;
}

/* The host's environment, then the additions. If a variable occurs twice, the last one counts. The caller frees
 * only the list. */
static const char **environment_with(const char *const *additions) {
    const char *const *ours = process_variables();
    const char **merged = malloc((count_of(ours) + count_of(additions) + 1) * sizeof *merged);
    size_t count = 0;
    if (merged == NULL) return NULL;
    for (; ours != NULL && *ours != NULL; ours++)
        if (!is_set_in(additions, *ours)) merged[count++] = *ours;
    for (; additions != NULL && *additions != NULL; additions++)
        if (!is_set_in(additions + 1, *additions)) merged[count++] = *additions;
    merged[count] = NULL;
    return merged;
}

/* ---- descriptors ---- */

enum { MOST_GIVEN = 64 };
static int given[MOST_GIVEN],
    given_count; /* in order; those that the process began with, after the standard ones */

static void note(int descriptor) {
    int at = given_count++;
    for (; at > 0 && given[at - 1] > descriptor; at--)
        given[at] = given[at - 1];
    given[at] = descriptor;
}

/* Runs before main(): what is open then was meant for this process or its children, such as /dev/fd/63 of a shell.
 */
__attribute__((constructor)) static void note_given(void) {
    DIR *folder = opendir("/proc/self/fd");
    for (const struct dirent *next; folder && given_count < MOST_GIVEN && (next = readdir(folder));) {
        const int descriptor = (int)strtol(next->d_name, NULL, 10);
        if (descriptor > STDERR_FILENO && descriptor != dirfd(folder)) note(descriptor);
    }
    if (folder) (void)closedir(folder);
}

/* Keeps from the program what we opened ourselves, such as files of a script: Lua opens them without O_CLOEXEC. If
 * the kernel does not know the call (before Linux 5.11), or if very much was given, they stay. */
static void hide_own(int result) {
    unsigned from = STDERR_FILENO + 1;
    if (given_count == MOST_GIVEN) return;
    for (int i = 0; i <= given_count; i++) {
        const unsigned kept = i < given_count ? (unsigned)given[i] : ~0U;
        const unsigned wanted = (unsigned)result;
        if (wanted >= from && wanted < kept) {
            if (wanted > from) (void)close_range(from, wanted - 1, CLOSE_RANGE_CLOEXEC);
            from = wanted + 1;
        }
        if (kept > from) (void)close_range(from, kept == ~0U ? kept : kept - 1, CLOSE_RANGE_CLOEXEC);
        from = kept + 1;
    }
}

/* ---- in the foreground ---- */

static struct {
    bool taken;
    struct sigaction interrupt, quit;
} foreground;

/* The host waits for the child's end, as system() does. */
static void begin_foreground(void) {
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    foreground.taken = true;
    sigaction(SIGINT, &ignore, &foreground.interrupt);
    sigaction(SIGQUIT, &ignore, &foreground.quit);
}

void spawn_foreground_end(void) {
    if (!foreground.taken) return;
    foreground.taken = false;
    sigaction(SIGINT, &foreground.interrupt, NULL);
    sigaction(SIGQUIT, &foreground.quit, NULL);
}

/* ---- the new process, until it is the program ---- */

struct plan {
    const clue_child_options *options;
    void (*started)(void *data, int process);
    void *data;
    const char *const *environment;
    const channel *channels;
    int input; /* the child's end; -1: none */
    pid_t parent;
    sigset_t mask;      /* the child's */
    volatile int error; /* set by the child, which shares our memory until it is the program */
};

/* Reuses the number of the host's input, because the host may have reached its limit. */
static int open_nothing(void) {
    close(STDIN_FILENO);
    return open("/dev/null", O_RDONLY);
}

/* Moves a descriptor to a number. One that already has the number would be closed when the program starts. */
static int put(int descriptor, int at) {
    return descriptor == at ? fcntl(at, F_SETFD, 0) : dup2(descriptor, at);
}

/* The order ensures that no writing end is overwritten before it is used, even if the host runs with descriptors 0
 * to 2 closed and the pipes got these numbers: then the first one's is 1 or more, the second one's 3 or more, and
 * the input comes after them. The result is last, because its number may be one that is in use here. */
static bool put_descriptors(const struct plan *plan) {
    const channel *channels = plan->channels;
    int result = plan->options->result_descriptor;
    if (!plan->options->foreground) {
        int input = plan->input >= 0 ? plan->input : open_nothing();
        if (input < 0 || put(input, STDIN_FILENO) < 0 || put(channels[0].writer, STDOUT_FILENO) < 0 ||
            put(channels[1].writer, STDERR_FILENO) < 0)
            return false;
    }
    return result == 0 || put(channels[2].writer, result) >= 0;
}

/* Resets the signals to what a new program expects, whatever the host ignores or blocks. In the foreground, the
 * child gets them as the host itself got them; but the host's handlers must not run in it. */
static void reset_signals(const struct plan *plan) {
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        struct sigaction before;
        bool ignored = sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_IGN;
        if (!ignored || !plan->options->foreground) sigaction(number, &standard, NULL);
    }
    sigprocmask(SIG_SETMASK, &plan->mask, NULL);
}

/* Makes the child end with its parent, even if that is killed and cannot end its children. */
static bool end_with_parent(const struct plan *plan) {
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    return getppid() == plan->parent;
}

static _Noreturn void become(struct plan *plan) {
    const char *const *arguments = plan->options->arguments;
    bool ready =
        end_with_parent(plan) && (plan->options->foreground || setpgid(0, 0) == 0) && put_descriptors(plan);
    if (ready) {
        hide_own(plan->options->result_descriptor);
        reset_signals(plan);
        execve(arguments[0], (char *const *)arguments, (char *const *)plan->environment);
    }
    plan->error = errno;
    _exit(127);
}

/* Returns an errno. Signals wait from the start of the process until its number is noted: a handler that kills all
 * children would miss it. vfork() and not posix_spawn(), which cannot make a child end with its parent; fork()
 * would copy the memory that drivers have mapped. */
static int start(struct plan *plan) {
    sigset_t all, before;
    pid_t process;
    int error;
    sigfillset(&all);
    sigemptyset(&plan->mask);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (plan->options->foreground) plan->mask = before;
    plan->parent = getpid();
    process = vfork();              /* NOLINT(clang-analyzer-security.insecureAPI.vfork) see above */
    if (process == 0) become(plan); /* NOLINT(clang-analyzer-unix.Vfork) system calls alone */
    error = process < 0 ? errno : plan->error;
    if (process > 0 && error != 0) (void)waitpid(process, NULL, 0);
    if (error == 0) {
        plan->started(plan->data, process);
        if (plan->options->foreground) begin_foreground();
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* ---- all together ---- */

static int start_with(const channel *channels, int input, struct plan *plan) {
    const char **environment = environment_with(plan->options->environment);
    int error;
    if (environment == NULL) return ENOMEM;
    plan->environment = environment;
    plan->channels = channels;
    plan->input = input;
    error = start(plan);
    free(environment);
    return error;
}

int spawn(spawned *out, const char **call_out, const clue_child_options *options,
          void (*started)(void *data, int process), void *data) {
    channel channels[SPAWN_STREAMS] = {{-1, -1}, {-1, -1}, {-1, -1}};
    struct plan plan = {.options = options, .started = started, .data = data};
    int input[2] = {-1, -1}; /* ours and the child's */
    int error = 0;
    *call_out = "pipe2";
    for (int i = 0; i < SPAWN_STREAMS && error == 0; i++) {
        bool wanted = i == SPAWN_STREAMS - 1 ? options->result_descriptor > 0 : !options->foreground;
        if (wanted && !channel_open(&channels[i])) error = errno;
    }
    if (error == 0 && options->input && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0) {
        *call_out = "socketpair";
        error = errno;
    }
    if (error == 0) {
        *call_out = "execve";
        error = start_with(channels, input[1], &plan);
    }
    end_close(&input[1]);
    if (error != 0) end_close(&input[0]);
    out->input = input[0];
    for (int i = 0; i < SPAWN_STREAMS; i++) {
        end_close(&channels[i].writer);
        if (error != 0) end_close(&channels[i].reader);
        out->streams[i] = channels[i].reader;
    }
    return error;
}
