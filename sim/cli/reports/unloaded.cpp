// SPDX-License-Identifier: Apache-2.0
#include "cli/reports/unloaded.hpp"

#include <nlohmann/json.hpp>

#include "base/codes.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "cli/reports/test_reports.hpp"

namespace sme::cli {

void write_unloaded(const Options& options, const std::string& problem) {
    using Json = nlohmann::ordered_json;
    TestReport report;
    report.title = "sme run";
    report.command = command_line(options.words);
    report.tests.push_back({options.network, "", TestResult::State::not_loaded, 0, problem, ""});
    Json results{{"format", "sme results 1"}, {"network", ""}};
    results["parameters"] = options.parameters;
    results["seed"] = options.run.seed;
    results["cycles"] = 0;
    results["ending"] = "not-loaded";
    results["passed"] = false;
    results["faults"] = Json::array({problem});
    results["checks"] = results["outputs"] = Json::array();
    const std::shared_ptr<FileAccess> files = file_access(options);
    const auto write = [&](const FileAccess::WriteRequest& wish, const std::string& text) {
        if (wish.path.empty() || claim_output(*files, wish) != exit_code::fine)
            return;
        OutputFile file{wish.path};
        file.write(text);
        if (!file.commit())
            report_error(Code::file_unwritable, file.problem());
    };
    write(results_file(options.results),
          results.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    write(junit_file(options.junit), report.junit());
    write(report_file(options.page), report.page());
}

} // namespace sme::cli
