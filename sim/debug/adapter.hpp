// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "debug/session.hpp"

namespace sme::debug {

/// A session for an editor: takes requests of the Debug Adapter Protocol and sends responses and
/// events, as JSON texts without framing.
class Adapter {
public:
    using Send = std::function<void(const std::string& message)>;

    /// `interrupt` ends a run; it is reset when the pause request is handled.
    Adapter(Session& session, std::atomic<bool>& interrupt, Send send);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    /// Handles a request, including any run that it starts. Ignores other messages.
    void handle(const std::string& message);
    /// True after the client has disconnected.
    bool has_ended() const;
    /// True if a message must end the current run; for the thread that reads messages during a run.
    static bool interrupts(const std::string& message);
    /// True if no message follows this one.
    static bool is_last(const std::string& message);

private:
    class Requests;
    std::unique_ptr<Requests> requests_;
};

} // namespace sme::debug
