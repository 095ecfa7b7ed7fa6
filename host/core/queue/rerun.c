/* rerun.c - the command that runs this process again on Oclgrind, which shows what a kernel does wrong, and where.
 *
 * For a script of clue's that is `clue check SCRIPT`. `oclgrind PROGRAM ARGUMENTS` replaces every driver for any
 * other program: a stock Lua, a program in C. Devices that were chosen by name do not exist there, so the commands
 * leave the choice out. */
#include "../../sys/system.h"
#include "queue/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 300 }; /* a longer one does not help in a message */

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

/* Appends a word to others, quoted for the shell; false if there is no room. */
static bool add_word(char *to, size_t room, const char *word) {
    const size_t used = strlen(to);
    char *end = to + used;
    if (used + strlen(word) * 4 + 4 > room) return false;
    if (used) end = add(end, " ");
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

static int32_t script; /* the script's number among the words; 0: none */

void clue_script_word(int32_t index) {
    script = index;
}

/* Adds the first word, "check", and the words from the script on. */
static bool add_check(char *to, size_t room, const char *all, size_t size) {
    int32_t number = 0;
    for (const char *word = all; word < all + size; word += strlen(word) + 1, number++) {
        if (number > 0 && number < script) continue;
        if (!add_word(to, room, word) || (number == 0 && !add_word(to, room, "check"))) return false;
    }
    return true;
}

static bool add_arguments(char *to, size_t room, const char *all, size_t size) {
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
    char all[LONGEST];
    const size_t size = process_arguments(all, sizeof all, 0);
    const bool known = size > 0 && size < sizeof all && !all[size - 1];
    snprintf(out, room, "%s", script ? "" : start);
    if (known && (script ? add_check : add_arguments)(out, room, all, size)) return;
    if (script)
        snprintf(out, room, "clue check SCRIPT ARGUMENTS");
    else
        snprintf(out, room, "%s PROGRAM ARGUMENTS, as it was started", start);
}
