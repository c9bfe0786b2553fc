// SPDX-License-Identifier: Apache-2.0
//
// The shared library of this part, which a program loads when a network has a Verilog module. Its
// other symbols are those of the program.
#pragma once

#include "network/verilog.hpp"
#include "verilator/build/settings.hpp"

extern "C" {
/// Returns new modules, which the caller deletes.
sme::VerilogModules* sme_new_verilog_modules(const sme::verilator::Settings& settings,
                                             sme::VerilogModules::Purpose purpose);
}
