#include "affine.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace check {

bool Rates::any() const {
    return unknown || of != std::array<int64_t, MostNumbers>{};
}

bool Rates::operator==(const Rates &other) const {
    return unknown == other.unknown && of == other.of;
}

static int64_t floor_of(int64_t number, int64_t by) {
    return number / by - (number % by != 0 && (number < 0) != (by < 0));
}

void Span::limit(int64_t rate, int64_t most) {
    if (rate > 0) high = std::min(high, floor_of(most, rate));
    if (rate < 0) low = std::max(low, -floor_of(most, -rate));
}

// ---- sums and products of rates ----

static Rates sum(const Rates &a, const Rates &b, int64_t factor) {
    Rates to = a;
    for (unsigned i = 0; i < MostNumbers; i++)
        to.of[i] = static_cast<int64_t>(uint64_t(to.of[i]) + uint64_t(factor) * uint64_t(b.of[i])); // may wrap
    to.unknown |= b.unknown;
    return to;
}

static Rates unknown(const Rates &from) {
    Rates to;
    to.unknown = from.unknown;
    for (unsigned i = 0; i < MostNumbers; i++)
        if (from.of[i]) to.unknown |= static_cast<uint8_t>(1U << i);
    return to;
}

// ---- a launch ----

Affine::Affine(const Scene &scene) : m_scene(scene) {}

static bool is_unsigned(const std::string &type) {
    return !type.empty() && (type[0] == 'u' || type == "size_t" || type == "bool");
}

void Affine::begin_launch(bool follows) {
    const oclgrind::Kernel &kernel = *m_scene.invocation().getKernel();
    m_numbers.clear();
    m_arguments.clear();
    m_items.clear();
    m_last = nullptr;
    for (auto each = kernel.values_begin(); follows && each != kernel.values_end(); ++each) {
        const auto *argument = llvm::dyn_cast<llvm::Argument>(each->first);
        if (!argument || !argument->getType()->isIntegerTy() || m_numbers.size() == MostNumbers) continue;
        const unsigned index = argument->getArgNo(), bits = argument->getType()->getIntegerBitWidth();
        const bool no_sign = is_unsigned(kernel.getArgumentTypeName(index).str());
        const int64_t most = bits > 32 ? INT32_MAX : (int64_t{1} << (no_sign ? bits : bits - 1)) - 1;
        Form form;
        form.rates.of[m_numbers.size()] = 1;
        m_arguments[argument] = form;
        m_numbers.push_back({index, plain_name(*argument),
                             no_sign ? static_cast<int64_t>(each->second.getUInt()) : each->second.getSInt(),
                             no_sign ? 0 : -most - 1, most});
    }
}

void Affine::end_item(const oclgrind::WorkItem &item) {
    m_items.erase(&item);
    m_last = nullptr;
}

const std::vector<Number> &Affine::numbers() const {
    return m_numbers;
}

// ---- the values of a work-item ----

Affine::Item &Affine::of(const oclgrind::WorkItem &item) {
    if (&item != m_last) {
        m_its = &m_items[&item];
        m_last = &item;
    }
    return *m_its;
}

const Form *Affine::form(const llvm::Value *value) const {
    const auto own = m_its->values.find(value);
    if (own != m_its->values.end()) return &own->second;
    if (!llvm::isa<llvm::Argument>(value)) return nullptr;
    const auto argument = m_arguments.find(value);
    return argument == m_arguments.end() ? nullptr : &argument->second;
}

void Affine::set(const llvm::Value *value, const Form *form) {
    if (form && form->rates.any())
        m_its->values[value] = *form;
    else if (!m_its->values.empty())
        m_its->values.erase(value);
}

Rates Affine::rates(const llvm::Value *value) const {
    const Form *its = form(value);
    return its ? its->rates : Rates();
}

// ---- one instruction ----

Form Affine::product(const oclgrind::WorkItem &item, const llvm::User &of) const {
    const Rates a = rates(of.getOperand(0)), b = rates(of.getOperand(1));
    Form to;
    if (a.any() && b.any())
        to.rates = sum(unknown(a), unknown(b), 1);
    else
        to.rates = sum(Rates(), a.any() ? a : b, item.getOperand(of.getOperand(a.any() ? 1 : 0)).getSInt());
    return to;
}

static Relation relation_of(llvm::CmpInst::Predicate predicate, bool holds) {
    switch (holds ? predicate : llvm::CmpInst::getInversePredicate(predicate)) {
    case llvm::CmpInst::ICMP_EQ:
        return Relation::Equal;
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
        return Relation::Less;
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
        return Relation::LessOrEqual;
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT:
        return Relation::Greater;
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::ICMP_UGE:
        return Relation::GreaterOrEqual;
    default:
        return Relation::None; // unequal: nearly all changes are good
    }
}

// A comparison of a comparison with 0 says the same again.
Form Affine::compared(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const {
    const auto &its = llvm::cast<llvm::CmpInst>(instruction);
    const llvm::Value *left = its.getOperand(0), *right = its.getOperand(1);
    const Form *known = form(left);
    if (known && known->relation != Relation::None && llvm::isa<llvm::Constant>(right)) return *known;
    Form to;
    to.rates = sum(rates(left), rates(right), -1);
    if (!left->getType()->isIntegerTy()) {
        to.rates = unknown(to.rates);
        return to;
    }
    const oclgrind::TypedValue a = item.getOperand(left), b = item.getOperand(right);
    to.difference = its.isUnsigned() ? static_cast<int64_t>(a.getUInt() - b.getUInt()) : a.getSInt() - b.getSInt();
    const auto predicate = its.getPredicate();
    const bool holds =
        its.isUnsigned()
            ? llvm::ICmpInst::compare(llvm::APInt(64, a.getUInt()), llvm::APInt(64, b.getUInt()), predicate)
            : llvm::ICmpInst::compare(llvm::APInt(64, uint64_t(a.getSInt())),
                                      llvm::APInt(64, uint64_t(b.getSInt())), predicate);
    to.relation = relation_of(predicate, holds);
    return to;
}

// In bytes.
Rates Affine::element(const llvm::User &place) const {
    const llvm::DataLayout &layout = m_scene.invocation().getKernel()->getFunction()->getParent()->getDataLayout();
    Rates to = rates(place.getOperand(0));
    for (auto each = llvm::gep_type_begin(&place); each != llvm::gep_type_end(&place); ++each) {
        if (each.isStruct()) continue; // fields have fixed places
        const Rates index = rates(each.getOperand());
        if (index.any()) to = sum(to, index, static_cast<int64_t>(layout.getTypeAllocSize(each.getIndexedType())));
    }
    return to;
}

Form Affine::computed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const {
    Form to;
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
        to.rates = sum(rates(instruction.getOperand(0)), rates(instruction.getOperand(1)),
                       instruction.getOpcode() == llvm::Instruction::Add ? 1 : -1);
        return to;
    case llvm::Instruction::Mul:
        return product(item, instruction);
    case llvm::Instruction::Shl:
        if (rates(instruction.getOperand(1)).any()) break;
        to.rates = sum(Rates(), rates(instruction.getOperand(0)),
                       int64_t{1} << (item.getOperand(instruction.getOperand(1)).getUInt() & 31));
        return to;
    case llvm::Instruction::Trunc:
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Freeze:
        return form(instruction.getOperand(0)) ? *form(instruction.getOperand(0)) : to;
    case llvm::Instruction::Xor: // not
        if (instruction.getType()->isIntegerTy(1) && form(instruction.getOperand(0)))
            return *form(instruction.getOperand(0));
        break;
    case llvm::Instruction::GetElementPtr:
        to.rates = element(instruction);
        return to;
    case llvm::Instruction::ICmp:
        return compared(item, instruction);
    case llvm::Instruction::Select:
        to.rates = rates(instruction.getOperand(item.getOperand(instruction.getOperand(0)).getUInt() ? 1 : 2));
        return to;
    case llvm::Instruction::PHI: {
        const auto &phi = llvm::cast<llvm::PHINode>(instruction);
        const int index = phi.getBasicBlockIndex(item.getPreviousBlock());
        const Form *its = index < 0 ? nullptr : form(phi.getIncomingValue(unsigned(index)));
        return its ? *its : to;
    }
    default:
        break;
    }
    for (const llvm::Value *each : instruction.operand_values())
        to.rates = sum(to.rates, unknown(rates(each)), 1);
    return to;
}

// ---- ways ----

// A branch that was taken otherwise before ends a loop: how often it turned says nothing of what follows.
void Affine::branch(const oclgrind::WorkItem &item, const llvm::Instruction &branch) {
    const auto &its = llvm::cast<llvm::BranchInst>(branch);
    const Form *known = its.isConditional() ? form(its.getCondition()) : nullptr;
    if (!known) return;
    Way way;
    way.first = item.getOperand(its.getCondition()).getUInt() != 0;
    const auto before = m_its->ways.find(&branch);
    const bool ends = before != m_its->ways.end() && before->second.first != way.first;
    const int64_t d = known->difference;
    for (size_t i = 0; i < m_numbers.size() && !ends; i++) {
        const int64_t rate = known->rates.of[i];
        Span &span = way.spans[i];
        if (known->relation == Relation::Less) span.limit(rate, -d - 1);
        if (known->relation == Relation::LessOrEqual || known->relation == Relation::Equal) span.limit(rate, -d);
        if (known->relation == Relation::Greater) span.limit(-rate, d - 1);
        if (known->relation == Relation::GreaterOrEqual || known->relation == Relation::Equal) span.limit(-rate, d);
    }
    m_its->ways[&branch] = way;
}

// The forms of arguments go into a function that the program defines.
void Affine::call(const llvm::Instruction &call) {
    const auto &its = llvm::cast<llvm::CallInst>(call);
    for (const llvm::Argument &each : its.getCalledFunction()->args())
        set(&each, form(its.getArgOperand(each.getArgNo())));
}

// And that of its result comes back.
void Affine::back(const oclgrind::WorkItem &item, const llvm::Instruction &end) {
    const llvm::Value *value = llvm::cast<llvm::ReturnInst>(end).getReturnValue();
    if (value) set(item.getCurrentInstruction(), form(value));
}

void Affine::executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                      const oclgrind::TypedValue &result) {
    if (m_numbers.empty()) return;
    Item &its = of(item);
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Load: {
        const auto &load = llvm::cast<llvm::LoadInst>(instruction);
        const bool own = load.getPointerAddressSpace() == oclgrind::AddrSpacePrivate && !its.memory.empty();
        const auto found =
            own ? its.memory.find(item.getOperand(load.getPointerOperand()).getPointer()) : its.memory.end();
        set(&load, found == its.memory.end() ? nullptr : &found->second);
        return;
    }
    case llvm::Instruction::Store: {
        const auto &store = llvm::cast<llvm::StoreInst>(instruction);
        if (store.getPointerAddressSpace() != oclgrind::AddrSpacePrivate) return;
        const Form *stored = form(store.getValueOperand());
        if (stored)
            its.memory[item.getOperand(store.getPointerOperand()).getPointer()] = *stored;
        else if (!its.memory.empty())
            its.memory.erase(item.getOperand(store.getPointerOperand()).getPointer());
        return;
    }
    case llvm::Instruction::Br:
        return branch(item, instruction);
    case llvm::Instruction::Ret:
        return back(item, instruction);
    case llvm::Instruction::Call: {
        const llvm::Function *function = llvm::cast<llvm::CallInst>(instruction).getCalledFunction();
        if (function && !function->isDeclaration()) return call(instruction);
        break;
    }
    default:
        break;
    }
    if (result.size == 0 || its.values.empty()) {
        // Only variables and arguments bring forms: arguments are seen by instructions that use them.
        bool given = false;
        for (const llvm::Value *each : instruction.operand_values())
            given = given || (llvm::isa<llvm::Argument>(each) && m_arguments.count(each));
        if (!given || result.size == 0) return;
    }
    const Form to = computed(item, instruction);
    set(&instruction, &to);
}

// ---- what accesses ask ----

// vload(n, p) and vstore(v, n, p) count in vectors.
Rates Affine::address(const oclgrind::WorkItem &item, const llvm::Instruction &access, bool writes) {
    (void)of(item);
    if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access)) return rates(pointer);
    Rates to;
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&access);
    if (!call) return to;
    const std::string name = called_by(access);
    const bool loads = name.compare(0, 5, "vload") == 0, stores = name.compare(0, 6, "vstore") == 0;
    if ((loads || stores) && call->arg_size() >= (stores ? 3U : 2U)) {
        const llvm::Value *index = call->getArgOperand(stores ? 1 : 0);
        const llvm::Value *pointer = call->getArgOperand(stores ? 2 : 1);
        const llvm::Type *vector = loads ? access.getType() : call->getArgOperand(0)->getType();
        const auto *lanes = llvm::dyn_cast<llvm::FixedVectorType>(vector);
        const int64_t size = static_cast<int64_t>(vector->getScalarSizeInBits() / 8) *
                             (lanes ? static_cast<int64_t>(lanes->getNumElements()) : 1);
        return sum(rates(pointer), rates(index), size);
    }
    for (const llvm::Value *each : call->args())
        if (each->getType()->isPointerTy()) {
            to = rates(each);
            if (writes) break; // of a block copy, the target comes first
        }
    return to;
}

Spans Affine::spans(const oclgrind::WorkItem &item) {
    Spans to;
    for (const auto &way : of(item).ways)
        for (size_t i = 0; i < MostNumbers; i++) {
            to[i].low = std::max(to[i].low, way.second.spans[i].low);
            to[i].high = std::min(to[i].high, way.second.spans[i].high);
        }
    return to;
}

} // namespace check
