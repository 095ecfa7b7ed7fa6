// How values depend on the numbers that a launch gives its kernel, as far as that is affine: what a value grows by
// when an argument grows by one. Values follow variables and calls, not memory that work-items share. And which
// changes of an argument let a work-item take the same way: the comparisons that it came by must come out as
// before.
#pragma once
#include "scene.h"

#include <array>

namespace oclgrind {
struct TypedValue;
} // namespace oclgrind

namespace check {

enum { MostNumbers = 8 }; // integer arguments that are followed, by their order

struct Rates {
    std::array<int64_t, MostNumbers> of{};
    uint8_t unknown = 0; // bits: of those on which it depends in another way

    bool any() const;
    bool operator==(const Rates &other) const;
};

// How far each argument may change, down and up.
struct Span {
    int64_t low = INT64_MIN, high = INT64_MAX;

    // Only changes with which rate * change is at most so much.
    void limit(int64_t rate, int64_t most);
};
using Spans = std::array<Span, MostNumbers>;

enum class Relation : uint8_t { None, Less, LessOrEqual, Greater, GreaterOrEqual, Equal };

// A value: of a comparison, the relation of a difference to 0 that it found, and the rates of the difference.
struct Form {
    Rates rates;
    Relation relation = Relation::None;
    int64_t difference = 0;
};

// An integer argument of the kernel.
struct Number {
    unsigned argument;
    std::string name;
    int64_t value, least, most; // what the launch gave, and what its type holds
};

class Affine {
  public:
    explicit Affine(const Scene &scene);
    // A launch begins whose numbers are followed, or are not.
    void begin_launch(bool follows);
    void executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                  const oclgrind::TypedValue &result);
    void end_item(const oclgrind::WorkItem &item);
    // Empty where nothing is followed.
    const std::vector<Number> &numbers() const;
    // Of the address that an instruction accesses.
    Rates address(const oclgrind::WorkItem &item, const llvm::Instruction &access, bool writes);
    Spans spans(const oclgrind::WorkItem &item);

  private:
    struct Way {
        bool first; // whether the first successor was taken
        Spans spans;
    };
    struct Item {
        std::unordered_map<const llvm::Value *, Form> values;
        std::unordered_map<uint64_t, Form> memory; // private, by address
        std::unordered_map<const llvm::Instruction *, Way> ways;
    };

    const Scene &m_scene;
    std::vector<Number> m_numbers;
    std::unordered_map<const llvm::Value *, Form> m_arguments;
    std::unordered_map<const oclgrind::WorkItem *, Item> m_items;
    const oclgrind::WorkItem *m_last = nullptr; // and what is known of it
    Item *m_its = nullptr;

    Item &of(const oclgrind::WorkItem &item);
    const Form *form(const llvm::Value *value) const;
    void set(const llvm::Value *value, const Form *form);
    Rates rates(const llvm::Value *value) const;
    Form computed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const;
    Form product(const oclgrind::WorkItem &item, const llvm::User &of) const;
    Form compared(const oclgrind::WorkItem &item, const llvm::Instruction &instruction) const;
    Rates element(const llvm::User &place) const;
    void branch(const oclgrind::WorkItem &item, const llvm::Instruction &branch);
    void call(const llvm::Instruction &call);
    void back(const oclgrind::WorkItem &item, const llvm::Instruction &end);
};

} // namespace check
