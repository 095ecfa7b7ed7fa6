-- What drivers are known to do wrong with random transfers. A step that meets such a fault is left out there.
local faults = {}

local function is_part(memories, i) return i ~= nil and memories[i].parent ~= nil end

local function whole(memories, i) return memories[i].parent or i end

-- Whether the slices of a box, each with its whole pitch, end behind the buffer.
local function has_pitch_behind(step, place, memory)
  local row = place.row ~= 0 and place.row or step.region[1]
  local slice = place.slice ~= 0 and place.slice or row * step.region[2]
  return (place.origin[3] + step.region[3]) * slice > memory.size
end

faults.known = {
  {
    driver = "NVIDIA CUDA", version = "580.159",
    what = "Refuses a box (CL_INVALID_VALUE) whose last slice would end behind the buffer if it were as long as its "
      .. "pitch, though its bytes are all inside.",
    meets = function(step, memories)
      if step.op == "copy_rect" then
        return has_pitch_behind(step, step.source, memories[step.from])
          or has_pitch_behind(step, step.target, memories[step.to])
      end
      return (step.op == "read_rect" or step.op == "write_rect")
        and has_pitch_behind(step, step.memory, memories[step.on])
    end,
  },
  {
    driver = "Portable Computing Language", version = "3.1",
    what = "Dies (SIGSEGV) of copies between images and parts of buffers (sub-buffers). So it does of copies of boxes "
      .. "between buffers of which one is a part: clue makes those copies in the whole buffers, but must refuse two "
      .. "places of one whole buffer with different pitches.",
    meets = function(step, memories)
      if step.op == "copy_rect" then
        return step.from ~= step.to and whole(memories, step.from) == whole(memories, step.to)
      end
      return (step.op == "image_to_buffer" or step.op == "buffer_to_image") and is_part(memories, step.buffer)
    end,
  },
  {
    driver = "rusticl", version = "22.3.6",
    what = "A copy between an image and a part of a buffer begins at the whole buffer's beginning.",
    meets = function(step, memories)
      return (step.op == "image_to_buffer" or step.op == "buffer_to_image") and is_part(memories, step.buffer)
    end,
  },
}

--- Whether a step meets a known fault of a driver.
function faults.avoids(step, memories, platform)
  for _, fault in ipairs(faults.known) do
    if fault.driver == platform and fault.meets(step, memories) then return true end
  end
  return false
end

return faults
