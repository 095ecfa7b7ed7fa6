// With which other value of one integer argument two work-items would meet in memory, or an access would leave it,
// as far as addresses are affine. These are guesses: clue.check.run launches the kernel with each, and tells only
// what it then finds.
#pragma once
#include "access.h"
#include "affine.h"

#include <set>

namespace check {

class Guesses {
  public:
    // tried: the values that are tried anyway; null: nothing is guessed
    Guesses(Scene &scene, const Places &places, Findings &findings, const char *tried);
    void begin_launch();
    void executed(const oclgrind::WorkItem &item, const llvm::Instruction &instruction,
                  const oclgrind::TypedValue &result);
    // Before a valid access is made. phase: what a barrier changes that orders this memory
    void access(const Access &access, uint32_t phase);
    void end_item(const oclgrind::WorkItem &item);
    void end_launch();

  private:
    struct Touched {
        uint32_t item, phase;
        int64_t offset, size;
        Rates rates;
        Spans spans;
    };
    // What an instruction did with one piece of memory.
    struct Site {
        const Instruction *code;
        Manner manner;
        uint64_t bytes = 0; // of the memory
        int argument = -1;  // of the kernel that it is
        std::vector<Touched> touched;
        bool uniform = true; // all have the same rates
    };
    using Place = std::tuple<uint32_t, uint64_t, uint64_t>; // space, whose it is, and where it begins

    Scene &m_scene;
    const Places &m_places;
    Findings &m_findings;
    Affine m_affine;
    bool m_guesses;
    std::set<int64_t> m_tried;
    std::set<std::string> m_launched; // kernels, with their numbers
    std::map<Place, std::map<std::pair<const llvm::Instruction *, Manner>, Site>> m_memories;
    // The simplest value by kind, places, which number, and the argument whose memory an access would leave.
    std::map<std::tuple<Kind, const Instruction *, const Instruction *, unsigned, int>, int64_t> m_best;
    size_t m_most = 0; // of a work-item at one site

    bool is_open(unsigned which, int64_t change) const;
    void guess(Kind kind, const Instruction *first, const Instruction *second, unsigned which, int argument,
               int64_t change);
    void guess_meetings(const Site &a, const Site &b, bool is_shared);
    void guess_ends(const Site &site);
    bool find_change(const Touched &a, const Touched &b, unsigned which, int64_t &change_out) const;
};

} // namespace check
