// SPDX-License-Identifier: Apache-2.0
//
// Compiles the FST library shipped with Verilator, with other functions for memory and files
// (session.hpp). All headers that it includes come first, so the macros change only the library
// itself.
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "fst/session.hpp"
#include <fst_names.h>

// NOLINTBEGIN(readability-identifier-naming): the names that the library calls
#define malloc(bytes) sme::fst::Session::allocate(bytes)
#define calloc(count, bytes) sme::fst::Session::allocate_zeros(count, bytes)
#define realloc(memory, bytes) sme::fst::Session::grow(memory, bytes)
#define strdup(text) sme::fst::Session::copy(text)
#define free(memory) sme::fst::Session::release(memory)
#define mmap(where, bytes, protection, flags, descriptor, offset)                                  \
    sme::fst::Session::map(bytes, protection, flags, descriptor)
#define munmap(memory, bytes) sme::fst::Session::unmap(memory, bytes)
#define fopen(path, mode) sme::fst::Session::open(path, mode)
#define tmpfile() sme::fst::Session::open_temporary()
#define fclose(file) sme::fst::Session::close(file)
#define fflush(file) sme::fst::Session::flush(file)
#define fwrite(from, bytes, count, file) sme::fst::Session::write_file(from, bytes, count, file)
#define fputc(byte, file) sme::fst::Session::put(byte, file)
#define fseeko(file, offset, from) sme::fst::Session::seek(file, offset, from)
#define ftruncate(descriptor, bytes) sme::fst::Session::truncate(descriptor, bytes)
#define unlink(path) 0 // the opener of a file removes it
#define exit(code) sme::fst::Session::fail(EILSEQ)

// A trace needs no date, and localtime is not thread-safe.
#define localtime(time) gmtime(time)
// NOLINTEND(readability-identifier-naming)

#define LZ4_DISABLE_DEPRECATE_WARNINGS
#define FST_CONFIG_INCLUDE "fst_config.h"
#include <fastlz.c>
#include <fstapi.c>
#include <lz4.c>
