--- The environment of processes that compile for `clue build` and `clue asm`: no cache may answer, because a cached
-- program has no log.
-- @module clue.build.environment

--- Makes the variables.
-- @tparam string folder PoCL keeps what it compiles in its subfolder pocl
-- @treturn {string,...} "NAME=VALUE"
return function(folder)
  return {"CLUE_NO_CACHE=1", "POCL_CACHE_DIR=" .. folder .. "/pocl", "CUDA_CACHE_DISABLE=1",
          "MESA_SHADER_CACHE_DISABLE=true", "AMD_COMGR_CACHE=0", "NEO_CACHE_PERSISTENT=0"}
end
