// SPDX-License-Identifier: Apache-2.0
//
// AES-128 with the modes ECB and CTR: all of models/aes. A request in cycle t is answered in cycle
// t + 12; at most one request every 11 cycles. aes_mode.v and aes_cipher.v describe the fields of
// request and result.
`default_nettype none

module aes (
    input  wire         clk,
    input  wire         rst,
    input  wire [386:0] request,
    output wire [128:0] result          // registered
);
    wire [384:0] job;

    aes_mode   mode   (.clk(clk), .rst(rst), .request(request), .job(job));
    aes_cipher cipher (.clk(clk), .rst(rst), .job(job), .result(result));
endmodule

`default_nettype wire
