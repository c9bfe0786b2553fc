// SPDX-License-Identifier: Apache-2.0
#include "fst/writer.hpp"

#include <cerrno>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "fst/api.hpp"
#include "fst/session.hpp"
#include "fst/structure.hpp"

namespace sme::fst {

namespace {

/// Creates a new file, replacing one that an earlier run left.
std::FILE* open_names(const std::string& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
        ::unlink(path.c_str());
    const int descriptor =
        ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    return descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+b");
}

/// Copies a finished file. Returns the errno of a failure; EIO if the library did not write
/// everything.
int copy_whole(const std::string& path, int into) {
    const int from = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    int error = from < 0 ? errno : check_structure(from).problem.empty() ? 0 : EIO;
    std::vector<char> block(1 << 16);
    for (ssize_t count = 1; error == 0 && count > 0;) {
        count = ::read(from, block.data(), block.size());
        if (count < 0 || ::write(into, block.data(), static_cast<std::size_t>(count)) != count)
            error = errno;
    }
    ::close(from);
    return error;
}

std::FILE* open_copy(int descriptor) {
    const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return copy < 0 ? nullptr : ::fdopen(copy, "wb");
}

} // namespace

class Writer::Library {
public:
    /// A library that opens its file itself would replace ours, so it gets a different name.
    Library(int descriptor, const std::string& path)
        : descriptor{descriptor}, path{notes_errors ? path : path + ".copy"}, names{path + ".hier"},
          session{[this](const char* wanted, const char*) -> std::FILE* {
              std::FILE* file = nullptr;
              if (wanted == this->path)
                  file = open_copy(this->descriptor);
              else if (wanted == names)
                  made_names = (file = open_names(names)) != nullptr;
              else // not limited by available memory, so results do not depend on the machine
                  return nullptr;
              if (!file)
                  session.note(errno);
              return file;
          }} {}

    /// Frees everything the library holds, without writing.
    void abandon() {
        if (context)
            abandon_writer(std::exchange(context, nullptr));
        session.give_back();
    }

    int descriptor;
    std::string path;
    std::string names;
    Session session;
    bool made_names = false;
    Context context = nullptr;
};

Writer::Writer(int descriptor, const std::string& path)
    : library_{std::make_unique<Library>(descriptor, path)} {
    write([&] {
        library_->context = fstWriterCreate(library_->path.c_str(), 1);
        if (!library_->context)
            Session::fail(EIO);
        fstWriterSetPackType(library_->context, FST_WR_PT_LZ4);
        fstWriterSetVersion(library_->context, "sme");
        fstWriterSetDate(library_->context, ""); // equal runs give equal files
    });
}

Writer::~Writer() {
    library_->abandon();
    if (!notes_errors)
        ::unlink(library_->path.c_str());
    if (library_->made_names && !keeps_names_)
        ::unlink(library_->names.c_str());
}

void Writer::call(Call call) {
    if (!good())
        return;
    try {
        const Session::Use use{library_->session};
        call.function(call.given);
    } catch (const Session::Failure&) {
        library_->session.note(EIO); // unless it has already recorded an error
    } catch (const std::bad_alloc&) {
        library_->session.note(ENOMEM);
    } catch (const std::domain_error& error) {
        problem_.limit = error.what();
    }
    problem_.error = library_->session.error();
    if (!good())
        library_->abandon();
}

bool Writer::fits(const std::string& name) {
    if (good() && name.size() > max_name)
        problem_.limit = fmt::format("a name in an FST file has at most {} characters, but '{}...' "
                                     "has {}",
                                     max_name, name.substr(0, 40), name.size());
    return good();
}

void Writer::tick(const std::string& text) {
    write([&] { fstWriterSetTimescaleFromString(library_->context, text.c_str()); });
}

void Writer::open_scope(const std::string& name, bool structure) {
    if (fits(name))
        write([&] {
            fstWriterSetScope(library_->context, structure ? FST_ST_VCD_STRUCT : FST_ST_VCD_MODULE,
                              name.c_str(), "");
        });
}

void Writer::close_scope() {
    write([&] { fstWriterSetUpscope(library_->context); });
}

void Writer::comment(const std::string& text) {
    constexpr std::size_t most = 60'000; // the limit of readers
    write([&] { fstWriterSetComment(library_->context, text.substr(0, most).c_str()); });
}

std::uint32_t Writer::enumeration(const std::string& name, std::span<const NamedValue> values) {
    std::vector<const char*> names, digits;
    std::size_t bytes = name.size();
    for (const NamedValue& value : values) {
        names.push_back(value.name.c_str());
        digits.push_back(value.digits.c_str());
        bytes += 4 * value.name.size() + value.digits.size() + 2; // an upper bound
    }
    constexpr std::size_t most = 60'000; // readers do not accept a longer table
    std::uint32_t number = 0;
    if (!values.empty() && bytes <= most)
        write([&] {
            number = fstWriterCreateEnumTable(library_->context, name.c_str(),
                                              static_cast<std::uint32_t>(values.size()), 0,
                                              names.data(), digits.data());
        });
    return number;
}

std::uint32_t Writer::signal(const std::string& name, std::uint32_t width_bits,
                             const std::string& type_name, std::uint32_t enumeration) {
    constexpr std::uint64_t each = 16; // bytes of a change in addition to its digits
    bits_ += width_bits + each;
    if (fits(name) && bits_ > max_bits)
        problem_.limit =
            "an FST file has room for some 100 million signals of one bit, or fewer of "
            "more bits, but these are more";
    std::uint32_t number = 0;
    write([&] {
        if (enumeration != 0)
            fstWriterEmitEnumTableRef(library_->context, enumeration);
        number =
            fstWriterCreateVar2(library_->context, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width_bits,
                                name.c_str(), 0, type_name.c_str(), FST_SVT_NONE, FST_SDT_NONE);
    });
    return number;
}

void Writer::alias(const std::string& name, std::uint32_t width_bits, std::uint32_t signal) {
    if (fits(name))
        write([&] {
            fstWriterCreateVar(library_->context, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, width_bits,
                               name.c_str(), signal);
        });
}

void Writer::time(std::uint64_t ticks) {
    fstWriterEmitTimeChange(library_->context, ticks);
    if (std::exchange(section_ends_, false) && leaves_sections)
        ++sections_;
}

void Writer::value(std::uint32_t signal, const char* digits) {
    fstWriterEmitValueChange(library_->context, signal, digits);
}

void Writer::end_section() {
    fstWriterFlushContext(library_->context);
    section_ends_ = true;
}

void Writer::finish() {
    write([&] { fstWriterClose(std::exchange(library_->context, nullptr)); });
    if (good())
        // Normally nothing is left; releases what the library forgot.
        library_->session.give_back();
    if (!notes_errors && good())
        problem_.error = copy_whole(library_->path, library_->descriptor);
}

} // namespace sme::fst
