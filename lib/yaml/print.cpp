// SPDX-License-Identifier: Apache-2.0
#include "yaml/print.hpp"

#include "yaml/print_scope.hpp"

namespace sme::yaml {

std::string print_network(const Node& root, Context& network) {
    const PrintFiles files{root, network};
    Document made = PrintScope{root, network, files}.network();
    Document inner = Document::map();
    for (const PrintFiles::File& file : files.all()) {
        PrintScope scope{*file.root, *file.scope, files};
        inner.set(file.name, file.scope->component ? scope.component(file.name) : scope.library());
    }
    if (!inner.empty())
        made.set("files", std::move(inner));
    return write(made);
}

} // namespace sme::yaml
