// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debug/session.hpp"

namespace sme::debug {

/// Values as a tree for an editor: scopes hold buses and states, these hold fields and elements.
/// References are numbers from 1 on that hold until `clear`.
class Variables {
public:
    explicit Variables(Session& session) : session_{session} {}

    struct Scope {
        std::string name;
        int reference;
    };
    struct Variable {
        std::string name;
        std::string full_name; // for Session::set and for expressions
        std::string value;
        std::string type;
        int reference = 0; // 0: nothing is in it
    };

    void clear() { nodes_.clear(); }
    /// Of a process: what it reads, its states, what it writes. Nothing: of the whole network.
    std::vector<Scope> scopes(const std::optional<ProcessPlace>& process);
    /// What a reference holds, from one place on; nothing when there is no such reference.
    std::optional<std::vector<Variable>> of(std::int64_t reference, std::uint64_t first,
                                            std::uint64_t count);

private:
    /// A list of buses; or a part of a bus; or a memory, or a word of one.
    struct Node {
        std::vector<std::uint64_t> elements{};
        std::vector<std::size_t> memories{}; // of `process`
        std::optional<ProcessPlace> process{};
        std::optional<std::size_t> memory{}; // of `process`
        bool words = false;                  // all of that memory
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
