// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <optional>
#include <utility>

#include "cli/command_table.hpp"
#include "cli/commands/channel_watches.hpp"
#include "cli/commands/one_run.hpp"
#include "cli/commands/ranks.hpp"
#include "cli/commands/runs.hpp"
#include "cli/findings.hpp"
#include "cli/reports/unloaded.hpp"

namespace sme::cli {

int run_command(const Options& options) {
    int failed = exit_code::fine;
    const std::unique_ptr<mpi::Connection> ranks = connect_ranks(options, failed);
    if (failed != exit_code::fine)
        return failed;
    if (options.untimed)
        return run_untimed(options);
    catch_signals();
    const Run::Clock::time_point begin = Run::Clock::now();
    Options own = options;
    RunCheckpoints checkpoints;
    const bool opened = checkpoints.open(own);
    const ChannelWatches watches{own};
    LoadSettings settings = watches.settings();
    settings.ranks = ranks.get();
    session::RunDigest digest;
    settings.digest = ranks ? &digest : nullptr;
    LoadResult result{{}, exit_code::usage, {}, false};
    if (opened)
        result = load_network(own, VerilogModules::Purpose::run, std::move(settings));
    std::optional<Loaded>& loaded = result.network;
    if (!loaded && result.exit_code != exit_code::fine && (!ranks || ranks->rank() == 0))
        write_unloaded(own, result.problem);
    if (ranks && !all_loaded(*ranks, loaded.has_value()))
        return loaded ? exit_code::usage : result.exit_code;
    if (!loaded)
        return result.exit_code;
    std::string partition;
    failed = read_partition_file(own, !ranks, partition);
    if (ranks && failed != exit_code::fine)
        ranks->end_all(failed);
    digest.add("the number of cycles", cycles_to_run(own, *loaded).value_or(0));
    digest.add("the checkpoint", checkpoints.checksum());
    digest.add("the file of --partition", partition);
    if (ranks && !all_equal(*ranks, digest))
        return exit_code::usage;
    if (ranks && ranks->rank() > 0)
        return follow_run(own, *loaded, checkpoints, partition, *ranks);
    if (failed == exit_code::fine)
        failed = watches.give(*loaded);
    Run run{own,        *loaded, Run::Clock::now() - begin, checkpoints, std::move(partition),
            ranks.get()};
    const int code = failed == exit_code::fine ? run.carry_out() : failed;
    if (ranks && !run.has_finished()) // the others wait for this rank
        ranks->end_all(code);
    return ranks ? agreed_exit_code(code, *ranks) : code;
}

} // namespace sme::cli
