// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sme/type.hpp>

/// The program around a second implementation, which `sme cosim` starts: its end of the line.
///
/// First it sends an answer with the outputs before cycle 0. Then, cycle by cycle, it receives the
/// number of the cycle and the inputs, and sends an answer. An answer is a byte that says what it
/// is, and then the outputs, or the length of a text (4 bytes) and the text. At the end of the
/// line it ends. Inputs and outputs are blocks of slots, as both sides were told.
namespace sme::counterpart {

enum class Answer : std::uint8_t {
    outputs,  ///< and it goes on
    halted,   ///< outputs; it asks for the end of the run
    fault,    ///< a text: what went wrong in this cycle
    unfitting ///< a text: ports that do not fit, a line each; instead of the first outputs
};

/// A port of the implementation, or a field of one that the other side has as a whole.
struct Pin {
    const char* name;   // in the implementation
    const char* called; // in the process
    bool output;
    bool wire;
    bool hold;          // keeps its value in cycles that do not write it
    std::size_t offset; // in the block of its direction
    TypeRef type;
};

class Link {
public:
    Link(std::size_t input_bytes, std::size_t output_bytes)
        : inputs_((input_bytes + 15) / 8),
          outputs_((output_bytes + 15) / 8), input_bytes_{input_bytes}, output_bytes_{
                                                                            output_bytes} {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // never longer than who asked for it
    }

    std::byte* inputs() { return reinterpret_cast<std::byte*>(inputs_.data()); }
    std::byte* outputs() { return reinterpret_cast<std::byte*>(outputs_.data()); }
    std::uint64_t cycle() const { return cycle_; }

    void answer(Answer what) {
        std::vector<char> message{static_cast<char>(what)};
        const auto* const from = reinterpret_cast<const char*>(outputs());
        message.insert(message.end(), from, from + output_bytes_);
        send(message);
    }
    /// Says what is wrong, and ends the program.
    [[noreturn]] void fail(Answer what, const std::string& text) {
        std::vector<char> message{static_cast<char>(what)};
        const auto length = static_cast<std::uint32_t>(text.size());
        message.resize(5);
        std::memcpy(message.data() + 1, &length, sizeof length);
        message.insert(message.end(), text.begin(), text.end());
        send(message);
        leave();
    }
    /// Ends the program, without the destructors of what the implementation made.
    [[noreturn]] static void leave() {
        std::fflush(nullptr);
        std::_Exit(0);
    }
    /// The next cycle and its inputs; false at the end of the line.
    bool next() { return take(&cycle_, sizeof cycle_) && take(inputs_.data(), input_bytes_); }

private:
    static constexpr int line = 3;

    static bool take(void* into, std::size_t bytes) {
        auto* to = static_cast<char*>(into);
        while (bytes > 0) {
            const ssize_t got = ::recv(line, to, bytes, 0);
            if (got <= 0)
                return false;
            to += got;
            bytes -= static_cast<std::size_t>(got);
        }
        return true;
    }
    static void send(const std::vector<char>& message) {
        std::size_t done = 0;
        while (done < message.size()) {
            const ssize_t sent =
                ::send(line, message.data() + done, message.size() - done, MSG_NOSIGNAL);
            if (sent <= 0)
                leave();
            done += static_cast<std::size_t>(sent);
        }
    }

    std::vector<std::uint64_t> inputs_, outputs_; // aligned for every slot
    std::size_t input_bytes_, output_bytes_;
    std::uint64_t cycle_ = 0;
};

/// What does not fit, a line each.
class Problems {
public:
    void add(const std::string& text) { text_ += (text_.empty() ? "" : "\n") + text; }
    const std::string& text() const { return text_; }

    void wrong_type(const Pin& pin, const std::string& has) {
        const std::string& wants = pin.type->name();
        add("'" + std::string{pin.name} + "' is " + has + ", but '" + pin.called +
            "' of the process is " + (wants == has ? pin.type->written_out() : wants));
    }

private:
    std::string text_;
};

} // namespace sme::counterpart
