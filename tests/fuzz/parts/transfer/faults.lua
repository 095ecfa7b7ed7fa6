-- What drivers are known to do wrong with random transfers. A step that meets such a fault is left out there.
local faults = {}

local function is_part(memories, i) return i ~= nil and memories[i].parent ~= nil end

local function whole(memories, i) return memories[i].parent or i end

faults.known = {
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
