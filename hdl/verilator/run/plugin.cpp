// SPDX-License-Identifier: Apache-2.0
#include "verilator/run/plugin.hpp"

#include "verilator/run/modules.hpp"

sme::VerilogModules* sme_new_verilog_modules(const sme::verilator::Settings& settings,
                                             sme::VerilogModules::Purpose purpose) {
    return new sme::verilator::Modules{settings, purpose};
}
