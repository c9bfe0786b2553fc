// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "expr/process/process.hpp"
#include "yaml/scope/context.hpp"
#include "yaml/syntax/syntax.hpp"
#include "yaml/syntax/trees.hpp"

namespace sme::yaml {

/// A Valid or a stream at an end of a pipeline.
struct PipelineEnd {
    const expr::PortText* port;
    TypeRef data;
    bool has_ready;
};

/// The lines of a pipeline: values, states and outputs of each stage. Values of earlier stages are
/// renamed to the registers that carry them. Stages are counted from 0.
class PipelineStages {
public:
    using Line = PipelineSyntax::Line;

    PipelineStages(const PipelineSyntax& pipeline, const BodySyntax& body,
                   const expr::ProcessView& text, Context& context, std::set<std::string>& taken);

    /// Reads the lines; reports names that are read or written in the wrong stage.
    void read();

    std::size_t count() const { return pipeline_.stages.size(); }
    const std::vector<expr::LetText>& lets(std::size_t stage) const { return lets_[stage]; }
    const std::vector<Line>& states(std::size_t stage) const { return states_[stage]; }
    /// Of the last stage.
    const std::vector<Line>& outputs() const { return outputs_; }
    const std::optional<PipelineEnd>& input() const { return input_; }
    const std::optional<PipelineEnd>& output() const { return output_; }

    /// A value that later stages read.
    struct Carried {
        std::string name;     // of a value of a stage, or of the input
        std::size_t made = 0; // its stage
        std::size_t last = 0; // the last stage that reads it
        expr::AstRef value;   // in its own stage
        Location where;
        TypeRef type;                       // known of the input
        std::vector<std::string> registers; // of the stages after its own
    };
    const std::vector<Carried>& carried() const { return carried_; }
    /// Returns a name that differs from all others.
    std::string fresh(const std::string& name);

private:
    void find_ends();
    std::optional<PipelineEnd> end_of(const std::vector<expr::PortText>& ports, bool output);
    void check_lets();
    void sort_line(const Line& line, std::size_t stage);
    Line rewritten(const Line& line, std::size_t stage);
    expr::AstRef seen(const expr::AstRef& tree, std::size_t stage);
    expr::AstRef carry(Carried& value, std::size_t stage, const Location& where);
    void check_state(const std::string& name, std::size_t stage, const Location& where);

    const PipelineSyntax& pipeline_;
    const BodySyntax& body_;
    const expr::ProcessView& text_;
    Context& context_;
    Diagnostics& diagnostics_;
    std::set<std::string>& taken_;
    std::optional<PipelineEnd> input_, output_;
    std::map<std::string, std::size_t> made_; // values, by their stage
    /// The states that the pipeline writes, by their stage.
    std::map<std::string, std::pair<std::size_t, Location>> written_;
    std::set<std::string> reported_;
    std::vector<std::vector<Line>> sorted_[3]; // values, states and outputs of each stage
    std::vector<std::vector<expr::LetText>> lets_;
    std::vector<std::vector<Line>> states_;
    std::vector<Line> outputs_;
    std::vector<Carried> carried_;
};

} // namespace sme::yaml
