// SPDX-License-Identifier: Apache-2.0
#include "native/fuzz/engine_run.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/program.hpp"
#include "checkpoint/checkpoint.hpp"
#include "engine/cycle/orchestrator.hpp"
#include "native/fuzz/attach.hpp"

namespace sme::fuzz {

class EngineRun::Printed final : public engine::PrintSink {
public:
    void print(const std::string& line) override { text += line + "\n"; }
    std::string text;
};

EngineRun::EngineRun(const Case& given, const Mode& mode, const native::CompilerSettings& settings,
                     const test::Scratch& folder)
    : mode_{mode}, settings_{settings}, folder_{folder}, printed_{std::make_unique<Printed>()} {
    if (mode.traps)
        for (const char* flag :
             {"-fno-wrapv", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"})
            settings_.more_flags.emplace_back(flag);
    if (load(given))
        run();
}

EngineRun::~EngineRun() = default;

bool EngineRun::load(const Case& given) {
    Diagnostics diagnostics;
    yaml::LoadOptions options;
    options.library = SME_FUZZ_LIBRARY;
    options.loops_from = mode_.loops_from;
    options.cover = given.cover;
    design_ = yaml::load(std::make_shared<Source>(folder_.path("network.yaml"), given.network.text),
                         options, session::factories(observed_), diagnostics);
    if (design_ && !diagnostics.has_errors()) {
        engine::Options own;
        own.prints = printed_.get();
        own.run.threads = 1;
        own.slice = 64;
        own.run.skipping = mode_.skips ? Skipping::always : Skipping::never;
        own.run.serial_levels = false; // with two threads: otherwise one of them runs cheap levels
        run_ = std::make_unique<session::Run>(design_->graph, own, diagnostics);
    }
    if (diagnostics.has_errors())
        problem_ = render(diagnostics);
    return problem_.empty();
}

/// Assigns small ranges alternately, similar to the engine's decision once it knows the costs,
/// which takes longer than these runs.
engine::SavedSchedule EngineRun::two_threads() const {
    constexpr std::uint64_t together = 3;
    engine::SavedSchedule result{2, mode_.queue, Wait::block, 1, {}, {{}, {}}};
    const std::vector<engine::Item>& items = engine().schedule().items;
    for (std::uint32_t k = 0; k < items.size(); ++k)
        for (std::uint64_t done = 0; done < items[k].range.count; done += together) {
            const auto number = static_cast<std::uint32_t>(result.table.chunks.size());
            result.table.chunks.push_back({items[k].level, items[k].group, items[k].part,
                                           items[k].range.first + done,
                                           std::min(together, items[k].range.count - done), 100});
            result.table.items.push_back(k);
            result.placement[number % 2].push_back(number);
        }
    return result;
}

void EngineRun::run() {
    if (mode_.watched)
        engine().attach(watcher_);
    if (mode_.two_threads)
        engine().repeat(two_threads());
    for (const std::uint64_t cycles : mode_.calls) {
        if (mode_.native && !native_ && engine().cycle() == mode_.native_from && !go_native())
            return;
        if (!waiting_files_.empty() && !go_on_native())
            return;
        if (cycles == 0)
            continue;
        if (engine().run(cycles) != RunEnd::completed)
            break;
        take_snapshot();
    }
    seen_.ending = engine().ending();
    seen_.threads = engine().cycle() > 0 ? engine().orchestrator().threads() : 1;
    seen_.in_cycle_kernels = native_ ? native_->cycles_in_kernels() : 0;
    seen_.steps = engine().skipped();
    seen_.in_shared_kernels = native_ ? native_->cycles_in_kernels(2) : 0;
    if (!ended_in_other_levels())
        take_snapshot();
    engine().finish();
    take_results();
}

bool EngineRun::go_native() {
    if (mode_.quick && !go_quick())
        return false;
    if (mode_.file_bytes == 0)
        native_ =
            attach_native(engine(), design_->graph, settings_, mode_.kernel_threads, problem_);
    else {
        native_ = native::Native::of(
            design_->graph, engine(), true,
            {.file_bytes = mode_.file_bytes, .threads = {mode_.kernel_threads, nullptr}});
        waiting_files_.resize(native_->c_module().files().size());
        std::iota(waiting_files_.begin(), waiting_files_.end(), std::size_t{0});
        const std::size_t first = mode_.native_from % waiting_files_.size();
        std::rotate(waiting_files_.begin(),
                    waiting_files_.begin() + static_cast<std::ptrdiff_t>(first),
                    waiting_files_.end());
    }
    if (!native_) {
        problem_ = "native code cannot be made: " + problem_;
        return false;
    }
    seen_.ran_native = !native_->c_module().families().empty();
    return true;
}

/// With the compiler that a run uses for this, if there is one.
bool EngineRun::go_quick() {
    native::CompilerSettings settings = settings_;
    if (const auto tcc = find_program("tcc"))
        settings.compiler = *tcc;
    quick_ = native::Native::of(design_->graph, engine(), true, {.quick = true});
    for (std::size_t file = 0; file < quick_->c_module().files().size(); ++file)
        if (!attach_file(engine(), *quick_, file, settings, problem_)) {
            problem_ = "quick code cannot be made: " + problem_;
            return false;
        }
    seen_.ran_quick = !quick_->c_module().families().empty();
    return true;
}

/// Makes one more file live.
bool EngineRun::go_on_native() {
    const std::size_t file = waiting_files_.back();
    waiting_files_.pop_back();
    if (!attach_file(engine(), *native_, file, settings_, problem_, quick_.get())) {
        problem_ = fmt::format("file {} of native code cannot be made: {}", file, problem_);
        return false;
    }
    ++seen_.files;
    return true;
}

void EngineRun::take_snapshot() {
    Snapshot& result = seen_.snapshots[engine().cycle()];
    result = {slots_of(engine(), design_->graph), {}};
    const std::string path = folder_.path("run.ckpt");
    {
        checkpoint::Writer writer{path};
        engine().save(writer);
        writer.commit();
    }
    const checkpoint::Reader reader{path};
    for (const auto& [key, record] : reader.records()) {
        std::string& bytes = result.records[key];
        bytes.resize(record.bytes);
        reader.read(record, 0, bytes.data(), bytes.size());
    }
}

/// Unrolling finds more constants than a loop, so a part can need fewer wires and be in an earlier
/// level. After a fault, later levels do not run.
bool EngineRun::ended_in_other_levels() const {
    return seen_.ending == RunEnd::faulted && mode_.loops_from > 0;
}

void EngineRun::take_results() {
    const auto add = [&](const std::string& title, const std::string& text) {
        seen_.results.emplace_back(title, text);
    };
    add("the ending", std::to_string(static_cast<int>(seen_.ending)));
    add("the number of cycles", std::to_string(engine().cycle()));
    std::string faults;
    for (const Diagnostic& fault : engine().faults())
        faults += render(fault);
    add("what is said of faults", faults);
    add("what is printed", printed_->text);
    seen_.cycles = watcher_.cycles();
    if (ended_in_other_levels())
        return;
    for (std::size_t k = 0; k < observed_.verdicts->size(); ++k) {
        const interpret::Verdict& verdict = (*observed_.verdicts)[k];
        std::string text =
            fmt::format("{} in {}, {} {} {} {}", static_cast<int>(verdict.kind), verdict.cycle,
                        verdict.evaluated, verdict.held, verdict.open, verdict.began);
        for (const interpret::Shown& shown : verdict.operands)
            text += fmt::format(", {} = {}", shown.text, shown.value);
        add(fmt::format("the verdict of '{}'", design_->checks->checks[k].text), text);
    }
    for (const auto& recording : observed_.recordings) {
        recording->finish(seen_.ending != RunEnd::completed);
        const std::string& path = recording->recording().path;
        add("recording '" + path + "'", recording->difference() + test::text_of(path));
    }
    if (mode_.loops_from > 0)
        return; // a condition that is the same in all steps counts once when unrolled
    for (const auto& counts : *observed_.covered)
        add("coverage", fmt::format("{}", fmt::join(counts->points(), " ")));
}

namespace {

std::string record_difference(const std::map<std::string, std::string>& found,
                              const std::map<std::string, std::string>& expected) {
    for (const auto& [key, bytes] : expected) {
        const auto other = found.find(key);
        if (other == found.end() || other->second.size() != bytes.size())
            return fmt::format("{} has another size", key);
        for (std::size_t k = 0; k < bytes.size(); ++k)
            if (other->second[k] != bytes[k])
                return fmt::format("byte {} of {} is {:#04x}, but {:#04x} interpreted", k, key,
                                   static_cast<unsigned char>(other->second[k]),
                                   static_cast<unsigned char>(bytes[k]));
    }
    return found.size() == expected.size() ? "" : "there is more state";
}

} // namespace

std::string difference(const Graph& graph, const Seen& found, const Seen& expected) {
    for (std::size_t k = 0; k < found.cycles.size() && k < expected.cycles.size(); ++k)
        if (const std::string what =
                slot_difference(graph, found.cycles[k].slots, expected.cycles[k].slots);
            !what.empty())
            return fmt::format("in cycle {} {}", k, what);
    for (const auto& [cycles, snapshot] : expected.snapshots) {
        const auto other = found.snapshots.find(cycles);
        if (other == found.snapshots.end())
            continue;
        std::string what = slot_difference(graph, other->second.slots, snapshot.slots);
        if (what.empty())
            what = record_difference(other->second.records, snapshot.records);
        if (!what.empty())
            return fmt::format("after {} cycles {}", cycles, what);
    }
    for (std::size_t k = 0; k < found.results.size() && k < expected.results.size(); ++k)
        if (found.results[k] != expected.results[k])
            return fmt::format("{} is\n{}\nbut interpreted\n{}", found.results[k].first,
                               found.results[k].second, expected.results[k].second);
    return found.cycles.empty() || found.cycles.size() == expected.cycles.size()
               ? ""
               : "another number of cycles was seen";
}

} // namespace sme::fuzz
