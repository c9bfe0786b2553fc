// SPDX-License-Identifier: Apache-2.0
//
// Compiles Verilator's C++ writer in our own namespace, with another file class, which reports
// errors to the session. All headers that it includes come first.
#include "fst/fstcpp.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iostream>
#include <limits>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <lz4.h>
#include <zlib.h>

#include "fst/session.hpp"

namespace sme::fst {

namespace {

/// A stream buffer for a file of the session.
class FileBuffer final : public std::streambuf {
public:
    std::FILE* file = nullptr;

private:
    std::streamsize xsputn(const char* from, std::streamsize count) override {
        return static_cast<std::streamsize>(
            Session::write_file(from, 1, static_cast<std::size_t>(count), file));
    }
    int_type overflow(int_type byte) override {
        return Session::put(traits_type::to_char_type(byte), file);
    }
    pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                     std::ios_base::openmode) override {
        const int origin = from == std::ios_base::beg   ? SEEK_SET
                           : from == std::ios_base::cur ? SEEK_CUR
                                                        : SEEK_END;
        return Session::seek(file, offset, origin) == 0 ? pos_type{::ftello(file)} : pos_type{-1};
    }
    pos_type seekpos(pos_type at, std::ios_base::openmode mode) override {
        return seekoff(at, std::ios_base::beg, mode);
    }
};

/// True: a writer destroyed on this thread leaves its file to the session.
thread_local bool abandons = false;

/// Replaces std::ofstream.
class NotedFile final : public std::ostream {
public:
    NotedFile() : std::ostream{nullptr} {}
    void open(const std::string& path, std::ios_base::openmode) {
        buffer_.file = Session::open(path.c_str(), "wb");
        if (buffer_.file)
            rdbuf(&buffer_);
    }
    bool is_open() const { return buffer_.file != nullptr && !abandons; }
    void close() { Session::close(std::exchange(buffer_.file, nullptr)); }

private:
    FileBuffer buffer_;
};

} // namespace

} // namespace sme::fst

namespace {
/// Replaces abort, which is called when a failed stream returns the position -1.
[[noreturn]] void sme_check_failed() {
    sme::fst::Session::fail(EIO);
}
} // namespace

namespace std {
using sme_noted_file =
    sme::fst::NotedFile; // NOLINT(cert-dcl58-cpp): the writer names std::ofstream
}
// NOLINTBEGIN(readability-identifier-naming): the names that the writer uses
#include <fstcpp/fstcpp_assertion.h>
#undef FST_CHECK
#undef FST_CHECK_EQ
#undef FST_CHECK_NE
#undef FST_CHECK_GT
#undef FST_CHECK_GE
#undef FST_CHECK_LT
#undef FST_CHECK_LE
#define FST_CHECK(condition) (condition) ? void() : sme_check_failed()
#define FST_CHECK_EQ(a, b) FST_CHECK((a) == (b))
#define FST_CHECK_NE(a, b) FST_CHECK((a) != (b))
#define FST_CHECK_GT(a, b) FST_CHECK((a) > (b))
#define FST_CHECK_GE(a, b) FST_CHECK((a) >= (b))
#define FST_CHECK_LT(a, b) FST_CHECK((a) < (b))
#define FST_CHECK_LE(a, b) FST_CHECK((a) <= (b))
#define ofstream sme_noted_file
#define fst sme_library_fst
#include <fstcpp/fstcpp_variable_info.cpp>
#include <fstcpp/fstcpp_writer.cpp>
#undef fst
#undef ofstream
// NOLINTEND(readability-identifier-naming)

namespace library = sme_library_fst;

struct FstcppWriter {
    explicit FstcppWriter(const char* path) : writer{path} {}

    library::Writer writer;
    std::vector<std::uint32_t> widths; // of each signal
    std::vector<bool> known;           // whether it has had a value
    std::vector<std::uint64_t> words;  // of a value
    bool begun = false;

    /// Writes the initial unknown values: the writer accepts them only before the first time.
    void begin() {
        for (std::uint32_t k = 0; k < widths.size(); ++k) {
            const std::size_t count = (widths[k] + 63) / 64;
            words.assign(count, 0);
            words.resize(2 * count, ~std::uint64_t{0}); // x in each bit
            writer.emitValueChange(k + 1, words.data(), library::EncodingType::VERILOG);
        }
        known.resize(widths.size());
        begun = true;
    }
    void value(std::uint32_t signal, const char* digits) {
        const std::size_t width = widths[signal - 1];
        const std::string_view text{digits, width};
        if (text.find_first_not_of('x') == text.npos && !known[signal - 1])
            return;
        if (text.find_first_not_of("01") != text.npos)
            throw std::domain_error{"the writer for FST files that comes with this Verilator takes "
                                    "unknown values only before the first known ones; write a VCD "
                                    "file"};
        words.assign((width + 63) / 64, 0);
        for (std::size_t k = 0; k < width; ++k)
            words[(width - 1 - k) / 64] |= std::uint64_t{digits[k] == '1'} << (width - 1 - k) % 64;
        writer.emitValueChange(signal, words.data(), library::EncodingType::BINARY);
        known[signal - 1] = true;
    }
};

FstcppWriter* fstWriterCreate(const char* path, int) {
    auto* const result = new FstcppWriter{path};
    result->writer.setDate(std::string(25, ' ')); // otherwise it writes the current date
    return result;
}

void fstWriterClose(FstcppWriter* writer) {
    if (!writer->begun)
        fstWriterEmitTimeChange(writer, 0);
    writer->writer.close();
    delete writer;
}

void abandon_writer(FstcppWriter* writer) {
    sme::fst::abandons = true;
    delete writer;
    sme::fst::abandons = false;
}

void fstWriterSetPackType(FstcppWriter*, int) {} // it always uses LZ4

void fstWriterSetVersion(FstcppWriter* writer, const char* text) {
    writer->writer.setWriter(text);
}

void fstWriterSetDate(FstcppWriter*, const char*) {}

void fstWriterSetTimescaleFromString(FstcppWriter* writer, const char* text) {
    const int number = std::atoi(text); // 1, 10 or 100
    const std::size_t unit = std::string_view{text}.find_first_of("munpfas");
    const std::size_t at =
        unit == std::string_view::npos ? 0 : std::string_view{"smunpfa"}.find(text[unit]);
    writer->writer.setTimecale(static_cast<std::int8_t>((number >= 100  ? 2
                                                         : number >= 10 ? 1
                                                                        : 0) -
                                                        3 * static_cast<int>(at)));
}

void fstWriterSetScope(FstcppWriter* writer, int kind, const char* name, const char* component) {
    writer->writer.setScope(static_cast<library::Hierarchy::ScopeType>(kind), name, component);
}

void fstWriterSetUpscope(FstcppWriter* writer) {
    writer->writer.upscope();
}

void fstWriterSetComment(FstcppWriter* writer, const char* text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    writer->writer.setAttrBegin(library::Hierarchy::AttrType::MISC,
                                library::Hierarchy::AttrSubType::MISC_COMMENT, line, 0);
}

std::uint32_t fstWriterCreateEnumTable(FstcppWriter* writer, const char* name, std::uint32_t count,
                                       unsigned least_digits, const char** names,
                                       const char** digits) {
    std::vector<std::pair<const char*, const char*>> values;
    for (std::uint32_t k = 0; k < count; ++k)
        values.emplace_back(names[k], digits[k]);
    return writer->writer.createEnumTable(name, least_digits, values);
}

void fstWriterEmitEnumTableRef(FstcppWriter* writer, std::uint32_t table) {
    writer->writer.emitEnumTableRef(table);
}

std::uint32_t fstWriterCreateVar2(FstcppWriter* writer, int kind, int direction,
                                  std::uint32_t width_bits, const char* name, std::uint32_t alias,
                                  const char* type, int, int) {
    writer->writer.setAttrBegin(library::Hierarchy::AttrType::MISC,
                                library::Hierarchy::AttrSubType::MISC_SUPVAR, type, 0);
    return fstWriterCreateVar(writer, kind, direction, width_bits, name, alias);
}

std::uint32_t fstWriterCreateVar(FstcppWriter* writer, int kind, int direction,
                                 std::uint32_t width_bits, const char* name, std::uint32_t alias) {
    if (width_bits > library::VariableInfo::kMaxSupportedBitwidth)
        throw std::domain_error{"the writer for FST files that comes with this Verilator takes "
                                "signals of at most 8,388,607 bits; write a VCD file"};
    if (alias == 0)
        writer->widths.push_back(width_bits);
    return writer->writer.createVar(static_cast<library::Hierarchy::VarType>(kind),
                                    static_cast<library::Hierarchy::VarDirection>(direction),
                                    width_bits, name, alias);
}

void fstWriterEmitTimeChange(FstcppWriter* writer, std::uint64_t time) {
    if (!writer->begun)
        writer->begin();
    writer->writer.emitTimeChange(time);
}

void fstWriterEmitValueChange(FstcppWriter* writer, std::uint32_t signal, const char* digits) {
    writer->value(signal, digits);
}

void fstWriterFlushContext(FstcppWriter* writer) {
    writer->writer.flushValueChangeData();
}
