%% SPDX-License-Identifier: Apache-2.0
%% The ring with Erlang's processes, whose mailboxes have no bound: processes tokens trips depth runners.
-module(ring).
-export([main/1]).

main(Words) ->
    [Processes, Tokens, Trips | _] = [list_to_integer(Word) || Word <- Words],
    Last = lists:foldl(fun(_, Next) -> spawn(fun() -> element_of(Next) end) end, self(),
                       lists:seq(2, Processes)),
    Start = erlang:monotonic_time(nanosecond),
    [Last ! {token, K} || K <- lists:seq(1, Tokens)],
    turn(Last, Trips * Tokens),
    Sum = take(Tokens, 0),
    Ns = erlang:monotonic_time(nanosecond) - Start,
    Expected = Tokens * (Tokens + 1) div 2 + Tokens * ((Processes - 1) * (Trips + 1) + Trips),
    Right = case Sum of Expected -> 1; _ -> 0 end,
    io:format("ns_per_communication ~.3f check ~b~n", [Ns / (Processes * Tokens * Trips), Right]),
    halt(1 - Right).

element_of(Next) ->
    receive {token, Value} -> Next ! {token, Value + 1} end,
    element_of(Next).

turn(_, 0) -> ok;
turn(Next, Turns) ->
    receive {token, Value} -> Next ! {token, Value + 1} end,
    turn(Next, Turns - 1).

take(0, Sum) -> Sum;
take(Tokens, Sum) ->
    receive {token, Value} -> take(Tokens - 1, Sum + Value) end.
