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

/// A network as a SystemC module: `clk`, a port for each open input, and ports for whatever bus is
/// of interest.
///
/// At a rising edge of `clk` the inputs are sampled and one cycle runs: what is sampled at edge t
/// is what readers see in cycle t. After it (a delta cycle later) the outputs show what readers see
/// in cycle t + 1; a wire, what it was in cycle t. Before the first edge they show the buses'
/// initial values. So seen from outside, a network is a synchronous module with registered outputs.
///
/// When the network halts, sc_stop() ends the simulation, after an information. A fault, a failed
/// check and whatever else goes wrong is an error of sc_report: by default it leaves sc_start() as
/// an exception; and if the program makes errors go on, sc_stop() ends the simulation. All calls
/// come from SystemC's thread; `options.threads` says how many more help inside a cycle.
class NetworkModule : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk{"clk"};

    /// The network is copied, its processes are built when elaboration ends.
    NetworkModule(const sc_core::sc_module_name& name, const Network& network,
                  const SimulatorOptions& options = one_thread());
    /// As above, for a network that a loader made.
    NetworkModule(const sc_core::sc_module_name& name, Graph graph,
                  const SimulatorOptions& options = one_thread());
    ~NetworkModule() override;
    NetworkModule(const NetworkModule&) = delete;
    NetworkModule& operator=(const NetworkModule&) = delete;

    /// The port that feeds an input of the network, or a field of one: "x", "x.value", "x[3]". Made
    /// by the first call; later ones give the same port and must ask for the same type. Of an input
    /// in several ports, the parts that have none are zero. An input that a network reads from a
    /// file is fed by the port instead. Every other input must have a port when elaboration ends.
    template <class S> sc_core::sc_in<S>& in(const std::string& path) {
        return port<sc_core::sc_in<S>, InPort<S>>(path, true);
    }
    /// The port that shows a bus, or a field of one.
    template <class S> sc_core::sc_out<S>& out(const std::string& path) {
        return port<sc_core::sc_out<S>, OutPort<S>>(path, false);
    }

    /// Attaches an observer (sme::trace_vcd does) until the simulation ends. Before it starts.
    void attach(std::shared_ptr<Observer> observer);

    /// How many cycles have run.
    std::uint64_t cycle() const;
    /// Whether the network ended the simulation.
    bool ended() const;

private:
    /// A port and the place it stands for.
    class AnyPort {
    public:
        explicit AnyPort(NamedValue place, std::string path)
            : place{std::move(place)}, path{std::move(path)} {}
        virtual ~AnyPort() = default;
        /// Carries a value from the port to the slot, or from the slot to the port.
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
        std::unique_ptr<Holder> made;
        const auto make = [&](const char* name) {
            made = std::make_unique<Holder>(name, place, path);
        };
        within_module(path, make);
        Port& object = made->object;
        keep(std::move(made), input);
        return object;
    }

    static SimulatorOptions one_thread() { return {.threads = 1}; }
    AnyPort* find(const std::string& path, bool input) const;
    NamedValue place_of(const std::string& path, bool input) const;
    [[noreturn]] void fail_type(const std::string& path, bool input, const std::string& type) const;
    /// Makes a port that is a child of this module, named as the path.
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
