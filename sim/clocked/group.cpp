// SPDX-License-Identifier: Apache-2.0
//
// The actions of a process in a cycle depend only on the others' actions before that cycle, which
// Channels keeps by the parity of the cycle. So instances may step in any order, on any thread.
#include "clocked/group.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/diagnostic.hpp"

namespace sme::clocked {

using Position = internal::Position<>;

KahnGroup::KahnGroup(std::shared_ptr<const KahnGraph> graph, const ClockedOptions& options,
                     const Build& build)
    : graph_{std::move(graph)}, options_{options}, outputs_{build},
      channels_{std::make_shared<Channels>(*graph_, options.digests)} {
    for (const Name& name : graph_->barriers) {
        channels_->meetings.barriers.push_back(std::make_unique<internal::BarrierCore>());
        channels_->meetings.barriers.back()->name = text_of(name);
    }
    for (std::uint32_t k = 0; k < graph_->processes.size(); ++k)
        hosts_.push_back(std::make_unique<Host>(*graph_, k, *channels_));
    for (std::uint64_t position = 0; position < build.family.count; ++position) {
        sources_.push_back(static_cast<std::uint64_t>(build.order.at(position)));
        offsets_.push_back(static_cast<std::uint64_t>(build.ports[0].offsets.at(position)));
        marked_ = marked_ || build.bus_at(0, position).has_marks();
    }
}

KahnGroup::~KahnGroup() {
    for (const auto& [where, end] : channels_->meetings.ends)
        end->end_run();
}

void KahnGroup::step(unsigned part, Range range, const Frame& frame) {
    outputs_.prepare(part, range, frame);
    for (std::uint64_t position = range.first; position < range.first + range.count; ++position) {
        const std::uint64_t source = sources_[position];
        std::uint32_t value = 0;
        if (source < hosts_.size()) {
            const auto number = static_cast<std::uint32_t>(source);
            if (number == 0)
                look_for_deadlock(position, frame);
            step_process(number, position, frame);
            const Host& host = *hosts_[number];
            value = static_cast<std::uint32_t>(host.went_on() ? State::goes_on : host.state());
        } else
            value = (*channels_)[source - hosts_.size()].fill(frame.cycle);
        std::byte* const slot = frame.write + offsets_[position];
        std::memcpy(slot, &value, sizeof value);
        if (marked_)
            slot[sizeof value] = std::byte{1};
    }
}

void KahnGroup::step_process(std::uint32_t number, std::uint64_t position, const Frame& frame) {
    Host& host = *hosts_[number];
    const bool before = host.has_ended();
    try {
        if (host.step(frame.cycle))
            moved_[frame.cycle % 3].fetch_add(1, std::memory_order_relaxed);
    } catch (const KahnFault& fault) {
        frame.control->fault(position, {Code::step_threw, Severity::fault, {}, fault.what(), {}});
    } catch (const std::exception& error) {
        frame.control->fault(position, {Code::step_threw,
                                        Severity::fault,
                                        {},
                                        fmt::format("it threw an exception: {}", error.what()),
                                        {}});
    } catch (...) {
        frame.control->fault(position, {Code::step_threw,
                                        Severity::fault,
                                        {},
                                        "it threw an exception of an unknown type",
                                        {}});
    }
    // the last one to end does so in the same cycle, whatever the order
    if (!before && host.has_ended() &&
        ended_.fetch_add(1, std::memory_order_relaxed) + 1 == hosts_.size() && options_.halts)
        frame.control->halt();
}

/// Only one instance runs this: no other counts in, or reads, the counter that it clears.
void KahnGroup::look_for_deadlock(std::uint64_t position, const Frame& frame) {
    moved_[(frame.cycle + 1) % 3].store(0, std::memory_order_relaxed);
    const bool moved = moved_[(frame.cycle + 2) % 3].load(std::memory_order_relaxed) != 0;
    if (frame.cycle == 0 || moved || ended_.load(std::memory_order_relaxed) == hosts_.size()) {
        searched_ = false;
        return;
    }
    if (std::exchange(searched_, true))
        return;
    if (const auto found = stuck(frame.cycle))
        frame.control->fault(position, deadlock(*found));
}

/// The processes that waited for each other at the beginning of the cycle, in which a stream may
/// wake others, if nothing can move any more. With joined streams, only a ring is certain to be
/// stuck: streams may let others continue.
std::optional<std::vector<std::uint32_t>> KahnGroup::stuck(std::uint64_t cycle) const {
    for (std::uint32_t k = 0; k < hosts_.size(); ++k) {
        if (hosts_[k]->seen(cycle).state == State::ended)
            continue;
        if (options_.streams.empty())
            return ring(k, cycle);
        std::vector<std::uint32_t> found = ring(k, cycle);
        const bool inside = std::all_of(found.begin(), found.end(), [&](std::uint32_t process) {
            return waits_for(process, cycle).value_or(KahnGraph::none) != KahnGraph::none;
        });
        if (inside)
            return found;
    }
    return std::nullopt;
}

/// The process for which this one waits; `nullopt` if it waits for several.
std::optional<std::uint32_t> KahnGroup::waits_for(std::uint32_t process,
                                                  std::uint64_t cycle) const {
    const Host::Seen& seen = hosts_[process]->seen(cycle);
    if (!seen.channel)
        return std::nullopt;
    const KahnGraph::Ends& ends = graph_->channels[*seen.channel];
    const bool sends = seen.state == State::sends;
    if (sends ? ends.shares_reader : ends.shares_writer)
        return std::nullopt;
    return sends ? ends.reader : ends.writer;
}

/// A ring of waiting processes that is reached from `from`; or the last process of a chain, which
/// waits for an ended or outside process. If one of them waits for several: all waiting processes.
std::vector<std::uint32_t> KahnGroup::ring(std::uint32_t from, std::uint64_t cycle) const {
    std::vector<std::uint32_t> way;
    std::vector<bool> seen(hosts_.size(), false);
    std::uint32_t at = from;
    const auto ended = [&](std::uint32_t process) {
        return hosts_[process]->seen(cycle).state == State::ended;
    };
    while (at != KahnGraph::none && !ended(at) && !seen[at]) {
        seen[at] = true;
        way.push_back(at);
        const std::optional<std::uint32_t> next = waits_for(at, cycle);
        if (!next) {
            way.clear();
            for (std::uint32_t k = 0; k < hosts_.size(); ++k)
                if (!ended(k))
                    way.push_back(k);
            return way;
        }
        at = *next;
    }
    const auto first = std::find(way.begin(), way.end(), at);
    return first == way.end() ? std::vector{way.back()} : std::vector(first, way.end());
}

std::string KahnGroup::channel_text(std::uint32_t id, bool sends) const {
    const Channel& channel = (*channels_)[id];
    const std::uint32_t other = sends ? graph_->channels[id].reader : graph_->channels[id].writer;
    const std::string who =
        other == KahnGraph::none ? "a stream" : fmt::format("'{}'", graph_->process_name(other));
    return fmt::format("'{}' ({} of {}), which {} {}{}", graph_->channel_name(id),
                       Position::count(channel.writer->sent.own()) -
                           Position::count(channel.reader->received.own()),
                       channel.depth, who, sends ? "reads" : "writes",
                       other != KahnGraph::none && hosts_[other]->has_ended() ? ", but it has ended"
                                                                              : "");
}

std::string KahnGroup::line(std::uint32_t process) const {
    const Host& host = *hosts_[process];
    const bool sends = host.state() == State::sends;
    std::string text;
    if (const internal::BarrierCore* const barrier = host.barrier())
        text = fmt::format("waits at the barrier '{}', where {} of {} are", barrier->name,
                           barrier->arrived(), barrier->enrolled());
    else if (const auto channel = host.channel())
        text = fmt::format("waits to {} {}", sends ? "send on" : "receive from",
                           channel_text(*channel, sends));
    else if (const internal::SharedEnd* const end = host.claim())
        text = fmt::format(
            "waits for its turn to {} '{}'{}", end->sends() ? "send on" : "receive from",
            graph_->channel_name(end->core().id),
            end->holder() == nullptr
                ? ""
                : fmt::format(", which '{}' has", graph_->process_name(end->holder()->id)));
    for (const std::uint32_t each : host.choice())
        text += (text.empty() ? "waits to choose: from " : ", or ") + channel_text(each, false);
    return fmt::format("'{}' {}", graph_->process_name(process), text);
}

Diagnostic KahnGroup::deadlock(const std::vector<std::uint32_t>& found) const {
    std::uint32_t smallest = KahnGraph::none;
    for (const std::uint32_t process : found)
        if (hosts_[process]->state() == State::sends) {
            const std::uint32_t id = hosts_[process]->channel().value();
            if (smallest == KahnGraph::none ||
                std::pair{(*channels_)[id].depth, id} <
                    std::pair{(*channels_)[smallest].depth, smallest})
                smallest = id;
        }
    Diagnostic result{Code::deadlock, Severity::fault, {}, "", {}};
    result.message = "nothing moves any more: processes wait for each other";
    if (smallest != KahnGraph::none)
        result.message += fmt::format(", and a channel between them is full; give '{}' a depth of "
                                      "more than {}",
                                      graph_->channel_name(smallest), (*channels_)[smallest].depth);
    else
        result.message += ", which no depth of a channel helps";
    for (const std::uint32_t process : found)
        if (result.notes.size() < 20)
            result.notes.push_back({{}, line(process)});
    return result;
}

std::string KahnGroup::unsaved() const {
    return fmt::format("where the coroutines of the Kahn network '{}' are cannot be saved",
                       graph_->name);
}

std::vector<ChannelReport> KahnGroup::reports() const {
    std::vector<ChannelReport> result;
    for (std::uint64_t id = 0; id < channels_->size(); ++id) {
        const Channel& channel = (*channels_)[id];
        result.push_back(
            {graph_->channel_name(id), graph_->family_of(id).depth.messages, channel.depth,
             Position::count(channel.writer->sent.own()),
             Position::count(channel.reader->received.own()),
             channel.writer->history != nullptr ? channel.writer->history->digest : 0});
    }
    return result;
}

} // namespace sme::clocked
