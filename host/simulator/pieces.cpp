#include "pieces.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>

namespace simulator {

using Lanes = std::vector<bool>;

static size_t lanes_of(const llvm::Value &value) {
    return llvm::cast<llvm::FixedVectorType>(value.getType())->getNumElements();
}

// Marks the lanes of a vector that anything uses.
static void mark_used(Lanes &used, const llvm::Value &value) {
    for (const llvm::User *user : value.users()) {
        const auto *element = llvm::dyn_cast<llvm::ExtractElementInst>(user);
        const auto *index = element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()) : nullptr;
        const auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(user);
        if (index && index->getZExtValue() < used.size()) {
            used[index->getZExtValue()] = true;
            continue;
        }
        if (!shuffle) {
            used.assign(used.size(), true);
            return;
        }
        Lanes its(lanes_of(*shuffle));
        mark_used(its, *shuffle);
        const int first = static_cast<int>(lanes_of(*shuffle->getOperand(0)));
        for (unsigned i = 0; i < its.size(); i++) {
            const int from = its[i] ? shuffle->getMaskValue(i) : -1;
            const bool left = from >= 0 && from < first;
            if (from >= 0 && shuffle->getOperand(left ? 0 : 1) == &value)
                used[static_cast<size_t>(left ? from : from - first)] = true;
        }
    }
}

static size_t count(const Lanes &used, size_t from, size_t end) {
    const auto first = used.begin() + static_cast<ptrdiff_t>(from);
    return static_cast<size_t>(std::count(first, first + static_cast<ptrdiff_t>(end - from), true));
}

// A load may take more than is used: both halves, if all of one and any of the other is.
static bool is_piece(const Lanes &used, size_t from, size_t end, bool loads) {
    const size_t middle = (from + end) / 2, left = count(used, from, middle), right = count(used, middle, end);
    if (left + right == end - from) return true;
    return loads && left > 0 && right > 0 && (left == middle - from || right == end - middle);
}

static void add_pieces(std::vector<Piece> &to, const Lanes &used, size_t from, size_t end, uint32_t size,
                       bool loads) {
    if (count(used, from, end) == 0) return;
    if (is_piece(used, from, end, loads)) {
        to.push_back({static_cast<uint32_t>(from) * size, static_cast<uint32_t>(end - from) * size});
        return;
    }
    const size_t middle = (from + end) / 2;
    add_pieces(to, used, from, middle, size, loads);
    add_pieces(to, used, middle, end, size, loads);
}

static std::vector<Piece> pieces_of(const Lanes &used, uint32_t size, size_t widest, bool loads) {
    std::vector<Piece> pieces;
    const size_t step = std::max<size_t>(1, widest / std::max<uint32_t>(1, size));
    for (size_t from = 0; from < used.size(); from += step)
        add_pieces(pieces, used, from, std::min(from + step, used.size()), size, loads);
    return pieces;
}

std::vector<Piece> pieces_of_load(const llvm::Instruction &instruction) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->getType()->isVectorTy() || load->use_empty()) return {};
    Lanes used(lanes_of(*load));
    mark_used(used, *load);
    if (count(used, 0, used.size()) == used.size()) return {};
    return pieces_of(used, load->getType()->getScalarSizeInBits() / 8,
                     std::min<size_t>(WidestAccess, load->getAlign().value()), true);
}

std::vector<Piece> pieces_of_store(size_t first, size_t count, size_t of, uint32_t size) {
    Lanes stored(of == 3 ? 4 : of); // a vector of 3 lies as one of 4
    std::fill_n(stored.begin() + static_cast<ptrdiff_t>(first), count, true);
    std::vector<Piece> pieces = pieces_of(stored, size, WidestAccess, false);
    for (Piece &each : pieces)
        each.offset -= static_cast<uint32_t>(first) * size;
    return pieces;
}

} // namespace simulator
