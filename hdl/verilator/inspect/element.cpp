// SPDX-License-Identifier: Apache-2.0
#include "verilator/inspect/element.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace sme::verilator {

namespace {

const Element::Data nothing{};

} // namespace

std::string_view Element::kind() const {
    return data_ ? data_->kind : nothing.kind;
}

std::string_view Element::name() const {
    return data_ ? data_->name : nothing.name;
}

const Place& Element::place() const {
    return data_ ? data_->place : nothing.place;
}

std::string_view Element::attribute(std::string_view key) const {
    if (data_)
        for (const auto& [name, value] : data_->attributes)
            if (name == key)
                return value;
    return {};
}

Element Element::parent() const {
    return Element{data_ ? data_->parent : nullptr};
}

Element Element::first_child() const {
    return Element{data_ ? data_->first : nullptr};
}

Element Element::last_child() const {
    return Element{data_ ? data_->last : nullptr};
}

Element Element::next_sibling() const {
    return Element{data_ ? data_->next : nullptr};
}

Element::Children Element::children(std::string_view kind) const {
    return {first_child(), kind};
}

Element Element::child(std::string_view kind) const {
    return *children(kind).begin();
}

Element Element::child(std::string_view kind, std::string_view key, std::string_view value) const {
    for (const Element one : children(kind))
        if ((key == "name" ? one.name() : one.attribute(key)) == value)
            return one;
    return {};
}

std::vector<Element> Element::below(std::string_view kind) const {
    std::vector<Element> found;
    for (Element at = first_child(); at && at != *this;) {
        if (at.kind() == kind)
            found.push_back(at);
        Element next = at.first_child();
        for (; !next && at != *this; at = at.parent())
            next = at.next_sibling();
        at = next;
    }
    return found;
}

Element::Data& ElementTree::add(Element::Data* parent, std::string_view kind) {
    Element::Data& result = nodes_.emplace_back();
    set_kind(result, kind);
    result.parent = parent;
    if (parent) {
        (parent->last ? parent->last->next : parent->first) = &result;
        parent->last = &result;
    }
    return result;
}

void ElementTree::set_kind(Element::Data& node, std::string_view kind) {
    node.kind = keep(kind);
    kinds_.insert(node.kind);
}

void ElementTree::add_file(std::string_view letters, std::string_view name) {
    files_[keep(letters)] = keep(name);
}

void ElementTree::set_place(Element::Data& node, std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos)
        return;
    if (const auto file = files_.find(text.substr(0, comma)); file != files_.end())
        node.place.file = file->second;
    const char* const end = text.data() + text.size();
    const auto line = std::from_chars(text.data() + comma + 1, end, node.place.line);
    if (line.ptr != end)
        std::from_chars(line.ptr + 1, end, node.place.column);
}

std::string_view ElementTree::keep(std::string_view text) {
    const auto found = texts_.find(text);
    return found != texts_.end() ? *found : *texts_.emplace(text).first;
}

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

std::string name_of(const std::string& key) {
    std::string result;
    for (std::size_t at = 0; at < key.size();) {
        unsigned sign = 0;
        const char* const digits = key.data() + at + 3;
        const bool spelt = key.compare(at, 3, "__0") == 0 && at + 5 <= key.size() &&
                           std::from_chars(digits, digits + 2, sign, 16).ptr == digits + 2;
        result += spelt ? static_cast<char>(sign) : key[at];
        at += spelt ? 5 : 1;
    }
    return result;
}

std::string key_of(const std::string& name) {
    std::string result;
    for (std::size_t at = 0; at < name.size(); ++at) {
        result += name[at];
        if (name.compare(at, 2, "__") == 0) {
            result += "__05F";
            ++at;
        }
    }
    return result;
}

bool is_word(std::string_view name) {
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char sign) { return std::isalnum(sign) != 0 || sign == '_'; });
}

} // namespace sme::verilator
