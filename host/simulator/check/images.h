// Coordinates outside images. OpenCL defines what a read gives there if its sampler says so, by any addressing mode
// but none; what a write does there, it does not. Oclgrind writes the pixel of another row.
#pragma once
#include "scene.h"

namespace llvm {
class CallInst;
} // namespace llvm

namespace check {

// A coordinate that lies outside; limit: so many there are in this direction, 0 if none lies outside.
struct Coordinate {
    int64_t index = 0, limit = 0;
};

// Whether an instruction reads or writes a pixel.
bool reads_image(const llvm::Instruction &instruction);
bool writes_image(const llvm::Instruction &instruction);

// Where the image's memory begins.
uint64_t address_of_image(const oclgrind::WorkItem &item, const llvm::CallInst &call);

// Of a read or a write of an image, the first coordinate outside that OpenCL does not allow.
Coordinate outside_image(const oclgrind::WorkItem &item, const llvm::CallInst &call);

} // namespace check
