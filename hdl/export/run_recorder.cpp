// SPDX-License-Identifier: Apache-2.0
#include "export/run_recorder.hpp"

#include <algorithm>

#include "export/export.hpp"
#include "export/modules/hdl_value.hpp"

namespace sme::hdl {

void RunRecorder::open(const Observed& observed) {
    const Graph& graph = observed.graph();
    const auto add = [&](const Watched& watched) {
        std::vector<Part>& parts = parts_.emplace_back();
        for (const Watched::Part& part : watched.parts) {
            const auto family =
                std::find_if(graph.buses.begin(), graph.buses.end(), [&](const BusFamily& bus) {
                    return part.element >= bus.first && part.element < bus.first + bus.count;
                });
            const auto number = static_cast<std::size_t>(family - graph.buses.begin());
            auto offset =
                static_cast<std::uint64_t>(observed.slots(number).at(part.element - family->first));
            const Type* type = family->type.get();
            if (part.field >= 0) {
                const Field& field = type->fields()[static_cast<std::size_t>(part.field)];
                offset += field.offset;
                type = field.type.get();
            }
            parts.push_back({offset, type, part.width});
        }
    };
    for (const Watched& input : exported_.inputs)
        add(input);
    for (const Watched& watched : exported_.watched)
        add(watched);
    lines_.resize(parts_.size());
}

void RunRecorder::step(unsigned, Range, const Frame& frame) {
    if (!frame.wires_settled || frame.cycle != cycles_)
        return;
    ++cycles_;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
        Words bits;
        std::uint64_t at = 0;
        for (const Part& part : parts_[k]) {
            put_bits(bits, at, packed_slot(*part.type, frame.read + part.offset), part.width);
            at += part.width;
        }
        lines_[k] += hexadecimal(bits, static_cast<unsigned>(at)).substr(2) + '\n';
    }
}

void RunRecorder::drop_from(std::uint64_t cycle) {
    if (cycle >= cycles_)
        return;
    for (std::string& lines : lines_)
        lines.resize(lines.size() / cycles_ * cycle);
    cycles_ = cycle;
}

/// Returns the lines of a vector that is ahead of its buses: drops the lines from before cycle 0,
/// and marks the last lines as unknown.
std::string RunRecorder::earlier(const std::string& lines, std::uint32_t late) const {
    const std::size_t line = lines.size() / cycles_;
    const std::size_t skipped = line * std::min<std::uint64_t>(late, cycles_);
    std::string result = lines.substr(skipped);
    for (std::size_t at = 0; at < skipped; at += line)
        result += "x\n";
    return result;
}

std::vector<ExportedFile> RunRecorder::files() const {
    std::vector<ExportedFile> result;
    const std::size_t inputs = exported_.inputs.size();
    for (std::size_t k = 0; k < lines_.size(); ++k) {
        const std::uint32_t late = k < inputs ? 0 : exported_.watched[k - inputs].late;
        result.push_back(
            {value_file(exported_, k), late == 0 ? lines_[k] : earlier(lines_[k], late)});
    }
    return result;
}

} // namespace sme::hdl
