/* place.c - finds the executable, its Lua files, and the subcommands among them.
 *
 * A subcommand is a file clue/command/NAME.lua in the Lua folder; its name has only a to z and _. Nothing is loaded
 * here: a word on the command line costs one look at the file system. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "main.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

/* The Lua folder is beside the executable in a build folder, and under share/ when installed. */
static void find_lua(struct clue_place *place) {
    const char *slash = strrchr(place->program, '/');
    int length = slash ? (int)(slash - place->program) : 0;
    const char *folder = slash ? place->program : ".";
    if (!slash) length = 1;
    snprintf(place->lua, sizeof place->lua, "%.*s/lua", length, folder);
    if (access(place->lua, R_OK) == 0) return;
    snprintf(place->lua, sizeof place->lua, "%.*s/../share/clue/lua", length, folder);
}

void clue_place_find(struct clue_place *place_out, const char *invoked_as) {
    ssize_t length = readlink("/proc/self/exe", place_out->program, sizeof place_out->program - 1);
    if (length > 0)
        place_out->program[length] = '\0';
    else
        snprintf(place_out->program, sizeof place_out->program, "%s", invoked_as);
    find_lua(place_out);
}

bool clue_place_has_command(const struct clue_place *place, const char *word) {
    char file[sizeof place->lua + NAME_MAX + 32];
    int length;
    if (*word == '\0' || strspn(word, letters) != strlen(word)) return false;
    length = snprintf(file, sizeof file, "%s/clue/command/%s.lua", place->lua, word);
    return length < (int)sizeof file && access(file, R_OK) == 0;
}

static int is_command(const struct dirent *entry) {
    size_t length = strspn(entry->d_name, letters);
    return length > 0 && strcmp(entry->d_name + length, ".lua") == 0;
}

char **clue_place_commands(const struct clue_place *place, int *count_out) {
    char folder[sizeof place->lua + 32];
    struct dirent **entries = NULL;
    int found;
    char **names;
    snprintf(folder, sizeof folder, "%s/clue/command", place->lua);
    found = scandir(folder, &entries, is_command, alphasort);
    names = found > 0 ? calloc((size_t)found, sizeof *names) : NULL;
    *count_out = 0;
    for (int i = 0; i < found; i++) {
        char *name = names ? strndup(entries[i]->d_name, strlen(entries[i]->d_name) - strlen(".lua")) : NULL;
        if (name) names[(*count_out)++] = name;
        free(entries[i]);
    }
    free(entries);
    return names;
}
