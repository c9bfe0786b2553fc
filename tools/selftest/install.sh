#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The installed library serves a program outside the tree: through CMake and through pkg-config,
# also after the installation was moved.
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

PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name sme.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags
g++ -std=c++20 "$consumer/main.cpp" $(pkg-config --cflags --libs sme) -o "$scratch/by-pkg-config"
"$scratch/by-pkg-config"
