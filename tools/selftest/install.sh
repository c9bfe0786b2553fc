#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Tests tools/sme: --install prints the location of each file and how to find it; an installation
# works for a program outside the tree, through CMake and pkg-config, also after it was moved; the
# installed command finds its standard library and the other programs, which a clone builds on first
# use; a user without write access to the clone runs the existing release; a build that is up to date
# prints nothing on a terminal; packages that are installed after the first build compile nothing
# again, and an MPI among them gets its plug-in.
set -eu

root=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$root/tools/sme" --install "$scratch/first" >"$scratch/said"
says() {
    grep -qxF "$1" "$scratch/said" && return
    echo "--install does not print '$1', but:"
    cat "$scratch/said"
    exit 1
}
says "installed in $scratch/first:"
says "for the command 'sme', put this into ~/.profile: export PATH=\"$scratch/first/bin:\$PATH\""
says "for C++ projects: cmake -DCMAKE_PREFIX_PATH=\"$scratch/first\""
[ "$(grep -c '^  ' "$scratch/said")" = 7 ] || { echo 'files are missing:'; cat "$scratch/said"; exit 1; }
grep '^  ' "$scratch/said" | while read -r file text; do
    [ -e "$scratch/first/$file" ] || { echo "'$file', $text, is not there"; exit 1; }
done
if grep -v "^$scratch/first/" "$root/build/release/install_manifest.txt"; then
    echo 'these files are installed outside the folder'
    exit 1
fi
mv "$scratch/first" "$scratch/moved"

cmake -G Ninja -S "$root/tools/selftest/consumer" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$scratch/moved" >"$scratch/log" || { cat "$scratch/log"; exit 1; }
cmake --build "$scratch/build"
"$scratch/build/consumer"
if [ -x "$scratch/build/with_module" ]; then
    "$scratch/build/with_module"
else
    echo "skipped: a Verilog module as a class, for want of Verilator"
fi

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name sme.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags
g++ -std=c++20 "$root/tools/selftest/consumer/main.cpp" $(pkg-config --cflags --libs sme) \
    -o "$scratch/by-pkg-config"
"$scratch/by-pkg-config"

cat >"$scratch/moved/share/sme/std/only_installed.yaml" <<'END'
component: only_installed
out:
  y: u8
step:
  y: y + 1
END
cat >"$scratch/network.yaml" <<'END'
network: n
import: [std/only_installed.yaml]
buses:
  y: u8
processes:
  p:
    use: only_installed
    out: y
checks:
  - at 3: y == 3
END
"$scratch/moved/bin/sme" run "$scratch/network.yaml" --cycles 4
"$scratch/moved/bin/sme" validate "$scratch/network.yaml" --cycles 4 --orders 1
"$scratch/moved/bin/sme" verilog "$scratch/network.yaml" --cycles 4 -o "$scratch/verilog"
"$scratch/build/network_file" "$scratch/network.yaml"
[ -s "$scratch/moved/share/man/man1/sme.1" ] || { echo 'no manual page is installed'; exit 1; }

rm "$root/build/release/sim/cli/sme-analysis" # as before a command first needs it
"$root/tools/sme" validate "$root/models/running_sum/network.yaml" --orders 1 2>"$scratch/said" ||
    { cat "$scratch/said"; exit 1; }
grep -q "^note: building what 'sme validate' needs, once; this takes about [0-9]* seconds\$" "$scratch/said" ||
    { echo 'a program is built without a note:'; cat "$scratch/said"; exit 1; }

# Packages of the tests that the build can use, such as MPI, join it in this call, not in the next.
touch "$root/tools/cmake/Summary.cmake" # the build re-reads its description
version=$("$root/tools/sme" --version)
touch "$root/tools/cmake/Summary.cmake"
heard=$(TERM=dumb script -qec "'$root/tools/sme' --version" /dev/null </dev/null | tr -d '\r')
[ "$heard" = "$version" ] || { echo "a terminal hears '$heard'"; exit 1; }

as_other='setpriv --reuid=65534 --regid=65534 --clear-groups'
if [ "$(id -u)" = 0 ] && $as_other test -x "$root/tools/sme" 2>/dev/null; then
    heard=$($as_other "$root/tools/sme" --version)
    [ "$heard" = "$version" ] || { echo "another user hears '$heard'"; exit 1; }
else
    echo "skipped: another user's call, which takes root and a clone that others may read"
fi

# compiled <option>...: configures the release and prints the calls of the compiler for all objects.
compiled() {
    cmake --preset release -S "$root" -B "$scratch/later" "$@" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; exit 1; }
    ninja -C "$scratch/later" -t commands install_targets | grep ' -c ' | sort
}
compiled -DCCACHE_EXECUTABLE=CCACHE_EXECUTABLE-NOTFOUND -DSME_MPI=OFF -DSME_SYSTEMC=OFF >"$scratch/before"
compiled -DSME_MPI=AUTO -DSME_SYSTEMC=AUTO >"$scratch/after"
[ -s "$scratch/before" ] && cmp "$scratch/before" "$scratch/after" ||
    { echo 'packages that are installed later compile everything again'; exit 1; }

. "$root/tools/packages.sh"
if sme_have mpi openmpi; then
    release=$root/build/release plugin=$root/build/release/sim/mpi/libsme_mpi_openmpi.so
    cmake "$release" -DSME_MPI=OFF >"$scratch/log" # then as if there had been no MPI
    sed -i 's/^SME_MPI:STRING=OFF/SME_MPI:STRING=AUTO/; s/^\(SME_MPICC_.*\)=.*/\1=NOTFOUND/' "$release/CMakeCache.txt"
    rm -f "$plugin"
    touch "$release/build.ninja"
    "$root/tools/sme" --version >"$scratch/said"
    [ -e "$plugin" ] || { echo 'MPI that was installed later gets no plug-in'; exit 1; }
else
    echo "skipped: a plug-in for an MPI that was installed later, for want of Open MPI"
fi
