// SPDX-License-Identifier: Apache-2.0
//
// SystemC's library has a main() that calls sc_main(), and does not link without one. This file
// serves programs that have their own main() and no sc_main().
#include <cstdio>

#include <systemc>

int sc_main(int, char**) {
    std::fputs("this program has neither main() nor sc_main()\n", stderr);
    return 1;
}
