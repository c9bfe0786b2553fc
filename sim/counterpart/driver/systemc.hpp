// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include "link.hpp"
#include "systemc/kernel.hpp"
#include "systemc/port_type.hpp"

/// The program around a SystemC module.
namespace sme::counterpart {

/// In a cycle the inputs change while the clock is low; when the module has settled, outputs that
/// are wires are read; then the clock rises, the module settles, the others are read, and it falls.
template <class Module> class SystemCDriver {
public:
    SystemCDriver(std::size_t input_bytes, std::size_t output_bytes, std::uint64_t clock_ps)
        : link_{input_bytes, output_bytes}, low_ps_{clock_ps / 2}, high_ps_{clock_ps - low_ps_},
          module_{std::make_unique<Module>("dut")} {}

    void clock(sc_core::sc_in<bool> Module::*port) { (module_.get()->*port)(clock_); }
    /// Is `active` for two cycles before the first.
    template <class S> void reset(sc_core::sc_in<S> Module::*port, bool active) {
        (module_.get()->*port)(keep<S>());
        auto* const signal = static_cast<sc_core::sc_signal<S>*>(signals_.back().get());
        reset_ = [signal, active](bool now) { signal->write(S(now == active)); };
    }
    template <class S> void input(sc_core::sc_in<S> Module::*port, const Pin& pin) {
        auto& signal = keep<S>();
        (module_.get()->*port)(signal);
        if (fits<S>(pin))
            writers_.push_back([this, &signal, pin] {
                if constexpr (has_type<S>)
                    signal.write(
                        systemc::PortType<S>::load(*pin.type, link_.inputs() + pin.offset));
            });
    }
    template <class S> void output(sc_core::sc_out<S> Module::*port, const Pin& pin) {
        auto& signal = keep<S>();
        (module_.get()->*port)(signal);
        if (fits<S>(pin))
            (pin.wire ? wires_ : registers_).push_back([this, &signal, pin] {
                if constexpr (has_type<S>)
                    systemc::PortType<S>::store(*pin.type, link_.outputs() + pin.offset,
                                                signal.read());
            });
    }

    int serve() {
        if (!problems_.text().empty())
            link_.fail(Answer::unfitting, problems_.text());
        try {
            bool goes_on = start();
            link_.answer(Answer::outputs);
            while (link_.next()) {
                goes_on = goes_on && cycle();
                link_.answer(goes_on ? Answer::outputs : Answer::halted);
            }
        } catch (const std::exception& error) {
            link_.fail(Answer::fault, error.what());
        }
        Link::leave(); // SystemC's own end may complain of what it made
    }

private:
    template <class S> static constexpr bool has_type = requires { systemc::PortType<S>::name(); };

    template <class S> sc_core::sc_signal<S>& keep() {
        auto made = std::make_shared<sc_core::sc_signal<S>>();
        signals_.push_back(made);
        return *made;
    }
    template <class S> bool fits(const Pin& pin) {
        if constexpr (has_type<S>) {
            if (systemc::PortType<S>::matches(*pin.type))
                return true;
            problems_.wrong_type(pin, systemc::PortType<S>::name());
        } else
            problems_.add("'" + std::string{pin.name} +
                          "' has a type that no bus carries, as "
                          "those with x and z; write sc_uint, sc_int, sc_bv, bool or an integer");
        return false;
    }

    bool start() {
        for (const auto& write : writers_)
            write();
        if (reset_)
            reset_(true);
        bool goes_on = systemc::Kernel::settle();
        for (int k = 0; reset_ && k < 2 && goes_on; ++k)
            goes_on = tick();
        if (reset_)
            reset_(false);
        for (const auto& read : registers_)
            read();
        return goes_on;
    }
    bool tick() {
        if (!systemc::Kernel::pass(low_ps_))
            return false;
        clock_.write(true);
        if (!systemc::Kernel::pass(high_ps_))
            return false;
        clock_.write(false);
        return systemc::Kernel::settle();
    }
    bool cycle() {
        for (const auto& write : writers_)
            write();
        if (!systemc::Kernel::settle())
            return false;
        for (const auto& read : wires_)
            read();
        const bool goes_on = tick();
        for (const auto& read : registers_)
            read();
        return goes_on;
    }

    Link link_;
    std::uint64_t low_ps_, high_ps_;
    systemc::Kernel kernel_{"dut", false};
    std::unique_ptr<Module> module_;
    sc_core::sc_signal<bool> clock_;
    std::vector<std::shared_ptr<void>> signals_;
    std::vector<std::function<void()>> writers_, wires_, registers_;
    std::function<void(bool active)> reset_;
    Problems problems_;
};

} // namespace sme::counterpart
