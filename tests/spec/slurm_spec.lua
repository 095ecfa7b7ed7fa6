-- What docs/howto/slurm.md says holds on Debian's Slurm: the batch script for MPI runs its ranks on their devices, and
-- a failure of one ends the job; clue farm has a worker on each node; and a worker of one's own inside an allocation
-- neither hangs nor hides its exit status. One machine plays both nodes.
-- suite: whole
-- cost: 20
-- waits: long
-- tools: parallel slurmd munged
local json = require "dkjson"
local lfs = require "lfs"
local slurm = require "slurm"
local support = require "support"

local BATCH = "scripts/slurm/mpi.sbatch"

-- The job of the batch script over four ranks on two nodes, with fewer processors than it asks for.
local function ranks(script, more, ...)
  return slurm.submit({"--ntasks-per-node=2", "--gpus-per-node=2", "--cpus-per-task=1", BATCH, "--quiet", script, ...},
    more)
end

local function ranks_of(text, more)
  return ranks(support.write(text), more)
end

describe("Slurm", function()
  setup(slurm.start)

  it("starts ranks of Debian's Open MPI by pmix", function()
    local out, err = support.ended(0, slurm.run {"srun", "--mpi=list"})
    assert.matches("\tpmix\n", out .. err)
  end)

  describe(BATCH, function()
    it("runs one job over the ranks of two nodes", function()
      local state, status, log = ranks("scripts/examples/mpi/nbody_ring.lua", nil, "--count", "64", "--steps", "3")
      assert.same({"COMPLETED", 0}, {state, status}, log)
      assert.matches("64 bodies, 3 steps: the same as by one rank, bit for bit; sum ", log, 1, true)
      assert.matches(" of 4 ranks on this machine: ", log, 1, true)
    end)

    it("shows each rank the GPUs of its node", function()
      local state, _, log = ranks_of [[
        local mpi = require "clue.mpi"
        io.write(("rank %d of %d: node %s, GPUs %s.\n"):format(mpi.rank(), mpi.size(), os.getenv "SLURMD_NODENAME",
          os.getenv "CUDA_VISIBLE_DEVICES"))
      ]]
      assert.equal("COMPLETED", state, log)
      for rank = 0, 3 do
        local node = rank < 2 and "one" or "two"
        assert.matches(("rank %d of 4: node %s, GPUs 0,1."):format(rank, node), log, 1, true)
      end
    end)

    -- srun's exit status is the largest of all tasks', those that it ended itself among them.
    local function fails(what, line, expected, words)
      it("fails if a rank fails: " .. what, function()
        local state, status, log = ranks_of(([[
          local cl, mpi = require "clue", require "clue.mpi"
          if mpi.rank() == 1 then %s end
          mpi.receive(cl.array.int(1), (mpi.rank() + 1) %% mpi.size()) -- for ever
        ]]):format(line))
        assert.equal("FAILED", state, log)
        assert.is_true(status >= expected and status ~= 0, log)
        assert.matches(words, log, 1, true)
      end)
    end

    fails("an error", "error 'too hot'", 1, "clue: rank 1 of 4 failed with exit status 1, which ends all ranks")
    fails("killed", "io.popen('kill -9 $PPID'):read()", 137, "task 1: Killed")
  end)

  it("scripts/slurm/farm.sbatch runs a command on the devices of both nodes", function()
    local home = support.folder()
    local state, status, log = slurm.submit({"--chdir=" .. home, "--gpus-per-node=2", "--cpus-per-task=2",
      lfs.currentdir() .. "/scripts/slurm/farm.sbatch", "--", "walk", "hello", "--size", "64", "--steps", "1",
      "--json", "{worker}.json"}, {HOME = home})
    assert.same({"COMPLETED", 0}, {state, status}, log)
    assert.matches("clue farm: 2 workers: one: ", log, 1, true)
    local results = home .. "/farm-" .. log:match "results: farm%-(%d+)"
    for _, worker in ipairs {"one", "two"} do
      local document = json.decode(support.read(("%s/%s.json"):format(results, worker)))
      local row = document.walkthroughs[1].runs[1].rows[1]
      assert.is_true(row.check.verified)
    end
  end)

  it("has the nodes of an allocation for clue farm --slurm", function()
    local home = support.folder()
    local space = support.write([[
      return {kernel_name = "k", source = "kernel void k(global int *x) { x[get_global_id(0)] = N; }",
              problem_size = 64, tune_params = {N = {1, 2}, block_size_x = {1, 2}},
              verify = function() return true end, arguments = {require("clue").array.int(64)}}
    ]], home .. "/space.lua")
    local status, out, err = slurm.run({"salloc", "--nodes=2", "--chdir=" .. home, "clue", "farm", "--slurm", "tune",
      space, "--chunk", "1", "--results", home .. "/farm"}, {HOME = home, CLUE_CACHE_DIR = home .. "/cache"})
    assert.equal(0, status, out .. err)
    assert.matches("2 workers: one: ", out .. err, 1, true)
    assert.matches("4 configurations, 0 failed", out, 1, true)
  end)

  describe("a worker inside an allocation", function()
    local WORKER = "srun --input=none --quit-on-interrupt --overlap --nodes=1 --ntasks=1 --nodelist=%s "

    -- A job over both nodes that runs lines of bash.
    local function job(lines)
      return slurm.submit {"--nodes=2", "--gpus-per-node=2", "--cpus-per-task=4",
        support.write("#!/bin/bash\n" .. lines, support.temporary ".sh")}
    end

    it("is the command that the page gives", function()
      assert.matches(WORKER:format "HOST" .. "COMMAND", support.read "docs/howto/slurm.md", 1, true)
    end)

    it("runs beside another on one node, with its processors and GPUs", function()
      -- Each waits for the other, so they must run at the same time.
      local fifo = support.temporary()
      local state, _, log = job(([[
        mkfifo %s
        %s sh -c 'echo $SLURMD_NODENAME $SLURM_CPUS_ON_NODE $CUDA_VISIBLE_DEVICES >%s' &
        %s cat %s
        wait
      ]]):format(fifo, WORKER:format "two", fifo, WORKER:format "two", fifo))
      assert.equal("COMPLETED", state, log)
      assert.equal("two 4 0,1\n", log)
    end)

    it("passes its exit status, and leaves the standard input to the shell", function()
      local _, _, log = job(([[
        scontrol show hostnames "$SLURM_JOB_NODELIST" | while read -r host; do
          %s sh -c 'exit 7'; echo "$host: $?"
        done
        %s sh -c 'kill -9 $$'; echo "killed: $?"
      ]]):format(WORKER:format '"$host"', WORKER:format "one"))
      assert.matches("one: 7\n", log, 1, true)
      assert.matches("two: 7\n", log, 1, true)
      assert.matches("killed: 137\n", log, 1, true)
    end)

    it("ends with its srun", function() -- which ends nothing if it is told to before the worker runs
      local started = support.temporary()
      local _, _, log = job(([[
        %s sh -c ': > %s; exec sleep 300' &
        until [ -e %s ]; do sleep 0.1; done
        kill $!
        wait $!
        echo "srun: $?"
        while squeue --steps --noheader --format=%%j | grep -qx sh; do sleep 0.1; done
        echo "its step is gone"
      ]]):format(WORKER:format "two", started, started))
      assert.matches("srun: 137\nits step is gone\n", log, 1, true)
    end)
  end)
end)

describe("the specs' own Slurm", function()
  it("says why it cannot start", function()
    local folder = support.folder()
    support.ended(1, support.execute({"bash", "tests/slurm/cluster", folder}, {PATH = "/usr/bin:/bin"}))
    assert.matches("there is no %S+: apt install munge slurm%-wlm", support.read(folder .. "/failed"))
  end)

  it("leaves nothing behind", function()
    slurm.stop()
    assert.is_string(support.read(slurm.folder() .. "/ended"))
    -- A busy machine may let a process that was ended live a little longer.
    local _, out = support.execute {"sh", "-c", [[
      for i in $(seq 1200); do left=$(grep -lsF -e "$0" /proc/[0-9]*/environ); [ -n "$left" ] || break; sleep 0.1; done
      printf %s "$left"]], slurm.folder()}
    assert.equal("", out)
  end)
end)
