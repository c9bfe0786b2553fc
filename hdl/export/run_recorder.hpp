// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "export/export.hpp"
#include "runtime/observer.hpp"

namespace sme::hdl {

/// Records the values of a written network's buses in every cycle, in hexadecimal digits.
class RunRecorder final : public Observer {
public:
    explicit RunRecorder(const Exported& exported) : exported_{exported} {}

    void open(const Observed& observed) override;
    void step(unsigned part, Range range, const Frame& frame) override;
    void close(std::uint64_t) override {}

    /// Returns the number of cycles with all values known.
    std::uint64_t cycles() const { return cycles_; }
    /// Drops a cycle and all after it: the run ended within it.
    void drop_from(std::uint64_t cycle);
    /// Returns the files of values: of the inputs first, then of the watched vectors.
    std::vector<ExportedFile> files() const;

private:
    std::string earlier(const std::string& lines, std::uint32_t late) const;

    struct Part {
        std::uint64_t offset; // in the arena
        const Type* type;
        std::uint64_t width;
    };
    const Exported& exported_;
    std::vector<std::vector<Part>> parts_; // per file
    std::vector<std::string> lines_;
    std::uint64_t cycles_ = 0;
};

} // namespace sme::hdl
