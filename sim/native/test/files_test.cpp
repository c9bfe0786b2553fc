// SPDX-License-Identifier: Apache-2.0
//
// Native code in many C files: of bounded size, the most expensive processes first. They go live in
// any order, between any two cycles, and the bits stay the same.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "engine/engine.hpp"
#include "engine/placement/schedule_file.hpp"
#include "interpret/test/model_run.hpp"
#include "native/test/attached.hpp"
#include "native/test/many_processes.hpp"

namespace {

using namespace sme;

constexpr std::uint64_t cycles = 70;

struct Result {
    std::vector<std::uint64_t> digests;
    std::vector<std::string> lines;
    std::string checkpoint;
    bool operator==(const Result&) const = default;
};

/// Runs a model; calls `before_cycle` before each cycle.
Result run(const test::Model& model, unsigned threads,
           const std::function<void(engine::Engine&)>& before_cycle) {
    const test::Scratch scratch;
    test::PrintedLines lines;
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = threads;
    options.run.seed = 11;
    options.run.serial_levels = false;
    options.prints = &lines;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    test::BusDigest digest;
    engine.attach(digest);
    for (std::uint64_t k = 0; k < cycles; ++k) {
        before_cycle(engine);
        REQUIRE(engine.run(1) == RunEnd::completed);
    }
    checkpoint::Writer writer{scratch.path("end")};
    engine.save(writer);
    writer.commit();
    engine.finish();
    std::sort(lines.lines.begin(), lines.lines.end());
    return {digest.cycles, lines.lines, test::text_of(scratch.path("end"))};
}

native::CompilerSettings quick(const test::Scratch& scratch) {
    native::CompilerSettings settings = test::compiler_settings(scratch);
    settings.more_flags = {"-O0"};
    return settings;
}

} // namespace

TEST_CASE("native code of hundreds of different processes goes live file by file") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = quick(scratch);
    const test::Model model{std::make_shared<Source>("many.yaml", test::ManyProcesses{320}.text())};
    const Result expected = run(model, 1, [](engine::Engine&) {});
    CHECK(expected.lines.size() > 20);
    for (const unsigned way :
         {0u, 1u, 2u}) { // the first file first; the last first; the last first, two threads
        CAPTURE(way);
        std::unique_ptr<native::Native> native;
        std::size_t next = 0, partly = 0;
        const Result found = run(model, way < 2 ? 1 : 2, [&](engine::Engine& engine) {
            if (!native)
                native = native::Native::of(model.graph(), engine, true, {.file_bytes = 55'000});
            const std::size_t files = native->c_module().files().size();
            if (engine.cycle() % 3 == 1 && next < files) { // others run partly native meanwhile
                test::load(*native, way == 0 ? next : files - 1 - next, settings);
                ++next;
                native->attach_to(engine);
                engine.decide_anew();
                partly += native->families() < native->c_module().families().size();
            }
        });
        CHECK((found == expected));
        CHECK(next == native->c_module().files().size());
        CHECK(next > 10);
        CHECK(partly > 4);
        CHECK(next < cycles / 3);
    }
}

TEST_CASE("C files are of bounded size, and begin with the processes that cost most") {
    const test::Model model{std::make_shared<Source>("many.yaml", test::ManyProcesses{100}.text())};
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = 1;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    constexpr std::size_t file_bytes = 10'000;
    const auto native = native::Native::of(model.graph(), engine, true, {.file_bytes = file_bytes});
    const native::CModule& unit = native->c_module();
    REQUIRE(unit.files().size() > 4);
    std::size_t functions = 0;
    for (const auto& file : unit.files()) {
        std::size_t bytes = 0;
        bool whole_cycles = false; // with the functions that only they call
        for (const std::uint32_t number : file) {
            bytes += unit.function(number).text.size();
            whole_cycles = whole_cycles || unit.function(number).name == "cycle_kernel";
        }
        CHECK((bytes <= file_bytes || file.size() == 1 || whole_cycles));
        functions += file.size();
    }
    CHECK(functions > unit.functions());
    // a family of 26 instances comes before 26 single processes, which come before fused steps
    CHECK(test::contains(unit.text(0), "u64 n_f13_("));
    CHECK_FALSE(test::contains(unit.text(0), "u64 n_p0_("));
    CHECK(test::contains(unit.text(unit.files().size() - 1), "u64 cycle_kernel("));
    CHECK(test::contains(unit.text(), "u64 n_f13_("));
    CHECK(test::contains(unit.text(), "u64 n_p0_("));
    const auto place = [&](bool one_thread, const char* function) {
        const std::vector<std::size_t> order = unit.order(one_thread);
        CHECK(order.size() == unit.files().size());
        const auto holds = [&](std::size_t file) {
            return test::contains(unit.text(file), fmt::format("u64 {}(", function));
        };
        return std::find_if(order.begin(), order.end(), holds) - order.begin();
    };
    CHECK(place(true, "steps_1") < place(true, "n_p0_")); // fused steps hold the code of p0
    CHECK(place(false, "steps_1") > place(false, "n_p0_"));
    CHECK(place(false, "n_f13_") == 0);
}

TEST_CASE("functions that only a kernel of whole cycles calls are in its file") {
    std::string text = "network: waits\nbuses:\n  x[40]: u8\nprocesses:\n";
    for (const char* const name : {"p", "q"}) // memory writes that wait, as a cycle may stop
        text += fmt::format("  {0}[k < 20]:\n    out: {{o: 'x[{1}k]'}}\n"
                            "    state: {{n: u8, m: 'u8[4]'}}\n    step:\n      n: n + {2}\n"
                            "      o: m[n % 4] + k\n      m[n % 4]: n * {2} + m[n / 7 % 4]\n"
                            "      assert: n < 250\n",
                            name, *name == 'p' ? "" : "20 + ", *name == 'p' ? 1 : 3);
    const test::Model model{std::make_shared<Source>("waits.yaml", text)};
    Diagnostics diagnostics;
    engine::Engine engine{model.graph(), model.analysis(), {}, diagnostics};
    for (const std::size_t file_bytes : {100u, 1500u, 4000u}) {
        CAPTURE(file_bytes);
        const auto native =
            native::Native::of(model.graph(), engine, true, {.file_bytes = file_bytes});
        const native::CModule& unit = native->c_module();
        std::size_t calls = 0;
        for (std::size_t file = 0; file < unit.files().size(); ++file) {
            const std::string c = unit.text(file);
            const std::regex call{"if \\((n_[a-z0-9_]+)\\(&c\\)\\)"};
            for (std::sregex_iterator each{c.begin(), c.end(), call}, end; each != end; ++each) {
                CAPTURE((*each)[1].str());
                CHECK(test::contains(
                    c, fmt::format("u64 {}(const struct block *b)\n{{", (*each)[1].str())));
                ++calls;
            }
        }
        CHECK(calls >= 2);
    }
}

TEST_CASE("what is measured takes little of a run whose fused steps are faster than their steps") {
    class Slow final : public Group {
    public:
        void step(unsigned, Range, const Frame&) override {
            ++steps;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        unsigned steps = 0;
    };
    const test::Model model{
        std::make_shared<Source>("one.yaml", "network: one\nbuses:\n  x: u8\nprocesses:\n  p:\n"
                                             "    out: x\n    step:\n      x: 3\n")};
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = 1;
    options.measure = true;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    Slow slow;
    engine.swap_executor({{0, &slow}});
    const auto items = static_cast<std::uint32_t>(engine.schedule().items.size());
    unsigned calls = 0;
    engine.set_fused({{0, items, [&](const Frame&) {
                           ++calls;
                           return items;
                       }}});
    engine.run(1000);
    CHECK(slow.steps < 100);
    CHECK(calls == 1000 - slow.steps);
}

TEST_CASE("each thread runs fused steps that are all its own in one call") {
    class Counting final : public Group {
    public:
        void step(unsigned, Range range, const Frame&) override { steps += range.count; }
        std::atomic<std::uint64_t> steps{0};
    };
    constexpr std::uint32_t ranges = 6, items_each = 10, completed = 7; // 3 of each are left
    constexpr std::uint32_t all = ranges * items_each;
    std::string text = "network: many\nbuses:\n";
    for (unsigned k = 0; k < all; ++k)
        text += fmt::format("  b{}: u8\n", k);
    text += "processes:\n";
    for (unsigned k = 0; k < all; ++k)
        text += fmt::format("  p{0}:\n    out: b{0}\n    step:\n      b{0}: {0}\n", k);
    const test::Model model{std::make_shared<Source>("many.yaml", text)};
    Diagnostics diagnostics;
    engine::Options options;
    options.run.threads = 2;
    options.run.serial_levels = false;
    engine::Engine engine{model.graph(), model.analysis(), options, diagnostics};
    Counting counting;
    std::vector<std::pair<std::uint32_t, Group*>> groups;
    for (std::uint32_t f = 0; f < model.graph().processes.size(); ++f)
        groups.emplace_back(f, &counting);
    engine.swap_executor(groups);
    std::array<std::atomic<unsigned>, 2> calls{}; // by thread
    std::vector<FusedItems> fused;
    for (std::uint32_t k = 0; k < ranges; ++k)
        fused.push_back({k * items_each, (k + 1) * items_each, [&](const Frame& frame) {
                             ++calls[frame.thread];
                             return completed;
                         }});
    REQUIRE(engine.schedule().items.size() == all);
    engine.set_fused(std::move(fused));
    // half of them on each thread, but one range is divided; on a busy machine, measured costs
    // would give one thread nearly all
    engine::SavedSchedule halves{2, QueueKind::fixed, Wait::block, 1, {}, {{}, {}}};
    for (std::uint32_t k = 0; k < all; ++k) {
        const engine::Item& item = engine.schedule().items[k];
        halves.table.chunks.push_back(
            {item.level, item.group, item.part, item.range.first, item.range.count, 100});
        halves.table.items.push_back(k);
        halves.placement[k < all / 2 || k == all - 1 ? 0 : 1].push_back(k);
    }
    engine.repeat(std::move(halves));
    constexpr unsigned many = 2000;
    engine.run(many);
    CHECK(calls[0] == many * ranges / 2);
    CHECK(calls[1] == many * (ranges / 2 - 1));
    CHECK(counting.steps == all * many - completed * (calls[0] + calls[1]));
}

TEST_CASE("a short network is one C file") {
    const test::Model model{std::string{SME_SOURCE_DIR "/models/aes/network.yaml"}};
    Diagnostics diagnostics;
    engine::Engine engine{model.graph(), model.analysis(), {}, diagnostics};
    const auto native = native::Native::of(model.graph(), engine);
    REQUIRE(native->c_module().files().size() == 1);
    CHECK(native->c_module().text(0) == native->c_module().text());
    CHECK(test::contains(native->c_module().text(), "u64 steps_1("));
}
