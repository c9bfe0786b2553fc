// SPDX-License-Identifier: Apache-2.0
#include "sme/simulator.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "bits/integer.hpp"
#include "checkpoint/checkpoint.hpp"
#include "engine/access.hpp"
#include "network/find.hpp"
#include "runtime/observer.hpp"
#include "session/run/run.hpp"

namespace sme {

namespace {
class Printer final : public engine::PrintSink {
public:
    explicit Printer(const SimulatorOptions& options) : print_{options.print} {}
    void print(const std::string& line) override { print_(line); }

private:
    std::function<void(const std::string&)> print_;
};
} // namespace

struct Simulator::Data {
    std::unique_ptr<engine::PrintSink> printer;
    std::unique_ptr<const Graph> marked; // for an auditor
    std::vector<std::shared_ptr<Observer>> observers;
    const Graph& graph;
    std::unique_ptr<session::Run> run;

    engine::Engine& engine() const { return run->engine(); }

    void check_known(bool known, const char* what) const {
        if (!known)
            throw NetworkError{fmt::format(
                "{} of another network is used with a simulator of '{}'; use one of '{}'", what,
                graph.name, graph.name)};
    }
};

namespace {

std::unique_ptr<const Graph> marked(const Graph& graph) {
    auto result = std::make_unique<Graph>(graph);
    result->mark_writes();
    return result;
}

void throw_errors(const Diagnostics& diagnostics) {
    if (diagnostics.has_errors())
        throw NetworkError{render(diagnostics)};
}

} // namespace

Simulator::Simulator(const Network& network, const SimulatorOptions& options)
    : data_{new Data{options.print ? std::make_unique<Printer>(options) : nullptr,
                     options.auditor ? marked(network.graph()) : nullptr,
                     {},
                     network.graph(),
                     nullptr}} {
    if (options.threads > max_threads)
        throw NetworkError{fmt::format("a simulator has at most {} threads, but {} are asked for",
                                       max_threads, options.threads)};
    Diagnostics diagnostics;
    const Graph& graph = data_->marked ? *data_->marked : data_->graph;
    data_->run = std::make_unique<session::Run>(
        graph, engine::Options{options, nullptr, data_->printer.get()}, diagnostics);
    throw_errors(diagnostics);
}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

std::uint64_t Simulator::run(Cycles cycles) {
    const std::uint64_t before = data_->engine().cycle();
    if (data_->engine().run(cycles.count) == RunEnd::faulted)
        throw ModelFault{data_->run->outcome().fault_text()};
    return data_->engine().cycle() - before;
}

std::uint64_t Simulator::cycle() const {
    return data_->engine().cycle();
}

bool Simulator::halted() const {
    return data_->engine().ending() != RunEnd::completed;
}

void Simulator::settle() {
    data_->engine().access().settle();
}

namespace {
void throw_problem(const Observer& observer) {
    if (const std::string problem = observer.problem(); !problem.empty())
        throw ObserverError{problem};
}
} // namespace

void Simulator::finish() {
    data_->engine().finish();
    for (const auto& observer : data_->observers)
        throw_problem(*observer);
}

void Simulator::save(const std::string& path) {
    if (halted())
        throw CheckpointError{"a run that has ended is not saved"};
    SimulatorAccess::check_savable(*this);
    checkpoint::Writer writer{path};
    data_->engine().save(writer);
    writer.commit();
}

std::vector<std::string> Simulator::load(const std::string& path) {
    if (cycle() > 0)
        throw CheckpointError{"a run that has begun cannot be loaded; make another simulator"};
    const checkpoint::Reader reader{path};
    return data_->engine().load(reader);
}

void Simulator::attach(std::shared_ptr<Observer> observer) {
    if (data_->run->used())
        throw ObserverError{"an observer is attached before the simulator is compiled"};
    data_->engine().attach(*observer);
    data_->observers.push_back(std::move(observer));
    throw_problem(*data_->observers.back());
}

const std::byte* Simulator::slot(const internal::BusKey& bus) const {
    data_->check_known(data_->graph.has(bus), "a bus");
    return data_->engine().access().value(bus.id);
}

const std::byte* Simulator::value(const std::string& name, const Type& type) const {
    const NamedValue found = value_named(data_->graph, name);
    if (!(*found.type == type))
        throw NetworkError{
            fmt::format("'{}' is {}, not {}", name, found.type->written_out(), type.written_out())};
    return data_->engine().access().value(found.element) + found.offset;
}

std::uint64_t Simulator::number(const std::string& name, unsigned bits, bool is_signed) const {
    const NamedValue found = value_named(data_->graph, name);
    const Type& type = *found.type;
    if (!type.is_scalar() || type.is_wide())
        throw NetworkError{
            fmt::format("'{}' is {}, not one integer of up to 64 bits", name, type.written_out())};
    if (type.width_bits() - type.is_signed() > bits || (type.is_signed() && !is_signed))
        throw NetworkError{fmt::format("'{}' is {}, which does not fit {} integer of {} bits", name,
                                       type.written_out(), is_signed ? "a signed" : "an unsigned",
                                       bits + is_signed)};
    std::uint64_t value = 0;
    std::memcpy(&value, this->value(name, type), type.size());
    return canonical(value, static_cast<unsigned>(type.width_bits()), type.is_signed());
}

session::Run& SimulatorAccess::run(Simulator& simulator) {
    return *simulator.data_->run;
}
const Graph& SimulatorAccess::graph(const Simulator& simulator) {
    return simulator.data_->graph;
}
bool SimulatorAccess::is_judged(const Simulator& simulator) {
    return simulator.data_->marked != nullptr;
}
void SimulatorAccess::check_savable(Simulator& simulator) {
    if (const std::vector<std::string> reasons = engine(simulator).unsaved(); !reasons.empty())
        throw CheckpointError{fmt::format("{}", fmt::join(reasons, "\n"))};
}

void Simulator::set_input(const internal::BusKey& key, std::span<const std::byte> value) {
    data_->check_known(data_->graph.has(key), "a bus");
    const std::uint64_t bus = key.id;
    const BusFamily& family = data_->graph.family_of(bus);
    if (!family.input)
        throw NetworkError{
            fmt::format("bus '{}' is poked, but it is no input", family.element_name(bus))};
    data_->engine().access().write(bus, 0, value);
}

Group& Simulator::group(std::uint32_t pool, std::uint64_t network) {
    data_->check_known(network == data_->graph.network_number, "a process");
    return data_->engine().group(pool);
}

} // namespace sme
