// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "yaml/syntax/syntax.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// A port of an actor that is an end of a channel.
struct ActorPort {
    std::string name;
    Location where;
    bool output = false;
    expr::AstRef message; // message type
    /// True if the port comes with `NAME.closed`: on an output it tells that the actor is done, on
    /// an input that the sender is done.
    bool closes = false;
};

/// Turns an actor into a process that steps in every cycle. It reads `valid` of its input channels
/// and `ready` of its output channels, and keeps its state in cycles in which it does not fire.
/// `ports` are in file order; `buses` are the inputs that are buses. Reports an invalid actor; its
/// body is then broken. `untimed`: the state `firing_state` records the result of each step, and
/// the actor must not depend on cycles.
BodySyntax process_of_actor(const BodySyntax& actor, const std::string& name, const Location& where,
                            const std::vector<ActorPort>& ports, const std::set<std::string>& buses,
                            bool untimed, Diagnostics& diagnostics);

/// Turns an actor into a process. The process has, for an input x and an output y:
///
///   let    x.wanted   this firing receives from x; only if `receive` names x
///          x.ended    this firing needs x, which is closed and empty
///          x.value    the message; zero if the firing does not receive from x
///          y.sends    the step sends to y
///          holds      every message that the firing needs is available
///          fires      `holds`, and every channel that it sends to has room
///          ends       a message that it needs will not arrive
///          x.waits    the message is not available; y.waits: there is no room
///   state  done       the actor no longer receives or sends
///   step   x.ready, y.valid, y.data, y.closed, done, and the step itself under `fires`
///
/// The offer on y depends on the room in other outputs, never on that in y: the receiver may wait
/// for `valid` before it is ready.
class ActorMaker {
public:
    ActorMaker(const BodySyntax& actor, const std::string& name, const Location& where,
               const std::set<std::string>& buses, bool untimed, Diagnostics& diagnostics)
        : actor_{actor}, name_{name}, where_{where}, buses_{buses}, untimed_{untimed},
          diagnostics_{diagnostics} {}

    BodySyntax run(const std::vector<ActorPort>& ports);

private:
    struct Input {
        const ActorPort* port;
        expr::AstRef receive;      // null: every firing receives from it
        expr::AstRef take;         // null: takes every received message
        std::vector<Input*> needs; // the inputs that `receive` reads
        bool asks_end;             // `receive` reads its own end
        bool value_used;
        const std::string& name() const { return port->name; }
        expr::AstRef field(const char* which) const {
            return field_tree(name_tree(port->name, port->where), which);
        }
        expr::AstRef let(const char* which) const {
            return name_tree(port->name + "." + which, port->where);
        }
        /// Null if never.
        expr::AstRef closed() const { return port->closes ? let("closed") : nullptr; }
    };
    struct Output {
        const ActorPort* port;
        expr::AstRef sends; // null: always
        const std::string& name() const { return port->name; }
    };
    template <class End> static End* find(std::vector<End>& ends, const std::string& name) {
        const auto found = std::find_if(ends.begin(), ends.end(),
                                        [&](const End& end) { return end.name() == name; });
        return found == ends.end() ? nullptr : &*found;
    }

    /// Reports an error once for each location: some trees are built several times.
    void fail(const Location& where, std::string message);
    void take_conditions(const std::vector<ChannelConditionSyntax>& section, const char* word,
                         expr::AstRef Input::*which);
    void check_own_names();

    /// Returns the input in "x.ended"; null for anything else.
    Input* asked_end(const expr::Ast& tree);

    /// Finds the inputs that the condition under `receive` reads. It may read only state and
    /// messages that the firing receives anyway, so the actor stays a Kahn process.
    void find_needs(Input& input);
    static bool is_random(const expr::Ast& tree);
    static void need(Input& input, Input& other);
    void need_end(Input& input, Input& asked, const Location& where, bool in_let);
    void need_message(Input& input, Input& other, const Location& where);

    /// Reports ends that depend on each other, which can never be determined.
    void check_loops();
    void make(BodySyntax& result);
    expr::ActorNames names() const;
    expr::AstRef own(const char* name) const { return name_tree(name, where_); }

    /// Returns the replacement for a channel name in an expression; null for anything else.
    expr::AstRef replaced(const expr::AstRef& tree);

    /// Rewrites "y" or "y.a[k]" to "y.data" or "y.data.a[k]".
    expr::AstRef target(const expr::AstRef& tree, const Rewriter& rewrite);
    static expr::AstRef index(const expr::AstRef& tree, const Rewriter& rewrite);
    expr::Block block(const expr::Block& written, const Rewriter& rewrite);
    expr::Statement statement(expr::Statement result, const Rewriter& rewrite);
    void find_sends(const Rewriter& rewrite);

    /// Everything that `receive` of an input reads is known.
    expr::AstRef needs_known(const Input& input) const;

    /// The message is available, or the firing certainly does not need it.
    expr::AstRef known(const Input& input) const;

    /// The firing needs a message that will never arrive. Null if never.
    expr::AstRef over(const Input& input, const Rewriter& rewrite) const;

    /// Returns `receive` of an input, with its own end set to `ended`.
    expr::AstRef with_own_end(const Input& input, bool ended) const;
    void add_let(const std::string& name, expr::AstRef value,
                 std::vector<expr::LetText>& lets) const;
    void make_lets(const Rewriter& rewrite, std::vector<expr::LetText>& lets);

    /// Adds the reasons for not firing: "x.waits": no message available; "y.waits": no room.
    void add_waits(std::vector<expr::LetText>& lets) const;
    void add_input_lets(const Input& input, const Rewriter& rewrite,
                        std::vector<expr::LetText>& lets) const;
    bool is_end_used(const Input& input) const;
    expr::AstRef has_room(const Output& output) const;
    expr::AstRef sends(const Output& output) const;
    DeclarationSyntax state(const char* name, const char* type) const;
    /// Returns the result of the step, for a run without a clock.
    expr::AstRef firing() const;
    expr::Statement assign(expr::AstRef to, expr::AstRef value, expr::AstRef when = nullptr) const;
    expr::Block whole_step(expr::Block step, const std::vector<expr::AstRef>& takes,
                           const expr::AstRef& done) const;
    const BodySyntax& actor_;
    const std::string& name_;
    const Location where_;
    const std::set<std::string>& buses_; // inputs that are buses
    const bool untimed_;
    Diagnostics& diagnostics_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::vector<expr::LetText> own_lets_;
    std::function<void(const expr::Rhs&)> look_into_; // visits a let that `receive` reads
    std::set<std::string> ends_asked_;                // inputs whose "x.ended" the actor reads
    std::set<std::uint32_t> reported_;                // locations
    expr::AstRef ends_;                               // null: its inputs never end it
    bool can_end_ = false;
    bool random_ = false; // uses random values
};

} // namespace sme::yaml
