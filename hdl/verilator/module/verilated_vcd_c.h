/* SPDX-License-Identifier: Apache-2.0 */
/* The class that Verilator's --trace output calls. It replaces Verilator's VCD writer under the
 * same names: it copies signal values as bytes to places that the simulator chooses. Versions
 * declare signals differently; see version.h. */
#ifndef SME_VERILATED_VCD_C_H
#define SME_VERILATED_VCD_C_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "verilated.h"
#include "verilated_trace.h"
#include "version.h"

class VerilatedVcd final {
public:
    class Buffer;
    using InitCallback = void (*)(void*, VerilatedVcd*, uint32_t);
    using DumpCallback = void (*)(void*, Buffer*);
    using CleanupCallback = void (*)(void*, VerilatedVcd*);

    /* A signal; signals with the same code are one net. */
    struct Signal {
        std::string name; /* scopes end with a space: "TOP top each[0] count" */
        unsigned bits;
        uint32_t code;
    };

    /* Compares signals with their last values, in 32-bit words, the lowest first. */
    class Buffer final {
    public:
        explicit Buffer(VerilatedVcd& owner) : owner_{owner} {}
        uint32_t* oldp(uint32_t code) { return owner_.words_.data() + code; }

        void fullBit(uint32_t* old, CData value) { set(old, value); }
        void fullCData(uint32_t* old, CData value, int) { set(old, value); }
        void fullSData(uint32_t* old, SData value, int) { set(old, value); }
        void fullIData(uint32_t* old, IData value, int) { set(old, value); }
        void fullQData(uint32_t* old, QData value, int) { set(old, &value, sizeof value); }
        void fullWData(uint32_t* old, const WData* value, int bits) {
            set(old, value, bytes_of(bits));
        }
        void fullDouble(uint32_t*, double) {}
        template <class Event> void fullEvent(uint32_t*, const Event&) {}
        void fullEventTriggered(uint32_t*) {}

        void chgBit(uint32_t* old, CData value) { change(old, value); }
        void chgCData(uint32_t* old, CData value, int) { change(old, value); }
        void chgSData(uint32_t* old, SData value, int) { change(old, value); }
        void chgIData(uint32_t* old, IData value, int) { change(old, value); }
        void chgQData(uint32_t* old, QData value, int) { change(old, &value, sizeof value); }
        void chgWData(uint32_t* old, const WData* value, int bits) {
            change(old, value, bytes_of(bits));
        }
        void chgDouble(uint32_t*, double) {}
        template <class Event> void chgEvent(uint32_t*, const Event&) {}
        void chgEventTriggered(uint32_t*) {}

    private:
        static size_t bytes_of(int bits) { return static_cast<size_t>(bits + 31) / 32 * 4; }
        void set(uint32_t* old, uint32_t value) {
            *old = value;
            owner_.show(old);
        }
        void change(uint32_t* old, uint32_t value) {
            if (__builtin_expect(*old != value, 0))
                set(old, value);
        }
        void set(uint32_t* old, const void* value, size_t bytes) {
            std::memcpy(old, value, bytes);
            owner_.show(old);
        }
        void change(uint32_t* old, const void* value, size_t bytes) {
            if (__builtin_expect(std::memcmp(old, value, bytes) != 0, 0))
                set(old, value, bytes);
        }

        VerilatedVcd& owner_;
    };

    /* Called by a model to register itself. */
    void addModel(VerilatedModel*) {}
    template <class... More> void addInitCb(InitCallback call, void* self, const More&...) {
        call(self, this, 0);
    }
    void addConstCb(DumpCallback call, uint32_t, void* self) { constant_.emplace_back(call, self); }
    void addFullCb(DumpCallback call, void* self) { full_.emplace_back(call, self); }
    void addFullCb(DumpCallback call, uint32_t, void* self) { addFullCb(call, self); }
    void addChgCb(DumpCallback call, void* self) { change_.emplace_back(call, self); }
    void addChgCb(DumpCallback call, uint32_t, void* self) { addChgCb(call, self); }
    void addCleanupCb(CleanupCallback call, void* self) { cleanup_.emplace_back(call, self); }
    template <class... Any> void initLib(const Any&...) {}

    void scopeEscape(char) {}
    /* A non-ASCII character before the space marks the kind of scope, such as an interface. */
    void pushNamePrefix(const std::string& prefix) {
        std::string scope = scopes_.back();
        for (const char sign : element_name(prefix))
            if (static_cast<unsigned char>(sign) < 0x80)
                scope += sign;
        scopes_.push_back(scope);
    }
    void popNamePrefix(unsigned count = 1) { scopes_.resize(scopes_.size() - count); }
#if SME_TRACE_KINDS
    /* The port scope "$rootio" and unnamed scopes add no level. */
    void pushPrefix(const std::string& name, VerilatedTracePrefixType type) {
        const bool is_array = type == VerilatedTracePrefixType::ARRAY_PACKED ||
                              type == VerilatedTracePrefixType::ARRAY_UNPACKED;
        const bool is_named = !name.empty() && name != "$rootio";
        pushNamePrefix(!is_named ? std::string{} : is_array ? name : name + ' ');
    }
    void popPrefix() { popNamePrefix(); }
#endif
    /* Parameters: code, index of the function, name, number of the type, direction, kind, type,
     * whether it is an element, and its index. The oldest versions pass fewer. */
    template <class Way, class Kind, class Type>
    void declBit(uint32_t code, uint32_t, const char* name, int, Way, Kind, Type, bool array,
                 int number) {
        declare(code, name, array, number, 1);
    }
    void declBit(uint32_t code, const char* name, bool array, int number) {
        declare(code, name, array, number, 1);
    }
    template <class Way, class Kind, class Type>
    void declBus(uint32_t code, uint32_t, const char* name, int, Way, Kind, Type, bool array,
                 int number, int high, int low) {
        declare(code, name, array, number, std::abs(high - low) + 1);
    }
    void declBus(uint32_t code, const char* name, bool array, int number, int high, int low) {
        declare(code, name, array, number, std::abs(high - low) + 1);
    }
    template <class... Any> void declQuad(const Any&... any) { declBus(any...); }
    template <class... Any> void declArray(const Any&... any) { declBus(any...); }
    template <class... Any> void declEvent(const Any&...) {}
    template <class... Any> void declDouble(uint32_t code, const Any&...) { reserve(code, 64); }

    const std::vector<Signal>& signals() const { return signals_; }

    /* From its next change on, copies the signal with this code to `bytes` bytes at an offset. */
    void place(uint32_t code, size_t offset, size_t bytes) {
        places_[code].push_back({offset, bytes});
    }
    /* Writes the changes since the last call, or all values, to their places relative to `base`. */
    void dump(unsigned char* base) {
        base_ = base;
        Buffer buffer{*this};
        if (whole_)
            for (const auto& call : constant_)
                call.first(call.second, &buffer);
        for (const auto& call : whole_ ? full_ : change_)
            call.first(call.second, &buffer);
        whole_ = false;
        for (const auto& call : cleanup_)
            call.first(call.second, this);
    }
    void show_all() { whole_ = true; }

private:
    struct Target {
        size_t offset;
        size_t bytes;
    };

    void reserve(uint32_t code, unsigned bits) {
        const size_t end = code + (bits + 31) / 32;
        if (words_.size() < end) {
            words_.resize(end);
            places_.resize(end);
        }
    }
    /* Converts an index of a multi-dimensional array, "[-1]", to "(-1)", as in checks. */
    static std::string element_name(const std::string& name) {
        return name[0] == '[' && name.back() == ']' ? '(' + name.substr(1, name.size() - 2) + ')'
                                                    : name;
    }
    void declare(uint32_t code, const char* name, bool array, int number, int bits) {
        const unsigned width = static_cast<unsigned>(bits);
        reserve(code, width);
        const std::string index = array ? '(' + std::to_string(number) + ')' : std::string{};
        signals_.push_back({scopes_.back() + element_name(name) + index, width, code});
    }
    void show(const uint32_t* word) {
        for (const Target& target : places_[static_cast<size_t>(word - words_.data())])
            std::memcpy(base_ + target.offset, word, target.bytes);
    }

    std::vector<std::string> scopes_{std::string{}};
    std::vector<Signal> signals_;
    std::vector<uint32_t> words_;             /* by code */
    std::vector<std::vector<Target>> places_; /* by code */
    std::vector<std::pair<DumpCallback, void*>> constant_;
    std::vector<std::pair<DumpCallback, void*>> full_;
    std::vector<std::pair<DumpCallback, void*>> change_;
    std::vector<std::pair<CleanupCallback, void*>> cleanup_;
    unsigned char* base_ = nullptr;
    bool whole_ = true;
};

#if SME_TRACE_BASE
class VerilatedVcdC final : public VerilatedTraceBaseC {
#else
class VerilatedVcdC final {
#endif
public:
    VerilatedVcd* spTrace() { return &trace_; }
    bool isOpen() const { return false; }

private:
    VerilatedVcd trace_;
};

/* The declaration macros of the newest versions. */
#define VL_TRACE_PUSH_PREFIX(trace, name, type, ...) (trace)->pushPrefix(name, type)
#define VL_TRACE_POP_PREFIX(trace) (trace)->popPrefix()
#define VL_TRACE_DECL_EVENT(...) ((void)0)
#define VL_TRACE_DECL_EVENT_ARRAY(...) ((void)0)
#define VL_TRACE_DECL_DOUBLE(trace, code, ...) (trace)->declDouble(code)
#define VL_TRACE_DECL_DOUBLE_ARRAY(trace, code, ...) (trace)->declDouble(code)
#define VL_TRACE_DECL_BIT(trace, code, fidx, name, dtype, way, kind, type) \
    (trace)->declBit(code, fidx, name, dtype, way, kind, type, false, -1)
#define VL_TRACE_DECL_BIT_ARRAY(trace, code, fidx, name, dtype, way, kind, type, number) \
    (trace)->declBit(code, fidx, name, dtype, way, kind, type, true, number)
#define VL_TRACE_DECL_BUS(trace, code, fidx, name, dtype, way, kind, type, high, low) \
    (trace)->declBus(code, fidx, name, dtype, way, kind, type, false, -1, high, low)
#define VL_TRACE_DECL_BUS_ARRAY(trace, code, fidx, name, dtype, way, kind, type, number, high, low) \
    (trace)->declBus(code, fidx, name, dtype, way, kind, type, true, number, high, low)
#define VL_TRACE_DECL_QUAD VL_TRACE_DECL_BUS
#define VL_TRACE_DECL_QUAD_ARRAY VL_TRACE_DECL_BUS_ARRAY
#define VL_TRACE_DECL_WIDE VL_TRACE_DECL_BUS
#define VL_TRACE_DECL_WIDE_ARRAY VL_TRACE_DECL_BUS_ARRAY

#endif
