// SPDX-License-Identifier: Apache-2.0
#include "session/observed.hpp"

#include "engine/feeder.hpp"
#include "interpret/block/program_group.hpp"
#include "interpret/observers/deadlock.hpp"
#include "interpret/observers/halt.hpp"

namespace sme::session {

yaml::GroupFactories factories(Observed& observed, VerilogModules* verilog) {
    return {[covered = observed.covered](std::shared_ptr<const expr::Program> program) {
                return interpret::counted_program_factory(std::move(program), covered);
            },
            engine::feeder,
            [verdicts = observed.verdicts](std::shared_ptr<const expr::CheckSet> checks) {
                return interpret::checks_factory(std::move(checks), verdicts);
            },
            [&observed](std::shared_ptr<const expr::Recording> recording) {
                observed.recordings.push_back(
                    std::make_shared<interpret::RecordingFile>(std::move(recording)));
                return interpret::recorder_factory(observed.recordings.back());
            },
            verilog,
            interpret::halt_factory,
            interpret::deadlock_factory};
}

yaml::GroupFactories factories_of_each(bool write_outputs, VerilogModules* verilog) {
    return {interpret::program_factory,
            engine::feeder,
            [](std::shared_ptr<const expr::CheckSet> checks) {
                return interpret::checks_factory(std::move(checks), nullptr);
            },
            [write_outputs](std::shared_ptr<const expr::Recording> recording) {
                return interpret::recorder_factory_of_each(std::move(recording), write_outputs);
            },
            verilog,
            interpret::halt_factory,
            interpret::deadlock_factory};
}

} // namespace sme::session
