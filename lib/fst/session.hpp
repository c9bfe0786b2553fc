// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <vector>

namespace sme::fst {

/// The resources that the library holds while it writes a file. library.cpp is compiled so that it
/// obtains memory and files only here:
///
/// - failed allocations throw `Failure`, where the library itself would end the process or use a
///   null pointer;
/// - temporary files are in memory (memfd), so a full /tmp does not cause a SIGBUS;
/// - the first error of a file is recorded, which the library itself does not check;
/// - after a failure everything is released, regardless of the library's state.
class Session {
public:
    /// Thrown by calls of the library: it cannot continue, and only `give_back` may follow.
    struct Failure {
        int error; // an errno
    };
    /// Opens a file that the library asks for by name, or returns null with errno set.
    using Open = std::function<std::FILE*(const char* path, const char* mode)>;

    explicit Session(Open open) : open_{std::move(open)} {}
    ~Session() { give_back(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// While this lives, the library works for this session on this thread.
    class Use {
    public:
        explicit Use(Session& session);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

    private:
        Session* before_;
    };

    /// Returns the first error of a file: an errno, or 0 if there is no error.
    int error() const { return error_; }
    void note(int error) {
        if (error_ == 0)
            error_ = error;
    }
    /// Frees all memory and closes all files that the library still holds.
    void give_back();

    // Called by the library in place of C functions:

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
    struct Block; // the header of each allocation
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
