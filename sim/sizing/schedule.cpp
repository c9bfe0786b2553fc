// SPDX-License-Identifier: Apache-2.0
//
// 1. Each process performs its steps in order, each as soon as its needs are known, until it needs
//    a step that another process has not yet performed; that process then wakes it. The order of
//    processing makes no difference.
// 2. Each step records its last cause. From the last step of the run, the causes lead back along a
//    longest path: unless some channel on it becomes deeper, the path stays as long.
#include "sizing/schedule.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sme::sizing {

using Kind = History::Need::Kind;

Schedule::Schedule(const History& history)
    : history_{history}, lines_(history.processes.size()), queues_(history.channels.size()),
      is_ready_(history.processes.size()) {
    for (std::size_t p = 0; p < lines_.size(); ++p)
        lines_[p].steps.reserve(history.processes[p].steps.size());
}

Outcome Schedule::run(const Depths& depths) {
    for (Line& line : lines_)
        line.steps.clear();
    for (Queue& queue : queues_) {
        queue.sent.clear();
        queue.taken.clear();
    }
    ready_.clear();
    for (std::uint32_t p = 0; p < lines_.size(); ++p)
        wake(p);
    do {
        while (!ready_.empty()) {
            const std::uint32_t process = ready_.back();
            ready_.pop_back();
            is_ready_[process] = false;
            advance(process, depths);
        }
    } while (end_earliest());
    for (std::uint32_t p = 0; p < lines_.size(); ++p)
        if (history_.processes[p].counts && !is_done(p))
            return stuck();
    Outcome result{true, 0, {}};
    if (std::uint32_t last = 0; find_last(last)) {
        result.cycles = lines_[last].steps.back().time + std::uint64_t{1};
        result.critical = path();
    }
    return result;
}

void Schedule::wake(std::uint32_t process) {
    if (!is_ready_[process])
        ready_.push_back(process);
    is_ready_[process] = true;
}

void Schedule::advance(std::uint32_t number, const Depths& depths) {
    const History::Process& process = history_.processes[number];
    Line& line = lines_[number];
    if (is_done(number))
        return;
    while (line.steps.size() < process.steps.size()) {
        const auto place = static_cast<std::uint32_t>(line.steps.size());
        const auto& needs = process.patterns[process.steps[place]];
        Step step{place == 0 ? process.start : line.steps.back().time + 1, Cause::own, 0, 0};
        if (!find_time(number, needs, depths, step))
            return;
        put(number, step);
    }
}

/// Adds the next step of a process.
void Schedule::put(std::uint32_t number, const Step& step) {
    Line& line = lines_[number];
    const auto place = static_cast<std::uint32_t>(line.steps.size());
    const auto& needs = next_needs(number);
    line.steps.push_back(step);
    for (const History::Need& need : needs)
        if (need.kind == Kind::room) {
            queues_[need.channel].sent.push_back(place);
            wake(history_.channels[need.channel].receiver);
        } else if (need.kind == Kind::take) {
            queues_[need.channel].taken.push_back(place);
            wake(history_.channels[need.channel].sender);
        }
    if (!is_done(number))
        return;
    line.blocked = Cause::own;
    for (const History::Channel& channel : history_.channels) // receivers may wait for its end
        if (channel.sender == number)
            wake(channel.receiver);
}

/// Called when no further step is certain. Among the processes that end with the first of several
/// inputs, the earliest one ends with an already known input: any unknown end follows from that
/// step, or from a later one. False if there is no such process.
bool Schedule::end_earliest() {
    std::uint32_t found = History::none;
    Step earliest{};
    for (std::uint32_t p = 0; p < lines_.size(); ++p) {
        if (is_done(p) || lines_[p].blocked != Cause::end)
            continue;
        const auto& needs = next_needs(p);
        if (needs.empty() || needs[0].kind != Kind::some_end)
            continue;
        Step step{lines_[p].steps.empty() ? history_.processes[p].start
                                          : lines_[p].steps.back().time + 1,
                  Cause::own, 0, 0};
        if (find_end(p, needs, step, true) &&
            (found == History::none || step.time < earliest.time)) {
            found = p;
            earliest = step;
        }
    }
    if (found == History::none)
        return false;
    put(found, earliest);
    wake(found);
    return true;
}

/// False: the process waits, and its line records for what.
bool Schedule::find_time(std::uint32_t process, const std::vector<History::Need>& needs,
                         const Depths& depths, Step& step) {
    const auto later = [&](std::uint64_t time, Cause cause, std::uint32_t channel,
                           std::size_t message) {
        if (time > step.time)
            step = {static_cast<Time>(time), cause, channel, static_cast<std::uint32_t>(message)};
    };
    const auto wait = [&](Cause cause, std::uint32_t channel) {
        lines_[process].blocked = cause;
        lines_[process].channel = channel;
        return false;
    };
    // messages before room, so that among simultaneous causes one independent of depths is kept
    for (const History::Need& need : needs) {
        const History::Channel& channel = history_.channels[need.channel];
        const Queue& queue = queues_[need.channel];
        if (need.kind == Kind::look || need.kind == Kind::take) {
            const std::size_t message = queue.taken.size();
            if (message >= queue.sent.size())
                return wait(Cause::message, need.channel);
            later(std::uint64_t{time_of(channel.sender, queue.sent[message])} + channel.latency,
                  Cause::message, need.channel, message);
        } else if (need.kind == Kind::end) {
            if (!is_done(channel.sender))
                return wait(Cause::end, need.channel);
            if (const auto& steps = lines_[channel.sender].steps; !steps.empty())
                later(std::uint64_t{steps.back().time} + channel.latency, Cause::end, need.channel,
                      0);
        }
    }
    if (!needs.empty() && needs[0].kind == Kind::some_end && !find_end(process, needs, step, false))
        return false;
    for (const History::Need& need : needs) {
        if (need.kind != Kind::room)
            continue;
        const Queue& queue = queues_[need.channel];
        const std::size_t message = queue.sent.size();
        const std::uint64_t depth = depths[history_.channels[need.channel].declaration];
        if (message < depth)
            continue;
        const std::size_t leaves = message - depth; // whose place is used again
        if (leaves >= queue.taken.size())
            return wait(Cause::room, need.channel);
        later(
            std::uint64_t{time_of(history_.channels[need.channel].receiver, queue.taken[leaves])} +
                1,
            Cause::room, need.channel, leaves);
    }
    return true;
}

/// The first channel at which the process sees that no message will come.
bool Schedule::find_end(std::uint32_t process, const std::vector<History::Need>& needs, Step& step,
                        bool known_only) {
    std::uint64_t first = ~std::uint64_t{0};
    std::uint32_t found = History::none;
    for (const History::Need& need : needs) {
        const History::Channel& channel = history_.channels[need.channel];
        if (!history_.processes[channel.sender].closes ||
            queues_[need.channel].taken.size() < channel.messages)
            continue;
        if (!is_done(channel.sender)) {
            if (known_only)
                continue;
            found = History::none;
            break; // it may come first
        }
        const auto& steps = lines_[channel.sender].steps;
        const std::uint64_t time = steps.empty() ? 0 : steps.back().time + channel.latency;
        if (time < first) {
            first = time;
            found = need.channel;
        }
    }
    if (found == History::none) {
        lines_[process].blocked = Cause::end;
        lines_[process].channel = needs[0].channel;
        return false;
    }
    if (first > step.time)
        step = {static_cast<Time>(first), Cause::end, found, 0};
    return true;
}

/// Finds the process that counts with the last step of all.
bool Schedule::find_last(std::uint32_t& process) const {
    bool any = false;
    for (std::uint32_t p = 0; p < lines_.size(); ++p)
        if (history_.processes[p].counts && !lines_[p].steps.empty() &&
            (!any || lines_[p].steps.back().time > lines_[process].steps.back().time)) {
            process = p;
            any = true;
        }
    return any;
}

/// Follows the waits from a process that counts until a process recurs or waits for nothing.
Outcome Schedule::stuck() const {
    std::uint32_t at = 0;
    while (!history_.processes[at].counts || is_done(at))
        ++at;
    std::vector<std::uint32_t> way;
    std::vector<bool> seen(lines_.size(), false);
    while (!seen[at] && !is_done(at)) {
        seen[at] = true;
        way.push_back(at);
        const History::Channel& channel = history_.channels[lines_[at].channel];
        at = lines_[at].blocked == Cause::room ? channel.receiver : channel.sender;
    }
    Outcome result;
    for (const std::uint32_t each : way)
        if (const auto& needs = next_needs(each);
            lines_[each].blocked == Cause::end && needs.size() > 1) {
            for (std::uint32_t k = 0; k < history_.declarations.size(); ++k)
                result.critical.push_back(k); // any of its inputs could help
            return result;
        }
    const auto begin = is_done(at) ? way.end() - 1 : std::find(way.begin(), way.end(), at);
    for (auto each = begin; each != way.end(); ++each)
        if (lines_[*each].blocked == Cause::room)
            result.critical.push_back(history_.channels[lines_[*each].channel].declaration);
    std::sort(result.critical.begin(), result.critical.end());
    result.critical.erase(std::unique(result.critical.begin(), result.critical.end()),
                          result.critical.end());
    return result;
}

/// Calls use(process, place, step) for the steps of a longest path, the last first.
template <class Use> void Schedule::walk(Use use) const {
    std::uint32_t process = 0;
    if (!find_last(process))
        return;
    auto place = static_cast<std::uint32_t>(lines_[process].steps.size() - 1);
    for (;;) {
        const Step& step = lines_[process].steps[place];
        use(process, place, step);
        const History::Channel* const channel =
            step.cause == Cause::own ? nullptr : &history_.channels[step.channel];
        if (!channel) {
            if (place == 0)
                return;
            --place;
        } else if (step.cause == Cause::room) {
            process = channel->receiver;
            place = queues_[step.channel].taken[step.message];
        } else {
            process = channel->sender;
            place = step.cause == Cause::message
                        ? queues_[step.channel].sent[step.message]
                        : static_cast<std::uint32_t>(lines_[process].steps.size() - 1);
        }
    }
}

/// If a step was caused by the first of several ends, any of them may become earlier, so the paths
/// to all of them count.
std::vector<std::uint32_t> Schedule::path() const {
    std::vector<bool> on(history_.declarations.size(), false);
    bool several = false;
    walk([&](std::uint32_t process, std::uint32_t place, const Step& step) {
        if (step.cause == Cause::room)
            on[history_.channels[step.channel].declaration] = true;
        const History::Process& of = history_.processes[process];
        const auto& needs = of.patterns[of.steps[place]];
        several = several ||
                  (step.cause == Cause::end && needs.size() > 1 && needs[0].kind == Kind::some_end);
    });
    std::vector<std::uint32_t> result;
    for (std::uint32_t k = 0; k < on.size(); ++k)
        if (on[k] || several)
            result.push_back(k);
    return result;
}

bool Schedule::agrees() {
    Depths depths;
    for (const History::Declaration& each : history_.declarations)
        depths.push_back(each.depth);
    run(depths);
    for (std::size_t p = 0; p < lines_.size(); ++p) {
        const std::vector<Time>& times = history_.processes[p].times;
        if (lines_[p].steps.size() != times.size() ||
            !std::equal(times.begin(), times.end(), lines_[p].steps.begin(),
                        [](Time time, const Step& step) { return time == step.time; }))
            return false;
    }
    return true;
}

Depths Schedule::roomy() {
    const Depths endless(history_.declarations.size(), ~std::uint64_t{0});
    run(endless);
    Depths result(history_.declarations.size(), 1);
    for (std::size_t c = 0; c < queues_.size(); ++c) {
        const History::Channel& channel = history_.channels[c];
        const Queue& queue = queues_[c];
        std::uint64_t& depth = result[channel.declaration];
        std::size_t left = 0; // messages whose place is free when the next one is sent
        for (std::size_t k = 0; k < queue.sent.size(); ++k) {
            const Time sent = time_of(channel.sender, queue.sent[k]);
            while (left < queue.taken.size() && time_of(channel.receiver, queue.taken[left]) < sent)
                ++left;
            depth = std::max<std::uint64_t>(depth, k + 1 - left);
        }
    }
    return result;
}

Slowness Schedule::slowness() const {
    Slowness result;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint64_t> waits;
    Time last_in = 0, first_out = ~Time{0};
    bool is_fed = false; // by a file
    std::vector<bool> sends(lines_.size(), false), receives(lines_.size(), false);
    for (const History::Channel& channel : history_.channels) {
        sends[channel.sender] = true;
        receives[channel.receiver] = true;
    }
    for (std::uint32_t p = 0; p < lines_.size(); ++p) {
        Time next = history_.processes[p].start;
        for (const Step& step : lines_[p].steps) {
            if (step.time > next && step.cause != Cause::own)
                waits[{p, step.channel, step.cause == Cause::room}] += step.time - next;
            next = step.time + 1;
        }
        if (lines_[p].steps.empty())
            continue;
        is_fed = is_fed || (!receives[p] && history_.processes[p].is_file);
        if (!receives[p])
            last_in = std::max(last_in, lines_[p].steps.back().time);
        if (!sends[p])
            first_out = std::min(first_out, lines_[p].steps.front().time);
    }
    result.drained = is_fed && last_in < first_out;
    for (const auto& [key, cycles] : waits)
        result.waits.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), cycles});
    std::stable_sort(result.waits.begin(), result.waits.end(),
                     [](const Wait& a, const Wait& b) { return a.cycles > b.cycles; });
    std::vector<std::uint64_t> own(lines_.size(), 0);
    walk([&](std::uint32_t process, std::uint32_t, const Step& step) {
        own[process] += step.cause == Cause::own;
    });
    const auto most = std::max_element(own.begin(), own.end());
    result.bottleneck = static_cast<std::uint32_t>(most - own.begin());
    result.bottleneck_cycles = own.empty() ? 0 : *most;
    return result;
}

} // namespace sme::sizing
