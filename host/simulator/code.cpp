#include "code.h"

#include "pieces.h"
#include "vector_stores.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <algorithm>
#include <set>

namespace simulator {

// ---- where a pointer comes from ----

static const llvm::Value *origin_of(const llvm::Value *value, std::set<const llvm::Value *> &seen);

// The one origin of several pointers; null if they have several. A pointer that was seen before says nothing new.
static const llvm::Value *common_origin(const std::vector<const llvm::Value *> &values,
                                        std::set<const llvm::Value *> &seen) {
    const llvm::Value *found = nullptr;
    for (const llvm::Value *each : values) {
        const llvm::Value *origin = origin_of(each, seen);
        if (origin && found && origin != found) return nullptr;
        if (origin) found = origin;
    }
    return found;
}

// Without optimisation, pointers lie in variables: the origin is that of what is stored there.
static const llvm::Value *origin_in_variable(const llvm::LoadInst &load, std::set<const llvm::Value *> &seen) {
    const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(load.getPointerOperand());
    if (!variable) return nullptr;
    std::vector<const llvm::Value *> values;
    for (const llvm::User *each : variable->users()) {
        const auto *store = llvm::dyn_cast<llvm::StoreInst>(each);
        if (store && store->getPointerOperand() == variable) values.push_back(store->getValueOperand());
    }
    return common_origin(values, seen);
}

// The argument, variable or array that a pointer leads into; null if several do, or none is to be seen.
static const llvm::Value *origin_of(const llvm::Value *value, std::set<const llvm::Value *> &seen) {
    if (!seen.insert(value).second) return nullptr;
    if (llvm::isa<llvm::Argument>(value) || llvm::isa<llvm::GlobalVariable>(value) ||
        llvm::isa<llvm::AllocaInst>(value))
        return value;
    const auto *user = llvm::dyn_cast<llvm::User>(value);
    if (!user) return nullptr;
    const auto *instruction = llvm::dyn_cast<llvm::Operator>(value);
    const unsigned opcode = instruction ? instruction->getOpcode() : 0;
    if (opcode == llvm::Instruction::GetElementPtr || opcode == llvm::Instruction::BitCast ||
        opcode == llvm::Instruction::AddrSpaceCast)
        return origin_of(user->getOperand(0), seen);
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) return origin_in_variable(*load, seen);
    if (opcode != llvm::Instruction::PHI && opcode != llvm::Instruction::Select) return nullptr;
    std::vector<const llvm::Value *> values;
    for (const llvm::Value *each : user->operand_values())
        if (each->getType()->isPointerTy()) values.push_back(each); // not a selection's condition
    return common_origin(values, seen);
}

// Clang names a kernel's local array KERNEL.NAME, parts of a private one NAME.sroa.0, and an argument's variable
// NAME.addr.
std::string plain_name(const llvm::Value &value) {
    std::string name = value.getName().str();
    for (const char *ending : {".sroa", ".addr"}) {
        const size_t part = name.find(ending);
        if (part != std::string::npos) name.resize(part);
    }
    const size_t dot = llvm::isa<llvm::GlobalVariable>(value) ? name.rfind('.') : std::string::npos;
    return dot == std::string::npos ? name : name.substr(dot + 1);
}

static bool is_image_call(const llvm::Instruction &instruction) {
    const std::string called = called_by(instruction);
    return called.compare(0, 10, "read_image") == 0 || called.compare(0, 11, "write_image") == 0;
}

static bool is_group_copy(const llvm::Instruction &instruction) {
    const std::string called = called_by(instruction);
    return called == "async_work_group_copy" || called == "async_work_group_strided_copy";
}

static const llvm::Value *pointer_of(const llvm::Instruction &instruction) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->getPointerOperand();
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getPointerOperand();
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) return nullptr;
    if (is_image_call(instruction)) return call->getArgOperand(0); // a sampler may follow
    if (is_group_copy(instruction)) return call->getArgOperand(1); // an event follows
    const llvm::Value *last = nullptr; // vload(n, p), vstore(v, n, p), atomic_add(p, v): one pointer
    for (const llvm::Value *each : call->args())
        if (each->getType()->isPointerTy()) last = each;
    return last; // of memcpy, the source
}

// The name of the variable that holds a pointer, where nothing else is known of it.
static std::string holder_of(const llvm::Value *pointer) {
    while (llvm::isa<llvm::GEPOperator>(pointer) || llvm::isa<llvm::BitCastOperator>(pointer))
        pointer = llvm::cast<llvm::User>(pointer)->getOperand(0);
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer);
    const auto *variable = load ? llvm::dyn_cast<llvm::AllocaInst>(load->getPointerOperand()) : nullptr;
    return variable ? plain_name(*variable) : "";
}

static void add_memory(Pointer &to, const llvm::Value *pointer, const llvm::Function *function) {
    std::set<const llvm::Value *> seen;
    if (!pointer) return;
    to.space = static_cast<Space>(pointer->getType()->getPointerAddressSpace());
    to.origin = origin_of(pointer, seen);
    to.object = to.origin ? plain_name(*to.origin) : holder_of(pointer);
    const auto *argument = to.origin ? llvm::dyn_cast<llvm::Argument>(to.origin) : nullptr;
    if (argument && function == argument->getParent()) to.argument = static_cast<int>(argument->getArgNo());
}

// The alignment that the compiler knows of: vload and vstore take elements that lie anywhere.
static uint32_t alignment_of(const llvm::Instruction &instruction) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        return static_cast<uint32_t>(load->getAlign().value());
    if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        return static_cast<uint32_t>(store->getAlign().value());
    if (const auto *fill = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
        const llvm::Align to = fill->getDestAlign().valueOrOne();
        return static_cast<uint32_t>(std::min(to, copy ? copy->getSourceAlign().valueOrOne() : to).value());
    }
    const std::string called = called_by(instruction);
    const bool loads = called.compare(0, 5, "vload") == 0;
    if ((!loads && called.compare(0, 6, "vstore") != 0) || called.find("a_half") != std::string::npos)
        return WidestAccess;
    if (called.find("_half") != std::string::npos) return 2;
    const llvm::Value *value = loads ? &instruction : instruction.getOperand(0);
    return value->getType()->getScalarSizeInBits() / 8;
}

// ---- one instruction ----

static bool is_one(const llvm::Value *value) {
    const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value);
    return constant && constant->isOne() && constant->getBitWidth() == 32;
}

static bool is_increment(const llvm::Instruction &instruction) {
    const std::string called = called_by(instruction);
    if (!instruction.use_empty()) return false;
    if (called == "atomic_inc" || called == "atom_inc") return instruction.getType()->isIntegerTy(32);
    if (called == "atomic_add" || called == "atom_add")
        return instruction.getNumOperands() > 2 && is_one(instruction.getOperand(1));
    const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    return update && update->getOperation() == llvm::AtomicRMWInst::Add && is_one(update->getValOperand());
}

static bool becomes_code(const llvm::Instruction &instruction) {
    if (llvm::isa<llvm::PHINode>(instruction) || llvm::isa<llvm::DbgInfoIntrinsic>(instruction) ||
        llvm::isa<llvm::BitCastInst>(instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
        llvm::isa<llvm::FreezeInst>(instruction))
        return false;
    const std::string called = called_by(instruction);
    return called != "lifetime" && called != "dbg" && called.compare(0, 3, "as_") != 0;
}

static bool is_barrier(const std::string &called) {
    return called == "barrier" || called == "work_group_barrier" || called == "wait_group_events";
}

// The compiler takes off a path what it has in common with the folder where it runs, even the upper part of that.
static std::string file_of(const llvm::DILocation &place) {
    const llvm::StringRef name = place.getFilename(), folder = place.getDirectory();
    const llvm::DICompileUnit *unit = place.getScope()->getSubprogram()->getUnit();
    const bool is_short = unit && !folder.empty() && !name.startswith("/") && folder != unit->getDirectory();
    return is_short ? (folder + "/" + name).str() : name.str();
}

static bool is_fence(const std::string &called) {
    return called == "mem_fence" || called == "write_mem_fence" || called == "atomic_work_item_fence";
}

static Instruction describe(const llvm::Instruction &instruction, uint32_t id) {
    Instruction to;
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    to.llvm = &instruction;
    to.id = id;
    to.costs = becomes_code(instruction);
    to.barrier = is_barrier(called_by(instruction));
    to.fences = is_fence(called_by(instruction));
    to.branch = instruction.isTerminator() && instruction.getNumSuccessors() > 1;
    to.calls = call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration();
    to.returns = llvm::isa<llvm::ReturnInst>(instruction);
    to.increments = is_increment(instruction);
    to.operations = operations_of(instruction);
    to.widest = std::max<uint32_t>(1, std::min<uint32_t>(WidestAccess, alignment_of(instruction)));
    to.pieces = pieces_of_load(instruction);
    if (const llvm::DILocation *place = instruction.getDebugLoc().get()) {
        to.line = place->getLine();
        to.column = place->getColumn();
        to.file = file_of(*place);
    }
    if (llvm::isa<llvm::AllocaInst>(instruction))
        to.object = plain_name(instruction);
    else
        add_memory(to, pointer_of(instruction), instruction.getFunction());
    if (is_image_call(instruction)) to.space = Space::Image;
    if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
        to.copies = true;
        add_memory(to.target, copy->getRawDest(), instruction.getFunction());
    }
    if (is_group_copy(instruction)) {
        to.copies = to.by_group = true;
        add_memory(to.target, call->getArgOperand(0), instruction.getFunction());
    }
    return to;
}

// ---- all of a program ----

Code::Code(const llvm::Module &module) {
    for (const llvm::Function &each : module)
        if (!each.isDeclaration()) add(each);
    for (auto &function : m_functions)
        for (Block &block : function.second.blocks)
            m_blocks[block.llvm] = &block;
    m_instructions.resize(m_instruction_count);
    for (auto &block : m_blocks)
        for (const Instruction &each : block.second->instructions)
            m_instructions[each.id] = &each;
}

void Code::add(const llvm::Function &function) {
    llvm::DominatorTree tree(const_cast<llvm::Function &>(function)); // it only looks
    const llvm::LoopInfo loops(tree);
    Function &to = m_functions[&function];
    std::unordered_map<const llvm::Loop *, uint32_t> numbers;
    for (const llvm::BasicBlock &from : function) {
        Block block;
        block.llvm = &from;
        block.id = m_block_count++;
        for (const llvm::Loop *loop = loops.getLoopFor(&from); loop; loop = loop->getParentLoop()) {
            const uint32_t number = numbers.emplace(loop, static_cast<uint32_t>(numbers.size())).first->second;
            block.loops.insert(block.loops.begin(), number);
            if (loop->getHeader() == &from) block.header_of = static_cast<int>(number);
        }
        for (const llvm::Instruction &each : from) {
            block.instructions.push_back(describe(each, m_instruction_count++));
            if (block.instructions.back().costs) block.costs++;
        }
        join_vector_stores(block);
        to.blocks.push_back(block);
    }
    to.loops = static_cast<uint32_t>(numbers.size());
}

const Instruction &Block::at(const llvm::Instruction *of) const {
    size_t i = 0;
    while (instructions[i].llvm != of)
        i++;
    return instructions[i];
}

const Block &Code::block(const llvm::BasicBlock *of) const {
    return *m_blocks.at(of);
}

const Function &Code::function(const llvm::Function *of) const {
    return m_functions.at(of);
}

uint32_t Code::instructions() const {
    return static_cast<uint32_t>(m_instructions.size());
}

const Instruction &Code::instruction(uint32_t id) const {
    return *m_instructions[id];
}

const Instruction &Code::instruction(const llvm::Instruction *of) const {
    return block(of->getParent()).at(of);
}

} // namespace simulator
