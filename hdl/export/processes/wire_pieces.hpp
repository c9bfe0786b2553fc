// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "export/processes/process_site.hpp"

namespace sme::hdl {

/// A wire that a process drives, as continuous assignments: one for each piece that a line assigns.
/// The pieces are independent, so one may be computed from another.
class WirePieces {
public:
    WirePieces(ProcessSite& site, const Variable& wire)
        : site_{site}, translator_{site.translator()}, wire_{wire} {}

    /// `nullopt` if assignments are in if or match blocks, or use a variable index.
    std::optional<rtl::Items> write(const expr::BoundBlock& step);

private:
    struct Piece {
        std::uint64_t low, width;
        ExprRef value;
    };

    bool is_inside(const expr::BoundBlock& block);
    bool is_assigned(const Term& target) const;
    bool add(const expr::BoundRhs& rhs, const Term& target);
    bool add_value(const Term& target, const Term& value);
    std::optional<Term> value_of(const expr::BoundRhs& rhs, const Term& target);

    ProcessSite& site_;
    Translator& translator_;
    const Variable& wire_;
    std::vector<Piece> pieces_;
};

} // namespace sme::hdl
