// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "yaml/fuzz/make/step_maker.hpp"

namespace sme::fuzz {

/// The buses of one name while a network is followed: what each element reads, and what is under
/// way in it.
struct FollowedBus {
    TypeOf type;
    unsigned delay = 1; // 0: a wire
    bool hold = false;
    std::vector<Bits> now = {};                    // of each element
    std::vector<std::vector<Bits>> under_way = {}; // written, oldest first: `delay` values each
    std::vector<Bits> last = {};                   // what was written last, for hold
    /// Takes its initial values.
    void start(const std::vector<Bits>& initial);
};

/// A process while a network is followed, instance by instance.
struct FollowedProcess {
    struct Output {
        std::string key;
        std::size_t bus;
        std::vector<std::vector<unsigned>> elements; // of each instance: those of its port
    };
    struct Instance {
        std::map<std::string, Bits> indices, states, initial;
    };
    std::vector<Instance> instances = {};
    std::vector<Output> inputs = {}, outputs = {};
    std::vector<std::pair<std::string, Meaning>> lets = {};
    Meaning reset = {}; // empty: none
    StepMeaning step = {};
    unsigned every = 1, offset = 0; // its registers change at the end of these cycles
};

/// What the language says that happens in each cycle, one instance after the other, in the order
/// in which the processes were made: readers of a wire come later than its writer.
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
