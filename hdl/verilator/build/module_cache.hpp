// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/disk_cache.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// A built module: its shared object, its netlist, and the files it depends on.
struct KeptModule {
    std::string object; // the path
    Netlist netlist;
};

/// A folder of built modules. An entry is always complete: it is built elsewhere and renamed.
/// Several processes may use one folder concurrently.
class ModuleCache {
public:
    explicit ModuleCache(const std::string& folder);

    using Lock = DiskCache::Lock;

    /// Returns the module of that identity if the current user built it, its source files are
    /// unchanged and its object is undamaged.
    std::optional<KeptModule> find(const std::string& identity) const;

    /// Returns the digests of all files of which an object of `find` or `publish` was built.
    static std::string sources_of(const std::string& object);

    /// Creates a new folder to build in, inside this folder; empty, with a problem, on failure.
    std::string begin(std::string& problem) const { return kept_.begin(problem); }
    /// Publishes a folder with the built file `object`, so that `find` returns it. `made_of` are
    /// the files that the build read. Returns an empty text, or the error.
    std::string publish(const std::string& made_in, const std::string& identity,
                        const Netlist& netlist, const std::vector<std::string>& made_of) const;

    /// Stores a text in place of an object. If that fails, the text is computed again next time.
    void keep(const std::string& identity, const Netlist& netlist, const std::string& text,
              const std::vector<std::string>& made_of) const;

    static std::string key_of(const std::string& identity) { return DiskCache::key_of(identity); }
    const std::string& folder() const { return kept_.folder(); }

private:
    DiskCache kept_;
};

} // namespace sme::verilator
