// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include <unistd.h>

#include "fst/api.hpp"
#include "fst/confine.hpp"
#include "fst/read_process.hpp"
#include "fst/session.hpp"

namespace sme::fst {

namespace {

/// How long the library may compute without writing text, in a file of that size. It unpacks a
/// section in that time; a damaged file lets it do so for ever.
std::chrono::milliseconds patience(std::uint64_t file_bytes) {
    constexpr std::uint64_t least = 800, bytes_a_ms = 500, most = 20'000;
    return std::chrono::milliseconds{std::min(least + file_bytes / bytes_a_ms, most)};
}

Session* watched = nullptr; // in the process that reads

void look_for_text(int) {
    static std::uint64_t before = 0;
    if (std::exchange(before, watched->written_out()) == watched->written_out())
        ::_exit(endless);
}

Exit write_text(const std::string& path) {
    void* const reader = fstReaderOpen(path.c_str());
    std::FILE* const text = ::fdopen(text_at, "wb");
    if (!reader || !text)
        return damaged;
    fstReaderSetVcdExtensions(reader, 1); // or comments are left out
    if (!fstReaderProcessHier(reader, text) || std::fflush(text) != 0)
        return damaged;
    fstReaderSetFacProcessMaskAll(reader); // all signals, of which it makes a list with the names
    if (!fstReaderIterBlocks(reader, nullptr, nullptr, text) || fstReaderGetFseekFailed(reader))
        return damaged;
    std::fprintf(
        text, "#%llu\n",
        static_cast<unsigned long long>(fstReaderGetEndTime(reader))); // or nothing says it
    return std::fflush(text) == 0 ? fine : damaged;
}

Exit read_file(const std::string& path, bool has_names) {
    Session session{[&](const char* wanted, const char*) -> std::FILE* {
        // names that lie beside a whole file belong to another, and are not open
        const int open = wanted == path                          ? file_at
                         : has_names && wanted == path + ".hier" ? names_at
                                                                 : -1;
        const int copy = open < 0 ? -1 : ::dup(open);
        if (copy < 0)
            return nullptr;
        ::lseek(copy, 0, SEEK_SET);
        return ::fdopen(copy, "rb");
    }};
    watched = &session;
    const Session::Use use{session};
    try {
        return write_text(path);
    } catch (const Session::Failure& failure) {
        return failure.error == ENOMEM ? no_memory : damaged;
    }
}

} // namespace

Exit write_as_text(const std::array<int, 3>& files, const std::string& path,
                   std::uint64_t file_bytes) {
    confine(files, file_bytes, look_for_text, patience(file_bytes));
    return read_file(path, files[2] >= 0);
}

} // namespace sme::fst
