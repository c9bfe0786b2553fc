// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cli/loading.hpp"
#include "cli/options.hpp"

namespace sme::cli {

/// Recordings of other implementations, for 'sme cosim': the one that --with names, or those that
/// the network names by `against`.
class Counterparts {
public:
    explicit Counterparts(const Options& options);
    ~Counterparts();
    Counterparts(const Counterparts&) = delete;
    Counterparts& operator=(const Counterparts&) = delete;

    /// Of --with: an exit code when it does not go with other options.
    int check() const;
    /// Finds the processes that they stand against.
    void look(const yaml::Written& network, const Graph& graph, Diagnostics& diagnostics);

    /// Whether there is a waveform. Each is compared in a run of its own; the worst exit code.
    bool any_recorded() const;
    int run_recorded(const Loaded& loaded) const;

private:
    class Parts;
    std::unique_ptr<Parts> parts_;
};

} // namespace sme::cli
