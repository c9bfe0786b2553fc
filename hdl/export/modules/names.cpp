// SPDX-License-Identifier: Apache-2.0
#include "export/modules/names.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

#include <fmt/format.h>

namespace sme::hdl {

namespace {

// IEEE 1800-2017, annex B: the words of Verilog and SystemVerilog, which Verilator reads.
constexpr std::string_view keywords = R"(
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
checker class clocking cmos config const constraint context continue cover covergroup
coverpoint cross deassign default defparam design disable dist do edge else end endcase
endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
endtask enum event eventually expect export extends extern final first_match for force foreach
forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins
illegal_bins implements implies import incdir include initial inout input inside instance int
integer interconnect interface intersect join join_any join_none large let liblist library
local localparam logic longint macromodule matches medium modport module nand negedge nettype
new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown
pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real
realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
showcancelled signed small soft solve specify specparam static string strong strong0 strong1
struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout
time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type
typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual
void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
)";

// Other reserved words of tools: the package std (annex G), and types of Icarus Verilog.
constexpr std::string_view owned = R"(
bool mailbox process randomize semaphore std weak_reference wone wreal
)";

// Words of C++ and its library.
constexpr std::string_view cpp_words = R"(
abort alignas alignof and_eq asm auto bit_vector bitand bitor catch char char16_t char32_t
char8_t co_await co_return co_yield compl complex concept const_cast consteval constexpr
constinit decltype delete double dynamic_cast explicit float friend goto inline list long map
mutable namespace noexcept not_eq nullptr operator or_eq override private public queue
register reinterpret_cast requires sc_in sc_inout sc_out sc_signal short sizeof stack
static_assert static_cast switch template thread_local throw try typeid typename uint16_t
uint32_t uint8_t using vector volatile wchar_t xor_eq
)";

} // namespace

std::set<std::string, std::less<>> words_of(std::string_view text) {
    std::set<std::string, std::less<>> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(" \n", at)) != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
        words.emplace(text.substr(at, end - at));
        at = end;
    }
    return words;
}

bool is_keyword(const std::string& word) {
    static const auto words = words_of(std::string{keywords} + std::string{owned});
    return words.count(word) > 0;
}

std::string top_port(const std::string& name) {
    static const auto words = words_of(cpp_words);
    return words.count(name) > 0 ? name + "_" : name;
}

std::string identifier(std::string name) {
    std::replace(name.begin(), name.end(), '.', '_');
    return is_keyword(name) ? name + "_" : name;
}

std::string Names::take(const std::string& wanted) {
    const std::string base = identifier(wanted);
    std::string name = base;
    if (has(name))
        for (int& k = next_.try_emplace(base, 2).first->second; has(name); ++k)
            name = fmt::format("{}_{}", base, k);
    taken_.insert(name);
    return name;
}

} // namespace sme::hdl
