// SPDX-License-Identifier: Apache-2.0
//
// 1. open both files and read everything up to their values
// 2. pair signals by name and report signals without a partner
// 3. print differences as they are found
// 4. summarise the comparison in the last line
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "base/source.hpp"
#include "cli/command_table.hpp"
#include "cli/findings.hpp"
#include "diff/comparison.hpp"

namespace sme::cli {

namespace {

using validator::AnyX;
using validator::Pairing;

/// The parsed options.
struct Rules {
    validator::NameRules names;
    validator::Sameness sameness;
    vcd::Femtoseconds shift = 0;
};

/// Parses the options into `rules`. Returns the error message for an invalid one.
std::string read_rules(const Options& wishes, Rules& rules) {
    std::string problem;
    for (const std::string& text : wishes.maps) {
        auto map = validator::NameMap::parse(text, problem);
        if (!map)
            return "--map: " + problem;
        rules.names.maps.push_back(std::move(*map));
    }
    for (const std::string& text : wishes.select)
        rules.names.select.emplace_back(text);
    for (const std::string& text : wishes.ignore)
        rules.names.ignore.emplace_back(text);
    if (!wishes.shift.empty()) {
        const auto shift = vcd::parse_time(wishes.shift);
        if (!shift)
            return fmt::format("--shift is a time such as 5ns or -2.5us, but this is '{}'",
                               wishes.shift);
        rules.shift = *shift;
    }
    if (!wishes.any_x.empty())
        rules.sameness.any_x = wishes.any_x == "first"    ? AnyX::first
                               : wishes.any_x == "second" ? AnyX::second
                                                          : AnyX::both;
    const std::string& tolerance = wishes.tolerance;
    const char* const end = tolerance.data() + tolerance.size();
    if (!tolerance.empty() &&
        (std::from_chars(tolerance.data(), end, rules.sameness.tolerance).ptr != end ||
         !std::isfinite(rules.sameness.tolerance) || rules.sameness.tolerance < 0))
        return fmt::format("--tolerance is a number such as 1e-9, but this is '{}'", tolerance);
    return {};
}

/// "'a', 'b' and 7 more".
std::string some_of(std::vector<std::string> names) {
    for (std::string& name : names)
        name = fmt::format("'{}'", name);
    return listed(names, 5);
}

class DiffCommand {
public:
    DiffCommand(const Options& options, Rules rules)
        : options_{options}, rules_{std::move(rules)}, first_{options.argument},
          second_{options.second} {}

    int run() {
        if (const int failed = complain_of_files(); failed != exit_code::fine) {
            show_warnings();
            return failed;
        }
        const Pairing pairing =
            pair_signals(first_.declarations(), second_.declarations(), rules_.names);
        tell_of_idle(pairing);
        if (pairing.pairs.empty())
            return nothing_in_common(pairing);
        tell_of(pairing);
        validator::Comparison comparison{first_, second_, pairing, rules_.sameness, rules_.shift};
        unit_ = comparison.unit();
        std::uint64_t shown = 0;
        const validator::Outcome outcome =
            comparison.run([&](const validator::Difference& difference) {
                fmt::print("{}",
                           shown_text(fmt::format(
                               "{}{}  {}: {} in {}, {} in {}{}{}\n", time(difference.time),
                               difference.cycle ? fmt::format(" (cycle {})", *difference.cycle)
                                                : std::string{},
                               validator::shown_name(first_.declarations(),
                                                     pairing.pairs[difference.pair]),
                               difference.first, first_name(), difference.second, second_name(),
                               difference.where.empty() ? "" : "; ", difference.where)));
                return ++shown < options_.max_differences;
            });
        show_warnings();
        if (const int failed = complain_of_files(); failed != exit_code::fine)
            return failed;
        if (!outcome.any_time)
            return complain_of_times();
        tell_of(outcome);
        return conclude(outcome, pairing);
    }

private:
    const std::string& first_name() const { return options_.argument; }
    const std::string& second_name() const { return options_.second; }
    std::string time(vcd::Femtoseconds at) const { return vcd::time_text(at, unit_); }

    int complain_of_files() const {
        int code = exit_code::fine;
        for (const vcd::Reader* file : {&first_, &second_})
            if (const auto& problem = file->problem()) {
                show(std::vector{*problem});
                code = std::max(code, problem->code == Code::file_unreadable ? exit_code::file
                                                                             : exit_code::usage);
            }
        return code;
    }

    /// Warns of unusual things in the files, only once if a file is compared with itself.
    void show_warnings() const {
        show(first_.warnings());
        if (first_name() != second_name())
            show(second_.warnings());
    }

    /// Notes unusual things that are not a difference, even with --strict.
    static void tell_of_idle(const Pairing& pairing) {
        const auto tell = [](const char* option, const std::vector<std::string>& idle,
                             const char* where) {
            for (const std::string& each : idle)
                fmt::print(stderr, "note: {} '{}' fits no signal of {}\n", option, shown_text(each),
                           where);
        };
        tell("--map", pairing.idle_maps, "the second file");
        tell("--select", pairing.idle_select, "either file");
        tell("--ignore", pairing.idle_ignore, "either file");
    }

    int nothing_in_common(const Pairing& pairing) const {
        std::string message = fmt::format("'{}' and '{}' have no signal in common that is "
                                          "compared",
                                          first_name(), second_name());
        if (!pairing.unlike.empty())
            message += "; " + pairing.unlike.front();
        else if (const std::string map =
                     validator::suggested_map(first_.declarations(), second_.declarations());
                 !map.empty() && options_.maps.empty())
            message += fmt::format("; --map '{}' may help", map);
        report_error(Code::nothing_to_compare, std::move(message));
        return exit_code::usage;
    }

    int complain_of_times() const {
        report_error(Code::nothing_to_compare,
                     fmt::format("'{}' and '{}' have no time in common: one ends before the other "
                                 "begins",
                                 first_name(), second_name()));
        return exit_code::usage;
    }

    /// Prints a note; with --strict it counts as a difference.
    void tell(const std::string& message) {
        fmt::print(stderr, "{}: {}\n", options_.strict ? "difference" : "note",
                   shown_text(message));
        ++told_;
    }

    void tell_of(const Pairing& pairing) {
        const auto alone = [&](const std::vector<std::string>& names, const std::string& file) {
            if (!names.empty())
                tell(fmt::format("{} only in {}: {}", counted(names.size(), "signal", "signals"),
                                 file, some_of(names)));
        };
        alone(pairing.only_first, first_name());
        alone(pairing.only_second, second_name());
        for (const std::string& sentence : pairing.unlike)
            tell(sentence + ", and is not compared");
        for (const std::string& sentence : pairing.widths)
            tell(sentence + "; compared as a number");
    }

    void tell_of(const validator::Outcome& outcome) {
        if (outcome.first_goes_on || outcome.second_goes_on)
            tell(fmt::format("{} goes on, but {} ends at {}",
                             outcome.first_goes_on ? first_name() : second_name(),
                             outcome.first_goes_on ? second_name() : first_name(),
                             time(outcome.to)));
        for (const vcd::Reader* file : {&first_, &second_})
            if (file->cut())
                tell(fmt::format("{} ends within a line, which is left out",
                                 file == &first_ ? first_name() : second_name()));
        if (outcome.gaps)
            fmt::print(stderr, "note: times between $dumpoff and $dumpon are not compared\n");
    }

    int conclude(const validator::Outcome& outcome, const Pairing& pairing) const {
        const std::string compared = fmt::format(
            "{} compared from {} {} {}", counted(pairing.pairs.size(), "signal", "signals"),
            time(outcome.from), outcome.whole_end ? "to" : "to just before", time(outcome.to));
        const bool strictly = options_.strict && told_ > 0;
        if (outcome.differences == 0)
            fmt::print("{}: {}\n", strictly ? "no value differs, but see above" : "identical",
                       compared);
        else
            fmt::print("{} of {}: {}{}\n",
                       counted(outcome.differences, "difference", "differences"),
                       counted(outcome.pairs_that_differ, "signal", "signals"), compared,
                       outcome.stopped ? "; --max-differences N shows more" : "");
        return outcome.differences > 0 || strictly ? exit_code::model_failed : exit_code::fine;
    }

    const Options& options_;
    Rules rules_;
    vcd::Reader first_, second_;
    std::string_view unit_;
    std::uint64_t told_ = 0;
};

} // namespace

int diff_command(const Options& options) {
    Rules rules;
    if (const std::string problem = read_rules(options, rules); !problem.empty()) {
        report_error(Code::bad_option, problem);
        return exit_code::usage;
    }
    return DiffCommand{options, std::move(rules)}.run();
}

} // namespace sme::cli
