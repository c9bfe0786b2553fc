// SPDX-License-Identifier: Apache-2.0
#include "session/checkpoints.hpp"

#include <utility>

#include <fmt/format.h>

namespace sme::session {

std::vector<std::string> Resumption::restore(engine::Engine& engine, const MoreState& more) const {
    std::vector<std::string> anew = engine.load(reader_);
    if (more.key.empty())
        return anew;
    if (!reader_.find(more.key)) {
        anew.push_back(fmt::format("it holds no {}", more.key));
        return anew;
    }
    try {
        reader_.restore(more.key, more.state);
    } catch (const CheckpointError& error) {
        anew.emplace_back(error.what());
    }
    return anew;
}

Checkpoints::Checkpoints(std::uint64_t every, std::string path, MoreState more,
                         std::function<void(const std::string& text)> note)
    : every_{every}, path_{std::move(path)}, more_{std::move(more)}, note_{std::move(note)} {
    if (every_ == 0)
        return;
    claim_.emplace(path_);
    if (!claim_->good())
        throw CheckpointError{claim_->problem()};
}

void Checkpoints::after(engine::Engine& engine) {
    if (every_ == 0 || engine.cycle() == saved_)
        return;
    const RunEnd ending = engine.ending();
    if (ending != RunEnd::stopped && (ending != RunEnd::completed || engine.cycle() % every_ != 0))
        return;
    try {
        checkpoint::Writer next{path_, ".next.part"};
        engine.save(next);
        if (!more_.key.empty())
            next.record(more_.key, "", more_.state);
        for (const std::string& mark : marks_)
            next.record(mark, "", 0, [](Archive&) {});
        next.commit();
        saved_ = engine.cycle();
        problem_.clear();
    } catch (const CheckpointError& error) {
        if (problem_.empty() && note_)
            note_(fmt::format("the run goes on, but is not saved in cycle {}: {}", engine.cycle(),
                              error.what()));
        problem_ = error.what();
    }
}

} // namespace sme::session
