// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "yaml/fuzz/follower.hpp"

namespace sme::fuzz {

/// A clock domain; if unnamed, the text omits it.
struct DomainName {
    std::string name = {};
    unsigned number = 0; // index among all domains
    unsigned every = 1, offset = 0;
};

/// A bus or a family of buses, as seen in one scope.
struct BusName {
    std::string name;
    TypeOf type;
    std::vector<unsigned> counts = {}, lows = {}; // empty: one bus
    std::size_t followed = 0;                     // its index in the follower
    std::vector<unsigned> element_of = {};        // inside components: the element of each instance
    bool wire = false;
    bool known = true;
    bool always_written = false; // its reader faults in a cycle without a write
    unsigned domain = 0;         // the writer's domain

    unsigned count() const { return counts.size() == 2 ? counts[0] * counts[1] : counts[0]; }
};

/// The members of a family; without dimensions, a single process.
struct Members {
    std::vector<std::string> indices = {};
    std::vector<unsigned> counts = {}, lows = {};
    std::string where = {};
    std::function<bool(const std::vector<unsigned>&)> keep = {};
    unsigned copies = 1; // inside a family of components

    /// Returns "[k < 3, 1 <= j < 4]", or "".
    std::string text() const;
    /// Returns the indices of each member, in source order.
    std::vector<std::vector<unsigned>> all() const;
};

/// The current contents of one network or component.
struct Home {
    Names globals; // constants, parameters, functions, types
    std::vector<BusName> buses = {};
    Lines type_lines = {}, bus_lines = {}, process_lines = {}, check_lines = {};
};

/// A port: its name, type and binding.
struct PortText {
    std::string name;
    TypeOf type;
    std::vector<unsigned> counts = {}; // for an array of ports
    std::string key = {};              // as declared in the binding: "x[i < 2]"
    std::string binding = {};
    bool plain = false; // bound to the bus of the same name, so it can be a list item
    bool wire = false;
};

/// A process, or the body of a component that is one.
struct ProcessSyntax {
    std::string name;
    Members members;
    std::vector<PortText> inputs = {}, outputs = {};
    Lines state = {}, let = {}, step = {}, checks = {};
    std::string reset = {}, domain = {};
    Lines crossings = {}; // inputs from other domains
    bool known = true;
    std::size_t followed = 0;
    std::vector<Name> states = {};
};

struct ProcessPlan {
    Members members = {};
    bool known = true;
    bool faults = false;
    bool component = false;            // a component that is a single process: its ports have types
    std::vector<BusName> outputs = {}; // the outputs to write
    bool wires = true;
    DomainName domain = {};
};

/// Generates processes, and follows them if possible.
class ProcessMaker {
public:
    ProcessMaker(Maker& maker, Follower& follower, const Env& constants)
        : m_{maker}, c_{maker.choices}, follower_{follower}, constants_{constants} {}

    ProcessSyntax process(const ProcessPlan& plan, Home& home);
    /// Returns the entry under "processes".
    Lines lines(const ProcessSyntax& text);
    /// Adds to the home a new bus with as many elements as the family has members.
    BusName bus(const Members& members, bool known, bool may_be_wire, Home& home);
    /// Returns "= value" for a declaration, or "", and the value for each member.
    std::string initial(const TypeOf& type, const Members& members, bool must, const Names& globals,
                        std::vector<Bits>& values);
    TypeOf some_type(const Names& names, bool needs_zero);
    /// Adds the names of the indices, as exact integers.
    static void add_indices(const Members& members, Names& names);

    /// Binds a port to a bus: to one element, to several, or to the whole family. `elements` holds
    /// the elements that the port reads in each instance.
    PortText bound(const BusName& bus, const Members& members, bool one_or_all,
                   std::vector<std::vector<unsigned>>& elements);

private:
    void input(const ProcessPlan& plan, Home& home, ProcessSyntax& text, FollowedProcess& followed,
               Names& names);
    /// Returns an index in one dimension of a family of buses, for each member.
    std::string place(unsigned count, unsigned low, const Members& members,
                      std::vector<unsigned>& found);
    void output(const BusName& bus, const ProcessPlan& plan, ProcessSyntax& text,
                FollowedProcess& followed, Names& names, std::vector<Unit>& units);
    void states(const ProcessPlan& plan, const Home& home, ProcessSyntax& text,
                FollowedProcess& followed, Names& names, std::vector<Unit>& units);
    void lets(const ProcessPlan& plan, ProcessSyntax& text, FollowedProcess& followed, Names& names,
              RhsMaker& rhs);
    void let_array(ProcessSyntax& text, FollowedProcess& followed, Names& names, RhsMaker& rhs);
    std::string initial_list(const TypeOf& type, const Names& globals, const Members& members,
                             std::vector<Bits>& values);
    Lines ports(const char* key, const std::vector<PortText>& ports);

    Maker& m_;
    Choices& c_;
    Follower& follower_;
    const Env& constants_;
};

} // namespace sme::fuzz
