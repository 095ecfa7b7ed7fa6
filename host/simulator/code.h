// What is known of a kernel's code before it runs: its blocks, the loops around them, and what each instruction
// does.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Module;
class Value;
} // namespace llvm

namespace simulator {

// OpenCL's address spaces, by LLVM's numbers; and images, whose elements lie as a device likes.
enum class Space : uint8_t { Private = 0, Global = 1, Constant = 2, Local = 3, Image = 5 };

// Operations of one execution by one work-item. A fused multiply-add is two, each element of a vector counts, and
// divisions, roots and other functions are `special`, besides.
struct Operations {
    uint32_t half = 0, single = 0, twofold = 0, special = 0, integer = 0;
};

// A device's instruction loads or stores at most so many bytes of a work-item, and no more than they are aligned
// to.
enum { WidestAccess = 16 };

struct Block;

// The memory that a pointer leads to.
struct Pointer {
    Space space = Space::Private;
    std::string object; // the name of the argument, array or variable; "" if that is not to be seen
    const llvm::Value *origin = nullptr; // the argument, array or variable itself
    int argument = -1;                   // of the kernel, if that is what the pointer comes from
};

// Bytes of what an instruction accesses.
struct Piece {
    uint32_t offset, bytes;
};

// Its pointer is that of the memory that it accesses, if it does: of a copy, the source.
struct Instruction : Pointer {
    const llvm::Instruction *llvm = nullptr;
    uint32_t id = 0;         // among all of the module's
    bool costs = false;      // becomes machine code: no name, no debug information, no join of values
    bool barrier = false;    // a work-item waits for its group
    bool fences = false;     // a work-item's writes do not pass it
    bool branch = false;     // goes to one of several blocks
    bool calls = false;      // a function with a body
    bool returns = false;    // from one
    bool increments = false; // an atomic addition of 1 to 32 bits, whose result nobody uses
    Operations operations;
    uint32_t line = 0, column = 0;
    std::string file;               // the compiler's name: of the program's own text, or of a header
    bool copies = false;            // a block of memory, to the target
    bool by_group = false;          // begins an asynchronous copy
    uint32_t widest = WidestAccess; // the most bytes that a machine's instruction accesses here
    std::vector<Piece> pieces;      // what a machine's instructions access, if they are known; see pieces.h
    Pointer target;
    bool joined = false; // a store that is part of another one, or of nothing; see vector_stores.h
    uint32_t joined_before = 0, joined_bytes = 0; // of a store that others are part of: from where on, and how many
    bool loads_first = false;                     // of a store: what it leaves as it is, it has loaded

    const Pointer &pointer(bool writes) const {
        if (copies && writes) return target;
        return *this;
    }
};

struct Block {
    const llvm::BasicBlock *llvm = nullptr;
    uint32_t id = 0;                       // among all of the module's
    uint32_t costs = 0;                    // its instructions that become machine code
    std::vector<Instruction> instructions; // in order
    std::vector<uint32_t> loops;           // the loops around it, the outermost first
    int header_of = -1;                    // the loop that it begins

    const Instruction &at(const llvm::Instruction *of) const;
};

struct Function {
    std::vector<Block> blocks;
    uint32_t loops = 0;
};

class Code {
  public:
    explicit Code(const llvm::Module &module);
    const Block &block(const llvm::BasicBlock *of) const;
    const Function &function(const llvm::Function *of) const;
    uint32_t instructions() const;
    const Instruction &instruction(uint32_t id) const;
    const Instruction &instruction(const llvm::Instruction *of) const;

  private:
    std::unordered_map<const llvm::Function *, Function> m_functions;
    std::unordered_map<const llvm::BasicBlock *, const Block *> m_blocks;
    std::vector<const Instruction *> m_instructions;
    uint32_t m_instruction_count = 0, m_block_count = 0;

    void add(const llvm::Function &function);
};

// "tile" of KERNEL.tile: the name of an array, a variable or an argument as the source has it.
std::string plain_name(const llvm::Value &value);

// What an instruction computes; see operations.cpp.
Operations operations_of(const llvm::Instruction &instruction);

// The OpenCL C function that an instruction calls, without its types: "mad"; "" for other instructions.
std::string called_by(const llvm::Instruction &instruction);

} // namespace simulator
