// SPDX-License-Identifier: Apache-2.0
#include "kahn/made.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace sme::kahn {

void Made::add(std::unique_ptr<internal::Hosted> process, const Name& name,
               const internal::ProcessDescriptor& maker) {
    if (internal::this_queue == nullptr)
        throw NetworkError{fmt::format("{}process '{}' is made before the network runs: make it in "
                                       "'run', not in a constructor",
                                       place_of(name), text_of(name))};
    const Name by = name_of(maker.id);
    internal::Hosted& hosted = *process;
    {
        const std::lock_guard lock{mutex_};
        const std::size_t running = entries_.size() - free_.size();
        if (running >= options_.made_max)
            throw KahnFault{
                fmt::format("{}process '{}' makes '{}', but {} processes that were made "
                            "run already, and UntimedOptions::made_max allows no more; "
                            "they were made by {}",
                            place_of(name), text_of(by), text_of(name), running, makers()),
                text_of(by), ""};
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(entries_.size()));
            entries_.emplace_back();
        }
        const std::uint32_t number = free_.back();
        free_.pop_back();
        hosted.id = described() + number;
        hosted.made = true;
        hosted.special = hosted.special || hosted.choice != nullptr;
        entries_[number] = {std::move(process), name, by};
        ++count_;
    }
    hosted.start();
    internal::running().start(hosted);
}

/// "'a' (12), 'b' (3)", those who made most first.
std::string Made::makers() const {
    std::map<std::string, std::uint64_t> counts;
    for (const Entry& entry : entries_)
        if (entry.process)
            ++counts[text_of(*entry.maker)];
    std::vector<std::pair<std::uint64_t, std::string>> most;
    for (const auto& [name, count] : counts)
        most.emplace_back(count, name);
    std::sort(most.rbegin(), most.rend());
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t k = 0; k < std::min(shown, most.size()); ++k)
        text += fmt::format("{}'{}' ({})", k == 0 ? "" : ", ", most[k].second, most[k].first);
    return text + (most.size() > shown ? fmt::format(" and {} others", most.size() - shown) : "");
}

void Made::remove(const internal::ProcessDescriptor& process) {
    std::unique_ptr<internal::Hosted> gone; // destroyed without the lock: it may wake others
    const std::lock_guard lock{mutex_};
    const std::uint32_t number = process.id - described();
    gone = std::move(entries_[number].process);
    free_.push_back(number);
}

void Made::stop() {
    for (Entry& entry : entries_)
        if (entry.process)
            entry.process->task = {};
}

Name Made::name_of(std::uint32_t id) const {
    if (id < described())
        return graph_.processes[id].name;
    const std::lock_guard lock{mutex_};
    return *entries_[id - described()].name;
}

std::string Made::channel_name(std::uint64_t id) const {
    return id < graph_.channels.size() ? graph_.channel_name(id) : storage_.made_name(id);
}

void Made::fault(std::uint32_t process, std::uint64_t channel, const char* what) const {
    const Name name = name_of(process);
    const std::string on = channel_name(channel);
    throw KahnFault{
        fmt::format("{}process '{}' {}: channel '{}'", place_of(name), text_of(name), what, on),
        text_of(name), on};
}

void Made::check_choice(const internal::ChannelCore& channel) const {
    if (!options_.deterministic)
        return;
    const std::string on = channel_name(channel.id);
    throw KahnFault{
        fmt::format("a process chooses among channels, channel '{}' among them, but the options of "
                    "the run want a deterministic network",
                    on),
        "", on};
}

void Made::for_each(const std::function<void(internal::ProcessDescriptor&)>& visit) const {
    for (const Entry& entry : entries_)
        if (entry.process)
            visit(*entry.process);
}

void Made::refuse() {
    throw NetworkError{"a process that is made while the network runs cannot have ends of the "
                       "description: give it free ends, links, or copies of a BarrierEnd"};
}

} // namespace sme::kahn

namespace sme {

Spawner Spawner::Argument::bind(internal::Ends& ends, internal::ProcessDescriptor& process) const {
    if (internal::Nursery* const nursery = ends.nursery())
        return {*nursery, process};
    throw NetworkError{"a process makes others with a Spawner, which needs a run without a clock "
                       "(sme::Untimed) that has no thread for each process"};
}

} // namespace sme
