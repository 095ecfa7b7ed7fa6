/* talk.c - talks to a program through a pseudo-terminal, as a person at a keyboard would: talk PROGRAM
 * [ARGUMENT]...
 *
 * Standard input is the dialogue, one step on each line:
 *
 *   expect TEXT      waits until the text appears in the output after the last expected text
 *   prompt, more     expect "> " or ">> "
 *   send TEXT        types the text: \r is Enter, \t the tabulator, \\ a backslash, \xHH any byte (\x03: Ctrl-C)
 *   pause SECONDS    reads output for so long
 *   busy             waits until the program in the foreground has computed for 0.2 s more: it is in its loop
 *   asleep           waits until it waits for something
 *   kill NUMBER      sends it a signal
 *   size COLUMNS     makes the terminal this wide, as resizing a window does
 *   run COMMAND      runs a shell command outside the terminal
 *
 * After the last step the program must end by itself. All its output is written to standard output, without the
 * escape sequences that move the cursor. The exit status is the program's, or 128 + n if signal n ended it. 97: the
 * expected did not happen within a minute, and a message names it. 98: the dialogue is wrong. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAILED = 97, MISUSED = 98, ROWS = 40, COLUMNS = 100, LONGEST = 4096 };
static const double patience = 60;

static int terminal;
static pid_t program;
static char *seen; /* all output, without escape sequences */
static size_t length, capacity, after;
enum { PLAIN, ESCAPE, SEQUENCE } state;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fail(int status, const char *what, const char *text) {
    if (length > 0) fwrite(seen, 1, length, stdout);
    fflush(stdout);
    fprintf(stderr, "talk: %s '%s'; after the last expected text came: %s\n", what, text,
            length ? seen + after : "");
    kill(program, SIGKILL);
    exit(status);
}

/* ---- output of the program ---- */

static void keep(char c) {
    if (length + 1 >= capacity) {
        capacity = capacity ? 2 * capacity : LONGEST;
        seen = realloc(seen, capacity);
        if (!seen) abort();
    }
    seen[length++] = c;
    seen[length] = '\0';
}

/* Escape sequences are ESC [ ... letter, or ESC and a character. */
static void take(char c) {
    if (state == ESCAPE)
        state = c == '[' ? SEQUENCE : PLAIN;
    else if (state == SEQUENCE)
        state = isalpha((unsigned char)c) || c == '~' ? PLAIN : SEQUENCE;
    else if (c == '\033')
        state = ESCAPE;
    else if (c != '\r' && c != '\0')
        keep(c);
}

/* Reads the output of so many seconds; false once there will be no more. */
static bool take_some(double seconds) {
    char bytes[LONGEST];
    struct pollfd wanted = {.fd = terminal, .events = POLLIN};
    ssize_t count;
    if (poll(&wanted, 1, (int)(seconds * 1000)) <= 0) return true;
    count = read(terminal, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) return true;
    for (ssize_t i = 0; i < count; i++)
        take(bytes[i]);
    return count > 0; /* reading fails after the last process has closed the terminal */
}

/* ---- steps ---- */

static void expect(const char *text) {
    const double stop = now() + patience;
    for (;;) {
        const char *found = seen ? strstr(seen + after, text) : NULL;
        if (found) {
            after = (size_t)(found - seen) + strlen(text);
            return;
        }
        if (now() > stop) fail(FAILED, "waited in vain for", text);
        if (!take_some(0.1)) fail(FAILED, "the program ended before it wrote", text);
    }
}

/* Replaces the escapes in a text, in place. */
static void unescape(char *text) {
    static const char names[] = "rt\\", values[] = "\r\t\\";
    char *to = text;
    for (const char *from = text; *from; from++) {
        unsigned byte;
        const char *known;
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        from++;
        known = strchr(names, *from);
        if (*from && known)
            *to++ = values[known - names];
        else if (*from == 'x' && sscanf(from + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            from += 2;
        } else
            fail(MISUSED, "no escape", from);
    }
    *to = '\0';
}

static void type(const char *text) {
    for (size_t done = 0, size = strlen(text); done < size;) {
        ssize_t count = write(terminal, text + done, size - done);
        if (count < 0 && errno != EINTR) fail(FAILED, "could not type", text);
        if (count > 0) done += (size_t)count;
    }
}

static void rest(double seconds) {
    for (double stop = now() + seconds; now() < stop;)
        take_some(0.05);
}

/* ---- the foreground ---- */

/* Adds up the time that the processes of a group have computed, in seconds, and gives the state of its leader. */
static double computed(pid_t group, char *state_out) {
    DIR *all = opendir("/proc");
    double ticks = 0;
    *state_out = '?';
    for (const struct dirent *one; all && (one = readdir(all));) {
        char path[300], text[1024], *behind, has;
        int of;
        unsigned long user, kernel;
        FILE *file;
        size_t size;
        if (!isdigit((unsigned char)*one->d_name)) continue;
        (void)snprintf(path, sizeof path, "/proc/%s/stat", one->d_name);
        file = fopen(path, "r");
        if (!file) continue;
        size = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
        text[size] = '\0';
        behind = strrchr(text, ')'); /* behind the name, which may contain anything */
        if (!behind ||
            sscanf(behind, ") %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &has, &of, &user, &kernel) != 4)
            continue;
        if (of != group) continue;
        ticks += (double)(user + kernel);
        if (strtol(one->d_name, NULL, 10) == group) *state_out = has;
    }
    if (all) (void)closedir(all);
    return ticks / (double)sysconf(_SC_CLK_TCK);
}

static void await_foreground(bool to_compute) {
    const double stop = now() + patience;
    const pid_t group = tcgetpgrp(terminal);
    char has;
    const double before = computed(group, &has);
    int asleep = 0;
    for (;;) {
        const double seconds = computed(group, &has) - before;
        asleep = has == 'S' ? asleep + 1 : 0;
        if (to_compute ? seconds >= 0.2 : asleep == 3) return;
        if (now() > stop) fail(FAILED, "the program in the foreground did not", to_compute ? "compute" : "wait");
        rest(0.05);
    }
}

static void step(char *line) {
    char *word = strsep(&line, " "), *text = line ? line : (char[]){""};
    unescape(text);
    if (strcmp(word, "expect") == 0)
        expect(text);
    else if (strcmp(word, "prompt") == 0)
        expect("> ");
    else if (strcmp(word, "more") == 0)
        expect(">> ");
    else if (strcmp(word, "send") == 0)
        type(text);
    else if (strcmp(word, "pause") == 0)
        rest(strtod(text, NULL));
    else if (strcmp(word, "busy") == 0)
        await_foreground(true);
    else if (strcmp(word, "asleep") == 0)
        await_foreground(false);
    else if (strcmp(word, "kill") == 0)
        kill(tcgetpgrp(terminal), (int)strtol(text, NULL, 10));
    else if (strcmp(word, "run") == 0) {
        if (system(text) != 0) fail(MISUSED, "the shell did not succeed with", text);
    } else if (strcmp(word, "size") == 0) {
        const struct winsize size = {.ws_row = ROWS, .ws_col = (unsigned short)strtol(text, NULL, 10)};
        ioctl(terminal, TIOCSWINSZ, &size);
    } else
        fail(MISUSED, "no such step:", word);
}

static int end_of_program(void) {
    const double stop = now() + patience;
    int status;
    while (take_some(0.1))
        if (now() > stop) fail(FAILED, "the program did not", "end");
    while (waitpid(program, &status, WNOHANG) == 0) {
        if (now() > stop) fail(FAILED, "the program did not", "end");
        rest(0.01);
    }
    if (length > 0) fwrite(seen, 1, length, stdout);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int main(int count, char **arguments) {
    const struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    char line[LONGEST];
    if (count < 2) return MISUSED;
    program = forkpty(&terminal, NULL, NULL, &size);
    if (program < 0) return MISUSED;
    if (program == 0) {
        execv(arguments[1], arguments + 1);
        _exit(127);
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (*line) step(line);
    }
    return end_of_program();
}
