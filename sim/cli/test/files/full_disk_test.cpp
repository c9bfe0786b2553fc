// SPDX-License-Identifier: Apache-2.0
//
// Tests full disks: a full device, a limit on file sizes, and a small file system in memory that is
// or becomes full. Each run ends with 4 and names the file and the reason. Files that grow during
// the run keep their content so far, and no partial file looks complete.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "../outputs.hpp"

namespace {

using namespace sme::test;
namespace fs = std::filesystem;

/// Runs a shell line in a folder.
Command in(const Scratch& folder, const std::string& line) {
    return Command{"cd " + folder.path() + " && " + line, Command::any_program};
}

void check_said(const Command& run, const std::string& file, const std::string& reason) {
    CHECK(run.exit_code == 4);
    CHECK_MESSAGE(contains(run.err, "error: cannot write '"), run.err);
    CHECK_MESSAGE(contains(run.err, file + "': " + reason), run.err);
    CHECK(contains(run.err, " [file-unwritable]\n"));
}

/// Checks that the written part of an output is kept, and that the run stopped early.
void check_kept(const Output& output, const std::string& folder, const Command& run) {
    const std::string path = folder + "/" + output.file, part = path + ".part";
    CHECK_FALSE(fs::exists(path));
    REQUIRE(fs::exists(part));
    CHECK(contains(run.err, "; the earlier lines are in '"));
    CHECK(contains(run.err, output.file + std::string{".part' [file-unwritable]\n"}));
    CHECK(contains(run.out, ", interrupted\n"));
    CHECK(text_of(part).back() == '\n');
    if (output.format == Format::vcd)
        check_vcd(part, true);
    else
        check_csv(part);
}

/// The arguments of a run with only this output; a long run for a growing output.
std::string run_with(const EndlessModel& model, const Output& output) {
    return SME_COMMAND " " + (output.appears == Output::grows ? model.run() : model.run("1000")) +
           options_of(output);
}

/// Runs a line in a small file system, which holds a copy of the model and in which the setup ran;
/// copies the remaining files into the folder "left". Needs no privileges if users may create
/// namespaces.
class SmallDisk {
public:
    static bool can_be() {
        static const bool can =
            std::system("unshare -rm sh -c 'mount -t tmpfs -o size=64k none /mnt' 2>/dev/null") ==
            0;
        if (!can)
            MESSAGE("skipped: no file system in memory can be mounted here");
        return can;
    }
    SmallDisk(const Scratch& from, const Scratch& into, const std::string& setup,
              const std::string& line)
        : run_{"unshare -rm sh -c 'mkdir " + into.path("disk") +
                   "; mount -t tmpfs -o size=700k none " + into.path("disk") + " && cd " +
                   into.path("disk") + " && cp -r " + from.path() + "/. . && { " + setup + "; }; " +
                   line + "; code=$?; rm -f filler; cp -r . " + into.path("left") + "; exit $code'",
               Command::any_program} {}
    const Command& run() const { return run_; }

private:
    Command run_;
};

const char* const fill = "cat /dev/zero >filler 2>/dev/null";

} // namespace

TEST_CASE("a device that is full, in the place of each output") {
    for (const Output& output : outputs) {
        CAPTURE(output.file);
        if (output.file == std::string{"schedule.json"})
            continue; // an existing schedule is read
        const EndlessModel folder{"life"};
        fs::create_symlink("/dev/full", folder.path(output.file));
        const Command run = in(folder, run_with(folder, output));
        check_said(run, output.file, "No space left on device");
        CHECK(fs::is_symlink(folder.path(output.file)));
        CHECK_FALSE(fs::exists(folder.path(std::string{output.file} + ".part")));
    }
}

TEST_CASE("a device that is full, in the place of what other commands write") {
    const EndlessModel folder{"life"};
    fs::create_directories(folder.path("written/values"));
    for (const char* file : {"picture.dot", "save.gtkw", "written/life.v", "written/life_bench.v"})
        fs::create_symlink("/dev/full", folder.path(file));
    check_said(in(folder, SME_COMMAND " graph network.yaml -o picture.dot"), "picture.dot",
               "No space left on device");
    check_said(
        in(folder, SME_COMMAND " view network.yaml --cycles 10 --no-open --overwrite -o save.gtkw"),
        "save.gtkw", "No space left on device");
    check_said(in(folder, SME_COMMAND " verilog network.yaml -o written --cycles 10"),
               "written/life.v", "No space left on device");
    fs::remove(folder.path("written/life.v"));
    check_said(in(folder, SME_COMMAND " verilog network.yaml -o written --cycles 10"),
               "written/life_bench.v", "No space left on device");
    CHECK_FALSE(fs::exists(folder.path("written/files.f")));
}

TEST_CASE("a limit on the size of files ends a run, and what fitted is kept") {
    for (const char* model : {"life", "ripple", "riscv"})
        for (const Output& output : outputs) {
            if (output.appears != Output::grows)
                continue;
            CAPTURE(model);
            CAPTURE(output.file);
            const EndlessModel folder{model};
            const Command run = in(folder, "ulimit -f 100 && " + run_with(folder, output));
            check_said(run, output.file, "File too large");
            check_kept(output, folder.path(), run);
            CHECK(size_of(folder.path(std::string{output.file} + ".part")) <= 100 * 1024);
        }
}

TEST_CASE("a disk that fills up while a network runs") {
    if (!SmallDisk::can_be())
        return;
    for (const char* model : {"life", "riscv"})
        for (const Output& output : outputs) {
            if (output.appears != Output::grows)
                continue;
            CAPTURE(model);
            CAPTURE(output.file);
            const EndlessModel folder{model};
            const Scratch left;
            const SmallDisk disk{folder, left, "true", run_with(folder, output)};
            check_said(disk.run(), output.file, "No space left on device");
            check_kept(output, left.path("left"), disk.run());
        }
}

TEST_CASE("a disk that is full before a file is written leaves nothing of it") {
    if (!SmallDisk::can_be())
        return;
    const EndlessModel folder{"ripple"};
    for (const Output& output : outputs) {
        if (output.appears == Output::grows)
            continue;
        CAPTURE(output.file);
        const Scratch left;
        const SmallDisk disk{folder, left, fill,
                             SME_COMMAND " " + folder.run("1000") + options_of(output)};
        check_said(disk.run(), output.file, "No space left on device");
        CHECK_FALSE(fs::exists(left.path("left/" + std::string{output.file})));
    }
    for (const auto& [arguments, file] :
         {std::pair{"graph network.yaml -o picture.dot", "picture.dot"},
          std::pair{"verilog network.yaml -o written --cycles 3", "written/adder.v"},
          std::pair{"vhdl network.yaml -o written --cycles 3", "written/adder.vhd"},
          std::pair{"view kept.vcd --no-open -o save.gtkw", "save.gtkw"}}) {
        const std::string line = arguments;
        CAPTURE(line);
        const Scratch left;
        const SmallDisk disk{folder, left,
                             SME_COMMAND " " + folder.run("3") + " --trace kept.vcd; " + fill,
                             SME_COMMAND " " + line};
        CHECK_MESSAGE(disk.run().exit_code == 4, disk.run().err);
        CHECK_MESSAGE(contains(disk.run().err, "No space left on device"), disk.run().err);
        CHECK_FALSE(fs::exists(left.path("left/" + std::string{file})));
        CHECK_FALSE(fs::exists(left.path("left/written/files.f")));
    }
}

TEST_CASE("a run without a clock and without an end stops when its output cannot grow") {
    const Scratch folder;
    folder.write("n.yaml", "network: n\nchannels: {a: u8}\nprocesses:\n"
                           "  source:\n    out: a\n    state: {k: u8}\n    step:\n      a: k\n"
                           "      k: k + 1\noutputs: {a.csv: {record: a}}\n");
    for (const char* runners : {"1", "2"}) {
        const Command run = in(
            folder,
            std::string{"ulimit -f 64; " SME_COMMAND " run --untimed n.yaml --runners "} + runners);
        check_said(run, "a.csv", "File too large");
        CHECK_FALSE(fs::exists(folder.path("a.csv")));
        check_csv(folder.path("a.csv.part"));
    }
}

TEST_CASE("a full or read-only cache or temporary folder is named, or done without") {
    if (!SmallDisk::can_be())
        return;
    const Scratch folder;
    folder.write("counts.v", "module counts(input wire clk, output reg [7:0] y = 0);\n"
                             "  always @(posedge clk) y <= y + 1;\nendmodule\n");
    folder.write("v.yaml", "network: v\nbuses: {y: u8}\nprocesses:\n  p:\n"
                           "    verilog: {files: counts.v, top: counts}\n    out: {y: y}\n"
                           "checks:\n  - cover: y == 3\n");
    folder.write("n.yaml", "network: n\nbuses: {y: u8}\nprocesses:\n  p:\n    out: y\n"
                           "    state: {n: u8}\n    step:\n      n: n + 1\n      y: n\n"
                           "checks:\n  - cover: y == 3\n");
    struct Case {
        const char* mount;
        const char* setting;
        const char* line;
        int exit_code;
        const char* text;
    };
    const char* const full = "mount -t tmpfs -o size=64k none /mnt && "
                             "{ head -c 100000 /dev/zero >/mnt/fill 2>/dev/null || :; }";
    const char* const fixed = "mount -t tmpfs none /mnt && mount -o remount,ro /mnt";
    const char* const no_space = "No space left on device";
    const char* const read_only = "Read-only file system";
    for (const Case& given : {
             Case{full, "XDG_CACHE_HOME=/mnt", "run v.yaml --cycles 9", 3, no_space},
             Case{full, "TMPDIR=/mnt", "run v.yaml --cycles 9", 3, no_space},
             Case{fixed, "XDG_CACHE_HOME=/mnt", "run v.yaml --cycles 9", 3, read_only},
             Case{fixed, "TMPDIR=/mnt", "run v.yaml --cycles 9", 3, read_only},
             Case{full, "XDG_CACHE_HOME=/mnt", "run n.yaml --cycles 9 --engine native", 3,
                  no_space},
             Case{full, "TMPDIR=/mnt", "run n.yaml --cycles 9 --engine native", 3, no_space},
             Case{fixed, "XDG_CACHE_HOME=/mnt", "run n.yaml --cycles 9 --engine native", 0,
                  read_only},
             Case{fixed, "XDG_CACHE_HOME=/mnt", "debug n.yaml --commands /dev/null", 0, ""},
             Case{full, "TMPDIR=/mnt", "run n.yaml --cycles 9 --trace n.fst", 0, ""},
         }) {
        CAPTURE(given.setting);
        CAPTURE(given.line);
        const Command run = in(folder, std::string{"unshare -rm sh -c '"} + given.mount +
                                           " && env XDG_CACHE_HOME=" + folder.path("cache") + " " +
                                           given.setting + "  " SME_COMMAND " " + given.line + "'");
        CHECK_MESSAGE(run.exit_code == given.exit_code, run.err);
        CHECK_MESSAGE(contains(run.err, given.text), run.err);
    }
}
