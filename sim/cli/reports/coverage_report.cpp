// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/coverage_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "interpret/block/program_group.hpp"
#include "sme/internal/archive.hpp"

namespace sme::cli {

namespace {

using Json = nlohmann::ordered_json;
using expr::CoverPoint;

/// The hits among a number of points.
struct Share {
    std::uint64_t hit = 0, found = 0;

    /// Formats the share; never as 100.0 if a point is missing.
    std::string text(const char* what) const {
        const std::uint64_t tenths = found == 0 ? 1000 : hit * 1000 / found;
        return fmt::format("{} {}.{} % ({} of {})", what, tenths / 10, tenths % 10, hit, found);
    }
    Json json() const { return {{"hit", hit}, {"found", found}}; }
};

struct Totals {
    Share lines, branches, toggles, states;
};

/// True for a file of the standard library that the network imports.
bool is_library(const std::string& path) {
    const std::string folder = session::library_folder() + "/std/";
    return path.starts_with(folder) && path.find('/', folder.size()) == std::string::npos;
}

/// Orders the files: the network's own first, the standard library last.
std::vector<const coverage::LineCoverage::value_type*> in_order(const coverage::LineCoverage& lines,
                                                                const Location& network) {
    std::vector<const coverage::LineCoverage::value_type*> result;
    for (const auto& each : lines)
        result.push_back(&each);
    const auto rank = [&](const auto* each) {
        return is_library(each->first)                                   ? 2
               : network.source && network.source->path() == each->first ? 0
                                                                         : 1;
    };
    std::stable_sort(result.begin(), result.end(),
                     [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    return result;
}

/// Totals of lines and branches, without the standard library, which has its own tests.
Totals totals_of(const coverage::LineCoverage& lines) {
    Totals result;
    for (const auto& [path, file] : lines) {
        if (is_library(path))
            continue;
        result.lines.hit += file.lines_hit();
        result.lines.found += file.lines.size();
        result.branches.hit += file.branches_hit();
        result.branches.found += file.branches_found();
    }
    return result;
}

Totals totals_of(const coverage::LineCoverage& lines, const coverage::ToggleObserver& toggles) {
    Totals result = totals_of(lines);
    for (const coverage::ToggleCoverage& each : toggles.toggles()) {
        result.toggles.hit += each.rose + each.fell;
        result.toggles.found += 2 * each.bits;
    }
    for (const coverage::StateCoverage& each : toggles.states())
        for (const std::uint64_t entered : each.entered) {
            result.states.hit += entered > 0;
            ++result.states.found;
        }
    return result;
}

Json json_of(const std::string& path, const coverage::FileCoverage& file) {
    Json result;
    result["file"] = path;
    result["lines"] = Json::array();
    for (const auto& [line, count] : file.lines)
        result["lines"].push_back({{"line", line}, {"count", count}});
    result["branches"] = Json::array();
    for (const auto& [line, ways] : file.branches)
        for (const coverage::Branch& way : ways)
            result["branches"].push_back(
                {{"line", line}, {"block", way.block}, {"way", way.number}, {"count", way.taken}});
    return result;
}

Json json_of(const coverage::StateCoverage& state) {
    Json result;
    const std::vector<Member>& members = state.type->members();
    result["name"] = state.name;
    result["entered"] = Json::object();
    for (std::size_t k = 0; k < members.size(); ++k)
        result["entered"][members[k].name] = state.entered[k];
    result["transitions"] = Json::array();
    for (const auto& [pair, count] : state.transitions)
        result["transitions"].push_back({{"from", members[pair.first].name},
                                         {"to", members[pair.second].name},
                                         {"count", count}});
    return result;
}

} // namespace

/// Merges the points of equal location from all programs: instances of a component with different
/// parameters have separate programs.
coverage::LineCoverage CoverageReport::lines() const {
    struct Place {
        std::uint32_t begin;
        unsigned number;
        auto operator<=>(const Place&) const = default;
    };
    std::map<std::string, std::map<std::uint32_t, std::map<Place, std::uint64_t>>> branches;
    coverage::LineCoverage result;
    for (const auto& counts : *loaded_.covered) {
        const std::vector<CoverPoint>& points = counts->program().cover.points;
        const std::vector<std::uint64_t> found = counts->points();
        for (std::size_t k = 0; k < points.size(); ++k) {
            const Location& where = points[k].where;
            const std::uint32_t line = where.source->position(where.begin).line;
            if (points[k].kind == CoverPoint::Kind::line)
                result[where.source->path()].lines[line] += found[k];
            else
                branches[where.source->path()][line]
                        [{where.begin, points[k].kind == CoverPoint::Kind::not_taken ? 1u : 0u}] +=
                    found[k];
        }
    }
    for (const auto& [path, by_line] : branches)
        for (const auto& [line, places] : by_line) {
            std::vector<coverage::Branch>& ways = result[path].branches[line];
            std::uint32_t begin = places.begin()->first.begin;
            unsigned block = 0;
            for (const auto& [place, taken] : places) {
                block += place.begin != begin;
                begin = place.begin;
                ways.push_back({block, place.number, taken, false});
            }
            for (coverage::Branch& way : ways)
                way.reached = std::any_of(ways.begin(), ways.end(), [&](const auto& other) {
                    return other.block == way.block && other.taken > 0;
                });
        }
    return result;
}

void CoverageReport::state(Archive& archive) {
    std::uint64_t programs = loaded_.covered->size();
    archive(programs);
    if (programs != loaded_.covered->size())
        throw CheckpointError{"other processes are counted"};
    for (const auto& counts : *loaded_.covered)
        counts->state(archive);
    toggles_.state(archive);
}

std::string CoverageReport::lcov() const {
    return coverage::lcov_text(lines(), loaded_.design.graph.name);
}

std::string CoverageReport::json(std::uint64_t cycles) const {
    const coverage::LineCoverage files = lines();
    const Totals totals = totals_of(files, toggles_);
    Json result;
    result["format"] = "sme coverage 1";
    result["network"] = loaded_.design.graph.name;
    result["cycles"] = cycles;
    result["totals"] = {{"lines", totals.lines.json()},
                        {"branches", totals.branches.json()},
                        {"toggles", totals.toggles.json()},
                        {"states", totals.states.json()}};
    result["files"] = Json::array();
    for (const auto* each : in_order(files, loaded_.design.graph.declared))
        result["files"].push_back(json_of(each->first, each->second));
    result["toggles"] = Json::array();
    for (const coverage::ToggleCoverage& each : toggles_.toggles())
        result["toggles"].push_back({{"name", each.name},
                                     {"bits", each.bits},
                                     {"rose", each.rose},
                                     {"fell", each.fell},
                                     {"missing", each.missing}});
    result["states"] = Json::array();
    for (const coverage::StateCoverage& each : toggles_.states())
        result["states"].push_back(json_of(each));
    return result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::map<std::string, std::string> CoverageReport::sources() const {
    std::map<std::string, std::string> result;
    for (const auto& counts : *loaded_.covered)
        for (const CoverPoint& point : counts->program().cover.points)
            result.try_emplace(point.where.source->path(), point.where.source->text());
    return result;
}

namespace {

std::string summary_of(const Totals& totals) {
    std::string text = "  coverage     " + totals.lines.text("lines");
    for (const auto& [share, what] :
         {std::pair{totals.branches, "branches"}, std::pair{totals.toggles, "toggles"},
          std::pair{totals.states, "states"}})
        if (share.found > 0)
            text += ", " + share.text(what);
    return text + "\n";
}

} // namespace

std::string CoverageReport::summary() const {
    return summary_of(totals_of(lines(), toggles_));
}

std::string coverage_summary(const coverage::LineCoverage& lines) {
    return summary_of(totals_of(lines));
}

} // namespace sme::cli
