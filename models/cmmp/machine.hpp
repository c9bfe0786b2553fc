// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sme/sme.hpp>
#include <sme/trace.hpp>

#include "parts.hpp"
#include "processor.hpp"
#include "support/program.hpp"

namespace models::cmmp {

struct MachineOptions {
    std::uint64_t processes = 5;
    Primitive primitive = Primitive::spin;
    bool shared_code = false; ///< all processes run from one bank
    bool alike = false;       ///< processors of one speed, and banks with enough bandwidth for all
    std::uint64_t fast = 11;  ///< PDP-11/40s; the other processors are PDP-11/20s
    std::uint64_t interrupts_ms =
        0;                 ///< mean time between two on a processor with devices; 0: never
    std::size_t spans = 0; ///< number of recorded activities per processor

    void add_to(Program& program) {
        program.choice("primitive", primitive, primitive_names, "how processes wait on C.mmp")
            .flag("shared-code", shared_code, "all run from one bank of memory")
            .flag("alike", alike, "processors of one speed, memory without limits")
            .number("fast", fast, 1, 11, "PDP-11/40s of the machine; the others are PDP-11/20s")
            .number("interrupts", interrupts_ms, 0, 100'000,
                    "milliseconds between two of a processor with devices; 0: never");
    }
};

/// Returns the processors that run the processes: the PDP-11/40s first, as on C.mmp. Each has its
/// code in a separate bank, the faster banks first.
inline std::vector<Place> usual_places(const MachineOptions& options) {
    std::vector<std::uint8_t> processors{1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 0, 4, 8, 14, 15};
    constexpr std::uint64_t all_fast = 11;
    std::rotate(processors.begin() + static_cast<std::ptrdiff_t>(options.fast),
                processors.begin() + all_fast, processors.end());
    constexpr std::uint8_t banks[] = {0, 1, 2, 4, 6, 7, 12, 13, 14, 15, 5, 8, 9, 10, 11, 3};
    std::vector<Place> found;
    for (std::uint64_t k = 0; k < options.processes; ++k)
        found.push_back({processors[k], banks[options.shared_code ? 0 : k]});
    return found;
}

/// C.mmp as a network: processors, each with a process; the crosspoint switch, as a bus from each
/// processor to each bank and back; banks; the operating system and the shared page.
template <class Work> class Machine {
public:
    Machine(const MachineOptions& options, const Work& work)
        : Machine{options, usual_places(options), work} {}
    /// Puts processes in these places; no processor has two.
    Machine(const MachineOptions& options, const std::vector<Place>& places, const Work& work)
        : places_{places} {
        std::uint32_t processors = 0;
        std::uint32_t banks = 1U << shared_bank;
        for (const Place place : places) {
            processors |= 1U << place.processor;
            banks |= 1U << place.bank;
        }
        const auto request = buses<Request>("request", processors);
        const auto call = buses<Call>("call", processors);
        const auto grants = buses<Grants>("grants", banks);
        add_shared(options, work, call);
        for (std::uint8_t k = 0; k < banks_max; ++k)
            if ((banks >> k & 1U) != 0)
                add_for_all(request, [&](auto... requests) {
                    const std::uint32_t served = options.alike ? 200'000 : bandwidth(k);
                    return net_.add<Bank>(sme::indexed("bank", k), k, served, sme::out(grants[k]),
                                          requests...);
                });
        for (std::size_t k = 0; k < places.size(); ++k)
            add_processor(options, static_cast<std::uint8_t>(k), request, call, grants);
        simulator_.emplace(net_);
    }

    /// Runs until the work has ended, at most `cycles` cycles.
    void run(std::uint64_t cycles = std::uint64_t{1} << 40U) {
        simulator_->run(sme::Cycles{cycles});
        simulator_->finish();
    }
    sme::Simulator& simulator() { return *simulator_; }
    const Work& work() { return simulator_->process(*page_).work; }
    const Processor<Work>& processor(std::size_t process) {
        return simulator_->process(processors_[process]);
    }
    const std::vector<Place>& places() const { return places_; }
    double seconds() const { return static_cast<double>(simulator_->cycle() * cycle_us) / 1e6; }
    /// Returns the share of the time in which the processors computed.
    double utilisation() {
        std::uint64_t computing = 0;
        for (std::size_t k = 0; k < processors_.size(); ++k)
            computing += processor(k).computing;
        return static_cast<double>(computing) /
               static_cast<double>(simulator_->cycle() * processors_.size());
    }

private:
    template <class T> using All = std::vector<sme::Bus<T>>;

    /// Returns a bus for each present part; absent ones read as zero.
    template <class T> All<T> buses(const std::string& name, std::uint32_t present) {
        All<T> found{16, net_.input<T>("no_" + name)};
        for (std::size_t k = 0; k < found.size(); ++k)
            if ((present >> k & 1U) != 0)
                found[k] = net_.bus<T>(sme::indexed(name, k));
        return found;
    }
    /// Calls `add` with the reading ends of all buses.
    template <class T, class Add> static auto add_for_all(const All<T>& buses, const Add& add) {
        return [&]<std::size_t... K>(std::index_sequence<K...>) {
            return add(sme::in(buses[K])...);
        }
        (std::make_index_sequence<16>{});
    }

    void add_shared(const MachineOptions& options, const Work& work, const All<Call>& call) {
        page_ = add_for_all(call, [&](auto... calls) {
            return net_.add<Page<Work>>("page", work, sme::out(answer_), calls...);
        });
        add_for_all(call, [&](auto... calls) {
            return net_.add<System>("system", options.primitive, sme::out(wake_), calls...);
        });
    }
    void add_processor(const MachineOptions& options, std::uint8_t process,
                       const All<Request>& request, const All<Call>& call,
                       const All<Grants>& grants) {
        const Place place = places_[process];
        const std::uint32_t own_rate =
            options.alike ? average_rate : rate(place.processor, place.bank);
        const std::uint64_t interrupts =
            has_devices(place.processor) ? options.interrupts_ms * 1000 / cycle_us : 0;
        const ProcessorOptions own{place,    process,    options.primitive,
                                   own_rate, interrupts, options.spans};
        const auto activity = net_.bus<Activity>(sme::indexed("activity", place.processor));
        processors_.push_back(add_for_all(grants, [&](auto... banks) {
            return net_.add<Processor<Work>>(
                sme::indexed("processor", place.processor), own, sme::in(answer_), sme::in(wake_),
                sme::out(request[place.processor]), sme::out(call[place.processor]),
                sme::out(activity), banks...);
        }));
    }

    sme::Network net_{"cmmp"};
    sme::Bus<Answer> answer_ = net_.bus<Answer>("answer");
    sme::Bus<std::uint16_t> wake_ = net_.bus<std::uint16_t>("wake");
    std::vector<Place> places_;
    std::optional<sme::Handle<Page<Work>>> page_;
    std::vector<sme::Handle<Processor<Work>>> processors_;
    std::optional<sme::Simulator> simulator_;
};

} // namespace models::cmmp
