// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/library.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "verilator/inspect/netlist.hpp"
#include "verilator/run/inside.hpp"

namespace sme::verilator {

std::shared_ptr<const Library> Library::load(const std::string& object, std::string& problem) {
    // never unloaded: Verilator's runtime keeps threads and thread-local objects
    void* const loaded = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const found = loaded ? ::dlsym(loaded, "sme_module") : nullptr;
    if (!found) {
        const char* const error = ::dlerror();
        problem = error ? error : "it is no module";
        return nullptr;
    }
    auto result = std::make_shared<Library>();
    result->abi_ = reinterpret_cast<const sme_module_abi* (*)()>(found)();
    return result;
}

std::shared_ptr<const Library> Library::linked(const sme_module_abi& abi) {
    auto result = std::make_shared<Library>();
    result->abi_ = &abi;
    return result;
}

std::size_t Library::port(const std::string& name) const {
    std::size_t number = 0;
    while (number < abi_->ports && name != abi_->port_names[number])
        ++number;
    return number;
}

Model::Model(std::shared_ptr<const Library> library, const std::vector<std::string>& plusargs,
             std::uint32_t seed, const DataFiles* data_files)
    : library_{std::move(library)}, data_files_{data_files} {
    static constexpr sme_module_host host{print, end_by, find_file};
    std::vector<const char*> texts;
    for (const std::string& text : plusargs)
        texts.push_back(text.c_str());
    model_ = library_->abi().make(&host, this, static_cast<int>(texts.size()), texts.data(), seed);
}

Model::~Model() {
    if (model_)
        library_->abi().destroy(model_);
}

void Model::finish() {
    if (!end_ || end_->how == SME_MODULE_FINISH)
        library_->abi().finish(model_);
    if (!open_line_.empty())
        lines_.push_back(std::exchange(open_line_, {}));
}

std::vector<InsideSignal> Model::signals() const {
    std::vector<InsideSignal> result;
    library_->abi().signals(
        model_,
        [](void* to, const char* name, unsigned bits, std::uint32_t code) {
            static_cast<std::vector<InsideSignal>*>(to)->push_back({name, bits, code, false});
        },
        &result);
    return result;
}

void Model::place(const InsideSignal& signal, std::size_t offset, std::size_t bytes) {
    constexpr std::size_t word = 4;
    library_->abi().place(model_, signal.code, offset,
                          std::min<std::size_t>(bytes, (signal.width + 31) / 32 * word));
}

void Model::state(Archive& archive) {
    std::vector<std::uint8_t> bytes;
    if (archive.saves())
        library_->abi().save(
            model_,
            [](void* to, const void* data, std::size_t count) {
                const auto* const first = static_cast<const std::uint8_t*>(data);
                auto& all = *static_cast<std::vector<std::uint8_t>*>(to);
                all.insert(all.end(), first, first + count);
            },
            &bytes);
    archive(bytes, open_line_);
    if (!archive.saves() && !library_->abi().load(model_, bytes.data(), bytes.size()))
        throw CheckpointError{"the module was changed"};
}

std::vector<std::string> Model::take_lines() {
    text_ = 0;
    if (end_ && !open_line_.empty())
        lines_.push_back(std::exchange(open_line_, {}));
    said_ = end_ ? 1 : 0;
    return std::exchange(lines_, {});
}

int Model::print(void* instance, const char* text, std::size_t bytes) {
    auto& model = *static_cast<Model*>(instance);
    std::string_view rest{text, bytes};
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        model.open_line_ += rest.substr(0, end);
        if (end == std::string_view::npos)
            break;
        model.lines_.push_back(std::exchange(model.open_line_, {}));
        model.said_ = 1;
        rest.remove_prefix(end + 1);
    }
    model.text_ += bytes;
    if (model.text_ <= max_text)
        return 1;
    end_by(instance, SME_MODULE_FATAL, "", 0, "it prints more than 16 MiB in one cycle");
    return 0;
}

void Model::end_by(void* instance, int how, const char* file, int line, const char* message) {
    auto& model = *static_cast<Model*>(instance);
    if (!model.end_ || model.end_->how == SME_MODULE_FINISH)
        model.end_ = End{how, file, line, message};
    model.said_ = 1;
}

const char* Model::find_file(void* instance, const char* name) {
    auto& model = *static_cast<Model*>(instance);
    model.found_ = model.data_files_ ? model.data_files_->find(name) : std::string{name};
    return model.found_.c_str();
}

using Json = nlohmann::ordered_json;

std::string description_of(const VerilogModule& module, const Netlist& netlist) {
    Json json = json_of(netlist);
    json["said"] = ""; // the build already reported it
    json["top"] = module.top.text;
    json["clocks"] = Json::array();
    for (const VerilogClock& clock : module.clocks)
        json["clocks"].push_back({{"port", clock.port.text},
                                  {"every", clock.rate.every},
                                  {"offset", clock.rate.offset}});
    json["resets"] = Json::array();
    for (const VerilogReset& reset : module.resets)
        json["resets"].push_back(
            {{"port", reset.port.text}, {"high", reset.high}, {"cycles", reset.cycles}});
    json["trace inside"] = module.trace_inside;
    json["savable"] = module.savable;
    json["files"] = Json::array(); // files that the module reads may lie beside them
    for (const Placed& file : module.files)
        json["files"].push_back(file.text);
    json["plusargs"] = Json::array();
    for (const Placed& plusarg : module.plusargs)
        json["plusargs"].push_back(plusarg.text);
    return json.dump(1);
}

BuiltDescription read_description(const std::string& text) {
    const Json json = Json::parse(text);
    BuiltDescription result;
    result.netlist = netlist_of(json);
    VerilogModule& module = result.module;
    module.top.text = json.at("top").get<std::string>();
    for (const Json& clock : json.at("clocks"))
        module.clocks.push_back(
            {{clock.at("port").get<std::string>(), {}},
             {clock.at("every").get<std::uint64_t>(), clock.at("offset").get<std::uint64_t>()}});
    for (const Json& reset : json.at("resets"))
        module.resets.push_back({{reset.at("port").get<std::string>(), {}},
                                 reset.at("high").get<bool>(),
                                 reset.at("cycles").get<unsigned>()});
    module.trace_inside = json.at("trace inside").get<bool>();
    module.savable = json.at("savable").get<bool>();
    for (const Json& file : json.at("files"))
        module.files.push_back({file.get<std::string>(), {}});
    for (const Json& plusarg : json.at("plusargs"))
        module.plusargs.push_back({plusarg.get<std::string>(), {}});
    return result;
}

namespace {

constexpr std::array<std::string_view, 107> keywords{
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "sme",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "std",
    "NULL",
    "EOF",
    "BUFSIZ",
    "CHAR_BIT",
    "assert",
    "errno",
    "linux",
    "sched_priority",
    "stderr",
    "stdin",
    "stdout",
    "typeof",
    "unix",
};

/// Returns a port's name as a struct member: appends "_" to reserved or invalid names of C++.
std::string member_of(std::string name) {
    for (char& sign : name)
        if (std::string_view{"$.[]:\\ -"}.find(sign) != std::string_view::npos)
            sign = '_';
    if (std::find(keywords.begin(), keywords.end(), name) != keywords.end())
        name += '_';
    return name;
}

template <class Visit>
void each_port(const VerilogModule& module, const Netlist& netlist, Visit v) {
    for (const ModulePort& port : netlist.ports)
        if (!module.is_control(port.port.name))
            v(port.port);
}

} // namespace

bool is_class_name(const std::string& name) {
    return name != "Ports" && name != "Options" && member_of(name) == name;
}

std::string class_header(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist) {
    std::string ports;
    each_port(module, netlist, [&](const VerilogPort& port) {
        ports += fmt::format("        sme::Verilog{}<{}> {} = {{}};{}\n",
                             port.output ? "Output" : "Input", port.width, member_of(port.name),
                             port.is_signed ? " // signed" : "");
    });
    return fmt::format(R"(// Generated from Verilog module '{0}'.
#pragma once

#include <sme/verilog.hpp>

/// Module '{0}' as a process: network.add<{1}>("name", {{.port = sme::in(bus), ...}}).
class {1} : public sme::VerilogProcess {{
public:
    struct Ports {{
{2}    }};
    static void add_to(sme::Network& network, const sme::Name& name, const Ports& ports,
                       const sme::VerilogOptions& options);
}};
)",
                       module.top.text, name, ports);
}

std::string class_source(const std::string& name, const VerilogModule& module,
                         const Netlist& netlist) {
    std::string ports;
    each_port(module, netlist, [&](const VerilogPort& port) {
        ports +=
            fmt::format("            {{\"{}\", ports.{}}},\n", port.name, member_of(port.name));
    });
    return fmt::format("// Generated from Verilog module '{0}'.\n#include \"{1}.hpp\"\n\n"
                       R"_text_(#include <sme/internal/built_module.hpp>

struct sme_module_abi;
extern "C" const sme_module_abi* sme_module_{1}();

void {1}::add_to(sme::Network& network, const sme::Name& name, const Ports& ports,
                 const sme::VerilogOptions& options) {{
    static const sme::internal::BuiltModule module{{
        R"json({2})json", [] {{ return static_cast<const void*>(sme_module_{1}()); }}}};
    sme::internal::add_verilog(
        network, name, module,
        {{
{3}        }},
        options);
}}
)_text_",
                       module.top.text, name, description_of(module, netlist), ports);
}

} // namespace sme::verilator
