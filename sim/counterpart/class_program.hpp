// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "counterpart/interface.hpp"

namespace sme::counterpart {

/// A class as a second implementation.
struct ClassPlace {
    std::string file; // that defines it
    std::string name;
    std::string clock, reset; // of a SystemC module; as bind_pins takes them
    std::uint64_t clock_ps = 10'000;
};

/// With what it is built.
struct ClassTools {
    std::string compiler;     // empty: there is none
    std::string folder;       // to build in
    std::string forbidden_by; // what forbids to start a compiler; empty: nothing
    const std::atomic<bool>* unwanted = nullptr;
};

/// Builds a program around a class and adds it to a network as the second implementation of a
/// process, or of each of several that differ in nothing but their buses, in one pair. Each has a
/// program of its own that runs. Nothing when something was reported; `building` is then true when
/// it is the compiler, or something else that has to be there.
std::optional<Pair> add_class(const ClassPlace& place, const ClassTools& tools,
                              const std::vector<Interface>& members, Graph& graph,
                              Diagnostics& diagnostics, bool& building);

} // namespace sme::counterpart
