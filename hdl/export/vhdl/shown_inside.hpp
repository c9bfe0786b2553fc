// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "export/export.hpp"
#include "export/vhdl/module_text.hpp"

namespace sme::hdl::vhdl {

/// What the copies of modules show of their inside, and where each signal that is watched lies in
/// what the copy of the topmost one shows.
class ShownInside {
public:
    ShownInside(const Exported& exported, const Library& library);

    /// By module; of those that show something.
    const std::map<std::string, Shown>& modules() const { return shown_; }
    /// The lowest bit of a signal, named as `Watched::path` does.
    std::uint64_t low_bit(const std::string& path) const;
    std::uint64_t width() const;

private:
    /// "node[3].unit" or "node": an instance, and which of a family.
    struct Step {
        const rtl::Item* item = nullptr;
        const rtl::Instance* instance = nullptr;
        std::string label; // of it, or of the family
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
/// Whether a signal that is watched is an output port of the topmost module, and then which.
const rtl::Port* output_of(const Exported& exported, const std::string& path);

} // namespace sme::hdl::vhdl
