// SPDX-License-Identifier: Apache-2.0
//
// Values that are set, read, saved and restored at random between runs, against a model by hand: in
// native code, interpreted, while idle processes are left out, on two threads, and on two ranks.
#include <array>
#include <map>
#include <random>
#include <span>
#include <thread>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/nightly.hpp"
#include "engine/slots/state.hpp"
#include "engine/test/rank_threads.hpp"
#include "interpret/test/yaml_run.hpp"
#include "lockstep/comparison.hpp"
#include "native/test/attached.hpp"
#include "network/find.hpp"

namespace {

using namespace sme;

constexpr const char* text = R"(
network: set
types: {Pair: {a: u4, b: i12}}
buses:
  s: u8
  p: Pair
  f[3]: u8
  unread: u8
  slow: delay 2 u8
  sum: wire u8
  twice: wire u8
  o: u8
  kept: hold u8 = 3
  late: delay 2 u8
  strict: error u8 = 1
  count: u16
  word: u8
  g[3]: u8
processes:
  adder: {in: {s: s, x: "f[0]", y: "f[1]"}, out: sum, step: {sum: s + x + y}}
  doubler: {in: sum, out: twice, step: {twice: 2 * sum}}
  copier: {in: [s, slow], out: [o, late], step: {o: s, late: s + slow}}
  keeper: {in: s, out: kept, step: {kept: s when s > 127}}
  stricter: {in: {p: p, old: strict}, out: strict, step: {strict: old + u8(p.b)}}
  counter: {in: twice, out: count, step: {count: count + u16(twice)}}
  store:
    in: [s, p]
    out: word
    state: {m: "u8[4] = [1, 2, 3, 4]"}
    step:
      m[u2(p.a)]: m[u2(p.a)] + s
      word: m[u2(p.a)]
  lane[k < 3]:
    in: {x: "f[k]"}
    out: {y: "g[k]"}
    state: {n: u8}
    step: {n: n + x, y: n}
)";

/// The network by hand.
struct Model {
    std::uint8_t s = 0, a = 0, unread = 0, slow = 0; // inputs, with `b` and `f`
    int b = 0;
    std::array<std::uint8_t, 3> f{};
    std::array<std::uint8_t, 4> m{1, 2, 3, 4};
    std::uint8_t sum = 0, twice = 0, o = 0, kept = 3, late = 0, strict = 1, word = 0;
    std::uint16_t count = 0;
    std::uint8_t coming = 0; // to `late`
    std::array<std::uint8_t, 3> g{}, n{};

    void settle() {
        sum = static_cast<std::uint8_t>(s + f[0] + f[1]);
        twice = static_cast<std::uint8_t>(2 * sum);
    }
    void step() {
        settle();
        o = s;
        late = std::exchange(coming, static_cast<std::uint8_t>(s + slow));
        kept = s > 127 ? s : kept;
        strict = static_cast<std::uint8_t>(strict + b);
        count = static_cast<std::uint16_t>(count + twice);
        word = m[a & 3];
        m[a & 3] = static_cast<std::uint8_t>(m[a & 3] + s);
        g = n;
        for (std::size_t k = 0; k < 3; ++k)
            n[k] = static_cast<std::uint8_t>(n[k] + f[k]);
    }
    void reset() {
        Model begin;
        begin.s = s, begin.a = a, begin.unread = unread, begin.slow = slow, begin.b = b;
        begin.f = f, begin.m = m;
        *this = begin;
        settle();
    }
    std::map<std::string, std::int64_t> values() const {
        return {{"s", s},         {"p.a", a},         {"p.b", b},         {"f[0]", f[0]},
                {"f[1]", f[1]},   {"f[2]", f[2]},     {"unread", unread}, {"slow", slow},
                {"sum", sum},     {"twice", twice},   {"o", o},           {"kept", kept},
                {"late", late},   {"strict", strict}, {"word", word},     {"count", count},
                {"g[0]", g[0]},   {"g[1]", g[1]},     {"g[2]", g[2]},     {"lane[1].n", n[1]},
                {"store.m", m[2]}};
    }
};

struct Loaded {
    std::optional<yaml::Design> design;
    std::optional<Analysis> analysis;
    Loaded() {
        Diagnostics diagnostics;
        design = yaml::load(std::make_shared<Source>("set.yaml", text), {},
                            session::factories_of_each(false), diagnostics);
        INFO(render(diagnostics));
        REQUIRE(design.has_value());
        lockstep::make_inputs(design->graph);
        analysis = analyse(design->graph, diagnostics);
        INFO(render(diagnostics));
        REQUIRE(analysis.has_value());
    }
};

enum class Way : std::uint8_t { native, native_on_two, interpreted, skipping, on_two, ranks };

/// A run in one of the ways, with the ranks that it needs.
class Run {
public:
    Run(const Loaded& loaded, Way way, const native::CompilerSettings& settings)
        : loaded_{loaded}, ranks_{2} {
        engine::Options options;
        options.run.threads = way == Way::native_on_two || way == Way::on_two ? 2 : 1;
        options.run.skipping = way == Way::skipping ? Skipping::always : Skipping::never;
        options.reads_all = true;
        if (way == Way::ranks) {
            options.ranks = &ranks_.rank(0);
            other_ = std::thread{[this, options]() mutable {
                options.ranks = &ranks_.rank(1);
                Diagnostics diagnostics;
                engine::Engine engine{graph(), *loaded_.analysis, options, diagnostics};
                engine.follow(nullptr);
            }};
        }
        engine_ =
            std::make_unique<engine::Engine>(graph(), *loaded.analysis, options, diagnostics_);
        INFO(render(diagnostics_));
        REQUIRE(!diagnostics_.has_errors());
        if (way == Way::native || way == Way::native_on_two)
            native_ = test::attach(*engine_, graph(), settings);
    }
    ~Run() {
        engine_.reset();
        if (other_.joinable())
            other_.join();
    }

    const Graph& graph() const { return loaded_.design->graph; }
    engine::Engine& engine() { return *engine_; }
    engine::Access& access() { return engine_->access(); }

    void set(const std::string& name, std::uint64_t value) {
        const NamedValue found = value_named(graph(), name);
        value = canonical(value, static_cast<unsigned>(found.type->width_bits()),
                          found.type->is_signed());
        access().write(found.element, found.offset,
                       std::as_bytes(std::span{&value, 1}).first(found.type->size()));
    }
    std::int64_t at(const std::string& name) {
        if (name == "store.m")
            return std::to_integer<std::int64_t>(access().words(store(), 0, 0)[2]);
        const NamedValue found = value_named(graph(), name);
        return static_cast<std::int64_t>(
            test::scalar_at(access().value(found.element) + found.offset, *found.type));
    }
    std::uint32_t store() const {
        for (std::uint32_t k = 0; k < graph().processes.size(); ++k)
            if (graph().processes[k].name == "store")
                return k;
        return 0;
    }

private:
    const Loaded& loaded_;
    test::RankThreads ranks_;
    std::thread other_;
    Diagnostics diagnostics_;
    std::unique_ptr<engine::Engine> engine_;
    std::unique_ptr<native::Native> native_;
};

} // namespace

TEST_CASE("what is set between runs counts in every engine, as in a model by hand") {
    const test::Scratch scratch;
    const native::CompilerSettings settings = test::compiler_settings(scratch);
    const Loaded loaded;
    std::mt19937 random{1};
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    engine::Snapshot saved;
    Model saved_model;
    const std::uint64_t episodes = test::cases(120, 3000);
    for (std::uint64_t episode = 0; episode < episodes; ++episode) {
        const Way way = below(2) == 0 ? Way::native : static_cast<Way>(1 + below(5));
        CAPTURE(episode);
        CAPTURE(static_cast<int>(way));
        Run run{loaded, way, settings};
        Model model;
        const bool alone = way != Way::ranks;
        if (alone && !saved.records.empty() && below(2) == 0) { // perhaps from another engine
            run.engine().restore(saved);
            model = saved_model;
        }
        for (unsigned step = 0; step < 30; ++step) {
            CAPTURE(step);
            const unsigned byte = below(256), k = below(3);
            const unsigned what = below(20);
            CAPTURE(what);
            const auto set = [&](const std::string& name, auto& to, unsigned value) {
                run.set(name, value);
                to = static_cast<std::remove_reference_t<decltype(to)>>(value);
            };
            switch (what) {
            case 0: set("s", model.s, byte); break;
            case 1: set("p.a", model.a, byte % 16); break;
            case 2:
                run.set("p.b", byte * 16 + k);
                model.b = static_cast<int>(byte * 16 + k) - (byte > 127 ? 4096 : 0);
                break;
            case 3: set(fmt::format("f[{}]", k), model.f[k], byte); break;
            case 4: set("unread", model.unread, byte); break;
            case 5: set("slow", model.slow, byte); break;
            case 6: set("o", model.o, byte); break;
            case 7: set("kept", model.kept, byte); break;
            case 8: set("late", model.late, byte); break;
            case 9: set("strict", model.strict, byte); break;
            case 10: set("count", model.count, byte * 255); break;
            case 11: set(fmt::format("g[{}]", k), model.g[k], byte); break;
            case 12: set(fmt::format("lane[{}].n", k), model.n[k], byte); break;
            case 13: {
                const std::array word{static_cast<std::byte>(byte)};
                run.access().write_words(run.store(), 0, 0, k, word);
                model.m[k] = static_cast<std::uint8_t>(byte);
                break;
            }
            case 14:
                if (alone) {
                    run.access().settle();
                    model.settle();
                }
                break;
            case 15:
                if (alone && k == 0) {
                    run.access().reset();
                    run.access().settle();
                    model.reset();
                }
                break;
            case 16:
                if (alone) {
                    saved = run.engine().snapshot();
                    saved_model = model;
                }
                break;
            default:
                const unsigned cycles = 1 + below(12);
                run.engine().run(cycles);
                for (unsigned cycle = 0; cycle < cycles; ++cycle)
                    model.step();
            }
            for (const auto& expected : model.values()) {
                const std::string& name = expected.first;
                CAPTURE(name);
                if (alone || name != "store.m") // the other rank may hold the memory
                    REQUIRE(run.at(name) == expected.second);
            }
        }
    }
}
