// SPDX-License-Identifier: Apache-2.0
//
// The protocol's only thread is the run, and its only frame is the process at which the run
// stopped, or the network. A step is a cycle.
#include "debug/adapter.hpp"

#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "debug/bodies.hpp"
#include "debug/values.hpp"
#include "debug/variables.hpp"

namespace sme::debug {

namespace {

/// A request that fails.
struct Refusal {
    std::string text;
};

} // namespace

class Adapter::Requests {
public:
    Requests(Session& session, std::atomic<bool>& interrupt, Send send)
        : session_{session}, interrupt_{interrupt}, send_{std::move(send)}, variables_{session} {}

    void handle(const std::string& message) {
        const Json request = parsed(message);
        if (text_in(request, "type") != "request")
            return;
        const std::string command = text_in(request, "command");
        Json response{{"seq", ++sent_},
                      {"type", "response"},
                      {"request_seq", number_in(request, "seq", 0)},
                      {"success", true},
                      {"command", command}};
        try {
            const auto found = handlers().find(command);
            if (found == handlers().end())
                throw Refusal{fmt::format("there is no request '{}' here", command)};
            if (Json body = (this->*found->second)(part_of(request, "arguments")); !body.is_null())
                response["body"] = std::move(body);
        } catch (const Refusal& refusal) {
            response["success"] = false;
            response["message"] = refusal.text;
            then_ = nullptr;
        }
        send(response);
        if (const auto then = std::exchange(then_, nullptr))
            (this->*then)();
    }

    bool has_ended() const { return ended_; }

private:
    using Handler = Json (Requests::*)(const Json& arguments);

    static const std::map<std::string, Handler>& handlers() {
        static const std::map<std::string, Handler> all{
            {"initialize", &Requests::initialize},
            {"launch", &Requests::launch},
            {"setBreakpoints", &Requests::set_breakpoints},
            {"setExceptionBreakpoints", &Requests::set_exception_breakpoints},
            {"configurationDone", &Requests::configuration_done},
            {"threads", &Requests::threads},
            {"exceptionInfo", &Requests::exception_info},
            {"stackTrace", &Requests::stack_trace},
            {"scopes", &Requests::scopes},
            {"variables", &Requests::variables},
            {"setVariable", &Requests::set_variable},
            {"evaluate", &Requests::evaluate},
            {"continue", &Requests::go_on},
            {"next", &Requests::next},
            {"stepIn", &Requests::next},
            {"stepOut", &Requests::next},
            {"stepBack", &Requests::step_back},
            {"reverseContinue", &Requests::to_begin},
            {"pause", &Requests::pause},
            {"disconnect", &Requests::disconnect},
            {"terminate", &Requests::terminate},
        };
        return all;
    }

    void send(const Json& message) {
        send_(message.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    void event(const char* name, Json body = nullptr) {
        Json result{{"seq", ++sent_}, {"type", "event"}, {"event", name}};
        if (!body.is_null())
            result["body"] = std::move(body);
        send(result);
    }

    Json initialize(const Json& arguments) {
        first_line_ = flag_in(arguments, "linesStartAt1", true) ? 1 : 0;
        first_column_ = flag_in(arguments, "columnsStartAt1", true) ? 1 : 0;
        then_ = &Requests::say_initialized;
        return capabilities();
    }
    void say_initialized() { event("initialized"); }

    Json launch(const Json& arguments) {
        stops_on_entry_ = flag_in(arguments, "stopOnEntry", true);
        return nullptr;
    }

    Json set_breakpoints(const Json& arguments) {
        const std::string path = text_in(part_of(arguments, "source"), "path");
        if (path.empty())
            throw Refusal{"the source has no path"};
        for (const unsigned number : of_file_[path])
            session_.remove(number);
        of_file_[path].clear();
        Json result = Json::array();
        for (const Json& wanted : part_of(arguments, "breakpoints"))
            result.push_back(add_breakpoint(path, wanted));
        return {{"breakpoints", result}};
    }

    Json add_breakpoint(const std::string& path, const Json& wanted) {
        const std::int64_t given = wanted.is_object() ? number_in(wanted, "line", -1) : -1;
        const std::int64_t line = given + 1 - first_line_;
        if (line < 1 || line > 1'000'000'000)
            return {{"verified", false}, {"message", "there is no such line"}};
        const auto at = static_cast<std::uint32_t>(line);
        Diagnostics diagnostics;
        std::string problem;
        const unsigned number =
            session_.add_line(path, at, text_in(wanted, "condition"), diagnostics, problem);
        if (number == 0)
            return {{"verified", false},
                    {"message", problem.empty() ? messages_of(diagnostics) : problem},
                    {"line", given}};
        of_file_[path].push_back(number);
        return {{"id", number}, {"verified", true}, {"line", given}};
    }

    Json set_exception_breakpoints(const Json& arguments) {
        exceptions_.clear();
        for (const Json& filter : part_of(arguments, "filters"))
            if (filter.is_string())
                exceptions_.insert(filter.get<std::string>());
        return nullptr;
    }

    Json configuration_done(const Json&) {
        then_ = stops_on_entry_ ? &Requests::say_entry : &Requests::carry_on;
        return nullptr;
    }
    void say_entry() { say_stopped({}, "entry"); }

    Json threads(const Json&) {
        return {{"threads", Json::array({{{"id", 1}, {"name", session_.graph().name}}})}};
    }

    Json exception_info(const Json&) {
        if (!is_exception(stopped_))
            throw Refusal{"the run is not stopped at an exception"};
        return exception_body(stopped_);
    }

    Json stack_trace(const Json&) {
        const Graph& graph = session_.graph();
        const auto cycle = session_.cycle();
        Json frame{
            {"id", 1},
            {"name",
             fmt::format("{}, {}", place_.process ? shown_name(graph, *place_.process) : graph.name,
                         cycle ? fmt::format("cycle {}", *cycle) : "before the first cycle")},
            {"line", 0},
            {"column", 0}};
        if (place_.where.source) {
            const Source::Position at = place_.where.source->position(place_.where.begin);
            std::error_code error;
            const auto path = std::filesystem::absolute(place_.where.source->path(), error);
            frame["source"] = {{"name", path.filename().string()}, {"path", path.string()}};
            frame["line"] = at.line - 1 + first_line_;
            frame["column"] = at.column - 1 + first_column_;
        }
        return {{"stackFrames", Json::array({frame})}, {"totalFrames", 1}};
    }

    Json scopes(const Json&) {
        Json result = Json::array();
        const auto add = [&](const std::vector<Variables::Scope>& all) {
            for (const Variables::Scope& scope : all)
                result.push_back({{"name", scope.name},
                                  {"variablesReference", scope.reference},
                                  {"expensive", false}});
        };
        if (place_.process)
            add(variables_.scopes(place_.process));
        add(variables_.scopes(std::nullopt));
        return {{"scopes", result}};
    }

    std::vector<Variables::Variable> variables_in(const Json& arguments) {
        const std::int64_t count = number_in(arguments, "count", 0);
        const auto found = variables_.of(
            number_in(arguments, "variablesReference", 0),
            static_cast<std::uint64_t>(std::max<std::int64_t>(number_in(arguments, "start", 0), 0)),
            count > 0 ? static_cast<std::uint64_t>(count) : ~std::uint32_t{0});
        if (!found)
            throw Refusal{"there are no such variables any more"};
        return *found;
    }

    Json variables(const Json& arguments) {
        Json result = Json::array();
        for (const Variables::Variable& each : variables_in(arguments))
            result.push_back({{"name", each.name},
                              {"value", each.value},
                              {"type", each.type},
                              {"evaluateName", each.full_name},
                              {"variablesReference", each.reference}});
        return {{"variables", result}};
    }

    Json set_variable(const Json& arguments) {
        const std::string name = text_in(arguments, "name");
        for (const Variables::Variable& each : variables_in(arguments)) {
            if (each.name != name)
                continue;
            Diagnostics diagnostics;
            const std::string problem =
                session_.set(each.full_name, text_in(arguments, "value"), diagnostics);
            if (!problem.empty() || diagnostics.has_errors())
                throw Refusal{problem.empty() ? messages_of(diagnostics) : problem};
            for (const Variables::Variable& now : variables_in(arguments))
                if (now.name == name) {
                    then_ = &Requests::say_changed;
                    return {{"value", now.value}, {"variablesReference", now.reference}};
                }
        }
        throw Refusal{fmt::format("there is no variable '{}'", name)};
    }
    void say_changed() {
        session_.machine().take_prints();
        event("output", {{"category", "console"},
                         {"output", "a value was changed: from here on this is not the network's "
                                    "own run\n"}});
    }

    Json evaluate(const Json& arguments) {
        yaml::ProbeText text{text_in(arguments, "expression")};
        Diagnostics diagnostics;
        const ProbeValue* value = nullptr;
        if (place_.process) { // names of the process take precedence over those of the network
            Diagnostics of_process;
            value = session_.evaluate({text.text, place_.process->family, place_.process->instance},
                                      of_process);
        }
        if (!value)
            value = session_.evaluate(text, diagnostics);
        if (!value)
            throw Refusal{messages_of(diagnostics)};
        if (value->slot.empty())
            throw Refusal{value->problem};
        return {{"result", text_of(*value->type, value->slot.data())},
                {"type", value->type->name()},
                {"variablesReference", 0}};
    }

    Json go_on(const Json&) {
        then_ = &Requests::carry_on;
        return {{"allThreadsContinued", true}};
    }
    void carry_on() { run(std::nullopt); }
    Json next(const Json&) {
        then_ = &Requests::run_one;
        return nullptr;
    }
    void run_one() { run(1); }

    Json step_back(const Json&) {
        then_ = &Requests::go_back;
        return nullptr;
    }
    void go_back() {
        const std::uint64_t ran = session_.machine().ran();
        say_stopped(session_.go_to(ran >= 2 ? std::optional{ran - 2} : std::nullopt, interrupt_),
                    ran <= 1 ? "entry" : "step");
    }
    Json to_begin(const Json&) {
        then_ = &Requests::go_to_begin;
        return {{"allThreadsContinued", true}};
    }
    void go_to_begin() { say_stopped(session_.go_to(std::nullopt, interrupt_), "entry"); }

    /// The run has already stopped when this is handled.
    Json pause(const Json&) {
        interrupt_ = false;
        return nullptr;
    }
    Json disconnect(const Json&) {
        ended_ = true;
        return nullptr;
    }
    Json terminate(const Json&) {
        then_ = &Requests::say_terminated;
        return nullptr;
    }
    void say_terminated() { event("terminated"); }

    void run(std::optional<std::uint64_t> cycles) {
        const std::uint64_t before = session_.machine().ran();
        const Stop stop = session_.run(cycles, interrupt_);
        for (const std::string& line : session_.machine().take_prints())
            event("output", {{"category", "stdout"}, {"output", line + "\n"}});
        const bool is_over = session_.machine().ran() == before && stop.end != RunEnd::stopped;
        const bool is_unwanted =
            (stop.end == RunEnd::check_failed && exceptions_.count("check") == 0) ||
            (stop.end == RunEnd::faulted && exceptions_.count("fault") == 0);
        if (is_unwanted)
            event("output", {{"category", "console"}, {"output", stop.text + "\n"}});
        if (is_over || is_unwanted)
            say_terminated();
        else
            say_stopped(stop, reason_of(stop));
    }

    void say_stopped(const Stop& stop, const char* reason) {
        variables_.clear();
        if (!session_.cycle())
            place_ = {};
        if (auto place = session_.place_of(stop))
            place_ = std::move(*place);
        if (!place_.where.source)
            place_.where = session_.graph().declared;
        stopped_ = stop;
        event("stopped", stopped_body(stop, reason));
    }

    Session& session_;
    std::atomic<bool>& interrupt_;
    Send send_;
    Variables variables_;
    std::int64_t sent_ = 0;
    std::int64_t first_line_ = 1, first_column_ = 1; // the client's numbering
    bool stops_on_entry_ = true;
    bool ended_ = false;
    std::set<std::string> exceptions_{"check", "fault"};
    std::map<std::string, std::vector<unsigned>> of_file_; // the breakpoint numbers of each file
    Stop stopped_;                                         // the last stop
    TextPlace place_;                                      // the position of the run
    void (Requests::*then_)() = nullptr;                   // called after the response
};

Adapter::Adapter(Session& session, std::atomic<bool>& interrupt, Send send)
    : requests_{std::make_unique<Requests>(session, interrupt, std::move(send))} {}
Adapter::~Adapter() = default;

void Adapter::handle(const std::string& message) {
    requests_->handle(message);
}

bool Adapter::has_ended() const {
    return requests_->has_ended();
}

bool Adapter::interrupts(const std::string& message) {
    const std::string command = text_in(parsed(message), "command");
    return command == "pause" || command == "disconnect" || command == "terminate";
}

bool Adapter::is_last(const std::string& message) {
    return text_in(parsed(message), "command") == "disconnect";
}

} // namespace sme::debug
