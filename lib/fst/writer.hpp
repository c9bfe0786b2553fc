// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sme::fst {

/// A name for a value of an enumeration; the value in binary digits, as many as a signal has bits.
struct NamedValue {
    std::string name;
    std::string digits;
};

/// Writes an FST file. First the declarations, then times and values, then `finish`. After the
/// first error all functions do nothing. One thread at a time.
///
/// What is not finished can be read all the same, up to the last `end_section`, as long as the
/// names are beside it, in `PATH.hier`: the file that this class makes and removes.
class Writer {
public:
    /// A name, of a scope or a signal, has at most so many characters: what readers take.
    static constexpr std::size_t max_name = 511;
    /// What one signal takes of what all may have, beside its bits.
    static constexpr std::uint64_t max_bits = (std::uint64_t{1} << 31) - (std::uint64_t{1} << 28);

    /// Writes to an open regular file, which stays the caller's; `path` is its name.
    Writer(int descriptor, const std::string& path);
    /// What is not finished by now is left as it is; its `PATH.hier` is removed unless `keep` says
    /// otherwise.
    ~Writer();

    /// "cannot write" and why is for the caller to say: an errno, or a sentence about a limit.
    struct Problem {
        int error = 0;
        std::string limit = {};
    };
    const Problem& problem() const { return problem_; }
    bool good() const { return problem_.error == 0 && problem_.limit.empty(); }
    /// Whether there is a whole section, which can be read even if nothing follows.
    bool has_section() const { return sections_ > 0; }
    /// `PATH.hier` stays: the file is not going to be finished, but what is there is to be read.
    void keep_names() { keeps_names_ = true; }

    // Declarations:

    /// "1 ns", "100 ps"
    void tick(const std::string& text);
    void open_scope(const std::string& name, bool structure);
    void close_scope();
    void comment(const std::string& text);
    /// Returns its number, for `signal`.
    std::uint32_t enumeration(const std::string& name, std::span<const NamedValue> values);
    /// Returns the number of the signal, from 1 on. `enumeration`: 0 for none.
    std::uint32_t signal(const std::string& name, std::uint32_t width_bits,
                         const std::string& type_name, std::uint32_t enumeration);
    /// Another name of a signal.
    void alias(const std::string& name, std::uint32_t width_bits, std::uint32_t signal);

    // Values:

    /// Calls `body`, which may call the functions below, and those only from there.
    template <class Body> void write(Body body) {
        call({[](void* given) { (*static_cast<Body*>(given))(); }, &body});
    }
    void time(std::uint64_t ticks);
    /// As many digits as the signal has bits: 0, 1, x or z.
    void value(std::uint32_t signal, const char* digits);
    /// Writes what there is to the file when the next time is given: a section of its own.
    void end_section();

    /// Writes all that is missing; the file is whole afterwards if it is `good`.
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
