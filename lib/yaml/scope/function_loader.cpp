// SPDX-License-Identifier: Apache-2.0
#include "yaml/scope/function_loader.hpp"

namespace sme::yaml {

void load_functions(const std::vector<FunctionSyntax>& section, NetworkScope& scope,
                    Diagnostics& diagnostics) {
    std::vector<expr::FunctionRef> functions;
    for (const FunctionSyntax& written : section) {
        if (!scope.declare(written.function.name, written.function.declared, diagnostics))
            continue;
        auto made = std::make_shared<expr::Function>(written.function);
        made->home = &scope;
        scope.set_function(made);
        functions.push_back(std::move(made));
    }
    expr::check_functions(functions, diagnostics);
}

} // namespace sme::yaml
