// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "yaml/fuzz/make/declaration_maker.hpp"
#include "yaml/fuzz/make/process_maker.hpp"

namespace sme::fuzz {

/// Generates features that are not followed, but must run the same every time: bundles, components
/// of the standard library, data files, prints, faults and halts, checks of all kinds.
class FeatureMaker {
public:
    FeatureMaker(Maker& maker, Files& files, unsigned cycles, bool disk)
        : m_{maker}, c_{maker.choices}, files_{files}, cycles_{cycles}, disk_{disk} {}

    void add(Home& home);

    const std::string& imports() const { return imports_; }
    const Lines& types() const { return types_; }
    const Lines& inputs() const { return inputs_; }
    const Lines& outputs() const { return outputs_; }
    bool may_fault() const { return may_fault_; }

private:
    void streams(Home& home);
    void stream_family(Home& home);
    void producer(Home& home, const std::string& bus, const TypeOf& data);
    void consumer(Home& home, const std::string& bus, const TypeOf& data);
    void between(Home& home, const std::string& from, const std::string& to, const TypeOf& data);
    void wire_chain(Home& home);
    void input(Home& home);
    void unwritten(Home& home);
    void busy(Home& home);
    void checks(Home& home);
    std::string stream_type();

    Maker& m_;
    Choices& c_;
    Files& files_;
    unsigned cycles_;
    bool disk_;
    bool may_fault_ = false;
    std::string imports_, stream_;
    Lines types_, inputs_, outputs_;
};

} // namespace sme::fuzz
