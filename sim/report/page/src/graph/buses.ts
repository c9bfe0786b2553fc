// SPDX-License-Identifier: Apache-2.0
import type { Model } from "../data/model";
import { type Branch, partsOf } from "../data/tree";
import { mostOfGroup, type Row, rowOf } from "../waves/rows";

/** True if a part of a name, "[3]", is in a folded part, "[0..7]" or "[0..1, 0..3]". */
function fits(part: string, folded: string): boolean {
  if (part === folded) return true;
  if (!part.startsWith("[") || !folded.startsWith("[")) return false;
  const indices = part.slice(1, -1).split(",");
  const ranges = folded.slice(1, -1).split(",");
  return (
    indices.length === ranges.length &&
    indices.every((index, k) => {
      const [low = "", high = low] = (ranges[k] ?? "").trim().split("..");
      return Number(index) >= Number(low) && Number(index) <= Number(high);
    })
  );
}

/** The branches of a folded name. */
function branchesOf(top: Branch, folded: string): Branch[] {
  let at = [top];
  for (const part of partsOf(folded))
    at = at.flatMap((branch) =>
      [...branch.branches].filter(([own]) => fits(own, part)).map(([, each]) => each),
    );
  return at;
}

/** The rows of the buses with these folded names. */
export function rowsOfBuses(model: Model, names: string[]): Row[] {
  const budget = { left: mostOfGroup };
  const rows: Row[] = [];
  for (const branch of new Set(names.flatMap((name) => branchesOf(model.tree, name))))
    if (budget.left > 0) rows.push(rowOf(branch, branch.path, budget));
  return rows;
}
