// SPDX-License-Identifier: Apache-2.0
//
// 256 words of 16 bits: the process `memory` of models/cpu.
`default_nettype none

module cpu_memory #(
    parameter PROGRAM = "program.hex"       // the initial memory
) (
    input  wire        clk,                 // everything happens at its rising edge
    input  wire [1:0]  access,              // 0 none, 1 fetch, 2 load, 3 store
    input  wire [7:0]  pc,                  // the address to fetch
    input  wire [7:0]  address,             // the address to load and store
    input  wire [15:0] data,                // the word to store
    input  wire [7:0]  look,                // an address to observe
    output reg  [15:0] reply,               // 0 when nothing was read
    output wire [15:0] seen
);
    reg [15:0] mem [0:255];
    assign seen = mem[look];

    always @(posedge clk) begin
        case (access)
            2'd1: reply <= mem[pc];
            2'd2: reply <= mem[address];
            default: reply <= 16'd0;
        endcase
        if (access == 2'd3)
            mem[address] <= data;
    end

    initial begin
        $readmemh(PROGRAM, mem);
        reply = 16'd0;
    end
endmodule

`default_nettype wire
