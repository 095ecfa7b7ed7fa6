#include "access.h"

#include "../oclgrind.h"

namespace check {

bool writes(Manner manner) {
    return manner == Manner::Store || manner == Manner::AtomicStore;
}

const char *name_of(Manner manner) {
    static const char *const names[] = {"read", "write", "atomic", "atomic"};
    return names[static_cast<int>(manner)];
}

const llvm::Instruction *instruction_of(const Access &access) {
    if (access.item) return access.item->getCurrentInstruction();
    return access.copy ? access.copy->call : access.group->getCurrentBarrier();
}

Deed deed_of(const Access &access, Scene &scene) {
    Deed deed;
    deed.code = scene.code_of(instruction_of(access));
    deed.access = name_of(access.manner);
    deed.item = scene.number_of(*access.group, access.item);
    return deed;
}

Finding finding_of(Kind kind, const Access &access, Scene &scene, const Places &places) {
    Finding finding;
    finding.kind = kind;
    finding.first = deed_of(access, scene);
    finding.bytes = access.size;
    finding.object = places.find(finding.first.code, writes(access.manner), *access.memory, *access.group,
                                 access.item, access.address);
    return finding;
}

} // namespace check
