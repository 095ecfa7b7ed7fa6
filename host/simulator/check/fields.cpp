#include "fields.h"

#include "../oclgrind.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"

namespace check {

bool Fields::Field::holds(uint64_t address, uint64_t size) const {
    return address >= first && address + size <= first + bytes;
}

Fields::Fields(Scene &scene, const Places &places, Findings &findings)
    : m_scene(scene), m_places(places), m_findings(findings) {}

const llvm::Module &Fields::module() const {
    return *m_scene.invocation().getKernel()->getFunction()->getParent();
}

// ---- a launch ----

// Whether a place is, or lies in, an array that is a field.
static bool enters_array_field(const llvm::Value *value) {
    const auto *place = llvm::dyn_cast<llvm::GEPOperator>(value);
    if (!place) return false;
    for (auto each = llvm::gep_type_begin(place); each != llvm::gep_type_end(place); ++each)
        if (each.isStruct() && each.getIndexedType()->isArrayTy()) return true;
    return enters_array_field(place->getPointerOperand());
}

static bool has_array_fields(const llvm::Function &function) {
    for (const llvm::BasicBlock &block : function)
        for (const llvm::Instruction &each : block) {
            if (enters_array_field(&each)) return true;
            for (const llvm::Value *operand : each.operand_values())
                if (llvm::isa<llvm::ConstantExpr>(operand) && enters_array_field(operand)) return true;
        }
    return false;
}

void Fields::begin_launch() {
    m_items.clear();
    m_last = nullptr;
    m_follows = false;
    for (const llvm::Function &each : module())
        m_follows = m_follows || has_array_fields(each);
}

void Fields::end_item(const oclgrind::WorkItem &item) {
    m_items.erase(&item);
    m_last = nullptr;
}

// ---- the pointers of a work-item ----

void Fields::look_at(const oclgrind::WorkItem &item) {
    if (&item == m_last) return;
    m_its = &m_items[&item];
    m_last = &item;
}

Fields::Field Fields::field_of(const oclgrind::WorkItem &item, const llvm::Value *value) const {
    const auto own = m_its->values.find(value);
    if (own != m_its->values.end()) return own->second;
    const auto *place = llvm::isa<llvm::ConstantExpr>(value) ? llvm::dyn_cast<llvm::GEPOperator>(value) : nullptr;
    return place ? in_place(item, *place) : Field();
}

void Fields::set(const llvm::Value *value, const Field &field) {
    if (field.type)
        m_its->values[value] = field;
    else
        m_its->values.erase(value);
}

// The innermost field that is an array. Oclgrind tells of an index outside the array.
Fields::Field Fields::in_place(const oclgrind::WorkItem &item, const llvm::GEPOperator &place) const {
    const llvm::DataLayout &layout = module().getDataLayout();
    Field to = field_of(item, place.getPointerOperand());
    uint64_t at = item.getOperand(place.getPointerOperand()).getPointer();
    for (auto each = llvm::gep_type_begin(place); each != llvm::gep_type_end(place); ++each) {
        const int64_t index = item.getOperand(each.getOperand()).getSInt();
        const uint64_t size = layout.getTypeAllocSize(each.getIndexedType());
        llvm::StructType *type = each.getStructTypeOrNull();
        if (type) {
            const llvm::StructLayout &its = *layout.getStructLayout(type);
            const uint64_t first = at + its.getElementOffset(static_cast<unsigned>(index));
            if (each.getIndexedType()->isArrayTy())
                to = {&place, each.getIndexedType(), first, size, at, its.getSizeInBytes()};
            at = first;
        } else {
            at += static_cast<uint64_t>(index) * size;
            if (each != llvm::gep_type_begin(place) && !to.holds(at, 1)) to = Field();
        }
    }
    return to;
}

// Of a choice between values.
Fields::Field Fields::chosen(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const {
    if (llvm::isa<llvm::SelectInst>(instruction))
        return field_of(item, instruction.getOperand(item.getOperand(instruction.getOperand(0)).getUInt() ? 1 : 2));
    const auto &phi = llvm::cast<llvm::PHINode>(instruction);
    const int index = phi.getBasicBlockIndex(item.getPreviousBlock());
    return index < 0 ? Field() : field_of(item, phi.getIncomingValue(static_cast<unsigned>(index)));
}

void Fields::load(const oclgrind::WorkItem &item, const llvm::Instruction &load,
                  const oclgrind::TypedValue &result) {
    const auto &its = llvm::cast<llvm::LoadInst>(load);
    if (!its.getType()->isPointerTy() || its.getPointerAddressSpace() != oclgrind::AddrSpacePrivate) return;
    const auto found = m_its->memory.find(item.getOperand(its.getPointerOperand()).getPointer());
    const bool same = found != m_its->memory.end() && found->second.pointer == result.getPointer();
    set(&load, same ? found->second.field : Field());
}

void Fields::store(const oclgrind::WorkItem &item, const llvm::Instruction &store) {
    const auto &its = llvm::cast<llvm::StoreInst>(store);
    const llvm::Value *value = its.getValueOperand();
    if (!value->getType()->isPointerTy() || its.getPointerAddressSpace() != oclgrind::AddrSpacePrivate) return;
    const uint64_t at = item.getOperand(its.getPointerOperand()).getPointer();
    const Field field = field_of(item, value);
    if (field.type)
        m_its->memory[at] = {field, item.getOperand(value).getPointer()};
    else
        m_its->memory.erase(at);
}

void Fields::executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                      const oclgrind::TypedValue &result) {
    if (!m_follows) return;
    look_at(item);
    switch (instruction.getOpcode()) {
    case llvm::Instruction::GetElementPtr:
        return set(&instruction, in_place(item, llvm::cast<llvm::GEPOperator>(instruction)));
    case llvm::Instruction::AddrSpaceCast:
        return set(&instruction, field_of(item, instruction.getOperand(0)));
    case llvm::Instruction::Select:
    case llvm::Instruction::PHI:
        if (instruction.getType()->isPointerTy()) set(&instruction, chosen(item, instruction));
        return;
    case llvm::Instruction::Load:
        return load(item, instruction, result);
    case llvm::Instruction::Store:
        return store(item, instruction);
    case llvm::Instruction::Call: {
        const auto &call = llvm::cast<llvm::CallInst>(instruction);
        const llvm::Function *function = call.getCalledFunction();
        if (!function || function->isDeclaration()) return;
        for (const llvm::Argument &each : function->args())
            if (each.getType()->isPointerTy()) set(&each, field_of(item, call.getArgOperand(each.getArgNo())));
        return;
    }
    case llvm::Instruction::Ret: {
        const llvm::Value *value = llvm::cast<llvm::ReturnInst>(instruction).getReturnValue();
        if (value && value->getType()->isPointerTy()) set(item.getCurrentInstruction(), field_of(item, value));
        return;
    }
    default:
        return;
    }
}

// ---- accesses ----

// The compiler calls the place of a field by the field's name, and adds a number if the function has that name
// already.
static std::string name_of(const llvm::GEPOperator &place) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&place);
    if (!instruction) return "";
    const llvm::StringRef name = place.getName(), first = name.rtrim("0123456789");
    const bool added = instruction->getFunction()->getValueSymbolTable()->lookup(first) != nullptr;
    return (added ? first : name).str();
}

// Block copies may well copy the struct from its first field on.
static const llvm::Value *element_pointer(const llvm::Instruction &access) {
    if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access)) return pointer;
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&access);
    const llvm::Value *last = nullptr; // vload(n, p), vstore(v, n, p), atomic_add(p, v)
    if (!call || llvm::isa<llvm::MemIntrinsic>(call)) return nullptr;
    for (const llvm::Value *each : call->args())
        if (each->getType()->isPointerTy()) last = each;
    return last;
}

void Fields::access(const Access &access) {
    if (!m_follows || !access.item) return;
    look_at(*access.item);
    const llvm::Instruction *instruction = instruction_of(access);
    const llvm::Value *pointer = instruction ? element_pointer(*instruction) : nullptr;
    const Field field = pointer ? field_of(*access.item, pointer) : Field();
    const bool inside = access.address >= field.whole_first &&
                        access.address + access.size <= field.whole_first + field.whole_bytes;
    if (!field.type || !inside || field.holds(access.address, access.size)) return;
    llvm::Type *element = field.type;
    while (element->isArrayTy())
        element = element->getArrayElementType();
    const auto size = static_cast<int64_t>(module().getDataLayout().getTypeAllocSize(element).getFixedSize());
    const auto from = static_cast<int64_t>(access.address - field.first);
    Finding finding = finding_of(Kind::Bounds, access, m_scene, m_places);
    finding.index = (from < 0 ? from - size + 1 : from) / size;
    finding.limit = static_cast<int64_t>(field.bytes) / size;
    finding.of_field = true;
    finding.field = name_of(*field.place);
    m_findings.add(finding);
}

} // namespace check
