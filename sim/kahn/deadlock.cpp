// SPDX-License-Identifier: Apache-2.0
#include "kahn/deadlock.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace sme::kahn {

using detail::ChannelCore;
using detail::ProcessDescriptor;

std::optional<Blocked> blocked(ProcessDescriptor& process) {
    // acquire: pairs with the release before the process marks; the mark itself is checked below
    const std::uintptr_t waits = process.waits.load(std::memory_order_acquire);
    const std::uintptr_t kind = waits & detail::wait_kinds;
    auto* channel = reinterpret_cast<ChannelCore*>(waits & ~std::uintptr_t{detail::wait_kinds});
    if (channel == nullptr || kind > detail::waits_to_send)
        return std::nullopt;
    const bool sends = kind == detail::waits_to_send;
    if (sends ? channel->shares_reader : channel->shares_writer)
        return std::nullopt;
    const std::uint64_t word = sends ? channel->received.load() : channel->sent.load();
    if ((word & detail::Position<>::sleeping) == 0)
        return std::nullopt;
    return Blocked{&process, channel, sends ? channel->reader : channel->writer, sends, word};
}

DeadlockSearch::DeadlockSearch(const KahnGraph& graph, Storage& storage,
                               const UntimedOptions& options)
    : graph_{graph}, storage_{storage}, options_{options} {}

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

bool DeadlockSearch::enlarge(ChannelCore& channel, detail::ReadyQueue& queue) {
    if (storage_.slot_bytes_enlarged(channel) > options_.channel_bytes_max)
        return false;
    storage_.enlarge(channel);
    channel.received.unmark();
    queue.ready(*channel.writer);
    return true;
}

bool DeadlockSearch::resolve(detail::ReadyQueue& queue, bool quiet) {
    const std::unique_lock lock{mutex_, std::try_to_lock};
    if (!options_.enlarge || !lock)
        return false;
    bool resolved = false;
    for (const std::vector<Blocked>& ring : rings())
        if (still_holds(ring))
            if (ChannelCore* channel = smallest_full(ring))
                resolved |= enlarge(*channel, queue);
    if (!resolved && quiet)
        for (const std::vector<Blocked>& knot : knots())
            if (ChannelCore* channel = smallest_full(knot))
                resolved |= enlarge(*channel, queue);
    return resolved;
}

std::string DeadlockSearch::line(const ProcessDescriptor& process) const {
    return fmt::format("'{}' {}", graph_.process_name(process.id), wait_text(process));
}

std::string DeadlockSearch::explain() const {
    constexpr std::size_t lines_max = 20;
    std::string text;
    std::size_t waiting = 0;
    for (const ProcessDescriptor* process : processes_)
        if (!process->ended.load(std::memory_order_acquire) && ++waiting <= lines_max)
            text += (text.empty() ? "" : "\n") + line(*process);
    if (waiting > lines_max)
        text += fmt::format("\nand {} more processes wait", waiting - lines_max);
    return waiting == 0 ? "" : text + advice();
}

std::string DeadlockSearch::advice() const {
    std::string text;
    std::vector<std::vector<Blocked>> found = const_cast<DeadlockSearch*>(this)->rings();
    if (found.empty())
        found = knots();
    for (const std::vector<Blocked>& ring : found) {
        const ChannelCore* channel = smallest_full(ring);
        if (channel == nullptr)
            text +=
                fmt::format("\nno depth helps: in the ring of '{}' no process is blocked sending",
                            graph_.process_name(ring.front().process->id));
        else
            text += fmt::format("\nchannel '{}' is too small: with depth {} instead of {} the "
                                "processes of this ring go on",
                                graph_.channel_name(channel->id), channel->depth() + 1,
                                channel->depth());
        if (channel != nullptr && options_.enlarge)
            text += fmt::format(", but channels would then take {} bytes, and {} are allowed",
                                storage_.slot_bytes_enlarged(*channel), options_.channel_bytes_max);
    }
    return text;
}

} // namespace sme::kahn
