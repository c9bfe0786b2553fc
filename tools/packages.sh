# SPDX-License-Identifier: Apache-2.0
# The packages that the tools need, with the reason, and their installation. The tools in this
# folder source it (POSIX sh). All output goes to standard error.

# package | tools that need it | how to detect it | why
# Debian 12 and 13 have all of them under these names. Detected by: command NAME, header FILE (C++),
# library NAME, module NAME and python-header FILE (Python), mpi NAME, file PATH, fuzzer
SME_PACKAGES='
g++|build test check fuzz bench|command g++|compiles the simulator
ccache|ci|command ccache|keeps objects between builds
cmake|build test check fuzz bench web|command cmake|configures the build
ninja-build|build test check fuzz bench web|command ninja|runs the build
libfmt-dev|build test check fuzz bench|header fmt/core.h|formats text and numbers
libyaml-dev|build test check fuzz bench|header yaml.h|reads networks in YAML
libboost-program-options-dev|build test check fuzz bench|library boost_program_options|reads the command line
nlohmann-json3-dev|build test check fuzz bench web|header nlohmann/json.hpp|reads and writes schedules, time lines and results
libmetis-dev|build test check fuzz bench|header metis.h|divides networks among threads
tcc|build test bench|command tcc|compiles networks in no time, until native code is there
libxxhash-dev|build test check fuzz bench web|header xxhash.h|checks what lies in checkpoints
nodejs|report test check|command node|bundles the page of reports
npm|report test check|command npm|fetches the libraries of that page, as its package-lock.json pins them
libpugixml-dev|build test check fuzz bench|header pugixml.hpp|reads what Verilator says of a module, and writes results for CI
verilator|build test check fuzz bench|command verilator|has the library for FST files, makes processes of Verilog modules, and judges our Verilog
zlib1g-dev|build test check fuzz bench|header zlib.h|packs what lies in FST files and the waves of reports
libedit-dev|build test check fuzz bench|header editline/readline.h|edits lines of commands in the debugger
doctest-dev|test check|header doctest/doctest.h|the tests are written with it
gtkwave|test|command gtkwave|its own reader judges our traces, and it shows them
chromium|test|command chromium|a test uses the page of reports in it
xvfb|test|command xvfb-run|a display in memory for GTKWave
xauth|test|command xauth|xvfb-run opens its display with it
graphviz|test check|command dot|draws the graphs of networks, and judges their text
libopenmpi-dev|test bench|mpi openmpi|runs networks on several ranks
libmpich-dev|test|mpi mpich|the same, by another MPI
mpich|test|command mpirun.mpich|starts those ranks
pkg-config|test|command pkg-config|a test uses the installed library through it
libncurses-dev|test|header curses.h|the model game draws in the terminal with it
neovim|test|command nvim|a test follows our set-up of editors in it
tmux|test|command tmux|a terminal in which a test plays the model game
zsh|test|command zsh|a test completes our command in it
fish|test|command fish|a test completes our command in it
lcov|test|command genhtml|shows our coverage on the lines of networks
groff-base|test|command groff|judges our manual page
openssl|test|command openssl|encrypts beside our ciphers
python3|test check bench|command python3|runs scripts of the checks and measurements
python3-venv|test|module ensurepip|holds the trace readers that judge our traces
python3-dev|test|python-header Python.h|compiles those of them that PyPI has no binary of for this Python
clang-format|check|command clang-format|checks the layout of the code
clang-tidy|check|command clang-tidy|checks the code for mistakes
mkdocs|check|command mkdocs|makes the pages of the documentation site
mkdocs-material|check|file /usr/share/mkdocs/themes/material|lays them out
doxygen|check|command doxygen|makes the reference of the C++ headers
clang|fuzz|command clang++|compiles the fuzz targets, and tests under sanitizers
libclang-rt-dev|fuzz|fuzzer|the fuzzer and sanitizers of clang
make|test bench|command make|Verilator builds with it
iverilog|test bench|command iverilog|runs the Verilog that we write, and is a simulator to compare with
ghdl-mcode|test|command ghdl|runs and synthesises the VHDL that we write, and writes waveforms that we read
yosys|test|command yosys|synthesises the Verilog that we write
nextpnr-ice40|test|command nextpnr-ice40|places the Verilog that we write
python3-venv|release|module ensurepip|holds the tools that make wheels
python3-dev|release|python-header Python.h|compiles the Python module
dpkg-dev|release|command dpkg-shlibdeps|finds what Debian packages depend on
file|release|command file|tells programs from other files in them
git|release|command git|knows which files belong to a release
emscripten|web|command emcc|compiles the simulator to WebAssembly
nodejs|web|command node|runs the program that Emscripten compiles
dpkg-dev|web|command dpkg-source|unpacks the sources of fmt and libyaml, which Emscripten compiles
debootstrap|try-debian|command debootstrap|makes a minimal system in a folder
libsystemc-dev|test bench|header systemc|runs networks, and modules in networks, and is a simulator to compare with
libboost-fiber-dev|bench|header boost/fiber/all.hpp|fibers to compare our processes with
golang|bench|command go|channels to compare ours with
erlang-base|bench|command erlc|processes to compare ours with
pkg-config|bench|command pkg-config|finds SystemC
python3-matplotlib|bench|module matplotlib|draws the plots
'

# Prints the Python for which packages are installed, not the user's own.
sme_python() {
    if [ -x /usr/bin/python3 ]; then
        echo /usr/bin/python3
    else
        echo python3
    fi
}

# sme_have <kind> [name]: true if it is installed.
sme_have() {
    case $1 in
        command) command -v "$2" >/dev/null 2>&1 ;;
        header) echo "#include <$2>" | g++ -std=c++20 -DSC_CPLUSPLUS=201703L -E -x c++ - >/dev/null 2>&1 ;;
        library) echo 'int main() {}' | g++ -x c++ - -l"$2" -o /dev/null >/dev/null 2>&1 ;;
        module) "$(sme_python)" -c "import $2" >/dev/null 2>&1 ;;
        python-header) [ -e "$("$(sme_python)" -c 'import sysconfig; print(sysconfig.get_path("include"))')/$2" ] ;;
        mpi) command -v "mpicc.$2" >/dev/null 2>&1 && # openmpi-bin has no headers
            echo '#include <mpi.h>' | "mpicc.$2" -x c -E - >/dev/null 2>&1 ;;
        file) [ -e "$2" ] ;;
        fuzzer) echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, long) { return 0; }' |
            clang++ -fsanitize=fuzzer,address,undefined -x c++ - -o /dev/null >/dev/null 2>&1 ;;
    esac
}

# sme_missing <tool>: prints "package|why" for each package that the tool lacks.
sme_missing() {
    echo "$SME_PACKAGES" | while IFS='|' read -r package tools seen why; do
        case " $tools " in
            *" $1 "*)
                # shellcheck disable=SC2086  # a kind and a name
                sme_have $seen || echo "$package|$why"
                ;;
        esac
    done
}

# sme_apt_install <package>...: installs as root, quietly; fetches the package lists if necessary.
sme_apt_install() {
    as_root=
    [ "$(id -u)" = 0 ] || as_root=sudo
    install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300"
    log=$(mktemp)
    if ! $install install --no-install-recommends "$@" </dev/null >"$log" 2>&1; then
        if ! { $install update && $install install --no-install-recommends "$@"; } \
            </dev/null >"$log" 2>&1; then
            cat "$log" >&2
            rm -f "$log"
            return 1
        fi
    fi
    rm -f "$log"
}

# sme_need <tool>: installs the packages that the tool lacks, or names them and exits with code 3.
# Once all are installed, it does not look for them again until this file changes.
sme_need() {
    stamp=$SME_ROOT/build/packages-$1
    if [ "$stamp" -nt "$SME_ROOT/tools/packages.sh" ]; then
        return 0
    fi
    mkdir -p "$SME_ROOT/build"
    exec 8>"$SME_ROOT/build/packages.lock" # of two simultaneous first starts, one waits
    flock 8
    missing=$(sme_missing "$1")
    if [ -n "$missing" ]; then
        names=$(echo "$missing" | cut -d '|' -f 1 | tr '\n' ' ')
        if [ ! -f /etc/debian_version ] || ! command -v apt-get >/dev/null 2>&1; then
            verb=missing after='this is not Debian: install what provides them, then try again'
        elif [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null 2>&1; then
            verb=missing after="there is no sudo: as root, run apt-get install $names"
        else
            verb=installing after=
        fi
        echo "$missing" | while IFS='|' read -r package why; do
            echo "sme: $verb $package: $why" >&2
        done
        if [ "$verb" = missing ]; then
            echo "sme: $after" >&2
            exit 3
        fi
        # shellcheck disable=SC2086  # a list of names
        if ! sme_apt_install $names 8>&-; then
            echo "sme: could not install $names" >&2
            exit 3
        fi
        missing=$(sme_missing "$1" | cut -d '|' -f 1 | tr '\n' ' ')
        if [ -n "$missing" ]; then
            echo "sme: installed, but still not found: $missing" >&2
            exit 3
        fi
    fi
    : >"$stamp"
    exec 8>&-
}
