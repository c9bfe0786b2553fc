// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verilator/netlist.hpp"

namespace sme::verilator {

/// A module that was built: its shared object, what is known of it, and what it was made of.
struct KeptModule {
    std::string object; // the path
    Netlist netlist;
};

/// A folder of built modules. What stands in it under a key is whole: it is made elsewhere and
/// renamed. Processes may use one folder at the same time.
class KeptModules {
public:
    explicit KeptModules(std::string folder) : folder_{std::move(folder)} {}

    /// One caller at a time for each key, in all processes, while this lives. `problem` says why
    /// it could not be had; then nothing is kept.
    class Lock {
    public:
        Lock(const std::string& folder, const std::string& key);
        ~Lock();
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        const std::string& problem() const { return problem_; }

    private:
        int descriptor_ = -1;
        std::string problem_;
    };

    /// The module of that identity if it was built, nothing that it was made of has changed since,
    /// and its object is undamaged.
    std::optional<KeptModule> find(const std::string& identity) const;

    /// A new folder to build in, beside the others; empty, with a problem, when there can be none.
    std::string begin(std::string& problem) const;
    /// Names what was built in a folder, the file `object`: from now on `find` gives it. `made_of`
    /// are the files that were read. An empty text, or why not.
    std::string publish(const std::string& made_in, const std::string& identity,
                        const Netlist& netlist, const std::vector<std::string>& made_of) const;

    static std::string key_of(const std::string& identity);
    const std::string& folder() const { return folder_; }

private:
    void remove_old() const;
    std::string folder_;
};

} // namespace sme::verilator
