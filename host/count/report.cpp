#include "report.h"

#include "Context.h"
#include "Kernel.h"
#include "KernelInvocation.h"
#include "Memory.h"
#include "Program.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace count {

// ---- JSON ----

namespace {
// Puts members and commas into objects and lists.
class Writer {
  public:
    std::string text;

    void open(const char *bracket) {
        comma();
        text += bracket;
        m_first = true;
    }
    void close(const char *bracket) {
        text += bracket;
        m_first = false;
    }
    void name(const char *name) {
        comma();
        text += '"';
        text += name;
        text += "\":";
        m_first = true;
    }
    void number(uint64_t value) {
        comma();
        text += std::to_string(value);
    }
    void string(const std::string &value) {
        comma();
        text += '"';
        for (const char c : value)
            character(c);
        text += '"';
    }
    void field(const char *key, uint64_t value) {
        name(key);
        number(value);
    }
    void field(const char *key, const std::string &value) {
        name(key);
        string(value);
    }

  private:
    bool m_first = true;

    void comma() {
        if (!m_first) text += ',';
        m_first = false;
    }
    void character(char c) {
        char code[8];
        if (c == '"' || c == '\\') {
            text += '\\';
            text += c;
        } else if (static_cast<unsigned char>(c) < ' ') {
            snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            text += code;
        } else {
            text += c;
        }
    }
};
} // namespace

// ---- the parts of a launch ----

static void write_size(Writer &to, const char *name, const oclgrind::Size3 &size, size_t dimensions) {
    to.name(name);
    to.open("[");
    for (unsigned i = 0; i < dimensions; i++)
        to.number(size[i]);
    to.close("]");
}

static void write_issue(Writer &to, const char *name, const Issue &issue, uint64_t width, uint64_t count) {
    to.name(name);
    to.open("{");
    to.field("width", width);
    to.field("count", count);
    to.field("instructions", issue.instructions);
    to.field("lanes", issue.lanes);
    to.field("branches", issue.branches);
    to.field("divergent", issue.divergent);
    to.close("}");
}

// What each source line executed. Instructions without a line are under 0.
static void write_lines(Writer &to, const Code &code, const Totals &totals) {
    struct Line {
        uint64_t instructions = 0, barriers = 0, half = 0, single = 0, twofold = 0, special = 0, integer = 0;
    };
    std::map<std::pair<std::string, uint32_t>, Line> lines;
    for (uint32_t id = 0; id < totals.executed.size(); id++) {
        const uint64_t times = totals.executed[id];
        const Instruction &it = code.instruction(id);
        if (times == 0 || !it.costs) continue;
        Line &line = lines[{it.file, it.line}];
        line.instructions += times;
        line.barriers += it.barrier ? times : 0;
        line.half += it.operations.half * times;
        line.single += it.operations.single * times;
        line.twofold += it.operations.twofold * times;
        line.special += it.operations.special * times;
        line.integer += it.operations.integer * times;
    }
    to.name("lines");
    to.open("[");
    for (const auto &each : lines) {
        const Line &line = each.second;
        to.open("{");
        to.field("file", each.first.first);
        to.field("line", each.first.second);
        to.field("instructions", line.instructions);
        to.field("barriers", line.barriers);
        to.field("half", line.half);
        to.field("float", line.single);
        to.field("double", line.twofold);
        to.field("special", line.special);
        to.field("int", line.integer);
        to.close("}");
    }
    to.close("]");
}

static const char *name_of(Space space) {
    static const char *const names[] = {"private", "global", "constant", "local"};
    return names[static_cast<int>(space) & 3];
}

static const char *name_of(Access access) {
    static const char *const names[] = {"load", "store", "atomic"};
    return names[static_cast<int>(access)];
}

static void write_requests(Writer &to, const char *name, const Requests &of) {
    to.name(name);
    to.open("{");
    to.field("requests", of.requests);
    to.field("sectors", of.sectors);
    to.field("least_sectors", of.least_sectors);
    to.field("lines", of.lines);
    to.field("passes", of.passes);
    to.field("least_passes", of.least_passes);
    to.close("}");
}

namespace {
using Names = std::map<int, std::pair<int, std::string>>; // by a buffer's number: the argument and its name
}

// The kernel's arguments that are buffers. Of two arguments with one buffer, the first is named.
static Names names_of(const oclgrind::Kernel &kernel, const oclgrind::Memory &memory) {
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

// What a site accesses, in the kernel's words.
static std::string object_of(const Instruction &it, const Traffic &traffic, const Names &names,
                             const oclgrind::Kernel &kernel) {
    const bool global = traffic.space == Space::Global || traffic.space == Space::Constant;
    const auto found = global ? names.find(traffic.buffer) : names.end();
    if (it.space == traffic.space && it.argument >= 0 && it.llvm->getFunction() == kernel.getFunction())
        return kernel.getArgumentName(static_cast<unsigned>(it.argument)).str();
    if (found != names.end()) return found->second.second;
    return it.space == traffic.space ? it.object : "";
}

static void write_sites(Writer &to, const Code &code, const Totals &totals, const Names &names,
                        const oclgrind::Kernel &kernel) {
    uint64_t number = 0;
    to.name("sites");
    to.open("[");
    for (const auto &each : totals.sites) {
        const Instruction &it = code.instruction(each.first.instruction);
        to.open("{");
        to.field("number", number++);
        to.field("file", it.file);
        to.field("line", it.line);
        to.field("column", it.column);
        to.field("access", name_of(each.first.access));
        to.field("space", name_of(each.second.space));
        to.field("object", object_of(it, each.second, names, kernel));
        to.field("accesses", each.second.accesses);
        to.field("bytes", each.second.bytes);
        if (each.second.space != Space::Private) {
            write_requests(to, "warp", each.second.warp);
            write_requests(to, "wavefront", each.second.wavefront);
        }
        to.close("}");
    }
    to.close("]");
}

static void write_buffers(Writer &to, const Totals &totals, const Names &names) {
    to.name("buffers");
    to.open("[");
    for (const auto &each : totals.buffers) {
        const auto named = names.find(each.first);
        to.open("{");
        if (named != names.end()) {
            to.field("argument", static_cast<uint64_t>(named->second.first));
            to.field("name", named->second.second);
        }
        to.field("read", each.second.read.bytes());
        to.field("written", each.second.written.bytes());
        to.field("group_sectors", each.second.group_sectors);
        to.close("}");
    }
    to.close("]");
}

static void write_pictures(Writer &to, const Totals &totals, const Names &names) {
    std::map<Site, uint64_t> numbers;
    for (const auto &each : totals.sites)
        numbers.emplace(each.first, numbers.size());
    to.name("pictures");
    to.open("[");
    for (const Picture &picture : totals.pictures) {
        const Space space = totals.sites.at(picture.site).space;
        const bool global = space == Space::Global || space == Space::Constant;
        const auto named = global ? names.find(picture.object) : names.end();
        to.open("{");
        to.field("site", numbers[picture.site]);
        to.field("object", static_cast<uint64_t>(picture.object));
        if (named != names.end()) to.field("buffer", named->second.second);
        to.field("bytes", picture.bytes);
        to.name("lanes");
        to.open("[");
        for (uint32_t i = 0; i < picture.count; i++)
            to.number(picture.lanes[i]);
        to.close("]");
        to.name("offsets");
        to.open("[");
        for (uint32_t i = 0; i < picture.count; i++)
            to.number(picture.offsets[i]);
        to.close("]");
        to.close("}");
    }
    to.close("]");
}

// The arrays that the compiler could not keep in registers, of the functions that ran.
static void write_private(Writer &to, const Code &code, const Totals &totals) {
    to.name("private_arrays");
    to.open("[");
    for (uint32_t id = 0; id < totals.executed.size(); id++) {
        const Instruction &it = code.instruction(id);
        const auto *array = llvm::dyn_cast<llvm::AllocaInst>(it.llvm);
        if (!array || totals.executed[id] == 0) continue;
        to.open("{");
        to.field("name", it.object);
        to.field("bytes", oclgrind::getTypeSize(array->getAllocatedType()));
        to.close("}");
    }
    to.close("]");
}

// ---- the whole ----

static size_t id_of(const oclgrind::KernelInvocation &invocation) {
    return invocation.getKernel()->getProgram()->getUID();
}

std::string report(const oclgrind::KernelInvocation &invocation, const Code &code, const Totals &totals) {
    Writer to;
    const oclgrind::Kernel &kernel = *invocation.getKernel();
    const Names names = names_of(kernel, *invocation.getContext()->getGlobalMemory());
    to.open("{");
    to.name("launch");
    to.open("{");
    to.field("kernel", kernel.getName());
    to.field("program", id_of(invocation));
    write_size(to, "global", invocation.getGlobalSize(), invocation.getWorkDim());
    write_size(to, "local", invocation.getLocalSize(), invocation.getWorkDim());
    to.field("items", totals.items);
    to.field("groups", totals.groups);
    to.field("local_memory", kernel.getLocalMemorySize());
    to.field("cut", totals.cut ? 1 : 0);
    write_issue(to, "warp", totals.warp, Warp, totals.warps);
    write_issue(to, "wavefront", totals.wavefront, Wavefront, totals.wavefronts);
    write_lines(to, code, totals);
    write_sites(to, code, totals, names, kernel);
    write_buffers(to, totals, names);
    write_private(to, code, totals);
    write_pictures(to, totals, names);
    to.close("}");
    to.close("}");
    return to.text;
}

std::string report_text(const oclgrind::KernelInvocation &invocation) {
    Writer to;
    to.open("{");
    to.name("text");
    to.open("{");
    to.field("id", id_of(invocation));
    to.field("source", invocation.getKernel()->getProgram()->getSource());
    to.close("}");
    to.close("}");
    return to.text;
}

} // namespace count
