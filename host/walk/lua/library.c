/* library.c - products by other projects' libraries, for Lua: library/library.h with tables as in product.c.
 * host/lua/walk/library.lua documents what scripts use. */
#include "../library/library.h"
#include "module.h"

static const struct word libraries[] = {
    {"openblas", LIBRARY_OPENBLAS}, {"clblast", LIBRARY_CLBLAST}, {"cublas", LIBRARY_CUBLAS}, {NULL, 0}};

/* Those functions know only B by rows. */
static walk_product read_by_rows(lua_State *L, const char *call) {
    const walk_product p = product_read(L, call);
    if (p.b_column != 1) argument_refuse(L, 1, call, "b_layout must be 'rows'");
    if (p.m > INT32_MAX || p.n > INT32_MAX || p.k > INT32_MAX)
        argument_refuse(L, 1, call, "libraries count rows and columns in 32 bits");
    return p;
}

/* Its version, or nil and why it cannot be loaded. */
static int library_load_(lua_State *L) {
    const char *version = "";
    if (library_load(&version, argument_word(L, 1, libraries, "library", "library_load")) == WALK_DONE) {
        lua_pushstring(L, version);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, walk_last.detail);
    return 2;
}

static int library_openblas(lua_State *L) {
    static const char call[] = "library_openblas";
    const walk_product p = read_by_rows(L, call);
    return module_done(L, library_openblas_product(&p, argument_int(L, 2, call)));
}

static int library_clblast(lua_State *L) {
    static const char call[] = "library_clblast";
    const walk_product p = read_by_rows(L, call);
    const library_buffers at = {argument_int(L, 2, call), argument_int(L, 3, call), argument_int(L, 4, call),
                                argument_int(L, 5, call)};
    return module_done(L, library_clblast_product(&p, &at));
}

static int library_cublas_start_(lua_State *L) {
    static const char call[] = "library_cublas_start";
    const walk_product p = read_by_rows(L, call);
    return module_done(L, library_cublas_start(&p, argument_text(L, 2, call)));
}

static int library_cublas_upload_(lua_State *L) {
    const walk_product p = read_by_rows(L, "library_cublas_upload");
    return module_done(L, library_cublas_upload(&p));
}

static int library_cublas_reset_(lua_State *L) {
    const walk_product p = read_by_rows(L, "library_cublas_reset");
    return module_done(L, library_cublas_reset(&p));
}

static int library_cublas_compute_(lua_State *L) {
    double seconds = 0;
    const walk_product p = read_by_rows(L, "library_cublas_compute");
    (void)module_done(L, library_cublas_compute(&seconds, &p));
    lua_pushnumber(L, seconds);
    return 1;
}

static int library_cublas_read_(lua_State *L) {
    const walk_product p = read_by_rows(L, "library_cublas_read");
    return module_done(L, library_cublas_read(&p));
}

const luaL_Reg module_library[] = {
    {"library_clblast", library_clblast},
    {"library_cublas_compute", library_cublas_compute_},
    {"library_cublas_read", library_cublas_read_},
    {"library_cublas_reset", library_cublas_reset_},
    {"library_cublas_start", library_cublas_start_},
    {"library_cublas_upload", library_cublas_upload_},
    {"library_load", library_load_},
    {"library_openblas", library_openblas},
    {NULL, NULL},
};
