// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "expr/program/program.hpp"
#include "lockstep/random_rows.hpp"
#include "runtime/transport.hpp"
#include "yaml/design.hpp"

namespace sme::session {

struct Loaded;

/// A digest of all that a program computes and reports; equal for equal texts in other places.
std::uint64_t digest_of(const expr::Program& program);

/// Digests of everything that decides the values of a run, each under a name for the user. Programs
/// that run one network together compare them. It detects accidental differences, not forgery.
class RunDigest {
public:
    RunDigest() = default;
    RunDigest(const RunDigest&) = delete;
    RunDigest& operator=(const RunDigest&) = delete;

    /// Adds a value. Values with equal names count together.
    void add(const std::string& name, std::string_view value);
    void add(const std::string& name, std::uint64_t value);

    /// Notes the programs and rows that the loader passes to these factories. This must outlive
    /// the loading.
    void note(yaml::GroupFactories& factories);
    /// Adds a loaded network: buses, processes and clocks, as they will run. `random` are the rules
    /// of its random inputs.
    void add(const Loaded& loaded, const lockstep::RandomRules& random);

    /// The first rank that differs from rank 0, and the names of the values that differ.
    struct Difference {
        unsigned rank;
        std::vector<std::string> names; // with their place in the files of this rank
    };
    /// Every rank calls it, and gets the same rank. `nullopt` if all ranks are equal.
    std::optional<Difference> compare(Transport& ranks) const;

private:
    using Kind = std::shared_ptr<const GroupFactory>;
    template <class Data, class... More>
    void note(std::function<Kind(std::shared_ptr<const Data>, More...)>& factory);
    void add(const std::string& name, std::uint64_t value, const Location& declared);

    std::map<std::string, std::uint64_t> values_;
    std::map<std::string, std::string> places_; // where values are declared, by their names
    std::map<Kind, std::uint64_t> kinds_;       // from `note`
};

} // namespace sme::session
