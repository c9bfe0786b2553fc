#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# On a system that has nothing of SME: installs the packages in build/dist that fit it, and uses them.
# tools/release try calls it, on a fresh Debian.
set -eu

root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
models=$root/models
. /etc/os-release
work=$(mktemp -d)
cd "$work"

say() {
    echo "packages: $*"
}

install() {
    apt-get -q -y install --no-install-recommends "$@" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
}

apt-get -q update >/dev/null
install python3-venv

# The wheel: a waveform without a compiler.
started=$(date +%s%N)
python3 -m venv venv
venv/bin/pip install --quiet --only-binary :all: --find-links "$root/build/dist" sme-simulator
venv/bin/python - "$models" <<'P'
import sys
import sme

with sme.load(sys.argv[1] + "/running_sum/network.yaml", trace="wave.vcd") as sim:
    rows = sim.run(8, record="total")
    assert rows["total"]["value"].tolist()[-1] == 15, rows
net = sme.Network("queue", imports=["std/stream.yaml", "std/fifo.yaml"])
a, b = net.bus("a", "Stream(u8)"), net.bus("b", "Stream(u8)")
net.instance("queue", "fifo", parameters={"T": "u8"}, reads={"x": a}, writes={"y": b})


async def test(dut):
    await dut.send(dut.a, 7)
    return await dut.receive(dut.b)


assert net.load().bench(test) == 7
assert all(result.state == "passed" for result in sme.test(sys.argv[1] + "/running_sum"))
P
[ -s wave.vcd ]
say "wheel: from an empty folder to a waveform in $((($(date +%s%N) - started) / 1000000)) ms; compiler: $(command -v cc || echo none)"
for line in run validate 'verilog -o rtl'; do # by each of the three programs
    # shellcheck disable=SC2086  # several words
    venv/bin/sme $line "$models/running_sum/network.yaml"
done
if ! command -v cc >/dev/null; then
    ! venv/bin/sme run "$models/fir/network.yaml" --engine native 2>error || exit 1
    grep 'needs a C compiler' error
fi

# The Debian packages.
set -- "$root/build/dist/debian-$VERSION_ID"/*.deb
[ -e "$1" ] || { say "no packages for Debian $VERSION_ID"; exit 0; }

# The command alone, without the packages that it recommends: it runs, and names what is missing.
install "$root/build/dist/debian-$VERSION_ID"/sme_*.deb
sme run "$models/fir/network.yaml" --trace fir.vcd --engine auto
[ -s fir.vcd ]
sme diff fir.vcd fir.vcd
sme vhdl "$models/running_sum/network.yaml" -o vhdl
for line in "run $models/fir/network.yaml --engine native" "graph $models/fir/network.yaml -o fir.svg"; do
    # shellcheck disable=SC2086  # several words
    ! sme $line 2>error || { say "'sme $line' needs nothing"; exit 1; }
    grep 'apt-get install' error
done

install "$@" g++ make cmake pkg-config
sme version
sme run "$models/fir/network.yaml" --trace fir.vcd --engine native
[ -s fir.vcd ]
dpkg -L sme | grep -q man1/sme.1
cat >counter.cpp <<'C'
#include <iostream>
#include <sme/load.hpp>

int main(int, char** arguments) {
    sme::LoadedNetwork network = sme::load(arguments[1]);
    sme::Simulator simulator{network};
    simulator.run(sme::Cycles{8});
    std::cout << "cycle " << simulator.cycle() << '\n';
}
C
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.25)
project(counter CXX)
find_package(sme REQUIRED)
add_executable(counter counter.cpp)
target_link_libraries(counter PRIVATE sme::load)
C
cmake -B build . >"$work/log"
cmake --build build >"$work/log"
build/counter "$models/running_sum/network.yaml"
printf '#include <sme/sme.hpp>\nint main() { sme::Network network{"empty"}; }\n' >empty.cpp
# shellcheck disable=SC2046  # a list of options
g++ -std=c++20 empty.cpp $(pkg-config --cflags --libs --static sme) -o empty && ./empty
say "Debian packages: the command, find_package and pkg-config work"
