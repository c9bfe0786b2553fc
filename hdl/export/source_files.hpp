// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "network/verilog.hpp"

namespace sme::hdl {

/// The source files of modules that are processes of the network, written beside the network.
class SourceFiles {
public:
    explicit SourceFiles(Diagnostics& diagnostics) : diagnostics_{diagnostics} {}

    /// Adds the files of a module, which outlives this object, and the files that they include.
    /// Reports files that cannot be written.
    void add(const VerilogInstance& instance, const std::string& process);
    /// Call after all modules are added.
    void finish();

    /// Returns names that no written module may have: those in the files, and of the files.
    const std::set<std::string>& taken() const { return taken_; }
    const std::vector<ExportedFile>& sources() const { return sources_; }
    const std::vector<ExportedFile>& included() const { return included_; }
    const std::vector<std::string>& defines() const { return defines_; }
    const std::vector<std::string>& plusargs() const { return plusargs_; }
    /// Returns the longest reset of any module.
    unsigned reset_cycles() const { return reset_cycles_; }

private:
    void refuse_foreign(const VerilogInstance& instance, const std::string& process);
    void add_data(const std::string& text, const Placed& file, const VerilogModule& module);
    void add_file(const Placed& file, const VerilogModule& module);
    void add_included(const std::string& text, const std::string& folder,
                      const VerilogModule& module);
    void take_names(const std::string& text, const Placed& file);
    struct Used {
        const VerilogModule* module;
        std::string text;               // of its files and their includes
        std::set<std::string> included; // paths
    };
    void compare_define(const Placed& define, const Used& used, const Used& other);

    Diagnostics& diagnostics_;
    std::vector<ExportedFile> sources_, included_;
    std::vector<std::string> plusargs_;
    std::set<std::string> taken_, read_;           // paths
    std::map<std::string, std::string> names_;     // of files, with their texts
    std::map<std::string, std::string> module_in_; // by module: the text of its file
    std::vector<Used> modules_;
    std::vector<std::string> defines_;
    unsigned reset_cycles_ = 1;
};

} // namespace sme::hdl
