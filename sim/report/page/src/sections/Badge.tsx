// SPDX-License-Identifier: Apache-2.0
import type { Outcome } from "../data/report";

export function Badge({ outcome }: { outcome: Outcome }) {
  return <span class={`badge ${outcome.kind}`}>{outcome.word}</span>;
}

/** "network.yaml:12". */
export function place(of: { file?: string; line?: number }): string {
  return of.file ? `${of.file}${of.line ? `:${of.line}` : ""}` : "";
}
