// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "debug/session.hpp"

namespace sme::debug {

/// A session for an editor: requests of the Debug Adapter Protocol in, responses and events out, as
/// JSON texts without their frames.
class Adapter {
public:
    using Send = std::function<void(const std::string& message)>;

    /// `interrupt` ends what runs; it is taken back when the request to pause is handled.
    Adapter(Session& session, std::atomic<bool>& interrupt, Send send);
    ~Adapter();
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    /// Handles a request, and runs as long as it asks for. What is no request is ignored.
    void handle(const std::string& message);
    /// The client has gone.
    bool has_ended() const;
    /// Whether a message is to end what runs, for who reads messages meanwhile.
    static bool interrupts(const std::string& message);
    /// Whether no message follows this one.
    static bool is_last(const std::string& message);

private:
    class Requests;
    std::unique_ptr<Requests> requests_;
};

} // namespace sme::debug
