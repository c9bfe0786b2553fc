// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/failed_tests.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "cli/findings.hpp"
#include "cli/output_files.hpp"
#include "session/loading.hpp"

namespace sme::cli {

namespace fs = std::filesystem;

FailedTests::FailedTests() {
    std::error_code error;
    const std::string folder = session::cache_folder("tests"), here = fs::current_path(error);
    if (error || !own_folder(folder).empty())
        return;
    file_ = folder + "/" + DiskCache::key_of(here);
    constexpr std::size_t most = std::size_t{16} << 20;
    std::istringstream lines{read_text(file_, most).text.value_or("")};
    for (std::string line; std::getline(lines, line);)
        labels_.insert(line);
}

void FailedTests::select(std::vector<Test>& tests) const {
    const auto failed = [&](const Test& test) { return labels_.contains(test.label()); };
    if (std::none_of(tests.begin(), tests.end(), failed))
        print_note("no failed test is known here, so all of them run");
    else
        std::erase_if(tests, [&](const Test& test) { return !failed(test); });
}

void FailedTests::note(const std::string& label, bool failed) {
    if (failed)
        labels_.insert(label);
    else
        labels_.erase(label);
}

void FailedTests::keep() const {
    if (file_.empty())
        return;
    OutputFile file{file_};
    file.write(fmt::format("{}\n", fmt::join(labels_, "\n")));
    file.commit();
}

} // namespace sme::cli
