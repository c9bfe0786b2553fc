// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/options.hpp"

namespace sme::cli {

/// One run of a test.
struct Test {
    std::string network;
    std::string name; // in the network; empty: the network as it is
    std::uint64_t seed;
    bool has_seed; // it is one of several runs, or the user chose it
    bool has_verilog = false;

    std::string label() const {
        return fmt::format("{}{}{}{}", network, name.empty() ? "" : " ", name,
                           has_seed ? fmt::format(" seed {}", seed) : "");
    }
    std::string selected_by() const { return name.empty() ? network : name; }
};

/// A network that has no tests because of its errors.
struct Unloaded {
    std::string network;
    std::string problem;
};

/// The tests that 'sme test' runs, in order: of the given networks, and of those in the given
/// folders and below. Reports networks with errors, and adds them to `unloaded`: `exit_code` is
/// then the highest of their codes.
std::vector<Test> find_tests(const Options& options, int& exit_code,
                             std::vector<Unloaded>& unloaded);

} // namespace sme::cli
