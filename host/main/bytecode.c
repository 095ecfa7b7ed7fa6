/* bytecode.c - clue's own modules as LuaJIT's bytecode, which it reads ten times as fast as their sources.
 *
 * The file clue/bytecode, beside the modules of C, is made when clue is built (cmake/bytecode.lua has its form). A
 * module comes from there only if this LuaJIT could have made it, and if its source is as it was then: of the same
 * size, and not newer than the file. Otherwise the source is read, as everywhere in Lua. */
#include "main.h"

#ifdef LUA_JITLIBNAME
#include <stdio.h>
#include <string.h>

enum {
    HEADER = 5,        /* bytes before the name of the chunk: the signature, the version, flags */
    LINE_ROOM = 512,   /* a line of the list of modules */
    NAME_BITS = 7,     /* of the name's length in a byte */
    BLOCK_ROOM = 16384 /* what is read at once */
};

struct module {
    char path[LINE_ROOM]; /* of the source, from the folder of the Lua files */
    long long source_size;
    long position, size;
};

struct reading {
    FILE *file;
    size_t left;
    char block[BLOCK_ROOM];
    size_t begun; /* bytes of block that come first: the header and the name */
};

static FILE *open_bytecode(const struct clue_place *place) {
    char path[sizeof place->c_modules + 32];
    (void)snprintf(path, sizeof path, "%s/clue/bytecode", place->c_modules);
    return file_open(path, "rb");
}

static void push_maker(lua_State *L) {
    static const char *const facts[] = {"version", "os", "arch"};
    const int jit = lua_gettop(L) + 1;
    clue_setup_push_loaded(L, "jit");
    lua_pushliteral(L, "clue bytecode 1");
    for (int i = 0; i < 3 && lua_istable(L, jit); i++) {
        lua_pushliteral(L, " ");
        lua_getfield(L, jit, facts[i]);
    }
    lua_pushliteral(L, "\n");
    lua_concat(L, lua_gettop(L) - jit);
    lua_remove(L, jit);
}

/* Pushes a table with the line of each module, without its name; an empty one if another LuaJIT made the file. */
static void push_list(lua_State *L, FILE *file) {
    char line[LINE_ROOM];
    const char *maker;
    push_maker(L);
    maker = lua_tostring(L, -1);
    lua_newtable(L);
    if (file && fgets(line, sizeof line, file) && strcmp(line, maker) == 0) {
        char *blank;
        while (fgets(line, sizeof line, file) && (blank = strchr(line, ' ')) != NULL) {
            lua_pushlstring(L, line, (size_t)(blank - line));
            lua_pushstring(L, blank);
            lua_rawset(L, -3);
        }
    }
    lua_remove(L, -2);
}

/* The list is read when the first module is wanted; upvalue 2 keeps it. */
static bool find_module(lua_State *L, struct module *module_out, const struct clue_place *place) {
    const char *line;
    if (lua_isnil(L, lua_upvalueindex(2))) {
        FILE *file = open_bytecode(place);
        push_list(L, file);
        if (file) (void)fclose(file);
        lua_replace(L, lua_upvalueindex(2));
    }
    lua_pushvalue(L, 1);
    lua_rawget(L, lua_upvalueindex(2));
    line = lua_tostring(L, -1);
    return line && sscanf(line, "%511s %lld %ld %ld", module_out->path, &module_out->source_size,
                          &module_out->position, &module_out->size) == 4;
}

/* Whether the sources are where they were put first, so that nobody's module of this name comes before. */
static bool is_first(lua_State *L, const struct clue_place *place) {
    const char *path;
    clue_setup_push_loaded(L, "package");
    if (lua_istable(L, -1)) lua_getfield(L, -1, "path");
    path = lua_tostring(L, -1);
    return path && strncmp(path, place->lua, strlen(place->lua)) == 0 &&
           strncmp(path + strlen(place->lua), "/?.lua;", 7) == 0;
}

static bool is_as_it_was(const struct module *module, const char *source, const struct clue_place *place) {
    char path[sizeof place->c_modules + 32];
    path_facts was, is;
    (void)snprintf(path, sizeof path, "%s/clue/bytecode", place->c_modules);
    if (path_look(&was, path, true) != PATH_FILE || path_look(&is, source, true) != PATH_FILE) return false;
    return is.size == module->source_size &&
           (is.used[0] < was.used[0] || (is.used[0] == was.used[0] && is.used[1] <= was.used[1]));
}

/* The file has no names of chunks, since it does not know where the sources will be. */
static bool begin(struct reading *self, const struct module *module, const char *name) {
    size_t length = strlen(name), at = HEADER;
    if (!self->file || fseek(self->file, module->position, SEEK_SET) != 0) return false;
    if (module->size < HEADER || fread(self->block, 1, HEADER, self->file) != HEADER) return false;
    for (; length >= 1U << NAME_BITS; length >>= NAME_BITS)
        self->block[at++] = (char)((length & ((1U << NAME_BITS) - 1)) | 1U << NAME_BITS);
    self->block[at++] = (char)length;
    if (at + strlen(name) > sizeof self->block) return false;
    memcpy(self->block + at, name, strlen(name));
    self->begun = at + strlen(name);
    self->left = (size_t)module->size - HEADER;
    return true;
}

static const char *read_more(lua_State *L, void *data, size_t *size_out) {
    struct reading *self = data;
    (void)L;
    *size_out = self->begun;
    self->begun = 0;
    if (*size_out == 0) {
        *size_out = fread(self->block, 1, self->left < BLOCK_ROOM ? self->left : BLOCK_ROOM, self->file);
        self->left -= *size_out;
    }
    return self->block;
}

/* Pushes the module's chunk. */
static bool load(lua_State *L, const struct module *module, const char *name, const struct clue_place *place) {
    struct reading reading = {.file = open_bytecode(place)};
    const bool done = begin(&reading, module, name) && lua_load(L, read_more, &reading, name) == LUA_OK;
    if (reading.file) (void)fclose(reading.file);
    return done;
}

/* What package.loaders has for require: a function of the name. */
static int search(lua_State *L) {
    const struct clue_place *place = lua_touserdata(L, lua_upvalueindex(1));
    struct module module;
    const char *name;
    luaL_checkstring(L, 1);
    if (!find_module(L, &module, place) || !is_first(L, place)) return 0;
    name = lua_pushfstring(L, "@%s/%s", place->lua, module.path);
    return is_as_it_was(&module, name + 1, place) && load(L, &module, name, place);
}

void clue_bytecode_install(lua_State *L, const struct clue_place *place) {
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "loaders");
    for (size_t i = lua_objlen(L, -1); i >= 2; i--) { /* behind package.preload */
        lua_rawgeti(L, -1, (int)i);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_pushlightuserdata(L, (void *)place);
    lua_pushnil(L);
    lua_pushcclosure(L, search, 2);
    lua_rawseti(L, -2, 2);
    lua_pop(L, 2);
}

#else /* another Lua reads sources */

void clue_bytecode_install(lua_State *L, const struct clue_place *place) {
    (void)L;
    (void)place;
}

#endif
