// SPDX-License-Identifier: Apache-2.0
//
// {"sme schedule": 1, "network": name, "digest": …, "threads": n, "queue": …, "wait": …, "grain":
// n,
//  "lists": [[[item, first, count], …] of each thread]}
#include "engine/schedule_file.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/plan.hpp"

namespace sme::engine {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "sme schedule";
constexpr int format_version = 1;

/// What a schedule depends on, as one number (FNV-1a).
class NetworkDigest {
public:
    explicit NetworkDigest(const Graph& graph, const Schedule& schedule) {
        for (const ProcessFamily& family : graph.processes)
            add(family.name).add(family.count).add(family.parts.size());
        for (const BusFamily& bus : graph.buses)
            add(bus.name).add(bus.type->name()).add(bus.count).add(bus.delay);
        for (const Item& item : schedule.items)
            add(item.level)
                .add(item.group)
                .add(item.part)
                .add(item.range.first)
                .add(item.range.count);
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    NetworkDigest& add(const std::string& text) {
        for (const char c : text)
            byte(static_cast<std::uint8_t>(c));
        return add(text.size());
    }
    NetworkDigest& add(std::uint64_t number) {
        for (unsigned k = 0; k < 8; ++k)
            byte(static_cast<std::uint8_t>(number >> 8 * k));
        return *this;
    }
    void byte(std::uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
    std::uint64_t value_ = 0xcbf29ce484222325;
};

constexpr std::array queue_names{"atomic", "static", "stealing"}; // by QueueKind
constexpr std::array wait_names{"auto", "spin", "block"};         // by Wait

/// The neighbours of one thread joined.
Json list_of(const ChunkTable& table, std::vector<std::uint32_t> chunks) {
    std::sort(chunks.begin(), chunks.end());
    Json list = Json::array();
    for (const std::uint32_t k : chunks) {
        const Chunk& chunk = table.chunks[k];
        if (!list.empty() && list.back()[0] == table.items[k] &&
            list.back()[1].get<std::uint64_t>() + list.back()[2].get<std::uint64_t>() ==
                chunk.first)
            list.back()[2] = list.back()[2].get<std::uint64_t>() + chunk.count;
        else
            list.push_back({table.items[k], chunk.first, chunk.count});
    }
    return list;
}

/// What is wrong with a schedule, as an exception that does not leave this file.
struct Broken {
    std::string problem;
};

template <class Names> std::size_t index_of(const Names& names, const Json& file, const char* key) {
    const auto& name = file.at(key).get_ref<const std::string&>();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
        throw Broken{fmt::format("'{}' is no {}", name, key)};
    return static_cast<std::size_t>(found - names.begin());
}

/// A range of an item on a thread.
struct Listed {
    std::uint32_t item;
    Range range;
    std::uint32_t thread;
};

std::vector<Listed> listed(const Json& lists) {
    std::vector<Listed> found;
    std::uint32_t thread = 0;
    for (const Json& list : lists) {
        for (const Json& entry : list)
            found.push_back({entry.at(0).get<std::uint32_t>(),
                             {entry.at(1).get<std::uint64_t>(), entry.at(2).get<std::uint64_t>()},
                             thread});
        ++thread;
    }
    std::sort(found.begin(), found.end(), [](const Listed& a, const Listed& b) {
        return a.item != b.item ? a.item < b.item : a.range.first < b.range.first;
    });
    return found;
}

/// The ranges as chunks; they must cover every item once.
void take_lists(const Json& lists, const Schedule& schedule, SavedSchedule& made) {
    made.placement.resize(made.threads);
    std::uint32_t item = 0;
    std::uint64_t next = schedule.items.empty() ? 0 : schedule.items[0].range.first;
    const auto leave_complete_items = [&](std::uint32_t end) {
        while (item < end &&
               next == schedule.items[item].range.first + schedule.items[item].range.count) {
            ++item;
            next = item < schedule.items.size() ? schedule.items[item].range.first : 0;
        }
    };
    const auto items = static_cast<std::uint32_t>(schedule.items.size());
    for (const Listed& entry : listed(lists)) {
        leave_complete_items(std::min(entry.item, items));
        const bool fits = item < schedule.items.size() && entry.item == item &&
                          entry.range.first == next && entry.range.count > 0 &&
                          entry.range.count <= schedule.items[item].range.first +
                                                   schedule.items[item].range.count - next;
        if (!fits)
            throw Broken{fmt::format("its lists lose or repeat instances of item {}", item)};
        next += entry.range.count;
        const Item& of = schedule.items[item];
        made.placement[entry.thread].push_back(
            static_cast<std::uint32_t>(made.table.chunks.size()));
        made.table.chunks.push_back(
            {of.level, of.group, of.part, entry.range.first, entry.range.count, 0});
        made.table.items.push_back(item);
    }
    leave_complete_items(items);
    if (item != items)
        throw Broken{fmt::format("its lists lose instances of item {}", item)};
}

} // namespace

std::string SavedSchedule::text(const Graph& graph, const Schedule& schedule) const {
    Json file;
    file[format_key] = format_version;
    file["network"] = graph.name;
    file["digest"] = NetworkDigest{graph, schedule}.text();
    file["threads"] = threads;
    file["queue"] = queue_names[static_cast<std::size_t>(queue)];
    file["wait"] = wait_names[static_cast<std::size_t>(wait)];
    file["grain"] = grain;
    Json lists = Json::array();
    for (const auto& chunks : placement)
        lists.push_back(list_of(table, chunks));
    file["lists"] = std::move(lists);
    return file.dump() + "\n";
}

std::optional<SavedSchedule> read_schedule(const std::string& text, const Graph& graph,
                                           const Schedule& schedule, std::string& problem) {
    try {
        const Json file = Json::parse(text);
        if (!file.is_object() || file.value(format_key, 0) != format_version)
            throw Broken{"it is no schedule of this version"};
        if (file.at("digest") != NetworkDigest{graph, schedule}.text())
            throw Broken{fmt::format("it is for another network ('{}'), or for other parameters",
                                     file.at("network").get<std::string>())};
        SavedSchedule made;
        made.threads = file.at("threads").get<unsigned>();
        made.queue = static_cast<QueueKind>(index_of(queue_names, file, "queue"));
        made.wait = static_cast<Wait>(index_of(wait_names, file, "wait"));
        made.grain = file.at("grain").get<std::uint64_t>();
        const Json& lists = file.at("lists");
        if (made.threads < 1 || made.threads > most_threads ||
            lists.size() != (made.threads == 1 ? 0 : made.threads))
            throw Broken{"its number of threads is not that of its lists"};
        if (made.threads > 1)
            take_lists(lists, schedule, made);
        return made;
    } catch (const Broken& broken) {
        problem = broken.problem;
    } catch (const Json::exception&) {
        problem = "it is broken";
    }
    return std::nullopt;
}

} // namespace sme::engine
