// SPDX-License-Identifier: Apache-2.0
//
// A network is compared as it will run, after constants, functions and parameters are part of its
// programs, initial values and rows. So the order of declarations, comments and places in a file do
// not count, and neither does what no process uses.
#include "session/run_digest.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/digest.hpp"
#include "runtime/memory_archive.hpp"
#include "session/loading.hpp"

namespace sme::session {

namespace {

/// Adds values with their lengths, so that different lists of values differ as a whole.
class Adder {
public:
    template <class... T> std::uint64_t sum(const T&... values) {
        all(values...);
        return digest_.value();
    }

private:
    template <class... T> void all(const T&... values) { (add(values), ...); }

    template <class T> void add(const T& value) {
        if constexpr (std::has_unique_object_representations_v<T>) // without padding and floats
            digest_.add(std::as_bytes(std::span{&value, 1}));
        else if constexpr (requires { value.has_value(); })
            all(value.has_value(), value.value_or(0));
        else {
            add(value.size());
            if constexpr (requires { std::as_bytes(std::span{value}); } &&
                          std::has_unique_object_representations_v<typename T::value_type>)
                digest_.add(std::as_bytes(std::span{value}));
            else
                std::for_each(value.begin(), value.end(), [&](const auto& each) { add(each); });
        }
    }
    void add(const TypeRef& type) {
        if (add(type != nullptr); type)
            all(type->kind(), type->width_bits(), type->count(), type->fields(), type->members(),
                type->element());
    }
    void add(const Member& x) { all(x.name, x.value); }
    void add(const Field& x) { all(x.name, x.type, x.offset, x.back); }

    // programs
    void add(const expr::Node& x) { all(x.op, x.type, x.a, x.b, x.c, x.immediate); }
    void add(const expr::Loop& x) { all(x.count, x.step, x.carried, x.sites, x.until); }
    void add(const expr::Table& x) { all(x.type, x.values); }
    void add(const expr::FaultSite& x) { all(x.code, x.message); }
    void add(const expr::PartLoop& x) { all(x.loop, x.nodes, x.carried, x.memory_writes); }
    void add(const expr::PrintStyle& x) { all(x.base, x.zeros, x.width); }
    void add(const expr::PrintLine::Piece& x) { all(x.text, x.type, x.style); }
    void add(const expr::PrintLine& x) { all(x.pieces); }
    void add(const expr::Print& x) { all(x.enable, x.line, x.values); }
    void add(const expr::FieldUse& x) { all(x.port, x.fields); }
    void add(const expr::PartProgram& x) {
        all(x.nodes, x.loops, x.stores, x.memory_writes, x.memory_resets, x.faults, x.halts,
            x.prints, x.results, x.reads, x.writes);
    }
    void add(const expr::CoverPoint& x) { all(x.kind, x.results, x.always); }
    void add(const expr::CoverPlan& x) { all(x.part, x.points); }
    void add(const expr::Program& x) {
        all(x.nodes, x.loops, x.tables, x.sites, x.lines, x.parts, x.cover, x.index_low,
            x.index_count, x.kept, x.computes_wide);
    }

    // observers and inputs; the conditions of checks are results of their program
    void add(const expr::Temporal& x) { all(x.then, x.first, x.last); }
    void add(const expr::Check& x) { all(x.kind, x.cycle, x.condition, x.temporal, x.text); }
    void add(const expr::CheckSet& x) { all(x.program, x.checks); }
    void add(const expr::Recording& x) { all(x.program, x.columns, x.expected, x.halt_after); }
    void add(const expr::HaltCondition& x) { all(x.program); }
    void add(const expr::ActorNetwork& x) { all(x.program); }
    void add(const expr::Probe& x) { all(x.program, x.remembers); }
    void add(const InputRows& x) {
        all(x.values, x.rows, x.at_end, x.row_behind, x.stream, x.rate, x.starts);
    }
    void add(const lockstep::RandomRules::Range& x) { all(x.element, x.offset, x.low, x.high); }
    void add(const lockstep::RandomRules::Handshake& x) { all(x.element, x.valid, x.ready); }
    void add(const lockstep::RandomRules::Assumption& x) { all(x.text, x.digest); }
    void add(const lockstep::RandomRules& x) { all(x.ranges, x.handshakes, x.assumptions); }

    // the graph
    void add(const Shape::Dimension& x) { all(x.low, x.count); }
    void add(const Shape& x) { all(x.dimensions, x.kept); }
    void add(const Segments& x) { add(x.runs()); }
    void add(const BusFamily& x) {
        all(x.shape, x.type, x.delay, x.unwritten, x.initial, x.has_initial, x.input, x.bundle,
            x.reverse_field, x.state, x.traced, x.marked, x.domain, x.first);
    }
    void add(const PortUse& x) { all(x.port, x.fields); }
    void add(const Port& x) {
        all(x.name, x.output, x.type, x.wants_wire, x.buses, x.domain, x.beside, x.indexed);
    }
    void add(const Part& x) { all(x.kind, x.reads, x.writes, x.may_fault, x.shares_state); }
    void add(const Memory& x) { all(x.name, x.element, x.words, x.initial); }
    void add(const ProcessFamily& x) {
        all(x.shape, x.count, x.ports, x.parts, x.memories, x.looks_at, x.observer, x.helper,
            x.domain);
    }

    Digest digest_;
};

std::string name_of(const ProcessFamily& family) {
    constexpr std::string_view input = "input ";
    if (family.helper && family.name.starts_with(input))
        return fmt::format("input '{}'", family.name.substr(input.size()));
    return family.helper || family.observer ? family.name
                                            : fmt::format("process '{}'", family.name);
}

std::vector<std::byte> bytes_of(auto values) {
    std::vector<std::byte> result;
    Saving{result}(values);
    return result;
}

} // namespace

std::uint64_t digest_of(const expr::Program& program) {
    return Adder{}.sum(program);
}

void RunDigest::add(const std::string& name, std::uint64_t value) {
    std::uint64_t& known = values_[name];
    known = Adder{}.sum(known, value);
}

void RunDigest::add(const std::string& name, std::string_view value) {
    add(name, Digest{}.add(value).value());
}

void RunDigest::add(const std::string& name, std::uint64_t value, const Location& declared) {
    add(name, value);
    if (declared.known())
        places_.try_emplace(name, describe(declared));
}

template <class Data, class... More>
void RunDigest::note(std::function<Kind(std::shared_ptr<const Data>, More...)>& factory) {
    if (factory)
        factory = [this, factory = std::move(factory)](std::shared_ptr<const Data> data,
                                                       More... more) {
            const std::uint64_t digest = Adder{}.sum(*data);
            Kind kind = factory(std::move(data), more...);
            kinds_[kind] = digest;
            return kind;
        };
}

void RunDigest::note(yaml::GroupFactories& factories) {
    note(factories.process);
    note(factories.input);
    note(factories.checks);
    note(factories.recording);
    note(factories.halt);
    note(factories.deadlock);
    note(factories.watch);
    note(factories.probe);
    note(factories.let);
}

void RunDigest::add(const Loaded& loaded, const lockstep::RandomRules& random) {
    const Graph& graph = loaded.design.graph;
    for (const BusFamily& bus : graph.buses)
        add(fmt::format("{} '{}'", bus.state ? "state" : "bus", bus.name), Adder{}.sum(bus),
            bus.declared);
    for (const ProcessFamily& family : graph.processes) {
        const auto kind = kinds_.find(family.kind);
        add(name_of(family),
            Adder{}.sum(family, kind == kinds_.end() ? 0 : kind->second,
                        loaded.modules->contents_of(family.kind.get())),
            family.declared);
    }
    for (const ClockDomain& domain : graph.domains)
        add(fmt::format("clock '{}'", domain.name), Adder{}.sum(domain.rate), domain.declared);
    add("the name of the network", graph.name);
    add("the period of the clock", loaded.design.clock_ps);
    add("the assumptions", Adder{}.sum(random));
}

std::optional<RunDigest::Difference> RunDigest::compare(Transport& ranks) const {
    const auto same = [](const auto& all) {
        return std::equal(all.begin() + 1, all.end(), all.begin());
    };
    const std::vector<std::byte> own = bytes_of(values_);
    if (same(ranks.gather(bytes_of(Digest{}.add(own).value()))))
        return std::nullopt;
    const std::vector<std::vector<std::byte>> all = ranks.gather(own);
    const auto other = std::find_if(all.begin(), all.end(),
                                    [&](const auto& bytes) { return bytes != all.front(); });
    if (other == all.end())
        return std::nullopt;
    std::map<std::string, std::uint64_t> first, second;
    Loading{all.front()}(first);
    Loading{*other}(second);
    std::vector<std::pair<std::string, std::uint64_t>> differing;
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::back_inserter(differing));
    Difference result{static_cast<unsigned>(other - all.begin()), {}};
    for (std::size_t k = 0; k < differing.size(); ++k) {
        const std::string& name = differing[k].first;
        const auto place = places_.find(name);
        if (k == 0 || name != differing[k - 1].first)
            result.names.push_back(
                place == places_.end() ? name : fmt::format("{} ({})", name, place->second));
    }
    return result;
}

} // namespace sme::session
