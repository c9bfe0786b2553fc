// SPDX-License-Identifier: Apache-2.0
// The simulator's data in a report: the JSON of sim/report (see its README).

export type Kind = "passed" | "failed" | "faulted" | "skipped";

export interface Place {
  file?: string;
  line?: number;
}

export interface Outcome extends Place {
  kind: Kind;
  word: string; // "passed", "FAILED", "not reached"
  name: string;
  of?: string;
  why?: string;
  counts: string; // "evaluated 201 times"
  cycle?: number; // of the failure, or of the first evaluation
  signals: number[]; // that it reads
}

export interface SignalType {
  text: string;
  kind: "bool" | "unsigned" | "signed" | "enum";
  width: number;
  fraction?: number; // bits after the point of a fixed-point number
  members?: [string, string][]; // value in decimal, name
}

export interface SignalEntry {
  name: string;
  type: number;
  state?: true;
  wire?: true;
  clock?: number;
  changes: number;
  bytes: number;
}

export interface Clock {
  name: string;
  every: number;
  offset: number;
}

export interface Waves {
  from: number; // the first cycle
  to: number; // after the last cycle
  period_ps: number;
  notes: string[]; // omissions
  clocks: Clock[];
  types: SignalType[];
  signals: SignalEntry[];
}

export interface GraphEdge {
  from: number;
  to: number;
  buses: string[]; // "stage.token[0..999]"
  activity: number; // fraction of the cycles in which its most active bus was active
  uses: string[]; // "raw: 7 changes, at most 8", for each bus
}

export interface Graph {
  dot: string;
  edges: GraphEdge[];
}

export interface Share {
  hit: number;
  found: number;
}

export interface Branch {
  line: number;
  block: number;
  way: number;
  count: number;
}

export interface CoveredFile {
  file: string;
  lines: { line: number; count: number }[];
  branches: Branch[];
}

export interface Coverage {
  totals: Record<"lines" | "branches" | "toggles" | "states", Share>;
  files: CoveredFile[];
  toggles: { name: string; bits: number; rose: number; fell: number; missing: string[] }[];
  states: {
    name: string;
    entered: Record<string, number>;
    transitions: { from: string; to: string; count: number }[];
  }[];
}

export interface Threads {
  text: string; // as --stats prints it
  names: string[]; // the first name is that of waiting
  events: number[][]; // thread, name, begin ns, end ns, cycle, level
}

export interface Channel extends Place {
  name: string;
  depth: number;
  latency: number;
  bits: number;
  type: string;
  sender: string;
  receiver: string;
  sent: number;
  most: number;
  full: number; // number of cycles
  empty: number;
  mean: number;
  fill: number; // index of the signal with the number of messages in it
}

export interface Report {
  format: "sme report 1";
  version: string;
  network: string;
  ending: string;
  ok: boolean;
  command: string;
  folder: string;
  facts: [string, string][];
  faults: string[];
  checks: Outcome[];
  outputs: Outcome[];
  notes: string[];
  waves: Waves;
  graph: Graph | null;
  coverage: Coverage | null;
  sources: Record<string, string>;
  threads: Threads | null;
  channels: Channel[] | null;
}
