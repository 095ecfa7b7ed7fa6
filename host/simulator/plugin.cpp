// Oclgrind's plugin for `clue count` and `clue check`. Oclgrind loads it because OCLGRIND_PLUGINS names it; what it
// then does, and to which descriptor it writes, CLUE_COUNT_FD or CLUE_CHECK_FD says. Without either it does
// nothing. CLUE_CHECK_SCHEDULE is the number of a schedule, see check/schedule.h; CLUE_CHECK_TRIED, "1,0", the
// values of numbers that are tried anyway, see check/guesses.h.
#include "check/checker.h"
#include "count/counter.h"

#include "oclgrind.h"

#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

// Each context has its own: what one frees, another may still tell its plugins of.
static std::map<oclgrind::Context *, std::vector<std::unique_ptr<oclgrind::Plugin>>> plugins;

// Oclgrind finds these by their names.
extern "C" __attribute__((visibility("default"))) void initializePlugins(oclgrind::Context *context);
extern "C" __attribute__((visibility("default"))) void releasePlugins(oclgrind::Context *context);

static uint32_t schedule() {
    const char *number = getenv("CLUE_CHECK_SCHEDULE");
    return number ? static_cast<uint32_t>(strtoul(number, nullptr, 10)) : 0;
}

void initializePlugins(oclgrind::Context *context) {
    auto &own = plugins[context];
    if (const char *descriptor = getenv("CLUE_COUNT_FD"))
        own.push_back(count::new_counter(context, atoi(descriptor)));
    if (const char *descriptor = getenv("CLUE_CHECK_FD"))
        own.push_back(check::new_checker(context, atoi(descriptor), schedule(), getenv("CLUE_CHECK_TRIED")));
    for (const auto &each : own)
        context->registerPlugin(each.get());
}

void releasePlugins(oclgrind::Context *context) {
    for (const auto &each : plugins[context])
        context->unregisterPlugin(each.get());
    plugins.erase(context);
}
