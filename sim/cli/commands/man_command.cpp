// SPDX-License-Identifier: Apache-2.0
//
// The manual page in troff, generated from the tables of commands and options.
#include <fmt/format.h>

#include "cli/command_table.hpp"
#include "cli/commands.hpp"

namespace sme::cli {

namespace {

/// Escapes a text so that troff finds no command in it.
std::string plain(std::string_view text) {
    std::string made;
    if (text.starts_with('.') || text.starts_with('\''))
        made = "\\&";
    for (const char c : text)
        made += c == '-'    ? std::string{"\\-"}
                : c == '\\' ? std::string{"\\e"}
                : c == '\'' ? std::string{"\\(aq"}
                            : std::string{c};
    return made;
}

std::string option_entry(const OptionInfo& option) {
    std::string names = plain(option.name);
    if (!option.short_name.empty())
        names = plain(option.short_name) + ", " + names;
    const std::string head = option.value.empty()
                                 ? fmt::format(".B {}", names)
                                 : fmt::format(".BI \"{} \" {}", names, plain(option.value));
    return fmt::format(".TP\n{}\n{}\n", head, plain(option.text));
}

constexpr std::string_view endings = R"(.SH EXIT STATUS
.TP
.B 0
what was asked for is done; every check that was reached held
.TP
.B 1
the model failed: a check did not hold, an output differs, or there was a fault; two waveforms differ
.TP
.B 2
the network, its data or the command line is wrong, or there is not memory enough for the network
.TP
.B 3
another program is missing or failed
.TP
.B 4
a file could not be written, or a waveform not read; what could be written of a waveform or a
recorded output is in FILE.part
.PP
A run that is interrupted by SIGINT, SIGTERM or SIGHUP ends after its cycle, finishes its files and ends with
128 and the number of the signal.
)";

constexpr std::string_view examples = R"(.SH EXAMPLES
Run a network and look at its waveform:
.PP
.EX
sme run models/fir/network.yaml \-\-trace fir.vcd
gtkwave fir.vcd
.EE
.PP
Of a long run, FST is much smaller:
.PP
.EX
sme run models/fir/network.yaml \-\-trace fir.fst
.EE
.PP
Learn more about a diagnostic:
.PP
.EX
sme explain width\-mismatch
.EE
.SH SEE ALSO
.BR gtkwave (1)
)";

} // namespace

int man_command(const Options&) {
    std::string page = ".TH SME 1 \"\" \"sme " SME_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\nsme \\- a simulator for clocked process networks\n"
                       ".SH SYNOPSIS\n.B sme\n.I COMMAND\n.RI [ ARGUMENT ]\n.RI [ options ]\n"
                       ".SH DESCRIPTION\nA network of processes joined by buses, written in YAML, "
                       "is run cycle by cycle.\nResults go to standard output, diagnostics to "
                       "standard error.\nOptions may stand before and behind the argument.\n"
                       ".SH COMMANDS\n";
    for (const CommandInfo& command : all_commands()) {
        page += fmt::format(".SS \"sme {}{}{}\"\n", command.name,
                            command.argument.empty() ? "" : " ", plain(command.argument));
        page += fmt::format("{}.\n.PP\n{}\n", plain(command.summary), plain(command.text));
        for (const OptionInfo& option : listed_options(command))
            page += option_entry(option);
    }
    fmt::print("{}{}{}", page, endings, examples);
    return exit_code::fine;
}

} // namespace sme::cli
