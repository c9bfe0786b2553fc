// SPDX-License-Identifier: Apache-2.0
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Model } from "./data/model";
import { Graph } from "./graph/Graph";
import { Channels } from "./sections/Channels";
import { Coverage } from "./sections/Coverage";
import { Summary } from "./sections/Summary";
import { Threads } from "./sections/Threads";
import { Viewer } from "./waves/Viewer";
import type { View } from "./waves/view";

interface Tab {
  id: string;
  name: string;
  content(): ComponentChildren;
}

/** The visible tab, which is also the URL fragment. */
export const shownTab = signal("summary");

export function showTab(id: string): void {
  shownTab.value = id;
  history.replaceState(null, "", `#${id}`);
}

function tabsOf(model: Model, view: View): Tab[] {
  const { report } = model;
  const tabs: Tab[] = [
    { id: "summary", name: "Summary", content: () => <Summary model={model} view={view} /> },
    { id: "waves", name: "Waves", content: () => <Viewer view={view} /> },
  ];
  const { graph, coverage, threads, channels } = report;
  if (graph)
    tabs.push({
      id: "network",
      name: "Network",
      content: () => <Graph graph={graph} view={view} />,
    });
  if (channels)
    tabs.push({
      id: "channels",
      name: "Channels",
      content: () => <Channels model={model} channels={channels} />,
    });
  if (coverage)
    tabs.push({
      id: "coverage",
      name: "Coverage",
      content: () => <Coverage coverage={coverage} sources={report.sources} />,
    });
  if (threads)
    tabs.push({ id: "threads", name: "Threads", content: () => <Threads threads={threads} /> });
  return tabs;
}

/** Switches tabs with the arrow keys. */
function pressTab(tabs: Tab[], event: KeyboardEvent): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const at = tabs.findIndex(({ id }) => id === shownTab.value);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (!next) return;
  event.preventDefault();
  showTab(next.id);
  document.getElementById(`tab-${next.id}`)?.focus();
}

export function App({ model, view }: { model: Model; view: View }) {
  const { report } = model;
  const tabs = tabsOf(model, view);
  const shown = tabs.find(({ id }) => id === shownTab.value) ?? tabs[0];
  return (
    <>
      <header>
        <h1>
          {report.network}{" "}
          <span class={`badge ${report.ok ? "passed" : "failed"}`}>{report.ending}</span>
        </h1>
        <div
          role="tablist"
          aria-label="Report"
          class="tabs"
          onKeyDown={(event) => pressTab(tabs, event)}
        >
          {tabs.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`tab-${id}`}
              aria-controls={`panel-${id}`}
              aria-selected={id === shown?.id}
              tabIndex={id === shown?.id ? 0 : -1}
              onClick={() => showTab(id)}
            >
              {name}
            </button>
          ))}
        </div>
      </header>
      {shown && (
        <main
          key={shown.id}
          role="tabpanel"
          id={`panel-${shown.id}`}
          aria-labelledby={`tab-${shown.id}`}
          class={`panel ${shown.id}`}
        >
          {shown.content()}
        </main>
      )}
    </>
  );
}
