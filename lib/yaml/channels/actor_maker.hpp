// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "yaml/channels/actor.hpp"
#include "yaml/channels/trees.hpp"

namespace sme::yaml {

/// Makes a process of an actor. What the process has, x being an input and y an output:
///
///   let    x.wanted   whether this firing receives from x; only where `receive` names x
///          x.ended    whether it is to receive from x, which is closed and empty
///          x.value    the message; zero where the firing does not receive from x
///          y.sends    whether the step sends to y
///          holds      every message that the firing needs is there
///          fires      and every channel that it sends to has room
///          ends       a message that it needs will not come
///          x.waits    it is not there; y.waits: there is no room
///   state  done       nothing is received or sent any more
///   step   x.ready, y.valid, y.data, y.closed, done, and the step itself under `fires`
///
/// What is offered on y depends on the room of other outputs, never on that of y itself: the
/// receiver may wait for `valid` before it is ready.
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
        expr::AstRef take;         // null: what is received is taken
        std::vector<Input*> needs; // what `receive` looks at
        bool asks_end;             // `receive` looks at its own end
        bool value_used;
        const std::string& name() const { return port->name; }
        expr::AstRef field(const char* which) const {
            return field_tree(name_tree(port->name, port->where), which);
        }
        expr::AstRef let(const char* which) const {
            return name_tree(port->name + "." + which, port->where);
        }
        /// Null: never.
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

    /// Once for each place: some trees are made several times.
    void fail(const Location& where, std::string message);
    void take_conditions(const std::vector<ChannelConditionSyntax>& section, const char* word,
                         expr::AstRef Input::*which);
    void check_own_names();

    /// "x.ended" of an input; null: it is something else.
    Input* asked_end(const expr::Ast& tree);

    /// What the condition under `receive` looks at is state, or what the firing receives anyway: so
    /// the actor stays a Kahn process.
    void find_needs(Input& input);
    static bool is_random(const expr::Ast& tree);
    static void need(Input& input, Input& other);
    void need_end(Input& input, Input& asked, const Location& where, bool in_let);
    void need_message(Input& input, Input& other, const Location& where);

    /// Ends that ask for each other are never known.
    void check_loops();
    void make(BodySyntax& made);
    expr::AstRef own(const char* name) const { return name_tree(name, where_); }

    /// A name of a channel in an expression, as what stands for it; null: something else.
    expr::AstRef replaced(const expr::AstRef& tree);

    /// "y" or "y.a[k]" becomes "y.data" or "y.data.a[k]".
    expr::AstRef target(const expr::AstRef& tree, const Rewriter& rewrite);
    static expr::AstRef index(const expr::AstRef& tree, const Rewriter& rewrite);
    expr::Block block(const expr::Block& written, const Rewriter& rewrite);
    expr::Statement statement(expr::Statement made, const Rewriter& rewrite);
    void find_sends(const Rewriter& rewrite);

    /// Everything that `receive` of an input looks at is known.
    expr::AstRef needs_known(const Input& input) const;

    /// The message is there, or it is clear that the firing goes without.
    expr::AstRef known(const Input& input) const;

    /// The firing needs a message, and there will be none. Null: never.
    expr::AstRef over(const Input& input, const Rewriter& rewrite) const;

    /// `receive` of an input, with its own end being so.
    expr::AstRef with_own_end(const Input& input, bool ended) const;
    void add_let(const std::string& name, expr::AstRef value,
                 std::vector<expr::LetText>& lets) const;
    void make_lets(const Rewriter& rewrite, std::vector<expr::LetText>& lets);

    /// For who asks why it does not fire: "x.waits", the message is not there; "y.waits", there is
    /// no room.
    void add_waits(std::vector<expr::LetText>& lets) const;
    void add_input_lets(const Input& input, const Rewriter& rewrite,
                        std::vector<expr::LetText>& lets) const;
    bool is_end_used(const Input& input) const;
    expr::AstRef has_room(const Output& output) const;
    expr::AstRef sends(const Output& output) const;
    DeclarationSyntax state(const char* name, const char* type) const;
    /// What became of the step, for a run without a clock.
    expr::AstRef firing() const;
    expr::Statement assign(expr::AstRef to, expr::AstRef value, expr::AstRef when = nullptr) const;
    expr::Block whole_step(expr::Block step, const std::vector<expr::AstRef>& takes,
                           const expr::AstRef& done) const;
    const BodySyntax& actor_;
    const std::string& name_;
    const Location where_;
    const std::set<std::string>& buses_; // its inputs
    const bool untimed_;
    Diagnostics& diagnostics_;
    std::vector<Input> inputs_;
    std::vector<Output> outputs_;
    std::vector<expr::LetText> own_lets_;
    std::function<void(const expr::Rhs&)> look_into_; // a let that `receive` looks at
    std::set<std::string> ends_asked_;                // "x.ended" stands in the actor
    std::set<std::uint32_t> reported_;                // where
    expr::AstRef ends_;                               // null: its inputs never end it
    bool can_end_ = false;
    bool random_ = false; // it has random values
};

} // namespace sme::yaml
