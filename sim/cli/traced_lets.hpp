// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "expr/process/observe.hpp"
#include "sme/group.hpp"
#include "trace/collect/memories.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

/// The lets of --trace-let, with their values during the run.
class TracedLets {
public:
    static constexpr std::size_t max_lets = 4096; // each is evaluated in every cycle

    explicit TracedLets(const std::string& patterns)
        : patterns_{trace::split_patterns(patterns)}, matched_(patterns_.size(), false) {}

    /// True if a let with this name is traced.
    bool wants(const std::string& name);
    /// Creates the observer that stores the value where `words` says. This must outlive it.
    std::shared_ptr<const GroupFactory> observe(std::shared_ptr<const expr::Probe> probe,
                                                const std::string& name);
    std::vector<trace::TracedWords> words() const;
    /// The error in --trace-let; empty if valid.
    std::string problem() const;

private:
    struct Let {
        std::string name;
        TypeRef type;
        std::vector<std::byte> slot;
    };

    std::vector<std::string> patterns_;
    std::vector<bool> matched_;
    std::vector<std::string> others_; // the first lets without a matching pattern, in quotes
    std::size_t all_others_ = 0;
    std::deque<Let> lets_;
    std::size_t wanted_ = 0;
};

} // namespace sme::cli
