// SPDX-License-Identifier: Apache-2.0
//
// As mesh.yaml, as loops over arrays: with a module for each router, Verilator writes every router out, and that
// compiles for more than ten minutes. It takes no `<=` to an array in a loop: each array has a half that is read
// and one that is written. A message is {valid, x, y, data}.
module whole (input wire clk, output reg [31:0] check);
    function here(input [31:0] m, input [5:0] at_x, input [5:0] at_y);
        here = m[31] && m[30:25] == at_x && m[24:19] == at_y;
    endfunction
    function [3:0] wish(input [31:0] m, input [5:0] at_x, input [5:0] at_y);
        reg [5:0] dx, dy;
        begin
            dx = m[30:25] - at_x;
            dy = m[24:19] - at_y;
            wish = dx != 0 ? (dx[5] ? 4'd8 : 4'd2) : dy[5] ? 4'd1 : 4'd4;
        end
    endfunction
    function [3:0] link(input moves, input [3:0] wanted, input [3:0] taken);
        link = !moves ? 4'd0 : (wanted & taken) == 0 ? wanted : ~taken & -(~taken);
    endfunction

    reg [15:0] slot = 0;
    reg [31:0] inject [0:8191];
    reg [31:0] north [0:8191];
    reg [31:0] east [0:8191];
    reg [31:0] south [0:8191];
    reg [31:0] west [0:8191];
    reg [31:0] sum [0:4095];
    integer k, x, y, at, this_half = 0, next_half = 4096;
    reg [31:0] a, b, c, d, e, next;
    reg here_a, here_b, here_c, here_d, here_e;
    reg [3:0] la, lb, lc, ld, le;
    reg [11:0] number;
    reg [5:0] to_x, to_y;

    initial begin
        check = 0;
        for (k = 0; k < 8192; k = k + 1) begin
            inject[k] = 0;
            north[k] = 0;
            east[k] = 0;
            south[k] = 0;
            west[k] = 0;
        end
        for (k = 0; k < 4096; k = k + 1)
            sum[k] = 0;
    end
    always @(posedge clk) begin
        slot <= slot + 1;
        next = 0;
        for (k = 0; k < 64; k = k + 1)
            next = next ^ sum[k * 64 + k * 7 % 64];
        check <= next;
        for (x = 0; x < 64; x = x + 1)
            for (y = 0; y < 64; y = y + 1) begin
                at = x * 64 + y;
                number = at[11:0] * 12'd1237 + slot[11:0] * 12'd677;
                to_x = x[5:0] ^ slot[5:0];
                to_y = y[5:0] + slot[8:3];
                inject[next_half + at] = number < 12'd@traffic@ ? {1'b1, to_x, to_y, 3'd0, slot} : 32'd0;
                a = south[this_half + x * 64 + (y + 63) % 64];
                b = west[this_half + (x + 1) % 64 * 64 + y];
                c = north[this_half + x * 64 + (y + 1) % 64];
                d = east[this_half + (x + 63) % 64 * 64 + y];
                e = inject[this_half + at];
                here_a = here(a, x[5:0], y[5:0]);
                here_b = here(b, x[5:0], y[5:0]);
                here_c = here(c, x[5:0], y[5:0]);
                here_d = here(d, x[5:0], y[5:0]);
                here_e = here(e, x[5:0], y[5:0]);
                la = link(a[31] && !here_a, wish(a, x[5:0], y[5:0]), 4'd0);
                lb = link(b[31] && !here_b, wish(b, x[5:0], y[5:0]), la);
                lc = link(c[31] && !here_c, wish(c, x[5:0], y[5:0]), la | lb);
                ld = link(d[31] && !here_d, wish(d, x[5:0], y[5:0]), la | lb | lc);
                le = link(e[31] && !here_e, wish(e, x[5:0], y[5:0]), la | lb | lc | ld);
                north[next_half + at] = la[0] ? a : lb[0] ? b : lc[0] ? c : ld[0] ? d : le[0] ? e : 32'd0;
                east[next_half + at] = la[1] ? a : lb[1] ? b : lc[1] ? c : ld[1] ? d : le[1] ? e : 32'd0;
                south[next_half + at] = la[2] ? a : lb[2] ? b : lc[2] ? c : ld[2] ? d : le[2] ? e : 32'd0;
                west[next_half + at] = la[3] ? a : lb[3] ? b : lc[3] ? c : ld[3] ? d : le[3] ? e : 32'd0;
                if (here_a || here_b || here_c || here_d || here_e)
                    sum[at] = sum[at] + (here_a ? {13'd0, a[18:0]} : 0) + (here_b ? {13'd0, b[18:0]} : 0)
                        + (here_c ? {13'd0, c[18:0]} : 0) + (here_d ? {13'd0, d[18:0]} : 0)
                        + (here_e ? {13'd0, e[18:0]} : 0);
            end
        at = this_half;
        this_half = next_half;
        next_half = at;
    end
endmodule
