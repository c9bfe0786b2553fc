// SPDX-License-Identifier: Apache-2.0
//
// To go back, restores a snapshot from before the cycle, and runs forward from there. Takes
// snapshots at regular intervals; when there are too many, drops every second one and doubles the
// interval.
#include "debug/machine.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "interpret/block/program_group.hpp"
#include "interpret/observers/recorder.hpp"
#include "session/run_loop.hpp"

namespace sme::debug {

/// Observes the positions of the values of the last cycle.
class Machine::View final : public Observer {
public:
    void open(const Observed& observed) override { note(observed); }
    void step(unsigned, Range, const Frame& frame) override {
        if (closed_)
            return;
        read_ = frame.read;
        settled_ = frame.wires_settled;
    }
    void close(std::uint64_t) override {}
    /// Call before steps that are not cycles.
    void stop() { closed_ = true; }

    const std::byte* at(const Graph& graph, std::uint64_t element) const {
        const BusFamily& bus = graph.family_of(element);
        if (!read_ || (bus.wire() && !missing_->computed(element, settled_)))
            return nullptr;
        const auto family = static_cast<std::size_t>(&bus - graph.buses.data());
        return read_ + slots_[family].at(element - bus.first);
    }

private:
    void note(const Observed& observed) {
        for (std::size_t b = 0; b < observed.graph().buses.size(); ++b)
            slots_.push_back(observed.slots(b));
        missing_ = &observed.missing();
    }
    std::vector<Segments> slots_;
    const MissingWires* missing_ = nullptr;
    const std::byte* read_ = nullptr;
    bool settled_ = false;
    bool closed_ = false;
};

Machine::Machine(std::string path, session::LoadSettings settings)
    : path_{std::move(path)}, settings_{std::move(settings)} {}

Machine::~Machine() {
    quiet_ = true; // processes may print when an engine ends
}

bool Machine::open(Diagnostics& diagnostics) {
    std::unique_ptr<Setup> setup = load({}, diagnostics);
    if (!setup)
        return false;
    take(std::move(setup));
    if (!begin_run(diagnostics))
        return false;
    can_save_ = engine().unsaved().empty();
    save_now_and_then();
    return true;
}

std::unique_ptr<Machine::Setup> Machine::load(std::vector<yaml::ProbeText> texts,
                                              Diagnostics& diagnostics) {
    auto setup = std::make_unique<Setup>();
    setup->texts = texts;
    for (const yaml::ProbeText& text : texts)
        setup->numbers.emplace(key_of(text), setup->numbers.size());
    setup->values.resize(texts.size());
    setup->lines.follow(followed_);
    session::LoadSettings settings = settings_;
    settings.probes = std::move(texts);
    setup->loaded = session::load(
        path_, settings,
        [&](VerilogModules* modules) {
            yaml::GroupFactories result = session::factories_of_each(false, modules);
            if (settings.cover)
                result.process = [lines = &setup->lines](auto program) {
                    return lines->factory(std::move(program));
                };
            result.probe = [to = setup.get()](std::shared_ptr<const expr::Probe> probe,
                                              std::size_t number) {
                to->remembers = std::max(to->remembers, probe->remembers);
                to->values[number].type = probe->type;
                return probe_factory(std::move(probe), to->values[number]);
            };
            return result;
        },
        diagnostics);
    return setup->loaded ? std::move(setup) : nullptr;
}

/// Replaces the setup and ends its run.
void Machine::take(std::unique_ptr<Setup> setup) {
    quiet_ = true;
    if (view_)
        view_->stop();
    run_.reset();
    view_.reset();
    quiet_ = false;
    setup_ = std::move(setup);
}

bool Machine::begin_run(Diagnostics& diagnostics) {
    quiet_ = true;
    if (view_)
        view_->stop();
    run_.reset();
    quiet_ = false;
    setup_->lines.forget_groups();
    engine::Options options;
    options.run.threads = 1;
    options.run.seed = settings_.seed;
    options.prints = this;
    view_ = std::make_unique<View>();
    run_ = std::make_unique<session::Run>(graph(), setup_->loaded->analysis, options, diagnostics);
    if (run_->ok())
        engine().attach(*view_);
    return run_->ok();
}

const interpret::Verdicts* Machine::verdicts() const {
    for (std::uint32_t k = 0; k < graph().processes.size(); ++k)
        if (graph().processes[k].observer)
            if (const auto* const found = interpret::verdicts_of(engine().group(k)))
                return found;
    return nullptr;
}

std::optional<ProcessPlace> Machine::first_faulted() const {
    const auto process = engine().first_faulted();
    if (!process || graph().processes[process->family].observer)
        return std::nullopt;
    return ProcessPlace{process->family, process->instance};
}

std::vector<std::string> Machine::differences() const {
    std::vector<std::string> found;
    for (std::uint32_t k = 0; k < graph().processes.size(); ++k)
        if (graph().processes[k].observer)
            if (const auto* const file = interpret::recording_of(engine().group(k));
                file && !file->difference().empty())
                found.push_back(file->recording().path + ": " + file->difference());
    return found;
}

void Machine::save_now_and_then() {
    constexpr std::size_t max_snapshots = 64, max_bytes = std::size_t{1} << 28;
    const std::uint64_t cycle = engine().cycle();
    if (!can_save_ || cycle % save_every_ != 0 || saved_.count(cycle) > 0 ||
        engine().ending() != RunEnd::completed)
        return;
    engine::Snapshot result = engine().snapshot();
    const std::size_t fit =
        std::clamp<std::size_t>(max_bytes / (result.bytes() + 1), 4, max_snapshots);
    saved_[cycle] = std::move(result);
    while (saved_.size() > fit) {
        save_every_ *= 2;
        std::erase_if(saved_, [this](const auto& each) { return each.first % save_every_ != 0; });
    }
}

void Machine::make(const Change& change) {
    engine::Access& access = engine().access();
    if (change.family)
        access.write_words(*change.family, change.memory, change.instance, change.offset,
                           change.bytes);
    else
        access.write(change.element, change.offset, change.bytes);
}

void Machine::run_one() {
    const std::uint64_t cycle = engine().cycle();
    for (const Change& change : changes_)
        if (change.cycle == cycle)
            make(change);
    setup_->lines.begin_cycle();
    engine().run(1);
}

bool Machine::step() {
    if (ending() != RunEnd::completed)
        return false;
    run_one();
    save_now_and_then();
    return true;
}

std::vector<std::string> Machine::take_prints() {
    std::vector<std::string> taken;
    if (const std::uint64_t lost = std::exchange(lost_prints_, 0); lost > 0)
        taken.push_back(fmt::format("... {} lines before these are left out", lost));
    for (std::string& line : prints_)
        taken.push_back(std::move(line));
    prints_.clear();
    return taken;
}

/// Creates a new engine in the state of the last snapshot at or before `ran` cycles.
void Machine::restore(std::uint64_t ran) {
    Diagnostics fine; // it cannot fail: an engine was built before
    begin_run(fine);
    const auto behind = saved_.upper_bound(ran);
    if (behind != saved_.begin())
        engine().restore(std::prev(behind)->second);
}

void Machine::repeat(std::uint64_t ran, const std::atomic<bool>* interrupt) {
    const std::uint64_t before = setup_->remembers + 1; // with the shown cycle
    restore(ran > before ? ran - before : 0);
    quiet_ = true;
    while (this->ran() < ran && !(interrupt && *interrupt) && step())
        ;
    quiet_ = false;
    if (ran == 0) // reapplies the changes at that cycle
        for (const Change& change : changes_)
            if (change.made == 0)
                make(change);
}

void Machine::go_to(std::uint64_t ran, const std::atomic<bool>* interrupt) {
    const auto undone = std::find_if(changes_.begin(), changes_.end(),
                                     [&](const Change& change) { return change.made > ran; });
    if (undone != changes_.end()) {
        saved_.erase(saved_.upper_bound(undone->cycle), saved_.end());
        changes_.erase(undone, changes_.end());
    }
    if (ran >= this->ran()) {
        quiet_ = true;
        while (this->ran() < ran && !(interrupt && *interrupt) && step())
            ;
        quiet_ = false;
    } else
        repeat(ran, interrupt);
}

void Machine::change(Change change) {
    change.made = ran();
    change.cycle = change.made == 0 ? 0 : change.made - 1;
    saved_.erase(saved_.upper_bound(change.cycle), saved_.end());
    changes_.push_back(change);
    if (change.made == 0)
        make(change);
    else
        repeat(change.made, nullptr);
}

const std::byte* Machine::now(std::uint64_t element) const {
    return ran() == 0 ? nullptr : view_->at(graph(), element);
}

const std::byte* Machine::next(std::uint64_t element) const {
    if (graph().family_of(element).wire() || has_faulted())
        return nullptr;
    return engine().access().value(element);
}

const ProbeValue* Machine::evaluated(const yaml::ProbeText& text) const {
    const auto found = setup_->numbers.find(key_of(text));
    return found == setup_->numbers.end() ? nullptr : &setup_->values[found->second];
}

const ProbeValue* Machine::evaluate(const yaml::ProbeText& text, Diagnostics& diagnostics) {
    return evaluate_all({text}, diagnostics) ? evaluated(text) : nullptr;
}

bool Machine::evaluate_all(const std::vector<yaml::ProbeText>& texts, Diagnostics& diagnostics) {
    std::vector<yaml::ProbeText> all = setup_->texts;
    for (const yaml::ProbeText& text : texts)
        if (!evaluated(text))
            all.push_back(text);
    return all.size() == setup_->texts.size() || load_again(std::move(all), diagnostics);
}

/// Loads the network with these probes, and returns to the current cycle.
bool Machine::load_again(std::vector<yaml::ProbeText> texts, Diagnostics& diagnostics) {
    std::unique_ptr<Setup> result = load(std::move(texts), diagnostics);
    if (!result)
        return false;
    const std::uint64_t at = ran();
    take(std::move(result));
    repeat(at, nullptr);
    return true;
}

void Machine::keep_only(const std::vector<yaml::ProbeText>& texts) {
    std::set<TextKey> kept;
    for (const yaml::ProbeText& text : texts)
        kept.insert(key_of(text));
    std::vector<yaml::ProbeText> left = setup_->texts;
    if (std::erase_if(left, [&](const auto& text) { return !kept.contains(key_of(text)); }) == 0)
        return;
    Diagnostics fine; // cannot fail: loaded successfully before
    load_again(std::move(left), fine);
}

std::vector<ProcessPlace> Machine::places_of(const TextLine& line) {
    if (!settings_.cover) { // lines are not counted yet
        settings_.cover = true;
        Diagnostics fine; // cannot fail: loaded successfully before
        load_again(setup_->texts, fine);
    }
    return setup_->lines.places(line);
}

void Machine::follow(const std::vector<TextLine>& lines) {
    if (followed_ == lines)
        return;
    followed_ = lines;
    setup_->lines.follow(lines);
}

} // namespace sme::debug
