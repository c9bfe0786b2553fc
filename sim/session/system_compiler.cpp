// SPDX-License-Identifier: Apache-2.0
#include "session/system_compiler.hpp"

#include <cstdlib>
#include <iterator>
#include <sstream>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/find_program.hpp"
#include "session/loading.hpp"

namespace sme::session {

namespace {

/// The requested C compiler: $CC, or cc.
std::string wanted_compiler() {
    const char* const wanted = std::getenv("CC");
    return wanted && *wanted ? wanted : "cc";
}

/// The path of a program, given by name or path; empty if it does not exist.
std::string path_of(const std::string& name) {
    return name.find('/') != std::string::npos ? name : find_program(name).value_or("");
}

/// The compiler and its leading arguments, as in "ccache gcc", whose first argument may be a
/// program, too. Empty if the program does not exist.
std::vector<std::string> c_compiler() {
    const std::string wanted = wanted_compiler();
    if (const std::string whole = path_of(wanted); ::access(whole.c_str(), X_OK) == 0)
        return {whole};
    std::istringstream words{wanted};
    std::vector<std::string> found{std::istream_iterator<std::string>{words}, {}};
    if (found.empty())
        return {};
    found[0] = path_of(found[0]);
    if (found[0].empty())
        return {};
    if (found.size() > 1)
        if (const auto behind = find_program(found[1]))
            found[1] = *behind;
    return found;
}

} // namespace

native::CompilerSettings system_compiler() {
    native::CompilerSettings made;
    std::vector<std::string> words = c_compiler();
    if (!words.empty()) {
        made.compiler = words[0];
        made.first.assign(words.begin() + 1, words.end());
    }
    made.folder = cache_folder("native");
    return made;
}

std::string missing_compiler() {
    if (c_compiler().empty())
        return wanted_compiler() == "cc"
                   ? "native code needs a C compiler, but there is no cc in PATH; on Debian: "
                     "apt-get install gcc"
                   : fmt::format("native code needs a C compiler, but CC is '{}', whose first word "
                                 "is no program in PATH",
                                 wanted_compiler());
    return {};
}

} // namespace sme::session
