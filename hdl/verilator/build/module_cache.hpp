// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/kept_folder.hpp"
#include "verilator/inspect/netlist.hpp"

namespace sme::verilator {

/// A module that was built: its shared object, what is known of it, and what it was made of.
struct KeptModule {
    std::string object; // the path
    Netlist netlist;
};

/// A folder of built modules. What stands in it under a key is whole: it is made elsewhere and
/// renamed. Processes may use one folder at the same time.
class ModuleCache {
public:
    explicit ModuleCache(const std::string& folder);

    using Lock = KeptFolder::Lock;

    /// The module of that identity if it was built by who runs this, nothing that it was made of
    /// has changed since, and its object is undamaged.
    std::optional<KeptModule> find(const std::string& identity) const;

    /// A new folder to build in, beside the others; empty, with a problem, when there can be none.
    std::string begin(std::string& problem) const { return kept_.begin(problem); }
    /// Names what was built in a folder, the file `object`: from now on `find` gives it. `made_of`
    /// are the files that were read. An empty text, or why not.
    std::string publish(const std::string& made_in, const std::string& identity,
                        const Netlist& netlist, const std::vector<std::string>& made_of) const;

    /// Keeps a text in the place of an object; where that is not possible, it is made again the next
    /// time.
    void keep(const std::string& identity, const Netlist& netlist, const std::string& text,
              const std::vector<std::string>& made_of) const;

    static std::string key_of(const std::string& identity) { return KeptFolder::key_of(identity); }
    const std::string& folder() const { return kept_.folder(); }

private:
    KeptFolder kept_;
};

} // namespace sme::verilator
