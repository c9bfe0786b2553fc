// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "yaml/fuzz/follower.hpp"

namespace sme::fuzz {

/// A clock domain; without a name, the text does not say it.
struct DomainName {
    std::string name = {};
    unsigned number = 0; // of all there are
    unsigned every = 1, offset = 0;
};

/// A bus, or a family of them, as one scope knows it.
struct BusName {
    std::string name;
    TypeOf type;
    std::vector<unsigned> counts = {}, lows = {}; // empty: one bus
    std::size_t followed = 0;                     // its number there
    std::vector<unsigned> element_of = {};        // inside components: that of each instance
    bool wire = false;
    bool known = true;
    bool always_written = false; // its reader faults in a cycle without a write
    unsigned domain = 0;         // of its writer

    unsigned count() const { return counts.size() == 2 ? counts[0] * counts[1] : counts[0]; }
};

/// The members of a family; without dimensions, one process.
struct Members {
    std::vector<std::string> indices = {};
    std::vector<unsigned> counts = {}, lows = {};
    std::string where = {};
    std::function<bool(const std::vector<unsigned>&)> keep = {};
    unsigned copies = 1; // inside a family of components

    /// "[k < 3, 1 <= j < 4]", or nothing.
    std::string text() const;
    /// The indices of each member, in source order.
    std::vector<std::vector<unsigned>> all() const;
};

/// All that one network, or one component, has been given so far.
struct Home {
    Names globals; // constants, parameters, functions, types
    std::vector<BusName> buses = {};
    Lines bus_lines = {}, process_lines = {}, check_lines = {};
};

/// A port: what it is called, what it is, and what it is bound to.
struct PortText {
    std::string name;
    TypeOf type;
    std::vector<unsigned> counts = {}; // of an array of ports
    std::string key = {};              // as declared where it is bound: "x[i < 2]"
    std::string binding = {};
    bool plain = false; // bound to the bus of its name, so that a list can say it
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
    bool component = false;            // a component that is one process: its ports have types
    std::vector<BusName> outputs = {}; // these are written, and no others
    bool wires = true;
    DomainName domain = {};
};

/// Makes processes with all that they need, and follows those that can be followed.
class ProcessMaker {
public:
    ProcessMaker(Maker& maker, Follower& follower, const Env& constants)
        : m_{maker}, c_{maker.choices}, follower_{follower}, constants_{constants} {}

    ProcessSyntax process(const ProcessPlan& plan, Home& home);
    /// As it stands under "processes".
    Lines lines(const ProcessSyntax& text);
    /// A new bus with as many elements as the family has members, declared in its home.
    BusName bus(const Members& members, bool known, bool may_be_wire, Home& home);
    /// "= value" for a declaration, where there is one, and its value for each member.
    std::string initial(const TypeOf& type, const Members& members, bool must, const Names& globals,
                        std::vector<Bits>& values);
    TypeOf some_type(const Names& names, bool needs_zero);
    /// The names of the indices, as exact integers.
    static void add_indices(const Members& members, Names& names);

    /// Binds a port to a bus: to one element, to several, or to the whole family. `elements` are
    /// those that it reads in each instance.
    PortText bound(const BusName& bus, const Members& members, bool one_or_all,
                   std::vector<std::vector<unsigned>>& elements);

private:
    void input(const ProcessPlan& plan, Home& home, ProcessSyntax& text, FollowedProcess& followed,
               Names& names);
    /// A place in one dimension of a family of buses, for each member.
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
