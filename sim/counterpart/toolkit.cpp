// SPDX-License-Identifier: Apache-2.0
#include "counterpart/toolkit.hpp"

#include <filesystem>

namespace sme::counterpart {

Toolkit toolkit_for(bool systemc) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path prefix = program.parent_path().parent_path();
    fs::path drivers = prefix / "share" / "sme" / "counterpart", bridge = drivers,
             include = prefix / "include", library = prefix / SME_LIBRARY_DIR / "libsme.a",
             systemc_library = prefix / SME_LIBRARY_DIR / "libsme_systemc_bridge.a";
    if (!fs::is_directory(drivers, error)) {
        drivers = SME_SOURCES "/sim/counterpart/driver";
        bridge = SME_SOURCES "/hdl";
        include = SME_SOURCES "/lib/include";
        library = SME_BUILD "/libsme.a";
        systemc_library = SME_BUILD "/hdl/systemc/libsme_systemc_bridge.a";
    }
    Toolkit made;
    made.compiler = SME_ONLY_COMPILER;
    if (!fs::is_regular_file(library, error) || !fs::is_directory(include / "sme", error)) {
        made.problem = "the C++ library of sme is not installed beside the command";
        return made;
    }
    if (systemc && !fs::is_regular_file(systemc_library, error)) {
        made.problem = "this sme was built without SystemC; install it (libsystemc-dev) and build "
                       "sme again";
        return made;
    }
    made.arguments = {"-I" + drivers.string(), "-I" + include.string()};
    if (systemc) {
        made.arguments.push_back("-I" + bridge.string());
        made.arguments.push_back("-DSC_CPLUSPLUS=201703L");
        made.arguments.push_back(systemc_library.string());
    }
    made.arguments.push_back(library.string());
    if (systemc)
        made.arguments.emplace_back("-lsystemc");
    made.arguments.insert(made.arguments.end(), {"-lfmt", "-pthread"});
    if (const std::string sanitize = SME_SANITIZED; !sanitize.empty())
        made.arguments.push_back("-fsanitize=" + sanitize);
    return made;
}

} // namespace sme::counterpart
