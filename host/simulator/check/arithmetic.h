// Arithmetic whose result the language leaves open, or that is seldom meant.
#pragma once
#include "findings.h"
#include "scene.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace oclgrind {
class WorkItem;
struct TypedValue;
} // namespace oclgrind

namespace check {

struct Doubt {
    Finding finding;
    std::vector<bool> lanes; // of the result, those that nobody can rely on; empty: all is well
};

// Whether an instruction is of the kinds that the functions below look at.
bool is_arithmetic(const llvm::Instruction &instruction);

// Of an instruction that was executed: integer division by zero, or of the smallest number by -1; a conversion of a
// number that the integer type does not hold.
Doubt undefined_in(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                   const oclgrind::TypedValue &result, Scene &scene);

// Adds notes: a shift by the type's width or more, and a sum in floating point that becomes an integer, though it
// is too large to have counted each.
void note_arithmetic(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                     const oclgrind::TypedValue &result, Scene &scene, Findings &findings);

} // namespace check
