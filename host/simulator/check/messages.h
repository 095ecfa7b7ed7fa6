// What only Oclgrind itself sees, from its messages: barriers that not all work-items reach, indexes outside their
// row, copies without a wait.
#pragma once
#include "findings.h"
#include "scene.h"

namespace check {

// Takes a message that came while a launch runs.
void take_message(const char *message, Scene &scene, Findings &findings);

} // namespace check
