// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/found_tests.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "trace/collect/selection.hpp"

namespace sme::cli {

namespace {

namespace fs = std::filesystem;

class Finder {
public:
    explicit Finder(const Options& options) : options_{options} {}

    int run() {
        std::vector<std::string> given = options_.networks;
        if (given.empty())
            given.emplace_back(".");
        for (const std::string& path : given) {
            std::error_code error;
            if (!fs::is_directory(path, error))
                add_network(path, true);
            else
                for (const std::string& file : files_in(path))
                    add_network(file, false);
        }
        const trace::Selection selection{options_.only};
        std::erase_if(tests_, [&](const Test& test) {
            return !selection.everything() && !selection.matches(test.selected_by());
        });
        return exit_code_;
    }

    std::vector<Test>& tests() { return tests_; }
    std::vector<Unloaded>& unloaded() { return unloaded_; }

private:
    /// Files in YAML, in order; hidden ones and those in hidden folders are left out.
    static std::vector<std::string> files_in(const std::string& folder) {
        std::vector<std::string> found;
        std::error_code error;
        fs::recursive_directory_iterator next{folder, fs::directory_options::skip_permission_denied,
                                              error};
        for (; !error && next != fs::recursive_directory_iterator{}; next.increment(error)) {
            const fs::path& path = next->path();
            if (path.filename().string().starts_with('.')) {
                if (next->is_directory(error))
                    next.disable_recursion_pending();
            } else if (const auto ending = path.extension();
                       (ending == ".yaml" || ending == ".yml") && is_network(path.string()))
                found.push_back(path.lexically_normal().string());
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    /// A file with "network: name" or "test: name"; others may be components, or not ours.
    static bool is_network(const std::string& path) {
        constexpr std::size_t most = std::size_t{16} << 20;
        const FileText file = read_text(path, most);
        const auto says = [&](const std::string& key) {
            return file.text->starts_with(key) || file.text->find('\n' + key) != std::string::npos;
        };
        return file.text && (says("network:") || (says("test:") && says("of:")));
    }

    void add_network(const std::string& path, bool named) {
        Options own = options_;
        own.network = path;
        LoadSettings settings;
        settings.analyse = false; // its tests may feed what the network leaves open
        const LoadResult result =
            load_network(own, VerilogModules::Purpose::look, std::move(settings));
        if (!result.network) {
            exit_code_ = std::max(exit_code_, result.exit_code);
            if (result.exit_code != exit_code::fine)
                unloaded_.push_back({path, result.problem});
            return;
        }
        const yaml::Design& design = result.network->design;
        const bool has_verilog = result.network->modules->any();
        if (!design.has_random && !has_verilog)
            note_seeds(path, design.tests);
        for (const yaml::TestCase& each : design.tests)
            if (options_.seed_given)
                tests_.push_back({path, each.name, options_.seed, true, has_verilog});
            else
                for (std::uint64_t k = 0; k <= each.last_seed - each.first_seed; ++k)
                    tests_.push_back({path, each.name, each.first_seed + k,
                                      each.first_seed < each.last_seed, has_verilog});
        if (!design.tests.empty())
            return;
        if (cycles_to_run(own, *result.network))
            tests_.push_back({path, "", options_.seed, options_.seed_given, has_verilog});
        else if (named) {
            const std::string problem =
                complaint(Code::bad_cycles, fmt::format("'{}' does not say how long it runs; write "
                                                        "'run: {{cycles: 1000}}', or tests",
                                                        path));
            fmt::print(stderr, "{}", problem);
            unloaded_.push_back({path, problem});
            exit_code_ = std::max(exit_code_, exit_code::usage);
        } else
            print_note(fmt::format("'{}' is left out: it does not say how long it runs", path));
    }

    /// Notes that all seeds of a test give the same run.
    static void note_seeds(const std::string& path, const std::vector<yaml::TestCase>& tests) {
        const auto found = std::find_if(tests.begin(), tests.end(), [](const yaml::TestCase& each) {
            return each.first_seed < each.last_seed && !each.has_random;
        });
        if (found != tests.end())
            print_note(fmt::format("'{}': the test '{}' has several seeds, but nothing in the "
                                   "network is random, so its runs are all the same",
                                   path, found->name));
    }

    const Options& options_;
    std::vector<Test> tests_;
    std::vector<Unloaded> unloaded_;
    int exit_code_ = exit_code::fine;
};

} // namespace

std::vector<Test> find_tests(const Options& options, int& exit_code,
                             std::vector<Unloaded>& unloaded) {
    Finder finder{options};
    exit_code = finder.run();
    unloaded = std::move(finder.unloaded());
    return std::move(finder.tests());
}

} // namespace sme::cli
