#include "parts.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

namespace check {

// The element that an instruction inserts or extracts; -1 if that is not to be seen.
static int element_of(const llvm::Value *index) {
    const auto *number = llvm::dyn_cast<llvm::ConstantInt>(index);
    return number ? static_cast<int>(number->getZExtValue()) : -1;
}

static int lanes_of(const llvm::Value &value) {
    return static_cast<int>(llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements());
}

// Whether a lane of a value is what a place already holds there.
static bool is_kept(const llvm::Value *value, int lane, const llvm::Value *place) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) return load->getPointerOperand() == place;
    if (const auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
        const int at = element_of(insert->getOperand(2));
        return at >= 0 && at != lane && is_kept(insert->getOperand(0), lane, place);
    }
    const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
    if (!shuffle) return false;
    const int from = shuffle->getMaskValue(static_cast<unsigned>(lane)), first = lanes_of(*shuffle->getOperand(0));
    if (from == lane && from < first) return is_kept(shuffle->getOperand(0), lane, place);
    return from - first == lane && is_kept(shuffle->getOperand(1), lane, place);
}

static bool is_used(const llvm::Value *value, int lane, const llvm::Value *place);

static bool is_used_shuffled(const llvm::ShuffleVectorInst &shuffle, const llvm::Value *value, int lane,
                             const llvm::Value *place) {
    const int first = lanes_of(*shuffle.getOperand(0));
    for (int i = 0; i < lanes_of(shuffle); i++) {
        const int from = shuffle.getMaskValue(static_cast<unsigned>(i));
        const bool left = from >= 0 && from < first && shuffle.getOperand(0) == value && from == lane;
        const bool right = from >= first && shuffle.getOperand(1) == value && from - first == lane;
        if ((left || right) && is_used(&shuffle, i, place)) return true;
    }
    return false;
}

// Whether anything but that place's own store uses a lane of a value that was loaded from it.
static bool is_used(const llvm::Value *value, int lane, const llvm::Value *place) {
    for (const llvm::User *each : value->users()) {
        if (const auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(each)) {
            const int at = element_of(extract->getIndexOperand());
            if (at < 0 || at == lane) return true;
        } else if (const auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(each)) {
            if (element_of(insert->getOperand(2)) != lane && is_used(insert, lane, place)) return true;
        } else if (const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(each)) {
            if (is_used_shuffled(*shuffle, value, lane, place)) return true;
        } else {
            const auto *store = llvm::dyn_cast<llvm::StoreInst>(each);
            if (!store || store->getPointerOperand() != place || !is_kept(value, lane, place)) return true;
        }
    }
    return false;
}

// Whether an access is about a lane.
static bool counts(const llvm::Instruction &access, int lane) {
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access))
        return !is_kept(store->getValueOperand(), lane, store->getPointerOperand());
    const auto &load = llvm::cast<llvm::LoadInst>(access);
    return load.use_empty() || is_used(&load, lane, load.getPointerOperand());
}

// Null for what is no load or store of a vector.
static const llvm::FixedVectorType *vector_of(const llvm::Instruction &access) {
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
    if (!store && !llvm::isa<llvm::LoadInst>(access)) return nullptr;
    return llvm::dyn_cast<llvm::FixedVectorType>(store ? store->getValueOperand()->getType() : access.getType());
}

static std::vector<Part> parts_of(const llvm::Instruction &access, const llvm::FixedVectorType &type) {
    const size_t size = type.getScalarSizeInBits() / 8;
    std::vector<Part> parts;
    for (size_t i = 0; i < type.getNumElements(); i++) {
        if (!counts(access, static_cast<int>(i))) continue;
        if (!parts.empty() && parts.back().offset + parts.back().size == i * size)
            parts.back().size += size;
        else
            parts.push_back({i * size, size});
    }
    return parts;
}

const std::vector<Part> &Parts::of(const llvm::Instruction *instruction, size_t size) {
    const llvm::FixedVectorType *type = instruction ? vector_of(*instruction) : nullptr;
    if (!type || size_t{type->getScalarSizeInBits()} / 8 * type->getNumElements() != size) {
        m_whole.assign(1, {0, size});
        return m_whole;
    }
    const auto known = m_known.find(instruction);
    if (known != m_known.end()) return known->second;
    return m_known[instruction] = parts_of(*instruction, *type);
}

} // namespace check
