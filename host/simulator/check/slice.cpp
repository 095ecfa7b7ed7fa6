#include "slice.h"

#include "../code.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace check {

namespace {

enum { MostSteps = 20000 }; // products of products take many

// Follows values back to where they come from, through variables and calls, but not through branches.
class Walk {
  public:
    Slice slice;
    bool varies = false; // between work-items, or between turns of a loop
    bool sums = false;   // floats

    explicit Walk(unsigned *steps) : m_steps(steps) {}

    void follow(const llvm::Value *value) {
        if (*m_steps == 0 || !m_seen.insert(value).second) return;
        (*m_steps)--;
        if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value)) return follow_argument(*argument);
        if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) return follow_load(*load);
        if (const auto *call = llvm::dyn_cast<llvm::CallInst>(value)) return follow_call(*call);
        if (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GlobalVariable>(value)) return;
        const auto *it = llvm::dyn_cast<llvm::Operator>(value);
        if (!it) return;
        const unsigned opcode = it->getOpcode();
        sums = sums || opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub;
        if (multiplies(it->getOpcode())) return follow_product(*it);
        const unsigned first = it->getOpcode() == llvm::Instruction::Select ? 1 : 0; // not the condition
        for (unsigned i = first; i < it->getNumOperands(); i++)
            follow(it->getOperand(i));
    }

    void follow_all(const llvm::CallInst &call) {
        for (const llvm::Value *each : call.args())
            follow(each);
    }

    // Not the values that are stored there.
    void follow_place(const llvm::CallInst &call) {
        const std::string name = simulator::called_by(call);
        const unsigned last = name.compare(0, 11, "write_image") == 0 ? 1 : 0; // the last argument
        const bool first = name.compare(0, 6, "vstore") == 0, atomic = name.compare(0, 4, "atom") == 0;
        const unsigned count = atomic ? 1 : call.arg_size() - last;
        for (unsigned i = first ? 1 : 0; i < count; i++)
            follow(call.getArgOperand(i));
    }

  private:
    std::set<const llvm::Value *> m_seen;
    std::set<const llvm::User *> m_products; // that are followed, the innermost by this walk
    unsigned *m_steps;

    static bool multiplies(unsigned opcode) {
        switch (opcode) {
        case llvm::Instruction::Mul:
        case llvm::Instruction::Shl:
        case llvm::Instruction::UDiv:
        case llvm::Instruction::SDiv:
        case llvm::Instruction::URem:
        case llvm::Instruction::SRem:
        case llvm::Instruction::And:
            return true;
        default:
            return false;
        }
    }

    Walk factor(const llvm::User &product, unsigned operand) const {
        Walk walk(m_steps);
        walk.m_products = m_products;
        walk.m_products.insert(&product);
        walk.follow(product.getOperand(operand));
        return walk;
    }

    void add(const Walk &of, const Walk &other) {
        slice.data = slice.data || of.slice.data;
        varies = varies || of.varies;
        sums = sums || of.sums;
        slice.values.insert(of.slice.values.begin(), of.slice.values.end());
        slice.factors.insert(of.slice.factors.begin(), of.slice.factors.end());
        if (other.varies) slice.factors.insert(of.slice.values.begin(), of.slice.values.end());
    }

    // A variable may be a product of itself.
    void follow_product(const llvm::User &it) {
        if (m_products.count(&it)) return;
        const Walk left = factor(it, 0), right = factor(it, 1);
        add(left, right);
        add(right, left);
    }

    // Numbers of the kernel, or what the calls of another function give it.
    void follow_argument(const llvm::Argument &argument) {
        const llvm::Function &function = *argument.getParent();
        if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) {
            if (!argument.getType()->isPointerTy()) slice.values.insert(simulator::plain_name(argument));
            return;
        }
        for (const llvm::User *each : function.users())
            if (const auto *call = llvm::dyn_cast<llvm::CallInst>(each))
                if (call->getCalledFunction() == &function) follow(call->getArgOperand(argument.getArgNo()));
    }

    // Without optimisation, numbers lie in variables: all that is stored there.
    void follow_stores(const llvm::Value &place, unsigned &count) {
        for (const llvm::User *each : place.users()) {
            if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(each)) {
                if (store->getPointerOperand() != &place) continue;
                count++;
                follow(store->getValueOperand());
            } else if (llvm::isa<llvm::GEPOperator>(each) || llvm::isa<llvm::BitCastOperator>(each)) {
                follow_stores(*each, count);
            }
        }
    }

    void follow_load(const llvm::LoadInst &load) {
        const llvm::Value *place = load.getPointerOperand();
        while (llvm::isa<llvm::GEPOperator>(place) || llvm::isa<llvm::BitCastOperator>(place))
            place = llvm::cast<llvm::User>(place)->getOperand(0);
        unsigned stores = 0;
        if (llvm::isa<llvm::AllocaInst>(place)) {
            follow_stores(*place, stores);
            if (stores > 1) varies = true;
            return;
        }
        const auto *global = llvm::dyn_cast<llvm::GlobalVariable>(place);
        if (global && !global->isConstant()) follow_stores(*place, stores);
        if (!global) slice.data = true;
    }

    void follow_call(const llvm::CallInst &call) {
        const std::string name = simulator::called_by(call);
        const llvm::Function *function = call.getCalledFunction();
        if (name == "get_global_id" || name == "get_local_id" || name == "get_group_id") varies = true;
        if (name.compare(0, 5, "vload") == 0 || name.compare(0, 10, "read_image") == 0) slice.data = true;
        if (name == "fmuladd" || name == "fma" || name == "mad") sums = true;
        if (name.compare(0, 4, "atom") == 0 || !function) return;
        if (function->isDeclaration()) {
            if ((name == "mul24" || name == "mad24") && call.arg_size() >= 2) follow_product(call);
            return follow_all(call);
        }
        for (const llvm::BasicBlock &block : *function)
            if (const auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
                if (end->getReturnValue()) follow(end->getReturnValue());
    }
};

} // namespace

bool may_be_sum(const llvm::Value &number) {
    unsigned steps = MostSteps;
    Walk walk(&steps);
    walk.follow(&number);
    return walk.sums;
}

Slice slice_of(const llvm::Instruction &instruction) {
    unsigned steps = MostSteps;
    Walk walk(&steps);
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) walk.follow(load->getPointerOperand());
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) walk.follow(store->getPointerOperand());
    if (const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) walk.follow_place(*call);
    if (llvm::isa<llvm::BinaryOperator>(instruction)) walk.follow(instruction.getOperand(1));
    if (llvm::isa<llvm::CastInst>(instruction)) walk.follow(instruction.getOperand(0));
    return walk.slice;
}

} // namespace check
