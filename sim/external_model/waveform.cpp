// SPDX-License-Identifier: Apache-2.0
//
// Keeps the current words of all ports. At each time of the file:
// 1. take its changes
// 2. at a rising edge without reset, record the previous words as a cycle
// 3. read the words with changed signals again
#include "external_model/waveform.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "engine/feeder.hpp"
#include "external_model/recorded_scope.hpp"
#include "lockstep/comparison.hpp"
#include "lockstep/random_rows.hpp"
#include "vcd/reader.hpp"
#include "yaml/read/tree.hpp"

namespace sme::external_model {

namespace {

/// Converts each port to a separate family of buses.
std::vector<BusFamily> families_of(const Interface& interface) {
    std::vector<BusFamily> result;
    for (const InterfacePort& port : interface.ports) {
        BusFamily& family = result.emplace_back();
        family.name = port.name;
        family.shape = port.shape;
        family.type = port.type;
        family.count = port.elements.size();
    }
    return result;
}

/// The common clock domain of all its processes; null if the network has one domain, or the
/// processes have several.
const ClockDomain* domain_of(const Interface& interface, const Graph& graph) {
    std::uint32_t found = no_domain;
    for (std::size_t k = interface.families.begin; k < interface.families.end; ++k)
        for (const Port& port : graph.processes[k].ports) {
            if (port.domain != no_domain && found != no_domain && port.domain != found)
                return nullptr;
            found = found == no_domain ? port.domain : found;
        }
    return found < graph.domains.size() ? &graph.domains[found] : nullptr;
}

class Recorder {
public:
    Recorder(vcd::Reader& file, const WaveformPlace& place, const Interface& interface,
             const std::vector<BusFamily>& families, const RecordedScope& scope,
             Diagnostics& diagnostics)
        : file_{file}, place_{place}, interface_{interface}, scope_{scope}, diagnostics_{
                                                                                diagnostics} {
        made_.scope = scope.name;
        made_.clock = scope.clock_name;
        made_.clock_guessed = scope.clock_guessed;
        made_.rate = scope.rate;
        made_.ports.resize(families.size());
        for (std::size_t p = 0; p < families.size(); ++p) {
            rows_.emplace_back(families[p], families[p].name, false);
            made_.ports[p].found = !scope.ports[p].empty();
            made_.ports[p].row_bytes = families[p].type->size() * families[p].count;
            words_.emplace_back(scope.ports[p].size());
            known_.emplace_back(scope.ports[p].size());
            for (std::uint32_t w = 0; w < scope.ports[p].size(); ++w) {
                users_[scope.ports[p][w].signal].push_back({p, w});
                read(p, w);
            }
        }
    }

    std::optional<Recording> record() {
        while (file_.more() && made_.ended.empty()) {
            file_.take();
            if (file_.off()) {
                made_.ended = "it leaves out values ($dumpoff)";
                break;
            }
            if (sees_edge() && !take_cycle())
                return std::nullopt;
            for (const std::uint32_t signal : file_.changed()) {
                if (const auto found = users_.find(signal); found != users_.end())
                    for (const auto& [port, word] : found->second)
                        read(port, word);
                if (scope_.reset && signal == scope_.reset->signal)
                    reset_ = vcd::digit_at(file_.value(signal), 0);
            }
        }
        if (const auto& problem = file_.problem()) {
            diagnostics_.add(problem->code, problem->where, problem->message);
            return std::nullopt;
        }
        if (made_.cycles == 0) {
            diagnostics_.add(
                Code::data_shape, interface_.where,
                edges_ == 0
                    ? fmt::format("'{}' has no rising edge of '{}'", place_.path, scope_.clock_name)
                    : fmt::format("the reset is active at all {} rising edges of '{}' in '{}'; "
                                  "give --reset NAME=0 for one that is active when low",
                                  edges_, scope_.clock_name, place_.path));
            return std::nullopt;
        }
        return std::move(made_);
    }

private:
    bool sees_edge() {
        const char now = vcd::digit_at(file_.value(scope_.clock), 0);
        const bool edge = now == '1' && clock_ == '0';
        clock_ = now;
        edges_ += edge ? 1u : 0u;
        return edge;
    }

    void read(std::size_t port, std::uint32_t number) {
        const yaml::VcdWord& word = scope_.ports[port][number];
        const vcd::Value value = file_.value(word.signal);
        std::uint64_t bits = 0, known = 0;
        for (unsigned k = 0; k < word.width; ++k) {
            const char digit = vcd::digit_at(value, word.bit + k);
            bits |= std::uint64_t{digit == '1'} << k;
            known |= std::uint64_t{digit == '0' || digit == '1'} << k;
        }
        const bool is_signed = word.scalar->extends_sign();
        words_[port][number] = canonical(bits, word.width, is_signed);
        known_[port][number] = canonical(known, word.width, is_signed);
    }

    bool take_cycle() {
        constexpr std::size_t max_bytes = std::size_t{1} << 28;
        if (scope_.reset && reset_ != (scope_.reset->active == '1' ? '0' : '1')) {
            if (made_.cycles > 0)
                made_.ended = "the reset is active again";
            return true; // an unknown reset counts as active
        }
        for (std::size_t p = 0; p < rows_.size(); ++p) {
            RecordedPort& port = made_.ports[p];
            if (!port.found)
                continue;
            for (std::size_t w = 0; w < words_[p].size(); ++w)
                if (!take_word(p, w))
                    return false;
            rows_[p].put(words_[p], port.values);
            rows_[p].put(known_[p], port.known);
            bytes_ += 2 * port.row_bytes;
        }
        if (bytes_ > max_bytes) {
            diagnostics_.add(Code::too_large, interface_.where,
                             fmt::format("the ports of '{}' in '{}' take more than 256 MiB from "
                                         "cycle {} on; give --cycles and a shorter recording",
                                         interface_.name, place_.path, made_.cycles));
            return false;
        }
        ++made_.cycles;
        return true;
    }

    /// Counts unknown bits; rejects an input that is not a member of its enumeration.
    bool take_word(std::size_t port, std::size_t number) {
        const yaml::VcdWord& word = scope_.ports[port][number];
        const std::uint64_t all =
            canonical(~std::uint64_t{0}, word.width, word.scalar->extends_sign());
        if (known_[port][number] != all) {
            ++made_.ports[port].unknown;
            return true;
        }
        if (interface_.ports[port].output || word.scalar->kind() != TypeKind::enumeration ||
            word.scalar->find_member(words_[port][number]))
            return true;
        diagnostics_.add(Code::data_range, interface_.where,
                         fmt::format("'{}' is {} in cycle {} of '{}', which is no member of {}",
                                     word.name, words_[port][number], made_.cycles, place_.path,
                                     word.scalar->name()));
        return false;
    }

    vcd::Reader& file_;
    const WaveformPlace& place_;
    const Interface& interface_;
    const RecordedScope& scope_;
    Diagnostics& diagnostics_;
    std::vector<yaml::InputRow> rows_;
    std::vector<std::vector<std::uint64_t>> words_, known_; // [port][word]
    std::unordered_map<std::uint32_t, std::vector<std::pair<std::size_t, std::uint32_t>>> users_;
    Recording made_;
    std::size_t bytes_ = 0;
    std::uint64_t edges_ = 0;
    char clock_ = 'x';
    char reset_ = 'x';
};

/// Prepares a bus that is fed with rows: a register shows the first row in cycle 0.
void prepare_fed(Graph& graph, const std::vector<std::uint64_t>& elements,
                 const RecordedPort& recorded) {
    for (std::size_t k = 0; k < elements.size(); ++k) {
        for (BusFamily& family : graph.buses)
            if (elements[k] >= family.first && elements[k] < family.first + family.count) {
                family.delay = std::min(family.delay, 1u);
                family.unwritten = Unwritten::zero;
                family.input = false;
            }
        if (const BusFamily& family = graph.family_of(elements[k]); !family.wire())
            lockstep::set_initial(graph, elements[k],
                                  recorded.values.data() + k * family.type->size());
    }
}

void add_feeder(Graph& graph, const std::vector<std::uint64_t>& elements,
                const RecordedPort& recorded, const Recording& recording, const std::string& name) {
    prepare_fed(graph, elements, recorded);
    auto rows = std::make_shared<InputRows>();
    rows->values = recorded.values;
    rows->rows = recording.cycles;
    rows->rate = recording.rate;
    rows->row_bytes = recorded.row_bytes;
    rows->at_end = AtEnd::hold;
    ProcessFamily feeder = lockstep::feeder_of(graph, elements, name);
    feeder.kind = engine::feeder(std::move(rows));
    graph.processes.push_back(std::move(feeder));
}

/// Makes the inputs of other members of a family keep their initial values.
void hold_others(Graph& graph) {
    const auto rows = std::make_shared<lockstep::FedRows>();
    std::vector<std::byte> row;
    rows->elements = lockstep::open_inputs(graph);
    for (const std::uint64_t element : rows->elements) {
        rows->offsets.push_back(row.size());
        const std::vector<std::byte> value = lockstep::initial_of(graph, element);
        row.insert(row.end(), value.begin(), value.end());
    }
    rows->rows = {std::move(row)};
    if (!rows->elements.empty())
        lockstep::add_feeder(graph, rows, {});
}

/// The known bits of one element of a port.
std::shared_ptr<const KnownBits> known_of(const RecordedPort& recorded, std::size_t place,
                                          std::size_t bytes, const Recording& recording) {
    auto result = std::make_shared<KnownBits>();
    result->bytes = bytes;
    result->cycles = recording.network_cycles();
    result->rate = recording.rate;
    if (recorded.unknown == 0)
        return result;
    for (std::uint64_t cycle = 0; cycle < recording.cycles; ++cycle) {
        const auto from = recorded.known.begin() +
                          static_cast<std::ptrdiff_t>(cycle * recorded.row_bytes + place * bytes);
        result->bits.insert(result->bits.end(), from, from + static_cast<std::ptrdiff_t>(bytes));
    }
    return result;
}

} // namespace

std::optional<Recording> read_recording(const WaveformPlace& place, const Interface& interface,
                                        const Graph& graph, Diagnostics& diagnostics) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(place.path, error)) { // a pipe would block
        diagnostics.add(Code::file_unreadable, {},
                        fmt::format("cannot read '{}': {}", place.path,
                                    error ? error.message() : "it is not a regular file"));
        return std::nullopt;
    }
    if (!yaml::is_changes_file(place.path.c_str())) {
        diagnostics.add(Code::vcd_syntax, {},
                        fmt::format("'{}' is no VCD file: it does not begin with a declaration "
                                    "($...); and no FST file",
                                    place.path));
        return std::nullopt;
    }
    std::map<std::uint64_t, std::string> driven;
    for (const InterfacePort& port : interface.ports)
        for (const std::uint64_t element : port.elements)
            if (const auto [there, result] = driven.emplace(element, port.name);
                !result && !port.output && !port.constant) {
                diagnostics.add(Code::bad_option, interface.where,
                                fmt::format("'{}' and '{}' of '{}' are bound to one bus, '{}', "
                                            "which cannot be driven as two were recorded; give "
                                            "them buses of their own",
                                            there->second, port.name, interface.name,
                                            graph.bus_name(element)));
                return std::nullopt;
            }
    vcd::Reader file{place.path};
    if (const auto& problem = file.problem()) {
        diagnostics.add(problem->code, problem->where, problem->message);
        return std::nullopt;
    }
    const std::vector<BusFamily> families = families_of(interface);
    std::vector<std::string> bus_names;
    for (const InterfacePort& port : interface.ports)
        bus_names.push_back(port.shape.dimensions.empty() ? graph.bus_name(port.elements[0])
                                                          : graph.family_of(port.elements[0]).name);
    const ClockDomain* const domain = domain_of(interface, graph);
    const auto scope =
        find_scope(file.declarations(), place, interface, families, bus_names, domain, diagnostics);
    auto result = scope ? Recorder{file, place, interface, families, *scope, diagnostics}.record()
                        : std::nullopt;
    for (const Diagnostic& warning : file.warnings())
        diagnostics.add(warning.code, warning.where, warning.message);
    return result;
}

Replay replay_of(const Recording& recording, const Interface& interface, const std::string& other,
                 const Graph& graph) {
    Replay result;
    result.pair.first = interface.families;
    result.pair.name = interface.name;
    result.graph = lockstep::isolated(graph, result.pair);
    Interface compared = interface;
    compared.families = result.pair.first;
    compared.ports.clear();
    std::vector<const RecordedPort*> recorded;
    for (std::size_t p = 0; p < interface.ports.size(); ++p)
        if (recording.ports[p].found || !interface.ports[p].output) {
            compared.ports.push_back(interface.ports[p]);
            recorded.push_back(&recording.ports[p]);
        }
    Shadows shadows = add_shadows(compared, other, result.graph);
    result.pair = std::move(shadows.pair);
    const std::size_t begin = result.graph.processes.size();
    std::size_t outputs = 0;
    for (std::size_t p = 0; p < compared.ports.size(); ++p) {
        const InterfacePort& port = compared.ports[p];
        if (port.constant)
            continue;
        const std::vector<std::uint64_t>& elements =
            port.output ? shadows.outputs[outputs++] : port.elements;
        for (std::size_t k = 0; port.output && k < elements.size(); ++k)
            result.pair.known.push_back(known_of(*recorded[p], k, port.type->size(), recording));
        add_feeder(result.graph, elements, *recorded[p], recording, "recorded " + port.name);
    }
    result.pair.second = {begin, result.graph.processes.size()};
    hold_others(result.graph);
    return result;
}

} // namespace sme::external_model
