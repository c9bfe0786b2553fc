// SPDX-License-Identifier: Apache-2.0
#include "session/output_claims.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "base/codes.hpp"

namespace sme::session {

namespace {

/// True if each complete line has as many cells of numbers and names as the first.
bool is_table(std::string_view text) {
    std::size_t commas = std::string_view::npos;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ','));
        const auto is_plain = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view{"_.[],-+"}.find(c) != std::string_view::npos;
        };
        if (line.empty() || (commas != std::string_view::npos && count != commas) ||
            !std::all_of(line.begin(), line.end(), is_plain))
            return false;
        commas = count;
    }
    return commas != std::string_view::npos;
}

/// CSV rows with these columns; an existing .csv file may have other columns.
FileAccess::Wish rows_file(std::string path, const std::vector<std::string>& columns) {
    FileAccess::Wish made;
    made.fits = [header = fmt::format("{}\n", fmt::join(columns, ",")),
                 csv = path.ends_with(".csv") || path.ends_with(".csv.part") ||
                       path.ends_with(".csv.earlier")](std::string_view begin) {
        return begin.starts_with(header) || (csv && is_table(begin));
    };
    made.path = std::move(path);
    made.what = "a file of recorded rows";
    return made;
}

} // namespace

std::shared_ptr<FileAccess> file_access(const std::string& network,
                                        const std::map<std::string, std::string>& parameters,
                                        const std::vector<std::string>& allowed) {
    auto made = std::make_shared<FileAccess>();
    const std::string folder = std::filesystem::path{network}.parent_path().string();
    made->allow(folder.empty() ? "." : folder);
    made->allow(".");
    for (const std::string& path : allowed)
        made->allow(path);
    std::error_code error;
    for (const auto& [name, value] : parameters)
        if (!value.empty() && !std::filesystem::is_directory(value, error))
            made->allow(value);
    return made;
}

bool claim_output(FileAccess& files, const FileAccess::Wish& wish, const Location& where,
                  Diagnostics& diagnostics) {
    std::string problem;
    const FileAccess::Refusal refusal = files.claim(wish, problem);
    if (refusal == FileAccess::Refusal::none)
        return true;
    diagnostics.add(refusal == FileAccess::Refusal::outside ? Code::outside_folder
                                                            : Code::not_overwritten,
                    where, problem);
    return false;
}

bool claim_recording(FileAccess& files, const expr::Recording& recording, bool resumes,
                     Diagnostics& diagnostics) {
    FileAccess::Wish wish = rows_file(recording.path, recording.columns);
    wish.by_network = true;
    if (!claim_output(files, wish, recording.where, diagnostics))
        return false;
    return !resumes ||
           claim_output(files, rows_file(recording.path + ".earlier", recording.columns),
                        recording.where, diagnostics);
}

} // namespace sme::session
