// SPDX-License-Identifier: Apache-2.0
//
// SHA-256, a round a cycle: all of models/sha256. The first word of a block in cycle t, and the others
// after it without a pause: the digest of a message that ends with this block comes in t + 65. What
// lies where in message and digest: sha256_schedule.v, sha256_compress.v.
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
