#include "padding.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Value.h"

#include <algorithm>

namespace check {

llvm::Type *copied_type(const llvm::Value &pointer) {
    return pointer.stripPointerCasts()->getType()->getPointerElementType();
}

// Marks what members have.
static void add_members(Bits &members, size_t first, llvm::Type &type, const llvm::DataLayout &layout) {
    auto *structure = llvm::dyn_cast<llvm::StructType>(&type);
    if (structure && structure->hasName() && structure->getName().startswith("union.")) return;
    if (structure) {
        const llvm::StructLayout &places = *layout.getStructLayout(structure);
        for (unsigned i = 0; i < structure->getNumElements(); i++)
            add_members(members, first + places.getElementOffset(i), *structure->getElementType(i), layout);
    } else if (auto *array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
        const size_t size = layout.getTypeAllocSize(array->getElementType());
        for (size_t i = 0; i < array->getNumElements(); i++)
            add_members(members, first + i * size, *array->getElementType(), layout);
    } else {
        const size_t size = layout.getTypeStoreSize(&type);
        for (size_t i = first; i < std::min(first + size, members.size()); i++)
            members[i] = 0xFF;
    }
}

void write_padding(Bits &bits, llvm::Type &type, const llvm::DataLayout &layout) {
    if (!type.isSized()) return;
    const size_t size = layout.getTypeAllocSize(&type);
    if (size == 0 || bits.size() % size != 0) return;
    Bits members(size, 0);
    add_members(members, 0, type, layout);
    for (size_t i = 0; i < bits.size(); i++)
        bits[i] = bits[i] & members[i % size];
}

} // namespace check
