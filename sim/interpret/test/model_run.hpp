// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/digest.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "interpret/test/yaml_run.hpp"
#include "runtime/observer.hpp"

namespace sme::test {

/// A digest of every bus in every cycle.
class BusDigest final : public Observer {
public:
    void open(const Observed& observed) override {
        for (std::size_t b = 0; b < observed.graph().buses.size(); ++b) {
            const BusFamily& bus = observed.graph().buses[b];
            for (const Segment& run : observed.slots(b).runs())
                for (std::uint64_t k = run.first; k < run.end(); ++k)
                    slots_.push_back(
                        {static_cast<std::size_t>(run.at(k)), bus.type->size(), bus.wire()});
        }
    }
    void step(unsigned, Range, const Frame& frame) override {
        Digest digest;
        for (const Slot& slot : slots_)
            if (!slot.wire || frame.wires_settled)
                digest.add(std::span{frame.read + slot.offset, slot.bytes});
        cycles.push_back(digest.value());
    }
    void close(std::uint64_t) override {}

    std::vector<std::uint64_t> cycles;

private:
    struct Slot {
        std::size_t offset, bytes;
        bool wire;
    };
    std::vector<Slot> slots_;
};

/// Discards all rows: a run may be longer than the one with expected rows.
class NoRecorder final : public Group {
public:
    explicit NoRecorder(const Build&) {}
    void step(unsigned, Range, const Frame&) override {}
};

/// The results that must be equal.
struct Outcome {
    std::vector<std::uint64_t> digests;
    RunEnd ending = RunEnd::completed;
    std::vector<std::string> lines;
    bool operator==(const Outcome&) const = default;
};

class Model {
public:
    /// `from` is a path or a text.
    template <class From> explicit Model(const From& from) {
        yaml::LoadOptions options;
        options.library = SME_SOURCE_DIR "/lib";
        Diagnostics diagnostics;
        yaml::GroupFactories kinds = session::factories_of_each(false);
        kinds.recording = [](const auto&) { return factory_of<NoRecorder>(); };
        design_ = yaml::load(from, options, kinds, diagnostics);
        INFO(render(diagnostics));
        REQUIRE(design_.has_value());
        analysis_ = analyse(design_->graph, diagnostics);
        REQUIRE(analysis_.has_value());
    }

    std::uint64_t levels() const { return analysis_->levels.count; }

    /// Increments `parallel` if several threads shared a section. Calls `prepare` before the first
    /// cycle.
    Outcome run(const SimulatorOptions& options, std::uint64_t cycles, unsigned& parallel,
                const std::function<void(engine::Engine&)>& prepare = {}) const {
        PrintedLines lines;
        Diagnostics diagnostics;
        engine::Options given;
        given.run = options;
        given.prints = &lines;
        engine::Engine engine{design_->graph, *analysis_, given, diagnostics};
        BusDigest digest;
        engine.attach(digest);
        if (prepare)
            prepare(engine);
        for (std::uint64_t slice = 1; engine.cycle() < cycles; slice += 3) {
            if (engine.run(std::min(slice, cycles - engine.cycle())) != RunEnd::completed)
                break;
            engine.orchestrator().place_again();
        }
        const std::vector<engine::Section>& sections = engine.orchestrator().plan().sections;
        if (std::any_of(sections.begin(), sections.end(),
                        [](const engine::Section& section) { return section.queue != nullptr; }))
            ++parallel;
        engine.finish();
        return {digest.cycles, engine.ending(), lines.lines};
    }

    const Graph& graph() const { return design_->graph; }
    const Analysis& analysis() const { return *analysis_; }

private:
    std::optional<yaml::Design> design_;
    std::optional<Analysis> analysis_;
};

/// The networks of all models.
inline std::vector<std::string> model_paths() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator{SME_SOURCE_DIR "/models"})
        if (const auto path = entry.path() / "network.yaml"; std::filesystem::exists(path))
            found.push_back(path.string());
    return found;
}

} // namespace sme::test
