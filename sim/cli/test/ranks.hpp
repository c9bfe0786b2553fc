// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/test/scratch.hpp"
#include "command.hpp"

namespace sme::test {

constexpr const char* as_root = "env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ";

/// Runs a program on several ranks.
inline Command started(const std::string& launcher, unsigned ranks, const std::string& program) {
    return Command{fmt::format("{}timeout 60 {} -n {} {}", as_root, launcher, ranks, program),
                   Command::any_program};
}

/// The mpirun commands that work.
inline std::vector<std::string> find_launchers() {
    std::vector<std::string> found;
    for (const std::string mpi : {"openmpi", "mpich"}) {
        const std::string launcher =
            fmt::format("mpirun.{}{}", mpi, mpi == "openmpi" ? " --oversubscribe" : "");
        if (!std::filesystem::exists(
                fmt::format("{}/sim/mpi/libsme_mpi_{}.so", SME_BINARY_DIR, mpi)))
            MESSAGE("skipped: built without " << mpi);
        else if (started(launcher, 2, "true").exit_code != 0)
            MESSAGE("skipped: '" << launcher << "' starts no programs here");
        else
            found.push_back(launcher);
    }
    return found;
}

inline const std::vector<std::string>& launchers() {
    static const std::vector<std::string> found = find_launchers();
    return found;
}

inline Command on_ranks(const std::string& launcher, unsigned ranks, const std::string& line) {
    return started(launcher, ranks, fmt::format("{} {}", SME_COMMAND, line));
}

/// MPICH waits with all CPUs, so that more ranks than CPUs take seconds.
inline unsigned ranks_of(const std::string& launcher) {
    return contains(launcher, "mpich") ? 2 : 3;
}

/// The ranks that run a network in a folder, by rank; a rank that is gone has number 0.
inline std::vector<int> ranks_in(const std::string& folder) {
    std::vector<int> found(2);
    for (const std::filesystem::directory_entry& entry :
         std::filesystem::directory_iterator{"/proc"}) {
        const std::string number = entry.path().filename();
        std::error_code gone;
        if (number.find_first_not_of("0123456789") != std::string::npos ||
            std::filesystem::read_symlink(entry.path() / "cwd", gone) != folder)
            continue;
        const std::string variables = text_of(entry.path() / "environ");
        for (std::size_t rank = 0; rank < found.size(); ++rank)
            for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
                if (contains(variables, fmt::format("{}={}", name, rank)))
                    found[rank] = std::stoi(number);
    }
    return found;
}

} // namespace sme::test
