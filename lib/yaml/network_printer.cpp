// SPDX-License-Identifier: Apache-2.0
#include "yaml/network_printer.hpp"

#include "yaml/scope_printer.hpp"

namespace sme::yaml {

std::string print_network(const Node& root, Context& network) {
    const PrintedFiles files{root, network};
    Document made = ScopePrinter{root, network, files}.network();
    Document inner = Document::map();
    for (const PrintedFiles::File& file : files.all()) {
        ScopePrinter scope{*file.root, *file.scope, files};
        inner.set(file.name, file.scope->component ? scope.component(file.name) : scope.library());
    }
    if (!inner.empty())
        made.set("files", std::move(inner));
    return write(made);
}

} // namespace sme::yaml
