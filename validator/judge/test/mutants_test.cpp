// SPDX-License-Identifier: Apache-2.0
//
// Runs in which part of the engine, or a group, deliberately breaks an invariant. The judge must
// detect each and name the invariant.
#include <algorithm>
#include <cstring>
#include <utility>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "judge/test/mutant_run.hpp"

using namespace sme;
using namespace sme::test;
using validator::Invariant;

namespace {

struct Mutant {
    const char* name;
    Invariant invariant;
    std::string culprit; // the process or bus that the report must name
    std::function<void(Run&)> change;
};

std::byte* writable(const std::byte* bytes) {
    return const_cast<std::byte*>(bytes);
}

std::vector<Mutant> queue_mutants() {
    std::vector<Mutant> mutants;
    for (const QueueFault& fault : queue_faults)
        mutants.push_back(
            {fault.name, Invariant::ran_once, "", [&](Run& run) { fault.put_into(run); }});
    return mutants;
}

std::vector<Mutant> schedule_mutants() {
    return {
        {"a schedule steps a wire's reader before its writer", Invariant::wire_order, "follow_on",
         [](Run& run) {
             run.before = [&run](engine::Engine& engine) {
                 reverse_wires(engine, run.family("follow"));
             };
         }},
        {"a schedule leaves out what an instance shows on a wire", Invariant::ran_once, "follow",
         [](Run& run) {
             run.before = [&run](engine::Engine& engine) {
                 auto& items = schedule_of(engine).items;
                 const std::uint32_t family = run.family("follow");
                 items.erase(std::find_if(items.begin(), items.end(), [&](const auto& item) {
                     return item.group == family && item.part == 0;
                 }));
             };
         }},
    };
}

std::vector<Mutant> barrier_mutants() {
    return {
        {"a barrier is left before a process has run", Invariant::ran_once, "node[3]",
         [](Run& run) { // seen from the end of the cycle: its step is one cycle late
             run.before = [&run](engine::Engine& engine) {
                 for (engine::Item& item : schedule_of(engine).items)
                     if (item.group == run.family("node[3]") && item.range.count > 3) {
                         item.range.count = 3;
                         return;
                     }
             };
         }},
        {"a value goes round the barrier: it is seen in the cycle in which it is written",
         Invariant::read_constant, "node[4]",
         [](Run& run) {
             const std::size_t slot = offset_of(run, run.sample.token[4].id());
             run.replace_one(
                 "node[4]", [slot](Group& real, unsigned part, Range range, const Frame& frame) {
                     real.step(part, range, frame);
                     if (frame.cycle == 5)
                         std::memcpy(writable(frame.read) + slot, frame.write + slot, sizeof(int));
                 });
         }},
        {"a stray write into what is read, by a pointer that was kept", Invariant::read_constant,
         "token[6]",
         [](Run& run) {
             auto bytes = std::make_shared<std::byte*>(nullptr);
             const std::uint64_t element = run.sample.token[6].id();
             run.between = [bytes, element](engine::Engine& engine, std::uint64_t) {
                 *bytes = read_slot(engine, element);
             };
             run.replace_one("taker",
                             [bytes](Group& real, unsigned part, Range range, const Frame& frame) {
                                 real.step(part, range, frame);
                                 if (frame.cycle == 5)
                                     **bytes ^= std::byte{1};
                             });
         }},
        {"a swap too many: what was read before is read again", Invariant::read_matches, "token[0]",
         [](Run& run) {
             auto kept = std::make_shared<std::vector<int>>(8);
             run.between = [kept, &run](engine::Engine& engine, std::uint64_t cycle) {
                 for (std::uint64_t k = 0; k < 8; ++k) {
                     std::byte* const slot = read_slot(engine, run.sample.token[k].id());
                     int now = 0;
                     std::memcpy(&now, slot, sizeof now);
                     if (cycle == 6)
                         std::memcpy(slot, &(*kept)[k], sizeof now);
                     (*kept)[k] = now;
                 }
             };
         }},
        {"a bus is not propagated", Invariant::read_matches, "pulse",
         [](Run& run) {
             run.between = [&run](engine::Engine& engine, std::uint64_t cycle) {
                 if (cycle == 7) // written in 7
                     std::memset(read_slot(engine, run.sample.pulse.id()), 0, sizeof(Pair));
             };
         }},
        {"a bus begins with another value", Invariant::initial, "late",
         [](Run& run) {
             run.before = [&run](engine::Engine& engine) {
                 *read_slot(engine, run.sample.late.id()) = std::byte{8};
             };
         }},
        {"a wire is written again after it has settled", Invariant::wire_settled, "wire",
         [](Run& run) {
             const std::size_t slot = offset_of(run, run.sample.wire.id());
             run.replace_one("delayed",
                             [slot](Group& real, unsigned part, Range range, const Frame& frame) {
                                 if (frame.cycle == 5)
                                     frame.write[slot] ^= std::byte{1};
                                 real.step(part, range, frame);
                             });
         }},
    };
}

std::vector<Mutant> write_mutants() {
    /// A process that also writes a byte of another bus.
    const auto meddler = [](const char* process, auto bus, std::size_t byte, std::byte what) {
        return [=](Run& run) {
            const std::size_t slot = offset_of(run, bus(run).id()) + byte;
            run.replace_one(
                process, [slot, what](Group& real, unsigned part, Range range, const Frame& frame) {
                    real.step(part, range, frame);
                    if (frame.cycle == 4) // the cycle in which "seldom" writes
                        frame.write[slot] = what;
                });
        };
    };
    const auto pulse = [](Run& run) { return run.sample.pulse; };
    const auto after = [](const char* process, auto bus, std::size_t byte, std::byte what) {
        return [=](Run& run) {
            const std::size_t slot = offset_of(run, bus(run).id()) + byte;
            const std::size_t parts = run.graph.processes[run.family(process)].parts.size();
            run.replace_one(process, [slot, parts, what](Group& real, unsigned part, Range range,
                                                         const Frame& frame) {
                real.step(part, range, frame);
                if (part + 1 == parts && frame.cycle == 4)
                    frame.write[slot] = what;
            });
        };
    };
    return {
        {"a struct is torn: a field of it is of another cycle", Invariant::one_writer, "pulse",
         meddler("delayed", pulse, 2, std::byte{3})},
        {"a write is lost", Invariant::one_writer, "pulse",
         meddler("delayed", pulse, 0, std::byte{0})},
        {"a process writes the bus of another one", Invariant::one_writer, "held",
         meddler(
             "taker", [](Run& run) { return run.sample.held; }, 2, std::byte{9})},
        {"a process writes the state of nobody's bus", Invariant::unwritten_rule, "constant",
         [](Run& run) {
             run.between = [&run](engine::Engine& engine, std::uint64_t cycle) {
                 if (cycle == 4)
                     *read_slot(engine, run.sample.constant.id()) = std::byte{1};
             };
         }},
        {"a bool becomes 2", Invariant::canonical, "seldom",
         after("seldom", pulse, 0, std::byte{2})},
        {"bits above the width of a signed integer", Invariant::canonical, "follow",
         after(
             "follow", [](Run& run) { return run.sample.small; }, 1, std::byte{0x20})},
    };
}

std::vector<Mutant> prepare_mutants() {
    const auto instead = [](const char* process, const EvilStep& step) {
        return [=](Run& run) { run.replace_one(process, step); };
    };
    const auto filled = [](auto bus, const char* process, bool hold) {
        return [=](Run& run) { // leaves its slot unwritten, and prepares it wrongly
            const std::uint64_t element = bus(run).id();
            const std::size_t slot = offset_of(run, element);
            const std::size_t value = run.graph.family_of(element).type->size();
            const std::size_t marks = slot_size(run.graph.family_of(element)) - value;
            run.replace_one(process,
                            [=](Group& real, unsigned part, Range range, const Frame& frame) {
                                real.step(part, range, frame);
                                if (frame.cycle % 3 == 1)
                                    return; // writes
                                if (hold)
                                    std::memcpy(frame.write + slot, frame.read + slot, value);
                                else
                                    std::memset(frame.write + slot, 0, value);
                                std::memset(frame.write + slot + value, 0, marks);
                            });
        };
    };
    const auto pulse = [](Run& run) { return run.sample.pulse; };
    const auto held = [](Run& run) { return run.sample.held; };
    return {
        {"a group skips a process", Invariant::prepared, "node[5]",
         instead("node[5]",
                 [](Group& real, unsigned part, Range range, const Frame& frame) {
                     if (frame.cycle != 5)
                         real.step(part, range, frame);
                 })},
        {"a group skips a process that writes seldom", Invariant::prepared, "seldom",
         instead("seldom",
                 [](Group& real, unsigned part, Range range, const Frame& frame) {
                     if (frame.cycle != 6)
                         real.step(part, range, frame);
                 })},
        {"a stale read: a field keeps what it had two cycles ago", Invariant::prepared, "seldom",
         [](Run& run) {
             const std::size_t slot = offset_of(run, run.sample.pulse.id());
             run.replace_one("seldom",
                             [slot](Group& real, unsigned part, Range range, const Frame& frame) {
                                 std::array<std::byte, 8> before{};
                                 std::memcpy(before.data(), frame.write + slot, before.size());
                                 real.step(part, range, frame);
                                 if (frame.cycle == 6)
                                     std::memcpy(frame.write + slot, before.data(), before.size());
                             });
         }},
        {"a field holds that should be zero", Invariant::unwritten_rule, "pulse",
         filled(pulse, "seldom", true)},
        {"a field is zero that should hold", Invariant::unwritten_rule, "held",
         filled(held, "holder", false)},
        {"a wire is not written", Invariant::prepared, "follow",
         [](Run& run) {
             run.replace_one("follow",
                             [](Group& real, unsigned part, Range range, const Frame& frame) {
                                 if (part != 0 || frame.cycle != 5)
                                     real.step(part, range, frame);
                             });
         }},
    };
}

std::vector<Mutant> delay_mutants() {
    const auto lasting = [](std::uint32_t cycles) {
        return [=](Run& run) {
            run.before = [&run, cycles](engine::Engine& engine) {
                static std::unique_ptr<engine::DelayLine> other;
                BusFamily bus = run.bus(run.sample.late);
                bus.delay = cycles;
                const auto b =
                    static_cast<std::size_t>(&run.bus(run.sample.late) - run.graph.buses.data());
                other = std::make_unique<engine::DelayLine>(bus, engine.layout().buses[b],
                                                            std::vector<Range>{{0, bus.count}});
                replace_delay(engine, *other);
            };
        };
    };
    return {
        {"a delay one short", Invariant::delay, "late", lasting(2)},
        {"a delay one long", Invariant::delay, "late", lasting(4)},
        {"a delay line that misses a cycle", Invariant::delay, "late",
         [](Run& run) {
             run.before = [](engine::Engine& engine) {
                 static std::unique_ptr<EvilGroup> other;
                 for (engine::Item& item : schedule_of(engine).items)
                     if (auto* const line = dynamic_cast<engine::DelayLine*>(item.steps)) {
                         other = std::make_unique<EvilGroup>(
                             *line,
                             [](Group& real, unsigned part, Range range, const Frame& frame) {
                                 if (frame.cycle != 8)
                                     real.step(part, range, frame);
                             });
                         item.steps = other.get();
                         return;
                     }
             };
         }},
        {"a layout gives one reader another slot", Invariant::same_for_all, "taker",
         [](Run& run) {
             run.judge->mislead = [&run](const Audited& real) {
                 const std::uint32_t family = run.family("taker");
                 Segments slots;
                 for (std::uint64_t k = 0; k < run.graph.processes[family].count; ++k)
                     slots.append(real.port_slots(family, 0).at(k) +
                                  (k == run.place("taker") ? 64 : 0));
                 return std::make_unique<EvilAudited>(real, family, 0, slots);
             };
         }},
        {"a layout puts two buses into one slot", Invariant::same_for_all, "token[1]",
         [](Run& run) {
             run.judge->mislead = [&run](const Audited& real) {
                 const std::uint32_t family = run.family("node[1]");
                 Segments slots;
                 for (std::uint64_t k = 0; k < run.graph.processes[family].count; ++k)
                     slots.append(
                         real.port_slots(family, 1).at(k == run.place("node[1]") ? k - 1 : k));
                 return std::make_unique<EvilAudited>(real, family, 1, slots);
             };
         }},
    };
}

} // namespace

// Some mutants race deliberately, which ThreadSanitizer would report.
#if defined(__SANITIZE_THREAD__)
constexpr bool races_are_reported = true;
#else
constexpr bool races_are_reported = false;
#endif

TEST_CASE("every mutant is caught, by the invariant that it breaks" *
          doctest::skip(races_are_reported)) {
    std::vector<Mutant> all;
    for (auto make : {queue_mutants, schedule_mutants, barrier_mutants, write_mutants,
                      prepare_mutants, delay_mutants})
        for (Mutant& mutant : make())
            all.push_back(std::move(mutant));
    CHECK(all.size() >= 24);
    std::string table;
    std::size_t caught = 0;
    for (const Mutant& mutant : all) {
        Run run;
        mutant.change(run);
        const auto violations = run.violations();
        const auto fits = [&](const validator::Violation& found) {
            return found.invariant == mutant.invariant &&
                   (mutant.culprit.empty() || found.process == mutant.culprit ||
                    found.bus == mutant.culprit);
        };
        const bool good = std::any_of(violations.begin(), violations.end(), fits);
        caught += good;
        table += fmt::format("{:<14} {}\n", good ? name_of(mutant.invariant) : "NOT CAUGHT",
                             mutant.name);
        if (!good)
            for (const validator::Violation& found : violations)
                table +=
                    fmt::format("    instead {}: {}\n", name_of(found.invariant), sentence(found));
    }
    MESSAGE(table << "caught " << caught << " of " << all.size());
    CHECK(caught == all.size());
}

TEST_CASE("without a mutant the same runs are right") {
    for (const unsigned threads : {1U, 2U}) {
        Run run;
        run.threads = threads;
        run.with_plan = [](engine::Engine& engine) {
            change_queue(engine, [](engine::TaskLists&) {});
        };
        if (threads == 1)
            run.with_plan = {};
        CHECK(run.violations().empty());
    }
}
