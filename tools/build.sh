# SPDX-License-Identifier: Apache-2.0
# Configures and builds a preset; the tools in this folder source it after packages.sh (POSIX sh).
# All output goes to standard error: a progress line on a terminal, otherwise only the log of a
# failure.

# sme_quietly <what> <command>...: runs the command; shows its output on a terminal or if it fails.
sme_quietly() {
    what=$1
    shift
    if [ -t 2 ]; then
        NINJA_STATUS="$what [%f/%t] " "$@" </dev/null >&2 && return 0
    else
        log=$SME_ROOT/build/log-$$
        if "$@" </dev/null >"$log" 2>&1; then
            rm -f "$log"
            return 0
        fi
        cat "$log" >&2
        rm -f "$log"
    fi
    echo "sme: $what failed" >&2
    return 1
}

# sme_build <preset> '<target>...' [cmake arguments...]: brings the targets up to date, for one
# caller at a time per preset. Configures if there is no build yet, if arguments are given, or if an
# MPI was installed since then, whose plug-in joins the build.
sme_build() (
    preset=$1
    targets=$2
    shift 2
    directory=$SME_ROOT/build/$preset
    mkdir -p "$directory"
    cd "$SME_ROOT" || exit 3
    exec 9>"$directory/build.lock"
    flock 9
    for mpi in openmpi mpich; do
        grep -qE "^SME_MPI(CC_$mpi:.*=/|:STRING=OFF)" "$directory/CMakeCache.txt" 2>/dev/null ||
            ! sme_have mpi $mpi || set -- -DSME_MPI=AUTO "$@"
    done
    if [ ! -f "$directory/build.ninja" ] || [ $# -gt 0 ]; then
        if [ -t 2 ]; then
            echo "sme: configuring $preset" >&2
        fi
        log=$directory/configure.log
        # A build that exists keeps what it was configured with, such as tests.
        [ -f "$directory/build.ninja" ] && set -- "$directory" "$@" || set -- --preset "$preset" "$@"
        if ! cmake "$@" </dev/null >"$log" 2>&1; then
            cat "$log" >&2
            echo "sme: configuring $preset failed" >&2
            rm -f "$directory/build.ninja"
            exit 3
        fi
    fi
    cd "$directory" || exit 3
    # shellcheck disable=SC2086  # several
    if sme_is_built build.ninja $targets; then
        exit 0
    fi
    # A changed build description may leave nothing to build; on a terminal, ninja would report
    # that.
    log=$directory/configure.log
    if ! ninja build.ninja </dev/null >"$log" 2>&1; then
        cat "$log" >&2
        exit 3
    fi
    # shellcheck disable=SC2086  # several
    sme_is_built $targets || sme_quietly "building $preset" ninja $targets 9>&- || exit 3
)

# sme_is_built <target>...: true if the targets are up to date in the current folder.
sme_is_built() {
    [ "$(ninja -n "$@" 2>/dev/null | tail -n 1)" = 'ninja: no work to do.' ]
}
