// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fst/writer.hpp"
#include "trace/vcd/declarations.hpp"

namespace sme::trace {

/// The declarations of an FST file: like a VCD file, but with struct scopes, type names and the
/// members of enumerations. Signal k has the FST number k + 1.
class FstDeclarations final : public Declarations {
public:
    explicit FstDeclarations(fst::Writer& writer) : writer_{writer} {}

    /// The widths of the signals declared.
    const std::vector<std::uint32_t>& widths() const { return widths_; }

private:
    void write_scope(const std::string& name, ScopeKind kind) override;
    void write_scope_end() override;
    void write_comment(const std::string& text) override;
    void write_variable(std::uint32_t signal, std::string_view name, const Type& type) override;
    void write_clock(std::string_view name) override;

    std::uint32_t enumeration_of(const Type& type);

    fst::Writer& writer_;
    std::vector<std::uint32_t> widths_;
    std::unordered_map<std::string, std::uint32_t> enumerations_; // by full description
    std::string reference_;
};

} // namespace sme::trace
