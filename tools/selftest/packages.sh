#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A tool names every package that it lacks with the reason, and exits with 3 if it cannot install
# it.
set -eu

tools=$(dirname "$(dirname "$(readlink -f "$0")")")
SME_ROOT=$(mktemp -d)
trap 'rm -rf "$SME_ROOT"' EXIT
mkdir "$SME_ROOT/tools" "$SME_ROOT/bin"
cp "$tools/packages.sh" "$SME_ROOT/tools/"
for command in sh cut tr mkdir id flock; do # a machine without a compiler, apt-get or sudo
    ln -s "$(command -v $command)" "$SME_ROOT/bin/$command"
done

status=0
said=$(PATH=$SME_ROOT/bin SME_ROOT=$SME_ROOT sh -eu -c '. "$SME_ROOT/tools/packages.sh"; sme_need build' 2>&1) ||
    status=$?
[ $status = 3 ] || { echo "ended with $status, not 3"; exit 1; }
for line in 'sme: missing g++: compiles the simulator' 'sme: missing ninja-build: runs the build' \
    'sme: missing libyaml-dev: reads networks in YAML'; do
    case $said in
        *"$line"*) ;;
        *)
            echo "did not say '$line', but: $said"
            exit 1
            ;;
    esac
done
[ ! -e "$SME_ROOT/build/packages-build" ] || { echo 'left a stamp behind'; exit 1; }
