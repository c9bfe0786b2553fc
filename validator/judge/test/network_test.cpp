// SPDX-License-Identifier: Apache-2.0
//
// Deliberately broken engines run the validator network (models/validator) without the judge. The
// checks of the network must detect each fault.
#include <array>
#include <cstring>
#include <map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "interpret/observers/checks.hpp"
#include "judge/test/mutant_run.hpp"
#include "sme/load.hpp"

using namespace sme;
using namespace sme::test;

namespace {

constexpr std::uint64_t from = 10, cycles = 24; // a fault starts in one of three cycles

/// The first and the last process of each kind.
constexpr const char* processes[] = {"checker",  "worker[0]", "worker[3]", "worker[5]",
                                     "relay[0]", "relay[2]",  "other"};

class NetworkRun : public MutantRun {
public:
    NetworkRun() : MutantRun{network().graph()} {}

    /// Tests whether every check of the network was reached and held.
    bool passes() const {
        bool all = true;
        std::size_t checks = 0;
        run(cycles, nullptr, [&](engine::Engine& engine) {
            for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
                if (const interpret::Verdicts* found = interpret::verdicts_of(engine.group(f)))
                    for (const interpret::Verdict& check : *found) {
                        ++checks;
                        all = all && check.kind == CheckResult::Kind::passed;
                    }
        });
        CHECK(checks == 3);
        return all;
    }

    std::uint64_t element(const std::string& bus) const {
        for (const BusFamily& family : graph.buses)
            if (family.name == bus)
                return family.first;
        FAIL(bus);
        return 0;
    }

private:
    static const LoadedNetwork& network() {
        static const LoadedNetwork loaded =
            load(SME_SOURCE_DIR "/models/validator/network.yaml", {.parameters = {{"n", "6"}}});
        return loaded;
    }
};

class Caught {
public:
    /// Injects a fault into a separate run.
    void expect(const std::string& name, const std::function<void(NetworkRun&)>& change) {
        NetworkRun run;
        change(run);
        CAPTURE(name);
        const bool noticed = !run.passes();
        CHECK(noticed);
        ++all_;
        caught_ += noticed;
    }
    ~Caught() { MESSAGE("noticed " << caught_ << " of " << all_); }

private:
    int all_ = 0;
    int caught_ = 0;
};

/// Returns a step that is wrong in one cycle, in one part of its process or in all.
EvilStep wrong_in(std::uint64_t cycle, const EvilStep& wrong, int only_part = -1) {
    return [=](Group& real, unsigned part, Range range, const Frame& frame) {
        if (frame.cycle == cycle && (only_part < 0 || part == static_cast<unsigned>(only_part)))
            wrong(real, part, range, frame);
        else
            real.step(part, range, frame);
    };
}

void twice(Group& real, unsigned part, Range range, const Frame& frame) {
    real.step(part, range, frame);
    real.step(part, range, frame);
}

void not_at_all(Group&, unsigned, Range, const Frame&) {}

/// Reads values in the cycle in which they are written; where none is written yet, the old ones.
void too_early(Group& real, unsigned part, Range range, const Frame& frame) {
    Frame early = frame;
    early.read = frame.write;
    real.step(part, range, early);
}

EvilStep a_cycle_late(std::uint64_t cycle) {
    return [=](Group& real, unsigned part, Range range, const Frame& frame) {
        if (frame.cycle == cycle)
            return;
        real.step(part, range, frame);
        if (frame.cycle == cycle + 1)
            real.step(part, range, frame);
    };
}

enum class Seen : std::uint8_t { before, first, zero };

/// From a cycle on, readers of a bus see the correct value of the previous cycle, of the first
/// cycle, or zero.
void change_bus(NetworkRun& run, std::uint64_t element, Seen seen) {
    const std::size_t bytes = run.graph.family_of(element).type->size();
    run.between = [=, kept = std::vector<std::byte>(bytes)](engine::Engine& engine,
                                                            std::uint64_t cycle) mutable {
        std::byte* const slot = read_slot(engine, element);
        const std::vector<std::byte> right{slot, slot + bytes};
        if (cycle >= from && seen == Seen::zero)
            std::memset(slot, 0, bytes);
        else if (cycle >= from)
            std::memcpy(slot, kept.data(), bytes);
        if (cycle < from || seen == Seen::before)
            kept = right;
    };
}

/// Changes the slots of a family's ports.
using Change = std::function<void(std::vector<PortSlots>& ports)>;
std::shared_ptr<const GroupFactory> with_moved_ports(std::shared_ptr<const GroupFactory> real,
                                                     Change change) {
    return std::make_shared<const GroupFactory>(
        [real = std::move(real), change = std::move(change)](const Build& build) {
            Build changed = build;
            change(changed.ports);
            return real->build(changed);
        });
}

/// Returns the offsets with the second one replaced.
Segments moved(const Segments& offsets, std::int64_t second) {
    Segments result;
    for (std::uint64_t k = 0; k < offsets.size(); ++k)
        result.append(k == 1 ? second : offsets.at(k));
    return result;
}

} // namespace

TEST_CASE("the validator network passes in an engine that is right") {
    NetworkRun run;
    for (run.threads = 1; run.threads <= 2; ++run.threads)
        CHECK(run.passes());
}

TEST_CASE("the validator network notices a process that runs twice, not at all, early or late") {
    Caught caught;
    const std::map<std::string, EvilStep> faults = {
        {"twice", twice}, {"not at all", not_at_all}, {"too early", too_early}};
    for (const std::string process : processes)
        for (std::uint64_t cycle = from; cycle < from + 3; ++cycle) {
            for (const auto& [name, fault] : faults)
                caught.expect(fmt::format("{} runs {} in cycle {}", process, name, cycle),
                              [&, step = fault](NetworkRun& run) {
                                  run.replace_one(process, wrong_in(cycle, step));
                              });
            caught.expect(fmt::format("{} runs late in cycle {}", process, cycle),
                          [&](NetworkRun& run) { run.replace_one(process, a_cycle_late(cycle)); });
            const NetworkRun whole;
            const auto parts = whole.graph.processes[whole.family(process)].parts.size();
            for (int part = 0; part < static_cast<int>(parts); ++part)
                caught.expect(fmt::format("part {} of {} is left out", part, process),
                              [&](NetworkRun& run) {
                                  run.replace_one(process, wrong_in(cycle, not_at_all, part));
                              });
        }
}

TEST_CASE(
    "the validator network notices a bus that is not propagated, late, lost, or begins wrong") {
    Caught caught;
    const Graph graph = NetworkRun{}.graph;
    const std::map<std::string, Seen> faults = {
        {"comes late", Seen::before}, {"stays", Seen::first}, {"is lost", Seen::zero}};
    for (const BusFamily& bus : graph.buses)
        for (std::uint64_t k = 0; !bus.wire() && k < bus.count; ++k) {
            for (const auto& [name, seen] : faults)
                caught.expect(
                    fmt::format("'{}' {}", bus.element_name(bus.first + k), name),
                    [&, kind = seen](NetworkRun& run) { change_bus(run, bus.first + k, kind); });
            caught.expect(fmt::format("'{}' begins wrong", bus.element_name(bus.first + k)),
                          [&](NetworkRun& run) {
                              run.before = [&](engine::Engine& engine) {
                                  *read_slot(engine, bus.first + k) = std::byte{1};
                              };
                          });
        }
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f)
        for (std::uint64_t k = 0;
             !graph.processes[f].memories.empty() && k < graph.processes[f].count; ++k)
            caught.expect(
                fmt::format("the memory of {} is lost", graph.processes[f].instance_name(k)),
                [&](NetworkRun& run) {
                    run.between = [&, f, k](engine::Engine& engine, std::uint64_t cycle) {
                        if (cycle == from)
                            engine.access().write_words(f, 0, k, 0, std::array{std::byte{0}});
                    };
                });
}

TEST_CASE("the validator network notices wrong orders, delays and slots") {
    Caught caught;
    caught.expect("the readers of wires run before their writers", [](NetworkRun& run) {
        run.before = [&run](engine::Engine& engine) {
            reverse_wires(engine, run.family("relay[0]"));
        };
    });
    for (const std::uint32_t delay : {2U, 4U})
        caught.expect(fmt::format("a delay of {}", delay), [&](NetworkRun& run) {
            for (BusFamily& bus : run.graph.buses)
                if (bus.delay == 3)
                    bus.delay = delay;
        });
    caught.expect("a delay line that misses a cycle", [](NetworkRun& run) {
        run.before = [other = std::shared_ptr<EvilGroup>{}](engine::Engine& engine) mutable {
            for (engine::Item& item : schedule_of(engine).items)
                if (auto* const line = dynamic_cast<engine::DelayLine*>(item.steps)) {
                    other = std::make_shared<EvilGroup>(*line, wrong_in(from, not_at_all));
                    item.steps = other.get();
                }
        };
    });
    const auto without_write = [&](const char* bus, bool holds) {
        caught.expect(
            fmt::format("'{}' {}", bus, holds ? "holds" : "is zero"), [&](NetworkRun& run) {
                const std::size_t slot = offset_of(run, run.element(bus));
                run.replace("other",
                            [=](Group& real, unsigned part, Range range, const Frame& frame) {
                                real.step(part, range, frame);
                                std::byte* const value = frame.write + slot;
                                if (frame.cycle % 3 != 1 && holds)
                                    std::memcpy(value, frame.read + slot, 4);
                                else if (frame.cycle % 3 != 1)
                                    std::memset(value, 0, 4);
                            });
            });
    };
    without_write("seldom", true);
    without_write("kept", false);
    const auto with_ports = [&](const char* name, const Change& change) {
        caught.expect(name, [&](NetworkRun& run) {
            ProcessFamily& workers = run.graph.processes[run.family("worker[1]")];
            REQUIRE(workers.ports[1].name == "y");
            workers.kind = with_moved_ports(workers.kind, change);
        });
    };
    with_ports("two workers write one slot", [](std::vector<PortSlots>& ports) {
        ports[1].offsets = moved(ports[1].offsets, ports[1].offsets.at(2));
    });
    with_ports("a worker reads an answer for the question", [](std::vector<PortSlots>& ports) {
        ports[0].offsets = moved(ports[0].offsets, ports[1].offsets.at(2));
    });
}

// Some race deliberately, which ThreadSanitizer would report.
#if !defined(__SANITIZE_THREAD__)
TEST_CASE("the validator network notices tasks that are lost or repeated") {
    Caught caught;
    for (const QueueFault& fault : queue_faults)
        caught.expect(fault.name, [&](NetworkRun& run) { fault.put_into(run); });
}
#endif
