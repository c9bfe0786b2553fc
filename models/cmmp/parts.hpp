// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <sme/sme.hpp>

#include "tables.hpp"

namespace models::cmmp {

/// The activities of a processor; the tracer's symbols.
enum class Activity : std::uint8_t { idle, asks, computes, spins, p, v, interrupted };

/// The demand of a processor on a bank in one cycle, in thousandths of a reference.
struct Request {
    std::uint16_t amount;
    std::uint8_t bank;
};

/// The grants of a bank to each processor.
using Grants = std::array<std::uint16_t, processors_max>;

enum class Op : std::uint8_t { none, ask, v };

/// A call of a process to the shared page (ask) or to the operating system (v).
struct Call {
    Op op;
    std::uint8_t from;    ///< the calling process
    std::uint8_t process; ///< the process that a V wakes
    std::uint64_t result; ///< of its previous work
};

enum class Order : std::uint8_t { none, work, wait, release };

/// An order from the shared page to a process.
struct Answer {
    Order order;
    std::uint8_t process;
    std::uint16_t processes; ///< release: processes to wake, a bit each
    std::uint64_t amount;    ///< work: its length in thousandths of a reference
    std::uint64_t input;     ///< work: its input
};

} // namespace models::cmmp

SME_ENUM(models::cmmp::Activity, idle, asks, computes, spins, p, v, interrupted)
SME_STRUCT(models::cmmp::Request, amount, bank)
SME_ENUM(models::cmmp::Op, none, ask, v)
SME_STRUCT(models::cmmp::Call, op, from, process, result)
SME_ENUM(models::cmmp::Order, none, work, wait, release)
SME_STRUCT(models::cmmp::Answer, order, process, processes, amount, input)

namespace models::cmmp {

/// A memory bank at its column of the crosspoint switch. It serves requests up to its bandwidth,
/// each processor in proportion to its demand.
class Bank : public sme::Process {
public:
    template <class... Requests>
    Bank(std::uint8_t bank, std::uint32_t bandwidth, sme::Out<Grants> grants, Requests... requests)
        : requests_{requests...}, grants_{grants}, bandwidth_{bandwidth}, bank_{bank} {}

    void step() {
        Grants asked{};
        std::uint32_t sum = 0;
        for (std::size_t p = 0; p < processors_max; ++p)
            if (const Request request = requests_[p].read(); request.bank == bank_) {
                asked[p] = request.amount;
                sum += request.amount;
            }
        if (sum > bandwidth_) // rounded up: small requests get a share too
            for (std::uint16_t& amount : asked)
                amount = static_cast<std::uint16_t>((std::uint64_t{amount} * bandwidth_ + sum - 1) /
                                                    sum);
        grants_.write(asked);
    }

private:
    std::array<sme::In<Request>, processors_max> requests_;
    sme::Out<Grants> grants_;
    std::uint32_t bandwidth_;
    std::uint8_t bank_;
};

/// Wakes processes after a V, once the primitive's cost has elapsed.
class System : public sme::Process {
public:
    template <class... Calls>
    System(Primitive primitive, sme::Out<std::uint16_t> wake, Calls... calls)
        : calls_{calls...}, wake_{wake},
          costs_{primitive_costs[static_cast<std::size_t>(primitive)]} {}

    void step() {
        for (const sme::In<Call>& port : calls_)
            if (const Call call = port.read(); call.op == Op::v)
                due_[call.process] = time_of(call);
        std::uint16_t woken = 0;
        for (std::size_t p = 0; p < processors_max; ++p)
            if (due_[p] != 0 && cycle() >= due_[p]) {
                woken = static_cast<std::uint16_t>(woken | 1U << p);
                due_[p] = 0;
            }
        wake_.write(woken);
    }

private:
    /// Returns the cycle in which to wake it; a V and its notification each take a cycle on their
    /// buses.
    std::uint64_t time_of(const Call&) {
        const std::uint64_t begun = cycle() - 1;
        module_free_ = std::max(module_free_, begun) + costs_.module_wake / cycle_us;
        const std::uint64_t awake =
            std::max(begun + (costs_.v + costs_.wake) / cycle_us, module_free_);
        return std::max(cycle(), awake - 1);
    }

    std::array<sme::In<Call>, processors_max> calls_;
    sme::Out<std::uint16_t> wake_;
    PrimitiveCosts costs_;
    std::array<std::uint64_t, processors_max> due_{};
    std::uint64_t module_free_ = 0; ///< time at which the policy module is idle
};

/// The page shared by all processes: it distributes work and detects the end of a stage. It serves
/// requests round-robin, one per cycle; `Work` has
///     Answer next(unsigned process, std::uint64_t result, std::uint64_t cycle);
///     bool ended() const;
///     static std::uint64_t perform(std::uint64_t input), which the processors execute.
template <class Work> class Page : public sme::Process {
public:
    template <class... Calls>
    Page(const Work& for_all, sme::Out<Answer> answer, Calls... calls)
        : work{for_all}, calls_{calls...}, answer_{answer} {}

    void step() {
        for (const sme::In<Call>& port : calls_)
            if (const Call call = port.read(); call.op == Op::ask) {
                asking_ |= 1U << call.from;
                results_[call.from] = call.result;
            }
        if (asking_ != 0) {
            const std::uint32_t after = asking_ & ~((2U << last_) - 1);
            const auto p = static_cast<unsigned>(std::countr_zero(after != 0 ? after : asking_));
            asking_ &= ~(1U << p);
            last_ = p;
            Answer answer = work.next(p, results_[p], cycle());
            answer.process = static_cast<std::uint8_t>(p);
            answer_.write(answer);
        }
        if (work.ended())
            halt();
    }

    Work work;

private:
    std::array<sme::In<Call>, processors_max> calls_;
    sme::Out<Answer> answer_;
    std::array<std::uint64_t, processors_max> results_{};
    std::uint32_t asking_ = 0;
    unsigned last_ = 0; ///< process served last
};

} // namespace models::cmmp
