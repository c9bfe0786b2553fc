// SPDX-License-Identifier: Apache-2.0
#include "sme/kahn.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "kahn/graph.hpp"

namespace sme {

std::string text_of(const Name& name) {
    return name.index() ? fmt::format("{}[{}]", name.text(), *name.index()) : name.text();
}

std::string place_of(const Name& name) {
    return fmt::format("{}:{}: ", name.file(), name.line());
}

const KahnGraph::Family& KahnGraph::family_of(std::uint64_t channel) const {
    const auto after = std::upper_bound(
        families.begin(), families.end(), channel,
        [](std::uint64_t wanted, const Family& family) { return wanted < family.first; });
    return after[-1];
}

std::string KahnGraph::channel_name(std::uint64_t channel) const {
    const Family& family = family_of(channel);
    return family.indexed ? fmt::format("{}[{}]", family.name.text(), channel - family.first)
                          : text_of(family.name);
}

std::string KahnGraph::process_name(std::uint32_t process) const {
    return text_of(processes[process].name);
}

void KahnGraph::fault(std::uint32_t process, std::uint64_t channel, const char* what) const {
    const std::string name = process_name(process);
    const std::string on = channel_name(channel);
    throw KahnFault{fmt::format("{}process '{}' {}: channel '{}'",
                                place_of(processes[process].name), name, what, on),
                    name, on};
}

void KahnGraph::fault(std::uint32_t process, const char* what) const {
    const std::string name = process_name(process);
    throw KahnFault{fmt::format("{}process '{}' {}", place_of(processes[process].name), name, what),
                    name, ""};
}

void KahnGraph::check(const std::function<bool(std::uint64_t)>& has_outside) const {
    std::string problems;
    for (std::uint64_t channel = 0; channel < channels.size(); ++channel) {
        const Ends& ends = channels[channel];
        if ((ends.reader != none && ends.writer != none) || (has_outside && has_outside(channel)))
            continue;
        const std::string lacks = ends.reader != none   ? "writes"
                                  : ends.writer != none ? "reads"
                                                        : "writes or reads";
        problems += fmt::format("{}{}no process {} channel '{}'", problems.empty() ? "" : "\n",
                                place_of(family_of(channel).name), lacks, channel_name(channel));
        if (problems.size() > 2000) {
            problems += "\nand so on";
            break;
        }
    }
    if (!problems.empty())
        throw NetworkError{problems};
}

KahnNetwork::KahnNetwork(std::string name) : graph_{std::make_shared<KahnGraph>()} {
    graph_->name = std::move(name);
}
KahnNetwork::~KahnNetwork() = default;
KahnNetwork::KahnNetwork(KahnNetwork&&) noexcept = default;
KahnNetwork& KahnNetwork::operator=(KahnNetwork&&) noexcept = default;

std::uint64_t KahnNetwork::add_channels(const Name& name, std::uint64_t count, bool family,
                                        Depth depth, const detail::ChannelKind& kind) {
    const std::uint64_t first = graph_->channels.size();
    if (count > KahnGraph::none - first)
        throw NetworkError{place_of(name) + "a network has fewer than 2^32 channels"};
    if (depth.messages > std::numeric_limits<std::uint32_t>::max() / 2)
        throw NetworkError{
            fmt::format("{}the depth of channel '{}' is {}, but the greatest is 2^31 - 1",
                        place_of(name), text_of(name), depth.messages)};
    graph_->families.push_back({name, first, count, family, depth, &kind});
    graph_->channels.resize(first + count);
    return first;
}

namespace {

std::uint32_t& end_of(KahnGraph::Ends& ends, detail::Side side) {
    return side == detail::Side::in ? ends.reader : ends.writer;
}

bool& is_shared(KahnGraph::Ends& ends, detail::Side side) {
    return side == detail::Side::in ? ends.shares_reader : ends.shares_writer;
}

/// Throws an error if a process of that name cannot take an end.
void check_end(const KahnGraph& graph, const Name& name, const detail::WantedEnd& wanted) {
    if (wanted.channel >= graph.channels.size() ||
        graph.family_of(wanted.channel).kind != wanted.kind)
        throw NetworkError{fmt::format("{}process '{}' has a channel of another network",
                                       place_of(name), text_of(name))};
    const bool reads = wanted.side == detail::Side::in;
    KahnGraph::Ends ends = graph.channels[wanted.channel];
    const std::uint32_t end = end_of(ends, wanted.side);
    if (end != KahnGraph::none && !(wanted.shared && is_shared(ends, wanted.side)))
        throw NetworkError{fmt::format("{0}process '{1}' {2} channel '{3}', but {4}'{5}' {2} it "
                                       "already; a channel has one {6}",
                                       place_of(name), text_of(name), reads ? "reads" : "writes",
                                       graph.channel_name(wanted.channel),
                                       place_of(graph.processes[end].name), graph.process_name(end),
                                       reads ? "reader" : "writer")};
}

} // namespace

/// Adds all of it or nothing: a network that refuses a process is unchanged.
std::uint32_t KahnNetwork::add_process(const Name& name, const std::vector<detail::WantedEnd>& ends,
                                       std::unique_ptr<detail::Maker> maker, const char* why) {
    if (graph_->processes.size() == KahnGraph::none - 1)
        throw NetworkError{place_of(name) + "a network has fewer than 2^32 processes"};
    const auto id = static_cast<std::uint32_t>(graph_->processes.size());
    graph_->processes.push_back({name, std::move(maker), std::nullopt, false, why});
    std::size_t taken = 0;
    try {
        for (; taken < ends.size(); ++taken) {
            check_end(*graph_, name, ends[taken]);
            KahnGraph::Ends& channel = graph_->channels[ends[taken].channel];
            std::uint32_t& end = end_of(channel, ends[taken].side);
            if (end == KahnGraph::none)
                end = id;
            is_shared(channel, ends[taken].side) = ends[taken].shared;
        }
    } catch (...) {
        while (taken-- > 0)
            if (std::uint32_t& end =
                    end_of(graph_->channels[ends[taken].channel], ends[taken].side);
                end == id)
                end = KahnGraph::none;
        graph_->processes.pop_back();
        throw;
    }
    return id;
}

std::string KahnNetwork::why_not_deterministic() const {
    std::string text;
    for (const KahnGraph::Process& process : graph_->processes)
        if (process.leaves_determinism != nullptr)
            text += fmt::format("{}'{}' {}", text.empty() ? "" : "\n", text_of(process.name),
                                process.leaves_determinism);
    return text;
}

std::uint32_t KahnNetwork::add_barrier(const Name& name) {
    graph_->barriers.push_back(name);
    return static_cast<std::uint32_t>(graph_->barriers.size() - 1);
}

void KahnNetwork::set_runner(KahnGraph& graph, std::uint32_t process, Runner runner) {
    graph.processes[process].runner = runner;
}
void KahnNetwork::set_high(KahnGraph& graph, std::uint32_t process) {
    graph.processes[process].high = true;
}

} // namespace sme
