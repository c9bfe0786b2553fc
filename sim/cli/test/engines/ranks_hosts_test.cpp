// SPDX-License-Identifier: Apache-2.0
//
// Two ranks on two hosts: network namespaces of this machine with a link between them, as slow as
// the system can make it.
#include <filesystem>
#include <string>

#include <unistd.h>

#include "../model_copies.hpp"
#include "../outputs.hpp"
#include "../ranks.hpp"
#include "../running.hpp"

using namespace sme::test;

namespace {

constexpr const char* network = "10.231.77.";

bool done(const std::string& line) {
    return Command{line, Command::any_program}.exit_code == 0;
}

/// Two namespaces, each with a host name of its own. `start` starts a program in one of them, as
/// ssh does on a host.
class TwoHosts {
public:
    TwoHosts() {
        there_ =
            done("ip netns add " + a_) && done("ip netns add " + b_) &&
            done(fmt::format("ip link add va netns {} type veth peer name vb netns {}", a_, b_)) &&
            up(a_, "va", "1") && up(b_, "vb", "2");
        if (!there_)
            MESSAGE("skipped: there can be no network namespaces here");
        else if (!done("ip netns exec " + a_ + " tc qdisc add dev va root netem delay 1ms"))
            MESSAGE("the link between the hosts has no delay: this system cannot make one");
        folder_.write(
            "start",
            fmt::format("#!/bin/sh\n"
                        "while [ \"${{1#-}}\" != \"$1\" ]; do shift; done\n"
                        "host=$1; shift\n"
                        "case $host in {}1) name={};; *) name={};; esac\n"
                        "exec ip netns exec $name unshare -u sh -c \"hostname $name; $*\"\n",
                        network, a_, b_));
        std::filesystem::permissions(folder_.path("start"), std::filesystem::perms::owner_all);
    }
    ~TwoHosts() {
        done("ip netns del " + a_);
        done("ip netns del " + b_);
    }
    TwoHosts(const TwoHosts&) = delete;
    TwoHosts& operator=(const TwoHosts&) = delete;

    bool are_there() const { return there_; }
    void cut_link() const { done(fmt::format("ip -n {} link set vb down", b_)); }
    /// What runs our command on both.
    std::string program(const std::string& launcher) const {
        const std::string hosts = fmt::format("{0}1,{0}2", network), start = folder_.path("start");
        const std::string options =
            contains(launcher, "mpich")
                ? fmt::format("-launcher ssh -launcher-exec {} -hosts {}", start, hosts)
                : fmt::format("--mca plm_rsh_agent {} --mca btl tcp,self --mca pml ob1 "
                              "--mca oob_tcp_if_include {}0/24 --mca btl_tcp_if_include {}0/24 "
                              "--host {}",
                              start, network, network, hosts);
        return fmt::format("{}ip netns exec {} {} {} -n 2", as_root, a_, launcher, options);
    }

private:
    static bool up(const std::string& name, const std::string& device, const std::string& number) {
        return done(fmt::format("ip -n {} addr add {}{}/24 dev {}", name, network, number,
                                device)) &&
               done(fmt::format("ip -n {} link set {} up", name, device)) &&
               done(fmt::format("ip -n {} link set lo up", name));
    }

    const std::string a_ = fmt::format("sme-a-{}", ::getpid()),
                      b_ = fmt::format("sme-b-{}", ::getpid());
    Scratch folder_;
    bool there_ = false;
};

} // namespace

TEST_CASE("ranks on two hosts write the waveform of one machine") {
    const TwoHosts hosts;
    for (const std::string& launcher : launchers()) {
        if (!hosts.are_there())
            return;
        CAPTURE(launcher);
        const Scratch folder;
        const std::string line = fmt::format("run {} --cycles 60 --trace ", model("life"));
        const Command alone{line + folder.path("one.vcd")};
        const Command ranks{fmt::format("timeout 60 {} {} {}{}", hosts.program(launcher),
                                        SME_COMMAND, line, folder.path("ranks.vcd")),
                            Command::any_program};
        CAPTURE(ranks.err);
        CHECK(ranks.exit_code == 0);
        CHECK(contains(ranks.out, alone.out));
        const bool same = text_of(folder.path("one.vcd")) == text_of(folder.path("ranks.vcd"));
        CHECK(same);
    }
}

TEST_CASE("when a host stops answering, all ranks end, and no file has its final name") {
    for (const std::string& launcher : launchers()) {
        if (contains(launcher, "mpich"))
            continue; // exchanges messages through the memory of this machine, whatever the hosts
        const TwoHosts hosts;
        if (!hosts.are_there())
            return;
        CAPTURE(launcher);
        const EndlessModel model{"life"};
        Running run{model.run() + " --trace run.vcd --patience 1", model.path(),
                    hosts.program(launcher)};
        REQUIRE_MESSAGE(
            run.runs_until([&] { return size_of(model.path("run.vcd.part")) > 10'000; }),
            run.err());
        hosts.cut_link();
        // mpirun itself waits longer for the host
        CHECK(run.runs_until([&] { return ranks_in(model.path()) == std::vector<int>{0, 0}; }));
        CHECK(contains(run.err(), "so all ranks end"));
        CHECK(!std::filesystem::exists(model.path("run.vcd")));
    }
}
