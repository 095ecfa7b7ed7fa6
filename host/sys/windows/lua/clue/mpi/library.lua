--- Why there is no clue.mpi on Windows.
-- @module clue.mpi.library
return {problem = "clue.mpi is written for Open MPI, which is not on Windows: run the script on Linux, or in WSL"}
