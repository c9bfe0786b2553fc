// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "native/emit/function_splitter.hpp"
#include "native/emit/plan.hpp"
#include "native/emit/single_site.hpp"

namespace sme::native {

/// Steps behind each other in the schedule, as one function.
struct RowPlan {
    std::uint32_t first; // numbers of steps
    std::uint32_t end;
    std::string name;
    std::uint32_t function = 0; // number of the unit's functions
    std::vector<FamilyData::Entry> data;
    std::vector<std::uint32_t> commits; // families whose memory writes are made in it
};

/// Writes one row: single instances as straight code in the order of the schedule, at constant
/// offsets, so that what one of them writes to a wire is a variable for those behind; ranges of
/// many as calls of their kernels.
class RowWriter {
public:
    RowWriter(std::string name, std::uint32_t first, std::uint64_t wires_begin, Tables& tables)
        : wires_begin_{wires_begin}, tables_{tables}, straight_{name, "const struct block *b", "b",
                                                                opening} {
        plan_.first = plan_.end = first;
        plan_.name = std::move(name);
    }

    /// How many statements a step would be, or 0: it cannot be part of a row.
    static std::size_t size(const Subject& subject, const PartPlan* plan,
                            const ScheduledStep& step);

    void add(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add_commit(const Subject& subject, std::uint32_t family);

    /// All that an observer looks at, as a row of its own.
    void add_results(const Subject& subject, std::uint32_t family);

    std::size_t statements() const { return statements_; }
    std::uint32_t steps() const { return plan_.end - plan_.first; }
    RowPlan plan() const {
        RowPlan made = plan_;
        made.data = data_.entries();
        return made;
    }
    std::string text();

private:
    /// Nothing of a row is written where it reads registered buses; wires are read where they are
    /// written.
    static constexpr const char* opening = "    const u8 *restrict const read = b->read;\n"
                                           "    u8 *const write = b->write;\n"
                                           "    u8 *const *const data = b->data;\n"
                                           "    (void)read, (void)write, (void)data;\n";
    class RowSite;
    std::string stop() const;
    void add_singles(const Subject& subject, const ScheduledStep& step);
    void add_calls(const Subject& subject, const PartPlan& plan, const ScheduledStep& step);
    void add_statement(Statement statement);

    std::uint64_t wires_begin_;
    Tables& tables_;
    RowPlan plan_;
    FamilyData data_{"data[{}]"};
    FunctionSplitter straight_;
    Names names_;
    std::map<std::uint64_t, std::string> wires_; // offset → the variable that was stored there
    std::size_t statements_ = 0;
};

} // namespace sme::native
