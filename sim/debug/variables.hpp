// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/session.hpp"

namespace sme::debug {

/// Presents values to an editor as a tree: scopes contain buses and states, which contain fields
/// and elements. References are numbers from 1, valid until `clear`.
class Variables {
public:
    explicit Variables(Session& session) : session_{session} {}

    struct Scope {
        std::string name;
        int reference;
    };
    struct Variable {
        std::string name;
        std::string full_name; // for Session::set and expressions
        std::string value;
        std::string type;
        int reference = 0; // 0: no children
    };

    void clear() { nodes_.clear(); }
    /// The scopes of a process: its inputs, states and outputs. `nullopt`: those of the whole
    /// network.
    std::vector<Scope> scopes(const std::optional<ProcessPlace>& process);
    /// The children of a reference, from `first`; `nullopt` if the reference is invalid.
    std::optional<std::vector<Variable>> of(std::int64_t reference, std::uint64_t first,
                                            std::uint64_t count);

private:
    /// A list of buses, a part of a bus, a memory, or a word of one.
    struct Node {
        std::vector<std::uint64_t> elements{};
        std::vector<std::size_t> memories{}; // of `process`
        std::optional<ProcessPlace> process{};
        std::optional<std::size_t> memory{}; // of `process`
        bool words = false;                  // all words of that memory
        std::string name{};
        TypeRef type{};
        std::uint64_t element = 0;
        std::size_t offset = 0;
    };
    int add(Node node);
    Variable bus(std::uint64_t element);
    Variable part(Node node, std::string name);
    const std::byte* slot(const Node& node) const;

    Session& session_;
    std::vector<Node> nodes_;
};

} // namespace sme::debug
