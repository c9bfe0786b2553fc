// SPDX-License-Identifier: Apache-2.0
#include "yaml/load/verilog_section.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <glob.h>

#include <fmt/format.h>

#include "base/codes.hpp"
#include "yaml/load/verilog_controls.hpp"
#include "yaml/read/keys.hpp"
#include "yaml/scope/verilog_parameters.hpp"

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
            if (auto made = verilog_parameter(value, context_))
                into.parameters.push_back({{port + key.text.text, key.where}, std::move(*made)});
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
    VerilogModule made;
    made.domain = context.domains.own;
    made.rate = context.design.graph.rate_of(made.domain);
    SectionReader{context}.read(section, made);
    if (context.diagnostics.errors() != errors)
        return std::nullopt;
    return made;
}

} // namespace sme::yaml
