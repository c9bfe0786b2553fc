// SPDX-License-Identifier: Apache-2.0
//
// A schedule file is one JSON object:
//
//     "sme schedule": 1, "network": name, "digest": …, "threads": n, "queue": …, "wait": …,
//     "grain": n, "lists": [[[item, first, count], …] of each thread]
#include "engine/placement/schedule_file.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/digest.hpp"
#include "engine/placement/plan.hpp"

namespace sme::engine {

std::string digest_of(const Graph& graph, const Schedule& schedule) {
    Digest digest;
    const auto add = [&](const std::string& name) { digest.add(name).add(name.size()); };
    for (const ProcessFamily& family : graph.processes) {
        add(family.name);
        digest.add(family.count).add(family.parts.size());
    }
    for (const BusFamily& bus : graph.buses) {
        add(bus.name);
        add(bus.type->name());
        digest.add(bus.count).add(std::uint64_t{bus.delay});
    }
    for (const Item& item : schedule.items)
        for (const std::uint64_t number :
             {std::uint64_t{item.level}, std::uint64_t{item.group}, std::uint64_t{item.part},
              item.range.first, item.range.count})
            digest.add(number);
    return fmt::format("{:016x}", digest.value());
}

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_key = "sme schedule";
constexpr int format_version = 1;

/// Joins neighbouring chunks of one thread.
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

/// Reports an invalid schedule; this exception does not leave the file.
struct Broken {
    std::string problem;
};

template <class Enumeration, class Names>
Enumeration value_at(const char* key, const Names& names, const Json& file) {
    const auto& name = file.at(key).get_ref<const std::string&>();
    const auto found = value_named<Enumeration>(names, name);
    if (!found)
        throw Broken{fmt::format("'{}' is no {}", name, key)};
    return *found;
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

/// Turns the ranges into chunks; they must cover every item once.
void take_lists(const Json& lists, const Schedule& schedule, SavedSchedule& result) {
    result.placement.resize(result.threads);
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
        result.placement[entry.thread].push_back(
            static_cast<std::uint32_t>(result.table.chunks.size()));
        result.table.chunks.push_back(
            {of.level, of.group, of.part, entry.range.first, entry.range.count, 0});
        result.table.items.push_back(item);
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
    file["digest"] = digest_of(graph, schedule);
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
        if (file.at("digest") != digest_of(graph, schedule))
            throw Broken{fmt::format("it is for another network ('{}'), or for other parameters",
                                     file.at("network").get<std::string>())};
        SavedSchedule result;
        result.threads = file.at("threads").get<unsigned>();
        result.queue = value_at<QueueKind>("queue", queue_names, file);
        result.wait = value_at<Wait>("wait", wait_names, file);
        result.grain = file.at("grain").get<std::uint64_t>();
        const Json& lists = file.at("lists");
        if (result.threads < 1 || result.threads > max_threads ||
            lists.size() != (result.threads == 1 ? 0 : result.threads))
            throw Broken{"its number of threads is not that of its lists"};
        if (result.threads > 1)
            take_lists(lists, schedule, result);
        return result;
    } catch (const Broken& broken) {
        problem = broken.problem;
    } catch (const Json::exception&) {
        problem = "it is broken";
    }
    return std::nullopt;
}

} // namespace sme::engine
