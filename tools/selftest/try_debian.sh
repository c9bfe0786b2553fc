#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/try-debian rejects requests that it cannot carry out before it creates anything. To test
# that it works, run tools/try-debian 12 and 13 on a machine with a network.
set -eu

tool=$(dirname "$(dirname "$(readlink -f "$0")")")/try-debian
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# refuses <exit code> <what it says> <arguments>...
refuses() {
    wanted=$1 text=$2 status=0
    shift 2
    said=$("$@" 2>&1) || status=$?
    case $status:$said in
        "$wanted:"*"$text"*) ;;
        *) echo "'$*' ended with $status and said '$said'"; exit 1 ;;
    esac
}

sh -n "$tool"
refuses 2 'it needs a release' "$tool"
refuses 2 'it needs a release' "$tool" 11
refuses 2 "unknown option '--fresh'" "$tool" 13 --in "$folder" --fresh
if [ "$(id -u)" = 0 ]; then
    nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
    # shellcheck disable=SC2086  # several words; who else may not read this folder, tries nothing
    ! $nobody test -r "$tool" || refuses 3 'which takes root' $nobody sh "$tool" 13 --in "$folder"
else
    refuses 3 'which takes root' "$tool" 13 --in "$folder"
fi
[ -z "$(ls "$folder")" ] || { echo 'it made something'; exit 1; }
