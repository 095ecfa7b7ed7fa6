--- The mark of a series in the charts, beside its name: its colour and shape, as a picture of one letter's size.
local html = require "clue.show.page.element"

local shapes = {
  '<circle cx="5" cy="5" r="4"/>', '<rect x="1.3" y="1.3" width="7.4" height="7.4"/>',
  '<path d="M5 .6L9.6 8.6H.4z"/>',
  '<path d="M5 9.4L9.6 1.4H.4z"/>', '<path d="M5 .2L9.8 5L5 9.8L.2 5z"/>',
  '<path d="M5 .2L9.6 3.6L7.8 9H2.2L.4 3.6z"/>',
}

--- The mark.
-- @tparam string kind "device" (filled) or "author" (open)
-- @tparam int index from 1; colours repeat after 8, shapes after 6
-- @tparam[opt] bool is_open as on a dashed line
-- @treturn node
return function(kind, index, is_open)
  local colour = ("var(--%s-%d)"):format(kind, (index - 1) % 8 + 1)
  local paint = kind == "device" and not is_open and ('fill="%s"'):format(colour)
    or ('fill="none" stroke="%s" stroke-width="1.6"'):format(colour)
  return html.raw(('<svg class="mark" width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" %s>%s</svg>')
    :format(paint, shapes[(index - 1) % #shapes + 1]))
end
