// SPDX-License-Identifier: Apache-2.0
// The network of an H.264 encoder, with loops in place of encoding.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sme/clocked.hpp>
#include <sme/kahn_patterns.hpp>

#include "stages.hpp"
#include "support/program.hpp"
#include "support/untimed.hpp"

namespace {

using namespace models;

struct Options {
    std::uint64_t frames = 300;
    std::uint64_t workers = 1;
    std::uint64_t work = 200;
    std::uint64_t pace = 0; ///< frames a second; 0: as fast as possible
    Runners runners;
    bool clocked = false;
};

/// The rows of table 2, in hundredths of a percent: units of work per frame.
struct Row {
    const char* title;
    std::uint32_t units;
};
constexpr std::array<Row, 7> rows{{{"intra or inter", 808},
                                   {"intra analysis", 502},
                                   {"motion", 3436},
                                   {"prediction", 2383},
                                   {"macroblocks", 869},
                                   {"entropy coding", 672},
                                   {"other", 1330}}};
enum RowIndex : std::uint8_t { choice, intra, motion, prediction, macroblocks, entropy, other };

/// The network, and the table row of each process.
class Encoder {
public:
    explicit Encoder(const Options& options)
        : options_{options}, work_{static_cast<std::uint32_t>(options.work)} {
        const auto frames = static_cast<std::uint32_t>(options.frames);
        if (options.pace > 0)
            net_.add<PacedCamera>("camera", sme::real_time(), options.pace, frames,
                                  out(to("camera")));
        else
            net_.add<Camera>("camera", frames, out(to("camera")));
        stage("reorder", {"camera"}, other, 665);
        fork("reorder", {"current.me", "current.ip", "current.t"});
        fork("reference", {"reference.me", "reference.mc", "reference.ip"});
        farm("me", {"current.me", "reference.me"}, motion, 1718);
        farm("mc", {"me", "reference.mc"}, motion, 1718);
        stage("ip", {"current.ip", "reference.ip"}, intra, 502);
        stage("cip", {"mc", "ip"}, choice, 808);
        farm("p", {"cip"}, prediction, 2383);
        fork("p", {"p.t", "p.rebuild"});
        stage("t", {"current.t", "p.t"}, macroblocks, 218);
        stage("q", {"t"}, macroblocks, 217);
        fork("q", {"q.ec", "q.iq"});
        stage("ec", {"q.ec"}, entropy, 672);
        stage("iq", {"q.iq"}, macroblocks, 217);
        stage("it", {"iq"}, macroblocks, 217);
        stage("rebuild", {"it", "p.rebuild"}, other, 665); // with the deblocking filter
        net_.add<Reference>("reference", in(to("rebuild")), out(to("reference")));
        sink_ = net_.add<Sink>("sink", in(to("ec")));
    }

    const sme::KahnNetwork& network() const { return net_; }
    const sme::KahnHandle<Sink>& sink() const { return *sink_; }

    /// Returns the work done per row; `at` returns the process of a handle.
    template <class At> std::array<Effort, rows.size()> efforts(const At& at) const {
        std::array<Effort, rows.size()> sums;
        const auto add = [&](RowIndex row, const Effort& effort) {
            sums[row].units += effort.units;
            sums[row].time += effort.time;
        };
        for (const auto& [row, handle] : stages_)
            add(row, at(handle).effort);
        for (const auto& [row, handle] : workers_)
            add(row, at(handle).effort);
        return sums;
    }

private:
    /// Returns the channel with this name.
    sme::Channel<Frame> to(const std::string& name) {
        const auto found = channels_.find(name);
        return found != channels_.end()
                   ? found->second
                   : channels_.emplace(name, net_.channel<Frame>(name)).first->second;
    }
    std::vector<sme::Channel<Frame>> all(const std::vector<std::string>& names) {
        std::vector<sme::Channel<Frame>> found;
        for (const std::string& name : names)
            found.push_back(to(name));
        return found;
    }
    /// Adds a process that receives from these channels and sends to the channel with its own name.
    void stage(const std::string& name, const std::vector<std::string>& inputs, RowIndex row,
               std::uint32_t units) {
        stages_.emplace_back(row,
                             net_.add<Stage>(name, in(all(inputs)), out(to(name)), units, work_));
    }
    void fork(const std::string& name, const std::vector<std::string>& outputs) {
        net_.add<Fork>(name + ".fork", in(to(name)), out(all(outputs)));
    }
    void farm(const std::string& name, const std::vector<std::string>& inputs, RowIndex row,
              std::uint32_t units) {
        const auto workers = sme::add_workers<StageWorker, Job, std::uint64_t>(
            net_, name + ".worker", options_.workers, sme::Depth{1}, work_);
        for (const auto& worker : workers.processes)
            workers_.emplace_back(row, worker);
        net_.add<FarmedStage>(name, in(all(inputs)), out(to(name)), units, out(workers.tasks),
                              in(workers.results));
    }

    Options options_;
    Work work_;
    sme::KahnNetwork net_{"h264"};
    std::map<std::string, sme::Channel<Frame>> channels_;
    std::vector<std::pair<RowIndex, sme::KahnHandle<Stage>>> stages_;
    std::vector<std::pair<RowIndex, sme::KahnHandle<StageWorker>>> workers_;
    std::optional<sme::KahnHandle<Sink>> sink_;
};

void print(const Options& options, const std::array<Effort, rows.size()>& efforts) {
    std::chrono::nanoseconds all{0};
    std::uint64_t units = 0;
    for (const Effort& effort : efforts) {
        all += effort.time;
        units += effort.units;
    }
    std::printf("%-16s %9s %9s%s\n", "stage", "table 2", "units",
                options.clocked ? "" : "      time");
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::printf("%-16s %7.2f %% %7.2f %%", rows[k].title, rows[k].units / 100.0,
                    100.0 * static_cast<double>(efforts[k].units) / static_cast<double>(units));
        if (!options.clocked)
            std::printf(" %7.2f %%", 100.0 * static_cast<double>(efforts[k].time.count()) /
                                         static_cast<double>(all.count()));
        std::printf("\n");
    }
}

bool check(const Options& options, const Sink& sink) {
    std::printf("%u frames in order, digest %016llx\n", sink.frames,
                static_cast<unsigned long long>(sink.digest));
    return sink.in_order && sink.frames == options.frames;
}

bool run_untimed(const Options& options) {
    const Encoder encoder{options};
    sme::Untimed run{encoder.network(), options.runners.options()};
    const double seconds = seconds_of(run);
    print(options,
          encoder.efforts([&](const auto& handle) -> auto& { return run.process(handle); }));
    std::printf("%.3f s, of processors %.3f s\n", seconds,
                static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
    return check(options, run.process(encoder.sink()));
}

bool run_clocked(const Options& options) {
    if (options.pace > 0)
        throw BadInput{"--pace counts seconds; leave out --clocked"};
    const Encoder encoder{options};
    sme::Network network{"h264"};
    const sme::ClockedKahn clocked = sme::add_clocked(network, encoder.network());
    sme::Simulator simulator{network};
    simulator.run(sme::Cycles{20'000 * (options.frames + 10)}); // it halts long before
    print(options, encoder.efforts([&](const auto& handle) -> auto& {
        return clocked.process(simulator, handle);
    }));
    std::printf("%.0f cycles a frame, of 10000 units of work\n",
                static_cast<double>(simulator.cycle()) / static_cast<double>(options.frames));
    return check(options, clocked.process(simulator, encoder.sink()));
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    models::Program program{"h264", "The network of an H.264 encoder, with loops for encoding"};
    program.number("frames", options.frames, 1, 1'000'000, "how many are encoded")
        .number("workers", options.workers, 1, 1000, "of each of ME, MC and P")
        .number("work", options.work, 0, 1'000'000, "steps of a loop for a unit of work")
        .number("pace", options.pace, 0, 10'000, "frames a second; 0: as fast as possible")
        .flag("clocked", options.clocked, "a cycle for each unit of work, a processor each");
    options.runners.add_to(program);
    return program.run(
        argc, argv, [&] { return options.clocked ? run_clocked(options) : run_untimed(options); });
}
