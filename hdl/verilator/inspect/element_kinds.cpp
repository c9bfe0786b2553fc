// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/element_kinds.hpp"

#include <algorithm>
#include <array>

namespace sme::verilator {

namespace {

using namespace std::string_view_literals;

constexpr std::array assignments{"assign"sv,    "assigndly"sv, "assignforce"sv, "assignpost"sv,
                                 "assignpre"sv, "assignw"sv,   "contassign"sv};

// clang-format off
constexpr std::array silent{
    "assertctl"sv, "cellinlinescope"sv, "comment"sv, "coverdecl"sv, "coverinc"sv, "display"sv,
    "dumpctl"sv, "fclose"sv, "fflush"sv, "final"sv, "finish"sv, "initial"sv, "initialautomatic"sv,
    "initialautomaticstmt"sv, "initialstatic"sv, "initialstaticstmt"sv, "instance"sv, "modport"sv,
    "printtimescale"sv, "sentree"sv, "stop"sv, "timeformat"sv, "typedef"sv, "var"sv, "varscope"sv,
    "writemem"sv};

/// Operators on bits and reals, selections, and statements.
constexpr std::array understood{
    "add"sv, "addd"sv, "always"sv, "alwayspublic"sv, "and"sv, "arraysel"sv, "begin"sv,
    "bitstoreald"sv, "case"sv, "caseitem"sv, "ceild"sv, "clog2"sv, "concat"sv, "concatn"sv,
    "cond"sv, "condbound"sv, "conspackmember"sv, "conspackuorstruct"sv, "const"sv, "countbits"sv,
    "countones"sv, "creset"sv, "cvtarraytoarray"sv, "cvtarraytopacked"sv, "cvtpackedtoarray"sv,
    "div"sv, "divd"sv, "divs"sv, "eq"sv, "eqcase"sv, "eqd"sv, "eqwild"sv, "exprstmt"sv,
    "extend"sv, "extends"sv, "floord"sv, "gt"sv, "gtd"sv, "gte"sv, "gted"sv, "gtes"sv, "gts"sv,
    "if"sv, "initarray"sv, "inititem"sv, "inside"sv, "insiderange"sv, "istord"sv, "isunknown"sv,
    "itord"sv, "jumpblock"sv, "jumpgo"sv, "jumplabel"sv, "logand"sv, "logeq"sv, "logif"sv,
    "lognot"sv, "logor"sv, "loop"sv, "looptest"sv, "lt"sv, "ltd"sv, "lte"sv, "lted"sv, "ltes"sv,
    "lts"sv, "moddiv"sv, "moddivs"sv, "mul"sv, "muld"sv, "muls"sv, "negate"sv, "negated"sv,
    "neq"sv, "neqcase"sv, "neqd"sv, "neqwild"sv, "not"sv, "onehot"sv, "onehot0"sv, "or"sv,
    "pow"sv, "powss"sv, "powsu"sv, "powus"sv, "range"sv, "realtobits"sv, "redand"sv, "redor"sv,
    "redxor"sv, "replicate"sv, "replicaten"sv, "rtoirounds"sv, "rtois"sv, "sel"sv, "senitem"sv,
    "shiftl"sv, "shiftlovr"sv, "shiftr"sv, "shiftrovr"sv, "shiftrs"sv, "shiftrsovr"sv,
    "slicesel"sv, "stmtexpr"sv, "stmtpragma"sv, "streaml"sv, "streamr"sv, "structsel"sv, "sub"sv,
    "subd"sv, "testplusargs"sv, "varref"sv, "while"sv, "wordsel"sv, "xor"sv};

// clang-format on

template <class Kinds> bool has(const Kinds& kinds, std::string_view kind) {
    return std::binary_search(kinds.begin(), kinds.end(), kind);
}

static_assert(std::is_sorted(assignments.begin(), assignments.end()));
static_assert(std::is_sorted(silent.begin(), silent.end()));
static_assert(std::is_sorted(understood.begin(), understood.end()));

} // namespace

bool is_assignment(std::string_view kind) {
    return has(assignments, kind);
}

bool is_silent(std::string_view kind) {
    return has(silent, kind);
}

bool is_understood(std::string_view kind) {
    return has(understood, kind) || is_assignment(kind) || is_silent(kind);
}

} // namespace sme::verilator
