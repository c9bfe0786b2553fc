// SPDX-License-Identifier: Apache-2.0
#include "export/modules/module_text.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

#include "export/modules/division.hpp"
#include "export/rtl/module.hpp"
#include "export/verilog/verilog_text.hpp"

namespace sme::hdl {

namespace {

// IEEE 1800-2017, annex B: the words of Verilog and SystemVerilog, which Verilator reads.
constexpr std::string_view keywords = R"(
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
checker class clocking cmos config const constraint context continue cover covergroup
coverpoint cross deassign default defparam design disable dist do edge else end endcase
endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
endtask enum event eventually expect export extends extern final first_match for force foreach
forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins
illegal_bins implements implies import incdir include initial inout input inside instance int
integer interconnect interface intersect join join_any join_none large let liblist library
local localparam logic longint macromodule matches medium modport module nand negedge nettype
new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown
pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real
realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
showcancelled signed small soft solve specify specparam static string strong strong0 strong1
struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout
time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type
typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual
void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
)";

// Other reserved words of tools: the package std (annex G), and types of Icarus Verilog.
constexpr std::string_view owned = R"(
bool mailbox process randomize semaphore std weak_reference wone wreal
)";

// Words of C++ and its library.
constexpr std::string_view cpp_words = R"(
abort alignas alignof and_eq asm auto bit_vector bitand bitor catch char char16_t char32_t
char8_t co_await co_return co_yield compl complex concept const_cast consteval constexpr
constinit decltype delete double dynamic_cast explicit float friend goto inline list long map
mutable namespace noexcept not_eq nullptr operator or_eq override private public queue
register reinterpret_cast requires sc_in sc_inout sc_out sc_signal short sizeof stack
static_assert static_cast switch template thread_local throw try typeid typename uint16_t
uint32_t uint8_t using vector volatile wchar_t xor_eq
)";

} // namespace

std::set<std::string, std::less<>> words_of(std::string_view text) {
    std::set<std::string, std::less<>> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(" \n", at)) != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        words.emplace(text.substr(at, end - at));
        at = end;
    }
    return words;
}

bool is_keyword(const std::string& word) {
    static const auto words = words_of(std::string{keywords} + std::string{owned});
    return words.count(word) > 0;
}

std::string top_port(const std::string& name) {
    static const auto words = words_of(cpp_words);
    return words.count(name) > 0 ? name + "_" : name;
}

std::string identifier(std::string name) {
    std::replace(name.begin(), name.end(), '.', '_');
    return is_keyword(name) ? name + "_" : name;
}

void Names::reserve(const std::string& wanted) {
    reserved_.insert(identifier(wanted));
}

/// Tests whether a name inside would hide this one.
bool Names::hides(const std::string& name) const {
    return used_inside_.count(name) > 0 ||
           std::any_of(inner_.begin(), inner_.end(), [&](const Names* each) {
               return each->taken_.count(name) > 0 || each->hides(name);
           });
}

std::string Names::take(const std::string& wanted) {
    const std::string base = identifier(wanted);
    std::string name = base;
    const auto is_taken = [&] {
        return has(name) || hides(name) || (outer_ && outer_->reserved_.count(name) > 0);
    };
    if (is_taken())
        for (int& k = next_.try_emplace(base, 2).first->second; is_taken(); ++k)
            name = fmt::format("{}_{}", base, k);
    taken_.insert(name);
    return name;
}

void ModuleText::add_parameter(const std::string& name, Integer value, const KeptParameter* kept,
                               bool says_so) {
    if (kept) {
        kept_[name] = {*kept, {}};
        return;
    }
    folded_.insert(name);
    if (says_so)
        notes_.emplace_back(
            rtl::Comment{fmt::format("written for {} = {}", name, to_string(value))});
}

std::map<std::string, std::string> ModuleText::kept_parameters() const {
    std::map<std::string, std::string> used;
    for (const auto& [name, kept] : kept_)
        if (!kept.name.empty())
            used[name] = kept.name;
    return used;
}

std::vector<rtl::Parameter> ModuleText::parameter_declarations() const {
    std::vector<rtl::Parameter> result;
    for (const auto& [name, kept] : kept_)
        if (!kept.name.empty())
            result.push_back(
                {{kept.name, 32, true, true}, rtl::number(kept.as.value), kept.as.note});
    return result;
}

std::string ModuleText::derived(const std::string& wanted, const ExprRef& expression,
                                Integer value) {
    std::string& known = known_["derived " + rtl::verilog(expression)];
    if (known.empty()) {
        known = names_.take(wanted);
        add_constant({known, 32, true, true}, expression);
        known_[fmt::format("number {} {}", known, to_string(value))] = known;
    }
    return known;
}

std::optional<std::string> ModuleText::number(const std::string& name, Integer value) {
    if (const auto kept = kept_.find(name); kept != kept_.end()) {
        if (kept->second.name.empty())
            kept->second.name = names_.take(name);
        return kept->second.name;
    }
    if (folded_.count(name) > 0)
        return std::nullopt;
    std::string& known = known_[fmt::format("number {} {}", name, to_string(value))];
    if (known.empty()) {
        known = names_.take(name);
        add_constant({known, 32, true, true}, rtl::number(value));
    }
    return known;
}

void add_parameters(ModuleText& module,
                    const std::vector<std::pair<std::string, Integer>>& parameters,
                    const KeptParameters* kept, bool says_so) {
    for (const auto& [name, value] : parameters) {
        const auto found = kept ? kept->find(name) : KeptParameters::const_iterator{};
        module.add_parameter(name, value, kept && found != kept->end() ? &found->second : nullptr,
                             says_so);
    }
}

std::string ModuleText::constant(const std::string& name, const Type& type, const ExprRef& value) {
    std::string& known =
        known_[fmt::format("constant {} {}{} {}", name, type.is_signed() ? "signed " : "",
                           type.width_bits(), rtl::verilog(value))];
    if (known.empty()) {
        known = names_.take(name);
        add_constant(declared(known, type), value);
    }
    return known;
}

ExprRef ModuleText::member(const Type& type, std::uint64_t value) {
    const std::uint64_t width = type.width_bits();
    const Member* member = type.find_member(value);
    const ExprRef number = rtl::literal(static_cast<Integer>(value), width);
    return member ? rtl::at(Place::all_of(
                        constant(member->name,
                                 *Type::unsigned_integer(static_cast<unsigned>(width)), number),
                        width))
                  : number;
}

std::string ModuleText::table(const std::string& name, const expr::ConstantArray& array) {
    const Type& element = *array.type->element();
    const std::uint64_t count = array.type->count();
    rtl::Function made;
    made.inputs.push_back({Names{&names_}.take("index"), index_width(count), false, false});
    std::string key =
        fmt::format("table {}{}", element.is_signed() ? "signed " : "", element.width_bits());
    std::vector<Words> values;
    for (std::uint64_t k = 0; k < count; ++k)
        values.push_back(packed(element, array.leaves.data() + k * element.leaf_count()));
    const std::uint64_t width = element.width_bits();
    const bool any_large = // a table has one base
        std::any_of(values.begin(), values.end(),
                    [](const Words& each) { return !each.empty() && each[0] >= 1024; });
    for (const Words& value : values) {
        made.words.push_back(is_zero(value) ? nullptr
                             : width <= 64 && any_large
                                 ? rtl::literal(static_cast<Integer>(value[0]), width, false, true)
                                 : rtl::literal(value, width));
        key += made.words.back() ? ' ' + rtl::verilog(made.words.back()) : " ";
    }
    std::string& known = known_[key];
    if (known.empty()) {
        known = names_.take(name.empty() ? "table" : name);
        made.result = declared(known, element);
        made.comments = {fmt::format("the constants '{}'", known)};
        add_function(std::move(made));
    }
    return known;
}

std::string ModuleText::divide(const Type& type, bool remainder) {
    const std::string wanted =
        fmt::format("{}_{}", remainder ? "remainder" : "quotient", type.name());
    std::string& known = known_["divide " + wanted];
    if (!known.empty())
        return known;
    known = names_.take(wanted);
    Names own{&names_};
    rtl::Function made;
    made.result = declared(known, type);
    made.inputs = {declared(own.take("a"), type), declared(own.take("b"), type)};
    const std::uint64_t width = type.width_bits();
    const auto input = [&](std::size_t number) {
        return rtl::at(Place::all_of(made.inputs[number].name, width, type.is_signed()));
    };
    const auto divisor_is = [&](Integer value) {
        return rtl::binary("==", Level::equality, input(1),
                           rtl::literal(value, width, type.is_signed()));
    };
    const ExprRef zero = rtl::literal(0, width, type.is_signed());
    if (type.is_wide())
        divide_bits(made, type, remainder, own);
    else {
        made.value = rtl::binary(remainder ? "%" : "/", Level::product, input(0), input(1));
        if (type.is_signed())
            made.value = rtl::select(divisor_is(-1), remainder ? zero : rtl::unary("-", input(0)),
                                     made.value, true);
    }
    made.value = rtl::select(divisor_is(0), zero, made.value, true);
    add_function(std::move(made));
    return known;
}

/// Begins a function of the bits of `x`, which goes over them with `bit_number`.
rtl::Function ModuleText::over_bits(rtl::Declared result, const std::string& local,
                                    std::uint64_t width) {
    Names own{&names_};
    rtl::Function made;
    made.inputs = {{own.take("x"), width, false, false}};
    made.variables = {{own.take(local), result.width, false, false},
                      {own.take("bit_number"), 32, true, true}};
    made.result = std::move(result);
    return made;
}

namespace {

ExprRef variable_of(const rtl::Declared& variable) {
    return rtl::at(Place::all_of(variable.name, variable.width, variable.is_signed));
}

Place bit_at(const rtl::Declared& vector, const ExprRef& number) {
    Place place = Place::all_of(vector.name, vector.width);
    place.width = 1;
    place.moved = number;
    return place;
}

} // namespace

std::string ModuleText::population(std::uint64_t width, unsigned result) {
    const std::string wanted = fmt::format("population_{}", width);
    std::string& known = known_[fmt::format("{} {}", wanted, result)];
    if (!known.empty())
        return known;
    known = names_.take(wanted);
    rtl::Function made = over_bits({known, result, false, false}, "count", width);
    made.comments = {"how many bits are set"};
    const rtl::Declared &count = made.variables[0], &number = made.variables[1];
    const auto extended = [&](const ExprRef& bit) {
        return result == 1 ? bit : rtl::joined({rtl::literal(0, result - 1), bit});
    };
    if (width == 1) {
        made.value = extended(variable_of(made.inputs[0]));
        made.variables.clear();
    } else {
        const ExprRef bit = rtl::at(bit_at(made.inputs[0], rtl::at(Place::integer(number.name))));
        const Place all = Place::all_of(count.name, result);
        made.value = variable_of(count);
        made.body = {rtl::Statement::assign(all, rtl::literal(0, result), false),
                     rtl::Statement::loop(
                         number.name, 0, static_cast<Integer>(width),
                         {rtl::Statement::assign(
                             all, rtl::binary("+", Level::sum, made.value, extended(bit)), false)},
                         true)};
    }
    add_function(std::move(made));
    return known;
}

std::string ModuleText::reverse(std::uint64_t width) {
    std::string& known = known_[fmt::format("reverse {}", width)];
    if (!known.empty())
        return known;
    known = names_.take(fmt::format("reverse_{}", width));
    rtl::Function made = over_bits({known, width, false, false}, "reversed", width);
    made.comments = {"the bits in the other order"};
    const ExprRef number = rtl::at(Place::integer(made.variables[1].name));
    const ExprRef opposite =
        rtl::integer("-", rtl::number(static_cast<Integer>(width) - 1), number);
    if (width == 1) {
        made.value = variable_of(made.inputs[0]);
        made.variables.clear();
    } else {
        made.value = variable_of(made.variables[0]);
        made.body = {rtl::Statement::loop(
            made.variables[1].name, 0, static_cast<Integer>(width),
            {rtl::Statement::assign(bit_at(made.variables[0], number),
                                    rtl::at(bit_at(made.inputs[0], opposite)), false)},
            true)};
    }
    add_function(std::move(made));
    return known;
}

std::string ModuleText::selection(std::uint64_t count, const Type& element) {
    const std::uint64_t width = element.width_bits();
    const std::string wanted =
        fmt::format("element_{}_{}{}", count, width, element.is_signed() ? "_signed" : "");
    std::string& known = known_[wanted];
    if (!known.empty())
        return known;
    known = names_.take(wanted);
    Names own{&names_};
    rtl::Function made;
    made.result = declared(known, element);
    made.inputs = {{own.take("elements"), count * width, false, false},
                   {own.take("index"), index_width(count), false, false}};
    made.variables = {declared(own.take("one"), element)};
    const Place all = Place::all_of(made.inputs[0].name, count * width);
    const Place one = Place::all_of(made.variables[0].name, width, element.is_signed());
    rtl::Statement cases;
    cases.kind = rtl::Statement::Kind::cases;
    cases.value = rtl::at(Place::all_of(made.inputs[1].name, made.inputs[1].width));
    for (std::uint64_t k = 0; k < count; ++k)
        cases.arms.push_back(
            {nullptr,
             {rtl::literal(static_cast<Integer>(k), made.inputs[1].width)},
             k + 1 == count,
             {rtl::Statement::assign(one, rtl::at(all.part(k * width, width)), false)}});
    made.body = {std::move(cases)};
    made.value = rtl::at(one);
    made.comments = {fmt::format("one of {} elements", count)};
    add_function(std::move(made));
    return known;
}

rtl::Items ModuleText::items() const {
    rtl::Items result = notes_;
    append(result, constants_);
    append(result, functions_);
    return result;
}

} // namespace sme::hdl
