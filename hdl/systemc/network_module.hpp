// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <systemc>

#include "network/find.hpp"
#include "sme/network.hpp"
#include "sme/simulator.hpp"
#include "systemc/port_type.hpp"

namespace sme::systemc {

/// A network as a SystemC module: `clk`, a port for each open input, and ports for any buses of
/// interest.
///
/// At a rising edge of `clk` the module samples its inputs and runs one cycle: readers see the
/// value sampled at edge t in cycle t. One delta cycle later the outputs show the values that
/// readers see in cycle t + 1; a wire shows its value of cycle t. Before the first edge they show
/// the buses' initial values. From outside, a network is thus a synchronous module with registered
/// outputs.
///
/// When the network halts, the module reports an information and calls sc_stop(). A fault, a failed
/// check or any other error is an error of sc_report: by default it leaves sc_start() as an
/// exception; if the program lets errors continue, sc_stop() ends the simulation. All calls come
/// from SystemC's thread; `options.threads` gives the number of engine threads within a cycle.
class NetworkModule : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};

    /// Copies the network; builds its processes at the end of elaboration.
    NetworkModule(const sc_core::sc_module_name& name, const Network& network,
                  const SimulatorOptions& options = one_thread());
    /// As above, for a network from a loader.
    NetworkModule(const sc_core::sc_module_name& name, Graph graph,
                  const SimulatorOptions& options = one_thread());
    ~NetworkModule() override;
    NetworkModule(const NetworkModule&) = delete;
    NetworkModule& operator=(const NetworkModule&) = delete;

    /// Returns the port that feeds an input of the network, or a field of one: "x", "x.value",
    /// "x[3]". The first call creates it; later calls return the same port and must use the same
    /// type. If an input has several ports, its parts without a port are zero. A port replaces the
    /// file that feeds an input. Every other input must have a port at the end of elaboration.
    template <class S> sc_core::sc_in<S>& in(const std::string& path) {
        return port<sc_core::sc_in<S>, InPort<S>>(path, true);
    }
    /// Returns the port that shows a bus, or a field of one.
    template <class S> sc_core::sc_out<S>& out(const std::string& path) {
        return port<sc_core::sc_out<S>, OutPort<S>>(path, false);
    }

    /// Attaches an observer (sme::trace_vcd does) until the simulation ends. Call before the start.
    void attach(std::shared_ptr<Observer> observer);

    /// Returns the number of cycles run.
    std::uint64_t cycle() const;
    /// Returns true if the network ended the simulation.
    bool ended() const;

private:
    /// A port and its position on the bus.
    class AnyPort {
    public:
        explicit AnyPort(NamedValue place, std::string path)
            : place{std::move(place)}, path{std::move(path)} {}
        virtual ~AnyPort() = default;
        /// Copies a value from the port to the slot, or from the slot to the port.
        virtual void carry(std::byte* slot) = 0;

        const NamedValue place;
        const std::string path;
    };
    template <class S> class InPort final : public AnyPort {
    public:
        InPort(const char* name, NamedValue place, std::string path)
            : AnyPort{std::move(place), std::move(path)}, object{name} {}
        void carry(std::byte* slot) override {
            PortType<S>::store(*place.type, slot, object.read());
        }
        sc_core::sc_in<S> object;
    };
    template <class S> class OutPort final : public AnyPort {
    public:
        OutPort(const char* name, NamedValue place, std::string path)
            : AnyPort{std::move(place), std::move(path)}, object{name} {}
        void carry(std::byte* slot) override { object.write(PortType<S>::load(*place.type, slot)); }
        sc_core::sc_out<S> object;
    };

    template <class Port, class Holder> Port& port(const std::string& path, bool input) {
        using S = typename Port::data_type;
        if (AnyPort* const there = find(path, input)) {
            if (auto* const same = dynamic_cast<Holder*>(there))
                return same->object;
            fail_type(path, input, PortType<S>::name());
        }
        const NamedValue place = place_of(path, input);
        if (!PortType<S>::matches(*place.type))
            fail_type(path, input, PortType<S>::name());
        std::unique_ptr<Holder> result;
        const auto make = [&](const char* name) {
            result = std::make_unique<Holder>(name, place, path);
        };
        within_module(path, make);
        Port& object = result->object;
        keep(std::move(result), input);
        return object;
    }

    static SimulatorOptions one_thread() { return {.threads = 1}; }
    AnyPort* find(const std::string& path, bool input) const;
    NamedValue place_of(const std::string& path, bool input) const;
    [[noreturn]] void fail_type(const std::string& path, bool input, const std::string& type) const;
    /// Creates a port that is a child of this module, named after the path.
    void within_module(const std::string& path, const std::function<void(const char*)>& make);
    void keep(std::unique_ptr<AnyPort> port, bool input);

    void before_end_of_elaboration() override;
    void start_of_simulation() override;
    void end_of_simulation() override;
    void rising_edge();
    void show();
    void stop(const std::string& why);

    struct Data;
    std::unique_ptr<Data> data_;
};

} // namespace sme::systemc
