// SPDX-License-Identifier: Apache-2.0
#include "export/vhdl/names.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "export/modules/module_text.hpp"
#include "export/vhdl/vhdl_text.hpp"

namespace sme::hdl::vhdl {

namespace {

/// Words of VHDL-2008 and PSL, and the names used from packages.
const std::set<std::string, std::less<>>& reserved() {
    static const auto words = words_of(R"(
abs access after alias all and architecture array as_bit as_signed assert assume
assume_guarantee attribute begin bit bit_vector block body boolean buffer bus case character
choose component configuration constant context cover default disconnect downto else elsif end
entity exit fairness falling_edge false file fill find_leftmost find_rightmost for force
function generate generic group guarded ieee if impure in inertial inout integer is is_x label
library linkage literal loop low_bits map maximum minimum mod nand natural new next nor not ns
null numeric_std of on open or others out package parameter pick port positive postponed
procedure process property protected pure range real record register reject release rem repeat
report resize resolved restrict restrict_guarantee return rising_edge rol ror rotate_left
rotate_right rtl select sequence severity shared shift_left shift_right shown signal signed
sla sll sme_bits sra srl standard std std_logic std_logic_1164 std_logic_vector std_match
std_ulogic string strong subtype then time times to to_01 to_binary_string to_bit
to_bit_vector to_bitvector to_bstring to_bv to_hex_string to_hstring to_index to_integer
to_octal_string to_ostring to_signed to_slv to_std_logic_vector to_std_ulogic_vector
to_stdlogicvector to_stdulogic to_stdulogicvector to_string to_sulv to_unsigned to_ux01 to_x01
to_x01z transport true truth type unaffected units unsigned until use variable view vmode vpkg
vprop vunit wait when while with work xnor xor
)");
    return words;
}

std::string small(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name;
}

bool is_basic(const std::string& name) {
    if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
        name.back() == '_' || name.find("__") != std::string::npos)
        return false;
    return std::all_of(name.begin(), name.end(), [](unsigned char c) {
        return c == '_' || (c < 128 && std::isalnum(c) != 0);
    });
}

/// Strips underscores at the ends and collapses repeated ones.
std::string cleaned(const std::string& name) {
    std::string result;
    for (const char c : name)
        if (c != '_' || (!result.empty() && result.back() != '_'))
            result += c;
    while (!result.empty() && result.back() == '_')
        result.pop_back();
    return result;
}

struct Collect {
    std::set<std::string>& all;

    void operator()(const rtl::Blank&) const {}
    void operator()(const rtl::Comment&) const {}
    void operator()(const rtl::Constant& constant) const { all.insert(constant.what.name); }
    void operator()(const rtl::Net& net) const { all.insert(net.what.name); }
    void operator()(const rtl::Assign&) const {}
    void operator()(const rtl::Process& process) const { loops(process.body); }
    void operator()(const rtl::Function& function) const {
        all.insert(function.result.name);
        for (const auto* declared : {&function.inputs, &function.variables})
            for (const rtl::Declared& each : *declared)
                all.insert(each.name);
    }
    void operator()(const rtl::Instance& instance) const { all.insert(instance.name); }
    void operator()(const rtl::Generate& generate) const {
        for (const rtl::Generate::Loop& loop : generate.loops) {
            all.insert(loop.variable);
            all.insert(loop.label);
        }
        (*this)(generate.instance);
    }
    void operator()(const rtl::Elements& elements) const {
        all.insert(elements.whole.what.name);
        for (const rtl::Elements::Run& run : elements.runs) {
            for (const rtl::Generate::Loop& loop : run.loops)
                all.insert({loop.variable, loop.label});
            for (const rtl::Net& net : run.nets)
                all.insert(net.what.name);
        }
    }
    void loops(const rtl::Statements& statements) const {
        for (const rtl::Statement& each : statements) {
            if (each.kind == rtl::Statement::Kind::loop)
                all.insert(each.variable);
            loops(each.body);
            for (const rtl::Statement::Arm& arm : each.arms)
                loops(arm.body);
        }
    }
};

} // namespace

std::string exact_name(const std::string& name, const std::vector<std::string>& all) {
    const auto alike = std::count_if(all.begin(), all.end(), [&](const std::string& other) {
        return small(other) == small(name);
    });
    return is_basic(name) && reserved().count(small(name)) == 0 && alike <= 1 ? name
                                                                              : "\\" + name + "\\";
}

Names::Names(const std::vector<rtl::Module>& modules) {
    for (const rtl::Module& module : modules) {
        all_.insert(module.name);
        for (const rtl::Parameter& parameter : module.parameters)
            all_.insert(parameter.what.name);
        for (const rtl::Port& port : module.ports)
            all_.insert(port.what.name);
        for (const rtl::Item& item : module.items)
            std::visit(Collect{all_}, item);
    }
    for (const std::string& name : all_) // names that can stay unchanged come first
        if (is_basic(name) && reserved().count(small(name)) == 0 &&
            taken_.insert(small(name)).second)
            known_[name] = name;
    for (const std::string& name : all_)
        if (known_.count(name) == 0)
            add(name);
}

void Names::add(const std::string& name) {
    const std::string plain = cleaned(name);
    const bool is_free = is_basic(plain) && reserved().count(small(plain)) == 0 &&
                         taken_.insert(small(plain)).second;
    if (is_free) {
        known_[name] = plain;
        return;
    }
    // an extended identifier is case-sensitive
    const std::string extended = "\\" + (plain.empty() ? name : plain) + "\\";
    known_[name] = extended_.insert(extended).second ? extended : "\\" + name + "\\";
}

const std::string& Names::of(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? name : found->second;
}

std::string Names::of_path(const std::string& path) const {
    std::string result;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string step = path.substr(begin, end - begin);
        const std::size_t bracket = std::min(step.find('['), step.size());
        result += (begin > 0 ? "." : "") + of(step.substr(0, bracket));
        if (bracket < step.size())
            result += '(' + step.substr(bracket + 1, step.size() - bracket - 2) + ')';
        begin = end + 1;
    }
    return result;
}

std::string Names::fresh(const std::string& wanted) {
    const std::string base = cleaned(wanted);
    std::string name = base;
    for (int k = 2;
         !is_basic(name) || reserved().count(small(name)) > 0 || !taken_.insert(small(name)).second;
         ++k)
        name = fmt::format("{}_{}", is_basic(base) ? base : "part", k);
    return name;
}

using rtl::Expr;
using rtl::Place;

Shape shape_of(std::uint64_t width, bool is_signed) {
    return is_signed ? Shape::number : width == 1 ? Shape::bit : Shape::bits;
}

const char* type_mark(Shape shape) {
    return shape == Shape::bit ? "std_logic" : shape == Shape::bits ? "unsigned" : "signed";
}

std::string type_text(std::uint64_t width, bool is_signed) {
    const Shape shape = shape_of(width, is_signed);
    return shape == Shape::bit ? std::string{type_mark(shape)}
                               : fmt::format("{}({} downto 0)", type_mark(shape), width - 1);
}

std::string type_text(const rtl::Declared& what) {
    return what.is_integer ? "integer" : type_text(what.width, what.is_signed);
}

bool Scope::is_signed(const Place& place) const {
    const auto found = declared.find(place.name);
    return found == declared.end() ? place.is_signed : found->second.is_signed;
}

Shape Scope::shape_of(const Expr& expr) const {
    const bool is_number = expr.kind == Expr::Kind::place
                               ? expr.place.whole() && is_signed(expr.place)
                               : expr.is_signed;
    return vhdl::shape_of(expr.width, is_number);
}

Shape Scope::target_shape(const Place& place) const {
    const bool is_part = !place.whole() && place.width == 1;
    return is_part ? Shape::bit : vhdl::shape_of(place.width, is_signed(place));
}

std::vector<ExportedFile> files(const Exported& exported) {
    Names names{exported.trees};
    const Library library{exported, names};
    std::vector<ExportedFile> result{{"sme_bits.vhd", bits_package}};
    for (ExportedFile& package : library.components.files())
        result.push_back(std::move(package));
    for (const rtl::Module& module : exported.trees)
        result.push_back({(module.name == "sme_bits" ? "sme_bits_" : module.name) + ".vhd",
                          wrapped(module_text(module, library, names), "--")});
    return result;
}

} // namespace sme::hdl::vhdl
