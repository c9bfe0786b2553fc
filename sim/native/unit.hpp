// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "native/kernel_writer.hpp"
#include "native/pieces.hpp"

namespace sme::native {

/// One part of a family, and the functions that step it.
struct PartPlan {
    bool written = false; // else the interpreter steps it
    PartShape shape;
    Pieces pieces;
    struct Function {
        std::string name;
        std::vector<Datum> data;
    };
    std::vector<Function> functions; // of each pattern
};

/// A family of processes that becomes C.
struct FamilyPlan {
    std::uint32_t family;
    interpret::ProgramGroup* group;
    std::vector<PartPlan> parts;
};

/// The C of a network, as one file, and what its functions are.
class Unit {
public:
    /// `groups` are those of the graph's process families; only those of YAML processes are looked
    /// at. Slots from `wires_begin` on are one memory in both arenas. All must outlive it.
    Unit(const Graph& graph, const std::vector<Group*>& groups, std::uint64_t wires_begin);

    const std::string& text() const { return text_; }
    const std::vector<FamilyPlan>& families() const { return families_; }
    /// How many functions there are: parts of one text share one.
    std::size_t functions() const { return known_.size(); }

private:
    void add(const Subject& subject, std::uint32_t family, interpret::ProgramGroup& group);
    PartPlan plan(const Subject& subject, unsigned part);
    std::string function(const Subject& subject, const std::string& body);
    bool aliases(const interpret::ProgramGroup& group, unsigned part) const;

    std::uint64_t wires_begin_;
    std::vector<FamilyPlan> families_;
    Tables tables_;
    std::map<std::string, std::string> known_; // body → name
    std::set<std::string> names_;
    std::string functions_;
    std::string text_;
};

} // namespace sme::native
