// SPDX-License-Identifier: Apache-2.0
//
// Tests checkpoints with a valid checksum but with content that no run saves.
#include <algorithm>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "../command.hpp"
#include "checkpoint/checkpoint.hpp"

using namespace sme::test;

namespace {

constexpr const char* phases = R"(network: phases
types:
  Phase: [go, slow, stop]
buses:
  phase: Phase
  late: delay 4 Phase
  level: error u5
processes:
  p:
    out: [phase, late, level]
    state:
      kept: Phase
      seen: Phase[8]
      n: u5
    step:
      kept: phase
      seen[n % 8]: kept
      phase:
        match phase:
          go: slow
          slow: stop
          stop: go
      late: kept
      level: n
      n: n + 1
checks:
  - never: phase == stop and p.kept == stop
  - always: phase == go then phase == slow within 70
)";

/// Copies a checkpoint; fills one record with `byte` and corrects the checksum.
void rewrite(const std::string& from, const std::string& to, const std::string& key, int byte) {
    const sme::checkpoint::Reader reader{from};
    sme::checkpoint::Writer writer{to};
    for (const auto& [name, record] : reader.records()) {
        std::vector<char> bytes(record.bytes);
        reader.read(record, 0, bytes.data(), bytes.size());
        if (name == key)
            std::fill(bytes.begin(), bytes.end(), static_cast<char>(byte));
        writer.record(name, record.shape, bytes.size(),
                      [&](sme::Archive& archive) { archive.bytes(bytes.data(), bytes.size()); });
    }
    writer.commit();
}

/// Runs the network for the given number of cycles.
Command phases_run(const Scratch& folder, const std::string& options) {
    return Command{fmt::format("run {} {}", folder.path("network.yaml"), options)};
}

} // namespace

TEST_CASE("a checkpoint with a right checksum and values of no type is refused, or begun anew") {
    const Scratch folder;
    folder.write("network.yaml", phases);
    const std::string saved = folder.path("run.ckpt"), wrong = folder.path("wrong.ckpt");
    const std::string coverage = " --coverage " + folder.path("c.json");
    REQUIRE(phases_run(folder, "--cycles 20 --checkpoint-every 10 " + saved + coverage).exit_code ==
            0);
    const sme::checkpoint::Reader reader{saved};
    unsigned refused = 0;
    for (const auto& entry : reader.records()) {
        const std::string key{entry.first};
        if (key == "the run")
            continue;
        CAPTURE(key);
        rewrite(saved, wrong, key, 0x77);
        const Command run =
            phases_run(folder, fmt::format("--cycles 90 --resume {}{}", wrong, coverage));
        CAPTURE(run.err);
        CHECK(run.exit_code <= 2);
        if (key.starts_with("bus '") || key.starts_with("what bus '") ||
            key.starts_with("memory")) {
            CHECK(run.exit_code == 2);
            CHECK(contains(run.err, "has bits beyond "));
            ++refused;
        }
    }
    CHECK(refused >= 5);
    rewrite(saved, wrong, "bus 'phase'", 3); // no member, but a cast may give it
    CHECK(phases_run(folder, "--cycles 90 --resume " + wrong).exit_code == 0);
    rewrite(saved, wrong, "coverage", 0x77);
    CHECK(contains(phases_run(folder, "--cycles 90 --resume " + wrong + coverage).err,
                   "note: begun anew in cycle 20: "));
}
