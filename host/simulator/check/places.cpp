#include "places.h"

#include "../oclgrind.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Type.h"

namespace check {

void Places::begin(const oclgrind::KernelInvocation &invocation) {
    m_invocation = &invocation;
    m_names = names_of(*invocation.getKernel(), *invocation.getContext()->getGlobalMemory());
}

// An address in the object that an access was meant for: where its pointer comes from, if that is to be seen. A
// wrong address says less, since it may lie in another object, or in none.
static uint64_t meant(const Pointer *pointer, const oclgrind::WorkItem *item, uint64_t address) {
    if (!pointer || !pointer->origin || !item || !item->getValueData(pointer->origin)) return address;
    if (pointer->space == Space::Image) return address; // the argument is Oclgrind's own record of it
    return item->getOperand(pointer->origin).getPointer();
}

static std::string argument_name(const oclgrind::Kernel &kernel, int index) {
    return kernel.getArgumentName(static_cast<unsigned>(index)).str();
}

// Local memory is known by the value that its address was made for.
static bool is_local_at(const oclgrind::WorkGroup &group, const llvm::Value *value, const oclgrind::Memory &memory,
                        uint64_t address) {
    const llvm::Type *type = value->getType();
    return type->isPointerTy() && type->getPointerAddressSpace() == oclgrind::AddrSpaceLocal &&
           memory.extractBuffer(group.getLocalMemoryAddress(value)) == memory.extractBuffer(address);
}

// The variable that holds the pointer, if one does.
static std::string variable_of(const llvm::Instruction &access) {
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
    while (pointer && (llvm::isa<llvm::GEPOperator>(pointer) || llvm::isa<llvm::BitCastOperator>(pointer)))
        pointer = llvm::cast<llvm::User>(pointer)->getOperand(0);
    const auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(pointer);
    return load && llvm::isa<llvm::AllocaInst>(load->getPointerOperand()) ? plain_name(*load->getPointerOperand())
                                                                          : "";
}

// Oclgrind keeps constant memory in global memory.
static bool is_constant(const Object &object, const Instruction *it, const llvm::Function &kernel) {
    const llvm::Value *pointer = it ? llvm::getLoadStorePointerOperand(it->llvm) : nullptr;
    if (object.argument >= 0) pointer = kernel.getArg(static_cast<unsigned>(object.argument));
    return pointer && pointer->getType()->isPointerTy() &&
           pointer->getType()->getPointerAddressSpace() == oclgrind::AddrSpaceConstant;
}

void Places::name(Object &to, const Pointer *pointer, bool in_kernel, const oclgrind::Memory &memory,
                  const oclgrind::WorkGroup &group, uint64_t address) const {
    const oclgrind::Kernel &kernel = *m_invocation->getKernel();
    const auto named = m_names.find(static_cast<int>(memory.extractBuffer(address)));
    if (in_kernel && pointer->argument >= 0) {
        to.argument = pointer->argument;
    } else if (to.space == oclgrind::AddrSpaceGlobal && named != m_names.end()) {
        to.argument = named->second.first;
    } else if (to.space == oclgrind::AddrSpaceLocal) {
        for (auto each = kernel.values_begin(); each != kernel.values_end(); ++each) {
            if (!is_local_at(group, each->first, memory, address)) continue;
            const auto *argument = llvm::dyn_cast<llvm::Argument>(each->first);
            if (argument) to.argument = static_cast<int>(argument->getArgNo());
            to.name = plain_name(*each->first);
        }
    }
    if (to.argument >= 0) to.name = argument_name(kernel, to.argument);
    if (to.name.empty() && pointer) to.name = pointer->object;
}

Object Places::find(const Instruction *it, bool writes, const oclgrind::Memory &memory,
                    const oclgrind::WorkGroup &group, const oclgrind::WorkItem *item, uint64_t address) const {
    Object to;
    const Pointer *pointer = it ? &it->pointer(writes) : nullptr;
    const bool in_kernel = it && it->llvm->getFunction() == m_invocation->getKernel()->getFunction();
    const uint64_t in = meant(pointer, item, address), start = in - memory.extractOffset(in);
    to.space = memory.getAddressSpace();
    to.null = memory.extractBuffer(in) == 0;
    name(to, pointer, in_kernel, memory, group, in);
    if (is_constant(to, it, *m_invocation->getKernel()->getFunction())) to.space = oclgrind::AddrSpaceConstant;
    if (to.name.empty() && to.null && it) to.name = variable_of(*it->llvm);
    if (!memory.isAddressValid(start)) return to;
    to.known = true;
    to.offset = static_cast<int64_t>(address - start);
    to.size = memory.getBuffer(start)->size;
    return to;
}

} // namespace check
