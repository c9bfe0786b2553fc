// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "yaml/print/text_printer.hpp"

namespace sme::yaml {

/// Prints the sections of one file: of a network, of a component as in an instance, or of a
/// library.
class ScopePrinter {
public:
    /// Returns true if an instance's component has a parameter in its printed form; by the scope of
    /// the instance.
    using HasParameter = std::function<bool(const Context& inside, const std::string& name)>;

    ScopePrinter(const FileSyntax& file, Context& context, const PrintedFiles& files,
                 HasParameter has_parameter)
        : file_{file}, context_{context}, files_{files},
          has_parameter_{std::move(has_parameter)}, text_{context} {}

    Document network();
    Document component(const std::string& name);
    Document library();

private:
    /// A name that other names may need, and its own dependencies.
    struct Declared {
        std::string section;
        std::set<std::string> names;
        std::set<std::string> needs;
        std::string key;
        Document value;
    };

    template <class Print> void declare(const char* section, const std::string& name, Print print);
    void declare_names();
    Document parameter(const ParameterSyntax& own);
    std::string key_of(const NamedTypeSyntax& type);
    Document type(const TypeSyntax& type);
    Document function(const FunctionSyntax& written);
    void use_what_is_needed(std::set<std::string>& used) const;
    void add_names(Document& into, bool all);
    void add_body(Document& into);

    Document domains();
    Document imports();
    Document declarations(const std::vector<DeclarationSyntax>& section);
    Document processes();
    Document process(const ProcessSyntax& process);
    Document verilog(const Node& section);
    void add_unit(const ProcessSyntax& process, Document& into);
    void add_outside(const ProcessSyntax& process, Document& into);
    void instance(const ProcessSyntax& process, Document& result);
    void add_process_body(const BodySyntax& body, Document& into);
    Document channel_conditions(const std::vector<ChannelConditionSyntax>& section);
    Document bindings(const BindingsSyntax& section);
    Document checks(const ChecksSyntax& section);
    Document inputs();
    Document outputs();
    Document run();

    const FileSyntax& file_;
    Context& context_;
    const PrintedFiles& files_;
    HasParameter has_parameter_;
    TextPrinter text_;
    std::vector<Declared> declared_;
};

} // namespace sme::yaml
