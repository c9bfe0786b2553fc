// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "yaml/fuzz/make/declaration_maker.hpp"
#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

/// A process whose states checks may read: "inst[2].p7" in the enclosing network.
struct Watched {
    std::vector<std::string> places; // by instance
    std::size_t followed;
    std::vector<Name> states;
};

/// Generates components, each in its own file, and their instances.
class ComponentMaker {
public:
    ComponentMaker(Maker& maker, Follower& follower, const Env& constants, Files& files)
        : m_{maker}, c_{maker.choices}, follower_{follower}, files_{files}, processes_{maker,
                                                                                       follower,
                                                                                       constants} {}

    /// Adds a component, and an instance or a family of instances of it, to `home`. Returns its
    /// file.
    std::string use(const Names& library, const std::string& library_file, Home& home,
                    std::vector<Watched>& watched, const std::vector<DomainName>& domains);

private:
    struct Instance {
        std::string name;
        Members members;
        Lines with = {}, in = {}, out = {};
        DomainName first = {}, last = {};      // domains of its processes
        Lines domains = {}, domain_lines = {}; // local domains; their bindings
        std::string declared_domains() const;
        unsigned count() const { return static_cast<unsigned>(members.all().size()); }
    };
    void choose_domains(const std::vector<DomainName>& all, bool is_single, Instance& instance);
    void parameters(Home& inside, Instance& instance, Lines& lines);
    void inputs(const Home& home, Home& inside, Instance& instance, Lines& lines);
    void value_input(Home& inside, Instance& instance, Lines& lines);
    std::vector<BusName> outputs(Home& home, Instance& instance, Lines& lines);
    Lines single(Home& inside, const Instance& instance, const std::vector<BusName>& outputs,
                 std::vector<Watched>& watched);
    Lines composite(Home& inside, const Instance& instance, const std::vector<BusName>& outputs,
                    std::vector<Watched>& watched);
    static std::vector<std::string> places(const Instance& instance, const std::string& behind);

    Maker& m_;
    Choices& c_;
    Follower& follower_;
    Files& files_;
    ProcessMaker processes_;
};

} // namespace sme::fuzz
