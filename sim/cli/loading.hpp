// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "cli/options.hpp"
#include "interpret/checks.hpp"
#include "interpret/recorder.hpp"
#include "network/check.hpp"
#include "yaml/design.hpp"

namespace sme::cli {

/// A network that is ready to be built, and where its observers leave what they find.
struct Loaded {
    yaml::Design design;
    Analysis analysis;
    std::shared_ptr<interpret::Verdicts> verdicts;
    std::vector<std::shared_ptr<interpret::RecordingFile>> recordings;
};

/// Loads and checks a network; prints what there is to say about it to standard error. Nothing when
/// there are errors.
std::optional<Loaded> load_network(const Options& options);

} // namespace sme::cli
