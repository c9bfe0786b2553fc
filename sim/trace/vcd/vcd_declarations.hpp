// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/files.hpp"
#include "trace/vcd/declarations.hpp"

namespace sme::trace {

/// The declarations of a VCD file.
class VcdDeclarations final : public Declarations {
public:
    explicit VcdDeclarations(OutputFile& file) : file_{file} {}

private:
    void write_scope(const std::string& name, ScopeKind kind) override;
    void write_scope_end() override;
    void write_comment(const std::string& text) override;
    void write_variable(std::uint32_t signal, std::string_view name, const Type& type) override;
    void write_clock(std::string_view name) override;

    OutputFile& file_;
    std::string line_;
};

} // namespace sme::trace
