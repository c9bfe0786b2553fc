// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "export/processes/process_context.hpp"

namespace sme::hdl {

/// A wire that a process drives, as continuous assignments: one for each piece that a line assigns.
/// The pieces are independent, so one may be computed from another.
class WirePieces {
public:
    WirePieces(ProcessContext& context, const Variable& wire)
        : context_{context}, translator_{context.translator()}, wire_{wire} {}

    /// `nullopt` if assignments are in if or match blocks, or use a variable index.
    std::optional<rtl::Items> write(const expr::BoundBlock& step);

private:
    struct Piece {
        std::uint64_t low, width;
        ExprRef value;
    };

    bool is_inside(const expr::BoundBlock& block);
    bool is_assigned(const HdlValue& target) const;
    bool add(const expr::BoundRhs& rhs, const HdlValue& target);
    bool add_value(const HdlValue& target, const HdlValue& value);
    std::optional<HdlValue> value_of(const expr::BoundRhs& rhs, const HdlValue& target);

    ProcessContext& context_;
    Translator& translator_;
    const Variable& wire_;
    std::vector<Piece> pieces_;
};

} // namespace sme::hdl
