#include "messages.h"

#include "../oclgrind.h"

#include "llvm/IR/Instructions.h"

#include <cstring>

namespace check {

static Deed current_deed(const char *access, Scene &scene) {
    const oclgrind::WorkItem *item = scene.invocation().getCurrentWorkItem();
    const oclgrind::WorkGroup *group = scene.invocation().getCurrentWorkGroup();
    Deed deed;
    deed.access = access;
    if (!group) return deed;
    deed.code = scene.code_of(item ? item->getCurrentInstruction() : group->getCurrentBarrier());
    deed.item = scene.number_of(*group, item);
    return deed;
}

// An index beyond its own dimension of an array, though perhaps not beyond the array.
static void row(int64_t index, int64_t limit, Scene &scene, Findings &findings) {
    const oclgrind::WorkItem *item = scene.invocation().getCurrentWorkItem();
    const llvm::Instruction *instruction = item ? item->getCurrentInstruction() : nullptr;
    const bool stores = instruction && llvm::isa<llvm::StoreInst>(instruction);
    Finding finding;
    finding.kind = Kind::Bounds;
    finding.first = current_deed(stores ? "write" : "read", scene);
    finding.index = index;
    finding.limit = limit;
    if (!finding.first.code || findings.has(Kind::Bounds, finding.first.code)) return;
    finding.bytes = 1;
    finding.object.space = static_cast<uint32_t>(finding.first.code->space);
    finding.object.name = finding.first.code->object;
    findings.add(finding);
}

static const oclgrind::WorkItem *item_in(const oclgrind::WorkGroup &group, bool waiting) {
    const oclgrind::Size3 size = group.getGroupSize();
    for (size_t z = 0; z < size.z; z++)
        for (size_t y = 0; y < size.y; y++)
            for (size_t x = 0; x < size.x; x++) {
                const oclgrind::WorkItem *item = group.getWorkItem({x, y, z});
                if ((item->getState() == oclgrind::WorkItem::BARRIER) == waiting) return item;
            }
    return nullptr;
}

// A work-item of the group that waits at a barrier, or else the group itself.
static uint32_t waiting_in(const oclgrind::WorkGroup &group, const Scene &scene) {
    const oclgrind::WorkItem *item = item_in(group, true);
    return scene.number_of(group, item);
}

static void find_absent(Finding &finding, const oclgrind::WorkGroup &group, const Scene &scene) {
    const oclgrind::WorkItem *item = item_in(group, false);
    if (!item) return;
    finding.has_second = true;
    finding.second.access = "absent";
    finding.second.item = scene.number_of(group, item);
}

// What work-items do at a place where they wait for each other.
static const char *word_of(const Instruction *code, bool copy) {
    if (code && simulator::called_by(*code->llvm) == "wait_group_events") return "wait";
    return copy ? "copy" : "barrier";
}

static void divergence(const char *message, Scene &scene, Findings &findings) {
    const oclgrind::WorkGroup *group = scene.invocation().getCurrentWorkGroup();
    const char *only = strstr(message, "Only ");
    const bool copy = strstr(message, "(async copy)") != nullptr;
    Finding finding;
    finding.kind = Kind::Divergence;
    finding.first = current_deed("", scene);
    finding.first.access = word_of(finding.first.code, copy);
    unsigned long long arrived = 0, of = 0;
    if (only && sscanf(only, "Only %llu out of %llu", &arrived, &of) == 2) {
        finding.arrived = arrived;
        finding.of = of;
        if (copy)
            finding.first.access = "copy"; // which the wait here is for; its work-items go on already
        else
            find_absent(finding, *group, scene);
    } else if (group && group->getCurrentBarrier()) {
        const llvm::Instruction *barrier = group->getCurrentBarrier();
        const bool fences = finding.first.code && finding.first.code->llvm == barrier && !copy;
        if (fences && simulator::called_by(*barrier) != "wait_group_events") return; // of the same barrier
        finding.has_second = true;
        finding.second.code = scene.code_of(barrier);
        finding.second.access = word_of(finding.second.code, copy);
        finding.second.item = waiting_in(*group, scene);
    }
    findings.add(finding);
}

static void other(const char *message, Scene &scene, Findings &findings) {
    const std::string text(message, strcspn(message, "\n"));
    Finding finding;
    finding.first = current_deed("", scene);
    finding.text = text;
    if (text.find("event") != std::string::npos) finding.kind = Kind::Event;
    if (text.find("aligned") != std::string::npos) finding.kind = Kind::Alignment;
    if (finding.kind == Kind::Fault) finding.text = message;
    findings.add(finding);
}

void take_message(const char *message, Scene &scene, Findings &findings) {
    long long index = 0, limit = 0;
    if (sscanf(message, "Index (%lld) exceeds static array size (%lld)", &index, &limit) == 2)
        row(index, limit, scene, findings);
    else if (strncmp(message, "Work-group divergence", 21) == 0)
        divergence(message, scene, findings);
    else
        other(message, scene, findings);
}

} // namespace check
