// SPDX-License-Identifier: Apache-2.0
#include "native/toolchain/c_compiler.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.hpp"
#include "base/disk_cache.hpp"
#include "base/files.hpp"
#include "base/program.hpp"
#include "runtime/clock.hpp"

namespace sme::native {

namespace {

/// True if the file holds every segment that the headers of a shared object name. The loader maps
/// missing pages without an error, and reading them kills the program with a signal.
bool is_whole(const std::string& path) {
    constexpr std::size_t max_bytes = std::size_t{1} << 30;
    const FileText file = read_file(path, max_bytes);
    if (!file.text || file.text->size() < sizeof(ElfW(Ehdr)))
        return false;
    const std::size_t size = file.text->size();
    ElfW(Ehdr) header;
    std::memcpy(&header, file.text->data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > size ||
        header.e_phnum > (size - header.e_phoff) / sizeof(ElfW(Phdr)) || header.e_shoff > size ||
        header.e_shnum > (size - header.e_shoff) / sizeof(ElfW(Shdr)))
        return false;
    for (std::size_t k = 0; k < header.e_phnum; ++k) {
        ElfW(Phdr) part;
        std::memcpy(&part, file.text->data() + header.e_phoff + k * sizeof part, sizeof part);
        if (part.p_type == PT_LOAD &&
            (part.p_offset > size || part.p_filesz > size - part.p_offset))
            return false;
    }
    return true;
}

} // namespace

std::shared_ptr<const Object> Object::load(const std::string& path, std::string& problem) {
    if (!is_whole(path)) {
        problem = "it is no whole shared object";
        return nullptr;
    }
    void* const loaded = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!loaded) {
        const char* const error = ::dlerror();
        problem = error ? error : "it cannot be loaded";
        return nullptr;
    }
    return std::shared_ptr<const Object>{new Object{loaded}};
}

Object::~Object() {
    ::dlclose(loaded_);
}

void* Object::find(const std::string& name) const {
    return ::dlsym(loaded_, name.c_str());
}

Compilers::Compilers(std::vector<std::size_t> files, std::function<std::string(std::size_t)> text,
                     const CompilerSettings& settings, unsigned at_once)
    : text_{std::move(text)}, settings_{settings}, files_{std::move(files)} {
    const std::size_t threads = std::min<std::size_t>(at_once, files_.size());
    const std::lock_guard lock{mutex_};
    made_.reserve(files_.size()); // a worker must not allocate when memory is exhausted
    workers_.reserve(threads);
    while (workers_.size() < threads)
        try {
            auto worker = std::make_unique<Worker>();
            worker->thread = std::thread{[this, own = worker.get()] { work(*own); }};
            workers_.push_back(std::move(worker));
        } catch (const std::exception&) { // no thread, or no memory
            if (workers_.empty())
                throw;
            return; // the existing threads do all the work
        }
}

void Compilers::work(Worker& worker) {
    for (std::size_t file = 0; begin(worker, file);) {
        Compiled compiled = compile(file, worker);
        const std::lock_guard lock{mutex_};
        made_.push_back({file, std::move(compiled), worker.slow});
        worker.busy = false;
        ready_.notify_one();
    }
}

/// Takes the next file.
bool Compilers::begin(Worker& worker, std::size_t& file) {
    const std::lock_guard lock{mutex_};
    if (next_ == files_.size())
        return false;
    file = files_[next_++];
    worker.unwanted = false;
    worker.busy = true;
    worker.slow = false;
    worker.begin = Clock::now();
    return true;
}

Compiled Compilers::compile(std::size_t file, const Worker& worker) const {
    try {
        CompilerSettings settings = settings_;
        settings.unwanted = &worker.unwanted;
        return native::compile(text_(file), settings);
    } catch (const std::bad_alloc&) {
        Compiled failed;
        failed.problem = "out of memory"; // so short that this allocates nothing
        return failed;
    }
}

std::vector<Compilers::Made> Compilers::take(std::chrono::milliseconds most) {
    std::unique_lock lock{mutex_};
    if (most.count() > 0)
        ready_.wait_for(lock, most, [&] { return !made_.empty(); });
    std::vector<Made> result;
    result.reserve(files_.size());
    result.swap(made_);
    return result;
}

bool Compilers::done() const {
    const std::lock_guard lock{mutex_};
    return next_ == files_.size() && made_.empty() &&
           std::none_of(workers_.begin(), workers_.end(),
                        [](const auto& worker) { return worker->busy; });
}

double Compilers::longest_s() const {
    const std::lock_guard lock{mutex_};
    double longest = 0;
    for (const auto& worker : workers_)
        if (worker->busy)
            longest = std::max(longest, seconds_of(Clock::now() - worker->begin));
    return longest;
}

void Compilers::stop_slow(double seconds) {
    const std::lock_guard lock{mutex_};
    for (const auto& worker : workers_)
        if (worker->busy && seconds_of(Clock::now() - worker->begin) >= seconds)
            worker->slow = worker->unwanted = true;
}

void Compilers::begin_no_more() {
    const std::lock_guard lock{mutex_};
    next_ = files_.size();
}

void Compilers::stop() {
    {
        const std::lock_guard lock{mutex_};
        next_ = files_.size();
        for (const auto& worker : workers_)
            worker->unwanted = true;
    }
    for (const auto& worker : workers_)
        if (worker->thread.joinable())
            worker->thread.join();
}

// A cache entry, under a key of text, compiler, flags and CPU, holds source.c, object, and
// whole.txt: the identity and the object's digest, written last.

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_bytes = std::size_t{256} << 20;      // of one file
constexpr std::uintmax_t max_kept = std::uintmax_t{256} << 20; // of all objects together

/// Loops become vector code for this CPU; all wraps are defined. At -O2 for some CPUs, GCC 12
/// miscompiles two selects with one condition when it converts them to moves together and computes
/// one of them with an addition, which changes the flags that the other one reads.
constexpr std::array flags{"-O2",     "-fwrapv", "-fno-strict-aliasing", "-std=gnu11", "-fPIC",
                           "-shared", "-w"};
/// Flags without which the values are the same: a compiler may refuse some of them.
constexpr std::array optional_flags{"--param=max-rtl-if-conversion-insns=1",
                                    "-ftree-loop-vectorize",
                                    "-fno-tree-pre",
                                    "-fvect-cost-model=dynamic",
                                    "-march=native",
                                    "-fno-semantic-interposition"};

/// Another version of a program has another size or time.
std::string version_of(const std::string& program) {
    struct stat found {};
    if (::stat(program.c_str(), &found) != 0)
        return program;
    return fmt::format("{} {} {}", program, found.st_size, found.st_mtim.tv_sec);
}

/// The properties that -march=native depends on.
std::string cpu() {
    const FileText file = read_file("/proc/cpuinfo", std::size_t{16} << 20);
    std::string found;
    for (const char* key : {"model name", "flags", "Features", "CPU part"}) {
        const std::size_t at = file.text ? file.text->find(key) : std::string::npos;
        if (at != std::string::npos)
            found += file.text->substr(at, file.text->find('\n', at) - at) + "\n";
    }
    return found;
}

/// `refused`: the optional flags to leave out, a bit for each.
std::vector<std::string> flags_of(const CompilerSettings& settings, unsigned refused = 0) {
    std::vector<std::string> result{flags.begin(), flags.end()};
    for (std::size_t k = 0; k < optional_flags.size(); ++k)
        if ((refused >> k & 1) == 0)
            result.emplace_back(optional_flags[k]);
    result.insert(result.end(), settings.more_flags.begin(), settings.more_flags.end());
    return result;
}

std::string identity_of(const std::string& text, const CompilerSettings& settings) {
    std::string programs = version_of(settings.compiler);
    for (const std::string& argument : settings.first)
        programs += " " + version_of(argument);
    return fmt::format("format 1\nwith {}\n{}\nof {:016x} {}\nby {}", programs,
                       fmt::join(flags_of(settings), " "), Digest{}.add(text).value(), text.size(),
                       cpu());
}

std::string whole_text(const std::string& identity, const std::string& object) {
    return fmt::format("{}\n{}\n", digest_of_file(object, max_bytes), identity);
}

class Compilation {
public:
    Compilation(const std::string& text, const CompilerSettings& settings)
        : text_{text}, settings_{settings}, kept_{settings.folder, "whole.txt", max_kept},
          identity_{identity_of(text, settings)}, key_{DiskCache::key_of(identity_)} {}

    Compiled run() {
        if (find())
            return std::move(made_);
        const DiskCache::Lock lock{settings_.folder, key_, settings_.unwanted};
        if (lock.problem().empty() && find()) // another process made it meanwhile
            return std::move(made_);
        std::string problem;
        std::string folder = kept_.begin(problem);
        const bool keeps = problem.empty();
        if (!keeps) {
            made_.note = problem;
            folder = (fs::temp_directory_path() / "sme-native-XXXXXX").string();
            if (!::mkdtemp(folder.data())) {
                made_.problem = fmt::format("there is no place to compile: {}", problem);
                return std::move(made_);
            }
        }
        make(folder, keeps);
        std::error_code error;
        fs::remove_all(folder, error);
        return std::move(made_);
    }

private:
    /// Loads an object that was compiled before.
    bool find() {
        const std::string place = kept_.place(key_);
        const std::string object = place + "/object";
        if (!kept_.holds(key_, "object"))
            return false;
        const FileText whole = read_file(place + "/whole.txt", max_bytes);
        const FileText source = read_file(place + "/source.c", max_bytes);
        if (!whole.text || *whole.text != whole_text(identity_, object) || source.text != text_)
            return false;
        std::string problem;
        made_.object = Object::load(object, problem);
        made_.kept = made_.object != nullptr;
        if (made_.kept)
            kept_.touch(key_);
        return made_.kept;
    }

    void make(const std::string& folder, bool keeps) {
        const std::string source = folder + "/source.c", object = folder + "/object";
        if (!write(source, text_) || !compile(source, object))
            return;
        made_.object = Object::load(object, made_.problem);
        if (!made_.object) {
            made_.problem =
                fmt::format("what the compiler made cannot be loaded: {}", made_.problem);
            return;
        }
        if (!keeps)
            return;
        ::chmod(object.c_str(), 0600);
        if (write(folder + "/whole.txt", whole_text(identity_, object)))
            made_.note = kept_.publish(folder, key_);
        else
            made_.note = std::exchange(made_.problem, {});
    }

    bool write(const std::string& path, const std::string& text) {
        OutputFile file{path};
        file.write(text);
        if (!file.commit())
            made_.problem = file.problem();
        return file.good();
    }

    ProgramEnd start(const std::vector<std::string>& flags, const std::string& source,
                     const std::string& object) const {
        std::vector<std::string> arguments = settings_.first;
        arguments.insert(arguments.end(), flags.begin(), flags.end());
        arguments.insert(arguments.end(), {"-o", object, source});
        const ProgramLimit limit{settings_.seconds, settings_.unwanted, settings_.niceness};
        return run_program(settings_.compiler, arguments, ProgramStreams::all_taken, {}, &limit);
    }

    static bool fails(const ProgramEnd& end) {
        return end.problem.empty() && !end.stopped && end.exit_code != 0;
    }

    /// Compiles an empty file with each of the optional flags.
    unsigned refused_flags(const std::string& folder) {
        const std::string source = folder + "/empty.c", object = folder + "/empty";
        unsigned refused = 0;
        for (std::size_t k = 0; write(source, "") && k < optional_flags.size(); ++k)
            if (fails(start({optional_flags[k], "-c"}, source, object)))
                refused |= 1u << k;
        std::error_code error;
        fs::remove(source, error);
        fs::remove(object, error);
        return refused;
    }

    bool compile(const std::string& source, const std::string& object) {
        const unsigned refused = *settings_.refused;
        ProgramEnd end = start(flags_of(settings_, refused), source, object);
        if (fails(end)) {
            *settings_.refused = refused_flags(fs::path{source}.parent_path().string());
            if (*settings_.refused != refused)
                end = start(flags_of(settings_, *settings_.refused), source, object);
        }
        if (end.good() && fs::exists(object))
            return true;
        if (!end.problem.empty())
            made_.problem = end.problem;
        else if (end.stopped && settings_.unwanted && settings_.unwanted->load())
            made_.problem = "it was interrupted";
        else if (end.stopped)
            made_.problem = fmt::format("'{}' took longer than {} s and was stopped",
                                        settings_.compiler, settings_.seconds);
        else
            made_.problem = fmt::format(
                "'{}' ended with exit code {}{}", settings_.compiler, end.exit_code,
                end.output.empty() ? "" : ": " + end.output.substr(0, end.output.find('\n')));
        return false;
    }

    const std::string& text_;
    const CompilerSettings& settings_;
    DiskCache kept_;
    std::string identity_, key_;
    Compiled made_;
};

} // namespace

Compiled compile(const std::string& text, const CompilerSettings& settings) {
    const auto begin = std::chrono::steady_clock::now();
    Compiled result = Compilation{text, settings}.run();
    result.seconds = seconds_of(std::chrono::steady_clock::now() - begin);
    return result;
}

} // namespace sme::native
