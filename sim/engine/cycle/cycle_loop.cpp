// SPDX-License-Identifier: Apache-2.0
//
// The end of a cycle:
// 1. After a fault, only observers run at later levels; the outputs of all other items become
//    unwritten.
// 2. The printed lines are handed over, and the auditor judges the cycle.
// 3. The arenas swap: the values written in this cycle become readable.
// 4. Stop conditions are tested: faults, failed checks, halts, interrupts.
//
// Native code may run many cycles before a cycle that begins here, on one thread or on all.
//
// Any store may run out of memory. A thread must not leave the others waiting at the barrier, so it
// sets a flag and meets them; the caller then throws.
#include "engine/cycle/cycle_loop.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "runtime/clock.hpp"

namespace sme::engine {

CycleLoop::CycleLoop(const Schedule& schedule, Arenas& arenas, Reports& reports,
                     const std::atomic<bool>* interrupt,
                     std::function<void(const Item&, const Frame&)> leave_unwritten,
                     std::function<void(std::uint32_t level)> lose_wires)
    : schedule_{schedule}, arenas_{arenas}, reports_{reports}, interrupt_{interrupt},
      leave_unwritten_{std::move(leave_unwritten)}, lose_wires_{std::move(lose_wires)},
      bases_{arenas.first(), arenas.second()}, to_read_{arenas.to_read()}, last_level_{
                                                                               schedule.levels} {}

Frame CycleLoop::frame() const {
    return {bases_.read + to_read_, bases_.write, cycle_, nullptr, wires_settled_, 0, fresh_};
}

void CycleLoop::run_item(const Item& item, Range range, Frame& frame) const {
    if (item.observer && (log_ || replay_))
        return;
    frame.control = item.control;
    if (skips_ && item.activity)
        item.activity->step(*item.steps, item.part, range, frame);
    else
        item.steps->step(item.part, range, frame);
    arenas_.show_wires(frame.write);
}

void CycleLoop::run(std::uint64_t cycles, const Plan& plan, Team* team, CycleSampler& sampler) {
    if (ending_ != RunEnd::completed || cycles == 0)
        return;
    plan_ = &plan;
    sampler_ = &sampler;
    end_ = cycle_ + cycles;
    section_ = 0;
    stop_ = false;
    last_level_ = first_last_level();
    reports_.begin_cycle(cycle_);
    sampled_ = sampler.wants(cycle_);
    if (auditor_)
        auditor_->begin_cycle(frame());
    cycle_kernel_ = cycle_kernel(plan.threads);
    guard([&] { advance(&sampler.log(0)); });
    if (!stop_ && !exhausted_.load(std::memory_order_relaxed)) {
        barrier_ = &team->barrier();
        team->run([&](unsigned thread) { work(thread, sampler.log(thread)); });
    }
    if (exhausted_.load(std::memory_order_relaxed))
        throw std::bad_alloc{};
}

template <class Work> void CycleLoop::guard(Work work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        exhausted_.store(true, std::memory_order_relaxed);
    }
}

/// The loop of each thread until the run stops.
void CycleLoop::work(unsigned thread, CycleSampler::Log& log) {
    while (!stop_) {
        Frame own = frame();
        own.thread = thread;
        if (kernel_cycles_ > 0) {
            const std::uint64_t done = cycle_kernel_->run(own, kernel_cycles_);
            go_on([&] { end_cycle_kernel(done); }, log);
            continue;
        }
        const std::size_t number = section_;
        const Section& section = plan_->sections[number];
        const bool sampled = sampled_;
        guard([&] { take_tasks(section, thread, log, own); });
        const std::uint64_t arrived = sampled ? now_ns() : 0;
        go_on([&] { leave_section(section); }, log);
        if (sampled)
            guard([&] { log.wait(number, own.cycle, arrived); });
    }
}

/// The meeting of all threads: the last one to arrive calls `end` and continues alone as far as it
/// can.
template <class End> void CycleLoop::go_on(End end, CycleSampler::Log& log) {
    barrier_->arrive([&] {
        if (!exhausted_.load(std::memory_order_relaxed))
            guard([&] {
                end();
                advance(&log);
            });
        stop_ = stop_ || exhausted_.load(std::memory_order_relaxed);
    });
}

void CycleLoop::take_tasks(const Section& section, unsigned thread, CycleSampler::Log& log,
                           Frame& own) {
    const std::size_t number = section_;
    const bool sampled = sampled_;
    while (const Task* task = section.queue->take(thread)) {
        const Item& item = schedule_.items[task->item];
        if (task->fused_end != 0 && run_fused(*task, *section.queue, own, sampled ? &log : nullptr))
            continue;
        if (sampled) [[unlikely]]
            log.measure(*task, number, own.cycle, [&](Range piece) { run_item(item, piece, own); });
        else
            run_item(item, task->range, own);
    }
}

/// Runs a task of a fixed list and those fused with it in one call. False if other items are fused
/// since the plan was made.
bool CycleLoop::run_fused(const Task& task, Queue& queue, Frame& own,
                          CycleSampler::Log* log) const {
    const FusedItems* const items = fused_at(task.item, log != nullptr);
    if (!items || items->end_item != task.fused_end)
        return false;
    for (std::uint32_t k = task.item + run_fused(*items, own, log); k < items->end_item; ++k)
        run_item(schedule_.items[k], schedule_.items[k].range, own);
    queue.skip(own.thread, items->end_item - task.item - 1);
    return true;
}

/// Runs on one thread: from the next section to the next parallel one, across as many cycles as
/// needed.
void CycleLoop::advance(CycleSampler::Log* log) {
    for (;;) {
        if (section_ == plan_->sections.size()) {
            end_cycle();
            if (stop_)
                return;
            section_ = 0;
        }
        if (section_ == 0 && cycle_kernel_ && !skips_ && cycle_ >= kernel_at_) {
            begin_cycle_kernel();
            if (kernel_cycles_ > 0 && plan_->threads > 1)
                return;
            if (kernel_cycles_ > 0)
                end_cycle_kernel(cycle_kernel_->run(frame(), kernel_cycles_));
        }
        if (section_ == 0 && skips_)
            activity_->begin_cycle(cycle_, fresh_);
        const Section& section = plan_->sections[section_];
        if (ranks_ && section.first_item < section.end_item &&
            schedule_.items[section.first_item].level > schedule_.last_step_level)
            exchange();
        const bool cut_short = last_level_ < schedule_.levels || replay_;
        if (section.queue && !cut_short)
            return;
        run_serial(section, sampled_ ? log : nullptr);
        ++section_;
    }
}

/// The last cycle of a run executes item by item, so that wires hold their values.
void CycleLoop::begin_cycle_kernel() {
    if (sampled_ || auditor_ || end_ - cycle_ < 2)
        return;
    kernel_cycles_ = cycle_kernel_->begin(frame(), end_ - cycle_ - 1);
    if (kernel_cycles_ == 0)
        note_kernel_cycles(0);
}

void CycleLoop::end_cycle_kernel(std::uint64_t done) {
    kernel_cycles_ = 0;
    cycle_kernel_->end(frame(), done);
    if (done % 2 != 0)
        std::swap(bases_.read, bases_.write);
    cycle_ += done;
    fresh_ = fresh_ && done == 0;
    note_kernel_cycles(done);
    if (cycle_kernel_->is_held_up())
        end_ = cycle_ + 1;
    if (done == 0)
        return;
    reports_.begin_cycle(cycle_);
    sampled_ = sampler_->wants(cycle_);
}

/// When a call completed few cycles, the pause before the next attempt doubles.
void CycleLoop::note_kernel_cycles(std::uint64_t done) {
    constexpr std::uint64_t fewest = 4, longest_pause = 1024;
    kernel_pause_ =
        done >= fewest ? 0 : std::clamp<std::uint64_t>(2 * kernel_pause_, 1, longest_pause);
    kernel_at_ = cycle_ + 1 + kernel_pause_;
}

CycleKernel* CycleLoop::cycle_kernel(unsigned threads) const {
    const auto found =
        std::find_if(cycle_kernels_.begin(), cycle_kernels_.end(),
                     [&](const CycleKernel* kernel) { return kernel->threads() == threads; });
    return found == cycle_kernels_.end() ? nullptr : *found;
}

void CycleLoop::set_fused(std::vector<FusedItems> fused) {
    fused_ = std::move(fused);
    fused_at_.assign(schedule_.items.size(), nullptr);
    fused_beside_ = fused_at_;
    measured_together_.assign(schedule_.items.size(), false);
    const auto is_left_out = [](const Item& item) {
        return item.activity && item.activity->skips();
    };
    // larger items may be divided among threads, so their own costs must be known
    constexpr std::uint64_t most_together = 16;
    for (const FusedItems& items : fused_) {
        fused_at_[items.first_item] = &items;
        const Item* const begin = schedule_.items.data();
        measured_together_[items.first_item] =
            std::all_of(begin + items.first_item, begin + items.end_item,
                        [](const Item& item) { return item.range.count <= most_together; });
        if (std::none_of(begin + items.first_item, begin + items.end_item, is_left_out))
            fused_beside_[items.first_item] = &items;
    }
}

const FusedItems* CycleLoop::fused_at(std::uint32_t item, bool measured) const {
    if (measured && !measured_together_[item])
        return nullptr;
    return skips_ ? fused_beside_[item] : fused_at_[item];
}

/// Returns the number of completed items.
std::uint32_t CycleLoop::run_fused(const FusedItems& items, const Frame& now,
                                   CycleSampler::Log* log) const {
    if (log)
        return log->measure_together(items.first_item, items.end_item, section_, now.cycle,
                                     [&] { return run_fused(items, now, nullptr); });
    if (!skips_)
        return items.run(now);
    const auto for_each_active = [&](std::uint32_t end, auto visit) {
        for (std::uint32_t k = items.first_item; k < end; ++k)
            if (const Item& item = schedule_.items[k]; item.activity)
                visit(*item.activity, item.range);
    };
    for_each_active(items.end_item,
                    [&](ActivePart& part, Range range) { part.before_step(range, now); });
    const std::uint32_t done = items.run(now);
    for_each_active(items.first_item + done,
                    [&](ActivePart& part, Range range) { part.after_step(range, now); });
    return done;
}

/// Runs fused items from `item` on while they end before `end` and the cycle has no fault. Returns
/// the first remaining item.
std::uint32_t CycleLoop::run_fused(std::uint32_t item, std::uint32_t end, const Frame& now,
                                   CycleSampler::Log* log) const {
    while (item < end && last_level_ == schedule_.levels) {
        const FusedItems* const items = fused_at(item, log != nullptr);
        if (!items || items->end_item > end)
            break;
        const std::uint32_t done = run_fused(*items, now, log);
        item += done;
        if (item < items->end_item)
            break;
    }
    return item;
}

void CycleLoop::run_serial(const Section& section, CycleSampler::Log* log) {
    Frame now = frame();
    const auto interior =
        static_cast<std::uint32_t>(std::min<std::size_t>(schedule_.interior, section.end_item));
    for (std::uint32_t k = section.first_item; k < section.end_item; ++k) {
        if (k == schedule_.interior && last_level_ == schedule_.levels && !replay_)
            ranks_->begin_exchange(bases_.write);
        const std::uint32_t end = k < interior ? interior : section.end_item;
        if (!fused_.empty() && (k = run_fused(k, end, now, log)) == end) {
            --k;
            continue;
        }
        const Item& item = schedule_.items[k];
        if (ranks_ && !exchanged_ && item.level > schedule_.last_step_level) {
            exchange();
            now = frame();
        }
        if (item.level > last_level_ && !item.always)
            continue;
        if (log)
            log->measure({k, item.range, 0, 0}, section_, cycle_,
                         [&](Range piece) { run_item(item, piece, now); });
        else
            run_item(item, item.range, now);
        if (reports_.faulted() && item.level < last_level_) {
            end_after(item.level);
            now.wires_settled = wires_settled_;
        }
    }
}

/// Only the last level of a parallel section may fault; see Plan.
void CycleLoop::leave_section(const Section& section) {
    section.queue->rewind();
    if (reports_.faulted())
        end_after(schedule_.items[section.end_item - 1].level);
    ++section_;
}

/// A level has faulted: later ones do not run in this cycle.
void CycleLoop::end_after(std::uint32_t level) {
    last_level_ = level;
    wires_settled_ = level >= schedule_.last_step_level;
    if (!wires_settled_)
        lose_wires_(level);
}

/// Once in a cycle, after all steps and before observers that run after them.
void CycleLoop::exchange() {
    if (!ranks_ || exchanged_)
        return;
    exchanged_ = true;
    CycleEnd own;
    if (reports_.faulted())
        own.fault_level = last_level_;
    own.halted = reports_.halted();
    const CycleEnd others = ranks_->exchange(bases_.write, own);
    others_ended_ = others.fault_level != no_fault_level || others.halted || others.stopped;
    if (others.fault_level < last_level_)
        end_after(others.fault_level);
}

void CycleLoop::end_cycle() {
    exchange();
    if (log_)
        log_->note(bases_.read);
    if (last_level_ < schedule_.levels)
        for (const Item& item : schedule_.items)
            if (item.level > last_level_ && !item.always)
                leave_unwritten_(item, frame());
    reports_.end_cycle();
    const bool goes_on = !auditor_ || auditor_->end_cycle(frame(), reports_.faulted());
    std::swap(bases_.read, bases_.write);
    fresh_ = false;
    ++cycle_;
    ending_ = reports_.ending();
    if (!goes_on && ending_ != RunEnd::faulted)
        ending_ = RunEnd::check_failed;
    else if (ending_ == RunEnd::completed && interrupt_ &&
             interrupt_->load(std::memory_order_relaxed))
        ending_ = RunEnd::stopped;
    cut_off_ = ending_ == RunEnd::completed && others_ended_;
    if (cut_off_)
        ending_ = RunEnd::stopped;
    exchanged_ = others_ended_ = false;
    if (replay_)
        last_level_ = first_last_level();
    stop_ = ending_ != RunEnd::completed || cycle_ == end_;
    reports_.begin_cycle(cycle_);
    sampled_ = !stop_ && sampler_->wants(cycle_);
    if (auditor_ && !stop_)
        auditor_->begin_cycle(frame());
}

void CycleLoop::observe() {
    wires_settled_ = false;
    lose_wires_(schedule_.levels); // none: they keep their values
    step_observers(frame());
    const RunEnd end = reports_.ending();
    if (end == RunEnd::faulted || end == RunEnd::check_failed)
        ending_ = end;
}

std::uint32_t CycleLoop::step_observers(Frame now) const {
    std::uint32_t fault_level = no_fault_level;
    for (const Item& item : schedule_.items) {
        if (!item.observer)
            continue;
        now.control = item.control;
        item.steps->step(item.part, item.range, now);
        if (reports_.faulted())
            fault_level = std::min(fault_level, item.level);
    }
    return fault_level;
}

} // namespace sme::engine
