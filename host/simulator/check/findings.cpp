#include "findings.h"

#include "slice.h"

#include "../oclgrind.h"

#include <atomic>

namespace check {

static const char *name_of(Kind kind) {
    static const char *const names[] = {"race",       "same value", "only atomics", "bounds", "uninitialised",
                                        "divergence", "read only",  "write only",   "mapped", "event",
                                        "alignment",  "inexact",    "arithmetic",   "shift",  "recursion",
                                        "printf",     "fault"};
    return names[static_cast<int>(kind)];
}

Findings::Findings(int descriptor) : m_stream(descriptor) {}

// ---- one launch ----

void Findings::begin(const oclgrind::KernelInvocation &invocation, uint32_t numbers) {
    const oclgrind::Kernel &kernel = *invocation.getKernel();
    Writer to;
    m_invocation = &invocation;
    m_numbers = numbers;
    m_launches++;
    m_times.clear();
    m_here.clear();
    m_forbidden.clear();
    m_recursive = false;
    m_stream.write_text(invocation);
    to.open("{");
    to.name("begin");
    to.open("{");
    to.field("kernel", kernel.getName());
    to.field("program", kernel.getProgram()->getUID());
    write_size(to, "global", invocation.getGlobalSize(), invocation.getWorkDim());
    write_size(to, "local", invocation.getLocalSize(), invocation.getWorkDim());
    to.close("}");
    to.close("}");
    m_stream.write_line(to.text);
}

void Findings::end(bool atomics, bool counters) {
    Writer to;
    to.open("{");
    to.name("ended");
    to.open("{");
    if (atomics) to.field("atomics", 1);
    if (counters) to.field("counters", 1);
    to.name("times");
    to.open("[");
    for (const auto &each : m_times) {
        to.open("[");
        to.number(each.first);
        to.number(each.second);
        to.close("]");
    }
    to.close("]");
    to.close("}");
    to.close("}");
    m_stream.write_line(to.text);
    m_invocation = nullptr;
}

// ---- one finding ----

static std::string id_of(const Deed &deed) {
    return std::to_string(deed.code ? deed.code->id : UINT32_MAX) + deed.access;
}

// Of a race it does not matter which came first.
static std::string places_of(const Finding &finding) {
    std::string first = id_of(finding.first), second = finding.has_second ? id_of(finding.second) : "";
    if (finding.has_second && second < first) std::swap(first, second);
    return std::string(name_of(finding.kind)) + ' ' + first + ' ' + second + ' ';
}

// Which findings are one: of the same kind, at the same places, about the same memory. What lies before its begin
// is no matter of its length, which may be assumed.
static std::string key_of(const Finding &finding) {
    const Object &object = finding.object;
    return places_of(finding) + finding.text + object.name + (object.known && object.offset < 0 ? " before" : "");
}

void Findings::add(const Finding &finding) {
    if (m_invocation && !m_recursive && !m_forbidden.count(finding.first.code)) record(finding);
}

void Findings::forbid(const Finding &finding) {
    record(finding);
    m_forbidden.insert(finding.first.code);
    m_recursive = m_recursive || finding.kind == Kind::Recursion;
}

void Findings::record(const Finding &finding) {
    const std::string key = key_of(finding);
    const auto here = m_here.find(key);
    if (here != m_here.end()) {
        m_times[here->second]++;
        return;
    }
    const oclgrind::Kernel &kernel = *m_invocation->getKernel();
    const std::string name = std::to_string(kernel.getProgram()->getUID()) + ' ' + kernel.getName() + ' ' + key;
    static std::atomic<uint32_t> numbers; // of the findings in all contexts
    const auto known = m_known.emplace(name, 0);
    uint32_t &number = known.first->second;
    if (known.second) number = ++numbers;
    m_here[key] = number;
    m_times[number]++;
    if (known.second) m_stream.write_line(describe(finding, number));
}

void Findings::guess(Kind kind, const Instruction *first, const Instruction *second, const std::string &name,
                     int64_t value, int argument) {
    if (m_recursive) return;
    const oclgrind::Kernel &kernel = *m_invocation->getKernel();
    Writer to;
    to.open("{");
    to.name("guess");
    to.open("{");
    to.field("kind", name_of(kind));
    to.field("kernel", kernel.getName());
    to.field("program", kernel.getProgram()->getUID());
    to.field("name", name);
    to.name("value");
    to.whole(value);
    if (argument >= 0) to.field("argument", static_cast<uint64_t>(argument));
    for (const Instruction *each : {first, second}) {
        if (!each) continue;
        to.name(each == first ? "first" : "second");
        to.open("{");
        write_place(to, *each);
        to.close("}");
    }
    to.close("}");
    to.close("}");
    m_stream.write_line(to.text);
}

static void write_marks(Writer &to, const char *name, const Marks &marks) {
    to.name(name);
    to.open("[");
    for (const auto &each : marks) {
        to.open("{");
        to.field("file", each.first.first);
        to.field("line", each.first.second);
        if (each.second) to.field("reached", 1);
        to.close("}");
    }
    to.close("]");
}

void Findings::reach(const Marks &lines, const Marks &loops) {
    Writer to;
    to.open("{");
    to.name("reach");
    to.open("{");
    to.field("program", m_invocation->getKernel()->getProgram()->getUID());
    write_marks(to, "lines", lines);
    write_marks(to, "loops", loops);
    to.close("}");
    to.close("}");
    m_stream.write_line(to.text);
}

bool Findings::has(Kind kind, const Instruction *code) const {
    Finding same;
    same.kind = kind;
    same.first.code = code;
    for (const char *access : {"read", "write"}) {
        same.first.access = access;
        const std::string places = places_of(same);
        const auto next = m_here.lower_bound(places);
        if (next != m_here.end() && next->first.compare(0, places.size(), places) == 0) return true;
    }
    return false;
}

// ---- as JSON ----

static oclgrind::Size3 place_of(uint32_t number, const oclgrind::Size3 &size) {
    const size_t in_plane = size.x * size.y;
    return {number % size.x, number % in_plane / size.x, number / in_plane};
}

void Findings::write_item(Writer &to, uint32_t item) const {
    if (item == Deed::nobody) return;
    const size_t dimensions = m_invocation->getWorkDim();
    const oclgrind::Size3 size = m_invocation->getLocalSize(), offset = m_invocation->getGlobalOffset();
    const oclgrind::Size3 group = place_of(item / m_numbers, m_invocation->getNumGroups());
    const uint32_t number = item % m_numbers;
    write_size(to, "group", group, dimensions);
    if (number == m_numbers - 1) return; // the group as a whole
    const oclgrind::Size3 local = place_of(number, size);
    write_size(to, "local", local, dimensions);
    write_size(to, "global",
               oclgrind::Size3(offset.x + group.x * size.x + local.x, offset.y + group.y * size.y + local.y,
                               offset.z + group.z * size.z + local.z),
               dimensions);
}

static void write_names(Writer &to, const char *name, const std::set<std::string> &names) {
    to.name(name);
    to.open("[");
    for (const std::string &each : names)
        to.string(each);
    to.close("]");
}

// What the address was computed from.
static void write_slice(Writer &to, const llvm::Instruction &instruction) {
    const Slice slice = slice_of(instruction);
    to.name("from");
    to.open("{");
    if (slice.data) to.field("data", 1);
    write_names(to, "values", slice.values);
    write_names(to, "factors", slice.factors);
    to.close("}");
}

void Findings::write_place(Writer &to, const Instruction &code) {
    to.field("file", code.file);
    to.field("line", code.line);
    to.field("column", code.column);
}

void Findings::write_deed(Writer &to, const char *name, const Deed &deed) const {
    to.name(name);
    to.open("{");
    to.field("access", deed.access);
    if (deed.code) {
        write_place(to, *deed.code);
        write_slice(to, *deed.code->llvm);
    }
    write_item(to, deed.item);
    to.close("}");
}

static void write_object(Writer &to, const Object &object) {
    to.name("object");
    to.open("{");
    to.field("space", simulator::name_of(object.space));
    to.field("name", object.name);
    if (object.argument >= 0) to.field("argument", static_cast<uint64_t>(object.argument));
    if (object.null) to.field("null", 1);
    if (object.known) {
        to.name("offset");
        to.whole(object.offset);
        to.field("size", object.size);
    }
    to.close("}");
}

std::string Findings::describe(const Finding &finding, uint32_t number) const {
    const oclgrind::Kernel &kernel = *m_invocation->getKernel();
    Writer to;
    to.open("{");
    to.name("finding");
    to.open("{");
    to.field("number", number);
    to.field("kind", name_of(finding.kind));
    to.field("kernel", kernel.getName());
    to.field("program", kernel.getProgram()->getUID());
    write_size(to, "global", m_invocation->getGlobalSize(), m_invocation->getWorkDim());
    write_size(to, "local", m_invocation->getLocalSize(), m_invocation->getWorkDim());
    write_deed(to, "first", finding.first);
    if (finding.has_second) write_deed(to, "second", finding.second);
    if (finding.bytes > 0) {
        to.field("bytes", finding.bytes);
        write_object(to, finding.object);
    }
    if (finding.within_group) to.field("within_group", 1);
    if (finding.wrong_fence) to.field("wrong_fence", 1);
    if (finding.unfenced) to.field("unfenced", 1);
    if (finding.in_loop) to.field("in_loop", 1);
    if (finding.wait_between) to.field("wait_between", 1);
    if (finding.limit > 0) {
        to.name("index");
        to.whole(finding.index);
        to.name("limit");
        to.whole(finding.limit);
    }
    if (finding.of > 0) {
        to.field("arrived", finding.arrived);
        to.field("of", finding.of);
    }
    if (finding.manner) to.field("manner", finding.manner);
    if (finding.of_field) to.field("field", finding.field);
    if (!finding.operands.empty()) to.field("operands", finding.operands);
    if (!finding.text.empty()) to.field("text", finding.text);
    to.close("}");
    to.close("}");
    return to.text;
}

} // namespace check
