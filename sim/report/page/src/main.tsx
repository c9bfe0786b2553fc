// SPDX-License-Identifier: Apache-2.0
import "./style.css";
import "./waves.css";
import "./sections.css";
import "uplot/dist/uPlot.min.css";
import { render } from "preact";
import { App, shownTab } from "./App";
import { load } from "./data/model";
import { View } from "./waves/view";

async function start(): Promise<void> {
  const app = document.getElementById("app");
  if (!app) return;
  try {
    const model = await load();
    document.title = `${model.report.network}: ${model.report.ending}`;
    const follow = () => {
      shownTab.value = location.hash.slice(1) || "summary";
    };
    follow();
    addEventListener("hashchange", follow);
    app.textContent = "";
    render(<App model={model} view={new View(model)} />, app);
  } catch (problem) {
    app.textContent = `This report cannot be shown: ${problem}`;
    throw problem;
  }
}

void start();
