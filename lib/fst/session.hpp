// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace sme::fst {

/// What the library holds while it writes one file. library.cpp is compiled so that it
/// gets memory and files here, and nowhere else:
///
/// - memory that is missing throws `Failure`, where the library itself would end the process or use
///   a null pointer;
/// - its temporary files lie in memory (memfd), so that a full /tmp is no SIGBUS;
/// - the first error of a file is noted, which the library itself does not look for;
/// - after a failure everything is given back, whatever the library was doing.
class Session {
public:
    /// Thrown by calls of the library: it cannot go on, and only `give_back` may follow.
    struct Failure {
        int error; // an errno
    };
    /// Opens a file that the library asks for by name, or returns null with errno set.
    using Open = std::function<std::FILE*(const char* path, const char* mode)>;

    explicit Session(Open open) : open_{std::move(open)} {}
    ~Session() { give_back(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// The library works for this session, on this thread, as long as this lives.
    class Use {
    public:
        explicit Use(Session& session);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        Session* before_;
    };

    /// The first error of a file: an errno, 0 when there is none.
    int error() const { return error_; }
    void note(int error) {
        if (error_ == 0)
            error_ = error;
    }
    /// Frees all memory and closes all files that the library still holds.
    void give_back();

    // What the library calls instead of the functions of C:

    static void* allocate(std::size_t bytes);
    static void* allocate_zeros(std::size_t count, std::size_t bytes);
    static void* grow(void* memory, std::size_t bytes);
    static char* copy(const char* text);
    static void release(void* memory);
    static void* map(std::size_t bytes, int protection, int flags, int descriptor);
    static int unmap(void* memory, std::size_t bytes);
    static std::FILE* open(const char* path, const char* mode);
    static std::FILE* open_temporary();
    static int close(std::FILE* file);
    static int flush(std::FILE* file);
    static std::size_t write_file(const void* from, std::size_t bytes, std::size_t count,
                                  std::FILE* file);
    static int put(int byte, std::FILE* file);
    static int seek(std::FILE* file, off_t offset, int from);
    static int truncate(int descriptor, off_t bytes);
    [[noreturn]] static void fail(int error);

private:
    struct Block; // stands before each piece of memory
    struct Mapping {
        void* memory;
        std::size_t bytes;
    };
    static Session& current();
    void link(Block* block);
    static void unlink(Block* block);

    Open open_;
    Block* blocks_ = nullptr;
    std::vector<Mapping> mappings_;
    std::vector<std::FILE*> files_;
    int error_ = 0;
};

} // namespace sme::fst
