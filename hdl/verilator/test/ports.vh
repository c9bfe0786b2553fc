// SPDX-License-Identifier: Apache-2.0
`ifndef twice
`define twice 1
`endif
