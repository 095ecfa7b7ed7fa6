/* rerun.c - the command that runs this process again on Oclgrind, which shows what a kernel does wrong, and where.
 *
 * `oclgrind PROGRAM ARGUMENTS` replaces every driver for any program: clue, a stock Lua, a program in C. Devices
 * that were chosen by name do not exist there, so the command leaves the choice out. */
#include "queue/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 300 }; /* a longer one does not help in a message */

/* Reads the arguments of this process, each with its zero; 0 if that is not possible. */
static size_t read_arguments(char *out, size_t room) {
    const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC); /* not stdio: signal handlers call this */
    ssize_t size = 0, more = 0;
    if (file < 0) return 0;
    while ((size_t)size < room && (more = read(file, out + size, room - (size_t)size)) > 0)
        size += more;
    (void)close(file);
    return more == 0 && (size_t)size < room ? (size_t)size : 0;
}

static bool is_plain(const char *word) {
    return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                      "%+,-./:=@_")] == '\0';
}

/* Appends a text at `end`, and returns the new end. */
static char *add(char *end, const char *text) {
    while (*text)
        *end++ = *text++;
    *end = '\0';
    return end;
}

/* Appends a word, quoted for the shell; false if there is no room. */
static bool add_word(char *to, size_t room, const char *word) {
    const size_t used = strlen(to);
    char *end = to + used;
    if (used + strlen(word) * 4 + 4 > room) return false;
    end = add(end, " ");
    if (is_plain(word)) {
        (void)add(end, word);
        return true;
    }
    end = add(end, "'");
    for (; *word; word++) {
        const char letter[] = {*word, '\0'};
        end = add(end, *word == '\'' ? "'\\''" : letter);
    }
    (void)add(end, "'");
    return true;
}

static bool add_arguments(char *to, size_t room) {
    char all[LONGEST];
    const size_t size = read_arguments(all, sizeof all);
    if (size == 0 || all[size - 1]) return false;
    for (const char *word = all; word < all + size; word += strlen(word) + 1) {
        if (strncmp(word, "--device=", 9) == 0) continue;
        if (strcmp(word, "--device") == 0)
            word += strlen(word) + 1; /* and its value */
        else if (!add_word(to, room, word))
            return false;
    }
    return true;
}

void rerun_command(char *out, size_t room) {
    const bool chosen = getenv("CLUE_DEVICE") || getenv("PYOPENCL_CTX");
    const char *start = chosen ? "env -u CLUE_DEVICE -u PYOPENCL_CTX oclgrind" : "oclgrind";
    snprintf(out, room, "%s", start);
    if (!add_arguments(out, room)) snprintf(out, room, "%s PROGRAM ARGUMENTS, as it was started", start);
}
