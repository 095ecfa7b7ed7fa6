#include "names.h"

#include "../sys/system.h"
#include "oclgrind.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/DerivedTypes.h"

#include <mutex>

namespace simulator {

Names names_of(const oclgrind::Kernel &kernel, const oclgrind::Memory &memory) {
    Names names;
    for (auto each = kernel.values_begin(); each != kernel.values_end(); ++each) {
        const auto *argument = llvm::dyn_cast<llvm::Argument>(each->first);
        const auto *pointer = argument ? llvm::dyn_cast<llvm::PointerType>(argument->getType()) : nullptr;
        if (!pointer || (pointer->getAddressSpace() != oclgrind::AddrSpaceGlobal &&
                         pointer->getAddressSpace() != oclgrind::AddrSpaceConstant))
            continue;
        const unsigned index = argument->getArgNo();
        const int buffer = static_cast<int>(memory.extractBuffer(each->second.getPointer()));
        const std::pair<int, std::string> entry = {static_cast<int>(index), kernel.getArgumentName(index).str()};
        const auto found = names.emplace(buffer, entry);
        if (!found.second && entry.first < found.first->second.first) found.first->second = entry;
    }
    return names;
}

const char *name_of(uint32_t space) {
    static const char *const names[] = {"private", "global", "constant", "local", "private", "image"};
    return names[space % 6];
}

void write_size(Writer &to, const char *name, const oclgrind::Size3 &size, size_t dimensions) {
    to.name(name);
    to.open("[");
    for (unsigned i = 0; i < dimensions; i++)
        to.number(size[i]);
    to.close("]");
}

Stream::Stream(int descriptor) : m_descriptor(descriptor) {}

// Contexts run kernels in threads of their own.
void Stream::write_line(const std::string &text) const {
    static std::mutex one_line;
    const std::lock_guard<std::mutex> lock(one_line);
    const std::string line = text + "\n";
    (void)output_write(m_descriptor, line.data(), line.size()); // false: nobody reads any more
}

// {"text": {"id":, "source":}}
void Stream::write_text(const oclgrind::KernelInvocation &invocation) {
    const oclgrind::Program &program = *invocation.getKernel()->getProgram();
    Writer to;
    if (!m_known.emplace(program.getUID(), true).second) return;
    to.open("{");
    to.name("text");
    to.open("{");
    to.field("id", program.getUID());
    to.field("source", program.getSource());
    to.close("}");
    to.close("}");
    write_line(to.text);
}

} // namespace simulator
