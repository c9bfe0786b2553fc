// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "yaml/fuzz/make/step_maker.hpp"

namespace sme::fuzz {

/// The buses of one name in a followed network: the current value of each element and the values in
/// flight.
struct FollowedBus {
    TypeOf type;
    unsigned delay = 1; // 0: a wire
    bool hold = false;
    std::vector<Bits> now = {};                    // by element
    std::vector<std::vector<Bits>> under_way = {}; // in flight, oldest first: `delay` each
    std::vector<Bits> last = {};                   // last written value, for hold
    /// Sets the initial values.
    void start(const std::vector<Bits>& initial);
};

/// A process of a followed network, with all its instances.
struct FollowedProcess {
    struct Output {
        std::string key;
        std::size_t bus;
        std::vector<std::vector<unsigned>> elements; // its port, by instance
    };
    struct Instance {
        std::map<std::string, Bits> indices, states, initial;
    };
    std::vector<Instance> instances = {};
    std::vector<Output> inputs = {}, outputs = {};
    std::vector<std::pair<std::string, Meaning>> lets = {};
    Meaning reset = {}; // empty: no reset
    StepMeaning step = {};
    unsigned every = 1, offset = 0; // cycles at whose end its registers change
};

/// Executes the semantics of the language cycle by cycle: processes in the order in which they were
/// made, so a wire's readers follow its writer.
class Follower {
public:
    std::size_t add(FollowedBus bus);
    std::size_t add(FollowedProcess process);
    void cycle(const Env& constants);
    const FollowedBus& bus(std::size_t number) const { return buses_[number]; }
    const FollowedProcess& process(std::size_t number) const { return processes_[number]; }

private:
    struct Write {
        std::size_t bus;
        unsigned element;
        Bits value;
    };
    void
    step(FollowedProcess& process, std::size_t instance, const Env& constants,
         std::vector<Write>& writes,
         std::vector<std::pair<std::map<std::string, Bits>*, std::map<std::string, Bits>>>& states);

    std::vector<FollowedBus> buses_;
    std::vector<FollowedProcess> processes_;
    unsigned cycle_ = 0;
};

} // namespace sme::fuzz
