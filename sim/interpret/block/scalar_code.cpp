// SPDX-License-Identifier: Apache-2.0
//
// The order of steps: 1. loads, operations and loops, 2. faults, 3. commit or stop, 4. stores,
// memory writes, halts. A loop is its steps followed by a jump; its memory writes wait for the
// commit.
#include "interpret/block/scalar_code.hpp"

#include <cstring>

#include "base/codes.hpp"
#include "bits/integer.hpp"
#include "expr/program/apply.hpp"

namespace sme::interpret {

namespace {

using U = std::uint64_t;
using S = std::int64_t;

S as_signed(U x) {
    return static_cast<S>(x);
}

/// Keeps all but the `spare` highest bits and extends the sign.
U signed_narrow(U x, U spare) {
    return static_cast<U>(as_signed(x << spare) >> spare);
}

template <class T> U loaded(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<U>(value);
}

template <class T> void stored(std::byte* to, U value) {
    const T word = static_cast<T>(value);
    std::memcpy(to, &word, sizeof word);
}

/// Applies an operation shared by all engines to registers.
template <expr::Op op, bool is_signed> U applied(U x, U y, U immediate, unsigned width) {
    const U value = expr::apply_extended<op, is_signed>(x, y, width);
    if constexpr (!expr::widens(op, is_signed))
        return value;
    else
        return is_signed ? signed_narrow(value, immediate) : value & immediate;
}

} // namespace

U ScalarCode::load_at(const Step& step, const std::byte* read) const {
    const Segments& slots = *slots_[step.b];
    const U at = registers_[step.a];
    U value = 0;
    std::memcpy(&value, read + slots.at(at < slots.size() ? at : 0) + step.immediate, step.small);
    return value;
}

template <class T> U ScalarCode::read_word(const Step& step) const {
    const Words& words = words_[step.b];
    const U at = registers_[step.a];
    return loaded<T>(words.base + (at < words.count ? at : 0) * words.stride);
}

PendingWrite ScalarCode::write_of(const Step& step) const {
    if (wrote_)
        *wrote_ = 1;
    const Words& words = words_[step.d];
    return {words.base + registers_[step.b] * words.stride, words.bytes,
            registers_[step.immediate]};
}

/// The writes of loops come before all others.
void ScalarCode::flush(std::vector<PendingWrite>* pending) {
    if (pending)
        pending->insert(pending->end(), collected_.begin(), collected_.end());
    else
        for (const PendingWrite& write : collected_)
            write.make();
}

void ScalarCode::write_word(const Step& step, std::vector<PendingWrite>* pending) const {
    if (registers_[step.a] == 0)
        return;
    const PendingWrite result = write_of(step);
    if (pending)
        pending->push_back(result);
    else
        result.make();
}

// One line per operation: the table is the point of this function, so its length is that of the
// table.
bool ScalarCode::run(const Frame& frame, std::vector<PendingWrite>* pending) {
    U* const r = registers_.data();
    const std::byte* const read = frame.read;
    U fault = 0;
    collected_.clear();
    for (const Step* step = steps_.data();; ++step) {
        const Step& s = *step;
        switch (s.code) {
        case Code::load_u8: r[s.d] = loaded<std::uint8_t>(read + s.immediate); break;
        case Code::load_u16: r[s.d] = loaded<std::uint16_t>(read + s.immediate); break;
        case Code::load_u32: r[s.d] = loaded<std::uint32_t>(read + s.immediate); break;
        case Code::load_u64: r[s.d] = loaded<std::uint64_t>(read + s.immediate); break;
        case Code::load_i8: r[s.d] = loaded<std::int8_t>(read + s.immediate); break;
        case Code::load_i16: r[s.d] = loaded<std::int16_t>(read + s.immediate); break;
        case Code::load_i32: r[s.d] = loaded<std::int32_t>(read + s.immediate); break;
        case Code::load_at: r[s.d] = load_at(s, read); break;
        case Code::load_at_signed:
            r[s.d] = signed_narrow(load_at(s, read), 64u - 8u * s.small);
            break;
        case Code::read_u8: r[s.d] = read_word<std::uint8_t>(s); break;
        case Code::read_u16: r[s.d] = read_word<std::uint16_t>(s); break;
        case Code::read_u32: r[s.d] = read_word<std::uint32_t>(s); break;
        case Code::read_u64: r[s.d] = read_word<std::uint64_t>(s); break;
        case Code::read_i8: r[s.d] = read_word<std::int8_t>(s); break;
        case Code::read_i16: r[s.d] = read_word<std::int16_t>(s); break;
        case Code::read_i32: r[s.d] = read_word<std::int32_t>(s); break;
        case Code::cycle: r[s.d] = frame.cycle & s.immediate; break;
        case Code::random:
            r[s.d] = canonical(expr::random_bits(s.immediate, frame.cycle), s.small, s.b != 0);
            break;
#define SME_CASE(code, name, is_signed)                                                            \
    case Code::code:                                                                               \
        r[s.d] = applied<expr::Op::name, is_signed>(r[s.a], r[s.b], s.immediate, s.small);         \
        break;
#define SME_CASES_bits(name) SME_CASE(name, name, false)
#define SME_CASES_wrapped(name) SME_CASE(name, name, false) SME_CASE(name##_signed, name, true)
#define SME_CASES_number(name) SME_CASES_wrapped(name)
#define SME_OPERATION(name, operands, types, sign, ...) SME_CASES_##sign(name)
#include "expr/program/operations.def"
        case Code::shift_left_by: r[s.d] = (r[s.a] << s.small) & s.immediate; break;
        case Code::shift_right_by: r[s.d] = (r[s.a] >> s.small) & s.immediate; break;
        case Code::shift_right_signed_by:
            r[s.d] = static_cast<U>(as_signed(r[s.a]) >> s.small);
            break;
        case Code::rotate_by: r[s.d] = (r[s.a] << s.small | r[s.a] >> s.b) & s.immediate; break;
        case Code::select: {
            const U mask = U{0} - r[s.a];
            r[s.d] = (r[s.b] & mask) | (r[s.immediate] & ~mask);
            break;
        }
        case Code::narrow: r[s.d] = r[s.a] & s.immediate; break;
        case Code::narrow_signed: r[s.d] = signed_narrow(r[s.a], s.immediate); break;
        case Code::move: r[s.d] = r[s.a]; break;
        case Code::again:
            if (++r[s.d] < s.immediate && r[s.a] == 0)
                step -= s.b;
            break;
        case Code::collect:
            if (r[s.a] != 0)
                collected_.push_back(write_of(s));
            break;
        case Code::fault: fault |= r[s.a] & r[s.b]; break;
        case Code::commit:
            if (fault != 0)
                return false;
            break;
        case Code::flush: flush(pending); break;
        case Code::store_8: stored<std::uint8_t>(frame.write + s.immediate, r[s.a]); break;
        case Code::store_16: stored<std::uint16_t>(frame.write + s.immediate, r[s.a]); break;
        case Code::store_32: stored<std::uint32_t>(frame.write + s.immediate, r[s.a]); break;
        case Code::store_64: stored<std::uint64_t>(frame.write + s.immediate, r[s.a]); break;
        case Code::write: write_word(s, pending); break;
        case Code::halt:
            if (r[s.a] != 0)
                frame.control->halt();
            break;
        case Code::end: return true;
        default: __builtin_unreachable();
        }
    }
}

void ScalarCode::results(std::vector<std::uint64_t>& values) const {
    values.clear();
    for (const std::uint32_t reg : results_)
        values.push_back(registers_[reg]);
}

} // namespace sme::interpret
