// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <sme/sme.hpp>

#include "parts.hpp"

namespace models::cmmp {

/// The processor of a process, and the bank of its code and data.
struct Place {
    std::uint8_t processor;
    std::uint8_t bank;
};

/// The bank of the shared page.
constexpr std::uint8_t shared_bank = 3;

struct ProcessorOptions {
    Place place;
    std::uint8_t process = 0;
    Primitive primitive = Primitive::spin;
    std::uint32_t rate = 0;       ///< in the bank of its code
    std::uint64_t interrupts = 0; ///< cycles between two, in the mean; 0: never
    std::size_t spans = 0;        ///< number of recorded spans
};

/// When a processor serves its devices, which takes the time from its process.
class Interrupts {
public:
    Interrupts(std::uint8_t processor, std::uint64_t mean) : random_{processor}, mean_{mean} {
        next_ = mean == 0 ? ~std::uint64_t{0} : gap();
    }
    bool busy(std::uint64_t cycle) {
        if (cycle >= next_) {
            const std::uint64_t ms =
                service_min_ms + random_() % (service_max_ms - service_min_ms + 1);
            until_ = cycle + ms * 1000 / cycle_us;
            next_ = until_ + gap();
        }
        return cycle < until_;
    }

private:
    std::uint64_t gap() { return 1 + random_() % (2 * mean_); }

    std::mt19937_64 random_;
    std::uint64_t mean_;
    std::uint64_t next_ = 0, until_ = 0;
};

/// A processor with its process. The process asks the shared page for work, performs it, and waits
/// or wakes the others as ordered.
template <class Work> class Processor : public sme::Process {
public:
    struct Span {
        Activity activity;
        std::uint64_t from; ///< a cycle
    };

    template <class... Banks>
    Processor(const ProcessorOptions& options, sme::In<Answer> answer, sme::In<std::uint16_t> wake,
              sme::Out<Request> request, sme::Out<Call> call, sme::Out<Activity> activity,
              Banks... banks)
        : banks_{banks...}, answer_{answer}, wake_{wake}, request_{request}, call_{call},
          activity_{activity}, options_{options}, interrupts_{options.place.processor,
                                                              options.interrupts},
          costs_{primitive_costs[static_cast<std::size_t>(options.primitive)]} {}

    void step() {
        woken_ = woken_ || (wake_.read() >> options_.process & 1U) != 0;
        switch (now_) {
        case Activity::idle:
            if (cycle() == 0 || woken_)
                ask(0);
            break;
        case Activity::asks: obey(answer_.read()); break;
        case Activity::interrupted:
        case Activity::computes: compute(); break;
        case Activity::spins:
            if (woken_)
                ask(0);
            else
                request_.write(
                    {static_cast<std::uint16_t>(cmmp::rate(options_.place.processor, shared_bank)),
                     shared_bank});
            break;
        case Activity::p:
            if (cycle() >= until_)
                become(Activity::idle);
            break;
        case Activity::v:
            if (cycle() >= until_)
                wake_next();
            break;
        }
        computing += now_ == Activity::computes ? 1U : 0U;
        activity_.write(now_);
    }

    std::vector<Span> spans;
    std::uint64_t computing = 0; ///< number of cycles
    std::uint64_t received = 0;  ///< references, in thousandths

private:
    void become(Activity activity) {
        if (now_ != activity && spans.size() < options_.spans)
            spans.push_back({activity, cycle()});
        now_ = activity;
    }

    void ask(std::uint64_t result) {
        woken_ = false;
        call_.write({Op::ask, options_.process, 0, result});
        become(Activity::asks);
    }

    void obey(const Answer& answer) {
        if (answer.order == Order::none || answer.process != options_.process)
            return;
        if (answer.order == Order::work) {
            remaining_ = answer.amount;
            input_ = answer.input;
            become(Activity::computes);
            compute();
        } else if (answer.order == Order::release) {
            to_wake_ = answer.processes;
            become(Activity::v);
            wake_next();
        } else if (costs_.p == 0) {
            become(Activity::spins);
        } else {
            until_ = cycle() + costs_.p / cycle_us;
            become(Activity::p);
        }
    }

    /// Takes the bank's grant and requests more; the requests of the last two cycles are still
    /// pending.
    void compute() {
        const std::uint32_t granted = banks_[options_.place.bank].read()[options_.place.processor];
        remaining_ -= granted;
        received += granted;
        asked_before_ = asked_;
        asked_ = 0;
        become(interrupts_.busy(cycle()) ? Activity::interrupted : Activity::computes);
        if (now_ == Activity::interrupted)
            return;
        if (remaining_ == 0)
            return ask(Work::perform(input_));
        asked_ = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(options_.rate, remaining_ - asked_before_));
        if (asked_ != 0)
            request_.write({static_cast<std::uint16_t>(asked_), options_.place.bank});
    }

    void wake_next() {
        if (to_wake_ == 0)
            return ask(0);
        const auto process = static_cast<std::uint8_t>(std::countr_zero(to_wake_));
        to_wake_ &= to_wake_ - 1;
        call_.write({Op::v, options_.process, process, 0});
        until_ = cycle() + std::max<std::uint64_t>(1, costs_.v / cycle_us);
    }

    std::array<sme::In<Grants>, banks_max> banks_;
    sme::In<Answer> answer_;
    sme::In<std::uint16_t> wake_;
    sme::Out<Request> request_;
    sme::Out<Call> call_;
    sme::Out<Activity> activity_;
    ProcessorOptions options_;
    Interrupts interrupts_;
    PrimitiveCosts costs_;
    Activity now_ = Activity::idle;
    bool woken_ = false;
    std::uint32_t to_wake_ = 0; ///< processes, a bit each
    std::uint32_t asked_ = 0;
    std::uint32_t asked_before_ = 0;
    std::uint64_t remaining_ = 0; ///< of the work, in thousandths of a reference
    std::uint64_t input_ = 0;
    std::uint64_t until_ = 0;
};

} // namespace models::cmmp
