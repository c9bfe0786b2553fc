// SPDX-License-Identifier: Apache-2.0
//
// 1. Cuts the instances into runs on which all maps are linear. 2. Joins many adjacent short runs
//    into one with tables. 3. Lets runs with equal strides share a pattern.
#include "native/emit/instance_runs.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sme::native {

namespace {

/// Adjacent runs shorter than this are worth a table.
constexpr std::uint64_t short_run = 4;
constexpr std::size_t many_runs = 4;
/// The most kernels for one part.
constexpr std::size_t max_patterns = 8;

struct Cut {
    std::uint64_t first;
    std::uint64_t end;
    bool irregular = false;
};

class Cutter {
public:
    explicit Cutter(std::vector<const Segments*> maps) : maps_{std::move(maps)} {}

    void run(InstanceRuns& result) {
        cut();
        join_short();
        if (count_patterns() > max_patterns)
            make_rare_irregular();
        for (const Cut& cut : cuts_)
            add(cut, result);
    }

private:
    void cut() {
        const std::uint64_t count = maps_.back()->size();
        std::vector<std::size_t> runs(maps_.size(), 0);
        for (std::uint64_t first = 0; first < count;) {
            std::uint64_t end = count;
            for (std::size_t m = 0; m < maps_.size(); ++m) {
                while (maps_[m]->runs()[runs[m]].end() <= first)
                    ++runs[m];
                end = std::min(end, maps_[m]->runs()[runs[m]].end());
            }
            cuts_.push_back({first, end});
            first = end;
        }
    }

    void join_short() {
        std::vector<Cut> joined;
        for (std::size_t k = 0; k < cuts_.size();) {
            std::size_t end = k;
            while (end < cuts_.size() && cuts_[end].end - cuts_[end].first < short_run)
                ++end;
            if (end - k >= many_runs) {
                joined.push_back({cuts_[k].first, cuts_[end - 1].end, true});
                k = end;
                continue;
            }
            end = std::max(end, k + 1);
            joined.insert(joined.end(), cuts_.begin() + static_cast<std::ptrdiff_t>(k),
                          cuts_.begin() + static_cast<std::ptrdiff_t>(end));
            k = end;
        }
        cuts_ = std::move(joined);
    }

    Pattern pattern(const Cut& cut) const {
        Pattern result;
        if (cut.irregular) {
            result.kind = Pattern::Kind::table;
            return result;
        }
        if (cut.end - cut.first == 1)
            return result;
        result.kind = Pattern::Kind::line;
        for (const Segments* map : maps_)
            result.strides.push_back(map->at(cut.first + 1) - map->at(cut.first));
        return result;
    }

    std::size_t count_patterns() const {
        std::set<Pattern> found;
        for (const Cut& cut : cuts_)
            found.insert(pattern(cut));
        return found.size();
    }

    /// Makes all but the patterns with the most instances irregular.
    void make_rare_irregular() {
        std::map<Pattern, std::uint64_t> instances;
        for (const Cut& cut : cuts_)
            instances[pattern(cut)] += cut.end - cut.first;
        std::vector<std::pair<std::uint64_t, Pattern>> order;
        for (const auto& [pattern, count] : instances)
            if (pattern.kind == Pattern::Kind::line)
                order.emplace_back(count, pattern);
        std::sort(order.begin(), order.end(), std::greater<>{});
        std::set<Pattern> kept;
        for (std::size_t k = 0; k + 2 < max_patterns && k < order.size(); ++k)
            kept.insert(order[k].second);
        for (Cut& cut : cuts_)
            if (const Pattern found = pattern(cut); found.kind == Pattern::Kind::line)
                cut.irregular = !kept.contains(found);
    }

    void add(const Cut& cut, InstanceRuns& result) {
        const Pattern found = pattern(cut);
        const auto known = std::find(result.patterns.begin(), result.patterns.end(), found);
        const auto number = static_cast<std::uint32_t>(known - result.patterns.begin());
        if (known == result.patterns.end())
            result.patterns.push_back(found);
        InstanceRun instances{cut.first, cut.end, number, {}};
        for (const Segments* map : maps_)
            instances.at.push_back(map->at(cut.first));
        result.runs.push_back(std::move(instances));
        if (!cut.irregular)
            return;
        result.tables.resize(maps_.size());
        for (std::size_t m = 0; m < maps_.size(); ++m) {
            result.tables[m].resize(maps_[m]->size());
            for_each_run(*maps_[m], cut.first, cut.end - cut.first, [&](const Segment& run) {
                for (std::uint64_t k = run.first; k < run.end(); ++k)
                    result.tables[m][k] = run.at(k);
            });
        }
    }

    std::vector<const Segments*> maps_;
    std::vector<Cut> cuts_;
};

} // namespace

std::size_t InstanceRuns::map_of(std::uint32_t port) const {
    return static_cast<std::size_t>(std::lower_bound(ports.begin(), ports.end(), port) -
                                    ports.begin());
}

std::vector<std::int64_t> InstanceRuns::at_position(const InstanceRun& run,
                                                    std::uint64_t position) const {
    std::vector<std::int64_t> result = run.at;
    const Pattern& pattern = patterns[run.pattern];
    for (std::size_t m = 0; pattern.kind == Pattern::Kind::line && m < result.size(); ++m)
        result[m] += static_cast<std::int64_t>(position - run.first) * pattern.strides[m];
    return result;
}

InstanceRuns InstanceRuns::of(const expr::Program& program, const expr::PartProgram& part,
                              const interpret::SlotMap& places) {
    std::set<std::uint32_t> ports;
    bool uses_order = false;
    expr::for_each_node(part, [&](expr::NodeId id) {
        const expr::Op op = program.nodes[id].op;
        if (op == expr::Op::load)
            ports.insert(program.nodes[id].a);
        uses_order = uses_order || op == expr::Op::index || op == expr::Op::random;
    });
    for (const expr::Store& store : part.stores)
        ports.insert(store.port);
    InstanceRuns result;
    result.ports.assign(ports.begin(), ports.end());
    std::vector<const Segments*> maps;
    for (const std::uint32_t port : result.ports)
        maps.push_back(&places.ports[port]);
    const Segments positions = Segments::identity(places.order.size());
    maps.push_back(uses_order ? &places.order : &positions);
    Cutter{std::move(maps)}.run(result);
    constexpr std::size_t few = 8;
    std::uint32_t run = 0;
    for (std::uint64_t k = 0; result.runs.size() > few && k < places.order.size();
         k += near_positions) {
        while (result.runs[run].end <= k)
            ++run;
        result.near.push_back(run);
    }
    return result;
}

} // namespace sme::native
