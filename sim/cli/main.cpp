// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include <fmt/format.h>

#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"

int main(int count, char** values) {
    using namespace sme;
    using namespace sme::cli;
    const std::vector<std::string> arguments{values + 1, values + count};
    if (!arguments.empty() && (arguments[0] == "run" || arguments[0] == "predict"))
        let_rank_0_speak();
    try {
        const auto read = read_options(arguments);
        if (const auto* ending = std::get_if<Ending>(&read)) {
            fmt::print(ending->exit_code == exit_code::fine ? stdout : stderr, "{}",
                       shown_text(ending->text));
            return std::fflush(stdout) == 0 ? ending->exit_code : output_failed(errno);
        }
        const Options& options = std::get<Options>(read);
        const int code = find_command(options.command)->carry_out(options);
        if (code == exit_code::fine && std::fflush(stdout) != 0)
            return output_failed(errno);
        return code;
    } catch (const std::bad_alloc&) { // printing here allocates nothing
        std::fputs("error: there is not enough memory for this network [network-too-large]\n",
                   stderr);
        return exit_code::usage;
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::resource_unavailable_try_again)
            return error.code().value() == EPIPE ? 128 + SIGPIPE : exit_code::file; // thrown by fmt
        std::fputs("error: there cannot be as many threads here as this needs [bad-option]\n",
                   stderr);
        return exit_code::usage;
    }
}
