// SPDX-License-Identifier: Apache-2.0
#include "interpret/block/program_group.hpp"

#include <vector>

#include <fmt/format.h>

#include "expr/program/apply.hpp"
#include "sme/internal/archive.hpp"
#include "sme/network.hpp"

namespace sme::interpret {

namespace {

/// Separate families that share a name must draw different values: a family without the first
/// member uses the name of its own first instance.
std::string random_name(const ProcessFamily& family) {
    const std::vector<std::uint64_t>& kept = family.shape.kept;
    return kept.empty() || kept[0] == 0 ? family.name : family.instance_name(0);
}

} // namespace

SlotMap places_of(const Build& build) {
    SlotMap places;
    for (std::uint32_t p = 0; p < build.ports.size(); ++p) {
        places.ports.push_back(build.ports[p].offsets);
        places.slot_bytes.push_back(static_cast<std::uint32_t>(slot_size(build.bus_at(p, 0))));
    }
    places.memories = build.memories;
    places.own_memories = build.memories.size();
    places.memories.insert(places.memories.end(), build.looks_at.begin(), build.looks_at.end());
    places.order = build.order;
    for (const Memory& memory : build.family.memories)
        places.initial.push_back(&memory.initial);
    places.random_family = expr::random_family(build.seed, random_name(build.family));
    return places;
}

ProgramGroup::ProgramGroup(std::shared_ptr<const expr::Program> program, const Build& build,
                           std::shared_ptr<CoverCounts> counts)
    : program_{std::move(program)}, places_{places_of(build)}, counts_{std::move(counts)} {
    wrote_.resize(build.order.size());
    places_.wrote = wrote_.data();
    for (const expr::PartProgram& part : program_->parts)
        evaluators_.emplace_back(*program_, part, places_);
    commits_later_ =
        !build.family.parts.empty() && build.family.parts.back().kind == Part::Kind::commit;
}

void ProgramGroup::step(unsigned part, Range range, const Frame& frame) {
    if (part == evaluators_.size())
        return commit();
    if (counts(part)) {
        std::uint64_t* const counts = counts_->of(frame.thread);
        counts[counts_->runs()] += range.count;
        return evaluators_[part].count(range, frame, counts);
    }
    if (!commits_later_)
        return evaluators_[part].run(range, frame, nullptr);
    std::vector<PendingWrite> writes;
    evaluators_[part].run(range, frame, &writes);
    const std::lock_guard lock{mutex_};
    pending_.insert(pending_.end(), writes.begin(), writes.end());
}

std::optional<SteadyGroup::Needs> ProgramGroup::needs(unsigned part) const {
    if (part >= evaluators_.size() || counts(part) || !program_->parts[part].prints.empty())
        return std::nullopt;
    Needs result{{}, false, program_->parts[part].nodes.size()};
    std::vector<bool> ports(places_.ports.size());
    bool steady = true;
    expr::for_each_node(program_->parts[part], [&](expr::NodeId id) {
        const expr::Node& node = program_->nodes[id];
        if (node.op == expr::Op::load)
            ports[node.a] = true;
        result.memories = result.memories || node.op == expr::Op::memory_read;
        steady = steady && node.op != expr::Op::cycle && node.op != expr::Op::random &&
                 node.op != expr::Op::load_at;
    });
    for (std::uint32_t port = 0; port < ports.size(); ++port)
        if (ports[port])
            result.ports.push_back(port);
    // native loops do not tell which of their writes were made
    if (result.memories)
        for (const expr::PartProgram& other : program_->parts)
            for (const expr::PartLoop& loop : other.loops)
                steady = steady && loop.memory_writes.empty();
    return steady ? std::optional{std::move(result)} : std::nullopt;
}

std::uint8_t* ProgramGroup::wrote(unsigned part) {
    const bool writes =
        part < program_->parts.size() && (expr::writes_memories(program_->parts[part]) ||
                                          !program_->parts[part].memory_resets.empty());
    return writes ? wrote_.data() : nullptr;
}

/// Commits the collected writes. Writes of one cycle never hit the same word, so their order does
/// not matter.
void ProgramGroup::commit() {
    const std::lock_guard lock{mutex_};
    for (const PendingWrite& write : pending_)
        write.make();
    pending_.clear();
}

namespace {

/// True if a program sets the marks of all its outputs whose slots have marks.
bool makes_marks(const expr::Program& program, const Build& build) {
    std::vector<bool> marks(build.ports.size());
    for (const expr::PartProgram& part : program.parts)
        for (const expr::Store& store : part.stores)
            if (store.offset >= build.bus_at(store.port, 0).type->size())
                marks[store.port] = true;
    for (std::uint32_t p = 0; p < build.ports.size(); ++p)
        if (build.family.ports[p].output && !marks[p] && build.bus_at(p, 0).has_marks())
            return false;
    return true;
}

} // namespace

std::vector<std::uint64_t> CoverCounts::sums() const {
    std::vector<std::uint64_t> sums(results_ + 1, 0);
    for (const std::unique_ptr<std::uint64_t[]>& own : counts_)
        for (std::size_t k = 0; own && k < sums.size(); ++k)
            sums[k] += own[k];
    return sums;
}

void CoverCounts::state(Archive& archive) {
    std::vector<std::uint64_t> all = sums();
    archive(all);
    if (all.size() != results_ + 1)
        throw CheckpointError{"other lines are counted"};
    if (archive.saves())
        return;
    take();
    add(all);
}

std::vector<std::uint64_t> CoverCounts::take() {
    std::vector<std::uint64_t> all = sums();
    for (const std::unique_ptr<std::uint64_t[]>& own : counts_)
        if (own)
            std::fill_n(own.get(), all.size(), 0);
    return all;
}

void CoverCounts::add(const std::vector<std::uint64_t>& sums) {
    for (std::size_t k = 0; k < sums.size(); ++k)
        of(0)[k] += sums[k];
}

std::vector<std::uint64_t> CoverCounts::points() const {
    const std::vector<std::uint64_t> sums = this->sums();
    std::vector<std::uint64_t> made;
    for (const expr::CoverPoint& point : program_->cover.points) {
        std::uint64_t& sum = made.emplace_back(point.always * sums[results_]);
        for (const std::uint32_t result : point.results)
            sum += sums[result];
    }
    return made;
}

std::shared_ptr<const GroupFactory> program_factory(std::shared_ptr<const expr::Program> program) {
    return counted_program_factory(std::move(program), nullptr);
}

std::shared_ptr<const GroupFactory>
counted_program_factory(std::shared_ptr<const expr::Program> program,
                        std::shared_ptr<CoveredPrograms> covered) {
    double operations = 1;
    for (const expr::PartProgram& part : program->parts)
        operations += static_cast<double>(part.nodes.size());
    auto make = [program = std::move(program), covered = std::move(covered)](const Build& build) {
        if (!makes_marks(*program, build))
            throw NetworkError{fmt::format("an auditor judges '{}' only when its network file is "
                                           "loaded with LoadOptions::judged",
                                           build.family.name)};
        std::shared_ptr<CoverCounts> counts;
        if (covered && !program->cover.points.empty())
            covered->push_back(counts = std::make_shared<CoverCounts>(program));
        return std::make_unique<ProgramGroup>(program, build, std::move(counts));
    };
    return std::make_shared<const GroupFactory>(std::move(make), operations);
}

} // namespace sme::interpret
