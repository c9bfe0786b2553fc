// SPDX-License-Identifier: Apache-2.0
//
// Calls of instances from native code.
#include <algorithm>

#include "verilator/run/instances.hpp"

namespace sme::verilator {

namespace {

/// Returns the number of members of an enumeration with the values 0, 1, 2, …; 0 if every bit
/// pattern is a member; `nullopt` if it has gaps.
std::optional<std::uint64_t> members_of(const Type& type) {
    const std::size_t count = type.members().size();
    for (std::uint64_t value = 0; value < count; ++value)
        if (!type.find_member(value))
            return std::nullopt;
    return type.width_bits() < 64 && count == std::uint64_t{1} << type.width_bits() ? 0 : count;
}

/// Returns the native description of a word of a port; `nullopt` if native code cannot handle it.
std::optional<ModelPort::Scalar> scalar_of(const PackedWord& word, std::int64_t slot) {
    ModelPort::Scalar made{static_cast<std::uint64_t>(slot) + word.offset, word.bytes,
                           word.scalar->is_signed() && !word.scalar->is_wide(), word.bit,
                           word.width};
    if (word.scalar->is_wide() && word.scalar->is_signed())
        return std::nullopt;
    if (word.scalar->kind() == TypeKind::enumeration) {
        const auto members = members_of(*word.scalar);
        if (!members)
            return std::nullopt;
        made.members = *members;
    }
    return made;
}

} // namespace

bool InstanceGroup::is_callable() const {
    if (watched_ || !plan_->inside.empty() || plan_->falls ||
        !(plan_->has_plain_clock() || plan_->clocks.empty()) || plan_->has_edge_inputs)
        return false;
    if (std::any_of(plan_->ports.begin(), plan_->ports.end(),
                    [](const BoundPort& port) { return port.elements > 0; }))
        return false; // an unpacked array
    for (std::uint64_t position = 0; position < count_; ++position)
        if (!*instances_[position].model)
            return false;
    return std::all_of(moves_.begin(), moves_.end(), [](const Moves& moves) {
        return std::all_of(moves.pieces().begin(), moves.pieces().end(),
                           [](const Moves::Piece& piece) { return scalar_of(piece.word, 0); });
    });
}

ModelPort InstanceGroup::model_port(std::size_t port, const Instance& instance) const {
    const BoundPort& bound = plan_->ports[port];
    ModelPort made{instance.at[port], Moves::port_bytes(bound.width), {}, {}, bound.binding.name};
    const std::int64_t* const slots = slots_of(instance, port);
    for (const Moves::Piece& piece : moves_[port].pieces())
        made.scalars.push_back(*scalar_of(piece.word, slots[piece.element]));
    for (std::uint64_t k = 0; bound.binding.output && k < bound.binding.count; ++k)
        for (std::size_t mark = 0; mark < marks_[port].bytes; ++mark)
            made.marks.push_back(static_cast<std::uint64_t>(slots[k]) + marks_[port].offset + mark);
    return made;
}

ModelStep InstanceGroup::model_step(unsigned part, std::uint64_t position) const {
    const Instance& instance = instances_[position];
    const bool settles = part < plan_->settles.size();
    ModelStep made{settles, !settled_, {}, {}};
    for (const std::size_t port : settles ? plan_->settles[part].inputs : edge_inputs_)
        made.inputs.push_back(model_port(port, instance));
    for (const std::size_t port : settles ? plan_->settles[part].outputs : plan_->registered)
        made.outputs.push_back(model_port(port, instance));
    return made;
}

ModelCalls InstanceGroup::model_calls(std::uint64_t position) const {
    Instance& instance = instances_[position];
    const sme_module_face& face = plan_->library->face();
    auto* const clock =
        instance.clocks.empty() ? nullptr : reinterpret_cast<unsigned char*>(instance.clocks[0]);
    face.set_clock(instance.model->handle(), clock);
    return {instance.model->handle(),
            clock,
            instance.model->said(),
            &instance.dirty,
            &face,
            face.enter,
            face.entered_eval,
            face.entered_cycle,
            face.set_time,
            plan_->uses_time ? plan_->module.clock_ps : 0};
}

bool InstanceGroup::is_running() const {
    return std::none_of(instances_.get(), instances_.get() + count_, [](const Instance& instance) {
        return instance.ended || instance.model->has_said_anything();
    });
}

void InstanceGroup::run_ahead() {
    for (std::uint64_t position = 0; position < count_; ++position)
        instances_[position].ahead = !plan_->clocks.empty();
}

} // namespace sme::verilator
