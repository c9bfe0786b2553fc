// SPDX-License-Identifier: Apache-2.0
//
// SHA-256, one round per cycle: all of models/sha256. If the first word of a message's last block
// comes in cycle t, and the other words follow without a pause, the digest comes in t + 65.
// sha256_schedule.v and sha256_compress.v describe the fields of message and digest.
`default_nettype none

module sha256 (
    input  wire         clk,
    input  wire         rst,
    input  wire [33:0]  message,        // padded
    output wire [256:0] digest          // registered
);
    wire [39:0] round;

    sha256_schedule schedule (.clk(clk), .rst(rst), .message(message), .round(round));
    sha256_compress compress (.clk(clk), .rst(rst), .round(round), .digest(digest));
endmodule

`default_nettype wire
