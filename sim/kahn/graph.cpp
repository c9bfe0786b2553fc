// SPDX-License-Identifier: Apache-2.0
#include "kahn/graph.hpp"

#include <algorithm>

#include <fmt/format.h>

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

std::uint32_t KahnGraph::barrier_of(std::uint64_t handle) const {
    if (handle >> 32 != number)
        throw NetworkError{fmt::format(
            "a process of network '{}' is a member of a barrier of another network", name)};
    return static_cast<std::uint32_t>(handle);
}

std::string KahnGraph::why_not_deterministic() const {
    std::string text;
    for (const Process& process : processes)
        if (process.leaves_determinism != nullptr)
            text += fmt::format("{}'{}' {}", text.empty() ? "" : "\n", text_of(process.name),
                                process.leaves_determinism);
    return text;
}

} // namespace sme
