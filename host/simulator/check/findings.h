// What is wrong with a launch: each fault once, however often it happens. A fault is told to the process that reads
// as soon as it is found, so that a kernel that hangs or crashes later takes nothing along.
#pragma once
#include "places.h"

namespace check {

enum class Kind : uint8_t {
    Race,          // two touches that nothing orders
    SameValue,     // the same, but both store the same value
    OnlyAtomics,   // the same, but atomic operations of both groups lie between
    Bounds,        // outside an object, or a row of it
    Uninitialised, // a read of what nobody has written
    Divergence,    // not all of a group's work-items come to a barrier or a copy
    ReadOnly,      // a write to a buffer that the host made for reading
    WriteOnly,     // and the other way round
    Mapped,        // an access of what the host has mapped
    Event,         // an asynchronous copy that nobody waits for
    Alignment,
    Inexact,    // an int that was computed in a floating-point number too small for it
    Arithmetic, // a result that the language leaves open: a division by zero, a number that its type does not hold
    Shift,      // by the type's width or more, of which the rest counts
    Recursion,  // a function that calls itself, perhaps through others
    Printf,     // an argument that does not fit its conversion
    Fault       // the simulator cannot go on
};

// Who did something, and where.
struct Deed {
    static const uint32_t nobody = UINT32_MAX; // as item: the code itself
    const Instruction *code = nullptr;         // null: not to be seen
    const char *access = "";                   // "read", "write", "atomic", "barrier", ...
    uint32_t item = 0;                         // as in Touch
};

struct Finding {
    Kind kind = Kind::Fault;
    Deed first, second; // the second of a race, or of two barriers
    bool has_second = false;
    Object object;
    size_t bytes = 0;                                                                      // of the access
    bool within_group = false, wrong_fence = false, in_loop = false, wait_between = false; // of a race
    bool unfenced = false; // of a race: an atomic function tells of the first touch, but without a fence
    int64_t index = 0,
            limit = 0; // of a row: the index, and how many there are; of Inexact: the bound, and the number's bytes
    uint64_t arrived = 0, of = 0; // of a barrier: how many work-items
    std::string text;             // the simulator's, if nothing else says what is wrong
    const char *manner = nullptr; // of arithmetic: which operation; of a barrier: in what two work-items differ
    std::string operands;         // of arithmetic: "100 / 0"
    bool of_field = false;        // an index outside an array that is a field of a struct, though inside the struct
    std::string field;            // its name, if that is to be seen
};

// Places in a program's text, by file and line, and what is said of them.
using Marks = std::map<std::pair<std::string, uint32_t>, bool>;

class Findings {
  public:
    explicit Findings(int descriptor);
    void begin(const oclgrind::KernelInvocation &invocation, uint32_t numbers);
    // atomics: whether the launch used atomic functions; counters: and the values that they gave
    void end(bool atomics, bool counters);
    void add(const Finding &finding);
    // What is found later in this launch at the same place, or at any if the kernel is recursive, only follows.
    void forbid(const Finding &finding);
    // Tells a value of an argument with which something may be found at one or two places. argument: the memory
    // that an access would leave
    void guess(Kind kind, const Instruction *first, const Instruction *second, const std::string &name,
               int64_t value, int argument);
    // lines: whether a work-item came there; loops with a barrier: whether one had a second turn
    void reach(const Marks &lines, const Marks &loops);
    // Whether a place was found out of bounds in this launch.
    bool has(Kind kind, const Instruction *code) const;

  private:
    Stream m_stream;
    const oclgrind::KernelInvocation *m_invocation = nullptr;
    uint32_t m_numbers = 1, m_launches = 0;
    std::map<std::string, uint32_t> m_known; // the numbers of findings, of all launches
    std::map<uint32_t, uint64_t> m_times;    // of this launch
    std::map<std::string, uint32_t> m_here;  // by what is fast to make
    std::set<const Instruction *> m_forbidden;
    bool m_recursive = false;

    void record(const Finding &finding);

    static void write_place(Writer &to, const Instruction &code);
    std::string describe(const Finding &finding, uint32_t number) const;
    void write_deed(Writer &to, const char *name, const Deed &deed) const;
    void write_item(Writer &to, uint32_t item) const;
};

} // namespace check
