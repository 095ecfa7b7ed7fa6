// An access of memory, before it is made, and what a finding says of it.
#pragma once
#include "findings.h"
#include "races.h"
#include "scene.h"

#include "../copies.h"

namespace check {

struct Access {
    const oclgrind::Memory *memory;
    const oclgrind::WorkGroup *group;
    const oclgrind::WorkItem *item; // null: the group as a whole
    Manner manner;
    uint64_t address;
    size_t size;
    const uint8_t *data;
    bool exchanges = false;     // an atomic function that does not use the old value itself
    const Copy *copy = nullptr; // of the group as a whole, if it is known which one
};

bool writes(Manner manner);

// "read", "write" or "atomic".
const char *name_of(Manner manner);

// The instruction that makes it; null if that is not to be seen.
const llvm::Instruction *instruction_of(const Access &access);

Deed deed_of(const Access &access, Scene &scene);

Finding finding_of(Kind kind, const Access &access, Scene &scene, const Places &places);

} // namespace check
