# SPDX-License-Identifier: Apache-2.0
"""A client of the Debug Adapter Protocol. Each message that comes is judged by the protocol's own
JSON schema, which debugpy holds."""
import json
import os
import subprocess
import sys

import debugpy
import jsonschema

SCHEMA = os.path.join(os.path.dirname(debugpy.__file__), "_vendored", "pydevd", "_pydevd_bundle",
                      "_debug_adapter", "debugProtocol.json")
with open(SCHEMA, encoding="utf-8") as file:
    PROTOCOL = json.load(file)
DEFINITIONS = PROTOCOL["definitions"]
RESOLVER = jsonschema.RefResolver("", PROTOCOL)


def judge(message):
    """Against the definition of this response or event."""
    if message["type"] == "event":
        name = message["event"]
        kind = name[0].upper() + name[1:] + "Event"
    elif message["success"]:
        name = message["command"]
        kind = name[0].upper() + name[1:] + "Response"
    else:
        kind = "Response"
    assert kind in DEFINITIONS, kind
    # skip the check of the schema itself, which takes a second per message
    jsonschema.Draft4Validator(DEFINITIONS[kind], resolver=RESOLVER).validate(message)


class Client:
    def __init__(self, arguments):
        self.program = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sent = 0
        self.events = []

    def send(self, command, **arguments):
        self.sent += 1
        text = json.dumps({"seq": self.sent, "type": "request", "command": command,
                           "arguments": arguments}).encode()
        self.program.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.program.stdin.flush()
        return self.sent

    def receive(self):
        length = None
        while True:
            line = self.program.stdout.readline()
            assert line, "the adapter has ended"
            if line == b"\r\n":
                break
            length = int(line.split(b":")[1])
        message = json.loads(self.program.stdout.read(length))
        judge(message)
        return message

    def response(self, number):
        while True:
            message = self.receive()
            if message["type"] == "response":
                assert message["request_seq"] == number
                return message
            self.events.append(message)

    def refused(self, command, **arguments):
        message = self.response(self.send(command, **arguments))
        assert not message["success"], message
        return message["message"]

    def ask(self, command, **arguments):
        message = self.response(self.send(command, **arguments))
        assert message["success"], message
        return message.get("body")

    def event(self, name):
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    return event.get("body")
            message = self.receive()
            assert message["type"] == "event", message
            self.events.append(message)

    def frame(self):
        return self.ask("stackTrace", threadId=1)["stackFrames"][0]

    def variables(self, scope):
        scopes = self.ask("scopes", frameId=1)["scopes"]
        reference = next(s["variablesReference"] for s in scopes if s["name"] == scope)
        return reference, self.ask("variables", variablesReference=reference)["variables"]

    def values(self, scope):
        return {v["name"]: v["value"] for v in self.variables(scope)[1]}

    def paused(self):
        """Of a run that is paused: its response, how it stopped, and the response to the pause."""
        reason = None
        responses = 0
        while responses < 2:
            message = self.receive()
            if message["type"] == "response":
                assert message["success"], message
                responses += 1
            elif message["event"] == "stopped":
                reason = message["body"]["reason"]
        return reason


def equal(found, wanted):
    assert found == wanted, (found, wanted)


def main():
    sme, network = sys.argv[1:]
    client = Client([sme, "debug", network, "--dap"])
    assert client.ask("initialize", adapterID="sme", linesStartAt1=True)["supportsStepBack"]
    client.event("initialized")
    client.ask("launch", stopOnEntry=True)
    lines = client.ask("setBreakpoints", source={"path": network},
                       breakpoints=[{"line": 21}, {"line": 14, "condition": "n == 8"},
                                    {"line": 2}, {"line": 14, "condition": "nix"}])["breakpoints"]
    equal([line["verified"] for line in lines], [True, True, False, False])
    client.ask("setExceptionBreakpoints", filters=["check", "fault"])
    client.ask("configurationDone")
    equal(client.event("stopped")["reason"], "entry")
    equal(client.ask("threads")["threads"], [{"id": 1, "name": "t"}])
    equal(client.frame()["name"], "t, before the first cycle")

    client.ask("continue", threadId=1)  # runs to the line that is active for count 4, in cycle 5
    stopped = client.event("stopped")
    equal((stopped["reason"], stopped["hitBreakpointIds"]), ("breakpoint", [lines[0]["id"]]))
    equal(client.event("output")["output"], "n is 3\n")
    frame = client.frame()
    equal((frame["name"], frame["line"]), ("doubler, cycle 5", 21))
    assert os.path.samefile(frame["source"]["path"], network)
    equal(client.values("Reads"), {"count": "4"})
    equal(client.values("Writes"), {"twice": "8"})
    equal(client.ask("evaluate", expression="count * 3", frameId=1)["result"], "12")
    assert "nix" in client.refused("evaluate", expression="nix", frameId=1)

    client.ask("stepBack", threadId=1)
    equal(client.event("stopped")["reason"], "step")
    equal(client.values("Writes"), {"twice": "0"})
    client.ask("next", threadId=1)
    client.event("stopped")
    equal(client.values("Writes"), {"twice": "8"})
    client.ask("continue", threadId=1)
    client.event("stopped")
    equal(client.frame()["name"], "counter, cycle 8")
    reference, states = client.variables("States")
    equal([(v["name"], v["value"]) for v in states],
          [("counter.n", "8"), ("counter.seen", "4 words")])
    words = states[1]["variablesReference"]
    listed = client.ask("variables", variablesReference=words)["variables"]
    equal([v["value"] for v in listed], ["8", "5", "6", "7"])  # n % 4 is 0 in cycle 8
    equal(client.ask("setVariable", variablesReference=words, name="[2]", value="99")["value"],
          "99")
    equal(client.ask("setVariable", variablesReference=reference, name="counter.n",
                     value="3")["value"], "3")
    client.refused("setVariable", variablesReference=reference, name="counter.n", value="256")
    client.refused("variables", variablesReference=4711)
    client.refused("nonsense")
    client.refused("exceptionInfo", threadId=1)  # the run is not at an exception
    client.ask("setBreakpoints", source={"path": network}, breakpoints=[])
    client.ask("setExceptionBreakpoints", filters=[])
    client.send("continue", threadId=1)  # runs until disconnected
    client.send("pause", threadId=1)
    equal(client.paused(), "pause")
    client.ask("reverseContinue", threadId=1)
    equal(client.event("stopped")["reason"], "entry")
    equal(client.frame()["name"], "t, before the first cycle")
    client.ask("disconnect")
    client.program.stdin.close()
    equal(client.program.wait(20), 0)
    print("all as expected")


main()
