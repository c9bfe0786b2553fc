// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace sme::vpi {

/// The command line that a library sees.
class Arguments {
public:
    void set(std::vector<std::string> words);
    int count() const { return static_cast<int>(pointers_.size()) - 1; }
    char** all() { return pointers_.data(); }
    char* product() { return product_.data(); }
    char* version() { return version_.data(); }

private:
    std::vector<std::string> words_;
    std::vector<char*> pointers_{nullptr};
    std::string product_ = "sme", version_ = SME_VERSION;
};
Arguments& library_arguments();

/// Loads a library that uses VPI and starts its routines (`vlog_startup_routines`). A simulation
/// must exist. Returns what is wrong; empty: nothing.
std::string start_library(const std::string& path);

/// Does nothing; calling it links the functions of VPI, which only libraries call, into a program.
void keep_functions();

} // namespace sme::vpi
