#include "vector_stores.h"

#include "pieces.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace simulator {

namespace {
// A store of one element of a vector in memory.
struct Element {
    const llvm::StoreInst *store = nullptr;
    const llvm::GetElementPtrInst *place = nullptr;
    const llvm::FixedVectorType *vector = nullptr;
    uint64_t lane = 0;
};
} // namespace

static Element element_of(const llvm::Instruction &instruction) {
    Element it;
    it.store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    it.place = it.store ? llvm::dyn_cast<llvm::GetElementPtrInst>(it.store->getPointerOperand()) : nullptr;
    if (!it.place || it.place->getNumIndices() < 2) return Element();
    const std::vector<llvm::Value *> indices(it.place->idx_begin(), it.place->idx_end() - 1);
    llvm::Type *in = llvm::GetElementPtrInst::getIndexedType(it.place->getSourceElementType(), indices);
    const auto *lane = llvm::dyn_cast<llvm::ConstantInt>(*(it.place->idx_end() - 1));
    it.vector = llvm::dyn_cast_or_null<llvm::FixedVectorType>(in);
    if (!it.vector || !lane) return Element();
    it.lane = lane->getZExtValue();
    return it;
}

// Whether two elements are of one vector, and of one place in the source.
static bool same_vector(const Element &a, const Element &b) {
    return a.vector == b.vector && a.place->getPointerOperand() == b.place->getPointerOperand() &&
           a.place->getNumIndices() == b.place->getNumIndices() &&
           std::equal(a.place->idx_begin(), a.place->idx_end() - 1, b.place->idx_begin()) &&
           a.store->getDebugLoc() == b.store->getDebugLoc();
}

// A store of what nobody knows.
static bool stores_nothing(const llvm::Instruction &instruction) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    return store && llvm::isa<llvm::UndefValue>(store->getValueOperand());
}

// What an element's store alone needs: the address and the element.
static bool is_for_stores(const llvm::Instruction &instruction) {
    const bool one =
        llvm::isa<llvm::GetElementPtrInst>(instruction) || llvm::isa<llvm::ExtractElementInst>(instruction);
    return one && instruction.hasOneUse() && llvm::isa<llvm::StoreInst>(*instruction.user_begin());
}

static void take_out(Block &block, size_t index) {
    if (block.instructions[index].costs) block.costs--;
    block.instructions[index].costs = false;
}

// The store of a single element: the others are loaded, and stored as they are.
static void widen(Block &block, size_t index, const Element &element) {
    const uint32_t size = element.vector->getScalarSizeInBits() / 8, all = element.vector->getNumElements();
    Instruction &it = block.instructions[index];
    if (it.joined) return;
    it.loads_first = true;
    it.joined_before = static_cast<uint32_t>(element.lane) * size;
    it.joined_bytes = all * size;
    it.pieces = pieces_of_store(0, all, all, size);
}

// The stores from `first` on, by their elements, if these lie side by side.
static void join(Block &block, const std::vector<std::pair<uint64_t, size_t>> &lanes, const Element &first) {
    if (lanes.size() == 1) return widen(block, lanes.front().second, first);
    const auto ends = std::minmax_element(lanes.begin(), lanes.end());
    if (lanes.size() < 2 || ends.second->first - ends.first->first != lanes.size() - 1) return;
    const uint32_t size = first.vector->getScalarSizeInBits() / 8, all = first.vector->getNumElements();
    const size_t leader = lanes.front().second, last = lanes.back().second;
    Instruction &it = block.instructions[leader];
    it.joined_before = static_cast<uint32_t>(lanes.front().first - ends.first->first) * size;
    it.joined_bytes = static_cast<uint32_t>(lanes.size()) * size;
    it.pieces = pieces_of_store(ends.first->first, lanes.size(), all, size);
    for (size_t i = leader + 1; i <= last; i++) {
        block.instructions[i].joined = llvm::isa<llvm::StoreInst>(block.instructions[i].llvm);
        take_out(block, i);
    }
    for (size_t i = leader; i > 0 && is_for_stores(*block.instructions[i - 1].llvm); i--)
        if (llvm::isa<llvm::ExtractElementInst>(block.instructions[i - 1].llvm)) take_out(block, i - 1);
}

// Of `(float4)(x, y, 3, 4)`, Oclgrind stores what is constant as a whole vector before the elements.
static bool is_part_of(const Element &element, const llvm::Instruction *whole) {
    const auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(whole);
    return store && store->getValueOperand()->getType() == element.vector &&
           store->getDebugLoc() == element.store->getDebugLoc();
}

static void leave_out(Block &block, size_t index) {
    block.instructions[index].joined = true;
    take_out(block, index);
}

void join_vector_stores(Block &block) {
    std::vector<std::pair<uint64_t, size_t>> lanes;
    Element first;
    const llvm::Instruction *before = nullptr; // what came before the elements
    for (size_t i = 0; i < block.instructions.size(); i++) {
        const llvm::Instruction &instruction = *block.instructions[i].llvm;
        const Element it = element_of(instruction);
        if (it.vector && is_part_of(it, before)) {
            leave_out(block, i);
            continue;
        }
        if (!it.vector && is_for_stores(instruction)) continue;
        if (!(it.vector && first.vector && same_vector(first, it))) {
            join(block, lanes, first);
            lanes.clear();
            first = it;
        }
        if (it.vector) lanes.emplace_back(it.lane, i);
        if (stores_nothing(instruction)) leave_out(block, i);
        before = it.vector || stores_nothing(instruction) ? nullptr : &instruction;
    }
    join(block, lanes, first);
}

} // namespace simulator
