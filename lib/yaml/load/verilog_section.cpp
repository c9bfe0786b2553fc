// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/verilog_loader.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <glob.h>

#include "base/codes.hpp"
#include "expr/syntax/parser.hpp"
#include "yaml/read/tree.hpp"
#include "yaml/scope/declarations.hpp"
#include "yaml/scope/domains.hpp"

namespace sme::yaml {

namespace {

class SectionReader {
public:
    explicit SectionReader(Context& context)
        : context_{context}, diagnostics_{context.diagnostics} {}

    void read(const Node& section, VerilogModule& into) {
        into.where = section.where;
        for (const auto& [key, list] :
             {std::pair{"files", &into.files}, std::pair{"include", &into.include},
              std::pair{"lists", &into.lists}})
            if (const Node* node = section.find(key))
                paths(*node, *list);
        take_sources(into);
        for (const auto& [key, list] :
             {std::pair{"define", &into.define}, std::pair{"plusargs", &into.plusargs}})
            if (const Node* node = section.find(key))
                texts(*node, *list);
        if (const Node* node = section.find("top"))
            read_module_name(*node, "top", into.top, diagnostics_);
        if (const Node* node = section.find("clock"))
            read_clocks(*node, context_, into);
        for (const char* key : {"files", "top"})
            if (!section.find(key) && (key == std::string_view{"top"} || !section.find("lists")))
                diagnostics_.add(Code::missing_key, section.where,
                                 fmt::format("'verilog' needs '{}'", key));
        if (const Node* node = section.find("parameters"))
            parameters(*node, into);
        if (const Node* node = section.find("lint"))
            lint(*node, into);
        if (const Node* node = section.find("reset"))
            read_resets(*node, context_, into);
        if (const Node* node = section.find("trace")) {
            into.trace_inside = node->is_text() && node->text.text == "inside";
            if (!into.trace_inside)
                diagnostics_.add(Code::wrong_shape, node->where,
                                 "'trace' of a module is 'inside', or is left out");
        }
    }

private:
    void texts(const Node& node, std::vector<Placed>& into) {
        if (node.is_text())
            into.push_back({node.text.text, node.where});
        else if (!node.is_list())
            wrong_shape(node, "a text or a list of them", diagnostics_);
        for (const Node& item : node.items)
            if (item.is_text())
                into.push_back({item.text.text, item.where});
            else
                wrong_shape(item, "a text", diagnostics_);
    }

    void paths(const Node& node, std::vector<Placed>& into) {
        std::vector<Placed> written;
        texts(node, written);
        for (const Placed& one : written) {
            const auto found = context_.initials.path_to_read(one.text, one.where);
            if (!found)
                continue;
            std::error_code error;
            if (std::filesystem::exists(*found, error))
                add_path(*found, one.where, into);
            else if (one.text.find_first_of("*?[") != std::string::npos)
                matches(one, *found, into);
            else
                diagnostics_.add(Code::file_unreadable, one.where,
                                 fmt::format("there is no file '{}'", *found));
        }
    }

    static void add_path(std::string path, const Location& where, std::vector<Placed>& into) {
        if (path.starts_with('-') || path.starts_with('+')) // it would be read as an option
            path.insert(0, "./");
        into.push_back({std::move(path), where});
    }

    /// Adds all files that match a pattern, by name. Each is read like a file given by name.
    void matches(const Placed& pattern, const std::string& path, std::vector<Placed>& into) {
        glob_t found{};
        const int failed = ::glob(path.c_str(), 0, nullptr, &found);
        if (failed != 0)
            diagnostics_.add(Code::file_unreadable, pattern.where,
                             fmt::format("no file fits '{}'", path));
        const std::size_t folder = path.ends_with(pattern.text) // the part before it
                                       ? path.size() - pattern.text.size()
                                       : 0;
        for (std::size_t k = 0; failed == 0 && k < found.gl_pathc; ++k)
            if (const auto one =
                    context_.initials.path_to_read(found.gl_pathv[k] + folder, pattern.where))
                add_path(*one, pattern.where, into);
        ::globfree(&found);
    }

    static void take_sources(VerilogModule& into) {
        const std::vector<Placed> all = std::exchange(into.files, {});
        for (const Placed& file : all)
            into.add_file(file);
    }

    /// Reads "off", or a list of Verilator rules.
    void lint(const Node& node, VerilogModule& into) {
        std::vector<Placed> rules;
        texts(node, rules);
        for (const Placed& rule : rules)
            if (rule.text == "off" && node.is_text())
                into.lint = false;
            else if (is_lint_rule(rule))
                into.rules_off.push_back(rule.text);
    }

    bool is_lint_rule(const Placed& rule) {
        const bool capitals =
            !rule.text.empty() && std::all_of(rule.text.begin(), rule.text.end(), [](char c) {
                return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            });
        const std::string meant = did_you_mean(rule.text, lint_rules());
        const bool known = std::count(lint_rules().begin(), lint_rules().end(), rule.text) != 0;
        if (rule.text == "STMTDLY") {
            diagnostics_.add(Code::wrong_shape, rule.where,
                             "STMTDLY stays on: without its delay a statement means something "
                             "else; take the delay out of the Verilog");
            return false;
        }
        if (known || (capitals && meant.empty())) // other versions of Verilator have other rules
            return true;
        diagnostics_.add(Code::wrong_shape, rule.where,
                         fmt::format("'lint' is 'off' or a list of Verilator's rules, such as "
                                     "[WIDTH, CASEINCOMPLETE], but this is '{}'{}",
                                     rule.text, meant));
        return false;
    }

    static const std::vector<std::string>& lint_rules() {
        static const std::vector<std::string> all{
            "ALWCOMBORDER",    "ASCRANGE",      "ASSIGNDLY",    "ASSIGNIN",       "BLKANDNBLK",
            "BLKLOOPINIT",     "BLKSEQ",        "BSSPACE",      "CASEINCOMPLETE", "CASEOVERLAP",
            "CASEWITHX",       "CASEX",         "CMPCONST",     "COLONPLUS",      "COMBDLY",
            "CONTASSREG",      "DECLFILENAME",  "DEFPARAM",     "DEPRECATED",     "ENDCAPSULATED",
            "ENDLABEL",        "ENUMVALUE",     "EOFNEWLINE",   "GENCLK",         "HIERBLOCK",
            "IFDEPTH",         "IGNOREDRETURN", "IMPERFECTSCH", "IMPLICIT",       "IMPLICITSTATIC",
            "IMPORTSTAR",      "IMPURE",        "INCABSPATH",   "INFINITELOOP",   "INITIALDLY",
            "INSECURE",        "LATCH",         "LITENDIAN",    "MINTYPMAXDLY",   "MODDUP",
            "MULTIDRIVEN",     "MULTITOP",      "NEWERSTD",     "NOLATCH",        "NULLPORT",
            "PINCONNECTEMPTY", "PINMISSING",    "PINNOCONNECT", "PINNOTFOUND",    "PROFOUTOFDATE",
            "PROTECTED",       "RANDC",         "REALCVT",      "REDEFMACRO",     "RISEFALLDLY",
            "SELRANGE",        "SHORTREAL",     "SPLITVAR",     "STATICVAR",      "SYMRSVDWORD",
            "SYNCASYNCNET",    "TICKCOUNT",     "TIMESCALEMOD", "UNDRIVEN",       "UNOPT",
            "UNOPTFLAT",       "UNOPTTHREADS",  "UNPACKED",     "UNSIGNED",       "UNUSED",
            "UNUSEDGENVAR",    "UNUSEDPARAM",   "UNUSEDSIGNAL", "USERERROR",      "USERFATAL",
            "USERINFO",        "USERWARN",      "VARHIDDEN",    "WAITCONST",      "WIDTH",
            "WIDTHCONCAT",     "WIDTHEXPAND",   "WIDTHTRUNC",   "WIDTHXZEXPAND",  "ZERODLY",
            "ZEROREPL"};
        return all;
    }

    /// `port`: the interface port with these parameters, "port."; empty: the module.
    void parameters(const Node& node, VerilogModule& into, const std::string& port = {}) {
        if (!is_map_or_empty(node, "a map of parameters", diagnostics_))
            return;
        for (const auto& [key, value] : node.entries) {
            if (!is_name(key, "a parameter", diagnostics_))
                continue;
            if (value.is_map() && port.empty()) {
                parameters(value, into, key.text.text + ".");
                continue;
            }
            if (!value.is_text()) {
                wrong_shape(value, "a number, a file parameter or a text in quotes", diagnostics_);
                continue;
            }
            if (auto result = verilog_parameter(value, context_))
                into.parameters.push_back({{port + key.text.text, key.where}, std::move(*result)});
        }
    }

    Context& context_;
    Diagnostics& diagnostics_;
};

} // namespace

std::optional<VerilogModule> read_verilog(const Node& section, Context& context) {
    const std::size_t errors = context.diagnostics.errors();
    if (!section.is_map()) {
        wrong_shape(section, "a map with files and top", context.diagnostics);
        return std::nullopt;
    }
    check_keys(section, format::verilog, "'verilog'", context.diagnostics);
    VerilogModule result;
    result.domain = context.domains.own;
    result.rate = context.design.graph.rate_of(result.domain);
    SectionReader{context}.read(section, result);
    if (context.diagnostics.errors() != errors)
        return std::nullopt;
    return result;
}

namespace {

void read_cycles(const Node& node, Context& context, VerilogReset& into) {
    const expr::AstRef ast = expr::parse_expression(node.text, context.diagnostics);
    if (!ast)
        return;
    Constants constants{context.scope, context.diagnostics};
    const auto count = constants.elaborator().constant(*ast, "the cycles of a reset");
    constexpr Integer most = 1'000'000;
    if (count && (*count < 1 || *count > most))
        context.diagnostics.add(Code::bad_cycles, node.where,
                                fmt::format("a reset has 1 to {} cycles, but this is {}",
                                            to_string(most), to_string(*count)));
    else if (count)
        into.cycles = static_cast<unsigned>(*count);
}

void read_reset(const Node& node, Context& context, VerilogModule& into) {
    Diagnostics& diagnostics = context.diagnostics;
    VerilogReset result;
    result.stated = !node.is_text() && node.find("active");
    if (node.is_text())
        read_module_name(node, "reset", result.port, diagnostics);
    else if (is_map_or_empty(node, "a name or a map with port, active and cycles", diagnostics) &&
             check_keys(node, format::verilog_reset, "'reset'", diagnostics)) {
        if (const Node* port = node.find("port"))
            read_module_name(*port, "reset", result.port, diagnostics);
        else
            diagnostics.add(Code::missing_key, node.where, "'reset' needs 'port'");
        if (const Node* active = node.find("active")) {
            result.high = active->text.text == "high";
            if (!result.high && active->text.text != "low")
                diagnostics.add(Code::wrong_shape, active->where,
                                "a reset is active 'high' or 'low'");
        }
        if (const Node* cycles = node.find("cycles"))
            read_cycles(*cycles, context, result);
    }
    if (!result.port.text.empty())
        into.resets.push_back(std::move(result));
}

/// Reads one of the clocks of a module: a domain of the scope, or a rate.
void read_clock(Placed port, const Node& value, Context& context, VerilogModule& into) {
    const auto& known = context.domains.known;
    if (const auto domain = value.is_text() ? known.find(value.text.text) : known.end();
        domain != known.end())
        into.clocks.push_back(
            {std::move(port), context.design.graph.rate_of(domain->second), domain->second});
    else if (const auto rate = read_clock_rate(value, context))
        into.clocks.push_back({std::move(port), *rate});
}

} // namespace

void read_module_name(const Node& node, const char* key, Placed& into, Diagnostics& diagnostics) {
    if (!node.is_text())
        return wrong_shape(node, "a name", diagnostics);
    if (is_name(node, fmt::format("the '{}' of a module", key), diagnostics))
        into = {node.text.text, node.where};
}

void read_clocks(const Node& node, Context& context, VerilogModule& into) {
    Placed port;
    if (node.is_text()) {
        read_module_name(node, "clock", port, context.diagnostics);
        into.clocks.push_back({port, into.rate, into.domain});
        return;
    }
    if (!is_map_or_empty(node, "a port, or a map of ports as in {a: every 1, b: every 2 offset 1}",
                         context.diagnostics))
        return;
    into.clocks_named = true;
    for (const auto& [key, value] : node.entries)
        if (is_name(key, "a clock of a module", context.diagnostics))
            read_clock({key.text.text, key.where}, value, context, into);
}

void read_resets(const Node& node, Context& context, VerilogModule& into) {
    if (!node.is_list())
        return read_reset(node, context, into);
    for (const Node& item : node.items)
        read_reset(item, context, into);
}

} // namespace sme::yaml
