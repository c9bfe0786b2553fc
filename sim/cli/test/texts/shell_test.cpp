// SPDX-License-Identifier: Apache-2.0
//
// Tests completion in real shells, and the manual page with the real formatter.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "../command.hpp"

using namespace sme;
using test::Command;
using test::Scratch;

namespace {

bool have(const std::string& program) {
    return Command{"command -v " + program, Command::any_program}.exit_code == 0;
}

/// Returns bash's completions for the last of these words, in a folder of its own.
std::string offered(const std::string& words, std::size_t last) {
    const Scratch folder;
    folder.write("network.yaml", "network: a\n");
    folder.write("notes.txt", "");
    folder.write("two words.yml", "");
    folder.write("script", "cd " + folder.path("") +
                               "\nsource <(" SME_COMMAND " completion bash)\nCOMP_WORDS=(" + words +
                               ")\nCOMP_CWORD=" + std::to_string(last) +
                               "\n_sme\nprintf '%s,' \"${COMPREPLY[@]}\"\n");
    const Command bash{"bash --norc " + folder.path("script"), Command::any_program};
    CHECK(bash.err == "");
    return bash.out;
}

} // namespace

TEST_CASE("bash completes commands, options, words, codes and files") {
    if (!have("bash")) {
        MESSAGE("skipped: no bash");
        return;
    }
    CHECK(offered("sme ru", 1) == "run,");
    CHECK(offered("sme run --tr", 2) ==
          "--trace,--trace-select,--trace-state,--trace-memory,--trace-let,");
    CHECK(offered("sme run --cy", 2) == "--cycles,");
    CHECK(offered("sme check --tr", 2) == ","); // an option of another command
    CHECK(offered("sme completion ''", 2) == "bash,zsh,fish,");
    CHECK(offered("sme completion z", 2) == "zsh,");
    CHECK(offered("sme explain width-", 2) == "width-mismatch,");
    CHECK(offered("sme run n", 2) == "network.yaml,"); // notes.txt is not a network
    CHECK(offered("sme run t", 2) == "two words.yml,");
    CHECK(offered("sme run network.yaml --trace n", 4) == "network.yaml,notes.txt,");
    CHECK(offered("sme run --trace = n", 4) == "network.yaml,notes.txt,");
    CHECK(offered("sme graph -o n", 3) == "network.yaml,notes.txt,");
    CHECK(offered("sme run network.yaml --coverage n", 4) == "network.yaml,notes.txt,");
    CHECK(offered("sme run network.yaml --threads ''", 4) == "auto,"); // and any number
    CHECK(offered("sme run network.yaml --cycles ''", 4) == ",");      // any number
}

TEST_CASE("fish completes commands, options, words and codes") {
    if (!have("fish")) {
        MESSAGE("skipped: no fish");
        return;
    }
    const auto lines = [](const std::string& line) {
        return Command{"fish -c '" SME_COMMAND " completion fish | source; complete -C \"" + line +
                           "\"'",
                       Command::any_program}
            .out;
    };
    CHECK(lines("sme ru").starts_with("run\t"));
    CHECK(lines("sme run --cy").starts_with("--cycles\t"));
    CHECK(lines("sme completion z") == "zsh\n");
    CHECK(lines("sme explain width-") == "width-mismatch\n");
}

TEST_CASE("zsh reads its completion") {
    if (!have("zsh")) {
        MESSAGE("skipped: no zsh");
        return;
    }
    const Scratch folder;
    folder.write("_sme", Command{"completion zsh"}.out);
    const Command zsh{"zsh -f -c 'autoload -U compinit; compinit -D -u; source " +
                          folder.path("_sme") + "; print $_comps[sme]'",
                      Command::any_program};
    CHECK(zsh.out == "_sme\n");
    CHECK(zsh.err == "");
}

TEST_CASE("another shell is refused") {
    const Command wrong{"completion bsh"};
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err == "error: there is no completion for 'bsh', did you mean 'bash'? "
                       "[bad-option]\n");
    CHECK(Command{"completion"}.exit_code == 2);
}

TEST_CASE("every command has a row in the contents of the manual, and a section") {
    const std::string manual = test::text_of(SME_SOURCE_DIR "/sim/cli/README.md");
    const auto holds = [&](const std::string& begin, const std::string& name) {
        std::istringstream lines{manual};
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with(begin) && line.find("`sme " + name + "`") != std::string::npos)
                return true;
        return false;
    };
    std::istringstream help{Command{"--help"}.out};
    int commands = 0;
    for (std::string line; std::getline(help, line);)
        if (line.starts_with("  ")) {
            const std::string name = line.substr(2, line.find(' ', 2) - 2);
            CAPTURE(name);
            commands += 1;
            CHECK(holds("| [`sme ", name));
            CHECK(holds("## `sme ", name));
        }
    CHECK(commands > 10);
}

TEST_CASE("the manual page is troff without a warning and has every option of the help") {
    if (!have("groff")) {
        MESSAGE("skipped: no groff");
        return;
    }
    const Scratch folder;
    folder.write("sme.1", Command{"man"}.out);
    const Command page{"groff -man -Tascii -ww -P-bcou " + folder.path("sme.1"),
                       Command::any_program};
    CHECK(page.exit_code == 0);
    CHECK(page.err == "");
    CHECK(page.out.find("sme - a simulator for clocked process networks") != std::string::npos);
    for (const char* part :
         {"sme run NETWORK", "--trace FILE.vcd", "-o, --output FILE", "sme explain [CODE]",
          "EXIT STATUS", "sme run models/fir/network.yaml --trace fir.vcd", "sme man | man -l -"}) {
        CAPTURE(part);
        CHECK(page.out.find(part) != std::string::npos);
    }
}
