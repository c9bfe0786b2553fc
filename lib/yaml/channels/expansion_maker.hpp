// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "yaml/channels/actor.hpp"
#include "yaml/channels/trees.hpp"
#include "yaml/scope/context.hpp"

namespace sme::yaml {

/// Makes buses and processes of the channels and actors of one scope. What a channel becomes:
///
///   raw         the end from which is received, a Stream
///   raw.in      the end to which is sent, a Stream; of a channel without places it is raw itself
///   raw.queue   the queue between them, std/channel.yaml or std/delayed_channel.yaml
///   raw.closed  the sender is done: where an actor sends, or at a port
///
/// Where all channels stall, the queue is std/stalling_channel.yaml, and the sender closes
/// raw.closing: raw.closed waits until the queue is empty, which does not offer all that it holds.
///
/// Names with a dot are no names of the language, so they take none from the user.
class Expansion {
public:
    Expansion(const FileSyntax& file, Context& context)
        : made_{file}, context_{context}, diagnostics_{context.diagnostics} {}

    FileSyntax run();

private:
    struct Channel {
        expr::FamilyName name;
        expr::Declaration declared;
        bool has_queue = true;
        bool delayed = false;
        bool stalls = false;
        std::uint64_t depth = 0;
        bool sent = false, received = false; // by any process
        bool actor_sends = false, actor_receives = false;
        bool is_port = false;                   // of the component; the rest lies outside
        std::string sender = {}, receiver = {}; // the first process, of a single channel
        /// Of the sender, or of the receiver where there is none; none: that of the scope.
        std::optional<Word> domain = {};
        bool domain_known = false;
        /// Whether there is a bus that says so.
        bool closes() const { return actor_sends || is_port; }
    };

    /// A port of the component that is the end of a channel: to those inside, a channel of wires.
    void take_port(const DeclarationSyntax& port, bool output);
    void take_channel(const DeclarationSyntax& section);
    void note_line(const DeclarationSyntax& channel, Integer depth);
    void fail(const Location& where, const std::string& name, std::string message);
    std::optional<Integer> number(const expr::AstRef& tree, const char* what, Integer usual);
    Channel* find(const std::string& name);
    Channel* channel_of(const BindingSyntax& binding);
    static bool is_plain(const ProcessSyntax& process) { return !process.use && !process.verilog; }

    /// Whether an instance's port is the end of a channel that knows when it is closed.
    bool is_channel_port(const ProcessSyntax& process, const std::string& port, bool output) const;
    bool is_channel_port(const ProcessSyntax& process, const BindingSyntax& binding,
                         bool output) const;
    void take_uses(const ProcessSyntax& process);

    /// Of a family each member has its own; what is wrong there shows in its buses.
    void check_second(const ProcessSyntax& process, const Location& where, bool sends,
                      Channel& channel);

    /// Whether it is bound to a channel that is wrong, and reported.
    bool is_broken(const ProcessSyntax& process) const;
    static std::string sending_end(const Channel& channel);

    /// A binding to `name` in the place of the channel's.
    static expr::AstRef renamed(const expr::AstRef& tree, const std::string& name);

    /// A file offers a row until there is none, and then no more: the channel is closed.
    void feed(InputSyntax& input, Channel& channel);

    /// A channel that is recorded has a row for each message. Where no process receives from it,
    /// the file does.
    void record(OutputSyntax& output);

    /// A condition in which the name of a channel stands for its message.
    bool is_of_end(const expr::Ast& tree);
    expr::AstRef recorded_end(const expr::AstRef& record);
    expr::AstRef messages(const expr::AstRef& condition);
    static ProcessSyntax pass(std::string name, const Location& where);
    static void bind(std::optional<BindingsSyntax>& section, const char* port,
                     const std::string& bus, const Location& where);
    static void assign(ProcessSyntax& process, expr::AstRef target, expr::AstRef value);
    void expand(ProcessSyntax& process);

    /// The inputs that are buses, not values or channels.
    std::set<std::string> buses_of(const ProcessSyntax& process) const;

    /// The component is one actor.
    void expand_body();
    void fail_no_actor(const std::string& name, const Location& where);
    void fail_several(const std::string& port, const Location& where);
    void expand_bindings(BindingsSyntax& section, bool output, ProcessSyntax& process,
                         std::vector<ActorPort>& ports);

    /// The port "x.closed" beside the port x.
    static BindingSyntax closing(const BindingSyntax& binding, const Channel& channel,
                                 const expr::AstRef& written, bool sends);
    static std::string closing_end(const Channel& channel);
    /// The channel as it is when all stall, or when there is no clock.
    Channel as_wanted(Channel channel) const;
    bool is_untimed() const { return context_.loading.options.untimed; }
    void leave_out_checks();
    /// "raw.closed" of "raw.closing" and "raw.empty".
    void add_closing(const Channel& channel);
    expr::AstRef seed_of(const Channel& channel) const;

    /// A process that never closes a channel: beside one that sends to it and is no actor.
    void add_opener(const ProcessSyntax& process, const expr::AstRef& written,
                    const Channel& channel);

    /// "name[k < n]" as a target.
    static expr::AstRef each_of(const expr::AstRef& name,
                                const std::vector<expr::RangeText>& ranges);

    /// In checks and outputs, "raw.count" and the like are names in the queue, and "raw.ended" says
    /// that nothing more will be received.
    void expand_observers();

    /// Null: no such name.
    expr::AstRef observed(const expr::AstRef& tree);
    void add(const Channel& channel);
    static expr::AstRef stream_of(const Channel& channel);
    void add_bus(const Channel& channel, const std::string& name, expr::AstRef type, bool closes);

    static const char* queue_component_of(const Channel& channel);

    /// The component of the queue, from the standard library.
    bool import_queue(const Channel& channel);
    void add_queue(const Channel& channel);

    /// {port: bus[k]} with the indices of a family.
    static BindingsSyntax bound(const char* port, const expr::FamilyName& family,
                                const std::string& bus);
    FileSyntax made_;
    Context& context_;
    Diagnostics& diagnostics_;
    std::map<std::string, Channel> channels_;
    std::vector<std::string> order_;    // of their declarations
    std::vector<ProcessSyntax> queues_; // and what never closes a channel
};

/// "raw" of "raw" and of "raw[k]"; null: something else.
const expr::Ast* bus_name(const expr::AstRef& tree);

} // namespace sme::yaml
