// SPDX-License-Identifier: Apache-2.0
//
// Random well-typed networks with every construct: they load, their own checks (computed by the
// generator, bit by bit) hold, and a second run and the printed network give the same results.
#include <cstdlib>
#include <set>
#include <span>

#include <fmt/format.h>

#include "base/test/scratch.hpp"
#include "expr/syntax/ast.hpp"
#include "expr/typing/builtins.hpp"
#include "interpret/observers/recorder.hpp"
#include "interpret/test/yaml_run.hpp"
#include "trace/tracer.hpp"
#include "yaml/fuzz/make/network_maker.hpp"
#include "yaml/fuzz/make/pipeline_maker.hpp"
#include "yaml/fuzz/make/sequence_maker.hpp"
#include "yaml/read/format.hpp"

namespace {

using namespace sme;

constexpr unsigned networks_made = 250;
constexpr unsigned enough = 8; // minimum uses of each construct, over all networks

/// All observable results of a run, as text.
struct Run {
    std::string errors, shown, failed, printed;
    RunEnd ending = RunEnd::completed;
};

/// Runs a network in `folder`; its other output goes to `traces`.
Run run_in(const std::string& folder, const std::string& text, unsigned cycles,
           const std::string& traces) {
    Run result;
    yaml::LoadOptions options;
    options.library = SME_SOURCE_DIR "/lib";
    options.look = [&](const yaml::SourceView& network, const Graph&) {
        result.printed = network.print();
    };
    test::YamlRun run{text, folder, options};
    for (const Diagnostic& diagnostic : run.diagnostics.all())
        if (diagnostic.severity != Severity::warning)
            result.errors += render(diagnostic);
    if (!run.loaded())
        return result;
    trace::Tracer tracer{traces + "/run.vcd", {{}, "", true}};
    run.engine().attach(tracer);
    result.ending = run.run(cycles);
    run.finish();
    for (const Diagnostic& fault : run.engine().faults())
        result.shown += fault.message + "\n";
    for (const auto& recording : run.observed.recordings) {
        recording->finish(result.ending != RunEnd::completed);
        result.failed += recording->difference();
        result.shown += test::text_of(recording->recording().path);
    }
    for (const std::string& line : run.printed())
        result.shown += line + "\n";
    for (std::size_t k = 0; k < run.verdicts().size(); ++k) {
        const interpret::Verdict& verdict = run.verdicts()[k];
        result.shown += fmt::format("{} {}\n", static_cast<int>(verdict.kind), verdict.cycle);
        if (verdict.kind == CheckResult::Kind::failed)
            result.failed += fmt::format("{}\n", run.design().checks->checks[k].text);
    }
    result.shown += test::text_of(traces + "/run.vcd");
    return result;
}

struct Totals {
    fuzz::Coverage coverage;
    std::string texts;
    unsigned faulted = 0, halted = 0;
};

void try_seed(std::uint64_t seed, Totals& totals) {
    fuzz::Choices choices{seed};
    const fuzz::Generated network = fuzz::generate(choices, true);
    const test::Scratch folder;
    std::string all = network.text;
    for (const auto& [name, text] : network.files) {
        folder.write(name, text);
        all += fmt::format("--- {}\n{}", name, text);
    }
    CAPTURE(seed);
    INFO(all);
    const std::string path = folder.path();
    const Run first = run_in(path, network.text, network.cycles, path);
    REQUIRE(first.errors == "");
    REQUIRE(first.failed == "");
    if (!network.may_fault)
        REQUIRE(first.ending == RunEnd::completed);
    totals.coverage.add(network.coverage);
    totals.texts += all;
    totals.faulted += first.ending == RunEnd::faulted;
    totals.halted += first.ending == RunEnd::halted;
    const Run second = run_in(path, network.text, network.cycles, path);
    REQUIRE(first.shown == second.shown);
    REQUIRE(first.ending == second.ending);
    INFO(first.printed);
    const Run printed = run_in("", first.printed, network.cycles, path);
    REQUIRE(printed.errors == "");
    REQUIRE(printed.printed == first.printed);
    REQUIRE(printed.shown == first.shown);
    REQUIRE(printed.ending == first.ending);
}

/// Counts the occurrences of a key of the format in a text.
unsigned keys_in(const std::string& text, const yaml::Key& key) {
    unsigned found = 0;
    const std::string name{key.name};
    for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        const char before = at == 0 ? '\n' : text[at - 1], behind = text[at + name.size()];
        found += (before == '\n' || before == ' ' || before == '{') &&
                 (behind == ':' || (key.argument && (behind == ' ' || behind == '(')));
    }
    return found;
}

unsigned times(const std::string& text, const std::string& part) {
    unsigned found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

/// Returns the keys of the format and the constructs of expressions that the networks lack.
std::string forgotten(const std::string& networks) {
    namespace format = yaml::format;
    // Verilog, waveforms and actors are not generated
    const std::set<std::string_view> left_out{"verilog", "against",  "signal",  "edge", "sample",
                                              "unknown", "channels", "receive", "take", "done"};
    std::string found;
    for (const std::span<const yaml::Key> section :
         {format::network, format::component, format::library, format::process, format::function,
          format::instance, format::input, format::output, format::run, format::check, format::step,
          format::choice})
        for (const yaml::Key& key : section)
            if (!left_out.contains(key.name) && keys_in(networks, key) < enough)
                found += fmt::format("key '{}'\n", key.name);
    for (const std::string_view word : format::at_end)
        if (times(networks, fmt::format("at_end: {}", word)) < enough)
            found += fmt::format("at_end '{}'\n", word);
    for (const expr::OperatorRow& row : expr::operator_rows) {
        const std::string space = expr::is_unary(row.name) ? "" : " ";
        if (times(networks, fmt::format(" {}{}", row.symbol, space)) < enough)
            found += fmt::format("operator '{}'\n", row.symbol);
    }
    for (const expr::Builtin& function : expr::builtins())
        if (times(networks, fmt::format("{}(", function.name)) < enough)
            found += fmt::format("function '{}'\n", function.name);
    return found;
}

} // namespace

TEST_CASE("random networks of every construct run as they were worked out, and so when printed") {
    Totals totals;
    if (const char* seed = std::getenv("SME_SEED")) // runs a single network
        return try_seed(std::strtoull(seed, nullptr, 10), totals);
    for (std::uint64_t seed = 1; seed <= networks_made; ++seed)
        try_seed(seed, totals);
    CHECK(totals.faulted > 5);
    CHECK(totals.faulted < networks_made / 4);
    CHECK(totals.halted > 5);
    CHECK(forgotten(totals.texts) == "");
    for (std::size_t k = 0; k < fuzz::production_names.size(); ++k) {
        CAPTURE(fuzz::production_names[k]);
        CHECK(totals.coverage.of(k) >= enough);
    }
}

namespace {

/// Runs 150 networks that `add` makes, with their checks.
template <class Add> void run_long(const Add& add) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        fuzz::Choices choices{seed};
        fuzz::Coverage coverage;
        fuzz::Maker maker{choices, coverage};
        fuzz::Home home{};
        add(maker, choices, home, 200);
        std::string text = "network: n\n";
        for (const auto& [key, lines] : {std::pair{"types", &home.type_lines},
                                         {"buses", &home.bus_lines},
                                         {"processes", &home.process_lines},
                                         {"checks", &home.check_lines}}) {
            text += fmt::format("{}:\n", key);
            for (const std::string& line : fuzz::indented(*lines))
                text += line + "\n";
        }
        CAPTURE(seed);
        INFO(text);
        const test::Scratch folder;
        const Run run = run_in(folder.path(), text, 200, folder.path());
        REQUIRE(run.errors == "");
        REQUIRE(run.failed == "");
        const Run printed = run_in("", run.printed, 200, folder.path());
        REQUIRE(printed.errors == "");
        REQUIRE(printed.shown == run.shown);
    }
}

} // namespace

TEST_CASE("long random sequences go from item to item as they were followed") {
    run_long(fuzz::add_sequence);
}

TEST_CASE("items of long random pipelines move from stage to stage as they were followed") {
    run_long(fuzz::add_pipeline);
}

TEST_CASE("the search for forgotten constructs finds one") {
    const std::string found = forgotten("buses:\n  x: u8\n");
    CHECK(found.find("key 'processes'") != found.npos);
    CHECK(found.find("operator '<<'") != found.npos);
    CHECK(found.find("function 'fold'") != found.npos);
    CHECK(found.find("at_end 'repeat'") != found.npos);
}

TEST_CASE("networks come from a fuzzer's bytes as well, from few and from none") {
    const yaml::GroupFactories none{[](auto) { return nullptr; }, [](auto) { return nullptr; },
                                    [](auto) { return nullptr; }, [](auto) { return nullptr; }};
    std::vector<std::uint8_t> bytes;
    for (unsigned size = 0; size < 40; ++size) {
        fuzz::Choices choices{bytes.data(), bytes.size()};
        const fuzz::Generated network = fuzz::generate(choices, false);
        CHECK(network.files.empty());
        INFO(network.text);
        Diagnostics diagnostics;
        const auto source = std::make_shared<Source>("no-such-folder/network.yaml", network.text);
        yaml::load(source, {{}, 1'000'000'000, 1, SME_SOURCE_DIR "/lib"}, none, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics.all())
            CHECK(diagnostic.severity == Severity::warning);
        for (unsigned k = 0; k < 30; ++k)
            bytes.push_back(static_cast<std::uint8_t>(size * 37 + k * 101 + size * k));
    }
}
