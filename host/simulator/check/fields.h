// Pointers to arrays that are fields of structs: what lies past the end of such an array, but inside its struct, is
// in memory, though no element. Oclgrind sees it where the array itself has an index; here, pointers are followed
// through variables and calls, not through memory that work-items share. A pointer to another type is taken for a
// look at the struct as a whole, and is not followed.
#pragma once
#include "access.h"

#include "llvm/IR/Operator.h"

namespace oclgrind {
struct TypedValue;
} // namespace oclgrind

namespace check {

class Fields {
  public:
    Fields(Scene &scene, const Places &places, Findings &findings);
    void begin_launch();
    void executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                  const oclgrind::TypedValue &result);
    // Before a valid access is made.
    void access(const Access &access);
    void end_item(const oclgrind::WorkItem &item);

  private:
    // An array, and the struct that it is a field of, as addresses.
    struct Field {
        const llvm::GEPOperator *place = nullptr; // where its address was computed
        llvm::Type *type = nullptr;               // its own; null: no field
        uint64_t first = 0, bytes = 0, whole_first = 0, whole_bytes = 0;

        bool holds(uint64_t address, uint64_t size) const;
    };
    // What variables hold: a pointer's value with it, since another one may be copied over it.
    struct Held {
        Field field;
        uint64_t pointer = 0;
    };
    struct Item {
        std::unordered_map<const llvm::Value *, Field> values;
        std::unordered_map<uint64_t, Held> memory; // private, by address
    };

    Scene &m_scene;
    const Places &m_places;
    Findings &m_findings;
    bool m_follows = false; // only where a field is an array
    std::unordered_map<const oclgrind::WorkItem *, Item> m_items;
    const oclgrind::WorkItem *m_last = nullptr; // and what is known of it
    Item *m_its = nullptr;

    void look_at(const oclgrind::WorkItem &item);
    Field field_of(const oclgrind::WorkItem &item, const llvm::Value *value) const;
    Field in_place(const oclgrind::WorkItem &item, const llvm::GEPOperator &place) const;
    Field chosen(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const;
    void set(const llvm::Value *value, const Field &field);
    void load(const oclgrind::WorkItem &item, const llvm::Instruction &load, const oclgrind::TypedValue &result);
    void store(const oclgrind::WorkItem &item, const llvm::Instruction &store);
    const llvm::Module &module() const;
};

} // namespace check
