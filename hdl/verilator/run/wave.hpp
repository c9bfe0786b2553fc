// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sme::verilator {

/// A signal inside a module.
struct InsideSignal {
    std::string name; // with the scopes around it: "stage[1].count"
    unsigned width = 1;
};

/// The waveform that a model writes, as VCD text, read as it comes.
class Wave {
public:
    Wave() = default;
    /// Of the text with which a waveform begins, the signals that are wanted. Signals of more than
    /// 4096 bits are left out.
    explicit Wave(std::string_view text,
                  const std::function<bool(const std::string&)>& wanted = nullptr);

    const std::vector<InsideSignal>& signals() const { return signals_; }

    /// Calls visit(signal, digits) for each signal that has a value in the text: its digits, as
    /// many as it has bits or fewer, the highest first.
    void read(std::string_view text,
              const std::function<void(std::size_t, std::string_view)>& visit) const;

private:
    std::vector<InsideSignal> signals_;
    std::map<std::string, std::vector<std::size_t>, std::less<>> by_code_;
};

/// The bytes of a slot of an unsigned integer with these binary digits.
void put_digits(std::string_view digits, std::byte* slot, std::size_t slot_bytes);

} // namespace sme::verilator
