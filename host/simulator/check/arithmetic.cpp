#include "arithmetic.h"

#include "slice.h"

#include "../oclgrind.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <cmath>
#include <cstdio>

namespace check {

bool is_arithmetic(const llvm::Instruction &instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
        return true;
    default:
        return false;
    }
}

static Finding finding_at(const llvm::Instruction &instruction, const oclgrind::WorkItem &item, Scene &scene) {
    Finding finding;
    finding.first.code = scene.code_of(&instruction);
    finding.first.access = "compute";
    finding.first.item = scene.number_of(*item.getWorkGroup(), &item);
    return finding;
}

// ---- divisions ----

static bool is_signed(unsigned opcode) {
    return opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::SRem ||
           opcode == llvm::Instruction::AShr;
}

static std::string number_in(const oclgrind::TypedValue &value, unsigned lane, bool with_sign) {
    return with_sign ? std::to_string(value.getSInt(lane)) : std::to_string(value.getUInt(lane));
}

// Which rule a lane of a division breaks; null for none.
static const char *broken_by(const oclgrind::TypedValue &a, const oclgrind::TypedValue &b, unsigned lane,
                             bool with_sign) {
    if (b.getUInt(lane) == 0) return "division";
    const int64_t smallest = INT64_MIN >> (64 - 8 * a.size);
    return with_sign && b.getSInt(lane) == -1 && a.getSInt(lane) == smallest ? "overflow" : nullptr;
}

static Doubt division(const oclgrind::WorkItem &item, const llvm::Instruction &instruction, unsigned lanes,
                      Scene &scene) {
    const oclgrind::TypedValue a = item.getOperand(instruction.getOperand(0));
    const oclgrind::TypedValue b = item.getOperand(instruction.getOperand(1));
    const unsigned opcode = instruction.getOpcode();
    const bool with_sign = is_signed(opcode);
    const bool divides = opcode == llvm::Instruction::SDiv || opcode == llvm::Instruction::UDiv;
    Doubt doubt;
    for (unsigned i = 0; i < lanes; i++) {
        const char *broken = broken_by(a, b, i, with_sign);
        if (!broken) continue;
        if (doubt.lanes.empty()) {
            doubt.lanes.resize(lanes);
            doubt.finding = finding_at(instruction, item, scene);
            doubt.finding.manner = broken;
            doubt.finding.operands =
                number_in(a, i, with_sign) + (divides ? " / " : " % ") + number_in(b, i, with_sign);
        }
        doubt.lanes[i] = true;
    }
    return doubt;
}

// ---- conversions ----

// Whether a whole number lies in the range of an integer type of so many bits.
static bool holds(unsigned bits, bool with_sign, double number) {
    const double whole = std::trunc(number), size = std::ldexp(1.0, static_cast<int>(with_sign ? bits - 1 : bits));
    return whole >= (with_sign ? -size : 0.0) && whole < size; // false for NaN, too
}

static std::string text_of(double number) {
    char text[40];
    (void)snprintf(text, sizeof text, "%.9g", number);
    return text;
}

static Doubt conversion(const oclgrind::WorkItem &item, const llvm::Instruction &instruction, unsigned lanes,
                        Scene &scene) {
    const oclgrind::TypedValue from = item.getOperand(instruction.getOperand(0));
    const bool with_sign = instruction.getOpcode() == llvm::Instruction::FPToSI;
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    Doubt doubt;
    for (unsigned i = 0; i < lanes; i++) {
        if (holds(bits, with_sign, from.getFloat(i))) continue;
        if (doubt.lanes.empty()) {
            doubt.lanes.resize(lanes);
            doubt.finding = finding_at(instruction, item, scene);
            doubt.finding.manner = "conversion";
            doubt.finding.operands = text_of(from.getFloat(i)) + " to " + (with_sign ? "a signed" : "an unsigned") +
                                     " integer of " + std::to_string(bits) + " bits";
        }
        doubt.lanes[i] = true;
    }
    return doubt;
}

Doubt undefined_in(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                   const oclgrind::TypedValue &result, Scene &scene) {
    Doubt doubt;
    switch (instruction.getOpcode()) {
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
        doubt = division(item, instruction, result.num, scene);
        break;
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
        doubt = conversion(item, instruction, result.num, scene);
        break;
    default:
        break;
    }
    doubt.finding.kind = Kind::Arithmetic;
    return doubt;
}

// ---- shifts ----

// The count as the program has it: OpenCL C takes the rest by the width, for which the compiler adds an 'and'.
static const llvm::Value *count_of(const llvm::Instruction &shift) {
    const auto *mask = llvm::dyn_cast<llvm::BinaryOperator>(shift.getOperand(1));
    const bool added = mask && mask->getOpcode() == llvm::Instruction::And &&
                       mask->getName().find(".mask") != llvm::StringRef::npos;
    return added ? mask->getOperand(0) : shift.getOperand(1);
}

static void note_shift(const oclgrind::WorkItem &item, const llvm::Instruction &shift, unsigned lanes, Scene &scene,
                       Findings &findings) {
    const oclgrind::TypedValue count = item.getOperand(count_of(shift));
    const unsigned bits = shift.getType()->getScalarSizeInBits();
    for (unsigned i = 0; i < lanes; i++) {
        if (count.getUInt(i) < bits) continue;
        Finding finding = finding_at(shift, item, scene);
        const bool left = shift.getOpcode() == llvm::Instruction::Shl;
        const oclgrind::TypedValue of = item.getOperand(shift.getOperand(0));
        finding.kind = Kind::Shift;
        finding.manner = "shift";
        finding.operands = number_in(of, i, is_signed(shift.getOpcode())) + (left ? " << " : " >> ") +
                           std::to_string(count.getSInt(i)) + ", in " + std::to_string(bits) + " bits";
        findings.add(finding);
        return;
    }
}

// ---- sums ----

// From a power of two on, which it holds exactly, a floating-point number does not hold each integer.
static double limit_of(unsigned bytes) {
    return bytes == 8 ? 9007199254740992.0 : bytes == 4 ? 16777216.0 : 2048.0;
}

static void note_sum(const oclgrind::WorkItem &item, const llvm::Instruction &conversion, unsigned lanes,
                     Scene &scene, Findings &findings) {
    const oclgrind::TypedValue from = item.getOperand(conversion.getOperand(0));
    const bool with_sign = conversion.getOpcode() == llvm::Instruction::FPToSI;
    const unsigned bits = conversion.getType()->getScalarSizeInBits();
    const double limit = limit_of(from.size);
    for (unsigned i = 0; i < lanes; i++) {
        const double number = from.getFloat(i);
        if (std::fabs(number) < limit || !holds(bits, with_sign, number) || !may_be_sum(*conversion.getOperand(0)))
            continue;
        Finding finding = finding_at(conversion, item, scene);
        finding.kind = Kind::Inexact;
        finding.first.access = "convert";
        finding.index = static_cast<int64_t>(limit);
        finding.limit = static_cast<int64_t>(from.size);
        findings.add(finding);
        return;
    }
}

void note_arithmetic(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                     const oclgrind::TypedValue &result, Scene &scene, Findings &findings) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
        note_shift(item, instruction, result.num, scene, findings);
        break;
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI:
        note_sum(item, instruction, result.num, scene, findings);
        break;
    default:
        break;
    }
}

} // namespace check
