// SPDX-License-Identifier: Apache-2.0
//
// A partition file is one JSON object, with a row for each family of processes:
//
//     "sme partition": 1, "network": name, "digest": …, "ranks": n,
//     "processes": [[name, [[first, count, rank], …]], …]
#include "engine/ranks/partition_file.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sme::engine {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* partition_key = "sme partition";
constexpr int partition_version = 1;

/// Reports an invalid file; this exception does not leave it.
struct Unfit {
    std::string problem;
};

std::vector<RankShares::Run> runs_of(const Json& row, const ProcessFamily& family, unsigned ranks) {
    if (row.at(0) != family.name)
        throw Unfit{fmt::format("process '{}' is not where it should be", family.name)};
    std::vector<RankShares::Run> result;
    std::uint64_t next = 0;
    for (const Json& piece : row.at(1)) {
        const auto first = piece.at(0).get<std::uint64_t>(),
                   count = piece.at(1).get<std::uint64_t>();
        const auto rank = piece.at(2).get<unsigned>();
        if (first != next || count == 0 || count > family.count - next)
            throw Unfit{fmt::format("it loses or repeats instances of process '{}', from {} on",
                                    family.name, next)};
        if (rank >= ranks)
            throw Unfit{fmt::format("an instance of process '{}' is on rank {}, but there are {}",
                                    family.name, rank, ranks)};
        result.push_back({first, rank});
        next += count;
    }
    if (next != family.count)
        throw Unfit{
            fmt::format("it loses instances of process '{}', from {} on", family.name, next)};
    return result;
}

} // namespace

std::string partition_text(const RankShares& shares, const Graph& graph,
                           const std::string& digest) {
    Json rows = Json::array();
    for (std::uint32_t f = 0; f < graph.processes.size(); ++f) {
        Json pieces = Json::array();
        shares.for_each_piece(f, {0, graph.processes[f].count}, [&](Range range, unsigned rank) {
            pieces.push_back({range.first, range.count, rank});
        });
        rows.push_back({graph.processes[f].name, std::move(pieces)});
    }
    // a line for each family, for readers
    std::string text = fmt::format(
        "{{\"{}\": {}, \"network\": {}, \"digest\": \"{}\", \"ranks\": {},\n\"processes\": [\n",
        partition_key, partition_version, Json(graph.name).dump(), digest, shares.ranks());
    for (std::size_t k = 0; k < rows.size(); ++k)
        text += rows[k].dump() + (k + 1 < rows.size() ? ",\n" : "\n");
    return text + "]}\n";
}

std::optional<RankShares> read_partition(const std::string& text, const Graph& graph,
                                         const std::string& digest, unsigned ranks,
                                         std::string& problem) {
    try {
        const Json file = Json::parse(text);
        if (!file.is_object() || file.value(partition_key, 0) != partition_version)
            throw Unfit{"it is no partition of this version"};
        if (file.at("digest") != digest)
            throw Unfit{fmt::format("it is for another network ('{}'), or for other parameters",
                                    file.at("network").get<std::string>())};
        if (file.at("ranks") != ranks)
            throw Unfit{fmt::format("it is for {} ranks, but there are {}",
                                    file.at("ranks").get<unsigned>(), ranks)};
        const Json& rows = file.at("processes");
        if (rows.size() != graph.processes.size())
            throw Unfit{"it has other processes"};
        std::vector<std::vector<RankShares::Run>> runs;
        for (std::size_t f = 0; f < rows.size(); ++f)
            runs.push_back(runs_of(rows[f], graph.processes[f], ranks));
        return RankShares{graph, std::move(runs), ranks};
    } catch (const Unfit& broken) {
        problem = broken.problem;
    } catch (const Json::exception&) {
        problem = "it is broken";
    }
    return std::nullopt;
}

} // namespace sme::engine
