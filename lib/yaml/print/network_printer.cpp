// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "yaml/print/scope_printer.hpp"

namespace sme::yaml {

namespace {

class NetworkPrinter {
public:
    NetworkPrinter(const FileSyntax& file, Context& network)
        : file_{file}, network_{network}, files_{file, network} {}

    Document run() {
        Document made = scope(file_, network_).network();
        Document inner = Document::map();
        for (const PrintedFiles::File& file : files_.all())
            inner.set(file.name, file.scope->component
                                     ? component(*file.scope)
                                     : scope(*file.syntax, *file.scope).library());
        if (!inner.empty())
            made.set("files", std::move(inner));
        return made;
    }

private:
    ScopePrinter scope(const FileSyntax& file, Context& context) {
        return {file, context, files_, [this](const Context& inside, const std::string& name) {
                    for (const auto& [section, value] : component(inside).entries)
                        if (section == "parameters")
                            return value.has(name);
                    return false;
                }};
    }

    /// Prints a component on first request: by an instance in the network, or in another component.
    const Document& component(const Context& inside) {
        const std::string& name = files_.component_of(inside);
        const auto known = printed_.find(name);
        if (known != printed_.end())
            return known->second;
        const PrintedFiles::File& file = files_.component_named(name);
        return printed_[name] = scope(*file.syntax, *file.scope).component(name);
    }

    const FileSyntax& file_;
    Context& network_;
    PrintedFiles files_;
    std::map<std::string, Document> printed_; // components, by name
};

} // namespace

std::string Written::print() const {
    return write(NetworkPrinter{file_, context_}.run());
}

} // namespace sme::yaml
