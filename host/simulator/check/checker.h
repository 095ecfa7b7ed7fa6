// The plugin behind `clue check`: finds races, accesses out of bounds, reads of what was never written and
// divergent barriers, and writes each as a line of JSON. It sees each access before Oclgrind makes it; from
// Oclgrind's own messages it takes only what no access shows.
#pragma once
#include "../oclgrind.h"

#include <memory>

namespace check {

// schedule: see schedule.h; tried: see guesses.h
std::unique_ptr<oclgrind::Plugin> new_checker(const oclgrind::Context *context, int descriptor, uint32_t schedule,
                                              const char *tried);

} // namespace check
