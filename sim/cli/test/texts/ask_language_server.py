# SPDX-License-Identifier: Apache-2.0
"""What the YAML language server of editors says of networks under our schema.

    ask_language_server.py SERVER SCHEMA NETWORK...

Prints NETWORK:LINE: MESSAGE for each finding, then how many networks were looked at. LINE counts from 1.
"""

import json
import subprocess
import sys
from pathlib import Path

LIMIT_S = 120


class Server:
    """Speaks the Language Server Protocol over standard input and output."""

    def __init__(self, command: str, schema: Path):
        self.settings = {"yaml": {"schemas": {schema.resolve().as_uri(): ["*.yaml"]}, "validate": True,
                                  "schemaStore": {"enable": False}}}
        self.run = subprocess.Popen(["timeout", str(LIMIT_S), command, "--stdio"], stdin=subprocess.PIPE,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def send(self, **message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.run.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.run.stdin.flush()

    def receive(self):
        """The next message; what the server asks is answered meanwhile."""
        while True:
            length = 0
            while (line := self.run.stdout.readline()).strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not line:
                sys.exit("the language server ended")
            message = json.loads(self.run.stdout.read(length))
            if "method" not in message or "id" not in message:
                return message
            asks_settings = message["method"] == "workspace/configuration"
            self.send(id=message["id"], result=[
                self.settings.get(item.get("section"), {}) for item in message["params"]["items"]
            ] if asks_settings else None)

    def start(self):
        self.send(id=1, method="initialize",
                  params={"processId": None, "rootUri": None,
                          "capabilities": {"workspace": {"configuration": True}}})
        while self.receive().get("id") != 1:
            pass
        self.send(method="initialized", params={})
        self.send(method="workspace/didChangeConfiguration", params={"settings": self.settings})

    def findings(self, paths: list[Path]):
        """Of each file. All are opened first: the server waits a while before it looks at one."""
        found = {path.resolve().as_uri(): None for path in paths}
        for path, uri in zip(paths, found):
            self.send(method="textDocument/didOpen", params={"textDocument": {
                "uri": uri, "languageId": "yaml", "version": 1, "text": path.read_text()}})
        while None in found.values():
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                found[message["params"]["uri"]] = message["params"]["diagnostics"]
        return list(found.values())


def main():
    server = Server(sys.argv[1], Path(sys.argv[2]))
    server.start()
    networks = [Path(name) for name in sys.argv[3:]]
    for path, findings in zip(networks, server.findings(networks)):
        for finding in findings:
            print(f"{path}:{finding['range']['start']['line'] + 1}: {finding['message']}")
    print(f"{len(networks)} networks")
    server.run.kill()


main()
