// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <sme/process.hpp>

#include "link.hpp"

/// The program around a process class.
namespace sme::counterpart {

/// What stands in the place of a port of the constructor: becomes an In or Out of any type, and
/// notes what does not fit.
class AnyPort {
public:
    AnyPort(const Pin& pin, Problems& problems) : pin_{pin}, problems_{problems} {}

    template <class T> operator In<T>() const { return at<In<T>, T>(false); }
    template <class T> operator Out<T>() const { return at<Out<T>, T>(true); }

private:
    template <class Port, class T> Port at(bool output) const {
        if (output != pin_.output)
            problems_.add("'" + std::string{pin_.name} + "' is an " +
                          (output ? "output" : "input") + ", but '" + pin_.called +
                          "' of the process is an " + (pin_.output ? "output" : "input"));
        else if (const TypeRef type = type_of<T>(); !(*type == *pin_.type))
            problems_.wrong_type(pin_, type->name());
        return Port::at(static_cast<std::uint32_t>(pin_.offset));
    }

    const Pin& pin_;
    Problems& problems_;
};

/// Notes what a step asks for.
class StepControl final : public Control {
public:
    void halt() override { halted = true; }
    void fail() override { halted = true; }
    void print(std::uint64_t, std::uint32_t, std::string) override {}
    void fault(std::uint64_t, const Diagnostic&) override { halted = true; }
    bool halted = false;
};

template <class P> class ClassDriver {
public:
    ClassDriver(std::vector<Pin> pins, std::size_t input_bytes, std::size_t output_bytes)
        : pins_{std::move(pins)}, link_{input_bytes, output_bytes} {}

    AnyPort port(std::size_t number) { return {pins_[number], problems_}; }

    /// `make` gives the object.
    template <class Make> int serve(Make make) {
        try {
            const std::unique_ptr<P> object = make();
            if (!problems_.text().empty())
                link_.fail(Answer::unfitting, problems_.text());
            link_.answer(Answer::outputs);
            while (link_.next()) {
                StepControl control;
                step(*object, control);
                link_.answer(control.halted ? Answer::halted : Answer::outputs);
            }
        } catch (const std::exception& error) {
            link_.fail(Answer::fault, error.what());
        } catch (...) {
            link_.fail(Answer::fault, "it threw something that is no std::exception");
        }
        return 0;
    }

private:
    void step(P& object, StepControl& control) {
        for (const Pin& pin : pins_)
            if (pin.output && !pin.hold)
                std::memset(link_.outputs() + pin.offset, 0, pin.type->size());
        detail::bases = {link_.inputs(), link_.outputs(), link_.cycle(), &control, false};
        if constexpr (requires { std::as_const(object).comb(); })
            object.comb();
        object.step();
        detail::bases = {};
    }

    std::vector<Pin> pins_;
    Problems problems_;
    Link link_;
};

} // namespace sme::counterpart
