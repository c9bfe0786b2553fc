// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "yaml/print/schema.hpp"

namespace sme::cli {

int schema_command(const Options&) {
    fmt::print("{}", yaml::schema());
    return exit_code::fine;
}

} // namespace sme::cli
