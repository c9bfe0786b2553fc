// SPDX-License-Identifier: Apache-2.0
//
// The effects of a block besides its stores: 1. memory writes, 2. memory resets, 3. halts, 4.
// printed lines, 5. faults, which are found before all others.
#include <cstring>
#include <map>

#include "bits/integer.hpp"
#include "expr/syntax/print_line.hpp"
#include "interpret/block/compiler.hpp"
#include "interpret/block/scalar_code.hpp"
#include "interpret/block/shown.hpp"

namespace sme::interpret {

void PendingWrite::make() const {
    if (!all_words)
        std::memcpy(at, &value, bytes);
    else if (from)
        std::memcpy(at, from, bytes);
    else
        std::memset(at, 0, bytes);
}

/// get(k) is true if memory reset k is requested at a position.
template <class Get>
void Evaluator::reset_memories(std::uint64_t position, std::vector<PendingWrite>* pending,
                               Get get) const {
    for (std::size_t k = 0; k < part_.memory_resets.size(); ++k) {
        if (!get(k))
            continue;
        const std::uint32_t number = part_.memory_resets[k].memory;
        const MemorySlots& memory = places_.memories[number];
        const std::vector<std::byte>& initial = *places_.initial[number];
        if (places_.wrote)
            places_.wrote[position] = 1;
        PendingWrite result{nullptr,
                            static_cast<std::size_t>(memory.words_each * memory.element->size())};
        result.at = memory.words + position * result.bytes;
        result.all_words = true;
        if (!initial.empty()) {
            const auto instance = static_cast<std::uint64_t>(places_.order.at(position));
            result.from =
                initial.data() + (initial.size() == result.bytes ? 0 : instance * result.bytes);
        }
        if (pending)
            pending->push_back(result);
        else
            result.make();
    }
}

void Evaluator::effects(Workspace& workspace, Range range, const Frame& frame, bool faulted,
                        std::vector<PendingWrite>* pending) {
    if (!writes_.empty() || !workspace.collected.empty())
        write_memories(workspace, range, faulted, pending);
    for (std::uint64_t lane = 0; !resets_.empty() && lane < range.count; ++lane)
        if (!faulted || !workspace.faulted[lane])
            reset_memories(range.first + lane, pending, [&](std::size_t n) {
                return workspace.columns[resets_[n]][lane] != std::byte{0};
            });
    if (!halts_.empty())
        halt(workspace, range, frame, faulted);
    if (!prints_.empty())
        print(workspace, range, frame, faulted);
}

void Evaluator::effects(const ScalarCode& code, std::uint64_t position, const Frame& frame,
                        std::vector<PendingWrite>* pending) {
    reset_memories(position, pending, [&](std::size_t n) { return code.effect(n) != 0; });
    print(code, position, frame);
}

std::optional<PendingWrite> Evaluator::write_of(const WriteTo& write, const Workspace& workspace,
                                                Range range, std::size_t lane) const {
    if (workspace.columns[write.enable][lane] == std::byte{0})
        return std::nullopt;
    if (places_.wrote)
        places_.wrote[range.first + lane] = 1;
    const MemorySlots& memory = places_.memories[write.memory];
    const std::uint64_t word =
        (range.first + lane) * memory.words_each + word_at(workspace.columns[write.word], lane);
    PendingWrite result{memory.words + word * memory.element->size() + write.offset, write.bytes};
    std::memcpy(&result.value, workspace.columns[write.value] + lane * write.bytes, write.bytes);
    return result;
}

void Evaluator::write_memories(Workspace& workspace, Range range, bool faulted,
                               std::vector<PendingWrite>* pending) const {
    const auto commit = [&](const PendingWrite& result) {
        if (pending)
            pending->push_back(result);
        else
            result.make();
    };
    for (const auto& [lane, result] : workspace.collected)
        if (!faulted || !workspace.faulted[lane])
            commit(result);
    for (const WriteTo& write : writes_)
        for (std::size_t lane = 0; lane < range.count; ++lane)
            if (!faulted || !workspace.faulted[lane])
                if (const auto result = write_of(write, workspace, range, lane))
                    commit(*result);
}

void Evaluator::halt(const Workspace& workspace, Range range, const Frame& frame,
                     bool faulted) const {
    for (const Register reg : halts_)
        for (std::size_t k = 0; k < range.count; ++k)
            if (workspace.columns[reg][k] != std::byte{0} && !(faulted && workspace.faulted[k])) {
                frame.control->halt();
                return;
            }
}

/// get(k) is value k of the part's print `number`.
template <class Get>
void Evaluator::print_line(std::uint32_t number, std::uint64_t position, const Frame& frame,
                           Get get) const {
    const expr::Print& print = part_.prints[number];
    std::vector<std::uint64_t> values;
    for (std::size_t k = 0; k < print.values.size(); ++k)
        values.push_back(get(k));
    frame.control->print(position, number,
                         expr::line_of(program_.lines[print.line], values.data()));
}

void Evaluator::print(const Workspace& workspace, Range range, const Frame& frame,
                      bool faulted) const {
    for (std::uint32_t p = 0; p < prints_.size(); ++p)
        for (std::uint64_t lane = 0; lane < range.count; ++lane) {
            if (workspace.columns[prints_[p].enable][lane] == std::byte{0} ||
                (faulted && workspace.faulted[lane]))
                continue;
            print_line(p, range.first + lane, frame, [&](std::size_t k) {
                const auto& [reg, type] = prints_[p].values[k];
                std::uint64_t bits = 0;
                std::memcpy(&bits, workspace.columns[reg] + lane * type.bytes(), type.bytes());
                return canonical(bits, type.width_bits, type.is_signed);
            });
        }
}

/// The effects of straight code: conditions of memory resets, then the condition and the values of
/// each print.
void Evaluator::print(const ScalarCode& code, std::uint64_t position, const Frame& frame) const {
    std::size_t next = part_.memory_resets.size();
    for (std::uint32_t p = 0; p < part_.prints.size(); ++p) {
        if (code.effect(next++) != 0)
            print_line(p, position, frame, [&](std::size_t k) { return code.effect(next + k); });
        next += part_.prints[p].values.size();
    }
}

std::uint32_t Evaluator::site_of(std::size_t fault, const Workspace& workspace,
                                 std::size_t lane) const {
    const expr::FaultCheck& check = part_.faults[fault];
    return check.which == expr::no_node
               ? check.site
               : static_cast<std::uint32_t>(word_at(workspace.columns[faults_[fault].which], lane));
}

/// Reports one fault per instance: the first in the order of the checks, which is that of their
/// sites; in a loop any site may be the first.
bool Evaluator::find_faults(Workspace& workspace, Range range, const Frame& frame) const {
    std::vector<std::optional<std::uint32_t>> sites; // by lane
    for (std::size_t f = 0; f < faults_.size(); ++f) {
        const auto* bad = reinterpret_cast<const std::uint8_t*>(workspace.columns[faults_[f].bad]);
        const auto* selected =
            reinterpret_cast<const std::uint8_t*>(workspace.columns[faults_[f].selected]);
        if (!any_both(bad, selected, range.count))
            continue;
        sites.resize(range.count);
        for (std::size_t k = 0; k < range.count; ++k)
            if ((bad[k] & selected[k]) != 0) {
                const std::uint32_t site = site_of(f, workspace, k);
                if (!sites[k] || (!loops_.empty() && site < *sites[k]))
                    sites[k] = site;
            }
    }
    if (sites.empty())
        return false;
    std::fill(workspace.faulted.begin(), workspace.faulted.end(), std::uint8_t{0});
    std::map<std::uint32_t, OperandReader> readers; // by site
    for (std::size_t k = 0; k < range.count; ++k)
        if (sites[k]) {
            workspace.faulted[k] = 1;
            const expr::FaultSite& site = program_.sites[*sites[k]];
            const OperandReader& reader =
                readers.try_emplace(*sites[k], program_, site.operands, places_).first->second;
            const std::uint64_t position = range.first + k;
            frame.control->fault(position, {site.code,
                                            Severity::fault,
                                            site.where,
                                            site.message + said(reader.at(position, frame)),
                                            {}});
        }
    return true;
}

} // namespace sme::interpret
