/* place.c - finds the executable, its Lua files, and the subcommands among them.
 *
 * A subcommand is a file clue/command/NAME.lua in the Lua folder; its name has only a to z and _. Nothing is loaded
 * here: a word on the command line costs one look at the file system. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "main.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz_";

/* Writes the path of a file near the executable. */
static void near_program(const struct clue_place *place, char *path_out, size_t size, const char *file) {
    const char *slash = strrchr(place->program, '/');
    int length = slash ? (int)(slash - place->program) : 1;
    snprintf(path_out, size, "%.*s/%s", length, slash ? place->program : ".", file);
}

/* The Lua folder is beside the executable in a build folder. When installed, Lua files are under share/, and
 * modules of C under lib/. Another lua may lie beside an installed clue: in /usr/bin, it is an interpreter. */
static void find_lua(struct clue_place *place) {
    char command[sizeof place->lua];
    bool built;
    near_program(place, command, sizeof command, "lua/clue/command");
    built = path_is_readable(command);
    near_program(place, place->lua, sizeof place->lua, built ? "lua" : "../share/clue/lua");
    near_program(place, place->c_modules, sizeof place->c_modules, built ? "lua" : CLUE_C_MODULES);
}

/* An archive for machines without Lua has the modules of others that clue needs. */
static void find_bundled(struct clue_place *place) {
    near_program(place, place->bundled, sizeof place->bundled, "../share/clue/bundled");
    if (!path_is_readable(place->bundled)) *place->bundled = '\0';
}

void clue_place_find(struct clue_place *place_out, const char *invoked_as) {
    if (!process_program(place_out->program, sizeof place_out->program))
        snprintf(place_out->program, sizeof place_out->program, "%s", invoked_as);
    find_lua(place_out);
    find_bundled(place_out);
}

/* Prints the file in the Lua folder that says what this clue was built from, if it is there. */
static void print_facts(const struct clue_place *place) {
    char path[sizeof place->lua + 32];
    char line[256];
    FILE *facts;
    snprintf(path, sizeof path, "%s/clue/build.txt", place->lua);
    facts = fopen(path, "r");
    if (!facts) return;
    while (fgets(line, sizeof line, facts))
        fputs(line, stdout);
    fclose(facts);
}

void clue_place_print_version(const struct clue_place *place, bool facts) {
    printf("clue %s (%s)\n", CLUE_VERSION, CLUE_LUA_RELEASE);
    if (facts) print_facts(place);
}

bool clue_place_has_command(const struct clue_place *place, const char *word) {
    char file[sizeof place->lua + NAME_ROOM + 32];
    int length;
    if (*word == '\0' || strspn(word, letters) != strlen(word)) return false;
    length = snprintf(file, sizeof file, "%s/clue/command/%s.lua", place->lua, word);
    return length < (int)sizeof file && path_is_readable(file);
}

struct names {
    char **list;
    int count;
};

/* Without memory for one more, there is one less. */
static bool add_command(void *data, const char *file) {
    struct names *to = data;
    const size_t length = strspn(file, letters);
    char **more, *name;
    if (length == 0 || strcmp(file + length, ".lua") != 0) return true;
    more = realloc(to->list, (size_t)(to->count + 1) * sizeof *more);
    if (more) to->list = more;
    name = more ? malloc(length + 1) : NULL;
    if (!name) return true;
    (void)snprintf(name, length + 1, "%s", file);
    to->list[to->count++] = name;
    return true;
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

char **clue_place_commands(const struct clue_place *place, int *count_out) {
    char folder[sizeof place->lua + 32];
    struct names found = {0};
    (void)snprintf(folder, sizeof folder, "%s/clue/command", place->lua);
    (void)folder_each(folder, add_command, &found);
    if (found.list) qsort(found.list, (size_t)found.count, sizeof *found.list, by_name);
    *count_out = found.count;
    return found.list;
}
