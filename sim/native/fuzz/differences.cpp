// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/differences.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "native/fuzz/child.hpp"
#include "native/fuzz/engine_run.hpp"

namespace sme::fuzz {

namespace {

/// Calls of one cycle each from the swap on, while files may be waiting.
std::vector<std::uint64_t> one_by_one(const Case& given) {
    constexpr std::uint64_t most = 40;
    const std::uint64_t single = std::min(most, given.cycles - given.swap);
    std::vector<std::uint64_t> calls(single, 1);
    calls.insert(calls.begin(), given.swap);
    calls.push_back(given.cycles - given.swap - single);
    return calls;
}

std::vector<Mode> modes_of(const Case& given) {
    const std::vector<std::uint64_t> whole{given.cycles};
    const std::vector<std::uint64_t> halves{given.swap, given.cycles - given.swap};
    std::vector<Mode> modes{{.name = "native", .calls = whole, .native = true},
                            {.name = fmt::format("native from cycle {}", given.swap),
                             .calls = halves,
                             .native = true,
                             .native_from = given.swap},
                            {.name = "interpreted, skipping", .calls = given.calls, .skips = true},
                            {.name = fmt::format("native from cycle {}, skipping", given.swap),
                             .calls = halves,
                             .native = true,
                             .native_from = given.swap,
                             .skips = true},
                            {.name = "native, unwatched",
                             .calls = given.calls,
                             .native = true,
                             .watched = false,
                             .kernel_threads = 2},
                            {.name = "native, unwatched, two threads",
                             .calls = given.calls,
                             .native = true,
                             .watched = false,
                             .two_threads = true,
                             .kernel_threads = 2}};
    modes.push_back({.name = fmt::format("native in files of {} bytes from cycle {}, {} threads",
                                         given.file_bytes, given.swap, given.file_bytes % 2 + 1),
                     .calls = one_by_one(given),
                     .native = true,
                     .native_from = given.swap,
                     .file_bytes = given.file_bytes,
                     .quick = given.swap % 3 != 0,
                     .two_threads = given.file_bytes % 2 == 1});
    // every range as a loop
    modes.push_back(
        {.name = "interpreted, with loops", .calls = halves, .skips = true, .loops_from = 1});
    modes.push_back({.name = fmt::format("native from cycle {}, with loops", given.swap),
                     .calls = halves,
                     .native = true,
                     .native_from = given.swap,
                     .loops_from = 1});
    modes.push_back({.name = "native, unwatched, with loops of 3 steps",
                     .calls = given.calls,
                     .native = true,
                     .watched = false,
                     .two_threads = true,
                     .kernel_threads = 2,
                     .loops_from = 3});
    for (const QueueKind queue : {QueueKind::fixed, QueueKind::atomic, QueueKind::stealing}) {
        const auto name = queue_names[static_cast<std::size_t>(queue)];
        modes.push_back({.name = fmt::format("interpreted, two threads, queue {}", name),
                         .calls = whole,
                         .two_threads = true,
                         .queue = queue,
                         .skips = queue != QueueKind::fixed});
        modes.push_back(
            {.name = fmt::format("native from cycle {}, two threads, queue {}", given.swap, name),
             .calls = halves,
             .native = true,
             .native_from = given.swap,
             .two_threads = true,
             .queue = queue,
             .skips = queue == QueueKind::stealing});
    }
    return modes;
}

/// The interpreter on one thread, compared wherever another mode is.
Mode reference(const Case& given) {
    Mode mode{.name = "interpreted", .calls = {}};
    std::uint64_t swap = given.swap;
    for (std::uint64_t call : given.calls) {
        if (swap > 0 && swap < call) {
            mode.calls.push_back(swap);
            call -= swap;
            swap = 0;
        }
        swap -= std::min(swap, call);
        mode.calls.push_back(call);
    }
    return mode;
}

std::string compare(const EngineRun& run, const EngineRun& expected) {
    return run.problem().empty() ? difference(run.graph(), run.seen(), expected.seen())
                                 : run.problem();
}

} // namespace

std::string differences(const Case& given, const native::CompilerSettings& settings, bool traps,
                        Tally& tally) {
    const test::Scratch folder;
    for (const auto& [name, text] : given.network.files)
        folder.write(name, text);
    const Mode interpreted = reference(given);
    const EngineRun expected{given, interpreted, settings, folder};
    if (!expected.problem().empty())
        return "interpreted: " + expected.problem();
    tally.faulted += expected.seen().ending == RunEnd::faulted;
    tally.halted += expected.seen().ending == RunEnd::halted;
    tally.failed += expected.seen().ending == RunEnd::check_failed;
    bool ran_native = false;
    for (const Mode& mode : modes_of(given)) {
        const EngineRun run{given, mode, settings, folder};
        if (const std::string what = compare(run, expected); !what.empty())
            return fmt::format("{}: {}", mode.name, what);
        ran_native = ran_native || run.seen().ran_native;
        tally.in_cycle_kernels += run.seen().in_cycle_kernels > 0;
        tally.in_shared_kernels += run.seen().in_shared_kernels > 0;
        tally.in_files += run.seen().files > 1;
        tally.quick += run.seen().ran_quick;
        tally.skipping += 10 * run.seen().steps.skipped > run.seen().steps.all;
        tally.threaded += run.seen().threads > 1;
        tally.swapped += !mode.two_threads && mode.native_from > 0 && run.seen().ran_native;
    }
    tally.native += ran_native;
    if (!traps || !ran_native)
        return {};
    const Mode trapped{
        .name = "native with traps", .calls = {given.cycles}, .native = true, .traps = true};
    const std::string what = said_by_child(
        [&] {
            return compare(EngineRun{given, trapped, settings, folder}, expected);
        },
        folder.path("said"));
    ++tally.trapped;
    return what.empty() ? what : fmt::format("{}: {}", trapped.name, what);
}

} // namespace sme::fuzz
