// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import type { Branch, Coverage as Covered, CoveredFile, Share } from "../data/report";

/** Formats a share; never as 100.0 % if something is missing. */
function percent({ hit, found }: Share): string {
  const tenths = found === 0 ? 1000 : Math.floor((hit * 1000) / found);
  return `${Math.floor(tenths / 10)}.${tenths % 10} %`;
}

function Totals({ totals }: { totals: Covered["totals"] }) {
  return (
    <dl class="facts">
      {Object.entries(totals).map(([name, share]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {percent(share)}{" "}
            <small>
              {share.hit} of {share.found}
            </small>
            <meter min={0} max={Math.max(1, share.found)} value={share.hit} aria-label={name} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function waysText(branches: Branch[]): string {
  const missing = branches.filter(({ count }) => count === 0).length;
  return missing > 0 ? `${missing} of ${branches.length} branches never taken` : "";
}

/** Shows a file with the count of each line. */
function Lines({ file, source }: { file: CoveredFile; source: string | undefined }) {
  if (source === undefined) return <p class="note">The text of this file is not in the report.</p>;
  const counts = new Map(file.lines.map(({ line, count }) => [line, count]));
  const branches = grouped(file.branches);
  return (
    <table class="source">
      <caption class="hidden">{file.file} with how often each line ran</caption>
      <thead class="hidden">
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Ran</th>
          <th scope="col">Text</th>
          <th scope="col">Branches</th>
        </tr>
      </thead>
      <tbody>
        {source.split("\n").map((text, k) => {
          const count = counts.get(k + 1);
          const ways = branches.get(k + 1) ?? [];
          const missing = waysText(ways);
          const kind =
            count === undefined && ways.length === 0
              ? ""
              : count === 0
                ? "missed"
                : missing
                  ? "partly"
                  : "ran";
          return (
            <tr key={k} class={kind}>
              <td class="number">{k + 1}</td>
              <td class="count">{count ?? ""}</td>
              <td class="text">{text}</td>
              <td class="ways">
                {ways.length > 0 && (
                  <span title={ways.map(({ count }) => count).join(" / ")}>
                    {ways.map(({ count }) => count).join(" / ")} {missing && <b>{missing}</b>}
                  </span>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function grouped(branches: Branch[]): Map<number, Branch[]> {
  const made = new Map<number, Branch[]>();
  for (const each of branches) made.set(each.line, [...(made.get(each.line) ?? []), each]);
  return made;
}

function File({
  file,
  source,
  open,
}: {
  file: CoveredFile;
  source: string | undefined;
  open: boolean;
}) {
  const [shown, setShown] = useState(open);
  const hit = file.lines.filter(({ count }) => count > 0).length;
  return (
    <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <code>{file.file}</code>{" "}
        <small>{percent({ hit, found: file.lines.length })} of its lines</small>
      </summary>
      {shown && <Lines file={file} source={source} />}
    </details>
  );
}

function Toggles({ toggles }: { toggles: Covered["toggles"] }) {
  const missing = toggles.filter(({ bits, rose, fell }) => rose + fell < 2 * bits);
  if (missing.length === 0) return null;
  return (
    <section aria-labelledby="toggles">
      <h2 id="toggles">Bits that did not both rise and fall</h2>
      <div class="scrolls">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Bus or state</th>
              <th scope="col">Bits</th>
              <th scope="col">Rose</th>
              <th scope="col">Fell</th>
              <th scope="col">Missing</th>
            </tr>
          </thead>
          <tbody>
            {missing.map((each) => (
              <tr key={each.name}>
                <th scope="row">
                  <code>{each.name}</code>
                </th>
                <td data-label="Bits">{each.bits}</td>
                <td data-label="Rose">{each.rose}</td>
                <td data-label="Fell">{each.fell}</td>
                <td data-label="Missing">{each.missing.join(", ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function States({ states }: { states: Covered["states"] }) {
  if (states.length === 0) return null;
  return (
    <section aria-labelledby="states">
      <h2 id="states">States</h2>
      {states.map(({ name, entered, transitions }) => (
        <div key={name} class="state">
          <h3>
            <code>{name}</code>
          </h3>
          <ul class="members">
            {Object.entries(entered).map(([member, count]) => (
              <li key={member} class={count === 0 ? "missed" : "ran"}>
                {member} <small>{count}</small>
              </li>
            ))}
          </ul>
          <p>{transitions.map(({ from, to, count }) => `${from} → ${to} (${count})`).join(", ")}</p>
        </div>
      ))}
    </section>
  );
}

/** The coverage of the network, on its source lines. */
export function Coverage({
  coverage,
  sources,
}: {
  coverage: Covered;
  sources: Record<string, string>;
}) {
  return (
    <>
      <Totals totals={coverage.totals} />
      <section aria-label="Lines">
        {coverage.files.map((file, k) => (
          <File key={file.file} file={file} source={sources[file.file]} open={k === 0} />
        ))}
      </section>
      <Toggles toggles={coverage.toggles} />
      <States states={coverage.states} />
    </>
  );
}
