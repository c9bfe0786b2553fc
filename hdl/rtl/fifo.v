// SPDX-License-Identifier: Apache-2.0
//
// A queue of `depth` entries in a ring: lib/std/fifo.yaml.
//
// A value taken from x in cycle t is offered on y from cycle t + 1 on, in order. x_ready and
// y_valid depend only on registers, so there is no combinational path between the two sides. In a
// full queue, an entry freed in t can be filled in t + 1. The queue can pass a value in every
// cycle. While y_valid is low, y_data shows the next entry: 0, or its value from the previous
// round. A reset empties the queue and leaves the entries unchanged.
`default_nettype none

module fifo #(
    parameter depth = 16,               // entries, 2 or more
    parameter width = 8                 // bits of a value
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             x_valid,    // input values
    input  wire [width-1:0] x_data,
    output wire             x_ready,
    output wire             y_valid,    // output values
    output wire [width-1:0] y_data,
    input  wire             y_ready
);
    localparam place_bits = $clog2(depth);
    localparam count_bits = $clog2(depth + 1);
    localparam [31:0] last = depth - 1;         // the last entry
    localparam [31:0] full = depth;

    reg [width-1:0]      places [0:depth-1];
    reg [place_bits-1:0] head;                  // the oldest value
    reg [place_bits-1:0] tail;                  // the next free entry
    reg [count_bits-1:0] count;                 // values in the queue

    wire push = x_valid && x_ready;
    wire pop  = y_valid && y_ready;

    function [place_bits-1:0] after;            // the next entry in the ring
        input [place_bits-1:0] place;
        after = (place == last[place_bits-1:0]) ? {place_bits{1'b0}} : place + 1'b1;
    endfunction

    assign x_ready = count != full[count_bits-1:0];
    assign y_valid = count != {count_bits{1'b0}};
    assign y_data  = places[head];

    integer i;
    initial
        for (i = 0; i < depth; i = i + 1)
            places[i] = {width{1'b0}};

    always @(posedge clk)
        if (push && !rst)
            places[tail] <= x_data;

    always @(posedge clk)
        if (rst) begin
            head  <= {place_bits{1'b0}};
            tail  <= {place_bits{1'b0}};
            count <= {count_bits{1'b0}};
        end else begin
            if (push)
                tail <= after(tail);
            if (pop)
                head <= after(head);
            if (push && !pop)
                count <= count + 1'b1;
            else if (pop && !push)
                count <= count - 1'b1;
        end
endmodule

`default_nettype wire
