// A launch's sums as a line of JSON.
#pragma once
#include "totals.h"

namespace oclgrind {
class KernelInvocation;
} // namespace oclgrind

namespace count {

// {"launch": {...}}, without a line end. host/lua/result/counts.lua says what its fields mean.
std::string report(const oclgrind::KernelInvocation &invocation, const Code &code, const Totals &totals);

} // namespace count
