#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed library serves a program outside the tree: through CMake and through pkg-config,
# also after the installation was moved; the installed command finds the standard library beside it.
#   install.sh BUILD_FOLDER BUILD_TYPE
set -eu

build=$1
consumer=$(dirname "$(readlink -f "$0")")/consumer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --component library --prefix "$scratch/first" >"$scratch/log"
mv "$scratch/first" "$scratch/moved"

cmake -G Ninja -S "$consumer" -B "$scratch/build" -DCMAKE_BUILD_TYPE="$2" \
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
g++ -std=c++20 "$consumer/main.cpp" $(pkg-config --cflags --libs sme) -o "$scratch/by-pkg-config"
"$scratch/by-pkg-config"

cmake --install "$build" --component command --prefix "$scratch/command" >"$scratch/log"
cat >"$scratch/command/share/sme/std/only_installed.yaml" <<'END'
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
"$scratch/command/bin/sme" run "$scratch/network.yaml" --cycles 4
