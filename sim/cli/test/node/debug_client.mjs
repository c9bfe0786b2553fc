// SPDX-License-Identifier: Apache-2.0
// Tests "sme debug --dap" with VS Code's own test client.
//
//   node debug_client.mjs SME NETWORK FAMILY
//
// Both networks are those of ../debug/debug_test.cpp. In NETWORK, the bus 'count' is c - 1 in cycle
// c; in FAMILY, instance k runs line 12 in cycle 2 + k, where the last one faults.
import assert from "node:assert/strict";
import { DebugClient } from "@vscode/debugadapter-testsupport";

const [sme, network, family] = process.argv.slice(2);
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
const clientOf = (path) =>
  new DebugClient(`exec ${quoted(sme)} debug ${quoted(path)}`, "--dap", "sme", { shell: true });
const client = clientOf(network);
const threadId = 1;
const when = 21; // the line that is active in the cycle in which count is 4

const stopped = (reason, line) =>
  client.assertStoppedLocation(reason, line ? { path: network, line } : {});

/** Sends a request that runs, and checks where the run stops. */
const until = (request, reason, line) => Promise.all([request, stopped(reason, line)]);

async function scope(name) {
  const { stackFrames } = (await client.stackTraceRequest({ threadId })).body;
  const { scopes } = (await client.scopesRequest({ frameId: stackFrames[0].id })).body;
  return scopes.find((each) => each.name === name).variablesReference;
}

async function values(name) {
  const variablesReference = await scope(name);
  const { variables } = (await client.variablesRequest({ variablesReference })).body;
  return Object.fromEntries(variables.map((each) => [each.name, each.value]));
}

/** Starts as an editor does: initialize, breakpoints, configurationDone, launch. */
async function starts() {
  await client.hitBreakpoint({ stopOnEntry: false }, { path: network, line: when });
  const { stackFrames } = (await client.stackTraceRequest({ threadId })).body;
  assert.equal(stackFrames[0].name, "doubler, cycle 5");
  assert.deepEqual((await client.threadsRequest()).body.threads, [{ id: 1, name: "t" }]);
}

async function shows() {
  assert.deepEqual(await values("Reads"), { count: "4" });
  assert.deepEqual(await values("Writes"), { twice: "8" });
  const evaluated = await client.evaluateRequest({ expression: "count + 1", context: "watch" });
  assert.equal(evaluated.body.result, "5");
  await assert.rejects(client.evaluateRequest({ expression: "nix" }), /nix/);
}

async function changes() {
  const count = { variablesReference: await scope("Reads"), name: "count" };
  const set = await client.setVariableRequest({ ...count, value: "3" });
  assert.equal(set.body.value, "3");
  assert.deepEqual(await values("Writes"), { twice: "0" }); // the cycle runs again
  await assert.rejects(client.setVariableRequest({ ...count, value: "256" }), /u8/);
}

async function goes() {
  await until(client.stepBackRequest({ threadId }), "step");
  await until(client.nextRequest({ threadId }), "breakpoint", when); // the change is undone
  assert.deepEqual(await values("Writes"), { twice: "8" });
  await until(client.reverseContinueRequest({ threadId }), "entry");
  await until(client.continueRequest({ threadId }), "breakpoint", when);
}

async function ends() {
  await client.setBreakpointsRequest({ source: { path: network }, breakpoints: [] });
  await Promise.all([client.pauseRequest({ threadId }), client.continueRequest({ threadId })]);
  await Promise.all([client.waitForEvent("terminated"), client.terminateRequest()]);
  await client.stop();
}

/** Checks that a condition or a fault refers to the instance that runs the line. */
async function instances() {
  const other = clientOf(family);
  await other.start();
  const at = { source: { path: family }, breakpoints: [{ line: 12, condition: "n >= 4" }] };
  await Promise.all([
    other.waitForEvent("initialized").then(async () => {
      const { breakpoints } = (await other.setBreakpointsRequest(at)).body;
      assert.ok(breakpoints[0].verified);
      return other.configurationDoneRequest();
    }),
    other.launch({ stopOnEntry: false }),
    other.assertStoppedLocation("breakpoint", { path: family, line: 12 }),
  ]);
  const name = async () =>
    (await other.stackTraceRequest({ threadId })).body.stackFrames[0].name;
  assert.equal(await name(), "node[2], cycle 4");
  await other.setBreakpointsRequest({ ...at, breakpoints: [] });
  await Promise.all([
    other.continueRequest({ threadId }),
    other.assertStoppedLocation("exception", { path: family, line: 12 }),
  ]);
  assert.equal(await name(), "node[3], cycle 5");
  const { exceptionId, description } = (await other.exceptionInfoRequest({ threadId })).body;
  assert.equal(exceptionId, "fault");
  assert.match(description, /the divisor is 0/);
  await other.stop();
}

await client.start();
for (const part of [starts, shows, changes, goes, ends, instances]) {
  await part();
  console.log(part.name);
}
