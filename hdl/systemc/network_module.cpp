// SPDX-License-Identifier: Apache-2.0
#include "systemc/network_module.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <exception>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "engine/access.hpp"
#include "network/build.hpp"
#include "network/checks/check.hpp"
#include "session/run/run.hpp"
#include "systemc/kernel.hpp"

namespace sme::systemc {

namespace {

constexpr const char* report_id = "sme/network";

/// Reports an error with sc_report; throws NetworkError if that returns.
[[noreturn]] void fail(const std::string& why) {
    SC_REPORT_ERROR(report_id, why.c_str());
    throw NetworkError{why};
}

/// Returns the name if no process of a network owns the kernel.
const sc_core::sc_module_name& on_free_kernel(const sc_core::sc_module_name& name,
                                              const std::string& network) {
    if (const std::string owner = Kernel::owner(); !owner.empty())
        fail(fmt::format("network '{}' cannot run in a SystemC platform: SystemC has one kernel "
                         "in a program, and process '{}' of another network has it",
                         network, owner));
    return name;
}

/// Replaces a process that fed an input from a file: writes the values of that input's port.
class PortFeeder final : public Group {
public:
    PortFeeder(std::shared_ptr<const std::vector<std::byte>> value, const Build& build)
        : value_{std::move(value)}, slot_{build.ports[0].offsets.at(0)}, slot_bytes_{slot_size(
                                                                             build.bus_at(0, 0))} {}

    void step(unsigned, Range, const Frame& frame) override {
        std::byte* const slot = frame.write + slot_;
        std::memcpy(slot, value_->data(), value_->size());
        std::memset(slot + value_->size(), 1, slot_bytes_ - value_->size());
    }

private:
    std::shared_ptr<const std::vector<std::byte>> value_;
    std::int64_t slot_;
    std::size_t slot_bytes_;
};

/// Returns the process that feeds a bus from a file, or null.
ProcessFamily* feeder_of(Graph& graph, std::uint64_t element) {
    for (ProcessFamily& family : graph.processes)
        if (family.helper)
            for (const Port& port : family.ports)
                if (port.output && static_cast<std::uint64_t>(port.buses.at(0)) == element)
                    return &family;
    return nullptr;
}

/// Returns a name that SystemC and waveform viewers accept.
std::string plain_name(const std::string& path) {
    std::string name;
    for (const char c : path)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
            name += c;
        else if (!name.empty() && name.back() != '_' && c != ']' && c != ' ')
            name += '_';
    return name;
}

} // namespace

/// An input and the values of its ports.
struct Fed {
    std::uint64_t element;
    std::shared_ptr<std::vector<std::byte>> value;
};

struct NetworkModule::Data {
    Graph graph;
    SimulatorOptions options;
    std::vector<std::unique_ptr<AnyPort>> inputs;
    std::vector<std::unique_ptr<AnyPort>> outputs;
    std::vector<Fed> fed;
    std::vector<std::shared_ptr<Observer>> observers;
    std::unique_ptr<session::Run> run;
    bool ended = false;

    engine::Engine& engine() { return run->engine(); }

    std::vector<std::byte>& value_of(std::uint64_t element) {
        return *std::find_if(fed.begin(), fed.end(), [&](const Fed& input) {
                    return input.element == element;
                })->value;
    }
    bool is_built() const { return run && run->ok(); }
    void build(Diagnostics& diagnostics);
    void check_observers() const;
    void poke();
};

NetworkModule::NetworkModule(const sc_core::sc_module_name& name, const Network& network,
                             const SimulatorOptions& options)
    : NetworkModule{name, network.graph(), options} {}

NetworkModule::NetworkModule(const sc_core::sc_module_name& name, Graph graph,
                             const SimulatorOptions& options)
    : sc_module{on_free_kernel(name, graph.name)},
      data_{new Data{std::move(graph), options, {}, {}, {}, {}, nullptr, false}} {
    Diagnostics diagnostics;
    if (!analyse(data_->graph, diagnostics) || diagnostics.has_errors())
        fail(render(diagnostics));
    SC_HAS_PROCESS(NetworkModule);
    SC_METHOD(rising_edge);
    sensitive << clk.pos();
    dont_initialize();
}

NetworkModule::~NetworkModule() {
    if (data_->is_built())
        data_->run->finish(); // unless the simulation ended normally
}

void NetworkModule::attach(std::shared_ptr<Observer> observer) {
    data_->observers.push_back(std::move(observer));
}

std::uint64_t NetworkModule::cycle() const {
    return data_->is_built() ? data_->run->cycle() : 0;
}

bool NetworkModule::ended() const {
    return data_->ended;
}

NetworkModule::AnyPort* NetworkModule::find(const std::string& path, bool input) const {
    for (const auto& port : input ? data_->inputs : data_->outputs)
        if (port->path == path)
            return port.get();
    return nullptr;
}

NamedValue NetworkModule::place_of(const std::string& path, bool input) const {
    const std::optional<NamedValue> place = find_value(data_->graph, path);
    if (!place || data_->graph.family_of(place->element).state)
        fail(fmt::format("network '{}' has no bus '{}'", data_->graph.name, path));
    if (data_->run)
        fail(fmt::format("the port '{}' of network '{}' is asked for after elaboration", path,
                         data_->graph.name));
    if (!input)
        return *place;
    const BusFamily& bus = data_->graph.family_of(place->element);
    const ProcessFamily* const feeder = feeder_of(data_->graph, place->element);
    if (bus.bundle || (feeder && feeder->ports.size() > 1))
        fail(fmt::format("bus '{}' of network '{}' is {}; only single buses that are no bundles "
                         "can be inputs of a module",
                         path, data_->graph.name, bus.bundle ? "a bundle" : "one of a family"));
    if (!bus.input && !feeder)
        fail(fmt::format("bus '{}' of network '{}' is written by a process, so it is no input; "
                         "ask for it with out()",
                         path, data_->graph.name));
    for (const auto& port : data_->inputs)
        if (port->place.overlaps(*place))
            fail(fmt::format("'{}' and '{}' of network '{}' are parts of each other; each part of "
                             "an input has one port",
                             port->path, path, data_->graph.name));
    return *place;
}

void NetworkModule::fail_type(const std::string& path, bool input, const std::string& type) const {
    const std::optional<NamedValue> place = find_value(data_->graph, path);
    if (find(path, input))
        fail(fmt::format("the port '{}' of network '{}' is asked for twice, the second time as {}",
                         path, data_->graph.name, type));
    fail(fmt::format("'{}' of network '{}' is {}, but its port is {}; write a type of {} bits that "
                     "hdl/systemc/README.md has for it",
                     path, data_->graph.name, place->type->name(), type,
                     place->type->width_bits()));
}

void NetworkModule::within_module(const std::string& path,
                                  const std::function<void(const char*)>& make) {
#if IEEE_1666_SYSTEMC >= 202301L // SystemC 3
    const auto inside = get_hierarchy_scope();
#else
    const struct Inside {
        explicit Inside(NetworkModule* module) : context{module->simcontext()} {
            context->hierarchy_push(module);
        }
        ~Inside() { context->hierarchy_pop(); }
        sc_core::sc_simcontext* context;
    } inside{this};
#endif
    make(plain_name(path).c_str());
}

void NetworkModule::keep(std::unique_ptr<AnyPort> port, bool input) {
    if (input) {
        const std::uint64_t element = port->place.element;
        const bool known = std::any_of(data_->fed.begin(), data_->fed.end(),
                                       [&](const Fed& fed) { return fed.element == element; });
        const std::size_t bytes = data_->graph.family_of(element).type->size();
        if (!known)
            data_->fed.push_back({element, std::make_shared<std::vector<std::byte>>(bytes)});
    }
    (input ? data_->inputs : data_->outputs).push_back(std::move(port));
}

void NetworkModule::Data::build(Diagnostics& diagnostics) {
    for (const Fed& input : fed)
        if (ProcessFamily* const feeder = feeder_of(graph, input.element))
            feeder->kind = factory_of<PortFeeder>(input.value);
    run = std::make_unique<session::Run>(graph, engine::Options{options}, diagnostics);
    if (!run->ok())
        return;
    for (const auto& observer : observers)
        engine().attach(*observer);
    check_observers();
}

void NetworkModule::Data::check_observers() const {
    for (const auto& observer : observers)
        if (const std::string problem = observer->problem(); !problem.empty())
            fail(problem);
}

void NetworkModule::before_end_of_elaboration() {
    for (const BusFamily& bus : data_->graph.buses)
        for (std::uint64_t k = 0; bus.input && k < bus.count; ++k)
            if (std::none_of(data_->fed.begin(), data_->fed.end(),
                             [&](const Fed& fed) { return fed.element == bus.first + k; }))
                fail(fmt::format("input '{}' of network '{}' has no port; bind in<...>(\"{}\")",
                                 bus.element_name(bus.first + k), data_->graph.name,
                                 bus.element_name(bus.first + k)));
    Diagnostics diagnostics;
    try {
        data_->build(diagnostics);
    } catch (const sc_core::sc_report&) {
        throw;
    } catch (const std::exception& error) { // from a process's constructor
        fail(error.what());
    }
    if (diagnostics.has_errors())
        fail(render(diagnostics));
}

void NetworkModule::start_of_simulation() {
    show();
}

void NetworkModule::end_of_simulation() {
    if (!data_->is_built())
        return;
    data_->run->finish();
    data_->check_observers();
}

/// Copies port values to the buses that readers see in the cycle that begins.
void NetworkModule::Data::poke() {
    for (const auto& port : inputs) {
        std::vector<std::byte>& value = value_of(port->place.element);
        port->carry(value.data() + port->place.offset);
        if (const auto stranger = stranger_in(*port->place.type, value.data() + port->place.offset))
            throw NetworkError{
                fmt::format("input '{}' of network '{}': {}", port->path, graph.name, *stranger)};
    }
    for (const Fed& input : fed) {
        engine().access().write(input.element, 0, *input.value);
    }
}

void NetworkModule::rising_edge() {
    if (data_->ended)
        return;
    try {
        data_->poke();
        data_->engine().run(1);
    } catch (const std::exception& error) {
        return stop(error.what());
    }
    show();
    switch (data_->engine().ending()) {
    case RunEnd::completed:
    case RunEnd::stopped: return;
    case RunEnd::halted:
        data_->ended = true;
        SC_REPORT_INFO(
            report_id,
            fmt::format("network '{}' halted in cycle {}", data_->graph.name, cycle() - 1).c_str());
        return sc_core::sc_stop();
    case RunEnd::check_failed:
        return stop(fmt::format("a check of network '{}' failed in cycle {}", data_->graph.name,
                                cycle() - 1));
    case RunEnd::deadlocked:
    case RunEnd::faulted: return stop(data_->run->outcome().fault_text());
    }
}

/// Sets the outputs to the values that readers see next.
void NetworkModule::show() {
    for (const auto& port : data_->outputs)
        port->carry(const_cast<std::byte*>( // an output port only reads it
            data_->engine().access().value(port->place.element) + port->place.offset));
}

void NetworkModule::stop(const std::string& why) {
    data_->ended = true;
    SC_REPORT_ERROR(report_id, why.c_str()); // throws, unless the program set another action
    sc_core::sc_stop();
}

} // namespace sme::systemc
