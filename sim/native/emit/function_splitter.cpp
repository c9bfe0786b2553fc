// SPDX-License-Identifier: Apache-2.0
#include "native/emit/function_splitter.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

namespace sme::native {

namespace {

class Splitter {
public:
    Splitter(Routine& routine, const Arithmetic& arithmetic, const FunctionFrame& frame)
        : routine_{routine}, emitter_{routine, arithmetic}, frame_{frame} {}

    std::string whole() {
        return fmt::format("u64 {}({})\n{{\n{}{}    return 0;\n}}\n", frame_.name, frame_.parameter,
                           frame_.opening, emitter_.block(routine_.body, 4));
    }

    std::string in_parts() {
        find_shared();
        std::string functions, calls;
        for (std::size_t part = 0; part * size < routine_.body.size(); ++part) {
            functions += fmt::format(
                "static __attribute__((noinline)) u64 _part{1}_of_{0}({2}, struct {0}_values "
                "*t)\n{{\n{3}{4}    return 0;\n}}\n\n",
                frame_.name, part + 1, frame_.parameter, frame_.opening, text_of(part));
            calls += fmt::format("    if ((stopped = _part{1}_of_{0}({2}, &t))) return stopped;\n",
                                 frame_.name, part + 1, frame_.argument);
        }
        std::string fields;
        for (const Id id : order_)
            fields += fmt::format("    {} {};\n", emitter_.type(id).name(), emitter_.text(id));
        return fmt::format(
            "struct {0}_values {{\n{1}}};\n\n{2}u64 {0}({3})\n{{\n    struct {0}_values t;\n    "
            "u64 stopped;\n{4}    return 0;\n}}\n",
            frame_.name, fields.empty() ? "    u8 none;\n" : fields, functions, frame_.parameter,
            calls);
    }

private:
    static constexpr std::size_t size = max_function_statements;

    void find_shared() {
        for (std::size_t k = 0; k < routine_.body.size(); ++k) {
            routine_.for_each_use(routine_.body[k], [&](Id used) {
                if (const auto found = part_of_.find(used);
                    found != part_of_.end() && found->second != k / size)
                    shared_.insert(used);
            });
            for (const Id id : emitter_.defined(routine_.body[k]))
                part_of_[id] = k / size;
        }
    }

    std::string text_of(std::size_t part) {
        std::string made;
        std::set<Id> imported;
        const std::size_t end = std::min((part + 1) * size, routine_.body.size());
        for (std::size_t k = part * size; k < end; ++k) {
            const Id id = routine_.body[k];
            routine_.for_each_use(id, [&](Id used) {
                if (shared_.contains(used) && part_of_.at(used) != part &&
                    imported.insert(used).second)
                    made += fmt::format("    const {0} {1} = t->{1};\n", emitter_.type(used).name(),
                                        emitter_.text(used));
            });
            made += emitter_.statement(id, 4);
            for (const Id defined : emitter_.defined(id))
                if (shared_.contains(defined)) {
                    made += fmt::format("    t->{0} = {0};\n", emitter_.text(defined));
                    order_.push_back(defined);
                }
        }
        return made;
    }

    Routine& routine_;
    Emitter emitter_;
    const FunctionFrame& frame_;
    std::unordered_map<Id, std::size_t> part_of_; // by value
    std::set<Id> shared_;
    std::vector<Id> order_; // their order of definition
};

} // namespace

std::string split_function(Routine& routine, const Arithmetic& arithmetic,
                           const FunctionFrame& frame) {
    Splitter splitter{routine, arithmetic, frame};
    const bool is_short =
        routine.body.size() <= max_function_statements + max_function_statements / 2;
    return is_short ? splitter.whole() : splitter.in_parts();
}

} // namespace sme::native
