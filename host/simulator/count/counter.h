// The plugin behind `clue count`: counts what each launch of a kernel does, and writes it as a line of JSON.
#pragma once
#include "../oclgrind.h"

#include <memory>

namespace count {

std::unique_ptr<oclgrind::Plugin> new_counter(const oclgrind::Context *context, int descriptor);

} // namespace count
