// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sme::fst {

/// A name for a value of an enumeration; the value has as many binary digits as the signal has
/// bits.
struct NamedValue {
    std::string name;
    std::string digits;
};

/// Writes an FST file: first the declarations, then times and values, then `finish`. After the
/// first error all functions do nothing. Not thread-safe.
///
/// An unfinished file can be read up to the last `end_section`, provided that the names are next to
/// it in `PATH.hier`, a file that this class creates and removes.
class Writer {
public:
    /// The longest name of a scope or a signal, in characters, that readers accept.
    static constexpr std::size_t max_name = 511;
    /// The limit for all signals together: their bits and the overhead of each.
    static constexpr std::uint64_t max_bits = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 28);

    /// Writes to an open regular file, which the caller keeps; `path` is its name.
    Writer(int descriptor, const std::string& path);
    /// Leaves an unfinished file as it is; removes its `PATH.hier` unless `keep_names` was called.
    ~Writer();

    /// The reason of a failure: an errno, or a sentence about a limit. The caller adds "cannot
    /// write".
    struct Problem {
        int error = 0;
        std::string limit = {};
    };
    const Problem& problem() const { return problem_; }
    bool good() const { return problem_.error == 0 && problem_.limit.empty(); }
    /// Returns whether there is a complete section, which is readable even if nothing follows.
    bool has_section() const { return sections_ > 0; }
    /// Keeps `PATH.hier`: the file will not be finished, but its sections should stay readable.
    void keep_names() { keeps_names_ = true; }

    // Declarations:

    /// "1 ns", "100 ps"
    void tick(const std::string& text);
    void open_scope(const std::string& name, bool structure);
    void close_scope();
    void comment(const std::string& text);
    /// Returns its number, for `signal`.
    std::uint32_t enumeration(const std::string& name, std::span<const NamedValue> values);
    /// Returns the number of the signal, from 1. `enumeration`: 0 for none.
    std::uint32_t signal(const std::string& name, std::uint32_t width_bits,
                         const std::string& type_name, std::uint32_t enumeration);
    /// Adds another name for a signal.
    void alias(const std::string& name, std::uint32_t width_bits, std::uint32_t signal);

    // Values:

    /// Calls `body`. The functions below may be called only from `body`.
    template <class Body> void write(Body body) {
        call({[](void* given) { (*static_cast<Body*>(given))(); }, &body});
    }
    void time(std::uint64_t ticks);
    /// `digits` has one digit per bit of the signal: 0, 1, x or z.
    void value(std::uint32_t signal, const char* digits);
    /// Ends the section: it is written to the file when the next time is given.
    void end_section();

    /// Writes the rest; if `good`, the file is then complete.
    void finish();

private:
    struct Call {
        void (*function)(void*);
        void* given;
    };
    void call(Call call);
    bool fits(const std::string& name);

    class Library;
    std::unique_ptr<Library> library_;
    Problem problem_;
    std::uint64_t bits_ = 0;
    std::uint64_t sections_ = 0;
    bool section_ends_ = false;
    bool keeps_names_ = false;
};

} // namespace sme::fst
