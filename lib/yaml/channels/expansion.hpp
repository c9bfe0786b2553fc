// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "yaml/channels/actor.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// Turns the channels and actors of one scope into buses and processes. A channel `raw` becomes:
///
///   raw         the receiving end, a Stream
///   raw.in      the sending end, a Stream; without a queue it is raw itself
///   raw.queue   the queue between them, std/channel.yaml or std/delayed_channel.yaml
///   raw.closed  the sender is done: if the sender is an actor, or at a port
///
/// If all channels stall, the queue is std/stalling_channel.yaml, and the sender closes
/// raw.closing: raw.closed waits until the queue is empty, as the queue may withhold messages.
///
/// The language has no names with a dot, so these names never collide with user names.
class Expansion {
public:
    Expansion(const FileSyntax& file, Context& context)
        : made_{file}, context_{context}, diagnostics_{context.diagnostics} {}

    FileSyntax run();

private:
    struct Channel {
        expr::FamilyName name;
        expr::Declaration declared;
        std::uint32_t number = 0; // in the graph
        bool has_queue = true;
        bool delayed = false;
        bool stalls = false;
        std::uint64_t depth = 0;
        bool sent = false, received = false; // by any process
        bool actor_sends = false, actor_receives = false;
        bool is_port = false;                   // a port of the component; the other end is outside
        std::string sender = {}, receiver = {}; // the first process, of a single channel
        /// The domain of the sender, or of the receiver if there is no sender; nullopt: that of the
        /// scope.
        std::optional<Word> domain = {};
        bool domain_known = false;
        /// Returns true if the channel has a `closed` bus.
        bool closes() const { return actor_sends || is_port; }
    };

    /// Adds a port of the component that is an end of a channel: inside, a channel without a queue.
    void take_port(const DeclarationSyntax& port, bool output);
    void take_channel(const DeclarationSyntax& section);
    void note_line(const DeclarationSyntax& channel, Integer depth);
    void fail(const Location& where, const std::string& name, std::string message);
    std::optional<Integer> number(const expr::AstRef& tree, const char* what, Integer usual);
    Channel* find(const std::string& name);
    Channel* channel_of(const BindingSyntax& binding);
    /// Returns true for a process that is an actor if it is bound to a channel.
    static bool is_plain(const ProcessSyntax& process) {
        return !process.use && !process.verilog && !process.body.sequence;
    }

    /// Returns true if an instance's port is an end of a channel with a `closed` bus.
    bool is_channel_port(const ProcessSyntax& process, const std::string& port, bool output) const;
    bool is_channel_port(const ProcessSyntax& process, const BindingSyntax& binding,
                         bool output) const;
    void take_uses(const ProcessSyntax& process);

    /// Reports a second process at one end. Each member of a family has its own end; conflicts
    /// there are found in the buses.
    void check_second(const ProcessSyntax& process, const Location& where, bool sends,
                      Channel& channel);

    /// Returns true if it is bound to a broken channel, which has been reported.
    bool is_broken(const ProcessSyntax& process) const;
    static std::string sending_end(const Channel& channel);
    /// Returns the name in the scope of the bus or process with a role in a channel.
    static std::string name_of(const Channel& channel, ChannelRole role);

    /// Feeds a channel from a file: it offers one row after another and closes the channel after
    /// the last.
    void feed(InputSyntax& input, Channel& channel);

    /// Records a channel, one row for each message. If no process receives from it, the file does.
    void record(OutputSyntax& output);

    /// Conditions in which the name of a channel means its message.
    bool is_of_end(const expr::Ast& tree);
    expr::AstRef recorded_end(const expr::AstRef& record);
    expr::AstRef messages(const expr::AstRef& condition);
    static ProcessSyntax pass(const Channel& channel, ChannelRole role, const Location& where);
    static void bind(std::optional<BindingsSyntax>& section, const char* port,
                     const std::string& bus, const Location& where);
    static void assign(ProcessSyntax& process, expr::AstRef target, expr::AstRef value);
    void expand(ProcessSyntax& process);

    /// Returns the inputs that are buses, not values or channels.
    std::set<std::string> buses_of(const ProcessSyntax& process) const;

    /// Expands a component that is one actor.
    void expand_body();
    void fail_no_actor(const std::string& name, const Location& where);
    void fail_several(const std::string& port, const Location& where);
    void expand_bindings(BindingsSyntax& section, bool output, ProcessSyntax& process,
                         std::vector<ActorPort>& ports);

    /// Returns the port "x.closed" next to the port x.
    static BindingSyntax closing(const BindingSyntax& binding, const Channel& channel,
                                 const expr::AstRef& written, bool sends);
    static std::string closing_end(const Channel& channel);
    /// Adapts a channel to a run in which all channels stall, or without a clock.
    Channel as_wanted(Channel channel) const;
    bool is_untimed() const { return context_.loading.options.untimed; }
    void leave_out_checks();
    /// Adds "raw.closed", computed from "raw.closing" and "raw.empty".
    void add_closing(const Channel& channel);
    expr::AstRef seed_of(const Channel& channel) const;

    /// Adds a process that keeps a channel open, for a sender that is not an actor.
    void add_opener(const ProcessSyntax& process, const expr::AstRef& written,
                    const Channel& channel);

    /// Returns "name[k < n]" as a target.
    static expr::AstRef each_of(const expr::AstRef& name,
                                const std::vector<expr::RangeText>& ranges);

    /// Expands checks and outputs: "raw.count" and others name parts of the queue, and "raw.ended"
    /// means that no more messages will be received.
    void expand_observers();

    /// Returns the name that observers use; null if unknown.
    expr::AstRef observed(const expr::AstRef& tree);
    void add(const Channel& channel);
    static expr::AstRef stream_of(const Channel& channel);
    void add_bus(const Channel& channel, ChannelRole role);

    static const char* queue_component_of(const Channel& channel);

    /// Imports the component of the queue from the standard library.
    bool import_queue(const Channel& channel);
    void add_queue(const Channel& channel);

    /// Returns {port: bus[k]} with the indices of a family.
    static BindingsSyntax bound(const char* port, const expr::FamilyName& family,
                                const std::string& bus);
    FileSyntax made_;
    Context& context_;
    Diagnostics& diagnostics_;
    std::map<std::string, Channel> channels_;
    std::vector<std::string> order_;    // order of declarations
    std::vector<ProcessSyntax> queues_; // and the processes that keep channels open
};

/// Returns the sections of a network or component with its channels and actors replaced by buses
/// and processes; `file` itself if it has no channels or actors. The context owns the result. Call
/// it once for each scope, when its names are known. Reports errors in channels and actors.
const FileSyntax& expanded(const FileSyntax& file, Context& context);

} // namespace sme::yaml
