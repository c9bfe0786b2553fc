// SPDX-License-Identifier: Apache-2.0
#include <systemc>

/// The mean of two numbers, a clock later.
struct Mean : sc_core::sc_module {
    sc_core::sc_in<bool> clk{"clk"};
    sc_core::sc_in<sc_dt::sc_uint<8>> a{"a"}, b{"b"};
    sc_core::sc_out<sc_dt::sc_uint<8>> y{"y"};

    explicit Mean(const sc_core::sc_module_name& name) : sc_module{name} {
        SC_HAS_PROCESS(Mean);
        SC_METHOD(step);
        sensitive << clk.pos();
        dont_initialize();
    }
    void step() { y.write((a.read() + b.read()) >> 1); }
};
