// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/vhdl/module_text.hpp"

namespace sme::hdl::vhdl {

/// The inside that the copies of modules show, and the position of each watched signal in the
/// vector that the copy of the top module shows.
class ShownInside {
public:
    ShownInside(const Exported& exported, const Library& library);

    /// By module; only modules that show something.
    const std::map<std::string, Shown>& modules() const { return shown_; }
    /// Returns the lowest bit of a signal, named as in `Watched::path`.
    std::uint64_t low_bit(const std::string& path) const;
    std::uint64_t width() const;

private:
    /// "node[3].unit" or "node": an instance, with its index in a family.
    struct Step {
        const rtl::Item* item = nullptr;
        const rtl::Instance* instance = nullptr;
        std::string label; // of the instance, or of the family
        std::uint64_t member = 0;
        std::uint64_t members = 1;
    };
    Step step(const rtl::Module& module, std::string& path) const;
    void add(const rtl::Module& module, std::string path);
    std::uint64_t measure(const rtl::Module& module);
    static std::uint64_t width_of(const rtl::Module& module, const std::string& signal);
    static std::uint64_t members_of(const rtl::Generate& generate);

    const Exported& exported_;
    const Library& library_;
    std::map<std::string, Shown> shown_;
};

const rtl::Module& top_of(const Exported& exported);
/// Returns the output port of the top module that a watched signal is, if any.
const rtl::Port* output_of(const Exported& exported, const std::string& path);

} // namespace sme::hdl::vhdl
