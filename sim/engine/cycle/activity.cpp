// SPDX-License-Identifier: Apache-2.0
#include "engine/cycle/activity.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

namespace sme::engine {

namespace {

/// Calls visit(first, count) for each run of positions with non-zero bytes; runs with fewer than
/// `gap` zeros between them are one.
template <class Visit>
void for_each_set(const std::uint8_t* bytes, Range range, std::uint64_t gap, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    const auto next_set = [&](std::uint64_t k) {
        for (std::uint64_t eight = 0; k + 8 <= end; k += 8)
            if (std::memcpy(&eight, bytes + k, 8); eight != 0)
                break;
        while (k < end && bytes[k] == 0)
            ++k;
        return k;
    };
    for (std::uint64_t first = next_set(range.first); first < end;) {
        std::uint64_t last = first, next = first;
        do {
            last = next;
            next = next_set(last + 1);
        } while (next < end && next - last <= gap);
        visit(Range{first, last + 1 - first});
        first = next;
    }
}

/// Sets a byte that several threads may set. Not std::atomic_ref, which clang's library lacks.
void note(std::uint8_t& byte, std::uint8_t value) {
    __atomic_store_n(&byte, value, __ATOMIC_RELAXED);
}

void copy(std::byte* to, const std::byte* from, std::size_t bytes) {
    switch (bytes) {
    case 1: *to = *from; break;
    case 2: std::memcpy(to, from, 2); break;
    case 4: std::memcpy(to, from, 4); break;
    case 8: std::memcpy(to, from, 8); break;
    default: std::memcpy(to, from, bytes);
    }
}

/// Calls visit(position) for each non-zero byte, which must be 1.
template <class Visit> void for_each_one(const std::uint8_t* bytes, Range range, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    std::uint64_t k = range.first;
    for (std::uint64_t eight = 0; k + 8 <= end; k += 8)
        for (std::memcpy(&eight, bytes + k, 8); eight != 0; eight &= eight - 1)
            visit(k + static_cast<unsigned>(std::countr_zero(eight)) / 8);
    for (; k < end; ++k)
        if (bytes[k] != 0)
            visit(k);
}

bool differ(const std::byte* one, const std::byte* other, std::size_t bytes) {
    const auto as = [&]<class Word>(Word) {
        Word a = 0, b = 0;
        std::memcpy(&a, one, sizeof(Word));
        std::memcpy(&b, other, sizeof(Word));
        return a != b;
    };
    switch (bytes) {
    case 1: return *one != *other;
    case 2: return as(std::uint16_t{});
    case 4: return as(std::uint32_t{});
    case 8: return as(std::uint64_t{});
    default: return std::memcmp(one, other, bytes) != 0;
    }
}

} // namespace

std::size_t ActivePart::Output::run_of(std::uint64_t position) const {
    if (runs.size() == 1)
        return 0;
    return static_cast<std::size_t>(
        std::upper_bound(runs.begin(), runs.end(), position,
                         [](std::uint64_t at, const Run& one) { return at < one.end(); }) -
        runs.begin());
}

/// Calls visit(run, the same clipped to the range) for each run of an output.
template <class Visit> void ActivePart::for_each_run(Output& output, Range range, Visit visit) {
    const std::uint64_t end = range.first + range.count;
    auto run = output.runs.begin() + static_cast<std::ptrdiff_t>(output.run_of(range.first));
    for (; run != output.runs.end() && run->first < end; ++run) {
        const std::uint64_t first = std::max(run->first, range.first), skipped = first - run->first;
        visit(*run,
              Run{first, std::min(run->end(), end) - first, run->offset + skipped * output.bytes,
                  run->element + skipped * static_cast<std::uint64_t>(run->stride), run->stride});
    }
}

void ActivePart::step(Group& group, unsigned part, Range range, const Frame& frame) {
    constexpr std::uint64_t max_gap = 3;   // a call costs more than that many idle instances
    constexpr std::uint64_t most_busy = 2; // with more than a half, all of them run
    Activity::Steps& steps = activity_.counts_[frame.thread].steps;
    steps.all += range.count;
    if (!skips_ || activity_.all_)
        return step_and_compare(group, part, range, frame);
    find_needed(range);
    const std::uint8_t* const needed = needed_.data() + range.first;
    std::uint64_t busy = std::accumulate(needed, needed + range.count, std::uint64_t{0});
    if (busy * most_busy > range.count)
        return step_and_compare(group, part, range, frame);
    clear_changes(range);
    if (executor_ && executor_->step_some(part, range, needed_.data(), changes_.data(), frame))
        for_each_one(needed_.data(), range, [&](std::uint64_t k) { take_changes(k); });
    else {
        busy = 0;
        for_each_set(needed_.data(), range, max_gap, [&](Range some) {
            busy += some.count;
            // also of idle ones in a gap, so nothing is left to copy
            std::memset(needed_.data() + some.first, 1, some.count);
            step_and_compare(group, part, some, frame);
        });
    }
    steps.skipped += range.count - busy;
    copy_outputs(range, frame);
}

void ActivePart::step_and_compare(Group& group, unsigned part, Range range, const Frame& frame) {
    keep_wires(range, frame);
    group.step(part, range, frame);
    compare(range, frame);
}

/// Fused steps do not tell which memories they wrote.
void ActivePart::after_step(Range range, const Frame& frame) {
    if (wrote_)
        std::memset(wrote_ + range.first, 1, range.count);
    activity_.counts_[frame.thread].steps.all += range.count;
    compare(range, frame);
}

/// A wire has one slot for both arenas.
void ActivePart::keep_wires(Range range, const Frame& frame) {
    for (Output& output : outputs_)
        if (output.wire)
            for_each_run(output, range, [&](const Run&, const Run& run) {
                std::memcpy(output.before.data() + run.first * output.bytes,
                            frame.read + run.offset, run.count * output.bytes);
            });
}

void ActivePart::compare(Range range, const Frame& frame) {
    std::memset(any_[activity_.now_].data() + range.first, 0, range.count);
    for (Output& output : outputs_)
        for_each_run(output, range, [&](Run& whole, const Run& run) {
            compare(output, whole, run,
                    output.wire ? output.before.data() + run.first * output.bytes
                                : frame.read + run.offset,
                    frame.write + run.offset);
        });
    if (wrote_)
        for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
            activity_.changed_[activity_.now_][wrote_element_ + k] = std::exchange(wrote_[k], 0);
}

void ActivePart::compare(const Output& output, Run& whole, const Run& run, const std::byte* before,
                         const std::byte* after) {
    constexpr std::uint64_t few = 4; // otherwise they are first compared together
    std::uint8_t* __restrict changed = activity_.changed_[activity_.now_].data() + run.element;
    std::uint8_t* const __restrict any = any_[activity_.now_].data() + run.first;
    if (run.count > few && std::memcmp(before, after, run.count * output.bytes) == 0) {
        mark_unchanged(output, whole, run);
        return;
    }
    note(whole.marked[activity_.now_], 1);
    const std::uint8_t kept = output.wire ? 0 : 1;
    const auto compare_words = [&]<class Word>(Word) {
        for (std::uint64_t k = 0; k < run.count; ++k) {
            Word one = 0, other = 0;
            std::memcpy(&one, before + k * sizeof(Word), sizeof(Word));
            std::memcpy(&other, after + k * sizeof(Word), sizeof(Word));
            changed[k] = one != other ? 1 : 0;
            any[k] |= changed[k] & kept;
        }
    };
    if (run.stride == 1 && !output.delayed && output.bytes == 4)
        return compare_words(std::uint32_t{});
    if (run.stride == 1 && !output.delayed && output.bytes == 8)
        return compare_words(std::uint64_t{});
    for (std::uint64_t k = 0; k < run.count; ++k, changed += run.stride) {
        const bool differs =
            differ(before + k * output.bytes, after + k * output.bytes, output.bytes);
        if (!output.delayed)
            *changed = differs ? 1 : 0;
        any[k] |= static_cast<std::uint8_t>(differs ? kept : 0);
    }
}

/// Several threads may step pieces of a run; it is known to have no marks when one clears it whole.
void ActivePart::mark_unchanged(const Output& output, Run& whole, const Run& run) {
    std::uint8_t& marked = whole.marked[activity_.now_];
    if (output.delayed || __atomic_load_n(&marked, __ATOMIC_RELAXED) == 0)
        return;
    std::uint8_t* changed = activity_.changed_[activity_.now_].data() + run.element;
    if (run.stride == 1)
        std::memset(changed, 0, run.count);
    else
        for (std::uint64_t k = 0; k < run.count; ++k, changed += run.stride)
            *changed = 0;
    if (run.count == whole.count)
        note(marked, 0);
}

void ActivePart::set_executor(Group& group) {
    executor_ = skips_ && outputs_.size() <= SteadyGroup::max_outputs ? abilities_of(&group).steady
                                                                      : nullptr;
    changes_.resize(executor_ ? needed_.size() : 0);
}

/// Marks what changed when the executor stepped an instance.
void ActivePart::take_changes(std::uint64_t position) {
    std::uint64_t changes = changes_[position];
    any_[activity_.now_][position] = (changes & kept_) != 0 ? 1 : 0;
    for (std::size_t k = 0; changes != 0 && k < outputs_.size(); ++k, changes >>= 1)
        if (changes & 1)
            mark(outputs_[k], position);
    if (wrote_)
        activity_.changed_[activity_.now_][wrote_element_ + position] =
            std::exchange(wrote_[position], 0);
}

void ActivePart::mark(Output& output, std::uint64_t position) {
    if (output.delayed)
        return;
    Run& run = output.runs[output.run_of(position)];
    activity_.changed_[activity_.now_][run.element + (position - run.first) *
                                                         static_cast<std::uint64_t>(run.stride)] =
        1;
    note(run.marked[activity_.now_], 1);
}

void ActivePart::find_needed(Range range) {
    std::memset(needed_.data() + range.first, 0, range.count);
    for (const Input& input : inputs_) {
        const std::uint8_t* const changed =
            activity_.changed_[input.wire ? activity_.now_ : 1 - activity_.now_].data();
        sme::for_each_run(input.elements, range.first, range.count, [&](const Segment& run) {
            const std::uint8_t* from = changed + run.offset;
            std::uint8_t* const to = needed_.data() + run.first;
            if (run.stride == 1)
                for (std::uint64_t k = 0; k < run.count; ++k)
                    to[k] |= from[k];
            else if (run.stride != 0)
                for (std::uint64_t k = 0; k < run.count; ++k, from += run.stride)
                    to[k] |= *from;
            else if (*from != 0)
                std::memset(to, 1, run.count);
        });
    }
}

void ActivePart::clear_changes(Range range) {
    for (Output& output : outputs_)
        for_each_run(output, range,
                     [&](Run& whole, const Run& run) { mark_unchanged(output, whole, run); });
    if (wrote_)
        std::memset(activity_.changed_[activity_.now_].data() + wrote_element_ + range.first, 0,
                    range.count);
    std::memset(any_[activity_.now_].data() + range.first, 0, range.count);
}

/// Of instances that did not run: what changed in the cycle before.
void ActivePart::copy_outputs(Range range, const Frame& frame) {
    std::uint8_t* const changed = any_[1 - activity_.now_].data();
    for (std::uint64_t k = range.first; k < range.first + range.count; ++k)
        changed[k] &= static_cast<std::uint8_t>(needed_[k] ^ 1);
    for_each_one(changed, range, [&](std::uint64_t position) {
        for (const Output& output : outputs_)
            if (!output.wire) {
                const std::uint64_t offset = output.offset(position);
                copy(frame.write + offset, frame.read + offset, output.bytes);
            }
    });
}

Activity::~Activity() = default;

void Activity::begin_cycle(std::uint64_t cycle, bool fresh) {
    all_ = fresh || cycle != next_cycle_;
    next_cycle_ = cycle + 1;
    now_ = 1 - now_;
}

Activity::Steps Activity::steps() const {
    Steps sum;
    for (const Count& count : counts_) {
        sum.all += count.steps.all;
        sum.skipped += count.steps.skipped;
    }
    return sum;
}

} // namespace sme::engine
