// Finds what OpenCL C forbids in a kernel's code, whatever runs of it: recursion, and arguments of printf that do
// not fit its format. Oclgrind goes on with wrong values then, so what it shows afterwards says nothing.
#pragma once
#include "findings.h"
#include "scene.h"

namespace check {

void find_forbidden(Scene &scene, Findings &findings);

} // namespace check
