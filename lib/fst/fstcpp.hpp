// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The functions of fstapi that Writer calls, implemented by the C++ writer of newer Verilators
// (include/fstcpp). Differences: it has no second file with names, so an unfinished file cannot be
// read; it keeps names and the values of a section in its own memory; and a value of several bits
// that contains x or z is written only at the first time.

// NOLINTBEGIN(readability-identifier-naming): the names of fstapi
struct FstcppWriter;
enum { FST_WR_PT_LZ4, FST_ST_VCD_MODULE = 0, FST_ST_VCD_STRUCT = 6 };
enum { FST_VT_VCD_WIRE = 16, FST_VD_IMPLICIT = 0, FST_SVT_NONE = 0, FST_SDT_NONE = 0 };

FstcppWriter* fstWriterCreate(const char* path, int);
void fstWriterClose(FstcppWriter* writer);
/// Frees it without writing.
void abandon_writer(FstcppWriter* writer);
void fstWriterSetPackType(FstcppWriter* writer, int);
void fstWriterSetVersion(FstcppWriter* writer, const char* text);
void fstWriterSetDate(FstcppWriter* writer, const char* text);
void fstWriterSetTimescaleFromString(FstcppWriter* writer, const char* text);
void fstWriterSetScope(FstcppWriter* writer, int kind, const char* name, const char* component);
void fstWriterSetUpscope(FstcppWriter* writer);
void fstWriterSetComment(FstcppWriter* writer, const char* text);
std::uint32_t fstWriterCreateEnumTable(FstcppWriter* writer, const char* name, std::uint32_t count,
                                       unsigned least_digits, const char** names,
                                       const char** digits);
void fstWriterEmitEnumTableRef(FstcppWriter* writer, std::uint32_t table);
std::uint32_t fstWriterCreateVar2(FstcppWriter* writer, int kind, int direction,
                                  std::uint32_t width_bits, const char* name, std::uint32_t alias,
                                  const char* type, int, int);
std::uint32_t fstWriterCreateVar(FstcppWriter* writer, int kind, int direction,
                                 std::uint32_t width_bits, const char* name, std::uint32_t alias);
void fstWriterEmitTimeChange(FstcppWriter* writer, std::uint64_t time);
void fstWriterEmitValueChange(FstcppWriter* writer, std::uint32_t signal, const char* digits);
void fstWriterFlushContext(FstcppWriter* writer);
// NOLINTEND(readability-identifier-naming)
