// SPDX-License-Identifier: Apache-2.0
import { useState } from "preact/hooks";
import type { Model } from "../data/model";
import type { Outcome, Report } from "../data/report";
import type { View } from "../waves/view";
import { Outcomes } from "./Outcomes";

/** The command line that repeats the run, with a button that copies it. */
function Command({ command, folder }: { command: string; folder: string }) {
  const [copied, setCopied] = useState("");
  const copy = () =>
    navigator.clipboard
      .writeText(command)
      .then(() => setCopied("copied"))
      .catch(() => setCopied("select the text to copy it"));
  return (
    <section aria-labelledby="again">
      <h2 id="again">Run it again</h2>
      <div class="command">
        <pre>{command}</pre>
        <button type="button" onClick={copy}>
          Copy
        </button>
        <small role="status">{copied}</small>
      </div>
      <small>in {folder}</small>
    </section>
  );
}

/** Selects the outcomes of a section; failures have a section of their own above the others. */
function outcomesOf(report: Report, title: "Failed" | "Checks" | "Outputs"): Outcome[] {
  const { checks, outputs } = report;
  if (title === "Failed") return [...checks, ...outputs].filter(({ kind }) => kind === "failed");
  return (title === "Checks" ? checks : outputs).filter(({ kind }) => kind !== "failed");
}

/** The results of the run. */
export function Summary({ model, view }: { model: Model; view: View }) {
  const { report } = model;
  return (
    <>
      {report.faults.length > 0 && (
        <section aria-labelledby="faults">
          <h2 id="faults">Faults</h2>
          {report.faults.map((fault) => (
            <pre key={fault} class="why">
              {fault}
            </pre>
          ))}
        </section>
      )}
      <section aria-label="Facts">
        <dl class="facts">
          {report.facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {(["Failed", "Checks", "Outputs"] as const).map((title) => (
        <Outcomes
          key={title}
          title={title}
          outcomes={outcomesOf(report, title)}
          model={model}
          view={view}
        />
      ))}
      <Command command={report.command} folder={report.folder} />
      {report.notes.length > 0 && (
        <section aria-labelledby="notes">
          <h2 id="notes">Not in this report</h2>
          <ul>
            {report.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <footer>
        sme {report.version}. This page holds <a href="https://preactjs.com">Preact</a>,{" "}
        <a href="https://d3js.org">d3</a>, <a href="https://github.com/leeoniya/uPlot">uPlot</a>{" "}
        and, by <a href="https://github.com/mdaines/viz-js">Viz.js</a>,{" "}
        <a href="https://graphviz.org">Graphviz</a>.
      </footer>
    </>
  );
}
