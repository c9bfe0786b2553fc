// SPDX-License-Identifier: Apache-2.0
#include "vpi/simulation.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

namespace sme::vpi {

namespace {

Simulation* current = nullptr;

std::uint64_t time_of(const s_vpi_time& time) {
    return std::uint64_t{time.high} << 32 | time.low;
}

} // namespace

Simulation* simulation() {
    return current;
}

std::string& problem() {
    static std::string text;
    return text;
}

Simulation::Simulation(const Graph& graph, engine::Engine& engine, Objects& objects,
                       const std::vector<hdl::ExportedClock>& clocks, std::uint64_t period)
    : graph_{graph}, engine_{engine}, objects_{objects}, clocks_{clocks}, period_{period},
      next_tick_{period / 2} {
    for (const hdl::WatchedMemory* const each : objects.reset_memories()) {
        const Memory& memory = graph.processes[each->process].memories[each->memory];
        const std::byte* const words = words_of(*each);
        initial_words_.emplace_back(
            each, std::vector<std::byte>(words, words + memory.words * memory.element->size()));
    }
    current = this;
}

Simulation::~Simulation() {
    current = nullptr;
}

const std::byte* Simulation::words_of(const hdl::WatchedMemory& memory) const {
    return engine_.access().words(static_cast<std::uint32_t>(memory.process), memory.memory,
                                  memory.instance);
}

const std::byte* Simulation::read(const Object& object, const Word& word) const {
    return object.memory ? words_of(*object.memory) + word.offset
                         : engine_.access().value(word.element) + word.offset;
}

std::string Simulation::bits(const Object& object) {
    if (object.role == Object::Role::bit ? object.parent->wire : object.wire)
        engine_.access().settle();
    return unsettled_bits(object);
}

std::string Simulation::unsettled_bits(const Object& object) const {
    if (object.role == Object::Role::bit) {
        const std::string all = unsettled_bits(*object.parent);
        return {all[all.size() - 1 - object.first]};
    }
    if (object.same)
        return unsettled_bits(*object.same);
    if (object.role != Object::Role::signal) { // the low bits of a number
        std::string result(object.width, '0');
        for (std::uint64_t k = 0; k < object.width; ++k)
            if (k < 64 ? (object.value >> k) & 1 : object.value < 0)
                result[object.width - 1 - k] = '1';
        return result;
    }
    std::string result(object.width, '0');
    for (const Word& word : object.words) {
        std::uint64_t value = 0;
        std::memcpy(&value, read(object, word), word.bytes);
        value >>= word.shift;
        char* const low = result.data() + (object.width - 1 - word.bit);
        for (unsigned k = 0; k < word.width; ++k)
            *(low - k) = static_cast<char>('0' + (value >> k & 1));
    }
    return result;
}

/// Stores a value where the network reads it, as if each scalar had been written.
void Simulation::write(const Object& object, const std::string& bits) {
    for (const Word& word : object.words) {
        std::uint64_t value = 0;
        for (unsigned k = 0; k < word.width; ++k)
            value |= std::uint64_t{bits[object.width - 1 - word.bit - k] == '1'} << k;
        value = canonical(value, word.width, word.is_signed);
        const auto bytes = std::as_bytes(std::span{&value, 1}).first(word.bytes);
        if (const hdl::WatchedMemory* const memory = object.memory)
            engine_.access().write_words(static_cast<std::uint32_t>(memory->process),
                                         memory->memory, memory->instance, word.offset, bytes);
        else
            engine_.access().write(word.element, word.offset, bytes);
    }
    changed_ = true;
}

void Simulation::store(Object& object, const std::string& bits) {
    if (object.role == Object::Role::bit) {
        std::string all = unsettled_bits(*object.parent); // this may be within a cycle
        all[all.size() - 1 - object.first] = bits.back();
        return store(*object.parent, all);
    }
    if (object.role == Object::Role::signal)
        return write(object, bits);
    const bool rises = object.value == 0 && bits.back() == '1';
    object.value = bits.back() == '1' ? 1 : 0;
    edge_ = edge_ || (rises && object.role == Object::Role::clock);
    changed_ = true;
}

bool Simulation::is_reset() const {
    return std::any_of(objects_.resets().begin(), objects_.resets().end(),
                       [](const Object* reset) { return reset->value != 0; });
}

/// The clocks that are driven here, at the end or in the middle of a network cycle. They begin anew
/// after a reset.
void Simulation::tick() {
    if (!middle_ && !is_reset())
        phase_ = engine_.cycle();
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
        const ClockRate& rate = clocks_[k].rate;
        std::int64_t& value = objects_.clocks()[k]->value;
        if (middle_ ? rate.falls_within(phase_) : rate.falls_after(phase_))
            value = 0;
        if (!middle_ && rate.rises_after(phase_))
            value = 1;
    }
    edge_ = !middle_;
    changed_ = true;
    phase_ += middle_ ? 0 : 1;
    middle_ = !middle_;
    next_tick_ += middle_ ? period_ / 2 : period_ - period_ / 2;
}

/// What a rising edge does, after those that wait for it have seen the values before it.
void Simulation::rise() {
    edge_ = false;
    if (is_reset())
        return reset();
    engine_.run(1);
    changed_ = true;
    for (const auto& [object, forced] : forced_)
        if (!object->input && !object->wire)
            store(*object, forced.now);
}

/// The values before the first cycle, apart from those of inputs, and of memories without reset.
void Simulation::reset() {
    engine_.access().reset();
    for (const auto& [memory, words] : initial_words_)
        engine_.access().write_words(static_cast<std::uint32_t>(memory->process), memory->memory,
                                     memory->instance, 0, words);
    changed_ = true;
}

std::string Simulation::put(Object& object, const std::string& bits, bool now) {
    if (!object.is_writable())
        return fmt::format("'{}' follows other signals in the network; inputs, registers and "
                           "memories can be written",
                           object.full_name);
    if (object.role == Object::Role::clock && drives_clocks())
        return (object.value != 0) == (bits.back() == '1')
                   ? std::string{}
                   : fmt::format("'{}' is driven by the clocks of the network, which has several",
                                 object.full_name);
    if (read_only_)
        return fmt::format("'{}' is written in the read-only region of a time step",
                           object.full_name);
    if (const auto forced = forced_.find(&object); forced != forced_.end())
        forced->second.driven = bits;
    else if (now)
        store(object, bits);
    else
        puts_.push_back({&object, bits});
    return {};
}

Callback* Simulation::add(const s_cb_data& data) {
    Callback& callback = callbacks_.emplace_back();
    callback.data = data;
    if (data.time)
        callback.time = *data.time;
    if (data.value)
        callback.value = *data.value;
    callback.data.time = &callback.time;
    callback.data.value = data.value ? &callback.value : nullptr;
    if (data.reason == cbValueChange) {
        callback.object = static_cast<Object*>(reinterpret_cast<Node*>(data.obj));
        callback.last = bits(*callback.object);
    }
    callback.deadline = time_ + time_of(callback.time);
    return &callback;
}

bool Simulation::remove(const Node* callback) {
    const auto found = std::find_if(callbacks_.begin(), callbacks_.end(),
                                    [&](const Callback& each) { return &each == callback; });
    if (found == callbacks_.end() || found->removed)
        return false;
    found->removed = true;
    return true;
}

/// Forgets callbacks that are over.
void Simulation::sweep() {
    callbacks_.remove_if([](const Callback& each) { return each.removed && !each.busy; });
}

void Simulation::call_one(Callback& callback) {
    callback.busy = true;
    if (callback.data.reason != cbValueChange)
        callback.removed = true; // it is called once
    callback.time.high = static_cast<PLI_UINT32>(time_ >> 32);
    callback.time.low = static_cast<PLI_UINT32>(time_);
    callback.data.cb_rtn(&callback.data);
    callback.busy = false;
}

void Simulation::call_all(const std::vector<Callback*>& due) {
    for (Callback* each : due)
        if (!each->removed)
            call_one(*each);
    sweep();
}

/// Calls those that have waited for this region, or for this time, before it began.
void Simulation::call(int reason) {
    std::vector<Callback*> due;
    for (Callback& each : callbacks_)
        if (each.data.reason == reason && !each.removed &&
            (reason != cbAfterDelay || each.deadline <= time_))
            due.push_back(&each);
    call_all(due);
}

/// Calls those whose object has another value than before; true if there was one.
bool Simulation::call_changes() {
    if (!changed_)
        return false;
    changed_ = false;
    std::vector<Callback*> due;
    for (Callback& each : callbacks_) {
        if (each.data.reason != cbValueChange || each.removed)
            continue;
        std::string now = bits(*each.object);
        if (now != each.last) {
            each.last = std::move(now);
            due.push_back(&each);
        }
    }
    call_all(due);
    return !due.empty();
}

void Simulation::apply_puts() {
    // Inputs first: an edge at the same time reads them, as their new values were there before it.
    std::vector<Put> puts;
    puts.swap(puts_);
    for (const bool clocks : {false, true})
        for (const Put& put : puts)
            if ((put.object->role == Object::Role::clock) == clocks && !forced_.count(put.object))
                store(*put.object, put.bits);
}

/// Applies written values until nothing changes any more; true if there was one.
bool Simulation::evaluate() {
    const bool written = !puts_.empty() || edge_;
    do {
        apply_puts();
        while (call_changes() && !finished_) {
        }
        if (edge_ && !finished_) // before the writes of those that have waited for it
            rise();
        while (call_changes() && !finished_) {
        }
    } while ((!puts_.empty() || edge_) && !finished_);
    return written;
}

void Simulation::run(const std::function<bool()>& stop) {
    constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
    call(cbStartOfSimulation);
    evaluate();
    while (!finished_ && !stop() && engine_.ending() == RunEnd::completed) {
        evaluate();
        do {
            if (!finished_)
                call(cbReadWriteSynch);
        } while (!finished_ && evaluate()); // those that this has woken may write, too
        if (finished_)
            break;
        read_only_ = true;
        call(cbReadOnlySynch);
        read_only_ = false;
        std::uint64_t next = never;
        for (const Callback& each : callbacks_)
            if (each.data.reason == cbAfterDelay && !each.removed)
                next = std::min(next, each.deadline);
        if (drives_clocks())
            next = std::min(next, next_tick_);
        if (next == never) {
            starved_ = !finished_;
            break;
        }
        time_ = next;
        if (drives_clocks() && time_ == next_tick_)
            tick();
        call(cbNextSimTime);
        evaluate();
        call(cbAfterDelay);
    }
    call(cbEndOfSimulation);
}

} // namespace sme::vpi
