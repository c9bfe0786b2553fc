// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "interpret/observers/checks.hpp"
#include "interpret/observers/coverage.hpp"
#include "interpret/observers/recorder.hpp"
#include "yaml/design.hpp"

namespace sme::session {

/// What the observers of one loaded network leave while it runs: of one simulator at a time, as
/// each begins it anew.
struct Observed {
    std::shared_ptr<interpret::Verdicts> verdicts = std::make_shared<interpret::Verdicts>();
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;
    /// Filled when the network is built, where coverage was asked for.
    std::shared_ptr<interpret::CoveredPrograms> covered =
        std::make_shared<interpret::CoveredPrograms>();
};

/// Makes everything that a network file can hold: processes, checks and recordings are interpreted,
/// and what they find goes to `observed`, which must outlive the loading. `verilog` may be null: a
/// network with Verilog is refused then.
yaml::Kinds factories(Observed& observed, VerilogModules* verilog = nullptr);

/// The same, but every simulator keeps what its observers find, in their groups
/// (interpret::verdicts_of, interpret::recording_of). With `write_outputs` false, recorded rows are
/// compared, but not written.
yaml::Kinds factories_of_each(bool write_outputs, VerilogModules* verilog = nullptr);

} // namespace sme::session
