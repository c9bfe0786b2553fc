// SPDX-License-Identifier: Apache-2.0
#include "native/native_cycles.hpp"

#include <algorithm>
#include <utility>

#include <sched.h>

#include "interpret/block/program_group.hpp"
#include "runtime/clock.hpp"

namespace sme::native {

namespace {

void wait(const Meeting* meeting, std::uint64_t looks) {
    constexpr std::uint64_t looks_alone = 128;   // then it yields the CPU to others
    constexpr std::uint64_t longest = 1'000'000; // ns; longer than the work of any other thread
    relax();
    if (looks % looks_alone != 0)
        return;
    std::uint64_t* const own = meeting->lines + meeting->thread * Meeting::line_words;
    if (looks == looks_alone)
        own[Meeting::since] = now_ns();
    else if (now_ns() - own[Meeting::since] > longest)
        own[Meeting::late] = 1;
    ::sched_yield();
}

// `load` of one thread pairs with `store` of another.
std::uint64_t load(const std::uint64_t* word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
void store(std::uint64_t* word, std::uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

std::byte* waiting(std::vector<Pending>& places, const interpret::ProgramGroup& group) {
    if (places.empty())
        for (const expr::PartProgram& part : group.program().parts)
            places.resize(std::max<std::size_t>(places.size(), part.memory_writes.size() *
                                                                   group.places().order.size()),
                          {no_word, 0});
    return reinterpret_cast<std::byte*>(places.data());
}

/// In the order of ModelPointer.
std::unique_ptr<const void* []> pointers(const CycleModels::Instance& model,
                                         const unsigned char* ahead) {
    const ModelCalls& calls = model.calls;
    const auto code = [](auto* function) { return reinterpret_cast<const void*>(function); };
    std::vector<const void*> all{calls.model,       calls.clock,          calls.said,
                                 calls.dirty,       code(calls.enter),    code(calls.eval),
                                 code(calls.cycle), code(calls.set_time), ahead};
    all.insert(all.end(), model.ports.begin(), model.ports.end());
    auto result = std::make_unique<const void*[]>(all.size());
    std::copy(all.begin(), all.end(), result.get());
    return result;
}

} // namespace

NativeCycles::NativeCycles(const std::vector<Function>& functions, double largest_share,
                           const std::vector<Group*>& groups,
                           const std::vector<ScheduledStep>& steps,
                           const std::function<std::byte*(const FamilyData::Entry&)>& find)
    : lines_(functions.size()), largest_share_{largest_share} {
    for (const ScheduledStep& step : steps)
        if (ModelGroup* const group = abilities_of(step.group).models)
            if (std::find(models_.begin(), models_.end(), group) == models_.end())
                models_.push_back(group);
    for (const Function& function : functions) {
        Thread& thread = *threads_.emplace_back(std::make_unique<Thread>());
        thread.kernel = function.kernel;
        thread.meeting = {
            lines_.front().words, threads_.size() - 1, functions.size(), wait, load, store};
        add_observers(function.plan, thread, groups);
        for (const FamilyData::Entry& entry : function.plan.data) {
            std::byte* const own = pointer(function.plan, entry, thread, groups, steps);
            thread.data.push_back(own ? own : find(entry));
        }
    }
}

void NativeCycles::add_observers(const CycleKernelPlan& plan, Thread& thread,
                                 const std::vector<Group*>& groups) {
    thread.guards.resize(plan.guards);
    for (const CycleKernelPlan::Observer& observer : plan.observers)
        observers_.push_back({abilities_of(groups[observer.family]).results,
                              thread.guards.data() + observer.first_guard});
}

/// The address of a `data` entry that only cycle kernels use; null for other entries.
std::byte* NativeCycles::pointer(const CycleKernelPlan& plan, const FamilyData::Entry& entry,
                                 Thread& thread, const std::vector<Group*>& groups,
                                 const std::vector<ScheduledStep>& steps) {
    const auto copy = [&] { return abilities_of(steps[entry.family].group).copies->copy_plan(); };
    switch (entry.datum.kind) {
    case Datum::Kind::guards:
        for (const CycleKernelPlan::Observer& observer : plan.observers)
            if (observer.family == entry.family)
                return reinterpret_cast<std::byte*>(thread.guards.data() + observer.first_guard);
        return nullptr;
    case Datum::Kind::waiting:
        return waiting(thread.waiting[entry.family], *abilities_of(groups[entry.family]).program);
    case Datum::Kind::model:
        thread.pointers.push_back(pointers(plan.models[entry.datum.number], &thread.ahead));
        return reinterpret_cast<std::byte*>(thread.pointers.back().get());
    case Datum::Kind::meeting: return reinterpret_cast<std::byte*>(&thread.meeting);
    case Datum::Kind::next: return reinterpret_cast<std::byte*>(copy().next);
    case Datum::Kind::moved: {
        const CopyPlan result = copy();
        // rows are only read
        return result.rows ? const_cast<std::byte*>(result.rows->values.data()) : result.ring;
    }
    default: return nullptr;
    }
}

std::uint64_t NativeCycles::begin(const Frame& frame, std::uint64_t cycles) {
    for (const ModelGroup* const group : models_)
        if (!group->is_running())
            return 0;
    for (Line& line : lines_)
        line.words[Meeting::late] = 0;
    for (const Observer& observer : observers_)
        if (cycles > 0)
            cycles = std::min(cycles, observer.group->guard(frame.cycle, observer.guards));
    return cycles;
}

bool NativeCycles::is_held_up() const {
    return std::any_of(lines_.begin(), lines_.end(),
                       [](const Line& line) { return line.words[Meeting::late] != 0; });
}

std::uint64_t NativeCycles::run(const Frame& frame, std::uint64_t cycles) {
    const Thread& thread = *threads_[frame.thread];
    const Block block{frame.read, frame.write, frame.cycle,        0,       0,      cycles,
                      nullptr,    nullptr,     thread.data.data(), nullptr, nullptr};
    return thread.kernel(&block);
}

void NativeCycles::end(const Frame& frame, std::uint64_t done) {
    bool ahead = false;
    for (const auto& thread : threads_)
        ahead = std::exchange(thread->ahead, 0) != 0 || ahead;
    if (ahead)
        for (ModelGroup* const group : models_)
            group->run_ahead();
    if (done == 0)
        return;
    cycles_ += done;
    for (const Observer& observer : observers_)
        observer.group->skip(frame.cycle, done, observer.guards);
}

} // namespace sme::native
