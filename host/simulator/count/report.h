// A launch's sums as a line of JSON.
#pragma once
#include "totals.h"

namespace oclgrind {
class KernelInvocation;
} // namespace oclgrind

namespace count {

// {"launch": {...}}, without a line end. host/lua/result/counts.lua says what its fields mean.
std::string report(const oclgrind::KernelInvocation &invocation, const Code &code, const Totals &totals);

// {"outside": {...}}: an access that no memory has.
std::string report_outside(const oclgrind::KernelInvocation &invocation, const Instruction &it, Access access);

// {"simulated": {...}}: how many groups of a launch have been simulated.
std::string report_simulated(const oclgrind::KernelInvocation &invocation, uint64_t groups);

// {"complaint": text}
std::string report_complaint(const std::string &text);

} // namespace count
