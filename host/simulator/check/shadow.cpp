#include "shadow.h"

#include "../code.h"
#include "../oclgrind.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cstring>

namespace check {

// ---- the shadows of work-items ----

bool Shadows::none(const oclgrind::WorkItem *item) const {
    return m_items.empty() || m_items.find(item) == m_items.end();
}

const Shadow *Shadows::of(const oclgrind::WorkItem *item, const llvm::Value *value) const {
    if (m_items.empty()) return nullptr;
    const auto found = m_items.find(item);
    if (found == m_items.end()) return nullptr;
    const auto shadow = found->second.find(value);
    return shadow == found->second.end() ? nullptr : &shadow->second;
}

void Shadows::set(const oclgrind::WorkItem *item, const llvm::Value *value, const Shadow &shadow) {
    if (any(shadow.bits)) {
        m_items[item][value] = shadow;
        return;
    }
    if (m_items.empty()) return;
    const auto found = m_items.find(item);
    if (found == m_items.end()) return;
    found->second.erase(value);
    if (found->second.empty()) m_items.erase(found);
}

void Shadows::forget(const oclgrind::WorkItem *item) {
    m_items.erase(item);
}

void Shadows::clear() {
    m_items.clear();
}

// ---- one instruction ----

namespace {

// An operand: its bytes, and their shadow.
struct Operand {
    oclgrind::TypedValue value;
    const Shadow *shadow; // null: none

    uint64_t number(size_t lane) const {
        uint64_t number = 0;
        memcpy(&number, value.data + lane * value.size, std::min<size_t>(value.size, sizeof number));
        return number;
    }
    uint64_t bits(size_t lane) const {
        uint64_t bits = 0;
        if (shadow) memcpy(&bits, &shadow->bits[lane * value.size], std::min<size_t>(value.size, sizeof bits));
        return bits;
    }
    bool touched(size_t lane) const {
        if (!shadow) return false;
        const uint8_t *first = &shadow->bits[lane * value.size];
        return std::any_of(first, first + value.size, [](uint8_t each) { return each != 0; });
    }
};

class Computation {
  public:
    Computation(const Shadows &shadows, const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                const oclgrind::TypedValue &result)
        : m_shadows(shadows), m_item(item), m_instruction(instruction), m_size(result.size), m_lanes(result.num) {
        m_bool = instruction.getType()->isIntOrIntVectorTy(1);
    }

    Bits run() {
        switch (m_instruction.getOpcode()) {
        case llvm::Instruction::And:
        case llvm::Instruction::Or:
            return masks();
        case llvm::Instruction::Shl:
        case llvm::Instruction::LShr:
        case llvm::Instruction::AShr:
            return shifts();
        case llvm::Instruction::Trunc:
        case llvm::Instruction::ZExt:
            return resizes();
        case llvm::Instruction::BitCast:
        case llvm::Instruction::Freeze:
            return operand(0).shadow ? operand(0).shadow->bits : Bits();
        case llvm::Instruction::Select:
            return selects(operand(0), operand(1), operand(2));
        case llvm::Instruction::Call: // of OpenCL C's select, which takes the value for false first
            if (simulator::called_by(m_instruction) != "select") return lanes();
            return selects(operand(2), operand(1), operand(0));
        case llvm::Instruction::PHI:
            return joins();
        case llvm::Instruction::InsertElement:
            return inserts();
        case llvm::Instruction::ExtractElement:
            return extracts();
        case llvm::Instruction::ShuffleVector:
            return shuffles();
        default:
            return lanes();
        }
    }

  private:
    const Shadows &m_shadows;
    const oclgrind::WorkItem &m_item;
    const llvm::Instruction &m_instruction;
    const unsigned m_size, m_lanes;
    bool m_bool;

    const Shadow *shadow(unsigned number) const {
        return m_shadows.of(&m_item, m_instruction.getOperand(number));
    }

    Operand operand(unsigned number) const {
        return {m_item.getOperand(m_instruction.getOperand(number)), shadow(number)};
    }

    Bits nothing() const {
        return Bits(size_t{m_size} * m_lanes, 0);
    }

    void put(Bits &to, size_t lane, uint64_t bits) const {
        if (m_bool) bits = bits ? 1 : 0;
        memcpy(&to[lane * m_size], &bits, std::min<size_t>(m_size, sizeof bits));
    }

    void put_all(Bits &to, size_t lane) const {
        std::fill_n(&to[lane * m_size], m_size, m_bool ? uint8_t(1) : uint8_t(0xFF));
    }

    static void copy(Bits &to, size_t to_lane, const Operand &from, size_t lane, size_t size) {
        if (from.shadow) memcpy(&to[to_lane * size], &from.shadow->bits[lane * size], size);
    }

    // What is not known better: a lane depends on the same lane of each operand, or, if they have other numbers of
    // lanes, on all of each.
    Bits lanes() const {
        Bits to = nothing();
        for (const llvm::Value *each : m_instruction.operand_values()) {
            const Shadow *its = m_shadows.of(&m_item, each);
            if (!its) continue;
            const size_t size = its->bits.size() / m_lanes;
            const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(each->getType());
            const bool apart = m_lanes > 1 && type && type->getNumElements() == m_lanes;
            for (unsigned i = 0; i < m_lanes; i++) {
                const auto first = its->bits.begin() + (apart ? static_cast<ptrdiff_t>(i * size) : 0);
                const auto last = apart ? first + static_cast<ptrdiff_t>(size) : its->bits.end();
                if (std::any_of(first, last, [](uint8_t bits) { return bits != 0; })) put_all(to, i);
            }
        }
        return to;
    }

    // A bit that is 0 in one operand of 'and', or 1 in one of 'or', does not depend on the other.
    Bits masks() const {
        const Operand a = operand(0), b = operand(1);
        const bool ands = m_instruction.getOpcode() == llvm::Instruction::And;
        Bits to = nothing();
        for (unsigned i = 0; i < m_lanes; i++) {
            const uint64_t open_a = ands ? a.number(i) : ~a.number(i), open_b = ands ? b.number(i) : ~b.number(i);
            put(to, i, (a.bits(i) & b.bits(i)) | (a.bits(i) & open_b) | (b.bits(i) & open_a));
        }
        return to;
    }

    uint64_t shifted(uint64_t bits, uint64_t by) const {
        const unsigned width = m_size * 8;
        const unsigned opcode = m_instruction.getOpcode();
        if (opcode == llvm::Instruction::Shl) return bits << by;
        const bool sign = opcode == llvm::Instruction::AShr && bits >> (width - 1) & 1;
        const uint64_t filled = sign && by > 0 ? ~uint64_t{0} << (width - by) : 0;
        return bits >> by | filled;
    }

    Bits shifts() const {
        const Operand a = operand(0), by = operand(1);
        Bits to = nothing();
        for (unsigned i = 0; i < m_lanes; i++)
            if (by.touched(i))
                put_all(to, i);
            else
                put(to, i, shifted(a.bits(i), by.number(i) % (uint64_t{m_size} * 8)));
        return to;
    }

    Bits resizes() const {
        const Operand a = operand(0);
        Bits to = nothing();
        for (unsigned i = 0; i < m_lanes; i++)
            put(to, i, m_bool ? a.bits(i) & 1 : a.bits(i));
        return to;
    }

    static bool is_true(const Operand &condition, unsigned lane, bool highest) {
        const uint64_t number = condition.number(lane);
        return highest ? number >> (condition.value.size * 8 - 1) & 1 : number != 0;
    }

    // Of vectors, OpenCL C looks at the highest bit: those that its comparisons make are all 1 or all 0.
    Bits selects(const Operand &condition, const Operand &a, const Operand &b) const {
        const bool highest = condition.value.num > 1 && llvm::isa<llvm::CallInst>(m_instruction);
        Bits to = nothing();
        for (unsigned i = 0; i < m_lanes; i++) {
            const unsigned lane = condition.value.num > 1 ? i : 0;
            if (condition.touched(lane))
                put_all(to, i);
            else
                copy(to, i, is_true(condition, lane, highest) ? a : b, i, m_size);
        }
        return to;
    }

    Bits joins() const {
        const auto &phi = llvm::cast<llvm::PHINode>(m_instruction);
        const int index = phi.getBasicBlockIndex(m_item.getPreviousBlock());
        const Shadow *its = index < 0 ? nullptr : m_shadows.of(&m_item, phi.getIncomingValue(unsigned(index)));
        return its ? its->bits : Bits();
    }

    Bits inserts() const {
        const Operand vector = operand(0), element = operand(1), index = operand(2);
        Bits to = vector.shadow ? vector.shadow->bits : nothing();
        if (index.touched(0)) return Bits(to.size(), 0xFF);
        const size_t lane = index.number(0);
        if (lane >= m_lanes) return to;
        std::fill_n(&to[lane * m_size], m_size, uint8_t(0));
        if (element.shadow) memcpy(&to[lane * m_size], element.shadow->bits.data(), m_size);
        return to;
    }

    Bits extracts() const {
        const Operand vector = operand(0), index = operand(1);
        Bits to = nothing();
        if (index.touched(0)) return Bits(to.size(), 0xFF);
        const size_t lane = index.number(0);
        if (lane < vector.value.num) copy(to, 0, vector, lane, m_size);
        return to;
    }

    // Lanes that the compiler leaves open, as in a vector of three that it widens to four, are nobody's reads.
    Bits shuffles() const {
        const auto &shuffle = llvm::cast<llvm::ShuffleVectorInst>(m_instruction);
        const Operand a = operand(0), b = operand(1);
        Bits to = nothing();
        for (unsigned i = 0; i < m_lanes; i++) {
            const int lane = shuffle.getMaskValue(i);
            if (lane < 0) continue;
            const auto from = static_cast<unsigned>(lane);
            if (from < a.value.num)
                copy(to, i, a, from, m_size);
            else
                copy(to, i, b, from - a.value.num, m_size);
        }
        return to;
    }
};

} // namespace

Shadow Shadows::computed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                         const oclgrind::TypedValue &result) const {
    Shadow shadow;
    bool touched = false;
    for (const llvm::Value *each : instruction.operand_values()) {
        const Shadow *its = of(&item, each);
        if (!its || touched) continue;
        shadow.origin = its->origin;
        touched = true;
    }
    if (touched && result.size > 0) shadow.bits = Computation(*this, item, instruction, result).run();
    return shadow;
}

} // namespace check
