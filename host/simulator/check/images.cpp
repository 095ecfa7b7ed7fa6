#include "images.h"

#include "../oclgrind.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <array>
#include <cmath>
#include <cstring>

namespace check {

enum { Normalized = 1, Addressing = 0xE }; // of a sampler's bits: CLK_NORMALIZED_COORDS_TRUE, all CLK_ADDRESS_...

bool reads_image(const llvm::Instruction &instruction) {
    return simulator::called_by(instruction).compare(0, 10, "read_image") == 0;
}

bool writes_image(const llvm::Instruction &instruction) {
    return simulator::called_by(instruction).compare(0, 11, "write_image") == 0;
}

// What an argument points to, which Oclgrind passes as a number.
template <typename T>
static const T &pointee_of(const oclgrind::WorkItem &item, const llvm::CallInst &call, unsigned argument) {
    const size_t at = item.getOperand(call.getArgOperand(argument)).getPointer();
    const T *pointer;
    static_assert(sizeof pointer == sizeof at, "a pointer is as wide as its number");
    memcpy(&pointer, &at, sizeof pointer);
    return *pointer;
}

static const oclgrind::Image &image_of(const oclgrind::WorkItem &item, const llvm::CallInst &call) {
    return pointee_of<oclgrind::Image>(item, call, 0);
}

uint64_t address_of_image(const oclgrind::WorkItem &item, const llvm::CallInst &call) {
    return image_of(item, call).address;
}

// How many there are in each direction; 0: any coordinate will do. A read's layer is the nearest that there is.
static std::array<size_t, 3> extents_of(const cl_image_desc &of, bool writes) {
    const size_t layers = writes ? of.image_array_size : 0;
    switch (of.image_type) {
    case CL_MEM_OBJECT_IMAGE1D_ARRAY:
        return {of.image_width, layers, 0};
    case CL_MEM_OBJECT_IMAGE2D:
        return {of.image_width, of.image_height, 0};
    case CL_MEM_OBJECT_IMAGE2D_ARRAY:
        return {of.image_width, of.image_height, layers};
    case CL_MEM_OBJECT_IMAGE3D:
        return {of.image_width, of.image_height, of.image_depth};
    default:
        return {of.image_width, 0, 0};
    }
}

// Samplers lie where Oclgrind keeps them. A read without one has no addressing mode.
static uint64_t sampler_of(const oclgrind::WorkItem &item, const llvm::CallInst &call) {
    if (call.arg_size() < 3) return 0;
    return pointee_of<llvm::ConstantInt>(item, call, 1).getZExtValue();
}

Coordinate outside_image(const oclgrind::WorkItem &item, const llvm::CallInst &call) {
    const bool writes = writes_image(call);
    const uint64_t sampler = writes ? 0 : sampler_of(item, call);
    if (sampler & Addressing) return {};
    const llvm::Value *place = call.getArgOperand(writes || call.arg_size() < 3 ? 1 : 2);
    const oclgrind::TypedValue at = item.getOperand(place);
    const auto extents = extents_of(image_of(item, call).desc, writes);
    for (unsigned i = 0; i < std::min(at.num, 3U); i++) {
        const auto extent = static_cast<int64_t>(extents[i]);
        const bool whole = place->getType()->isIntOrIntVectorTy();
        const double scale = sampler & Normalized ? static_cast<double>(extent) : 1;
        const double number = whole ? static_cast<double>(at.getSInt(i)) : std::floor(at.getFloat(i) * scale);
        if (extent > 0 && !(number >= 0 && number < static_cast<double>(extent)))
            return {std::isnan(number) ? INT64_MIN : static_cast<int64_t>(number), extent};
    }
    return {};
}

} // namespace check
