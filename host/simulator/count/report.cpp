#include "report.h"

#include "../json.h"
#include "../names.h"

#include "../oclgrind.h"

#include "llvm/IR/Argument.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace count {

// ---- the parts of a launch ----

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

static const char *name_of_access(Access access) {
    static const char *const names[] = {"load", "store", "atomic"};
    return names[static_cast<int>(access)];
}

static void write_place(Writer &to, const Instruction &it, Access access) {
    to.field("file", it.file);
    to.field("line", it.line);
    to.field("column", it.column);
    to.field("access", name_of_access(access));
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

// What a site accesses, in the kernel's words.
static std::string object_of(const Instruction &it, Access access, const Traffic &traffic, const Names &names,
                             const oclgrind::Kernel &kernel) {
    const Pointer &pointer = it.pointer(access == Access::Store);
    const bool global = traffic.space == Space::Global || traffic.space == Space::Constant;
    const auto found = global ? names.find(traffic.buffer) : names.end();
    if (pointer.space == traffic.space && pointer.argument >= 0 && it.llvm->getFunction() == kernel.getFunction())
        return kernel.getArgumentName(static_cast<unsigned>(pointer.argument)).str();
    if (found != names.end()) return found->second.second;
    return pointer.space == traffic.space ? pointer.object : "";
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
        write_place(to, it, each.first.access);
        to.field("space", name_of(static_cast<uint32_t>(each.second.space)));
        to.field("object", object_of(it, each.first.access, each.second, names, kernel));
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
        if (each.second.image) to.field("image", 1);
        to.field("read", each.second.read.bytes());
        to.field("written", each.second.written.bytes());
        to.field("group_sectors", each.second.group_sectors);
        to.close("}");
    }
    to.close("]");
}

static void write_picture(Writer &to, const Picture &picture) {
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
}

static oclgrind::Size3 place_of(uint64_t group, const oclgrind::KernelInvocation &invocation) {
    const oclgrind::Size3 groups = invocation.getNumGroups();
    return {group % groups.x, group / groups.x % groups.y, group / (groups.x * groups.y)};
}

static void write_pictures(Writer &to, const oclgrind::KernelInvocation &invocation, const Totals &totals,
                           const Names &names) {
    uint64_t number = 0;
    to.name("pictures");
    to.open("[");
    for (const auto &each : totals.sites) {
        const Traffic &traffic = each.second;
        const bool global = traffic.space == Space::Global || traffic.space == Space::Constant;
        for (const Picture &picture : traffic.pictures.list) {
            const auto named = global ? names.find(picture.object) : names.end();
            to.open("{");
            to.field("site", number);
            write_size(to, "group", place_of(traffic.pictures.group, invocation), invocation.getWorkDim());
            to.field("warp", traffic.pictures.warp);
            to.field("object", static_cast<uint64_t>(picture.object));
            if (named != names.end()) to.field("buffer", named->second.second);
            to.field("bytes", picture.bytes);
            write_picture(to, picture);
            to.close("}");
        }
        number++;
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

std::string report(const oclgrind::KernelInvocation &invocation, const Code &code, const Totals &totals) {
    Writer to;
    const oclgrind::Kernel &kernel = *invocation.getKernel();
    const Names names = names_of(kernel, *invocation.getContext()->getGlobalMemory());
    to.open("{");
    to.name("launch");
    to.open("{");
    to.field("kernel", kernel.getName());
    to.field("program", invocation.getKernel()->getProgram()->getUID());
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
    write_pictures(to, invocation, totals, names);
    to.close("}");
    to.close("}");
    return to.text;
}

std::string report_outside(const oclgrind::KernelInvocation &invocation, const Instruction &it, Access access) {
    Writer to;
    to.open("{");
    to.name("outside");
    to.open("{");
    to.field("kernel", invocation.getKernel()->getName());
    to.field("program", invocation.getKernel()->getProgram()->getUID());
    write_place(to, it, access);
    to.field("object", it.pointer(access == Access::Store).object);
    to.close("}");
    to.close("}");
    return to.text;
}

std::string report_simulated(const oclgrind::KernelInvocation &invocation, uint64_t groups) {
    const oclgrind::Size3 all = invocation.getNumGroups();
    Writer to;
    to.open("{");
    to.name("simulated");
    to.open("{");
    to.field("kernel", invocation.getKernel()->getName());
    to.field("done", groups);
    to.field("of", all.x * all.y * all.z);
    to.close("}");
    to.close("}");
    return to.text;
}

std::string report_complaint(const std::string &text) {
    Writer to;
    to.open("{");
    to.field("complaint", text);
    to.close("}");
    return to.text;
}

} // namespace count
