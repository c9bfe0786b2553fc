// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from "preact/hooks";
import type { Branch } from "../data/tree";
import { mostOfGroup, rowOf, search, signalRow } from "./rows";
import type { View } from "./view";

const mostBranches = 200;
const mostFound = 200;

function Node({ branch, view, depth }: { branch: Branch; view: View; depth: number }) {
  const [open, setOpen] = useState(false);
  const inner = branch.branches.size > 0;
  const type = branch.signal === undefined ? "" : view.model.type(branch.signal).text;
  return (
    <li>
      <div class="leaf" style={{ paddingLeft: `${depth * 14}px` }}>
        {inner ? (
          <button
            type="button"
            class="fold"
            aria-expanded={open}
            aria-label={`${open ? "Fold" : "Unfold"} ${branch.path}`}
            onClick={() => setOpen(!open)}
          >
            {open ? "▾" : "▸"}
          </button>
        ) : (
          <span class="fold" />
        )}
        <button
          type="button"
          class="add"
          title={`Add ${branch.path}`}
          aria-label={`Add ${branch.path}`}
          onClick={() => view.add([rowOf(branch)])}
        >
          <span>{branch.label}</span> <small>{inner ? branch.count : type}</small>
        </button>
      </div>
      {open && <Branches branch={branch} view={view} depth={depth + 1} />}
    </li>
  );
}

function Branches({ branch, view, depth }: { branch: Branch; view: View; depth: number }) {
  const all = [...branch.branches.values()];
  return (
    <ul>
      {all.slice(0, mostBranches).map((each) => (
        <Node key={each.path} branch={each} view={view} depth={depth} />
      ))}
      {all.length > mostBranches && <li class="more">{all.length - mostBranches} more: search</li>}
    </ul>
  );
}

/** Finds signals by search or in their hierarchy, and adds them to the viewer. */
export function Finder({ view }: { view: View }) {
  const [text, setText] = useState("");
  const { found, more } = useMemo(
    () => (text.trim() ? search(view.model, text, mostFound) : { found: [], more: false }),
    [text, view],
  );
  const rowFor = (signal: number) => signalRow(signal, view.model.signal(signal).name);
  const addAll = () => view.add(search(view.model, text, mostOfGroup).found.map(rowFor));
  return (
    <div class="finder">
      <input
        type="search"
        placeholder="Search signals"
        aria-label="Search signals"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && found.length > 0) addAll();
        }}
      />
      {text.trim() ? (
        <>
          <p class="found" role="status">
            {more ? `more than ${mostFound}` : found.length} found{" "}
            {found.length > 0 && (
              <button type="button" onClick={addAll}>
                Add all
              </button>
            )}
          </p>
          <ul>
            {found.map((signal) => {
              const { name } = view.model.signal(signal);
              return (
                <li key={signal}>
                  <button
                    type="button"
                    class="add"
                    aria-label={`Add ${name}`}
                    onClick={() => view.add([rowFor(signal)])}
                  >
                    <span>{name}</span> <small>{view.model.type(signal).text}</small>
                  </button>
                </li>
              );
            })}
          </ul>
        </>
      ) : (
        <Branches branch={view.model.tree} view={view} depth={0} />
      )}
    </div>
  );
}
