// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"
#include "bits/integer.hpp"
#include "engine/access.hpp"
#include "interpret/observers/recorder.hpp"
#include "network/checks/check.hpp"
#include "session/run_loop.hpp"
#include "yaml/design.hpp"

namespace sme::test {

/// The value of a scalar in a slot.
inline Integer scalar_at(const std::byte* slot, const Type& type) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, slot, type.size());
    const auto width = static_cast<unsigned>(type.width_bits());
    bits = canonical(bits, width, type.is_signed());
    return type.is_signed() ? Integer{static_cast<std::int64_t>(bits)} : Integer{bits};
}

/// Collects printed lines.
class PrintedLines final : public engine::PrintSink {
public:
    void print(const std::string& line) override { lines.push_back(line); }
    std::vector<std::string> lines;
};

/// A network given as text, loaded and run by the interpreter as in the command.
class YamlRun {
public:
    /// `folder` holds its data files.
    explicit YamlRun(const std::string& text, const std::string& folder = "",
                     const yaml::LoadOptions& options = {}, const SimulatorOptions& run = {}) {
        const auto source =
            std::make_shared<Source>(folder.empty() ? "test.yaml" : folder + "/test.yaml", text);
        design_ = yaml::load(source, options, session::factories(observed), diagnostics);
        if (design_)
            analysis_ = analyse(design_->graph, diagnostics);
        if (!analysis_ || diagnostics.has_errors())
            return;
        engine_ = std::make_unique<engine::Engine>(
            design_->graph, *analysis_, engine::Options{run, nullptr, &printed_}, diagnostics);
    }

    bool loaded() const { return engine_ != nullptr && !diagnostics.has_errors(); }

    /// Writes a byte of the bus before the next cycle, as its user may.
    void poke(const std::string& bus, unsigned value) {
        for (const BusFamily& family : graph().buses)
            if (family.name == bus)
                engine_->access().write(family.first, 0, std::array{static_cast<std::byte>(value)});
    }

    /// Runs one or more cycles.
    RunEnd run(std::uint64_t cycles = 1) {
        INFO(render(diagnostics));
        REQUIRE(loaded());
        return engine_->run(cycles);
    }
    engine::Engine& engine() { return *engine_; }
    const Graph& graph() const { return design_->graph; }
    const yaml::Design& design() const { return *design_; }
    void finish() { engine_->finish(); }

    /// The value of "bus", "bus[1, 2]", "bus.field" or "process.state" that the next cycle reads.
    std::int64_t at(const std::string& name) {
        REQUIRE(loaded());
        for (const BusFamily& bus : graph().buses)
            for (std::uint64_t k = 0; k < bus.count; ++k) {
                const std::string element = bus.element_name(bus.first + k);
                if (!name.starts_with(element))
                    continue;
                for (const Leaf& leaf : bus.type->leaves())
                    if (name == element + leaf.path)
                        return static_cast<std::int64_t>(scalar_at(
                            engine_->access().value(bus.first + k) + leaf.offset, *leaf.type));
            }
        FAIL("there is no bus " << name);
        return 0;
    }

    /// The values of a name in cycles first, first + 1, …, as readers see them.
    std::vector<std::int64_t> over(const std::string& name, std::size_t cycles) {
        std::vector<std::int64_t> values;
        for (std::size_t k = 0; k < cycles; ++k) {
            values.push_back(at(name));
            INFO("in cycle " << engine_->cycle());
            CHECK(run() == RunEnd::completed);
        }
        return values;
    }

    /// "process: slug" of each fault, in report order.
    std::vector<std::string> faults() {
        std::vector<std::string> found;
        for (const Diagnostic& fault : engine_->faults()) {
            const std::size_t begin = fault.message.find('\'') + 1;
            found.push_back(fault.message.substr(begin, fault.message.find('\'', begin) - begin) +
                            ": " + std::string{info(fault.code).slug});
        }
        return found;
    }

    const std::vector<std::string>& printed() const { return printed_.lines; }
    const interpret::Verdicts& verdicts() const { return *observed.verdicts; }
    void check_all_passed() const {
        for (const interpret::Verdict& verdict : *observed.verdicts)
            CHECK(verdict.kind == CheckResult::Kind::passed);
    }

    Diagnostics diagnostics;
    session::Observed observed;

private:
    PrintedLines printed_;
    std::optional<yaml::Design> design_;
    std::optional<Analysis> analysis_;
    std::unique_ptr<engine::Engine> engine_;
};

using Values = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

/// "slug: message" of each error of an invalid network.
inline Texts errors_of(const std::string& text) {
    YamlRun run{text};
    Texts found;
    for (const Diagnostic& diagnostic : run.diagnostics.all())
        if (diagnostic.severity != Severity::warning)
            found.push_back(std::string{info(diagnostic.code).slug} + ": " + diagnostic.message);
    return found;
}

} // namespace sme::test

/// Lets doctest print lists.
namespace doctest {
template <class T> struct StringMaker<std::vector<T>> {
    static String convert(const std::vector<T>& values) {
        String text = "[";
        for (const T& value : values)
            text += (text.size() > 1 ? ", " : "") + toString(value);
        return text + "]";
    }
};
} // namespace doctest
