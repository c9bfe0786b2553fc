// SPDX-License-Identifier: Apache-2.0
#include "kahn/deadlock.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "kahn/knots.hpp"

namespace sme::kahn {

using internal::ChannelCore;
using internal::ProcessDescriptor;

std::optional<Blocked> blocked(ProcessDescriptor& process) {
    // acquire: pairs with the release before the process marks; the mark itself is checked below
    const std::uintptr_t waits = process.waits.load(std::memory_order_acquire);
    const std::uintptr_t kind = waits & internal::wait_kinds;
    auto* channel = reinterpret_cast<ChannelCore*>(waits & ~std::uintptr_t{internal::wait_kinds});
    if (channel == nullptr || kind > internal::waits_to_send ||
        process.takes.load(std::memory_order_relaxed))
        return std::nullopt;
    const bool sends = kind == internal::waits_to_send;
    if (sends ? channel->shares_reader : channel->shares_writer)
        return std::nullopt;
    const std::uint64_t word = sends ? channel->received.load() : channel->sent.load();
    if ((word & internal::Position<>::sleeping) == 0)
        return std::nullopt;
    return Blocked{&process, channel, sends ? channel->reader : channel->writer, sends, word};
}

DeadlockSearch::DeadlockSearch(const Made& made, Storage& storage, const UntimedOptions& options)
    : made_{made}, storage_{storage}, options_{options} {}

void DeadlockSearch::set_processes(std::vector<ProcessDescriptor*> processes) {
    processes_ = std::move(processes);
    walk_.assign(processes_.size(), 0);
}

/// A sleeping process waits for exactly one other. So each walk ends at a running process or at a
/// process of an earlier walk, or it closes a ring.
std::vector<std::vector<Blocked>> DeadlockSearch::rings() {
    std::vector<std::vector<Blocked>> found;
    std::fill(walk_.begin(), walk_.end(), 0);
    walks_ = 0;
    std::vector<Blocked> path;
    for (ProcessDescriptor* start : processes_) {
        ++walks_;
        path.clear();
        ProcessDescriptor* process = start;
        while (process != nullptr && walk_[process->id] == 0) {
            walk_[process->id] = walks_;
            const std::optional<Blocked> wait = blocked(*process);
            if (wait)
                path.push_back(*wait);
            process = wait ? wait->on : nullptr;
        }
        if (process == nullptr || walk_[process->id] != walks_)
            continue;
        const auto first = std::find_if(
            path.begin(), path.end(), [&](const Blocked& each) { return each.process == process; });
        found.emplace_back(first, path.end());
    }
    return found;
}

/// A word changes when its sleeper is woken, and its value never recurs. So if the words of a ring
/// are unchanged in a second look, the ring existed between the two looks, and it lasts.
bool DeadlockSearch::still_holds(const std::vector<Blocked>& ring) const {
    return std::all_of(ring.begin(), ring.end(),
                       [](const Blocked& each) { return blocked(*each.process) == each; });
}

ChannelCore* DeadlockSearch::smallest_full(const std::vector<Blocked>& ring) const {
    const auto key = [](const Blocked& each) {
        return std::tuple{!each.sends, each.channel->depth(), each.channel->id};
    };
    const auto least =
        std::min_element(ring.begin(), ring.end(),
                         [&](const Blocked& a, const Blocked& b) { return key(a) < key(b); });
    return least->sends ? least->channel : nullptr;
}

bool DeadlockSearch::enlarge(ChannelCore& channel, internal::ReadyQueue& queue) {
    if (storage_.slot_bytes_enlarged(channel) > options_.channel_bytes_max)
        return false;
    storage_.enlarge(channel);
    channel.received.unmark();
    queue.ready(*channel.writer);
    return true;
}

bool DeadlockSearch::resolve(internal::ReadyQueue& queue, bool quiet) {
    const std::unique_lock lock{mutex_, std::try_to_lock};
    if (!options_.enlarge || !lock)
        return false;
    bool resolved = false;
    for (const std::vector<Blocked>& ring : rings())
        if (still_holds(ring))
            if (ChannelCore* channel = smallest_full(ring))
                resolved |= enlarge(*channel, queue);
    if (!resolved && quiet)
        for (const std::vector<Blocked>& knot : wait_cycles())
            if (ChannelCore* channel = smallest_full(knot))
                resolved |= enlarge(*channel, queue);
    return resolved;
}

std::string DeadlockSearch::line(const ProcessDescriptor& process) const {
    return fmt::format("'{}' {}", made_.process_name(process.id), wait_text(process));
}

std::string DeadlockSearch::explain() const {
    constexpr std::size_t lines_max = 20;
    std::string text;
    std::size_t waiting = 0;
    for_each([&](const ProcessDescriptor& process) {
        if (++waiting <= lines_max)
            text += (text.empty() ? "" : "\n") + line(process);
    });
    if (waiting > lines_max)
        text += fmt::format("\nand {} more processes wait", waiting - lines_max);
    return waiting == 0 ? "" : text + advice();
}

std::string DeadlockSearch::advice() const {
    std::string text;
    std::vector<std::vector<Blocked>> found = const_cast<DeadlockSearch*>(this)->rings();
    if (found.empty())
        found = wait_cycles();
    for (const std::vector<Blocked>& ring : found) {
        const ChannelCore* channel = smallest_full(ring);
        if (channel == nullptr)
            text +=
                fmt::format("\nno depth helps: in the ring of '{}' no process is blocked sending",
                            made_.process_name(ring.front().process->id));
        else
            text += fmt::format("\nchannel '{}' is too small: with depth {} instead of {} the "
                                "processes of this ring go on",
                                made_.channel_name(channel->id), channel->depth() + 1,
                                channel->depth());
        if (channel != nullptr && options_.enlarge)
            text += fmt::format(", but channels would then take {} bytes, and {} are allowed",
                                storage_.slot_bytes_enlarged(*channel), options_.channel_bytes_max);
    }
    return text;
}

// Waits for several processes, when no process runs: which processes wait for which, in words and
// as a graph.

using internal::ChannelCore;
using internal::ProcessDescriptor;

namespace {

struct Wait {
    std::uintptr_t kind;
    std::uintptr_t address;
    template <class T> const T& at() const { return *reinterpret_cast<const T*>(address); }
};

bool is_on_channel(const Wait& wait) {
    return wait.kind <= internal::waits_to_send;
}

bool has_ended(const ProcessDescriptor& process) {
    return process.ended.load(std::memory_order_acquire);
}

/// The word remains when a process continues; for a channel, its mark tells whether the process
/// sleeps there. If it does not, the address is 0.
Wait wait_of(const ProcessDescriptor& process) {
    const std::uintptr_t word = process.waits.load(std::memory_order_acquire);
    const Wait wait{word & internal::wait_kinds, word & ~std::uintptr_t{internal::wait_kinds}};
    if (has_ended(process))
        return Wait{wait.kind, 0};
    if (wait.address == 0 || !is_on_channel(wait))
        return wait;
    const auto& channel = wait.at<ChannelCore>();
    const internal::Position<>& other =
        wait.kind == internal::waits_to_send ? channel.received : channel.sent;
    return (other.load() & internal::Position<>::sleeping) != 0 ? wait : Wait{wait.kind, 0};
}

} // namespace

void DeadlockSearch::for_each(const std::function<void(ProcessDescriptor&)>& visit) const {
    const auto visit_waiting = [&](ProcessDescriptor& process) {
        if (!has_ended(process))
            visit(process);
    };
    for (ProcessDescriptor* const each : processes_)
        visit_waiting(*each);
    made_.for_each(visit_waiting);
}

/// Adds the processes that write a channel, or read from it.
void DeadlockSearch::add_end(const ChannelCore& channel, bool writer,
                             std::vector<const ProcessDescriptor*>& to) const {
    const auto add = [&](const ProcessDescriptor& each) { to.push_back(&each); };
    if (!(writer ? channel.shares_writer : channel.shares_reader)) {
        if (const auto* const only = writer ? channel.writer : channel.reader)
            to.push_back(only);
        else if (!(writer && channel.is_closed())) // any process may have the end, or get it
            for_each(add);
        return;
    }
    for (const internal::SharedEnd* const end : shared_) {
        if (&end->core() != &channel || end->sends() != writer)
            continue;
        to.insert(to.end(), end->members().begin(), end->members().end());
        if (end->links() > 0) // any process may have one
            for_each(add);
    }
}

/// How many links there are to that end.
std::size_t DeadlockSearch::links(const ChannelCore& channel, bool writer) const {
    std::size_t count = 0;
    for (const internal::SharedEnd* const end : shared_)
        if (&end->core() == &channel && end->sends() == writer)
            count += end->links();
    return count;
}

/// Adds the members of a barrier that do not wait there. If places were handed on, their holders
/// are unknown, so they may be any processes.
void DeadlockSearch::add_absent(const internal::BarrierCore& barrier,
                                std::vector<const ProcessDescriptor*>& to) const {
    const auto waits_there = [&](const ProcessDescriptor& process) {
        const Wait wait = wait_of(process);
        return wait.kind == internal::waits_at_barrier &&
               &wait.at<internal::BarrierCore>() == &barrier;
    };
    std::uint64_t known = 0;
    std::vector<const ProcessDescriptor*> absent;
    for_each([&](const ProcessDescriptor& process) {
        const auto* const more = static_cast<const internal::Hosted&>(process).found_more();
        if (more == nullptr)
            return;
        for (const auto& place : more->enrolments)
            if (place->holds && &place->barrier == &barrier) {
                ++known;
                if (!waits_there(process))
                    absent.push_back(&process);
            }
    });
    if (known == barrier.enrolled())
        to.insert(to.end(), absent.begin(), absent.end());
    else
        for_each([&](const ProcessDescriptor& each) {
            if (!waits_there(each))
                to.push_back(&each);
        });
}

std::vector<const ProcessDescriptor*>
DeadlockSearch::waits_for(const ProcessDescriptor& process) const {
    std::vector<const ProcessDescriptor*> to;
    const Wait wait = wait_of(process);
    if (wait.address == 0)
        return to;
    switch (wait.kind) {
    case internal::waits_to_choose:
        for (const ChannelCore* const channel : wait.at<internal::Choice>().channels)
            add_end(*channel, true, to);
        break;
    case internal::waits_to_claim:
        if (const ProcessDescriptor* const holder = wait.at<internal::SharedEnd>().holder())
            to.push_back(holder);
        break;
    case internal::waits_at_barrier: add_absent(wait.at<internal::BarrierCore>(), to); break;
    default: add_end(wait.at<ChannelCore>(), wait.kind == internal::waits_to_receive, to);
    }
    std::erase_if(to, [](const ProcessDescriptor* each) { return has_ended(*each); });
    return to;
}

std::vector<std::vector<Blocked>> DeadlockSearch::wait_cycles() const {
    std::vector<ProcessDescriptor*> waiting(made_.numbers());
    std::vector<std::vector<std::uint32_t>> edges(waiting.size());
    for_each([&](ProcessDescriptor& process) {
        waiting[process.id] = &process;
        for (const ProcessDescriptor* const on : waits_for(process))
            edges[process.id].push_back(on->id);
    });
    std::vector<std::vector<Blocked>> found;
    for (const std::vector<std::uint32_t>& set : Knots{std::move(edges)}.find()) {
        std::vector<Blocked> knot;
        for (const std::uint32_t id : set) {
            if (waiting[id] == nullptr)
                continue;
            const Wait wait = wait_of(*waiting[id]);
            if (wait.address == 0 || !is_on_channel(wait))
                continue;
            auto* const channel = reinterpret_cast<ChannelCore*>(wait.address);
            const bool sends = wait.kind == internal::waits_to_send;
            knot.push_back({waiting[id], channel, nullptr, sends, 0});
        }
        if (set.size() > 1 && !knot.empty())
            found.push_back(std::move(knot));
    }
    return found;
}

std::string DeadlockSearch::end_text(const ChannelCore& channel, bool writer) const {
    const std::string name =
        fmt::format("'{}' ({} of {})", made_.channel_name(channel.id),
                    channel.depth() == 0 ? 0 : channel.fill(), channel.depth());
    if (const std::size_t count = links(channel, writer))
        return fmt::format("{}, to which {} can still {}, of processes that have ended or wait; a "
                           "process drops those that are variables of its 'run'",
                           name, count == 1 ? "1 link" : fmt::format("{} links", count),
                           writer ? "send" : "receive");
    if (channel.made && (writer ? channel.writer : channel.reader) == nullptr)
        return name + ", whose other end no process has: it was dropped, its process has ended, or "
                      "it lies in a message";
    std::vector<const ProcessDescriptor*> at_end;
    add_end(channel, writer, at_end);
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t k = 0; k < std::min(at_end.size(), most); ++k)
        text += fmt::format("{}'{}'", k == 0 ? "" : ", ", made_.process_name(at_end[k]->id));
    if (at_end.size() > most)
        text += fmt::format(" and {} more", at_end.size() - most);
    const bool all_ended = std::all_of(at_end.begin(), at_end.end(),
                                       [](const auto* each) { return has_ended(*each); });
    return fmt::format("{}, which {} {}{}", name, text,
                       at_end.size() > 1 ? (writer ? "write" : "read")
                                         : (writer ? "writes" : "reads"),
                       !all_ended          ? ""
                       : at_end.size() > 1 ? ", but they have ended"
                                           : ", but it has ended");
}

std::string DeadlockSearch::wait_text(const ProcessDescriptor& process) const {
    const Wait wait = wait_of(process);
    if (wait.address == 0)
        return "waits";
    std::string text;
    switch (wait.kind) {
    case internal::waits_to_choose:
        for (const ChannelCore* const channel : wait.at<internal::Choice>().channels)
            text += (text.empty() ? "" : ", or ") + end_text(*channel, true);
        return "waits to choose: from " + text;
    case internal::waits_to_claim: {
        const auto& end = wait.at<internal::SharedEnd>();
        return fmt::format("waits for its turn to {} '{}', which '{}' has",
                           end.sends() ? "send on" : "receive from",
                           made_.channel_name(end.core().id), made_.process_name(end.holder()->id));
    }
    case internal::waits_at_barrier: {
        const auto& barrier = wait.at<internal::BarrierCore>();
        return fmt::format("waits at the barrier '{}', where {} of {} are", barrier.name,
                           barrier.arrived(), barrier.enrolled());
    }
    case internal::waits_to_send:
        return "waits to send on " + end_text(wait.at<ChannelCore>(), false);
    default: return "waits to receive from " + end_text(wait.at<ChannelCore>(), true);
    }
}

} // namespace sme::kahn
