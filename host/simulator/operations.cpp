// How many operations an instruction, or a call of one of OpenCL C's functions, stands for.
#include "code.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Casting.h"

#include <cctype>

namespace simulator {

static uint32_t width_of(const llvm::Type *type) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
}

// Adds floating-point operations, under the size of their type.
static void add_float(Operations &sum, const llvm::Type *type, uint32_t operations) {
    const llvm::Type *element = type->getScalarType();
    if (element->isHalfTy())
        sum.half += operations;
    else if (element->isDoubleTy())
        sum.twofold += operations;
    else if (element->isFloatTy())
        sum.single += operations;
    else
        sum.integer += operations;
}

// "_Z3maddd" and "llvm.fmuladd.v4f32" are mad and fmuladd.
std::string called_by(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *function = call ? call->getCalledFunction() : nullptr;
    if (!function) return "";
    std::string name = function->getName().str();
    if (name.compare(0, 5, "llvm.") == 0) return name.substr(5, name.find('.', 5) - 5);
    if (name.compare(0, 2, "_Z") != 0) return name;
    size_t digits = 2, length = 0;
    while (digits < name.size() && isdigit(static_cast<unsigned char>(name[digits])))
        length = length * 10 + static_cast<size_t>(name[digits++] - '0');
    return name.substr(digits, length);
}

namespace {
// A function's operations: for each element, for the whole, and how many functions of the special unit it uses for
// each element or for the whole.
struct Cost {
    uint32_t each, whole, special_each, special_whole;
};
} // namespace

static const std::unordered_map<std::string, Cost> costs = {
    // each element: one operation, or several
    {"fma", {2, 0, 0, 0}},
    {"mad", {2, 0, 0, 0}},
    {"fmuladd", {2, 0, 0, 0}},
    {"mad24", {2, 0, 0, 0}},
    {"mad_hi", {2, 0, 0, 0}},
    {"mad_sat", {2, 0, 0, 0}},
    {"mix", {3, 0, 0, 0}},
    {"clamp", {2, 0, 0, 0}},
    {"smoothstep", {7, 0, 1, 0}},
    {"step", {1, 0, 0, 0}},
    {"degrees", {1, 0, 0, 0}},
    {"radians", {1, 0, 0, 0}},
    {"sign", {1, 0, 0, 0}},
    {"min", {1, 0, 0, 0}},
    {"max", {1, 0, 0, 0}},
    {"fmin", {1, 0, 0, 0}},
    {"fmax", {1, 0, 0, 0}},
    {"smin", {1, 0, 0, 0}},
    {"smax", {1, 0, 0, 0}},
    {"umin", {1, 0, 0, 0}},
    {"umax", {1, 0, 0, 0}},
    {"mul24", {1, 0, 0, 0}},
    {"mul_hi", {1, 0, 0, 0}},
    {"abs", {1, 0, 0, 0}},
    {"abs_diff", {1, 0, 0, 0}},
    {"add_sat", {1, 0, 0, 0}},
    {"sub_sat", {1, 0, 0, 0}},
    {"hadd", {1, 0, 0, 0}},
    {"rhadd", {1, 0, 0, 0}},
    {"rotate", {1, 0, 0, 0}},
    {"clz", {1, 0, 0, 0}},
    {"popcount", {1, 0, 0, 0}},
    {"fdim", {1, 0, 0, 0}},
    {"floor", {1, 0, 0, 0}},
    {"ceil", {1, 0, 0, 0}},
    {"trunc", {1, 0, 0, 0}},
    {"rint", {1, 0, 0, 0}},
    {"round", {1, 0, 0, 0}},
    {"fract", {2, 0, 0, 0}},
    // geometry: products and sums over the elements
    {"dot", {2, static_cast<uint32_t>(-1), 0, 0}},
    {"length", {2, 0, 0, 1}},
    {"fast_length", {2, 0, 0, 1}},
    {"distance", {3, 0, 0, 1}},
    {"fast_distance", {3, 0, 0, 1}},
    {"normalize", {3, 0, 0, 1}},
    {"fast_normalize", {3, 0, 0, 1}},
    {"cross", {3, 0, 0, 0}},
};

// Each of these is one operation of its own unit for each element, whatever it takes there.
static bool is_special(const std::string &name) {
    static const char *const names[] = {
        "sqrt",   "rsqrt",    "cbrt",   "rootn",   "exp",       "exp2",   "exp10",  "expm1", "log",  "log2",
        "log10",  "log1p",    "logb",   "pow",     "pown",      "powr",   "sin",    "cos",   "tan",  "sincos",
        "sinpi",  "cospi",    "tanpi",  "sinh",    "cosh",      "tanh",   "asin",   "acos",  "atan", "atan2",
        "asinpi", "acospi",   "atanpi", "atan2pi", "asinh",     "acosh",  "atanh",  "erf",   "erfc", "tgamma",
        "lgamma", "lgamma_r", "hypot",  "fmod",    "remainder", "remquo", "divide", "recip"};
    std::string plain = name;
    for (const char *prefix : {"native_", "half_"})
        if (plain.compare(0, std::string(prefix).size(), prefix) == 0)
            plain = plain.substr(std::string(prefix).size());
    for (const char *each : names)
        if (plain == each) return true;
    return false;
}

static void add_call(Operations &sum, const llvm::CallInst &call) {
    const std::string name = called_by(call);
    const auto found = costs.find(name);
    if (call.arg_empty()) return;
    const llvm::Type *type = call.getArgOperand(0)->getType();
    const uint32_t width = width_of(type);
    if (found != costs.end()) {
        const Cost &cost = found->second;
        add_float(sum, type, cost.each * width + cost.whole);
        sum.special += cost.special_each * width + cost.special_whole;
    } else if (is_special(name)) {
        add_float(sum, type, width);
        sum.special += width;
    }
}

Operations operations_of(const llvm::Instruction &instruction) {
    Operations sum;
    const uint32_t width = width_of(instruction.getType());
    switch (instruction.getOpcode()) {
    case llvm::Instruction::FDiv:
    case llvm::Instruction::FRem:
        sum.special += width;
        add_float(sum, instruction.getType(), width);
        break;
    case llvm::Instruction::FAdd:
    case llvm::Instruction::FSub:
    case llvm::Instruction::FMul:
    case llvm::Instruction::FNeg:
        add_float(sum, instruction.getType(), width);
        break;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::Shl:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
        sum.integer += width;
        break;
    case llvm::Instruction::Call:
        add_call(sum, llvm::cast<llvm::CallInst>(instruction));
        break;
    default:
        break;
    }
    return sum;
}

} // namespace simulator
