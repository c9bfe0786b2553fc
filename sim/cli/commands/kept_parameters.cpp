// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/kept_parameters.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "bits/integer.hpp"
#include "cli/findings.hpp"
#include "cli/loading.hpp"
#include "cli/terminal.hpp"

namespace sme::cli {

namespace {

using Modules = std::vector<std::pair<std::string, std::string>>; // names and texts of modules

class Ranges {
public:
    Ranges(const Options& options, const expr::ModuleView& network, const Graph& graph)
        : options_{options} {
        for (const auto& [name, value] : network.parameters)
            if (value >= least && value <= most)
                values_[name] = value;
        base_ = modules_of(network, graph, {});
    }

    hdl::KeptParameters find() const {
        hdl::KeptParameters kept;
        for (const auto& [name, value] : values_) {
            const Integer low = end(name, value, -1);
            const Integer high = end(name, value, 1);
            if (low != high)
                kept[name] = {value, fmt::format("the design is the same from {} to {}",
                                                 to_string(low), to_string(high))};
        }
        return kept;
    }

private:
    // A Verilog parameter is a signed number of 32 bits.
    static constexpr Integer least = -(Integer{1} << 31);
    static constexpr Integer most = (Integer{1} << 31) - 1;

    /// Finds the last value for which the text stays the same, in steps that double and then halve.
    Integer end(const std::string& name, Integer value, int direction) const {
        Integer good = value;
        Integer step = 1;
        while (is_same(name, good + direction * step)) {
            good += direction * step;
            step *= 2;
        }
        for (step /= 2; step > 0; step /= 2)
            if (is_same(name, good + direction * step))
                good += direction * step;
        return good;
    }

    bool is_same(const std::string& name, Integer value) const {
        if (value < least || value > most || interrupted())
            return false;
        Options changed = options_;
        changed.parameters[name] = to_string(value);
        std::optional<Modules> modules;
        LoadSettings settings;
        settings.silent = true;
        settings.keep_for_export();
        settings.look = [&](const yaml::SourceView& network, const Graph& graph) {
            modules = modules_of(network.describe(), graph, name);
        };
        const LoadResult loaded =
            load_network(changed, VerilogModules::Purpose::look, std::move(settings));
        return loaded.network && modules == base_;
    }

    /// Exports the network with all parameters kept. The parameter `given` keeps the value of the
    /// original network, so that the texts are equal if nothing else depends on it.
    std::optional<Modules> modules_of(const expr::ModuleView& network, const Graph& graph,
                                      const std::string& given) const {
        hdl::ExportOptions how{options_.top, {}, options_.packed};
        for (const auto& [name, value] : network.parameters)
            if (const auto known = values_.find(name); known != values_.end())
                how.kept[name] = {name == given ? known->second : value, ""};
        Diagnostics diagnostics;
        const hdl::Exported written = hdl::export_network(network, graph, diagnostics, how);
        if (diagnostics.has_errors())
            return std::nullopt;
        Modules modules;
        for (const hdl::ExportedFile& file : written.modules)
            modules.emplace_back(file.name, file.text);
        return modules;
    }

    const Options& options_;
    std::map<std::string, Integer> values_; // of the original network
    std::optional<Modules> base_;
};

} // namespace

hdl::KeptParameters parameters_to_keep(const Options& options, const expr::ModuleView& network,
                                       const Graph& graph, const hdl::Exported& written) {
    if (!written.sources.empty() || network.parameters.empty())
        return {};
    return Ranges{options, network, graph}.find();
}

} // namespace sme::cli
