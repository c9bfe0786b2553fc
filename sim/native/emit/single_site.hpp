// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/emit/kernel_writer.hpp"
#include "native/emit/part_writer.hpp"
#include "native/emit/plan.hpp"

namespace sme::native {

/// A range of one part of a process family that the schedule runs at one place.
struct ScheduledStep {
    static constexpr std::uint32_t no_family = ~std::uint32_t{0};
    std::uint32_t family; // no_family: of no process family
    unsigned part;
    Range range;
    Group* group; // what steps it
};

/// What a function over several families finds behind `data`, in the order in which it was asked
/// for.
class FamilyData {
public:
    struct Entry {
        std::uint32_t family; // or the number of the step, where it is no family's
        Datum datum;
        auto operator<=>(const Entry&) const = default;
    };
    /// `pattern`: how number k of them is called, as in "data[{}]".
    explicit FamilyData(std::string pattern) : pattern_{std::move(pattern)} {}

    std::string name(std::uint32_t family, const Datum& wanted);
    const std::vector<Entry>& entries() const { return entries_; }

private:
    std::string pattern_;
    std::vector<Entry> entries_;
    std::map<Entry, std::size_t> numbers_;
};

/// One instance at constant places.
class SingleSite : public Site {
public:
    SingleSite(FamilyData& data, Tables& tables, const Subject& subject, const ScheduledStep& step,
               std::uint64_t position)
        : data_{data}, tables_{tables}, subject_{subject}, family_{step.family},
          position_{position}, writes_{subject.program.parts[step.part].memory_writes.size()} {}

    std::string memory(std::uint32_t number) override;
    std::string table(std::uint32_t number, CType type) override;
    std::string instance() override;
    std::string place() override;
    std::string random_family() override;
    std::string pending(std::size_t number) override;
    std::string collected() override;

protected:
    /// Of a scalar, in the arenas.
    std::uint64_t offset_of(std::uint32_t port, std::uint32_t offset) const {
        return static_cast<std::uint64_t>(subject_.places.ports[port].at(position_)) + offset;
    }

private:
    std::uint64_t source() const {
        return static_cast<std::uint64_t>(subject_.places.order.at(position_));
    }

    FamilyData& data_;
    Tables& tables_;
    const Subject& subject_;
    std::uint32_t family_;
    std::uint64_t position_;
    std::size_t writes_;
};

/// Whether the instances of a step are written one by one, as straight code.
bool are_single(const Subject& subject, const ScheduledStep& step);

/// How functions over several families call the kernels of one.
struct CallStyle {
    std::string arenas_and_cycle; // "b->read, b->write, b->cycle"
    std::string stop;             // what follows when a kernel stops: "return 3;"
    Datum::Kind pending = Datum::Kind::pending;
};
/// The kernels of a step, a call for each of its pieces.
std::vector<Statement> calls_of(const Subject& subject, const PartPlan& plan,
                                const ScheduledStep& step, const CallStyle& style,
                                FamilyData& data);
/// How many these are.
std::size_t count_calls(const PartPlan& plan, const ScheduledStep& step);

} // namespace sme::native
