// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cli/loading.hpp"
#include "cli/options.hpp"

namespace sme::cli {

/// Recordings of other implementations, for 'sme cosim': the waveform of --with, or the waveforms
/// that the network names with `against`.
class Counterparts {
public:
    explicit Counterparts(const Options& options);
    ~Counterparts();
    Counterparts(const Counterparts&) = delete;
    Counterparts& operator=(const Counterparts&) = delete;

    /// Checks --with against the other options; returns an exit code.
    int check() const;
    /// Finds the processes that the recordings are compared with.
    void look(const yaml::Written& network, const Graph& graph, Diagnostics& diagnostics);

    /// True if there is a waveform. `run_recorded` compares each waveform in a run of its own, and
    /// returns the worst exit code.
    bool any_recorded() const;
    int run_recorded(const Loaded& loaded) const;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace sme::cli
