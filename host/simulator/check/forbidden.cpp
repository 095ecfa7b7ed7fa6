#include "forbidden.h"

#include "../oclgrind.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <cstring>

namespace check {

static void forbid(Kind kind, const llvm::Instruction &at, const std::string &operands, Scene &scene,
                   Findings &findings) {
    Finding finding;
    finding.kind = kind;
    finding.first = {scene.code_of(&at), "call", Deed::nobody};
    finding.operands = operands;
    findings.forbid(finding);
}

// ---- recursion ----

using Functions = std::vector<const llvm::Function *>;

// "odd, even": odd calls even, which calls odd.
static std::string circle_of(const Functions &path, Functions::const_iterator from) {
    std::string names = (*from)->getName().str();
    while (++from != path.end())
        names += ", " + (*from)->getName().str();
    return names;
}

// ---- printf ----

// What a conversion takes, or an argument is: so many elements of a kind.
struct Shape {
    enum { Integer, Floating, String, Pointer, Other } kind = Other;
    unsigned elements = 0; // 0: no vector
    unsigned bits = 0;     // of an element; 0: of any size
};

static std::string text_of(const Shape &shape) {
    static const char *const one[] = {"an integer", "a floating-point number", "a string", "a pointer",
                                      "another type"};
    static const char *const several[] = {" integers", " floating-point numbers"};
    if (!shape.elements) return one[shape.kind];
    return "a vector of " + std::to_string(shape.elements) +
           (shape.kind <= Shape::Floating ? several[shape.kind] : "");
}

static Shape shape_of(const llvm::Type &type) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    const llvm::Type &element = *type.getScalarType();
    Shape shape;
    if (vector) shape.elements = vector->getNumElements();
    if (element.isIntegerTy()) shape.kind = Shape::Integer;
    if (element.isFloatingPointTy()) shape.kind = Shape::Floating;
    shape.bits = element.getScalarSizeInBits();
    if (!element.isPointerTy()) return shape;
    const bool constant = element.getPointerAddressSpace() == static_cast<unsigned>(Space::Constant);
    shape.kind = constant ? Shape::String : Shape::Pointer;
    return shape;
}

// Whether the kinds and the numbers of elements fit. A vector of 3 may be passed as one of 4.
static bool fits(const Shape &wanted, const Shape &given) {
    if (wanted.kind == Shape::Pointer && given.kind == Shape::String) return !given.elements;
    const bool three = wanted.elements == 3 && given.elements == 4;
    return wanted.kind == given.kind && (three || wanted.elements == given.elements);
}

// The bits of an element by a conversion's length modifier. A short is passed as an int, a float may be passed as a
// double, and a vector's modifier is often left out, which OpenCL C does not allow but drivers do.
static unsigned bits_of(const Shape &wanted, const std::string &modifier) {
    const bool is_integer = wanted.kind == Shape::Integer, is_number = is_integer || wanted.kind == Shape::Floating;
    if (!is_number || (wanted.elements ? modifier.empty() : !is_integer)) return 0;
    if (modifier == "l") return 64;
    if (wanted.elements && modifier != "hl") return modifier == "hh" ? 8 : 16;
    return 32;
}

// The conversion behind a %, up to its letter: "v4f"; what it takes. Other: it is none of OpenCL C's, or takes
// nothing.
static Shape conversion_at(const std::string &format, size_t &at) {
    Shape shape;
    at = format.find_first_not_of("-+ #0123456789.", at);
    if (at != std::string::npos && format[at] == 'v') {
        size_t digits = 0;
        shape.elements = static_cast<unsigned>(std::stoul("0" + format.substr(at + 1), &digits));
        at += digits;
    }
    const size_t modifier = std::min(at, format.size());
    at = format.find_first_not_of("hl", modifier);
    if (at == std::string::npos) return shape;
    if (strchr("diouxXc", format[at])) shape.kind = Shape::Integer;
    if (strchr("fFeEgGaA", format[at])) shape.kind = Shape::Floating;
    if (format[at] == 's') shape.kind = Shape::String;
    if (format[at] == 'p') shape.kind = Shape::Pointer;
    shape.bits = bits_of(shape, format.substr(modifier, at - modifier));
    return shape;
}

// The text of a call's format; "" if the program computes it.
static std::string format_of(const llvm::CallInst &call) {
    const auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
    const auto *data = variable && variable->hasInitializer()
                           ? llvm::dyn_cast<llvm::ConstantDataArray>(variable->getInitializer())
                           : nullptr;
    return data && data->isCString() ? data->getAsCString().str() : "";
}

// What is wrong with a call of printf; "" for nothing.
static std::string misfit_of(const llvm::CallInst &call) {
    const std::string format = format_of(call);
    unsigned argument = 1;
    for (size_t at = 0; (at = format.find('%', at)) != std::string::npos;) {
        const size_t first = at++;
        const Shape wanted = conversion_at(format, at);
        if (at == std::string::npos) break;
        const std::string conversion = format.substr(first, ++at - first);
        if (wanted.kind == Shape::Other) continue;
        if (argument == call.arg_size()) return conversion + " takes " + text_of(wanted) + ", but gets no argument";
        const Shape given = shape_of(*call.getArgOperand(argument++)->getType());
        if (!fits(wanted, given)) return conversion + " takes " + text_of(wanted) + ", but gets " + text_of(given);
        if (wanted.bits && given.bits && wanted.bits != given.bits)
            return conversion + " takes " + text_of(wanted) + " of " + std::to_string(wanted.bits) +
                   " bits, but gets one of " + std::to_string(given.bits);
    }
    return "";
}

// ---- a kernel's code ----

namespace {
class Search {
  public:
    Search(Scene &scene, Findings &findings) : m_scene(scene), m_findings(findings) {}

    void visit(const llvm::Function &function) {
        if (!m_seen.insert(&function).second) return;
        m_path.push_back(&function);
        for (const llvm::Instruction &each : llvm::instructions(function))
            if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&each)) follow(*call);
        m_path.pop_back();
    }

  private:
    Scene &m_scene;
    Findings &m_findings;
    Functions m_path; // the calls that lead here
    std::set<const llvm::Function *> m_seen;

    void follow(const llvm::CallInst &call) {
        const std::string misfit = called_by(call) == "printf" ? misfit_of(call) : "";
        if (!misfit.empty()) forbid(Kind::Printf, call, misfit, m_scene, m_findings);
        if (!m_scene.code_of(&call)->calls) return;
        const auto again = std::find(m_path.cbegin(), m_path.cend(), call.getCalledFunction());
        if (again != m_path.cend())
            forbid(Kind::Recursion, call, circle_of(m_path, again), m_scene, m_findings);
        else
            visit(*call.getCalledFunction());
    }
};
} // namespace

void find_forbidden(Scene &scene, Findings &findings) {
    Search(scene, findings).visit(*scene.invocation().getKernel()->getFunction());
}

} // namespace check
