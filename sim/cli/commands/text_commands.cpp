// SPDX-License-Identifier: Apache-2.0
//
// The manual page in troff, generated from the tables of commands and options.
#include <algorithm>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "yaml/print/schema.hpp"

namespace sme::cli {

namespace {

/// Escapes a text so that troff finds no command in it.
std::string plain(std::string_view text) {
    std::string result;
    if (text.starts_with('.') || text.starts_with('\''))
        result = "\\&";
    for (const char c : text)
        result += c == '-'    ? std::string{"\\-"}
                  : c == '\\' ? std::string{"\\e"}
                  : c == '\'' ? std::string{"\\(aq"}
                              : std::string{c};
    return result;
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
                       "standard error.\nOptions may come before and after the argument.\n"
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

// Shell scripts, generated from the tables of commands, options and codes. The name of a value
// determines what completion offers: words between bars, a FILE, a NETWORK, a CODE.

namespace {

std::vector<std::string> choices_of(std::string_view value) {
    std::vector<std::string> choices = words_of(value);
    if (value == "[CODE]")
        for (const CodeInfo& code : all_codes())
            choices.emplace_back(code.slug);
    return choices;
}

/// Escapes a text for single quotes in bash and zsh.
std::string in_quotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return result + "'";
}

std::string bash_reply(std::string_view value) {
    if (const auto choices = choices_of(value); !choices.empty())
        return fmt::format("_sme_words {}", in_quotes(fmt::format("{}", fmt::join(choices, " "))));
    if (takes_network(value))
        return "_sme_files '*.y?(a)ml'";
    return value.starts_with("FILE") || value == "PATH" ? "_sme_files '*'" : ":";
}

std::string bash() {
    std::string names, values, options, arguments;
    for (const CommandInfo& command : all_commands()) {
        names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
        std::string listed;
        for (const OptionInfo& option : listed_options(command)) {
            listed += (listed.empty() ? "" : " ") + option.name;
            if (!option.value.empty())
                values +=
                    fmt::format("        '{} {}'{}) {}; return ;;\n", command.name, option.name,
                                option.short_name.empty()
                                    ? ""
                                    : fmt::format(" | '{} {}'", command.name, option.short_name),
                                bash_reply(option.value));
        }
        options += fmt::format("            {}) _sme_words '{}' ;;\n", command.name, listed);
        arguments += fmt::format("        {}) {} ;;\n", command.name, bash_reply(command.argument));
    }
    return fmt::format(R"(# bash completion of sme, made by 'sme completion bash'
_sme_words() {{
    COMPREPLY=($(compgen -W "$1" -- "$word"))
}}
_sme_files() {{
    local IFS=$'\n' extglob=$(shopt -p extglob)
    shopt -s extglob
    COMPREPLY=($(compgen -f -X "!$1" -- "$word") $(compgen -d -- "$word"))
    COMPREPLY=($(printf '%s\n' "${{COMPREPLY[@]}}" | sort -u))
    eval "$extglob"
    compopt -o filenames 2>/dev/null
}}
_sme() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        _sme_words '{0} --help --version'
        return
    fi
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then # --option=value comes as three words
        before=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    case "$command $before" in
{1}    esac
    if [[ $word == -* ]]; then
        case $command in
{2}        esac
        return
    fi
    case $command in
{3}    esac
}}
complete -F _sme sme
)",
                       names, values, options, arguments);
}

/// Escapes a text for an option of zsh's _arguments.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text)
        result += c == '[' || c == ']' || c == ':' ? fmt::format("\\{}", c) : std::string{c};
    return result;
}

std::string zsh_action(std::string_view value) {
    if (const auto choices = choices_of(value); !choices.empty())
        return fmt::format("({})", fmt::join(choices, " "));
    if (takes_network(value))
        return "_files -g \"*.(yaml|yml)\"";
    return value.starts_with("FILE") || value == "PATH" ? "_files" : " ";
}

std::string zsh() {
    std::string names, cases;
    for (const CommandInfo& command : all_commands()) {
        names += fmt::format(" {}", in_quotes(fmt::format("{}:{}", command.name, command.summary)));
        cases += fmt::format("        {}) _arguments", command.name);
        for (const OptionInfo& option : listed_options(command))
            cases += " " + in_quotes(fmt::format("{}[{}]{}", option.name, zsh_text(option.text),
                                                 option.value.empty()
                                                     ? ""
                                                     : fmt::format(":{}:{}", zsh_text(option.value),
                                                                   zsh_action(option.value))));
        const bool several = command.argument.find(' ') != std::string_view::npos ||
                             command.argument.ends_with("...]");
        if (!command.argument.empty())
            cases += " " + in_quotes(fmt::format("{}:{}:{}", several ? "*" : "1",
                                                 zsh_text(command.argument),
                                                 zsh_action(command.argument)));
        cases += " ;;\n";
    }
    return fmt::format(R"(#compdef sme
# zsh completion of sme, made by 'sme completion zsh'
_sme() {{
    local -a commands=({})
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    shift words
    (( CURRENT-- ))
    case $words[1] in
{}    esac
}}
compdef _sme sme
)",
                       names, cases);
}

std::string fish_value(std::string_view value) {
    if (const auto choices = choices_of(value); !choices.empty())
        return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(choices, " "))));
    return value.starts_with("FILE") || value == "PATH" || value.starts_with("NETWORK") ? " -r -F"
                                                                                        : " -x";
}

std::string fish() {
    std::string result =
        "# fish completion of sme, made by 'sme completion fish'\ncomplete -c sme -f\n";
    for (const CommandInfo& command : all_commands()) {
        result += fmt::format("complete -c sme -n __fish_use_subcommand -a {} -d {}\n",
                              command.name, in_quotes(command.summary));
        const std::string under =
            fmt::format("complete -c sme -n '__fish_seen_subcommand_from {}'", command.name);
        for (const OptionInfo& option : listed_options(command)) {
            result += fmt::format("{} -l {}", under, option.name.substr(2));
            if (!option.short_name.empty())
                result += fmt::format(" -s {}", option.short_name.substr(1));
            if (!option.value.empty())
                result += fish_value(option.value);
            result += fmt::format(" -d {}\n", in_quotes(option.text));
        }
        if (const auto choices = choices_of(command.argument); !choices.empty())
            result += fmt::format("{} -a {}\n", under,
                                  in_quotes(fmt::format("{}", fmt::join(choices, " "))));
        else if (takes_network(command.argument))
            result += fmt::format("{} -F\n", under);
    }
    return result;
}

} // namespace

int completion_command(const Options& options) {
    const std::string& shell = options.argument;
    if (shell != "bash" && shell != "zsh" && shell != "fish") {
        report_error(
            Code::bad_option,
            fmt::format("there is no completion for '{}'{}", shell,
                        did_you_mean(shell, words_of(find_command("completion")->argument))));
        return exit_code::usage;
    }
    fmt::print("{}", shell == "bash" ? bash() : shell == "zsh" ? zsh() : fish());
    return exit_code::fine;
}

int schema_command(const Options&) {
    fmt::print("{}", yaml::schema());
    return exit_code::fine;
}

namespace {

std::string_view word(Severity severity) {
    return severity == Severity::warning ? "warning"
           : severity == Severity::error ? "error"
                                         : "fault";
}

std::string indented(const std::string& text) {
    std::string result;
    bool line_start = true;
    for (const char c : text) {
        if (line_start && c != '\n')
            result += "  ";
        result += c;
        line_start = c == '\n';
    }
    return result;
}

void print_example(const char* title, const Example& example) {
    for (const Example::File& file : example.files)
        fmt::print("\n{}, {}:\n\n{}", title, file.name, indented(file.text));
    if (!example.session.empty())
        fmt::print("\n{}:\n\n{}", example.files.empty() ? title : "In a shell",
                   indented(example.session));
}

int list_codes() {
    std::size_t widest = 0;
    for (const CodeInfo& code : all_codes())
        widest = std::max(widest, code.slug.size());
    fmt::print("'sme explain CODE' tells more about one of these, with examples:\n\n");
    for (const CodeInfo& code : all_codes())
        fmt::print("  {:<{}}  {}\n", code.slug, widest, code.meaning);
    return exit_code::fine;
}

int unknown_code(const std::string& slug) {
    std::vector<std::string> slugs;
    for (const CodeInfo& code : all_codes())
        slugs.emplace_back(code.slug);
    const std::string near = did_you_mean(slug, slugs);
    report_error(Code::bad_option, fmt::format("there is no code '{}'{} 'sme explain' lists all",
                                               slug, near.empty() ? ";" : near));
    return exit_code::usage;
}

} // namespace

int explain_command(const Options& options) {
    std::string slug = options.argument;
    if (slug.empty())
        return list_codes();
    if (slug.size() > 2 && slug.front() == '[' && slug.back() == ']') // as in messages
        slug = slug.substr(1, slug.size() - 2);
    const auto code = std::find_if(all_codes().begin(), all_codes().end(),
                                   [&](const CodeInfo& each) { return each.slug == slug; });
    if (code == all_codes().end())
        return unknown_code(slug);
    const Explanation entry = explanation(slug);
    fmt::print("{} ({}): {}\n", code->slug, word(code->severity), code->meaning);
    if (!entry.text.empty())
        fmt::print("\n{}\n", entry.text);
    print_example("Wrong", entry.wrong);
    print_example("Right", entry.right);
    return exit_code::fine;
}

} // namespace sme::cli
