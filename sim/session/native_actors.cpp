// SPDX-License-Identifier: Apache-2.0
#include "session/native_actors.hpp"

#include <chrono>
#include <new>
#include <system_error>
#include <utility>

#include "session/native_run.hpp"

namespace sme::session {

namespace {

constexpr std::chrono::milliseconds short_run{200};
constexpr std::chrono::milliseconds between_looks{5};

class NativeSteps final : public actors::InstanceSteps {
public:
    NativeSteps(native::NativeGroup& group, unsigned parts, std::uint64_t position) {
        for (unsigned part = 0; part < parts; ++part)
            parts_.push_back(group.one_step(part, position));
    }
    void step(const Frame& frame) override {
        for (native::NativeGroup::OneStep& part : parts_)
            part.run(frame);
    }

private:
    std::vector<native::NativeGroup::OneStep> parts_;
};

/// The groups of actors only; their observers do not run without a clock.
std::vector<Group*> groups_of(const Graph& graph, const actors::Run& run) {
    std::vector<Group*> groups = run.groups();
    groups.resize(graph.processes.size());
    for (std::size_t f = 0; f < groups.size(); ++f)
        if (graph.processes[f].observer)
            groups[f] = nullptr;
    return groups;
}

} // namespace

std::string NativeActors::missing() const {
    return settings_.forbidden.empty() ? missing_compiler() : settings_.forbidden;
}

/// Compiles the files in sequence: networks of actors are much smaller than the code that a
/// compiler handles in a second.
std::string NativeActors::compile_all(const std::atomic<bool>* unwanted) {
    if (std::string why = missing(); !why.empty())
        return why;
    constexpr std::uint64_t no_wires = ~std::uint64_t{0}; // wires would begin after the arena
    native_ = std::make_unique<native::Native>(graph_, groups_of(graph_, run_), no_wires);
    native::CompilerSettings compiler = system_compiler();
    compiler.unwanted = unwanted;
    const native::CModule& c_module = native_->c_module();
    for (std::size_t file = 0; file < c_module.files().size(); ++file) {
        native::Compiled result = native::compile(c_module.text(file), compiler);
        std::string problem = result.problem;
        if (!result.object || !native_->load(file, std::move(result.object), problem))
            return problem.empty() ? "the compiler was stopped" : problem;
    }
    by_instance_.reserve(c_module.families().size()); // elements must not move
    for (const native::FamilyPlan& plan : c_module.families())
        if (native::NativeGroup* const group = native_->group(plan.family))
            swap_executor(plan.family, *group);
    live_ = true;
    return {};
}

void NativeActors::swap_executor(std::uint32_t number, native::NativeGroup& group) {
    const ProcessFamily& family = graph_.processes[number];
    std::vector<actors::InstanceSteps*>& result = by_instance_.emplace_back();
    for (std::uint64_t k = 0; k < family.count; ++k)
        result.push_back(steps_
                             .emplace_back(std::make_unique<NativeSteps>(
                                 group, static_cast<unsigned>(family.parts.size()), k))
                             .get());
    run_.swap_executor(number, result.data());
}

std::string NativeActors::compile() {
    why_ = compile_all(settings_.interrupt);
    return why_;
}

void NativeActors::begin() {
    try {
        thread_ = std::thread{[this] { work(); }};
    } catch (const std::system_error& error) {
        why_ = "there is no thread to compile on: " + error.code().message();
    }
}

void NativeActors::work() {
    const auto begin = std::chrono::steady_clock::now();
    while (!stopped_ && std::chrono::steady_clock::now() - begin < short_run)
        std::this_thread::sleep_for(between_looks);
    if (stopped_)
        return;
    try {
        why_ = compile_all(&stopped_);
        if (!why_.empty() && !stopped_ && settings_.forbidden.empty() && settings_.note)
            settings_.note("the run goes on interpreted: " + why_);
    } catch (const std::bad_alloc&) {
        why_ = "out of memory"; // so short that this allocates nothing
    }
}

void NativeActors::stop() {
    stopped_ = true;
    if (thread_.joinable())
        thread_.join();
}

} // namespace sme::session
