# What luarocks installs: libclue and the modules, for one Lua, whose interpreter also makes the bindings' code. The
# rockspec gives CLUE_ROCK_LUA, CLUE_ROCK_INCDIR, CLUE_ROCK_LUADIR and CLUE_ROCK_LIBDIR.
#
# luarocks moves the files of the last two from the rock's own folder to share/lua/VERSION and lib/lua/VERSION of its
# tree, where interpreters find them. Paths between the two are those after that.
file(STRINGS ${CLUE_ROCK_INCDIR}/lua.h version REGEX "#define[\t ]+LUA_VERSION_NUM")
string(REGEX REPLACE "[^0-9]" "" version "${version}")
string(REGEX REPLACE "^(.)0(.)$" "\\1.\\2" version "${version}")
string(REPLACE . "" CLUE_ROCK_MODULE lua${version})
set(CLUE_RUN ${CLUE_ROCK_LUA})
set(CLUE_LUA_INSTALL_DIR ${CLUE_ROCK_LUADIR})
set(CLUE_LUA_C_INSTALL_DIR ${CLUE_ROCK_LIBDIR})
set(CLUE_LIBRARY_INSTALL_DIR ${CLUE_ROCK_LIBDIR})
set(CLUE_LIBRARY_PLACE ../../../lib/lua/${version})
